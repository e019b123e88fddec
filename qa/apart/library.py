"""The public functions on small drawn samples, against exact fractions and brute force."""

import math
import warnings
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
from common import Report, near
from scipy.integrate import quad
from scipy.stats import beta, norm

import opchar
from opchar.spaces.compare import compare_cost, compare_f, compare_roc
from opchar.spaces.cost import lower_envelope
from opchar.spaces.f_measure import upper_envelope
from opchar.spaces.points import upper_hull
from opchar.spaces.scored.thresholds import best_threshold, neyman_pearson
from opchar.statistics.areas import areas
from opchar.statistics.calibration import calibration
from opchar.statistics.proportions import guaranteed_threshold, objects_needed, wilson

ONE = Fraction(1)


class Sample:
    """Drawn labels, scores and weights, and their operating points as fractions."""

    def __init__(self, rng, probabilities=False):
        size = rng.randint(2, 13)
        few = rng.random() < 0.3
        y = [int(rng.random() < (0.1 if few else 0.5)) for _ in range(size)]
        y[rng.randrange(size)] = 1
        if sum(y) == size:
            y[rng.randrange(size)] = 0
        kinds = ["tenths", "unit"] if probabilities else KINDS
        self.kind = rng.choice(kinds)
        scores = [draw_score(rng, self.kind) for _ in range(size)]
        self.weighing = rng.choice(["none", "none", "whole", "large", "halves", "any", "wide"])
        weights = None
        if self.weighing != "none":
            weights = [draw_weight(rng, self.weighing) for _ in y]
            for label in (0, 1):
                if not any(w for w, each in zip(weights, y, strict=True) if each == label):
                    weights[y.index(label)] = 1
        given = np.array(scores, dtype=np.float32) if self.kind == "single" else scores
        self.count(y, given, weights)

    @classmethod
    def of(cls, y, scores, weights=None):
        """Return a sample of given objects."""
        made = cls.__new__(cls)
        made.kind, made.weighing = "given", "given"
        made.count(y, scores, weights)
        return made

    def count(self, y, given, weights):
        """Count the objects at each threshold."""
        size = len(y)
        self.y, self.score, self.weight = y, given, weights
        self.floats = [float(each) for each in given]
        self.w = [ONE] * size if weights is None else [Fraction(each) for each in weights]
        self.whole = all(each.denominator == 1 for each in self.w)
        self.pos = sum(w for w, each in zip(self.w, y, strict=True) if each)
        self.neg = sum(w for w, each in zip(self.w, y, strict=True) if not each)
        # Whole weights count as repeats: an object of weight zero is none.
        self.thresholds = sorted(
            {v for v, w in zip(self.floats, self.w, strict=True) if w}, reverse=True
        )
        self.rates = [(Fraction(0), Fraction(0))]
        self.rates += [self.at(threshold) for threshold in self.thresholds]
        self.prior = self.pos / (self.pos + self.neg)
        # Where one class has less than a rounding error of the weight, its share is no float.
        self.lopsided = not Fraction(1, 2**50) < self.prior < 1 - Fraction(1, 2**50)

    def at(self, threshold):
        """Return FPR and TPR of accepting scores at or above a threshold."""
        taken = [
            (w, each)
            for w, each, s in zip(self.w, self.y, self.floats, strict=True)
            if s >= threshold
        ]
        true = sum((w for w, each in taken if each), Fraction(0))
        return (sum((w for w, each in taken if not each), Fraction(0)) / self.neg, true / self.pos)

    def given(self):
        """Return the arguments of a function of labels and scores."""
        return (self.y, self.score), {} if self.weight is None else {"sample_weight": self.weight}

    def call(self, function, *more, **options):
        """Call a function of labels and scores."""
        both, weights = self.given()
        return function(*both, *more, **weights, **options)

    def __repr__(self):
        weight = "" if self.weight is None else f", sample_weight={self.weight}"
        return f"{self.y}, {np.array(self.score).tolist()} ({self.kind}){weight}"


KINDS = [
    "small",
    "tenths",
    "unit",
    "normal",
    "infinite",
    "single",
    "constant",
    "huge",
    "close",
    "tiny",
]


def draw_score(rng, kind):
    """Return a score of a kind."""
    return {
        "small": lambda: rng.randint(-2, 3),
        "tenths": lambda: rng.randint(0, 10) / 10,
        "unit": lambda: rng.random(),
        "normal": lambda: rng.gauss(0, 1),
        "infinite": lambda: rng.choice([math.inf, -math.inf, 0.0, -0.0, 1.5, 1e308, -1e308]),
        "single": lambda: rng.choice([0.1, 0.2, 0.3, rng.random()]),
        "constant": lambda: 0.3,
        "huge": lambda: rng.choice([2**53, 2**53 + 1, 2**53 + 2, 2**60, 10**15]),
        "close": lambda: np.nextafter(0.5, rng.choice([0, 1])) if rng.random() < 0.6 else 0.5,
        "tiny": lambda: rng.choice([5e-324, 0.0, 1e-310, -5e-324, 2.2e-308]),
    }[kind]()


