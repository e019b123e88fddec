"""Words of a user's own: a decorated function in a module that ``config/config.yaml`` lists.

The mark is read from the syntax tree, so that planning a run imports nothing: `words_of` finds the
decorated functions of a file and makes of each the entry that ``config/models.yaml`` would have.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

from opchar.errors import ConfigError, nearest

Made = TypeVar("Made", bound=Callable[..., Any])

HERE = "opchar.models.extend"


def word(
    name: str,
    *,
    summary: str,
    kind: str = "classifier",
    arguments: str = "",
    aliases: Iterable[str] = (),
    example: str = "",
) -> Callable[[Made], Made]:
    r"""Mark a function that returns an estimator as a word of model names.

    Nothing is registered: list the file of the function under ``extensions:`` in
    ``config/config.yaml``. All arguments must be written out as literals there, since they are
    read without running the file.

    Parameters
    ----------
    name : str
        The word: small letters and underscores.
    summary : str
        One line for ``opchar models``.
    kind : {"classifier", "mapping", "detector"}
        What the function returns.
    arguments : str
        Regular expression of what may follow the word; its groups are passed to the function.
    aliases : iterable of str
        Other spellings.
    example : str
        How the word is used, for error messages; the word itself when empty.

    Returns
    -------
    callable
        Leaves the function as it is.

    Examples
    --------
    >>> @word("stump", summary="one split", arguments=r" ?(\d+)")
    ... def stump(leaf):
    ...     from sklearn.tree import DecisionTreeClassifier
    ...     return DecisionTreeClassifier(max_depth=1, min_samples_leaf=leaf)
    """
    _ = name, summary, kind, arguments, aliases, example
    return lambda function: function


def words_of(root: Path, file: str) -> dict[str, dict[str, Any]]:
    """Return the entries of the words that a file defines.

    Parameters
    ----------
    root : pathlib.Path
        Folder of the project.
    file : str
        Path of the Python file, relative to `root`.

    Returns
    -------
    dict of str to dict
        As in ``config/models.yaml``; ``function`` is ``"<file>:<function>"``, and ``code`` a hash
        of the file, so that what was trained with it is trained again when it changes.

    Raises
    ------
    ConfigError
        If the file cannot be read, marks nothing, or marks a word wrongly or twice.
    """
    place = f"config/config.yaml: extensions: {file}"
    try:
        source = (root / file).read_bytes()
        tree = ast.parse(source)
    except OSError:
        raise ConfigError(f"{place}: no such file; give a path from the project's folder") from None
    except (SyntaxError, ValueError) as error:
        raise ConfigError(f"{file}: not Python: {error}") from None
    code = sha256(source).hexdigest()[:16]
    found: dict[str, dict[str, Any]] = {}
    names = _names_of_word(tree)
    for function in tree.body:
        for mark in getattr(function, "decorator_list", []):
            if not isinstance(mark, ast.Call) or ast.unparse(mark.func) not in names:
                continue
            where = f"{file}, line {mark.lineno}"
            if not isinstance(function, ast.FunctionDef):
                raise ConfigError(f"{where}: only functions can be words")
            name, entry = _entry(mark, where)
            if name in found:
                raise ConfigError(f"{where}: the word '{name}' is marked twice")
            found[name] = entry | {"function": f"{file}:{function.name}", "code": code}
    if not found:
        raise ConfigError(f"{place}: no function is marked with @{HERE}.word")
    return found


def extended(
    vocabulary: Mapping[str, Mapping[str, Any]], root: Path, files: Iterable[str]
) -> dict[str, Any]:
    """Return a vocabulary with the words of a user's files.

    Parameters
    ----------
    vocabulary : mapping
        The entries of ``config/models.yaml``.
    root : pathlib.Path
        Folder of the project.
    files : iterable of str
        Paths from `root`.

    Returns
    -------
    dict

    Raises
    ------
    ConfigError
        If a file is wrong, or spells a word like one that there is.
    """
    known = dict(vocabulary)
    for file in files:
        for name, entry in words_of(root, file).items():
            taken = {s for w, e in known.items() for s in (w, *e.get("aliases", ()))}
            if clash := sorted(taken & {name, *entry.get("aliases", ())}):
                raise ConfigError(f"{file}: the word '{clash[0]}' is taken; choose another")
            known[name] = entry
    return known


def _names_of_word(tree: ast.Module) -> set[str]:
    """Return how a file may write the decorator, from its imports."""
    package, module = HERE.rsplit(".", 1)
    names: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.Import):
            names |= {f"{a.asname or a.name}.word" for a in node.names if a.name == HERE}
        elif isinstance(node, ast.ImportFrom) and node.module == HERE:
            names |= {a.asname or a.name for a in node.names if a.name == "word"}
        elif isinstance(node, ast.ImportFrom) and node.module == package:
            names |= {f"{a.asname or a.name}.word" for a in node.names if a.name == module}
    return names


def _entry(mark: ast.Call, where: str) -> tuple[str, dict[str, Any]]:
    """Return the word of a decorator and its entry, from literal arguments."""
    accepted = list(inspect.signature(word).parameters)
    try:
        given = dict(zip(["name"], map(ast.literal_eval, mark.args), strict=False))
        given |= {str(k.arg): ast.literal_eval(k.value) for k in mark.keywords}
    except ValueError:
        raise ConfigError(f"{where}: write the arguments of @word out as literals") from None
    for key in given:
        if key not in accepted:
            raise ConfigError(f"{where}: @word has no argument '{key}'{nearest(key, accepted)}")
    if len(mark.args) > 1 or not {"name", "summary"} <= set(given):
        raise ConfigError(f'{where}: write @word("name", summary="...", ...)')
    name = str(given.pop("name"))
    entry = {"kind": "classifier"} | {key: value for key, value in given.items() if value}
    if "aliases" in entry:
        entry["aliases"] = list(entry["aliases"])
    return name, entry
