"""Tables made from real matrices and folds are never refuted; every witness has the scores."""

from decimal import ROUND_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import opchar.metrics as metrics
from opchar.printed import Protocol, check, read_table
from opchar.printed.averages import stratified_folds
from opchar.printed.duals import class_witness
from opchar.printed.exact_indices import EXACT, exact_index
from opchar.printed.matrices import Demand, matrices
from opchar.printed.numbers import Printed
from opchar.printed.reported_values import UndecidedError

COUNTS = ("tp", "fn", "fp", "tn")
LINEAR = [name for name in EXACT if exact_index(name).linear and name not in COUNTS]
SCORES = sorted(set(EXACT) - set(COUNTS))
few = settings(
    max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)


def as_printed(value: Fraction, digits: int, rounding: str, percent: bool) -> str:
    """Print an exact value as a table would."""
    scaled = value * (100 if percent else 1)
    exact_value = Decimal(scaled.numerator) / Decimal(scaled.denominator)
    return str(exact_value.quantize(Decimal(1).scaleb(-digits), rounding=rounding))


def value_of(name: str, counts: tuple[int, ...]) -> Fraction | None:
    """Return the value of an index by the library; None where it has no finite one."""
    index = exact_index(name)
    if index.scale == "same":
        above, below = index.ratio(*counts)
        return Fraction(above, below) if below else None
    value = index.value(*counts)
    return Fraction(value) if np.isfinite(value) else None


@st.composite
def tables(draw, names, folds=(1,), most=60):
    """Draw a protocol and the scores that it prints of random matrices."""
    k = draw(st.sampled_from(folds))
    p, n = draw(st.integers(2 * k, most)), draw(st.integers(2 * k, 3 * most))
    sizes = stratified_folds((p, n), k)
    drawn = [(draw(st.integers(0, a)), draw(st.integers(0, b))) for a, b in sizes]
    parts = [(tp, a - tp, fp, b - fp) for (tp, fp), (a, b) in zip(drawn, sizes, strict=True)]
    digits = draw(st.integers(1, 4))
    percent = draw(st.booleans())
    rounding, mode = draw(
        st.sampled_from(
            [("nearest", ROUND_HALF_UP), ("nearest", ROUND_HALF_EVEN), ("cut", ROUND_DOWN)]
        )
    )
    printed = {}
    for name in draw(st.lists(st.sampled_from(names), min_size=1, max_size=4, unique=True)):
        values = [value_of(name, counts) for counts in parts]
        if any(value is None for value in values):
            continue
        mean = sum(values) / k
        if exact_index(name).scale != "same" and mode == ROUND_DOWN:
            continue  # a root that is a decimal in theory may be cut below it in floats
        printed[name] = as_printed(mean, digits, mode, percent)
    protocol = Protocol(
        p,
        n,
        folds=k,
        averages="fold-means",
        rounding=rounding,
        unit="percent" if percent else "fraction",
        seconds=3.0,
    )
    return printed, protocol, parts


def answer_to(printed, protocol):
    unbounded = {
        *("positive_likelihood", "negative_likelihood"),
        *("diagnostic_odds_ratio", "discriminant_power"),
    }
    if protocol.unit == "percent":
        printed = {name: text for name, text in printed.items() if name not in unbounded}
    if not printed:
        return None, printed
    table = read_table(",".join(printed) + "\n" + ",".join(printed.values()))
    if set(table.columns) != set(printed):
        return None, printed
    return check(table, protocol)["row 1"], printed


def assert_witness_has(answer, printed, protocol):
    """The indices of the library give the witness the printed scores."""
    found = answer.witness if isinstance(answer.witness, list) else [answer.witness]
    scale, cut = (100 if protocol.unit == "percent" else 1), protocol.rounding == "cut"
    for name, text in printed.items():
        mean = np.mean([exact_index(name).value(**one) for one in found]) * scale
        step = 10.0 ** -len(text.partition(".")[2])
        least, most = (0, step) if cut else (-step / 2, step / 2)
        if cut and text.startswith("-"):
            least, most = -step, 0
        assert float(text) + least - 1e-7 <= mean <= float(text) + most + 1e-7, name