def draw_weight(rng, kind):
    """Return a weight of a kind."""
    return {
        "whole": lambda: rng.randint(0, 4),
        "large": lambda: rng.choice([1, 3, 2**53 - 1, 2**52, 10**12, 7]),
        "halves": lambda: rng.randint(0, 6) / 2,
        "any": lambda: rng.choice([0.1, 0.2, 0.3, 0.7, rng.random()]),
        "wide": lambda: rng.choice([1e-200, 1e-12, 1.0, 1e10, 1e17, 3e-5, 0.1]),
    }[kind]()


def cost_at(rate, pc):
    """Return the normalised expected cost of a pair (FPR, TPR)."""
    return (1 - rate[1]) * pc + rate[0] * (1 - pc)


def f_at(rate, prior, alpha):
    """Return F of a pair (FPR, TPR): its limit where the formula is 0/0."""
    if rate[1] == 0:
        return Fraction(0)
    if rate[0] == 0:
        return rate[1] / (alpha * rate[1] + (1 - alpha))
    if prior == 0:
        return Fraction(0) if alpha else rate[1]
    found = prior * rate[1]
    return found / (alpha * (found + (1 - prior) * rate[0]) + (1 - alpha) * prior)


def hull_of(rates):
    """Return the vertices of the upper hull, from the first point to the last."""
    best = {}
    for fpr, tpr in rates:
        best[fpr] = max(best.get(fpr, tpr), tpr)
    vertices = []
    for point in sorted(set(rates) & {(0, 0)} | set(best.items())):
        while len(vertices) > 1:
            (a, b), (c, d) = vertices[-2], vertices[-1]
            if (c - a) * (point[1] - b) - (d - b) * (point[0] - a) >= 0:
                vertices.pop()
            else:
                break
        vertices.append(point)
    return vertices


def draw_condition(rng):
    """Return a prior or the like."""
    return rng.choice([0.0, 1.0, 0.5, 0.02, 1e-9, rng.random(), rng.random()])


def curves(rng) -> Iterator[str]:
    """Points, hulls, envelopes and everything that is best on them."""
    s = Sample(rng)
    yield repr(s)
    exact = {"relative": 0, "absolute": 0} if s.whole else {}
    points = s.call(opchar.points_of)
    if len(points.tpr) != len(s.rates):
        yield f"points_of has {len(points.tpr)} points, right are {len(s.rates)}"
        return
    if math.inf not in s.floats and points.thresholds[0] != math.inf:
        yield "points_of: the first threshold is not infinity"
    if points.thresholds[1:].tolist() != s.thresholds:
        yield f"points_of: thresholds {points.thresholds.tolist()}"
    for got, right in zip(zip(points.fpr, points.tpr, strict=True), s.rates, strict=True):
        for a, b in zip(got, right, strict=True):
            if not near(a, float(b) if s.whole else b, **exact):
                yield f"points_of: rate {a!r}, right {float(b)!r}"
    if not near(points.prior, s.prior):
        yield f"points_of: prior {points.prior}, right {float(s.prior)}"
    fine = s.weighing != "wide"
    hull, found = upper_hull(points), hull_of(s.rates)
    if s.whole and [(float(a), float(b)) for a, b in found] != list(
        zip(hull.fpr.tolist(), hull.tpr.tolist(), strict=True)
    ):
        yield f"upper_hull {hull.fpr, hull.tpr}, right {[(float(a), float(b)) for a, b in found]}"
    envelope, alpha = lower_envelope(points), rng.choice([0.5, 0.0, 1.0, 0.2, rng.random()])
    above = upper_envelope(points, alpha)
    conditions = [draw_condition(rng) for _ in range(6)]
    curve = s.call(opchar.cost_curve, pc=conditions)
    best_f = s.call(opchar.f_curve, prior=conditions, alpha=alpha)
    for place, condition in enumerate(conditions):
        c, a = Fraction(condition), Fraction(alpha)
        least = min(cost_at(rate, c) for rate in s.rates)
        if not near(curve.cost[place], least, 1e-11, 1e-14):
            yield f"cost_curve at {condition}: {curve.cost[place]!r}, right {float(least)!r}"
        for name, threshold in (
            ("cost_curve", curve.threshold[place]),
            ("envelope", envelope.threshold(condition)),
        ):
            taken = cost_at(s.at(float(threshold)), c)
            if not near(taken, least, 1e-11 if fine else 1e-9, 1e-14):
                yield f"{name} at {condition}: threshold {threshold} costs {float(taken)!r}, least {float(least)!r}"
        most = max(f_at(rate, c, a) for rate in s.rates)
        if not near(best_f.f[place], most, 1e-11):
            yield f"f_curve at {condition}, alpha {alpha}: {best_f.f[place]!r}, right {float(most)!r}"
        for name, threshold in (
            ("f_curve", best_f.threshold[place]),
            ("F envelope", above.threshold(condition)),
        ):
            taken = f_at(s.at(float(threshold)), c, a)
            if not near(taken, most, 1e-11):
                yield f"{name} at {condition}, alpha {alpha}: threshold {threshold} has {float(taken)!r}, best {float(most)!r}"
    yield from best_values(rng, s)
    limit = draw_condition(rng)
    choice = s.call(neyman_pearson, limit)
    allowed = [rate for rate in s.rates if near(min(rate[0], Fraction(limit)), rate[0], 1e-12)]
    # Values that only rounding separates tie, and the first of them is taken (docs/design.md).
    largest = max(rate[1] for rate in allowed)
    right = next(rate for rate in s.rates if rate in allowed and rate[1] == largest)
    if not (near(choice.tpr, largest) and choice.fpr <= right[0] + Fraction(1e-14)):
        yield f"neyman_pearson {limit}: {choice}, right {float(right[0]), float(right[1])}"
    rate = s.call(opchar.equal_error_rate)
    if not near(rate, equal_error(s.rates)):
        yield f"equal_error_rate {rate!r}, right {float(equal_error(s.rates))!r}"


