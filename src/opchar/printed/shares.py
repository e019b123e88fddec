"""Search for real shares of TP, FN, FP and TN with printed scores, and the words of a proof."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from operator import mul
from typing import Any

from opchar.printed.certificates import (
    Cone,
    Score,
    Sizes,
    axis_ends,
    cone_of,
    cut_cone,
    grid_of,
    half_spaces,
    is_empty,
    ratio_ends,
)
from opchar.printed.data import words_of
from opchar.printed.formulas import AXES, curved_ends, is_curved, linear_form, score_ends
from opchar.printed.matrices import Demand
from opchar.printed.numbers import Limits, from_to, lies, next_to, printed_as
from opchar.printed.reported_values import UndecidedError
from opchar.printed.row import Row, score_of

_RATES = tuple(AXES)[:5]
_FINEST, _SLACK = Fraction(1, 10**9), 1e-9
NODES = 400


@lru_cache(maxsize=512)
def refute_shares(scores: tuple[Score, ...], sizes: Sizes, nodes: int = NODES) -> Any:
    """Return a tree of cuts that leaves no cells with the scores.

    None tells that some are left, False that neither was found within so many nodes.
    """
    try:
        return _Search(scores, sizes, nodes).node(cone_of(scores, sizes))
    except UndecidedError:
        return False


def cells_of_shares(scores: Sequence[Score]) -> list[int] | None:
    """Return whole TP, FN, FP and TN that have the scores, however many, or None."""
    search = _Search(scores, (None, None, None), NODES)
    try:
        search.node(cone_of(scores, (None, None, None)))
    except UndecidedError:
        return None
    return search.cells or None


class _Search:
    def __init__(self, scores: Sequence[Score], sizes: Sizes, nodes: int) -> None:
        self.scores, self.sizes, self.left = scores, sizes, nodes
        self.cells: list[int] = []
        self.curved = [at for at, one in enumerate(scores) if is_curved(one[0])]
        self.grids = {axis: grid for axis in AXES if (grid := grid_of(axis, sizes))}

    def node(self, cone: Cone) -> Any:
        """Return the tree below a cone, or None where it has cells of the scores."""
        if is_empty(cone):
            return ("empty",)
        self.left -= 1
        if self.left < 0:
            raise UndecidedError
        ends = [axis_ends(cone, axis) for axis in _RATES]
        rough, inside = [(float(least), float(most)) for least, most in ends], True
        for at in self.curved:
            name, low, high = self.scores[at]
            least, most = curved_ends(name, rough)
            if least + _SLACK < low < most - _SLACK or least + _SLACK < high < most - _SLACK:
                inside = False  # exact numbers would tell the same
                continue
            least, most = curved_ends(name, ends)
            if most < low or least > high:
                return at
            inside &= least >= low and most <= high
        if not self.grids and self._miss(cone) < _SLACK and self._are_had_by(middle_of(cone)):
            self.cells = middle_of(cone)
            return None
        place = self._place(cone, dict(zip(_RATES, ends, strict=True)), inside)
        if place is None:
            return None
        axis, low, high = place
        under = cut_cone(cone, half_spaces(AXES[axis], 0, low)[1])
        over = cut_cone(cone, half_spaces(AXES[axis], high, math.inf)[0])
        # First where the scores are nearest.
        turned = self._miss(over) < self._miss(under)
        first, last = (over, under) if turned else (under, over)
        if (one := self.node(first)) is None or (other := self.node(last)) is None:
            return None
        return axis, low, high, *((other, one) if turned else (one, other))

    def _miss(self, cone: Cone) -> float:
        """Return by how much the scores of the middle of a cone miss their limits."""
        if is_empty(cone):
            return math.inf
        cells = [sum(ray[at] / sum(ray) for ray, _ in cone) for at in range(4)]
        sums = [[sum(map(mul, part, cells)) for part in AXES[axis]] for axis in _RATES]
        rates = [(above / below,) * 2 if below else (0.0, 1.0) for above, below in sums]
        far = 0.0
        for at in self.curved:
            name, low, high = self.scores[at]
            least, most = curved_ends(name, rates)
            far += float(max(low - most, least - high, 0))
        return far

    def _are_had_by(self, cells: Sequence[int]) -> bool:
        """Tell whether cells have all scores other than ratios of sums of cells."""
        ends = ((score_ends(self.scores[at][0], cells, cells), at) for at in self.curved)
        return all(
            low <= self.scores[at][2] and high >= self.scores[at][1] for (low, high), at in ends
        )

    def _place(self, cone: Cone, ends: dict[str, Any], inside: bool) -> Any:
        """Return an axis and where to cut it; None where nothing is left to ask."""
        widest: tuple[Any, ...] = (Fraction(0),)
        for axis, grid in self.grids.items():
            least, most = ends[axis] if axis in ends else axis_ends(cone, axis)
            if most == math.inf or (least == most and (least * grid).denominator == 1):
                continue
            middle = (least + most) / 2 * grid
            low, high = math.floor(middle), math.floor(middle) + 1
            if math.ceil(least * grid) > math.floor(most * grid):
                return axis, Fraction(low, grid), Fraction(high, grid)
            if (most - least) * grid > 1 and most - least > widest[0]:
                widest = (most - least, axis, Fraction(low, grid), Fraction(high, grid))
        if inside:
            return widest[1:] if len(widest) > 1 else None
        for axis, (least, most) in ends.items():
            if most - least > max(widest[0], _FINEST) and axis not in self.grids:
                middle = ((least + most) / 2).limit_denominator(10**6)
                if least < middle < most:
                    widest = (most - least, axis, middle, middle)
        if len(widest) == 1:
            raise UndecidedError
        return widest[1:]


def scores_over(cone: Cone, name: str) -> tuple[Any, Any]:
    """Return bounds of a score over a cone: exact for a ratio of sums of cells."""
    form = linear_form(name)
    if form is None:
        return curved_ends(name, [axis_ends(cone, axis) for axis in _RATES])
    return ratio_ends(cone, form)


def middle_of(cone: Cone) -> list[int]:
    """Return cells within a cone, in whole numbers: sums of its rays, each as large as another."""
    scale = math.lcm(*(sum(ray) for ray, _ in cone))
    return [sum(ray[at] * (scale // sum(ray)) for ray, _ in cone) for at in range(4)]


_MOST_CASES = 4
# Names of axes, and of the counts that they are shares of where the sizes are known; why scores
# contradict each other, by their indices.
_AXES, _COUNTS = words_of("axes"), words_of("counts")
_REASONS = {frozenset(names.split()): why for names, why in words_of("reasons").items()}


def _of_rates(t: Limits, s: Limits) -> tuple[float, float]:
    root = math.sqrt(t[1] * s[1]) - math.sqrt((1 - t[1]) * (1 - s[1]))
    return (0.0 if t[0] + s[0] > 1 else -1.0), (root if t[1] + s[1] > 1 else 0.0)


# Bounds of MCC from other scores: the words, the other scores, least and greatest value.
_OF_MCC: tuple[tuple[str, tuple[str, ...], Callable[..., tuple[float, float]]], ...] = (
    (
        "MCC lies from -(1 - A) / (1 + A) to A / (2 - A), with A the accuracy",
        ("accuracy",),
        lambda a: (-(1 - a[0]) / (1 + a[0]), a[1] / (2 - a[1])),
    ),
    (
        "MCC lies from F1 - 1 to the root of F1 / (2 - F1)",
        ("f1",),
        lambda f: (f[0] - 1, math.sqrt(f[1] / (2 - f[1]))),
    ),
    ("MCC is at most the root of the recall", ("tpr",), lambda t: (-1.0, math.sqrt(max(t[1], 0)))),
    (
        "MCC is at most the root of TPR x TNR less that of (1 - TPR)(1 - TNR)",
        ("tpr", "tnr"),
        _of_rates,
    ),
    (
        "MCC is at most the root of PPV x NPV less that of (1 - PPV)(1 - NPV)",
        ("precision", "npv"),
        _of_rates,
    ),
)


def _of_mcc(row: Row, known: Mapping[str, Demand], names: Sequence[str]) -> tuple[str, str] | None:
    """Return two lines by a bound of MCC that needs no cases, where one refutes the scores."""
    at = {known[h].index.name: h for h in names}
    for words, others, bounds in _OF_MCC if "mcc" in at else ():
        if set(at) != {"mcc", *others}:
            continue
        ranges = [tuple(min(max(e, -1), 1) for e in known[at[o]].limits) for o in others]
        (least, most), (low, high) = bounds(*ranges), known[at["mcc"]].limits
        if most < low or least > high:
            then = f"{at['mcc']} then {lies(_number(least), _number(most))}"
            printed = printed_as(row.texts[at["mcc"]], (low, high))
            end = f"{words}: {then}, whatever the size; {printed}"
            return row.in_words(*(at[one] for one in others)), end
    return None


def lines_of(
    row: Row, known: Mapping[str, Demand], names: Sequence[str], tree: Any
) -> tuple[str, str]:
    """Return two lines that can be followed by hand."""
    indices = [known[h].index.name for h in names]
    p, n, total = row.sizes
    if len(names) == 1 and (grid := grid_of(indices[0], row.sizes)):
        low, high = known[names[0]].limits
        under, over = math.ceil(low * grid) - 1, math.floor(high * grid) + 1
        near = next_to(names[0], row.texts[names[0]], (under, over), grid)
        return near, row.in_words(names[0])
    if found := _of_mcc(row, known, names):
        return found
    reason = _REASONS.get(frozenset(indices), "")
    family = {i.partition(" ")[0] for i in indices}
    if not reason and family == {"f_beta", "tpr", "precision"}:
        reason = "F lies between precision and recall"
    stated = [f"{size} {name}" for size, name in ((p, "positives"), (n, "negatives")) if size]
    where = f"with {' and '.join(stated)}" if stated else "whatever the size"
    if total and not stated:
        where = f"with {total} objects"
    targets = [h for h in names if known[h].index.name not in ("tpr", "tnr", "precision")]
    last = (targets or list(names))[-1]
    if last == names[0] and len(names) > 1:
        names = [*names[1:], last]
    rest = [h for h in names if h != last]
    scores = [score_of(known[h]) for h in rest]
    least, most = scores_over(cone_of(scores, row.sizes), known[last].index.name)
    scaled = score_of(known[last])
    if (most < scaled[1] or least > scaled[2]) and known[last].index.scale == "same":
        then = f"{last} then {lies(_number(least), _number(most))}, {where}"
        said = f"{reason}: {then}" if reason else then
        first = row.in_words(*rest) if rest else "any TP, FN, FP and TN"
        if not reason and len(rest) > 1:
            ends = axis_ends(cone_of(scores, row.sizes), "prevalence")
            share = f"the share of positives {from_to(*map(_number, ends))}"
            told = ends[0] > 0 or ends[1] < 1
            first += f"; together they leave {share}" if told else ""
        return first, f"{said}; {printed_as(row.texts[last], known[last].limits)}"
    said = _cases(row, known, names, tree)
    return row.in_words(*names), f"{reason}, {where}: {said}" if reason else f"{said}, {where}"


def _cases(row: Row, known: Mapping[str, Demand], names: Sequence[str], tree: Any) -> str:
    """Return the cases of a proof in words, each with the remaining count or score."""
    scores = [score_of(known[h]) for h in names]
    whole = cone_of(scores, row.sizes)
    for axis, count in _COUNTS.items():
        grid = grid_of(axis, row.sizes)
        low, high = axis_ends(whole, axis) if grid and not is_empty(whole) else (0, 1)
        if grid and high < math.inf and math.ceil(low * grid) > math.floor(high * grid):
            ends = from_to(_number(low * grid), _number(high * grid))
            return f"the scores leave {count} {ends}, which is no whole number"
    cases = list(_leaves(tree, []))
    found = [
        next(filter(None, (_outside(row, known, names, path, h) for h in reversed(names))))
        for path in cases
    ]
    if len(cases) > _MOST_CASES:
        axes = dict.fromkeys(_AXES[axis] for path in cases for axis, *_ in path)
        of = f"the certificate has {len(cases)} ranges of {' and '.join(axes)}"
        return f"{of}; {_in_every_range(row, known, found)}"
    cuts = [" and ".join(_cut_in_words(row, *cut) for cut in path) for path in cases]
    told = [_ends_in_words(known, *one) for one in found]
    return "; ".join(f"if {c}, {one}" if c else one for c, one in zip(cuts, told, strict=True))


def _ends_in_words(
    known: Mapping[str, Demand], heading: str, least: Any = None, most: Any = None
) -> str:
    if least is None:
        return heading
    ends = [_number(_value_of(end, known[heading].index.scale)) for end in (least, most)]
    return f"{heading} then {lies(*ends)}"


def _in_every_range(row: Row, known: Mapping[str, Demand], found: Sequence[tuple[Any, ...]]) -> str:
    """Return how near the scores of all ranges of a proof come to the printed one."""
    said = []
    for heading in dict.fromkeys(one[0] for one in found if len(one) == 3):
        _, low, high = score_of(known[heading])
        ends = [one[1:] for one in found if one[0] == heading and len(one) == 3]
        sides = [max((m for _, m in ends if m < low), default=None)]
        sides += [min((e for e, _ in ends if e > high), default=None)]
        words = [
            f"{side} {_number(_value_of(end, known[heading].index.scale))}"
            for side, end in zip(("at most", "at least"), sides, strict=True)
            if end is not None
        ]
        said.append(f"{heading} is {' or '.join(words)} (printed {row.texts[heading]})")
    many = "in each " if len(said) == 1 else "in each, one of these: "
    return many + "; ".join(said)


def _leaves(tree: Any, path: list[tuple[str, Any, Any]]) -> Iterator[list[tuple[str, Any, Any]]]:
    """Yield the cuts that lead to each leaf of a tree: axis, and the least or greatest value."""
    if not isinstance(tree, tuple) or len(tree) != 5:
        yield path
        return
    axis, low, high, left, right = tree
    yield from _leaves(left, [*path, (axis, None, low)])
    yield from _leaves(right, [*path, (axis, high, None)])


def _cut_in_words(row: Row, axis: str, least: Any, most: Any) -> str:
    end, grid = (most if least is None else least), grid_of(axis, row.sizes)
    side = "at most" if least is None else "at least"
    if grid:
        return f"{_COUNTS[axis]} is {side} {int(end * grid)}"
    return f"{_AXES[axis]} is {side} {_number(end)}"


def _outside(
    row: Row,
    known: Mapping[str, Demand],
    names: Sequence[str],
    path: Sequence[tuple[str, Any, Any]],
    last: str,
) -> tuple[Any, ...]:
    """Return a score and its ends, if these lie elsewhere than is printed where cuts leave it."""
    others = [h for h in names if h != last]
    cone = cone_of([score_of(known[h]) for h in others], row.sizes)
    for axis, least, most in path:
        half = half_spaces(AXES[axis], least or 0, math.inf if most is None else most)
        cone = cut_cone(cone, half[0] if most is None else half[1])
    if is_empty(cone):
        return (f"{', '.join(others)} leave no matrix",)
    name, low, high = score_of(known[last])
    least, most = scores_over(cone, name)
    return (last, least, most) if most < low or least > high else ()


def _value_of(ratio: Any, scale: str) -> Any:
    """Return the value of an index whose square, with its sign, or whose odds a proof compares."""
    if scale == "square":
        return math.copysign(math.sqrt(abs(ratio)), ratio)
    if scale == "odds" and ratio != math.inf:
        return math.sqrt(3) / math.pi * math.log(ratio) if ratio > 0 else -math.inf
    return ratio


def _number(value: Fraction | float) -> str:
    if value in (math.inf, -math.inf):
        return "infinity" if value > 0 else "minus infinity"
    return f"{float(value):.7g}"
