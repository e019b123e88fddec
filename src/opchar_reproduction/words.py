"""Words of a user's own: a decorated function in a module that ``config/config.yaml`` lists.

The mark is read from the syntax tree, so that planning a run imports nothing: `words_of` finds the
marked functions of a file and makes of each the entry that ``config/models.yaml`` would have.
"""

import ast
import inspect
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from opchar.errors import ConfigError, first_line, nearest

Made = TypeVar("Made", bound=Callable[..., Any])

# Where a file may take the marks from.
HOMES = ("opchar_reproduction.extend", "opchar_reproduction.words")


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
    """
    return lambda function: function


def words_of(root: Path, file: str) -> dict[str, dict[str, Any]]:
    """Return the entries of the words that a file defines.

    Returns: As in ``config/models.yaml``; ``function`` is ``"<file>:<function>"``, and ``code`` a
    hash of the file, so that what was trained with it is trained again when it changes.
    """
    found: dict[str, dict[str, Any]] = {}
    for mark in marks(root, file, {"word": word}):
        given = dict(mark.given)
        name = str(given.pop("name"))
        if name in found:
            raise ConfigError(f"{mark.where}: the word '{name}' is marked twice")
        entry = {"kind": "classifier"} | {key: value for key, value in given.items() if value}
        if "aliases" in entry:
            entry["aliases"] = list(entry["aliases"])
        found[name] = entry | {"function": f"{file}:{mark.function}", "code": mark.code}
    return found


class Mark(NamedTuple):
    """A function of a user's file with what its decorator says."""

    kind: str
    function: str
    given: dict[str, Any]
    where: str
    code: str


def marks(root: Path, file: str, accepted: Mapping[str, Callable[..., Any]]) -> Iterator[Mark]:
    """Yield the marked functions of a file, which is not run."""
    source = source_of(root, file)
    tree = python_tree(source, file)
    code = sha256(source.encode()).hexdigest()[:16]
    names = {name: kind for kind in accepted for name in _names_of(kind, tree)}
    last = {each.name: each for each in tree.body if isinstance(each, ast.FunctionDef)}
    for function in tree.body:
        for mark in getattr(function, "decorator_list", []):
            call = mark.func if isinstance(mark, ast.Call) else mark
            kind = names.get(ast.unparse(call))
            if kind is None:
                continue
            where = f"{file}, line {mark.lineno}"
            if not isinstance(function, ast.FunctionDef):
                raise ConfigError(f"{where}: only functions can be {kind}s")
            if kind == "metric" and not takes(function, 1):
                raise ConfigError(f"{where}: a metric takes one matrix: {function.name}(matrix)")
            if last[function.name] is not function:
                raise ConfigError(f"{where}: another '{function.name}' below replaces this one")
            given = _literal_arguments(mark, kind, inspect.signature(accepted[kind]), where)
            yield Mark(kind, function.name, given, where, code)


def source_of(root: Path, file: str) -> str:
    """Return the text of a user's file."""
    try:
        if not (root / file).is_file():  # nor what nobody can read to its end, such as a pipe
            raise FileNotFoundError
        return (root / file).read_bytes().decode("utf-8")
    except PermissionError:
        raise ConfigError(f"extensions: {file}: may not be read") from None
    except OSError:
        what = "no such file; give a path from the project's folder"
        raise ConfigError(f"extensions: {file}: {what}") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{file}: not Python: not UTF-8 text; save it as UTF-8") from None


def python_tree(source: str, file: str) -> ast.Module:
    """Return the syntax tree of a file."""
    try:
        return ast.parse(source.encode("utf-8"))
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None)
        where = f"{file}: {f'line {line}: ' if line else ''}"
        raise ConfigError(f"{where}not Python: {error}") from None
    except (RecursionError, MemoryError):
        raise ConfigError(f"{file}: not Python: nested too deeply") from None


def takes(function: ast.FunctionDef, number: int, named: Container[str] = ()) -> bool:
    """Tell whether a function can be called with a number of arguments by place."""
    given = function.args
    by_place = [each.arg for each in (*given.posonlyargs, *given.args)]
    without = by_place[number : len(by_place) - len(given.defaults)]
    enough = number <= len(by_place) or given.vararg is not None
    return enough and all(name in named for name in without)