def best_values(rng, s) -> Iterator[str]:
    """The thresholds of least cost and best F of the whole sample."""
    prior = rng.choice([0.5 if s.lopsided else None, draw_condition(rng)])
    p = s.prior if prior is None else Fraction(prior)
    fn, fp = rng.choice([(1, 1), (5, 1), (0, 1), (1, 0), (1e-6, 1e6), (0.1, 0.3), (1e300, 1)])
    whole = p * Fraction(fn) + (1 - p) * Fraction(fp)
    options = {} if prior is None else {"prior": prior}
    if whole:
        pc = p * Fraction(fn) / whole
        least = min(cost_at(rate, pc) for rate in s.rates)
        got = s.call(opchar.least_cost, cost_fn=fn, cost_fp=fp, **options)
        if not near(got, least, 1e-11, 1e-14):
            yield f"least_cost(prior={prior}, {fn}, {fp}): {got!r}, right {float(least)!r}"
        chosen = s.call(opchar.choose_threshold, cost_fn=fn, cost_fp=fp, rule="search", **options)
        found = {
            "best_threshold": s.call(best_threshold, cost_fn=fn, cost_fp=fp, **options),
            "choose_threshold": chosen.threshold,
        }
        for name, threshold in found.items():
            cost = cost_at(s.at(float(threshold)), pc)
            if not near(cost, least, 1e-11, 1e-14):
                yield f"{name}(prior={prior}, {fn}, {fp}): {threshold!r} costs {float(cost)!r}, least {float(least)!r}"
    alpha = rng.choice([0.5, 0.1, 1.0, 0.0])
    most = max(f_at(rate, p, Fraction(alpha)) for rate in s.rates)
    got = s.call(opchar.best_f, alpha=alpha, **options)
    if not near(got, most, 1e-11):
        yield f"best_f(prior={prior}, alpha={alpha}): {got!r}, right {float(most)!r}"
    threshold = s.call(opchar.choose_threshold, alpha=alpha, **options).threshold
    if not near(f_at(s.at(float(threshold)), p, Fraction(alpha)), most, 1e-11):
        yield f"choose_threshold(alpha={alpha}, prior={prior}): {threshold!r} is not best"


def equal_error(rates):
    """Return the rate at which both errors are equal on straight lines between the points."""
    for (a, b), (c, d) in pairwise(rates):
        before, after = a + b - 1, c + d - 1
        if before <= 0 <= after:
            share = -before / (after - before) if after != before else Fraction(0)
            return a + share * (c - a)
    raise AssertionError


def partial(rates, low, high):
    """Return the area under straight lines between two FPRs."""
    total = Fraction(0)
    for (a, b), (c, d) in pairwise(rates):
        left, right = max(a, low), min(c, high)
        if right > left:
            heights = [b + (d - b) * (at - a) / (c - a) for at in (left, right)]
            total += (right - left) * sum(heights) / 2
    return total


def precision_of(rate, p):
    """Return precision under a prior, None where nothing is accepted."""
    accepted = p * rate[1] + (1 - p) * rate[0]
    return p * rate[1] / accepted if accepted else None


