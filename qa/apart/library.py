"""The public functions on small drawn samples, against exact fractions and brute force."""

import math
from fractions import Fraction
from itertools import accumulate, count, pairwise

import numpy as np
from common import near, outside
from scipy.integrate import quad
from scipy.stats import beta
from statsmodels.stats.proportion import proportion_confint

import opchar
from opchar.spaces.compare import compare_cost, compare_f, compare_roc
from opchar.spaces.cost import lower_envelope
from opchar.spaces.f_measure import upper_envelope
from opchar.spaces.points import upper_hull
from opchar.spaces.scored.thresholds import best_threshold, neyman_pearson
from opchar.statistics.areas import areas
from opchar.statistics.calibration import calibration
from opchar.statistics.proportions import guaranteed_threshold, objects_needed, wilson

ZERO, ONE = Fraction(0), Fraction(1)
# How a score and a weight of each kind are drawn.
SCORES = {
    "small": lambda rng: rng.randint(-2, 3),
    "tenths": lambda rng: rng.randint(0, 10) / 10,
    "unit": lambda rng: rng.random(),
    "normal": lambda rng: rng.gauss(0, 1),
    "infinite": lambda rng: rng.choice([math.inf, -math.inf, 0.0, -0.0, 1.5, 1e308, -1e308]),
    "single": lambda rng: rng.choice([0.1, 0.2, 0.3, rng.random()]),
    "constant": lambda rng: 0.3,
    "huge": lambda rng: rng.choice([2**53, 2**53 + 1, 2**53 + 2, 2**60, 10**15]),
    "close": lambda rng: np.nextafter(0.5, rng.choice([0, 1])) if rng.random() < 0.6 else 0.5,
    "tiny": lambda rng: rng.choice([5e-324, 0.0, 1e-310, -5e-324, 2.2e-308]),
}
WEIGHTS = {
    "whole": lambda rng: rng.randint(0, 4),
    "large": lambda rng: rng.choice([1, 3, 2**53 - 1, 2**52, 10**12, 7]),
    "halves": lambda rng: rng.randint(0, 6) / 2,
    "any": lambda rng: rng.choice([0.1, 0.2, 0.3, 0.7, rng.random()]),
    "wide": lambda rng: rng.choice([1e-200, 1e-12, 1.0, 1e10, 1e17, 3e-5, 0.1]),
}


class Sample:
    """Labels, scores and weights, and their operating points as fractions."""

    def __init__(self, y, score, weight=None, kind="given", weighing="none"):
        self.y, self.score, self.weight = y, score, weight
        self.kind, self.weighing = kind, weighing
        self.floats = [float(each) for each in score]
        self.w = [ONE] * len(y) if weight is None else [Fraction(each) for each in weight]
        self.whole = all(each.denominator == 1 for each in self.w)
        self.neg, self.pos = self.accepted(-math.inf)
        # Whole weights count as repeats: an object of weight zero is none.
        kept = {v for v, w in zip(self.floats, self.w, strict=True) if w}
        self.thresholds = sorted(kept, reverse=True)
        self.rates = [(ZERO, ZERO), *map(self.at, self.thresholds)]
        self.prior = self.pos / (self.pos + self.neg)
        # Where one class has less than a rounding error of the weight, its share is no float.
        self.lopsided = not Fraction(1, 2**50) < self.prior < 1 - Fraction(1, 2**50)

    def accepted(self, threshold):
        """Return the weights of negatives and positives at or above a threshold."""
        objects = [*zip(self.y, self.floats, self.w, strict=True)]
        return [sum((w for y, v, w in objects if y == c and v >= threshold), ZERO) for c in (0, 1)]

    def at(self, threshold):
        """Return FPR and TPR of accepting scores at or above a threshold."""
        false, true = self.accepted(threshold)
        return false / self.neg, true / self.pos

    def call(self, function, *more, **options):
        """Call a function of labels and scores."""
        weights = {} if self.weight is None else {"sample_weight": self.weight}
        return function(self.y, self.score, *more, **weights, **options)

    def under(self, prior):
        """Return a prior as a fraction, for None that of the sample, and what a function takes."""
        return (self.prior, {}) if prior is None else (Fraction(prior), {"prior": prior})

    def __repr__(self):
        weight = "" if self.weight is None else f", sample_weight={self.weight}"
        return f"{self.y}, {np.array(self.score).tolist()} ({self.kind}){weight}"


