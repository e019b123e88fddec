"""What all parts share: the seed of a case, what was found, and how numbers are compared."""

import random
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any


@dataclass
class Report:
    """The cases that were tried and the findings among them."""

    seed: int
    cases: dict[str, int] = field(default_factory=dict)
    findings: list[str] = field(default_factory=list)

    def draw(self, part: str, number: int) -> random.Random:
        """Return the generator of one case, which its name alone determines."""
        self.cases[part] = self.cases.get(part, 0) + 1
        return random.Random(f"{self.seed}/{part}/{number}")

    def say(self, part: str, number: int, what: str, given: Any = None) -> None:
        """Note and print a finding."""
        line = f"[{self.seed}/{part}/{number}] {what}" + (
            "" if given is None else f"; given {given}"
        )
        self.findings.append(line)
        print(line, flush=True)


def near(got: Any, right: Any, relative: float = 1e-12, absolute: float = 1e-14) -> bool:
    """Tell whether a float agrees with an exact number; NaN stands for an undefined one."""
    value = float(got)
    if right is None:
        return value != value
    if value != value:
        return isinstance(right, float) and right != right
    if value in (float("inf"), float("-inf")) or right in (float("inf"), float("-inf")):
        return value == right
    off = abs(Fraction(value) - Fraction(right))
    return off <= Fraction(absolute) + Fraction(relative) * abs(Fraction(right))