def pr_areas(s, p):
    """Return the areas under precision over recall: steps, trapezoid, and the exact one."""
    steps = trapezoid = Fraction(0)
    exact = 0.0
    precisions = [precision_of(rate, p) for rate in s.rates]
    first = next(place for place, each in enumerate(precisions) if each is not None)
    precisions[:first] = [precisions[first]] * first
    for place in range(1, len(s.rates)):
        (a, b), (c, d) = s.rates[place - 1], s.rates[place]
        if d == b or precisions[place] is None:
            continue
        steps += (d - b) * precisions[place]
        trapezoid += (d - b) * (precisions[place - 1] + precisions[place]) / 2
        slope = (c - a) / (d - b)
        skew = (1 - p) / p
        start, gain = skew * (a - slope * b), 1 + skew * slope
        exact += hyperbola(start, gain, b, d)
    return steps, trapezoid, exact


def hyperbola(c, d, low, high):
    """Return the integral of t / (c + d t), by mpmath, from exact ends."""
    import mpmath

    with mpmath.workdps(600):
        at = [mpmath.mpf(each.numerator) / each.denominator for each in (c, d, low, high)]
        if at[0] == 0:
            return (at[3] - at[2]) / at[1]
        whole = (at[3] - at[2]) / at[1]
        ratio = (at[0] + at[1] * at[3]) / (at[0] + at[1] * at[2])
        return whole - at[0] / at[1] ** 2 * mpmath.log(ratio)


def areas_under(rng) -> Iterator[str]:
    """Areas under ROC and precision-recall curves, and the H-measure."""
    s = Sample(rng)
    yield repr(s)
    loose = {"relative": 1e-9} if s.weighing == "wide" else {"relative": 1e-11}
    auc = partial(s.rates, Fraction(0), ONE)
    if not near(s.call(opchar.roc_auc), auc, 1e-13, 1e-15):
        yield f"roc_auc {s.call(opchar.roc_auc)!r}, right {float(auc)!r}"
    low, high = sorted(rng.sample([0.0, 0.1, 0.25, 0.5, 0.9, 1.0, rng.random()], 2))
    part, width = partial(s.rates, Fraction(low), Fraction(high)), Fraction(high) - Fraction(low)
    if not near(s.call(opchar.roc_auc, low=low, high=high), part):
        yield f"roc_auc({low}, {high}) {s.call(opchar.roc_auc, low=low, high=high)!r}, right {float(part)!r}"
    chance = (Fraction(high) ** 2 - Fraction(low) ** 2) / 2
    right = (1 + (part - chance) / (width - chance)) / 2
    got = s.call(opchar.roc_auc, low=low, high=high, standardised=True)
    if not near(got, right, 1e-9):
        yield f"roc_auc({low}, {high}, standardised) {got!r}, right {float(right)!r}"
    prior = rng.choice([0.5 if s.lopsided else None, 1.0, 0.5, 0.02, 1e-6, rng.random()])
    p = s.prior if prior is None else Fraction(prior)
    options = {} if prior is None else {"prior": prior}
    for method, right in zip(("steps", "trapezoid", "exact"), pr_areas(s, p), strict=True):
        got = s.call(opchar.pr_auc, method=method, **options)
        right = Fraction(str(right)) if method == "exact" and right else right
        if not near(got, right, **loose):
            yield f"pr_auc({method}, prior={prior}) {got!r}, right {float(right)!r}"
    if (
        0 < float(p) < 1
        and s.weighing != "wide"
        and not near(s.call(opchar.pr_auc, method="gain", **options), gain_area(s, p), 1e-9, 1e-11)
    ):
        yield f"pr_auc(gain, prior={prior}) {s.call(opchar.pr_auc, method='gain', **options)!r}, right {float(gain_area(s, p))!r}"
    if s.weighing != "wide":
        low, high = sorted(rng.sample([0.01, 0.1, 0.5, 0.9, 1.0], 2))
        got = s.call(opchar.mean_pr_auc, low, high)
        right = quad(lambda at: float(pr_areas(s, Fraction(at))[1]), low, high, epsabs=1e-10)[0] / (
            high - low
        )
        if abs(got - right) > 1e-8:
            yield f"mean_pr_auc({low}, {high}) {got!r}, right {right!r}"
        if s.weighing != "large":
            yield from h_of(rng, s)


def gain_area(s, p):
    """Return the area under the precision-recall-gain curve with straight lines between points."""

    def gain(value):
        return (value - p) / ((1 - p) * value)

    points = [(gain(rate[1]), gain(precision_of(rate, p))) for rate in s.rates if rate[1] > 0]
    total = Fraction(0)
    if points[0][0] > 0:
        # From accepting none, where precision is that of the first point, up to it.
        total += points[0][0] * points[0][1]
    for (a, b), (c, d) in pairwise(points):
        left = max(a, Fraction(0))
        if c > left:
            total += (c - left) * ((b + (d - b) * (left - a) / (c - a)) + d) / 2
    return total


