"""Parameters of the configuration, checked against the functions that get them.

No function is imported: names, defaults and types are read from syntax trees, and what a type
allows is pydantic's to say.
"""

import ast
from collections.abc import Collection, Mapping
from functools import cache
from typing import Annotated, Any, Literal, Union

from pydantic import (
    AfterValidator,
    Field,
    StrictBool,
    StrictInt,
    StrictStr,
    TypeAdapter,
    ValidationError,
)

from opchar.errors import ConfigError, nearest
from opchar_reproduction.project.definitions import Definition

Number = Annotated[float, Field(strict=True, allow_inf_nan=False)]


def _check_range(values: list[float]) -> list[float]:
    if len(values) != 2 or not 0 <= values[0] < values[1] <= 1:
        raise ValueError("two numbers, 0 <= low < high <= 1, make a range")
    return values


class _Types(dict[str, Any]):
    """What the names in written types stand for; any value fits a type that is not known."""

    def __missing__(self, name: str) -> Any:
        return Any


TYPES = _Types(
    float=Number,
    int=StrictInt,
    bool=StrictBool,
    str=StrictStr,
    list=list,
    Sequence=list,
    tuple=tuple,
    dict=dict,
    Mapping=dict,
    Literal=Literal,
    Rate=Annotated[Number, Field(ge=0, le=1)],
    Count=Annotated[StrictInt, Field(ge=1)],
    Folds=Annotated[StrictInt, Field(ge=2)],
    Span=Annotated[list[Number], AfterValidator(_check_range)],
)


def check(
    place: str, definition: Definition, given: Mapping[Any, Any], supplied: Collection[str]
) -> None:
    """Make sure that a function can be called with what the configuration gives it."""
    accepted = [name for name in definition.parameters if name not in supplied]
    for name in given:
        if not isinstance(name, str):
            raise ConfigError(f"{place}: parameter {name!r} is no text; write it in quotes")
        if name not in accepted:
            raise ConfigError(f"{place}: unknown parameter '{name}'{nearest(name, accepted)}")
    for name in definition.required:
        if name not in supplied and name not in given:
            raise ConfigError(f"{place}: parameter '{name}' is missing")
    for name, value in given.items():
        if wrong := misfit(value, definition.annotations.get(name, "")):
            raise ConfigError(f"{place}: parameter '{name}': {wrong}")


def misfit(value: Any, annotation: str) -> str:
    """Return why a value does not fit an annotated type; empty when it does."""
    try:
        _type(annotation).validate_python(value)
    except ValidationError as error:
        first = error.errors()[0]
        given = repr(first["input"])
        given = given if len(given) <= 40 else f"{given[:37]}..."
        said = first["msg"].removeprefix("Value error, ")
        hint = ""
        if first["type"] == "literal_error" and isinstance(first["input"], str):
            hint = nearest(first["input"], _choices(annotation))
        return f"{given}: {said[0].lower()}{said[1:]}{hint}"
    return ""


@cache
def _type(annotation: str) -> TypeAdapter[Any]:
    """Return what checks values of a written type; anything fits one that is not known."""
    try:
        return TypeAdapter(_type_of(ast.parse(annotation or "object", mode="eval").body))
    except TypeError:
        return TypeAdapter(Any)


def _type_of(node: ast.expr) -> Any:
    """Return the type that a written type stands for."""
    match node:
        case ast.Name(id=name):
            return TYPES[name]
        case ast.Constant(value=value):
            return value
        case ast.Tuple(elts=parts):
            return tuple(_type_of(part) for part in parts)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return Union[_type_of(left), _type_of(right)]  # noqa: UP007
        case ast.Subscript(value=outer, slice=inner):
            return _type_of(outer)[_type_of(inner)]
    return Any


def _choices(annotation: str) -> list[str]:
    """Return the texts among which a written type lets choose."""
    constants = (node for node in ast.walk(ast.parse(annotation)) if isinstance(node, ast.Constant))
    return [node.value for node in constants if isinstance(node.value, str)]