def draw_sample(rng, kinds=tuple(SCORES)):
    """Return a sample of a few objects of both classes."""
    size = rng.randint(2, 13)
    few = rng.random() < 0.3
    y = [int(rng.random() < (0.1 if few else 0.5)) for _ in range(size)]
    y[rng.randrange(size)] = 1
    if sum(y) == size:
        y[rng.randrange(size)] = 0
    kind = rng.choice(kinds)
    scores = [SCORES[kind](rng) for _ in range(size)]
    weighing = rng.choice(["none", "none", *WEIGHTS])
    weights = None
    if weighing != "none":
        weights = [WEIGHTS[weighing](rng) for _ in y]
        for label in (0, 1):
            if not any(w for w, each in zip(weights, y, strict=True) if each == label):
                weights[y.index(label)] = 1
    given = np.array(scores, dtype=np.float32) if kind == "single" else scores
    return Sample(y, given, weights, kind, weighing)


def draw_unweighted(rng):
    """Return a sample of which each object counts once."""
    drawn = draw_sample(rng)
    return Sample(drawn.y, drawn.score, kind=drawn.kind)


def draw_condition(rng):
    """Return a prior or the like."""
    return rng.choice([0.0, 1.0, 0.5, 0.02, 1e-9, rng.random(), rng.random()])


def cost_at(rate, pc):
    """Return the normalised expected cost of a pair (FPR, TPR)."""
    return (1 - rate[1]) * pc + rate[0] * (1 - pc)


def f_at(rate, prior, alpha):
    """Return F of a pair (FPR, TPR): its limit where the formula is 0/0."""
    if rate[1] == 0:
        return ZERO
    if rate[0] == 0:
        return rate[1] / (alpha * rate[1] + (1 - alpha))
    if prior == 0:
        return ZERO if alpha else rate[1]
    found = prior * rate[1]
    return found / (alpha * (found + (1 - prior) * rate[0]) + (1 - alpha) * prior)


def precision_of(rate, p):
    """Return precision under a prior, None where nothing is accepted."""
    accepted = p * rate[1] + (1 - p) * rate[0]
    return p * rate[1] / accepted if accepted else None


def measures_at(rate, p, fn, fp):
    """Return the measures of a pair (FPR, TPR) under a prior and costs."""
    fpr, tpr = rate
    accepted = p * tpr + (1 - p) * fpr
    return {
        "tpr": tpr,
        "fnr": 1 - tpr,
        "fpr": fpr,
        "tnr": 1 - fpr,
        "alerts": accepted,
        "precision": precision_of(rate, p),
        "npv": (1 - p) * (1 - fpr) / (1 - accepted) if accepted < 1 else None,
        "cost": p * (1 - tpr) * fn + (1 - p) * fpr * fp,
    }


def hull_of(rates):
    """Return the vertices of the upper hull, from the first point to the last."""
    best = {}
    for fpr, tpr in rates:
        best[fpr] = max(best.get(fpr, tpr), tpr)
    vertices = []
    for point in sorted(set(rates) & {(0, 0)} | set(best.items())):
        while len(vertices) > 1:
            (a, b), (c, d) = vertices[-2:]
            if (c - a) * (point[1] - b) - (d - b) * (point[0] - a) < 0:
                break
            vertices.pop()
        vertices.append(point)
    return vertices


