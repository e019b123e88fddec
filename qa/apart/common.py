"""What all parts share: how cases are drawn and tried, and how numbers are compared."""

import math
import random
from dataclasses import dataclass, field
from fractions import Fraction


@dataclass
class Report:
    """The cases that were tried and the findings among them."""

    seed: int
    cases: dict[str, int] = field(default_factory=dict)
    findings: list[str] = field(default_factory=list)

    def try_cases(self, part, cases, check, expected=lambda error, given: False):
        """Try a check on drawn cases, and print what it finds.

        `check` takes the generator of one case, which its name alone determines. It yields what is
        given, then findings as texts, and comparisons as `told` takes them. `expected` tells
        whether an error is right.
        """
        self.cases[part] = cases
        for number in range(cases):
            name, given = f"{self.seed}/{part}/{number}", None
            tried = check(random.Random(name))
            try:
                given = next(tried)
                for what in filter(None, map(told, tried)):
                    self.say(name, what, given)
            except Exception as error:
                if not expected(error, given):
                    self.say(name, f"{type(error).__name__}: {error}", given)

    def say(self, name, what, given):
        """Note and print a finding."""
        self.findings.append(f"[{name}] {what}; given {given}")
        print(self.findings[-1], flush=True)


def told(item):
    """Return a finding as a text, None where there is none.

    `item`: a text, or what is compared, the number that came out, the right one, and bounds.
    """
    if isinstance(item, str):
        return item
    what, got, right, *bounds = item
    return None if near(got, right, *bounds) else f"{what}: {shown(got)}, right {shown(right)}"


def near(got, right, relative=1e-12, absolute=1e-14):
    """Tell whether floats agree with exact numbers; NaN and None stand for undefined ones."""
    if isinstance(right, list | tuple):
        pairs = zip(got, right, strict=False)
        return len(got) == len(right) and all(near(*pair, relative, absolute) for pair in pairs)
    value = math.nan if got is None else float(got)
    if right is None or math.isnan(value):
        return math.isnan(value) and (right is None or math.isnan(right))
    if math.inf in (abs(value), abs(right)):
        return value == right
    off = abs(Fraction(value) - Fraction(right))
    return off <= Fraction(absolute) + Fraction(relative) * abs(Fraction(right))


def shown(number):
    """Return numbers as floats, to be read."""
    if isinstance(number, list | tuple):
        return [shown(each) for each in number]
    return None if number is None else float(number)


def outside(what, value, low, high, slack=0.0):
    """Yield a finding where a value is outside its interval."""
    if not low - slack <= value <= high + slack:
        yield f"{what}: {value} outside {low} to {high}"
