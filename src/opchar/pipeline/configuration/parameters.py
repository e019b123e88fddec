"""Parameters of the configuration, checked against the functions that get them.

Nothing is imported: names, defaults and types are read from the syntax tree of the function. What a
type cannot say, that a prior is no more than one, follows from the name, which is the field's.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from opchar.errors import ConfigError, nearest
from opchar.pipeline.code.syntax import Definition

WORDS = {"float": "a number", "int": "a whole number", "bool": "true or false", "str": "a text"}
# Parameters of these names are probabilities, or ascending pairs of them.
SHARES = re.compile(
    r"(low_|pair_)?priors?|alphas?|soft_alpha|ms?|level|correlation|rates|sensitivity|specificity"
    r"|(soft_|pair_)?[ft]prs?(_\d+|_max)?"
)
RANGES = re.compile(r"(prior|iauprec|fpr)_ranges?")


def check(
    place: str, definition: Definition, given: Mapping[Any, Any], supplied: Collection[str]
) -> None:
    """Make sure that a function can be called with what the configuration gives it.

    Parameters
    ----------
    place : str
        File and entry, for messages.
    definition : Definition
        The function.
    given : mapping
        Values by the names of parameters.
    supplied : collection of str
        Parameters that the workflow fills itself.

    Raises
    ------
    ConfigError
        One line for the first name that is unknown or missing, and the first value that is not of
        the written type or out of its range.
    """
    accepted = [name for name in definition.parameters or () if name not in supplied]
    for name in given:
        if not isinstance(name, str):
            raise ConfigError(f"{place}: parameter {name!r} is no text; write it in quotes")
        if name not in accepted:
            raise ConfigError(f"{place}: unknown parameter '{name}'{nearest(name, accepted)}")
    for name in definition.required:
        if name not in supplied and name not in given:
            raise ConfigError(f"{place}: parameter '{name}' is missing")
    for name, value in given.items():
        annotation = definition.annotations.get(name)
        if annotation and (wrong := misfit(value, ast.parse(annotation, mode="eval").body)):
            raise ConfigError(f"{place}: parameter '{name}': {wrong}")
        if wrong := _out_of_range(name, value):
            raise ConfigError(f"{place}: parameter '{name}': {wrong}")


def misfit(value: Any, annotation: ast.expr) -> str:
    """Return what is wrong with a value of a written type; nothing when it fits.

    Parameters
    ----------
    value : object
        As read from YAML.
    annotation : ast.expr
        The written type; of other names than those of plain types and containers nothing is known,
        so that any value fits.
    """
    match annotation:
        case ast.Name(id=name) if name in WORDS:
            return "" if _is(value, name) else f"{_short(value)} is not {WORDS[name]}"
        case ast.Constant(value=None):
            return "" if value is None else f"{_short(value)} is not null"
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            faults = [misfit(value, left), misfit(value, right)]
            return "" if "" in faults else faults[0]
        case ast.Subscript(value=ast.Name(id="Literal"), slice=inner):
            return _misfit_of_choice(value, ast.literal_eval(inner))
        case ast.Subscript(value=ast.Name(id="list" | "Sequence"), slice=inner):
            return _misfit_of_list(value, inner)
        case ast.Subscript(value=ast.Name(id="tuple"), slice=ast.Tuple(elts=parts)):
            return _misfit_of_tuple(value, parts)
        case ast.Subscript(
            value=ast.Name(id="dict" | "Mapping"), slice=ast.Tuple(elts=[key, inner])
        ):
            return _misfit_of_dict(value, key, inner)
    return ""


def _misfit_of_choice(value: Any, choices: Any) -> str:
    known = choices if isinstance(choices, tuple) else (choices,)
    if value in known and type(value) in map(type, known):
        return ""
    hint = nearest(value, [str(choice) for choice in known]) if isinstance(value, str) else ""
    return f"{_short(value)} is none of {', '.join(map(str, known))}{hint}"


def _misfit_of_tuple(value: Any, parts: list[ast.expr]) -> str:
    if any(isinstance(part, ast.Constant) for part in parts):  # tuple[float, ...]
        return _misfit_of_list(value, parts[0])
    if not isinstance(value, list) or len(value) != len(parts):
        return f"{_short(value)} is not a list of {len(parts)}"
    faults = (misfit(one, part) for one, part in zip(value, parts, strict=True))
    return next((fault for fault in faults if fault), "")


def _misfit_of_list(value: Any, inner: ast.expr) -> str:
    if not isinstance(value, list):
        return f"{_short(value)} is not a list"
    return next((fault for part in value if (fault := misfit(part, inner))), "")


def _misfit_of_dict(value: Any, key: ast.expr, inner: ast.expr) -> str:
    if not isinstance(value, dict):
        return f"{_short(value)} is not a mapping"
    faults = (misfit(name, key) or misfit(part, inner) for name, part in value.items())
    return next((fault for fault in faults if fault), "")


def _is(value: Any, name: str) -> bool:
    match name:
        case "float":
            return (
                isinstance(value, int | float)
                and not isinstance(value, bool)
                and abs(value) <= sys.float_info.max  # whole numbers can be larger
            )
        case "int":
            return isinstance(value, int) and not isinstance(value, bool)
        case "bool":
            return isinstance(value, bool)
    return isinstance(value, str)


def _out_of_range(name: str, value: Any) -> str:
    """Return what is wrong with the numbers of a parameter of this name."""
    numbers = list(_numbers(value))
    if RANGES.fullmatch(name):
        pairs = value if value and isinstance(value[0], list) else [value]
        for pair in pairs:
            if len(pair) != 2 or not 0 <= pair[0] < pair[1] <= 1:
                return f"{_short(pair)} is no range: two numbers, 0 <= low < high <= 1"
    elif SHARES.fullmatch(name):
        wrong = [number for number in numbers if not 0 <= number <= 1]
        if wrong:
            return f"{wrong[0]} is not between 0 and 1"
    elif name in ("repeats", "objects", "draws", "resamples", "samples", "bootstrap"):
        wrong = [number for number in numbers if number < 1]
        if wrong:
            return f"{wrong[0]} is less than 1"
    return ""


def _numbers(value: Any) -> Iterator[float]:
    """Yield all numbers inside a value; keys of mappings are none of them."""
    if isinstance(value, list):
        for part in value:
            yield from _numbers(part)
    elif isinstance(value, dict):
        yield from _numbers(list(value.values()))
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield value


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}..."