def h_of(rng, s) -> Iterator[str]:
    """The H-measure by numerical integration between the breakpoints."""
    prior = rng.choice([None, 0.5, 0.1, 0.9])
    severity = rng.choice([None, 1.0, 0.2, 5.0])
    p = float(s.prior if prior is None else prior)
    around = p / (1 - p) if severity is None else severity
    density = beta(2, 1 + 1 / around)

    def least(m, rates):
        return min(float(1 - t) * p * (1 - m) + float(f) * (1 - p) * m for f, t in rates)

    cuts = sorted(
        {p}
        | {
            p * d / (p * d + (1 - p) * c)
            for (a, b), (e, f) in zip(s.rates, s.rates[1:], strict=False)
            for c, d in [(float(e - a), float(f - b))]
            if c + d > 0
        }
        | {density.ppf(q) for q in (0.001, 0.1, 0.5, 0.9, 0.999)}
    )
    total = []
    for rates in (s.rates, [s.rates[0], s.rates[-1]]):
        edges = [0.0, *cuts, 1.0]
        total.append(
            sum(
                quad(
                    lambda m, r=rates: least(m, r) * density.pdf(m), a, b, epsabs=1e-12, epsrel=1e-9
                )[0]
                for a, b in pairwise(edges)
                if b > a
            )
        )
    got = s.call(opchar.h_measure, prior=prior, severity=severity)
    right = 1 - total[0] / total[1]
    if abs(got - right) > 1e-6:
        yield f"h_measure(prior={prior}, severity={severity}) {got!r}, right {right!r}"


def comparisons(rng) -> Iterator[str]:
    """Where one of two classifiers is better, checked between all edges."""
    s, t = Sample(rng), Sample(rng)
    yield f"{s!r} and {t!r}"
    alpha = rng.choice([0.5, 0.2, 0.9])
    first, second = s.call(opchar.points_of), t.call(opchar.points_of)
    wide = "wide" in (s.weighing, t.weighing)

    def height(rates, at):
        return max(partial_height(hull_of(rates), at))

    kinds = {
        "cost": (
            compare_cost(lower_envelope(first), lower_envelope(second)),
            lambda rates, at: -min(cost_at(rate, at) for rate in rates),
        ),
        "f": (
            compare_f(upper_envelope(first, alpha), upper_envelope(second, alpha)),
            lambda rates, at: max(f_at(rate, at, Fraction(alpha)) for rate in rates),
        ),
        "roc": (compare_roc(first, second), height),
    }
    for name, (ranges, value) in kinds.items():
        edges, better = ranges.edges.tolist(), ranges.better.tolist()
        if edges[0] != 0 or edges[-1] != 1 or any(b <= a for a, b in pairwise(edges)):
            yield f"compare_{name}: edges {edges}"
        for place, sign in enumerate(better):
            width = edges[place + 1] - edges[place]
            for share in (0.5, 0.01, 0.99, rng.random()):
                at = Fraction(edges[place] + share * width)
                off = value(s.rates, at) - value(t.rates, at)
                right = (off > 0) - (off < 0)
                if sign != right and not (wide or (sign == 0 and abs(off) < 1e-14) or width < 1e-9):
                    yield f"compare_{name} at {float(at)}: {sign}, right {right} (by {float(off)})"
                    break


def partial_height(hull, at):
    """Yield the heights of the edges of a hull above an FPR."""
    for (a, b), (c, d) in pairwise(hull):
        if a <= at <= c:
            yield max(b, d) if a == c else b + (d - b) * (at - a) / (c - a)


def probabilities(rng) -> Iterator[str]:
    """Brier scores and curves, decision curves, and calibration."""
    s = Sample(rng, probabilities=True)
    yield repr(s)
    prior = rng.choice([None, 0.0, 1.0, 0.02, rng.random()])
    p = s.prior if prior is None else Fraction(prior)
    options = {} if prior is None else {"prior": prior}
    errors = [Fraction(0), Fraction(0)]
    for label, value, weight in zip(s.y, s.floats, s.w, strict=True):
        errors[label] += weight * (Fraction(value) - label) ** 2
    right = p * errors[1] / s.pos + (1 - p) * errors[0] / s.neg
    if not near(s.call(opchar.brier_score, **options), right):
        yield f"brier_score(prior={prior}) {s.call(opchar.brier_score, **options)!r}, right {float(right)!r}"
    pcs = [draw_condition(rng) for _ in range(4)] + [0.1, 0.3, 0.7]
    curve = s.call(opchar.brier_curve, pc=pcs)
    for pc, cost in zip(pcs, curve.cost, strict=True):
        right = cost_at(s.at(1 - pc), Fraction(pc))
        if not near(cost, right):
            yield f"brier_curve at {pc}: {cost!r}, right {float(right)!r}"
    if min(s.y.count(0), s.y.count(1)) >= 2 and s.weight is None:
        at = sorted(rng.sample([0.1, 0.25, 0.3, 0.5, 0.7, 0.9], 3))
        curve = s.call(opchar.decision_curve, threshold=at, **options)
        for place, threshold in enumerate(at):
            odds = Fraction(threshold) / (1 - Fraction(threshold))
            benefit = {rate: p * rate[1] - (1 - p) * rate[0] * odds for rate in s.rates}
            for name, right in (
                ("net_benefit", benefit[s.at(threshold)]),
                ("best", max(benefit.values())),
                ("accept_all", benefit[s.rates[-1]]),
            ):
                got = getattr(curve, name)[place]
                if not near(got, right):
                    yield f"decision_curve.{name} at {threshold}, prior {prior}: {got!r}, right {float(right)!r}"
            low, high = curve.low[place], curve.high[place]
            if (
                not curve.band_low[place] - 1e-12
                <= low
                <= curve.net_benefit[place]
                <= high
                <= curve.band_high[place] + 1e-12
            ):
                yield f"decision_curve at {threshold}: interval {low, high} of {curve.net_benefit[place]}"
    if s.weighing != "wide" and not s.lopsided:
        yield from isotonic(s)