def refuse_unusable(root: Path, file: str, kinds: Iterable[str]) -> None:
    """Refuse a file that cannot run, and marks of methods and of functions inside functions."""
    source = source_of(root, file)
    tree = python_tree(source, file)
    try:
        compile(source.encode("utf-8"), file, "exec", dont_inherit=True)
    except (SyntaxError, RecursionError) as error:  # a "return" outside functions, for one
        where = f"{file}: line {getattr(error, 'lineno', None) or 1}"
        raise ConfigError(f"{where}: not Python: {first_line(error)}") from None
    names = {name for kind in kinds for name in _names_of(kind, tree)}
    outer = set(tree.body)
    for node in ast.walk(tree):
        for mark in getattr(node, "decorator_list", []) if node not in outer else []:
            call = mark.func if isinstance(mark, ast.Call) else mark
            if ast.unparse(call) in names:
                where = f"{file}, line {mark.lineno}"
                raise ConfigError(
                    f"{where}: only functions of the file itself can be marked; move it out"
                )


def extend_vocabulary(
    vocabulary: Mapping[str, Mapping[str, Any]], root: Path, files: Iterable[str]
) -> dict[str, Any]:
    """Return a vocabulary with the words of a user's files.

    `vocabulary`: The entries of ``config/models.yaml``.
    """
    known = dict(vocabulary)
    for file in files:
        for name, entry in words_of(root, file).items():
            taken = {s for w, e in known.items() for s in (w, *e.get("aliases", ()))}
            if clash := sorted(taken & {name, *entry.get("aliases", ())}):
                raise ConfigError(f"{file}: the word '{clash[0]}' is taken; choose another")
            known[name] = entry
    return known


def _names_of(kind: str, tree: ast.Module) -> set[str]:
    """Return how a file may write a decorator, from its imports."""
    names: set[str] = set()
    for home in HOMES:
        package, module = home.rsplit(".", 1)
        for node in tree.body:
            if isinstance(node, ast.Import):
                names |= {f"{a.asname or a.name}.{kind}" for a in node.names if a.name == home}
            elif isinstance(node, ast.ImportFrom) and node.module == home:
                names |= {a.asname or a.name for a in node.names if a.name == kind}
            elif isinstance(node, ast.ImportFrom) and node.module == package:
                names |= {f"{a.asname or a.name}.{kind}" for a in node.names if a.name == module}
    return names


def _literal_arguments(
    mark: ast.expr, kind: str, signature: inspect.Signature, where: str
) -> dict[str, Any]:
    """Return the literal arguments of a mark by name."""
    accepted = signature.parameters
    required = [name for name, each in accepted.items() if each.default is each.empty]
    first = next(iter(accepted))
    given: dict[str, Any] = {}
    positional = mark.args if isinstance(mark, ast.Call) else []
    try:
        if isinstance(mark, ast.Call):
            given = dict(zip([first], map(ast.literal_eval, positional), strict=False))
            if any(each.arg is None for each in mark.keywords):
                raise ValueError
            given |= {str(k.arg): ast.literal_eval(k.value) for k in mark.keywords}
    except (ValueError, TypeError, RecursionError, MemoryError):
        raise ConfigError(f"{where}: write the arguments of @{kind} out as literals") from None
    for key, value in given.items():
        if key not in accepted:
            raise ConfigError(
                f"{where}: @{kind} has no argument '{key}'{nearest(key, list(accepted))}"
            )
        listed = key == "aliases"
        texts = value if listed and isinstance(value, list | tuple) else [value]
        if not all(isinstance(each, str) for each in texts) or (listed and texts is not value):
            what = "a list of texts" if listed else "a text"
            raise ConfigError(f"{where}: @{kind}: '{key}' must be {what}, not {value!r}")
    twice = positional and first in [each.arg for each in getattr(mark, "keywords", [])]
    if len(positional) > 1 or twice or not set(required) <= set(given):
        wanted = ", ".join([f'"{first}"', *(f'{name}="..."' for name in required[1:])])
        raise ConfigError(f"{where}: write @{kind}({wanted}, ...)")
    return given