def assert_matrix_is_possible(made):
    answer, printed = answer_to(*made[:2])
    assume(answer is not None)
    assert answer.status == "possible", (printed, made)
    assert_witness_has(answer, printed, made[1])


def assert_means_are_not_refuted(made):
    answer, printed = answer_to(*made[:2])
    assume(answer is not None)
    assert answer.status != "impossible", (printed, made)
    if answer.status == "possible":
        assert_witness_has(answer, printed, made[1])


@few
@given(tables(SCORES))
def test_scores_of_a_matrix_are_possible(made):
    assert_matrix_is_possible(made)


@few
@given(tables(LINEAR, folds=(2, 3, 5, 10)))
def test_means_over_folds_are_not_refuted(made):
    assert_means_are_not_refuted(made)


@settings(parent=few, max_examples=15)
@given(tables(SCORES, folds=(2, 3), most=12))
def test_means_of_other_scores_over_folds_are_not_refuted(made):
    assert_means_are_not_refuted(made)


@st.composite
def averaged(draw, most=14):
    """Draw a table of averages over classes, pooled or of folds, and its protocol."""
    sizes = draw(st.lists(st.integers(3, most), min_size=2, max_size=4))
    folds = draw(st.sampled_from([1, 1, 2, 3]))
    dealt = [tuple(sizes)] if folds == 1 else stratified_folds(sizes, folds)
    kind = draw(st.sampled_from(["macro", "weighted", "micro"]))
    names = ["recall", "accuracy", "specificity"]
    names = ["recall"] if kind == "weighted" else names
    names += ["precision", "f1"] if folds == 1 else []
    means = dict.fromkeys([f"{kind}_{name}" for name in names] + ["accuracy"], 0.0)
    for fold in dealt:
        rows = []
        for size in fold:
            cuts = sorted(
                draw(st.lists(st.integers(0, size), min_size=len(fold) - 1, max_size=len(fold) - 1))
            )
            rows.append(np.diff([0, *cuts, size]))
        counts = metrics.one_vs_rest(np.array(rows))
        for name in means:
            means[name] += average_of(name, counts) / len(dealt)
    digits = draw(st.integers(2, 4))
    printed = {name: f"{value:.{digits}f}" for name, value in means.items()}
    chosen = draw(st.lists(st.sampled_from(sorted(printed)), min_size=1, max_size=3, unique=True))
    return {name: printed[name] for name in chosen}, dealt


def average_of(name, counts):
    """Return an average over classes from counts of each against the rest; 0/0 is 0."""
    kind, _, part = name.partition("_")
    if name == "accuracy":
        return counts[0].sum() / (counts[0] + counts[1]).sum()
    part = {"recall": "tpr", "specificity": "tnr"}.get(part, part)
    if kind == "micro":
        return float(getattr(metrics, part)(*(one.sum() for one in counts)))
    values = np.nan_to_num([float(getattr(metrics, part)(*one)) for one in np.transpose(counts)])
    sizes = counts[0] + counts[1]
    return float(np.average(values, weights=sizes if kind == "weighted" else None))


def assert_averages_are_not_refuted(made):
    """No average of a real matrix is refuted."""
    printed, folds = made
    limits = {name: Printed(text).limits() for name, text in printed.items()}
    try:
        found = class_witness(limits, folds, 3.0)
    except UndecidedError:
        return
    assert found is not None, made