def isotonic(s) -> Iterator[str]:
    """The isotonic map is that of pooling neighbours; the sigmoid is the likeliest with Platt's targets."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fitted = calibration(s.y, s.floats, "isotonic", s.weight)
        got = fitted.probabilities(s.thresholds[::-1])
    blocks = []
    for value in s.thresholds[::-1]:
        both = [
            sum(
                (w for w, y, v in zip(s.w, s.y, s.floats, strict=True) if v == value and y in keep),
                Fraction(0),
            )
            for keep in ((1,), (0, 1))
        ]
        if not both[1]:
            return
        blocks.append([both[0], both[1], 1])
        while len(blocks) > 1 and blocks[-2][0] * blocks[-1][1] >= blocks[-1][0] * blocks[-2][1]:
            last = blocks.pop()
            blocks[-1] = [a + b for a, b in zip(blocks[-1], last, strict=True)]
    right = [block[0] / block[1] for block in blocks for _ in range(block[2])]
    for a, b in zip(got, right, strict=True):
        if not near(a, b, 1e-9, 1e-9) and 0 < b < 1:
            yield f"calibration isotonic: {got.tolist()}, right {[float(each) for each in right]}"
            return


def limits(rng) -> Iterator[str]:
    """Intervals of rates and thresholds that keep limits, by exact binomial sums."""
    s = Sample(rng)
    s.weight, s.w = None, [ONE] * len(s.y)
    s.pos, s.neg = Fraction(sum(s.y)), Fraction(len(s.y) - sum(s.y))
    s.rates = [(Fraction(0), Fraction(0))] + [s.at(each) for each in s.thresholds]
    yield repr(s)
    threshold = rng.choice([*s.floats, 0.35, math.inf, -math.inf])
    prior, confidence = (
        rng.choice([0.5, 0.02, rng.uniform(0.01, 0.99)]),
        rng.choice([0.95, 0.5, 0.999]),
    )
    fn, fp = rng.choice([(1, 1), (20, 1), (0, 1)])
    found = opchar.at_threshold(
        s.y, s.score, threshold, prior=prior, cost_fn=fn, cost_fp=fp, confidence=confidence
    )
    fpr, tpr = s.at(threshold)
    p = Fraction(prior)
    accepted = p * tpr + (1 - p) * fpr
    right = {
        "tpr": tpr,
        "fnr": 1 - tpr,
        "fpr": fpr,
        "tnr": 1 - fpr,
        "alerts": accepted,
        "precision": p * tpr / accepted if accepted else None,
        "npv": (1 - p) * (1 - fpr) / (1 - accepted) if accepted < 1 else None,
        "cost": p * (1 - tpr) * fn + (1 - p) * fpr * fp,
    }
    z = norm.ppf((1 + confidence) / 2)
    for name, value in right.items():
        got = getattr(found, name)
        if not near(got.value, value):
            yield f"at_threshold({threshold}, {prior}).{name} {got.value!r}, right {value}"
        if value is not None and not got.low <= got.value <= got.high:
            yield f"at_threshold({threshold}, {prior}).{name}: interval {got}"
        if name in ("tpr", "fpr"):
            for a, b in zip(
                (got.low, got.high),
                wilson_of(float(value), float(s.pos if name == "tpr" else s.neg), z),
                strict=True,
            ):
                if abs(a - b) > 1e-9:
                    yield f"at_threshold.{name}: {got}, right {b}"
    rates = {"tpr": (found.tpr, s.pos), "fpr": (found.fpr, s.neg)}
    away = [
        prior * fn * (found.tpr.value - found.tpr.low),
        (1 - prior) * fp * (found.fpr.high - found.fpr.value),
    ]
    high = float(right["cost"]) + math.hypot(*away)
    if abs(found.cost.high - high) > 1e-9 * max(1, high):
        yield f"at_threshold.cost: {found.cost}, right end {high} ({rates})"
    yield from kept(rng, s)
    limit = rng.choice([0.01, 0.05, 0.1, 0.3, 0.5, rng.uniform(0.02, 0.9)])
    number = 1
    while (1 - Fraction(limit)) ** number > 1 - Fraction(confidence):
        number += 1
    if objects_needed(limit, confidence) != number:
        yield f"objects_needed({limit}, {confidence}) {objects_needed(limit, confidence)}, right {number}"


def wilson_of(share, number, z):
    """Return Wilson's interval."""
    middle = (share + z * z / (2 * number)) / (1 + z * z / number)
    half = (
        z
        * math.sqrt(share * (1 - share) / number + z * z / (4 * number * number))
        / (1 + z * z / number)
    )
    return max(0.0, middle - half), min(1.0, middle + half)