def curves(rng):
    """Points, hulls, envelopes and everything that is best on them."""
    s = draw_sample(rng)
    yield repr(s)
    points = s.call(opchar.points_of)
    yield "points_of: thresholds", points.thresholds[1:].tolist(), s.thresholds, 0, 0
    if math.inf not in s.floats:
        yield "points_of: the first threshold", points.thresholds[0], math.inf
    yield "points_of: prior", points.prior, s.prior
    rates = [*zip(points.fpr, points.tpr, strict=True)]
    if s.whole:
        hull = upper_hull(points)
        vertices = [*zip(hull.fpr, hull.tpr, strict=True)]
        yield "points_of: rates", rates, floats(s.rates), 0, 0
        yield "upper_hull", vertices, floats(hull_of(s.rates)), 0, 0
    else:
        yield "points_of: rates", rates, s.rates
    yield from best_by_condition(rng, s, points)
    yield from best_values(rng, s)
    limit = draw_condition(rng)
    choice = s.call(neyman_pearson, limit)
    allowed = [rate for rate in s.rates if near(min(rate[0], Fraction(limit)), rate[0])]
    # Values that only rounding separates tie, and the first of them is taken (docs/design.md).
    largest = max(rate[1] for rate in allowed)
    right = next(rate for rate in allowed if rate[1] == largest)
    yield f"neyman_pearson({limit}): tpr", choice.tpr, largest
    if choice.fpr > right[0] + Fraction(1e-14):
        yield f"neyman_pearson({limit}): {choice}, right {float(right[0])}"
    yield "equal_error_rate", s.call(opchar.equal_error_rate), equal_error(s.rates)


def floats(rates):
    """Return pairs of fractions as floats."""
    return [(float(fpr), float(tpr)) for fpr, tpr in rates]


def best_by_condition(rng, s, points):
    """Cost curves and F curves, their thresholds, and those of envelopes."""
    envelope, alpha = lower_envelope(points), rng.choice([0.5, 0.0, 1.0, 0.2, rng.random()])
    above, a = upper_envelope(points, alpha), Fraction(alpha)
    conditions = [draw_condition(rng) for _ in range(6)]
    cost = s.call(opchar.cost_curve, pc=conditions)
    f = s.call(opchar.f_curve, prior=conditions, alpha=alpha)
    for place, condition in enumerate(conditions):
        c = Fraction(condition)
        least = min(cost_at(rate, c) for rate in s.rates)
        most = max(f_at(rate, c, a) for rate in s.rates)
        yield f"cost_curve at {condition}", cost.cost[place], least, 1e-11
        yield f"f_curve at {condition}, alpha {alpha}", f.f[place], most, 1e-11
        for threshold in (cost.threshold[place], envelope.threshold(condition)):
            taken = cost_at(s.at(float(threshold)), c)
            bound = 1e-9 if s.weighing == "wide" else 1e-11
            yield f"cost at {condition} of the threshold {threshold}", taken, least, bound
        for threshold in (f.threshold[place], above.threshold(condition)):
            taken = f_at(s.at(float(threshold)), c, a)
            yield f"F at {condition}, {alpha} of the threshold {threshold}", taken, most, 1e-11


def best_values(rng, s):
    """The thresholds of least cost and best F of the whole sample."""
    p, options = s.under(rng.choice([0.5 if s.lopsided else None, draw_condition(rng)]))
    fn, fp = rng.choice([(1, 1), (5, 1), (0, 1), (1, 0), (1e-6, 1e6), (0.1, 0.3), (1e300, 1)])
    whole = p * Fraction(fn) + (1 - p) * Fraction(fp)
    if whole:
        pc, asked = p * Fraction(fn) / whole, {"cost_fn": fn, "cost_fp": fp, **options}
        least = min(cost_at(rate, pc) for rate in s.rates)
        yield f"least_cost({asked})", s.call(opchar.least_cost, **asked), least, 1e-11
        thresholds = [s.call(best_threshold, **asked)]
        if not math.isnan(thresholds[0]):  # else nothing lies above infinity, which is refused
            thresholds.append(s.call(opchar.choose_threshold, rule="search", **asked).threshold)
        for threshold in thresholds:
            cost = cost_at(s.at(float(threshold)), pc)
            yield f"cost of the threshold {threshold} ({asked})", cost, least, 1e-11
    alpha = rng.choice([0.5, 0.1, 1.0, 0.0])
    asked, a = {"alpha": alpha, **options}, Fraction(alpha)
    most = max(f_at(rate, p, a) for rate in s.rates)
    yield f"best_f({asked})", s.call(opchar.best_f, **asked), most, 1e-11
    threshold = s.call(opchar.choose_threshold, **asked).threshold
    yield f"F of choose_threshold({asked})", f_at(s.at(float(threshold)), p, a), most, 1e-11