@st.composite
def two_classes(draw):
    """Draw rows of two classes with averages, of either class, of folds or parts, and spreads."""
    parts = draw(st.lists(st.tuples(st.integers(2, 9), st.integers(2, 12)), min_size=1, max_size=4))
    if draw(st.booleans()):
        k = draw(st.integers(1, 4))
        parts = stratified_folds((draw(st.integers(2 * k, 30)), draw(st.integers(2 * k, 40))), k)
    average = draw(st.sampled_from(["class", "macro", "weighted", "micro"]))
    of_class = draw(st.sampled_from(["positive", "negative"]))
    names = ["accuracy", "tpr", "precision", "f1"]
    values = []
    for p, n in parts:
        tp, fp = draw(st.integers(0, p)), draw(st.integers(0, n))
        counts = (tp, p - tp, fp, n - fp)
        both = [counts, counts[::-1]]
        row = [value_of("accuracy", counts)]
        for name in names[1:]:
            each = [value_of(name, one) for one in both]
            row.append(each[of_class == "negative"])
            if average == "macro":
                row[-1] = sum(each) / 2
            elif average == "weighted":
                row[-1] = (p * each[0] + n * each[1]) / (p + n)
            elif average == "micro":
                row[-1] = row[0]
        values.append(row)
    digits, f = draw(st.integers(2, 4)), draw(st.sampled_from(["mean of F", "F of means"]))
    means = [sum(column) / len(parts) for column in zip(*values, strict=True)]
    if f == "F of means" and len(parts) > 1:
        means[3] = (
            2 * means[1] * means[2] / (means[1] + means[2]) if means[1] + means[2] else means[1]
        )
    spread, sd = (
        draw(st.sampled_from(["sd", "se"])),
        draw(st.sampled_from(["sample", "population"])),
    )
    cells = [as_printed(mean, digits, ROUND_HALF_EVEN, False) for mean in means]
    if len(parts) > 1 and draw(st.booleans()):
        off = np.std([float(row[0]) for row in values], ddof=sd == "sample")
        cells[0] += f" ± {off / (len(parts) ** 0.5 if spread == 'se' else 1):.{digits}f}"
    kept = draw(st.lists(st.sampled_from(range(4)), min_size=1, max_size=4, unique=True))
    if f == "F of means":
        kept = [0, 1, 2, 3]
    text = ",".join(names[at] for at in kept) + "\n" + ",".join(cells[at] for at in kept)
    chosen = {"average": average, "of_class": of_class, "f": f, "spread": spread, "sd": sd}
    return text, Protocol(
        parts=tuple(parts), averages="fold-means", rounding="nearest", seconds=3.0, **chosen
    )


def assert_rows_are_not_refuted(made):
    """No row of real folds is refuted under the protocol that made it."""
    text, protocol = made
    assert check(read_table(text), protocol)["row 1"].status != "impossible", made


@settings(parent=few, max_examples=60)
@given(averaged())
def test_averages_over_classes_are_not_refuted(made):
    assert_averages_are_not_refuted(made)


@settings(parent=few, max_examples=40)
@given(two_classes())
def test_variants_of_two_classes_are_not_refuted(made):
    assert_rows_are_not_refuted(made)


@st.composite
def curves(draw):
    """Draw what a table prints of scores of objects, each value with digits of its own."""
    labels = draw(st.lists(st.booleans(), min_size=2, max_size=12))
    assume(0 < sum(labels) < len(labels))
    scores = [Fraction(draw(st.integers(0, 8)), 8) for _ in labels]
    p, n = sum(labels), len(labels) - sum(labels)

    def point(least: Fraction) -> tuple[Fraction, Fraction]:
        taken = [label for label, score in zip(labels, scores, strict=True) if score >= least]
        return Fraction(len(taken) - sum(taken), n), Fraction(sum(taken), p)

    roc = [point(least) for least in [Fraction(2), *sorted(set(scores), reverse=True)]]
    sides = list(pairwise(roc))
    area = sum((c - a) * (b + d) / 2 for (a, b), (c, d) in sides)
    (a, b), (c, d) = next(side for side in sides if sum(side[1]) >= 1)
    errors = a + (c - a) * (1 - a - b) / (c - a + d - b)
    fpr, tpr = point(Fraction(1, 2))
    wrong = (fpr * n + (1 - tpr) * p) / (p + n)
    squares = sum((s - y) ** 2 for s, y in zip(scores, labels, strict=True)) / (p + n)
    values = {"AUC": area, "EER": errors, "Brier": squares, "TPR": tpr, "FPR": fpr}
    values |= {"TNR": 1 - fpr, "Accuracy": 1 - wrong, "Error rate": wrong}
    names = draw(st.lists(st.sampled_from(list(values)), min_size=1, unique=True))
    digits = {name: draw(st.integers(0, 4)) for name in names}
    sizes = (p, n) if draw(st.booleans()) else (None, None)
    return {m: as_printed(values[m], digits[m], ROUND_HALF_UP, False) for m in names}, sizes