def most_beyond(number, limit, risk):
    """Return the largest r with P(Bin(number, limit) < r) at most the risk: a place among sorted scores."""
    total, place = Fraction(0), 0
    for k in range(number):
        total += math.comb(number, k) * Fraction(limit) ** k * (1 - Fraction(limit)) ** (number - k)
        if total > risk:
            break
        place = k + 1
    return place


def kept(rng, s) -> Iterator[str]:
    """`controlled_threshold` and `guaranteed_threshold` for one limit on one class."""
    size = rng.randint(3, 60)
    pool = [draw_score(rng, rng.choice(["small", "unit", "infinite"])) for _ in range(size)]
    limit, confidence = rng.choice([0.05, 0.1, 0.2, 0.4, 0.7]), rng.choice([0.95, 0.8, 0.5])
    risk = 1 - Fraction(confidence)
    place = most_beyond(size, limit, risk)
    right = sorted(pool, reverse=True)[place - 1] if place else math.inf
    got = guaranteed_threshold(pool, limit, confidence)
    if got != right:
        yield f"guaranteed_threshold({pool}, {limit}, {confidence}) {got}, right {right}"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        labels, scores = [0] * size + [1], [*pool, rng.random()]
        lowest = above(labels, scores, right, max_fpr=limit, confidence=confidence)
        # Accepted is what scores above the place, at or above the threshold.
        if [each >= lowest for each in scores] != [each > right for each in scores]:
            yield f"controlled_threshold({labels}, {scores}, max_fpr={limit}, {confidence}) {lowest}, right: above {right}"
        labels, scores = [1] * size + [0], [*pool, rng.random()]
        highest = opchar.controlled_threshold(
            labels, scores, max_fnr=limit, confidence=confidence
        ).threshold
        right = sorted(pool)[place - 1] if place else -math.inf
        if [each >= highest for each in scores] != [each >= right for each in scores]:
            yield f"controlled_threshold({labels}, {scores}, max_fnr={limit}, {confidence}) {highest}, right: from {right}"
        both, place = [0] * (size - 1) + [1], most_beyond(size, limit, risk)
        right = sorted(pool, reverse=True)[place - 1] if place else math.inf
        got = above(both, pool, right, max_alert_rate=limit, confidence=confidence)
        if [each >= got for each in pool] != [each > right for each in pool]:
            yield f"controlled_threshold({both}, {pool}, max_alert_rate={limit}, {confidence}) {got}, right: above {right}"


def above(labels, scores, right, **limit):
    """Return the threshold that keeps a limit, NaN where a refusal is right: nothing lies above infinity."""
    try:
        return opchar.controlled_threshold(labels, scores, **limit).threshold
    except ValueError:
        if right == math.inf in scores:
            return math.nan
        raise


def delong(rng) -> Iterator[str]:
    """DeLong's covariance by fractions, and the difference of two areas."""
    s = Sample(rng)
    s.weight = None
    yield repr(s)
    rows = [s.floats, [draw_score(rng, "small") for _ in s.y]]
    if min(s.y.count(0), s.y.count(1)) < 2:
        return
    found = areas(s.y, rows)
    placed = []
    for row in rows:
        up, down = ([v for v, y in zip(row, s.y, strict=True) if y == label] for label in (1, 0))
        wins = [[Fraction((a > b) - (a < b) + 1, 2) for b in down] for a in up]
        placed.append(
            (
                [sum(row) / len(down) for row in wins],
                [sum(column) / len(up) for column in zip(*wins, strict=True)],
            )
        )
    means = [sum(each[0]) / len(each[0]) for each in placed]
    for i, j in product(range(2), range(2)):
        right = Fraction(0)
        for side in (0, 1):
            a, b = placed[i][side], placed[j][side]
            spread = sum((x - means[i]) * (y - means[j]) for x, y in zip(a, b, strict=True))
            right += spread / (len(a) - 1) / len(a)
        if not near(found.covariance[i, j], right, 1e-10):
            yield f"areas: covariance {found.covariance[i, j]!r}, right {float(right)!r}"
    change = opchar.roc_auc_difference(s.y, *rows)
    if (
        not near(change.difference, means[0] - means[1])
        or not change.low <= change.difference <= change.high
    ):
        yield f"roc_auc_difference {change}, right {float(means[0] - means[1])}"
    if (change.low > 0 or change.high < 0) != (change.p < 0.05):
        yield f"roc_auc_difference {change}: p and interval contradict each other"
    one = opchar.roc_auc_interval(s.y, rows[0])
    if not (
        near(one.area, means[0])
        and 0 <= one.low <= one.area <= one.high <= 1
        and one.low < one.high
    ):
        yield f"roc_auc_interval {one}, area {float(means[0])}"
    for level in (0.5, 0.95):
        low, high = wilson(0.3, 11, level)
        if (
            max(
                abs(a - b)
                for a, b in zip(
                    (low, high), wilson_of(0.3, 11, norm.ppf((1 + level) / 2)), strict=True
                )
            )
            > 1e-12
        ):
            yield f"wilson {low, high}"