def equal_error(rates):
    """Return the rate at which both errors are equal on straight lines between the points."""
    for (a, b), (c, d) in pairwise(rates):
        before, after = a + b - 1, c + d - 1
        if before <= 0 <= after:
            share = -before / (after - before) if after != before else ZERO
            return a + share * (c - a)
    raise AssertionError


def partial(rates, low=ZERO, high=ONE):
    """Return the area under straight lines between two FPRs."""
    total = ZERO
    for (a, b), (c, d) in pairwise(rates):
        left, right = max(a, low), min(c, high)
        if right > left:
            heights = [b + (d - b) * (at - a) / (c - a) for at in (left, right)]
            total += (right - left) * sum(heights) / 2
    return total


def pr_areas(s, p):
    """Return the areas under precision over recall: steps, trapezoid, and the exact one."""
    steps, trapezoid, exact = ZERO, ZERO, 0.0
    precisions = [precision_of(rate, p) for rate in s.rates]
    first = next(place for place, each in enumerate(precisions) if each is not None)
    precisions[:first] = [precisions[first]] * first
    for ((a, b), before), ((c, d), after) in pairwise(zip(s.rates, precisions, strict=True)):
        if d == b or after is None:
            continue
        steps += (d - b) * after
        trapezoid += (d - b) * (before + after) / 2
        slope, skew = (c - a) / (d - b), (1 - p) / p
        exact += hyperbola(skew * (a - slope * b), 1 + skew * slope, b, d)
    exact = Fraction(str(exact)) if exact else ZERO
    return {"steps": steps, "trapezoid": trapezoid, "exact": exact}


def hyperbola(c, d, low, high):
    """Return the integral of t / (c + d t), by mpmath, from exact ends."""
    import mpmath

    with mpmath.workdps(600):
        ends = (mpmath.mpf(each.numerator) / each.denominator for each in (c, d, low, high))
        c, d, low, high = ends
        whole = (high - low) / d
        return whole - c / d**2 * mpmath.log((c + d * high) / (c + d * low)) if c else whole


def areas_under(rng):
    """Areas under ROC and precision-recall curves, and the H-measure."""
    s = draw_sample(rng)
    yield repr(s)
    yield "roc_auc", s.call(opchar.roc_auc), partial(s.rates), 1e-13, 1e-15
    low, high = sorted(rng.sample([0.0, 0.1, 0.25, 0.5, 0.9, 1.0, rng.random()], 2))
    a, b = Fraction(low), Fraction(high)
    part, chance = partial(s.rates, a, b), (b**2 - a**2) / 2
    right = (1 + (part - chance) / (b - a - chance)) / 2
    got = s.call(opchar.roc_auc, low=low, high=high, standardised=True)
    yield f"roc_auc({low}, {high})", s.call(opchar.roc_auc, low=low, high=high), part
    yield f"roc_auc({low}, {high}, standardised)", got, right, 1e-9
    prior = rng.choice([0.5 if s.lopsided else None, 1.0, 0.5, 0.02, 1e-6, rng.random()])
    p, options = s.under(prior)
    wide = s.weighing == "wide"
    for method, right in pr_areas(s, p).items():
        got = s.call(opchar.pr_auc, method=method, **options)
        yield f"pr_auc({method}, prior={prior})", got, right, 1e-9 if wide else 1e-11
    if 0 < float(p) < 1 and not wide:
        got = s.call(opchar.pr_auc, method="gain", **options)
        yield f"pr_auc(gain, prior={prior})", got, gain_area(s, p), 1e-9, 1e-11
    if not wide:
        low, high = sorted(rng.sample([0.01, 0.1, 0.5, 0.9, 1.0], 2))
        got = s.call(opchar.mean_pr_auc, low, high)
        under = quad(
            lambda at: float(pr_areas(s, Fraction(at))["trapezoid"]), low, high, epsabs=1e-10
        )
        yield f"mean_pr_auc({low}, {high})", got, under[0] / (high - low), 0, 1e-8
        if s.weighing != "large":
            yield from h_of(rng, s)