@settings(parent=few, max_examples=600)
@given(curves())
def test_summaries_of_scores_are_not_refuted(made):
    """Whole numbers of rates, too: a printed 1 stands for no rate above one."""
    printed, sizes = made
    table = read_table(",".join(printed) + "\n" + ",".join(printed.values()))
    answer = check(table, Protocol(*sizes, unit="fraction", most_objects=12))["row 1"]
    assert answer.status != "impossible", answer


@pytest.mark.parametrize(
    ("printed", "contradiction"),
    [
        ("AUC,TPR,FPR\n.99,1,0", ()),
        ("AUC,EER\n.10,1", ()),
        ("AUC,EER\n1.000,.0", ()),
        ("AUC,TPR,FPR\n.70,.95,.01", ("TPR", "FPR", "AUC")),
        ("AUC,AUPREC\n0,.5", ()),
        ("AUC,AUPREC\n-.3,.5", ("AUC",)),
        ("MSE\n-0.3", ("MSE",)),
        ("MAE,RMSE\n0.5,-0.3", ("RMSE",)),
        ("MAE,MSE\n85.3,-0.3", ("MSE",)),
        ("R2,MAE\n1.2,-0.3", ("R2",)),
        ("MAE,R2\n-0.3,1.2", ("MAE",)),
        ("R2,variance,MAE\n1.2,1.0,0.2", ("R2",)),
        ("R2,variance,MAE\n-1.2,1.0,0.2", ()),
    ],
)
def test_rates_stay_between_zero_and_one_and_errors_above_zero(printed, contradiction):
    answer = check(read_table(printed), Protocol(20, 480, unit="fraction"))["row 1"]
    assert answer.contradiction == contradiction


@pytest.mark.slow
def test_ten_thousand_tables_are_not_refuted():
    for strategy, judge, examples in (
        (tables(SCORES), assert_matrix_is_possible, 5000),
        (tables(LINEAR, folds=(2, 3, 5, 10)), assert_means_are_not_refuted, 2000),
        (tables(SCORES, folds=(2, 3), most=12), assert_means_are_not_refuted, 1000),
        (two_classes(), assert_rows_are_not_refuted, 1000),
        (averaged(), assert_averages_are_not_refuted, 1000),
    ):
        settings(parent=few, max_examples=examples)(given(strategy)(judge))()


@few
@given(
    st.integers(1, 12),
    st.integers(1, 12),
    st.lists(st.sampled_from(SCORES), min_size=1, max_size=3, unique=True),
    st.lists(st.integers(0, 100), min_size=3, max_size=3),
)
def test_matrices_are_those_of_a_search_through_all(p, n, names, values):
    demands = []
    for name, value in zip(names, values, strict=False):
        low, high = Fraction(2 * value - 5, 200), Fraction(2 * value + 5, 200)
        demands.append(Demand(exact_index(name), (low, high), str(value)))
    found = {
        (tp, fp)
        for a, b, c, d in matrices(demands, p, n)
        for tp in range(a, b + 1)
        for fp in range(c, d + 1)
    }
    slow = set()
    for tp in range(p + 1):
        for fp in range(n + 1):
            counts = (tp, p - tp, fp, n - fp)
            inside = True
            for demand in demands:
                low, high = demand.index.of_ratio(demand.limits)
                above, below = demand.index.ratio(*counts)
                inside &= bool(below) and low <= Fraction(above, below) <= high
            if inside:
                slow.add((tp, fp))
    assert found == slow


@few
@given(st.sampled_from(SCORES), st.lists(st.integers(1, 40), min_size=4, max_size=4))
def test_ratios_are_the_indices_of_the_library(name, counts):
    if name == "kappa":
        tp, fn, fp, tn = counts
        matrix = np.array([[tp, fn], [fp, tn]])
        chance = matrix.sum(0) @ matrix.sum(1) / matrix.sum() ** 2
        expected = (np.trace(matrix) / matrix.sum() - chance) / (1 - chance)
    elif name == "fowlkes_mallows":
        expected = float(np.sqrt(metrics.precision(*counts) * metrics.tpr(*counts)))
    else:
        expected = float(getattr(metrics, name)(*counts))
    assert exact_index(name).quick(*counts) == pytest.approx(expected, abs=1e-12)
