"""Names of frames and columns that code writes and asks for, as far as its text shows them.

What measures writes names of frames and columns; what judges and draws asks for them. A name that
is asked for and written nowhere is a mistake that would else show only when a job runs.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator
from fnmatch import fnmatchcase

# In place of a name: a pattern, of what a formatted text may become.
PATTERN = "~"
LONGEST = 80
ASKING = ("frame", "with_frame")


def labels(
    nodes: Iterable[ast.AST], imported: Collection[str] = ()
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the texts that code writes as literals, and the frames and columns that it reads.

    Parameters
    ----------
    nodes : iterable of ast.AST
    imported : collection of str
        Names of the module that stand for other modules' things: what is asked of these, as in
        ``colormaps["viridis"]``, is no column.

    Returns
    -------
    written : tuple of str
        Constants and names of keywords, and, after `PATTERN`, patterns of formatted texts.
    asked : tuple of str
        Constants in brackets that are read, and those given to ``frame`` and ``with_frame``; of
        two letters or more.
    """
    asked: dict[int, str] = {}
    written: set[str] = set()
    whole = [part for node in nodes for part in ast.walk(node)]
    for part in whole:
        asked |= {
            id(each): str(each.value) for each in _asked_names(part, imported) if _is_name(each)
        }
    inside = {id(each) for part in whole if isinstance(part, ast.JoinedStr) for each in part.values}
    for part in whole:
        if isinstance(part, ast.keyword) and part.arg:
            written.add(part.arg)
        elif isinstance(part, ast.JoinedStr):
            written.add(PATTERN + _pattern(part))
        elif _is_name(part) and id(part) not in asked and id(part) not in inside:
            written.add(part.value)  # type: ignore[attr-defined]
    return tuple(sorted(written - {f"{PATTERN}*"})), tuple(sorted(set(asked.values())))


def _is_name(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and 1 < len(node.value) <= LONGEST
        and "\n" not in node.value
    )


def _asked_names(node: ast.AST, imported: Collection[str]) -> Iterator[ast.Constant]:
    """Yield the constants by which an expression asks for a frame or a column."""
    match node:
        case ast.Subscript(value=ast.Name(id=name)) if name in imported:
            return
        case ast.Subscript(slice=ast.List(elts=parts) | ast.Tuple(elts=parts), ctx=ast.Load()):
            yield from (part for part in parts if isinstance(part, ast.Constant))
        case ast.Subscript(slice=ast.Constant() as constant, ctx=ast.Load()):
            yield constant
        case ast.Call(func=ast.Attribute(attr=name), args=[ast.Constant() as constant, *_]) if (
            name in ASKING
        ):
            yield constant


def _pattern(node: ast.JoinedStr) -> str:
    parts = [str(part.value) if isinstance(part, ast.Constant) else "*" for part in node.values]
    return "".join(parts).replace("[", "[[]")


def missing_names(asked: Iterable[str], written: Iterable[str]) -> list[str]:
    """Return the names that are read but written nowhere, sorted.

    Parameters
    ----------
    asked : iterable of str
    written : iterable of str
        Texts and patterns, as `labels` returns them. A name that ends in one that begins with a
        blank or underscore, as joined frames have them, counts as written if its beginning does.
    """
    known = set(written)
    endings = [each for each in known if each[:1] in (" ", "_")]
    patterns = [each.removeprefix(PATTERN) for each in known if each.startswith(PATTERN)]
    return sorted(
        name
        for name in set(asked) - known
        if not any(fnmatchcase(name, pattern) for pattern in patterns)
        and not any(name.endswith(end) and name.removesuffix(end) in known for end in endings)
    )