def gain_area(s, p):
    """Return the area under the precision-recall-gain curve with straight lines between points."""

    def gain(value):
        return (value - p) / ((1 - p) * value)

    points = [(gain(rate[1]), gain(precision_of(rate, p))) for rate in s.rates if rate[1] > 0]
    # From accepting none, where precision is that of the first point, up to it.
    total = max(points[0][0], ZERO) * points[0][1]
    for (a, b), (c, d) in pairwise(points):
        left = max(a, ZERO)
        if c > left:
            total += (c - left) * ((b + (d - b) * (left - a) / (c - a)) + d) / 2
    return total


def h_of(rng, s):
    """The H-measure by numerical integration between the breakpoints."""
    prior = rng.choice([None, 0.5, 0.1, 0.9])
    severity = rng.choice([None, 1.0, 0.2, 5.0])
    p = float(s.under(prior)[0])
    density = beta(2, 1 + 1 / (p / (1 - p) if severity is None else severity))

    def least(m, rates):
        return min(float(1 - t) * p * (1 - m) + float(f) * (1 - p) * m for f, t in rates)

    def loss(rates):
        """Return the integral of the least loss at each cost."""

        def weighted(m):
            return least(m, rates) * density.pdf(m)

        parts = [quad(weighted, *ends, epsabs=1e-12, epsrel=1e-9)[0] for ends in pairwise(edges)]
        return sum(parts)

    steps = [(float(c - a), float(d - b)) for (a, b), (c, d) in pairwise(s.rates)]
    cuts = {p * d / (p * d + (1 - p) * c) for c, d in steps if c + d > 0}
    edges = sorted({0.0, 1.0, p, *cuts, *density.ppf([0.001, 0.1, 0.5, 0.9, 0.999])})
    got = s.call(opchar.h_measure, prior=prior, severity=severity)
    right = 1 - loss(s.rates) / loss([s.rates[0], s.rates[-1]])
    yield f"h_measure(prior={prior}, severity={severity})", got, right, 0, 1e-6


def comparisons(rng):
    """Where one of two classifiers is better, checked between all edges."""
    s, t = draw_sample(rng), draw_sample(rng)
    yield f"{s!r} and {t!r}"
    alpha = rng.choice([0.5, 0.2, 0.9])
    first, second = s.call(opchar.points_of), t.call(opchar.points_of)
    wide = "wide" in (s.weighing, t.weighing)
    kinds = {
        "cost": (
            compare_cost(lower_envelope(first), lower_envelope(second)),
            lambda rates, at: -min(cost_at(rate, at) for rate in rates),
        ),
        "f": (
            compare_f(upper_envelope(first, alpha), upper_envelope(second, alpha)),
            lambda rates, at: max(f_at(rate, at, Fraction(alpha)) for rate in rates),
        ),
        "roc": (compare_roc(first, second), lambda rates, at: max(heights(hull_of(rates), at))),
    }
    for name, (ranges, value) in kinds.items():
        edges = ranges.edges.tolist()
        if edges[0] != 0 or edges[-1] != 1 or any(b <= a for a, b in pairwise(edges)):
            yield f"compare_{name}: edges {edges}"
        for (start, end), sign in zip(pairwise(edges), ranges.better.tolist(), strict=True):
            for share in (0.5, 0.01, 0.99, rng.random()):
                at = Fraction(start + share * (end - start))
                off = value(s.rates, at) - value(t.rates, at)
                right = (off > 0) - (off < 0)
                forgiven = wide or (sign == 0 and abs(off) < 1e-14) or end - start < 1e-9
                if sign != right and not forgiven:
                    yield f"compare_{name} at {float(at)}: {sign}, right {right} (by {float(off)})"
                    break


def heights(hull, at):
    """Yield the heights of the edges of a hull above an FPR."""
    for (a, b), (c, d) in pairwise(hull):
        if a <= at <= c:
            yield max(b, d) if a == c else b + (d - b) * (at - a) / (c - a)


