r"""The LaTeX of formulas as MathML, which browsers show and speak without any script."""

import re

from latex2mathml.converter import convert
from markupsafe import Markup

# Several letters in a row, as in TP or prior, name one quantity; lower-case pairs are indices.
_NAMES = re.compile(r"(?<![\\A-Za-z])([A-Z][A-Za-z]+|[a-z][A-Za-z]{2,})")


def mathml(latex: str) -> Markup:
    r"""Return a formula as MathML."""
    if latex.count("{") != latex.count("}"):
        raise ValueError(f"{latex!r}: a brace is not closed, or one too many")
    try:
        made = convert(_NAMES.sub(r"\\text{\1}", latex))
    except Exception as error:  # latex2mathml has no common base of its errors
        raise ValueError(f"{latex!r} is no formula: {type(error).__name__}") from None
    if unknown := re.search(r"\\[A-Za-z]+", made):
        raise ValueError(f"{latex!r}: no such command: {unknown[0]}")
    return Markup(made)
