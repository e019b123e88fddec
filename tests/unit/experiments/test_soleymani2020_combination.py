import numpy as np
import pytest

from measuring import entries
from opchar.combination.algorithm_1 import run_listing
from opchar.combination.formulas import prior_crossing
from opchar.combination.pairwise import number_of_candidates, pairwise
from opchar.combination.samples import gaussian_scores
from opchar.seeds import spawner
from opchar.spaces.cost import crossing_pc, expected_cost, probability_cost
from opchar.spaces.f_measure import crossing_prior, f_measure
from opchar_reproduction.publications.soleymani2020.appendix.combination_formulas.measure import (
    Rates,
    printed_cost_condition,
    printed_f_condition,
    rates_of_combinations,
)
from opchar_reproduction.publications.soleymani2020.appendix.two_classifiers.measure import (
    two_classifiers,
)
from opchar_reproduction.publications.soleymani2020.section3.algorithm_1 import (
    algorithm_1,
    printed_number_of_candidates,
)

FIRST, SECOND = Rates(np.array(0.8), np.array(0.2)), Rates(np.array(0.7), np.array(0.1))
AND = Rates(np.array(0.56), np.array(0.02))
OR = Rates(np.array(0.94), np.array(0.28))


def run(name, function, **changes):
    entry = entries("experiments", "soleymani2020")[f"soleymani2020/{name}"]
    parameters = {**entry["parameters"], **entry["profiles"]["tiny"], **changes}
    if name != "combination-formulas":
        parameters["spawn"] = spawner(1, name)
    results = function(**parameters)
    return results, results.frame().set_index(["artefact", "row", "column"])


@pytest.fixture(scope="module")
def formulas():
    return run("combination-formulas", rates_of_combinations)[0]


@pytest.fixture(scope="module")
def pair():
    return run("two-classifiers", two_classifiers)


@pytest.fixture(scope="module")
def pool():
    return run("algorithm-1", algorithm_1)[1]


def test_corrected_conditions_are_always_right(formulas):
    for equation in ("A.5", "A.6", "A.7", "A.8"):
        counts = formulas.curves[f"eq-{equation}"]
        assert (counts["corrected"] == counts["compared"]).all()
        assert (counts["printed"] < counts["compared"]).any()


@pytest.mark.parametrize(
    ("equation", "both", "pc"), [("A.5", AND, [0.1, 0.3, 0.42]), ("A.6", OR, [0.37, 0.5, 0.9])]
)
def test_printed_cost_conditions_miss_where_combinations_are_cheaper(equation, both, pc):
    pc = np.array(pc)
    assert (expected_cost(*both, pc) < expected_cost(*FIRST, pc)).all()
    printed = printed_cost_condition(equation, both, FIRST, pc, m=0.5)
    assert printed.tolist() == [equation == "A.6"] * 3
    if equation == "A.6":
        low = np.array([0.05, 0.2, 0.36])
        assert (expected_cost(*both, low) > expected_cost(*FIRST, low)).all()
        assert printed_cost_condition(equation, both, FIRST, low, m=0.5).all()


@pytest.mark.parametrize("both", [AND, OR])
def test_the_factor_of_m_belongs_to_the_prior(both):
    crossing = float(crossing_pc(*both, *FIRST))
    for m in (0.2, 0.5, 0.8):
        prior = prior_crossing(*both, *FIRST, m)
        fpr, tpr = np.abs(FIRST.fpr - both.fpr), np.abs(FIRST.tpr - both.tpr)
        with_factor = fpr / (fpr + (1 - m) / m * tpr)
        assert prior == pytest.approx(with_factor)
        assert probability_cost(prior, m) == pytest.approx(crossing)
        assert (abs(with_factor - crossing) < 1e-12) == (m == 0.5)


@pytest.mark.parametrize("alpha", [0.25, 0.5, 0.75])
def test_printed_f_conditions_point_the_wrong_way(alpha):
    for equation, both, sign in (("A.7", AND, 1), ("A.8", OR, -1)):
        crossing = float(crossing_prior(*both, *FIRST, alpha))
        assert 0 < crossing < 1
        for prior in (np.array(crossing / 2), np.array((1 + crossing) / 2)):
            better = f_measure(*both, prior, alpha) > f_measure(*FIRST, prior, alpha)
            assert better == (sign * (crossing - prior) > 0)
            if equation == "A.7":
                assert printed_f_condition(equation, both, FIRST, prior, alpha) != better