def probabilities(rng):
    """Brier scores and curves, decision curves, and calibration."""
    s = draw_sample(rng, ["tenths", "unit"])
    yield repr(s)
    prior = rng.choice([None, 0.0, 1.0, 0.02, rng.random()])
    p, options = s.under(prior)
    errors = [ZERO, ZERO]
    for label, value, weight in zip(s.y, s.floats, s.w, strict=True):
        errors[label] += weight * (Fraction(value) - label) ** 2
    right = p * errors[1] / s.pos + (1 - p) * errors[0] / s.neg
    yield f"brier_score(prior={prior})", s.call(opchar.brier_score, **options), right
    pcs = [draw_condition(rng) for _ in range(4)] + [0.1, 0.3, 0.7]
    right = [cost_at(s.at(1 - pc), Fraction(pc)) for pc in pcs]
    yield f"brier_curve({pcs})", s.call(opchar.brier_curve, pc=pcs).cost, right
    if min(s.y.count(0), s.y.count(1)) >= 2 and s.weight is None:
        yield from net_benefits(rng, s, p, options)
    if s.weighing != "wide" and not s.lopsided:
        yield from isotonic(s)


def net_benefits(rng, s, p, options):
    """Decision curves: net benefits, and intervals and bands that contain them."""
    at = sorted(rng.sample([0.1, 0.25, 0.3, 0.5, 0.7, 0.9], 3))
    curve = s.call(opchar.decision_curve, threshold=at, **options)
    for place, threshold in enumerate(at):
        said = f"at {threshold}, {options}"
        odds = Fraction(threshold) / (1 - Fraction(threshold))
        benefit = {rate: p * rate[1] - (1 - p) * rate[0] * odds for rate in s.rates}
        found, low, high = curve.net_benefit[place], curve.low[place], curve.high[place]
        yield f"decision_curve {said}", found, benefit[s.at(threshold)]
        yield f"decision_curve.best {said}", curve.best[place], max(benefit.values())
        yield f"decision_curve.accept_all {said}", curve.accept_all[place], benefit[s.rates[-1]]
        yield from outside(f"decision_curve {said}", found, low, high)
        band = curve.band_low[place], curve.band_high[place]
        for end in (low, high):
            yield from outside(f"decision_curve {said}: an end", end, *band, 1e-12)


def isotonic(s):
    """The isotonic map is the largest of the smallest shares of positives of ranges of scores."""
    fitted = calibration(s.y, s.floats, "isotonic", s.weight)
    got = fitted.probabilities(s.thresholds[::-1])
    objects = [*zip(s.y, s.floats, s.w, strict=True)]
    bars, both = s.thresholds[::-1], []
    for bar in bars:
        own = [(w * y, w) for y, v, w in objects if v == bar]
        both.append([sum(each) for each in zip(*own, strict=True)])

    def share(start, end):
        """Return the share of positives from one score to another."""
        positive, whole = (sum(each) for each in zip(*both[start : end + 1], strict=True))
        return positive / whole

    n = len(bars)
    right = [max(min(share(j, k) for k in range(i, n)) for j in range(i + 1)) for i in range(n)]
    pairs = [(a, b) for a, b in zip(got, right, strict=True) if 0 < b < 1]
    yield "calibration isotonic", [a for a, _ in pairs], [b for _, b in pairs], 1e-9, 1e-9