def costs(rng) -> Iterator[str]:
    """Preferences, Bayes thresholds and costs of each object, by fractions."""
    prior = rng.choice([0.0, 1.0, 0.5, 0.02, rng.random()])
    fn, fp = rng.choice([(1, 1), (5, 1), (0, 1), (1, 0), (1e-300, 1e300), (0.1, 0.3)])
    yield f"prior={prior}, cost_fn={fn}, cost_fp={fp}"
    p, a, b = Fraction(prior), Fraction(fn), Fraction(fp)
    found = opchar.preference(prior, cost_fn=fn, cost_fp=fp)
    whole = p * a + (1 - p) * b
    if not near(found.m, b / (a + b)):
        yield f"preference.m {found.m}"
    if whole and not near(found.pc, p * a / whole):
        yield f"preference.pc {found.pc!r}, right {float(p * a / whole)!r}"
    if p * a and whole / (p * a) < 10**300 and not near(found.skew, (1 - p) * b / (p * a)):
        yield f"preference.skew {found.skew!r}"
    made = rng.choice([0.5, 0.1, 0.9])
    got = opchar.bayes_threshold(prior, cost_fn=fn, cost_fp=fp, training_prior=made)
    if whole and 0 < p < 1:
        odds = [(1 - p) * b * Fraction(made), p * a * (1 - Fraction(made))]
        if not near(got, odds[0] / sum(odds)):
            yield f"bayes_threshold(training_prior={made}) {got!r}, right {float(odds[0] / sum(odds))!r}"
    s = Sample(rng, probabilities=True)
    size = len(s.y)
    prices = {
        name: [rng.choice([1.0, 2.5, 10, 0.5]) for _ in range(size)]
        for name in ("cost_fn", "cost_fp")
    }
    prices["cost_tp"], prices["cost_tn"] = rng.choice([(0.0, 0.0), (0.5, 0.25)])
    given = rng.choice([None, 0.4, [rng.random() for _ in range(size)]])
    cost = s.call(opchar.object_cost, threshold=given, **prices)
    totals = [Fraction(0)] * 3
    for place, (label, value, weight) in enumerate(zip(s.y, s.floats, s.w, strict=True)):
        of = {
            name: Fraction(each[place]) if isinstance(each, list) else Fraction(each)
            for name, each in prices.items()
        }
        rise = of["cost_fp"] - of["cost_tn"]
        bar = (
            rise / (rise + of["cost_fn"] - of["cost_tp"])
            if given is None
            else Fraction(given if isinstance(given, float) else given[place])
        )
        if given is None and near(float(bar), Fraction(value), 1e-15):
            return
        accept = of["cost_tp" if label else "cost_fp"] * weight
        refuse = of["cost_fn" if label else "cost_tn"] * weight
        for place_, each in enumerate(
            (accept if Fraction(value) >= bar else refuse, accept, refuse)
        ):
            totals[place_] += each
    right = [total / sum(s.w) for total in totals]
    for name, value in zip(("cost", "accept_all", "accept_none"), right, strict=True):
        if not near(getattr(cost, name), value):
            yield f"object_cost({s!r}, {prices}, threshold={given}).{name} {getattr(cost, name)!r}, right {float(value)!r}"


CHECKS = [
    curves,
    areas_under,
    comparisons,
    probabilities,
    limits,
    delong,
    costs,
]


def run(report: Report, cases: int) -> None:
    """Try `cases` draws of each check."""
    for check in CHECKS:
        part = f"library.{check.__name__}"
        for number in range(cases):
            rng = report.draw(part, number)
            given = None
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    tried = check(rng)
                    given = next(tried)
                    for what in tried:
                        report.say(part, number, what, given)
            except ValueError as refusal:
                # Whole scores beyond 2**53 that no float tells apart are refused; else it is a finding.
                if "become equal as floats" not in str(refusal) or "(huge)" not in str(given):
                    report.say(part, number, f"ValueError: {refusal}", given)
            except Exception as error:
                report.say(part, number, f"{type(error).__name__}: {error}", given)