def test_the_printed_crossing_of_or_is_no_crossing():
    alpha = 0.5
    part = FIRST.fpr * OR.tpr - OR.fpr * FIRST.tpr
    rest = (1 - 1 / alpha) * (OR.tpr - FIRST.tpr)
    printed = part / (rest - part)
    corrected = crossing_prior(*OR, *FIRST, alpha)
    at = lambda prior: f_measure(*OR, prior, alpha) - f_measure(*FIRST, prior, alpha)  # noqa: E731
    assert abs(at(corrected)) < 1e-12
    assert abs(at(np.clip(printed, 0, 1))) > 1e-3


def test_the_printed_number_of_vectors_holds_for_two_classifiers_only():
    labels = np.arange(6) < 2
    scores = {name: np.roll(np.arange(6.0) % 4, shift) for shift, name in enumerate("abc")}
    for names, equal in (("ab", True), ("abc", False)):
        chosen = {name: scores[name] for name in names}
        made = len(run_listing(chosen, labels, priors=[0.5], alpha=0.5).rules)
        counts = [5] * len(names)
        assert made == number_of_candidates(counts)
        assert (made == printed_number_of_candidates(counts)) == equal


def test_every_decision_of_the_listing_comes_twice():
    scores, labels = gaussian_scores(
        np.random.default_rng(1), positives=2, negatives=3, shifts=[1, 1, 1], correlation=0
    )
    listing = run_listing(scores, labels, priors=[0.5], alpha=0.5)
    singles = 3 * 6
    seen = {}
    for rule in listing.rules[singles:]:
        names = tuple(sorted(detector.classifier for detector in rule.detectors()))
        at = tuple(d.threshold for d in sorted(rule.detectors(), key=lambda d: d.classifier))
        function = rule.function
        if rule.first.classifier > rule.second.classifier:
            swapped = {"NOT_A": "A", "A": "NOT_A"}
            left, _, right = function.partition("_OR_" if "_OR_" in function else "_AND_")
            if right:
                joint = function[len(left) : -len(right)]
                function = f"{swapped[left]}{joint}{'NOT_B' if right == 'B' else 'B'}"
        seen[names, at, function] = seen.get((names, at, function), 0) + 1
    assert set(seen.values()) == {2}


def test_two_classifiers_curves_and_order(pair):
    results, frame = pair
    area = frame["value"].xs("AUC of the hull", level="column")["figure-A.12"]
    assert area["IBC (direct)"] >= max(area["AND (direct)"], area["OR (direct)"])
    assert min(area["AND (direct)"], area["OR (direct)"]) >= area["single (direct)"]
    made = {"roc", "f", "range", "pair", "drawings", "dependence"}
    assert set(results.curves) == made
    best = frame["value"].xs("AUC of the best hull", level="column")["figure-A.13"]
    worst = frame["value"].xs("AUC of the worst hull", level="column")["figure-A.13"]
    assert (best > worst).all()
    assert worst["AND"] == pytest.approx(area["single (direct)"])
    assert frame["data"].str.contains("not published").all()


def test_identical_classifiers_gain_nothing():
    gaussians = {"positives": 20, "negatives": 40, "shifts": [1.0, 1.0], "correlation": 1.0}
    results, _ = run("two-classifiers", two_classifiers, gaussians=gaussians, repeats=1)
    drawings = results.curves["drawings"]
    assert np.allclose(drawings["direct AND"], drawings["direct single"])


def test_optimism_is_the_difference_and_grows_with_the_number_of_candidates(pool):
    values = pool.loc["algorithm-1"]["value"].unstack()
    judged = values.dropna(subset="optimism")
    assert np.allclose(judged["optimism"], judged["F on validation"] - judged["F on fresh samples"])
    mean = {
        method: judged.loc[[method in row for row in judged.index], "F on validation"].mean()
        for method in ("score average", "pairwise")
    }
    assert mean["pairwise"] >= mean["score average"]


def test_rules_of_the_table_are_those_of_the_first_pool(pool):
    texts = pool[pool["kind"] == "text"]["note"].xs("rule of the first pool", level="column")
    spawn = spawner(1, "algorithm-1")
    sample = gaussian_scores(
        spawn("5 of 50 samples", 0), positives=5, negatives=45, shifts=[1.5] * 4, correlation=0.5
    )
    expected = f"{pairwise(*sample).choose(0.1, 0.5)[0]:.3g}"
    assert texts["algorithm-1", "5 of 50 samples; pairwise; P(+) = 0.1"] == expected