def limits(rng):
    """Intervals of rates and thresholds that keep limits, by exact binomial sums."""
    s = draw_unweighted(rng)
    yield repr(s)
    threshold = rng.choice([*s.floats, 0.35, math.inf, -math.inf])
    prior = rng.choice([0.5, 0.02, rng.uniform(0.01, 0.99)])
    confidence = rng.choice([0.95, 0.5, 0.999])
    fn, fp = rng.choice([(1, 1), (20, 1), (0, 1)])
    costs = {"cost_fn": fn, "cost_fp": fp}
    found = s.call(opchar.at_threshold, threshold, prior=prior, confidence=confidence, **costs)
    right = measures_at(s.at(threshold), Fraction(prior), fn, fp)
    for name, value in right.items():
        got = getattr(found, name)
        yield f"at_threshold({threshold}, {prior}).{name}", got.value, value
        if value is not None:
            yield from outside(f"at_threshold({threshold}).{name}", got.value, got.low, got.high)
    for got, number in ((found.tpr, s.pos), (found.fpr, s.neg)):
        # What accepting all or none does is known without a sample.
        known = math.isinf(threshold)
        ends = [got.value] * 2 if known else wilson_of(got.value, float(number), confidence)
        yield f"at_threshold({threshold}): ends of a rate", [got.low, got.high], ends, 0, 1e-9
    away = [
        prior * fn * (found.tpr.value - found.tpr.low),
        (1 - prior) * fp * (found.fpr.high - found.fpr.value),
    ]
    high = float(right["cost"]) + math.hypot(*away)
    yield "at_threshold.cost: high", found.cost.high, high, 0, 1e-9 * max(1, high)
    yield from kept(rng)
    limit = rng.choice([0.01, 0.05, 0.1, 0.3, 0.5, rng.uniform(0.02, 0.9)])
    risk = 1 - Fraction(confidence)
    number = next(n for n in count(1) if (1 - Fraction(limit)) ** n <= risk)
    yield f"objects_needed({limit}, {confidence})", objects_needed(limit, confidence), number


def wilson_of(share, number, confidence):
    """Return Wilson's interval as statsmodels has it."""
    return proportion_confint(share * number, number, 1 - confidence, "wilson")


def most_beyond(number, limit, risk):
    """Return the largest r with P(Bin(number, limit) < r) at most the risk."""
    p = Fraction(limit)
    terms = (math.comb(number, k) * p**k * (1 - p) ** (number - k) for k in range(number))
    return sum(total <= risk for total in accumulate(terms))


def kept(rng):
    """`controlled_threshold` and `guaranteed_threshold` for one limit on one class."""
    size = rng.randint(3, 60)
    pool = [SCORES[rng.choice(["small", "unit", "infinite"])](rng) for _ in range(size)]
    limit, confidence = rng.choice([0.05, 0.1, 0.2, 0.4, 0.7]), rng.choice([0.95, 0.8, 0.5])
    place = most_beyond(size, limit, 1 - Fraction(confidence))
    highest = sorted(pool, reverse=True)[place - 1] if place else math.inf
    lowest = sorted(pool)[place - 1] if place else -math.inf
    got = guaranteed_threshold(pool, limit, confidence)
    yield f"guaranteed_threshold({pool}, {limit}, {confidence})", got, highest, 0, 0
    for name, labels, scores in (
        ("max_fpr", [0] * size + [1], [*pool, rng.random()]),
        ("max_fnr", [1] * size + [0], [*pool, rng.random()]),
        ("max_alert_rate", [0] * (size - 1) + [1], pool),
    ):
        asked = {name: limit, "confidence": confidence}
        try:
            got = opchar.controlled_threshold(labels, scores, **asked).threshold
        except ValueError:
            # A refusal is right where nothing lies above infinity.
            if name == "max_fnr" or not highest == math.inf in scores:
                raise
            got = math.nan
        # Accepted is what scores above the place, at or above the threshold.
        right = [each >= lowest if name == "max_fnr" else each > highest for each in scores]
        said = f"accepted by controlled_threshold({labels}, {scores}, {asked})"
        yield said, [each >= got for each in scores], right


