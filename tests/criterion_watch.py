"""Tracing a judging function: its comparisons, and the verdict if one came out otherwise.

The function is compiled once more from its source, with each comparison of values reported to a
`Watch`, which can also answer it the other way. Functions that it calls in its own module or in
those of the publications are watched with it.
"""

from __future__ import annotations

import ast
import inspect
import operator
import textwrap
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from types import CodeType, FunctionType
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from opchar_reproduction.statements.measurements import Finding

Function = Callable[..., Finding]
Answers = NDArray[np.bool_]
OPERATORS: Mapping[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
_SIGNS: Mapping[type[ast.cmpop], str] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
}
_HOOK = "_watched_comparison"
_JUDGING = ("opchar_reproduction.publications.",)


class Site(NamedTuple):
    """One comparison in the source: its line and its text."""

    function: str
    line: int
    column: int
    text: str


class Seen(NamedTuple):
    """One evaluation of a comparison."""

    answers: Answers
    clearances: NDArray[np.float64]
    left: NDArray[Any]
    right: NDArray[Any]


class Watch:
    """Sees the comparisons of a function, and answers chosen ones the other way."""

    def __init__(self, turned: Site | None = None, index: int | None = None) -> None:
        self.turned, self.index = turned, index
        self.seen: dict[Site, list[Seen]] = defaultdict(list)
        self._functions: dict[FunctionType, FunctionType] = {}

    def watch_function(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function with its comparisons reported here."""
        return self._rewrite(function) if isinstance(function, FunctionType) else function

    def _rewrite(self, function: FunctionType) -> FunctionType:
        if function in self._functions:
            return self._functions[function]
        code = _rewritten(function)
        names = {**function.__globals__, _HOOK: self._compare}
        made = FunctionType(code, names, function.__name__, function.__defaults__)
        made.__kwdefaults__ = function.__kwdefaults__
        self._functions[function] = made
        for name in _names(code):
            called = function.__globals__.get(name)
            if isinstance(called, FunctionType) and _judges(called, function):
                names[name] = self._rewrite(called)
        return made

    def _compare(
        self, sites: tuple[tuple[Any, ...], ...], signs: tuple[str, ...], *values: Any
    ) -> Any:
        """Return the answer of a comparison, or of a chain of them."""
        answer = True
        for site, sign, left, right in zip(sites, signs, values, values[1:], strict=False):
            answer = self._answer(Site(*site), sign, left, right)
            if len(sites) > 1 and not answer:
                return answer
        return answer

    def _answer(self, site: Site, sign: str, left: Any, right: Any) -> Any:
        answer = OPERATORS[sign](left, right)
        answers = np.atleast_1d(np.asarray(answer))
        if answers.dtype != bool:
            return answer
        before = sum(seen.answers.size for seen in self.seen[site])
        self.seen[site].append(_seen_comparison(sign, left, right, answers))
        if site != self.turned:
            return answer
        if self.index is None:
            return _like(answer, ~answers)
        changed = answers.copy()
        if 0 <= self.index - before < answers.size:
            changed.flat[self.index - before] ^= True
        return _like(answer, changed)


def _seen_comparison(sign: str, left: Any, right: Any, answers: Answers) -> Seen:
    nothing = np.full(answers.shape, np.nan)
    sides = _side(left), _side(right)
    if sign in ("==", "!="):
        return Seen(answers, nothing, *sides)
    try:
        first, second = (np.broadcast_to(side.astype(float), answers.shape) for side in sides)
    except (TypeError, ValueError):
        return Seen(answers, nothing, *sides)
    with np.errstate(invalid="ignore"):
        gap = second - first if sign.startswith("<") else first - second
    return Seen(answers, gap, first, second)


def _side(value: Any) -> NDArray[Any]:
    """Return a side as an array; what is no number or table of numbers as its text."""
    plain = isinstance(
        value, bool | int | float | np.generic | np.ndarray | pd.Series | pd.DataFrame
    )
    return np.asarray(value) if plain else np.asarray(repr(value))


def _like(answer: Any, changed: Answers) -> Any:
    """Return changed answers in the form of the given ones."""
    if isinstance(answer, pd.Series):
        return pd.Series(changed, index=answer.index, name=answer.name)
    if isinstance(answer, pd.DataFrame):
        return pd.DataFrame(changed, index=answer.index, columns=answer.columns)
    return changed if isinstance(answer, np.ndarray) and answer.ndim else bool(changed[0])


def _judges(called: FunctionType, caller: FunctionType) -> bool:
    return called.__module__ == caller.__module__ or called.__module__.startswith(_JUDGING)


def _names(code: CodeType) -> Iterator[str]:
    """Yield the names that code and what is defined in it ask for."""
    yield from code.co_names
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield from _names(part)


@cache
def _rewritten(function: FunctionType) -> CodeType:
    """Compile a function of a module with its comparisons reported to the hook."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    defined = tree.body[0]
    assert isinstance(defined, ast.FunctionDef), f"{function.__name__} is no function of a module"
    defined.decorator_list = []
    ast.increment_lineno(tree, function.__code__.co_firstlineno - 1)
    made = ast.fix_missing_locations(
        _Reporting(f"{function.__module__}:{function.__name__}").visit(tree)
    )
    module = compile(
        made, inspect.getfile(function), "exec", annotations.compiler_flag, dont_inherit=True
    )
    return next(part for part in module.co_consts if isinstance(part, CodeType))


class _Reporting(ast.NodeTransformer):
    """Puts a call of the hook in the place of each comparison of values."""

    def __init__(self, where: str) -> None:
        self.where = where

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        watched = all(type(sign) in _SIGNS for sign in node.ops)
        sides = [node.left, *node.comparators]
        sites = tuple(
            (self.where, side.lineno, side.col_offset, _text(side, sign, other))
            for side, sign, other in zip(sides, node.ops, sides[1:], strict=False)
        )
        self.generic_visit(node)
        if not watched:
            return node
        signs = tuple(_SIGNS[type(sign)] for sign in node.ops)
        given = [node.left, *node.comparators]
        hook = ast.Name(_HOOK, ast.Load())
        return ast.Call(hook, [_literal(sites), _literal(signs), *given], [])


def _text(left: ast.expr, sign: ast.cmpop, right: ast.expr) -> str:
    return ast.unparse(ast.Compare(left, [sign], [right]))


def _literal(value: object) -> ast.expr:
    return ast.parse(repr(value), mode="eval").body
