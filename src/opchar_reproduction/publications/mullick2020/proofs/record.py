"""Steps of proofs, each with both sides and the remainder of their difference."""

from collections.abc import Callable
from functools import partial

import sympy as sp

from opchar_reproduction.publications.mullick2020.symbols import C, Expression
from opchar_reproduction.results import Results


class Record:
    """Steps of proofs, in the order in which they are made."""

    def __init__(self) -> None:
        self.results = Results()

    def steps(self, label: str, index: str, of: str) -> Callable[..., None]:
        """Return what records steps of one statement: of what is on both sides, and `shown`."""
        return partial(self.step, label, index, of)

    def step(
        self,
        label: str,
        index: str,
        of: str,
        what: str,
        left: Expression,
        right: Expression,
        shown: Expression | None = None,
    ) -> None:
        """Record a step: what is on both sides, and what their difference comes to.

        `shown` is the left side before any cancelling, for the eye.
        """
        rest = sp.factor(sp.simplify(sp.together(left - right)))
        zeros = [] if rest.is_number else _zeros(rest)
        columns = {
            "label": label,
            "index": index,
            "of": of,
            "what": what,
            "left": sp.latex(left if shown is None else shown),
            "right": sp.latex(right),
            "difference": sp.latex(rest),
            "zeros": "; ".join(map(sp.latex, zeros)),
            "equal": float(rest == 0),
        }
        self.results.add_frame("proofs", {name: [value] for name, value in columns.items()})
        row = f"{label}, {index}: {of}, {what}"
        self.results.text("proofs", row, "left side minus right side", str(rest))


def _zeros(rest: Expression) -> list[Expression]:
    """Return the factors above the line of a difference: it is zero where one of them is.

    Without those that cannot be 0, and those that only the number of classes decides.
    """
    above = sp.fraction(sp.together(rest))[0]
    factors = [factor for factor, _ in sp.factor_list(above)[1]]
    return [each for each in factors if not each.is_nonzero and each.free_symbols - {C}]