def delong(rng):
    """DeLong's covariance from all pairs, and the difference of two areas."""
    s = draw_unweighted(rng)
    yield repr(s)
    rows = np.array([s.floats, [SCORES["small"](rng) for _ in s.y]])
    labels = np.array(s.y)
    up, down = rows[:, labels == 1, None], rows[:, None, labels == 0]
    if min(up.shape[1], down.shape[2]) < 2:
        return
    wins = ((up > down) + 1.0 * (up >= down)) / 2
    right = np.cov(wins.mean(2)) / up.shape[1] + np.cov(wins.mean(1)) / down.shape[2]
    first, second = wins.mean((1, 2))
    yield "areas: covariance", areas(s.y, rows).covariance.tolist(), right.tolist(), 1e-10
    change = opchar.roc_auc_difference(s.y, *rows)
    yield "roc_auc_difference", change.difference, first - second
    yield from outside("roc_auc_difference", change.difference, change.low, change.high)
    if (change.low > 0 or change.high < 0) != (change.p < 0.05):
        yield f"roc_auc_difference {change}: p and interval contradict each other"
    one = opchar.roc_auc_interval(s.y, rows[0])
    yield "roc_auc_interval", one.area, first
    if not 0 <= one.low <= one.area <= one.high <= 1 or one.low == one.high:
        yield f"roc_auc_interval {one}"
    for level in (0.5, 0.95):
        yield f"wilson at {level}", wilson(0.3, 11, level), wilson_of(0.3, 11, level), 0, 1e-12


def costs(rng):
    """Preferences and Bayes thresholds, by fractions."""
    prior = rng.choice([0.0, 1.0, 0.5, 0.02, rng.random()])
    fn, fp = rng.choice([(1, 1), (5, 1), (0, 1), (1, 0), (1e-300, 1e300), (0.1, 0.3)])
    yield f"prior={prior}, cost_fn={fn}, cost_fp={fp}"
    p, a, b = Fraction(prior), Fraction(fn), Fraction(fp)
    found = opchar.preference(prior, cost_fn=fn, cost_fp=fp)
    miss, alarm = p * a, (1 - p) * b
    yield "preference.m", found.m, b / (a + b)
    if miss + alarm:
        yield "preference.pc", found.pc, miss / (miss + alarm)
    if miss and (miss + alarm) / miss < 10**300:
        yield "preference.skew", found.skew, alarm / miss
    made = rng.choice([0.5, 0.1, 0.9])
    got = opchar.bayes_threshold(prior, cost_fn=fn, cost_fp=fp, training_prior=made)
    if miss + alarm and 0 < p < 1:
        odds = [alarm * Fraction(made), miss * (1 - Fraction(made))]
        yield f"bayes_threshold(training_prior={made})", got, odds[0] / sum(odds)
    yield from costs_of_objects(rng)


def costs_of_objects(rng):
    """Costs of each object, by fractions."""
    s = draw_sample(rng, ["tenths", "unit"])
    size = len(s.y)
    prices = {
        name: [rng.choice([1.0, 2.5, 10, 0.5]) for _ in range(size)]
        for name in ("cost_fn", "cost_fp")
    }
    prices["cost_tp"], prices["cost_tn"] = rng.choice([(0.0, 0.0), (0.5, 0.25)])
    given = rng.choice([None, 0.4, [rng.random() for _ in range(size)]])
    cost = s.call(opchar.object_cost, threshold=given, **prices)
    totals = [ZERO] * 3
    for place, (label, value, weight) in enumerate(zip(s.y, s.floats, s.w, strict=True)):

        def of(each, place=place):
            """Return what holds for this object, of a list or of a number for all."""
            return Fraction(each[place] if isinstance(each, list) else each)

        fn, fp, tp, tn = (of(each) for each in prices.values())
        bar = (fp - tn) / (fp - tn + fn - tp) if given is None else of(given)
        if given is None and near(float(bar), Fraction(value), 1e-15):
            return
        accept, refuse = weight * (tp if label else fp), weight * (fn if label else tn)
        for way, each in enumerate((accept if value >= bar else refuse, accept, refuse)):
            totals[way] += each
    got = [cost.cost, cost.accept_all, cost.accept_none]
    right = [total / sum(s.w) for total in totals]
    yield f"object_cost({s!r}, {prices}, threshold={given})", got, right


def too_close(error, given):
    """Tell whether whole scores beyond 2**53 that no float separates were refused."""
    refused = isinstance(error, ValueError) and "become equal as floats" in str(error)
    return refused and "(huge)" in str(given)


def run(report, cases):
    """Try `cases` draws of each check."""
    for check in (curves, areas_under, comparisons, probabilities, limits, delong, costs):
        report.try_cases(f"library.{check.__name__}", cases, check, too_close)
