r"""The LaTeX of formulas as MathML, which browsers show and speak without any script."""

from __future__ import annotations

import re
from collections.abc import Iterator

from markupsafe import Markup, escape

_LETTERS = {
    "alpha": "α",
    "beta": "β",
    "lambda": "λ",
    "pi": "π",
    "rho": "ρ",
    "xi": "ξ",
}
_OPERATORS = {"cdot": "·", "ne": "≠", "sum": "∑", "prod": "∏", "times": "×", "le": "≤", "ge": "≥"}
_FUNCTIONS = ("ln", "log", "exp", "max", "min")
_SPACES = {",": "0.17em", " ": "0.33em", ";": "0.28em", "quad": "1em"}
_SIZES = ("left", "right", "Big", "big")
_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[A-Za-z]+|\d+(?:\.\d+)?|\s+|.")


def mathml(latex: str) -> Markup:
    r"""Return a formula as MathML.

    Parameters
    ----------
    latex : str
        Letters (several in a row name one quantity), numbers, signs, ``\frac``, ``\sqrt``, lowered
        and raised indices, sums, and the letters and signs that `opchar.metrics` uses.

    Returns
    -------
    markupsafe.Markup
        A ``math`` element.

    Raises
    ------
    ValueError
        If a command is not known or a brace is not closed.

    Examples
    --------
    >>> str(mathml("x_i"))
    '<math><msub><mi>x</mi><mi>i</mi></msub></math>'
    """
    tokens = _Tokens([token for token in _TOKEN.findall(latex) if not token.isspace()])
    body = "".join(_terms(tokens))
    if tokens.left:
        raise ValueError(f"{latex!r}: a brace too many")
    return Markup(f"<math>{body}</math>")


class _Tokens:
    """The tokens of a formula, taken one by one."""

    def __init__(self, found: list[str]) -> None:
        self.left = found[::-1]

    def next(self) -> str:
        return self.left[-1] if self.left else ""

    def take(self) -> str:
        if not self.left:
            raise ValueError("the formula ends too early")
        return self.left.pop()


def _terms(tokens: _Tokens) -> Iterator[str]:
    while tokens.next() not in ("", "}"):
        yield _indexed(_atom(tokens), tokens)


def _indexed(base: str, tokens: _Tokens) -> str:
    """Return `base` with the indices that follow it."""
    marks = {}
    while tokens.next() in ("_", "^") and tokens.next() not in marks:
        mark = tokens.take()
        marks[mark] = _argument(tokens)
    low, high = marks.get("_"), marks.get("^")
    if low and high:
        return f"<msubsup>{base}{low}{high}</msubsup>"
    if low:
        return f"<msub>{base}{low}</msub>"
    return f"<msup>{base}{high}</msup>" if high else base


def _argument(tokens: _Tokens) -> str:
    r"""Return what a command or an index takes: a group, or one letter, digit or command.

    ``\frac1C`` and ``\sqrt3`` take single digits; the rest of the token stays where it was.
    """
    token = tokens.next()
    if token == "{":
        return _atom(tokens)
    if re.fullmatch(r"[A-Za-z]{2,}|\d[\d.]+", token):
        tokens.take()
        tokens.left.append(token[1:])
        tokens.left.append(token[0])
    return _atom(tokens)


def _atom(tokens: _Tokens) -> str:
    token = tokens.take()
    if token == "{":
        inside = list(_terms(tokens))
        if tokens.take() != "}":
            raise ValueError("a brace is not closed")
        return inside[0] if len(inside) == 1 else f"<mrow>{''.join(inside)}</mrow>"
    if token.startswith("\\"):
        return _command(token[1:], tokens)
    if token[0].isalpha():
        return f"<mi>{token}</mi>"
    if token[0].isdigit():
        return f"<mn>{token}</mn>"
    return f"<mo>{escape('−' if token == '-' else token)}</mo>"


def _command(name: str, tokens: _Tokens) -> str:
    if name == "frac":
        return f"<mfrac>{_argument(tokens)}{_argument(tokens)}</mfrac>"
    if name == "sqrt":
        return f"<msqrt>{_argument(tokens)}</msqrt>"
    if name in _SIZES:
        return f"<mo>{escape(tokens.take())}</mo>"
    if name in _LETTERS:
        return f"<mi>{_LETTERS[name]}</mi>"
    if name in _OPERATORS:
        return f"<mo>{_OPERATORS[name]}</mo>"
    if name in _FUNCTIONS:
        return f'<mi>{name}</mi><mspace width="0.17em"></mspace>'
    if name in _SPACES:
        return f'<mspace width="{_SPACES[name]}"></mspace>'
    raise ValueError(f"no such command: \\{name}")
