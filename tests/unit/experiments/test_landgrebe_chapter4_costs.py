"""Experiments on class weights for costs (landgrebe2007, Secs. 4.2.5, 4.2.6, 4.3.5 and 4.3.6)."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.integrate import quad
from scipy.stats import spearmanr

from measuring import entries, under_variants
from opchar.datasets.features import FeatureTable
from opchar.models.classifiers.gaussian import qdc
from opchar.models.splits.protocols import splits
from opchar.multiclass.cost_weights.algorithms import lachiche_flach
from opchar.multiclass.cost_weights.problem import cost_problem, losses, mean_subjective_utilities
from opchar.scores import ScoreTable
from opchar.seeds import spawner
from opchar.statistics.variance import anova
from opchar_reproduction.project.variants import variant_changes
from opchar_reproduction.publications.landgrebe2007.chapter4.scenarios import (
    imbalance,
    mean_error,
    of_set,
    random_costs,
    scenarios,
)
from opchar_reproduction.publications.landgrebe2007.chapter4.section2.pairwise_example.measure import (  # noqa: E501
    add_other_matrices,
)
from opchar_reproduction.publications.landgrebe2007.chapter4.section2.pairwise_tables.measure import (  # noqa: E501
    pairwise_tables,
)
from opchar_reproduction.publications.landgrebe2007.chapter4.section3 import boundaries
from opchar_reproduction.publications.landgrebe2007.chapter4.section3.decomposed_lines import (
    compare_algorithms,
    losses_by_algorithm,
    order_of,
)
from opchar_reproduction.publications.landgrebe2007.chapter4.section3.decomposed_tables.measure import (  # noqa: E501
    decomposed_tables,
)
from opchar_reproduction.publications.landgrebe2007.chapter4.section3.two_points import (
    measure as two_points,
)
from opchar_reproduction.publications.studies.certified_gaps import (
    SHARE,
    certified_gaps,
    possible_share,
)
from opchar_reproduction.publications.studies.differences.measure import differences
from opchar_reproduction.publications.studies.error_spread import error_spread
from opchar_reproduction.publications.studies.optimism.measure import gains, halves, optimism
from opchar_reproduction.publications.studies.optimism.winners import rank_correlation
from opchar_reproduction.results import Results
from opchar_reproduction.study import Shared

MEANS = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 2.5], [3.0, 3.0]])
NAME = ("four", "qdc")


def four_classes(folds=3, objects=160, seed=1):
    """Return objects of four Gaussian classes and their scores on training and test halves."""
    rng = np.random.default_rng(seed)
    y = np.arange(objects) % 4
    X = MEANS[y] + rng.normal(size=(objects, 2))
    parts = []
    for fold in range(folds):
        order = rng.permutation(objects)
        halves = {"train": order[: objects // 2], "test": order[objects // 2 :]}
        model = qdc().fit(X[halves["train"]], y[halves["train"]])
        parts += [(fold, name, rows, model.predict_proba(X[rows])) for name, rows in halves.items()]
    index = np.concatenate([rows for _, _, rows, _ in parts])
    table = ScoreTable(
        np.concatenate([np.full(len(rows), fold) for fold, _, rows, _ in parts]),
        index,
        y[index],
        np.concatenate([scores for *_, scores in parts]),
        tuple("abcd"),
        {"data": "four"},
        test_set=np.concatenate([np.full(len(r), name, object) for _, name, r, _ in parts]),
    )
    features = FeatureTable(X, y, tuple("abcd"), ("x", "y"), {"data": "four"})
    return table, features


def test_costs_follow_their_law():
    costs = random_costs("uniform", 400, 3, np.random.default_rng(0), profits=True)
    assert costs.min() >= 0 and costs.max() <= 1 and costs.mean() == pytest.approx(0.5, abs=0.02)
    rows = random_costs("rows", 400, 3, np.random.default_rng(0))
    assert not rows[:, range(3), range(3)].any()
    plain = random_costs("uniform", 400, 3, np.random.default_rng(0))
    spread, usual = (c.sum(axis=2).std() / c.sum(axis=2).mean() for c in (rows, plain))
    assert spread > 1.2 * usual
    with pytest.raises(ValueError, match="law"):
        random_costs("normal", 1, 3, np.random.default_rng(0))


def test_weights_are_found_where_it_is_said():
    table, _ = four_classes(1)
    costs = random_costs("uniform", 2, 4, np.random.default_rng(0))
    same = scenarios(table, costs)
    other = scenarios(table, costs, tuned_on="train", priors="balanced")
    assert same.tuned is same.judged and len(same.judged.y) == 80
    assert len(other.tuned.y) == 80 and not np.array_equal(other.tuned.y, other.judged.y)
    loss = losses(other.judged, np.zeros(4))
    rates = np.array(
        [
            [
                ((other.judged.y == i) & (other.judged.log_scores.argmax(1) == j)).sum()
                for j in range(4)
            ]
            for i in range(4)
        ]
    )
    rates = rates / rates.sum(axis=1, keepdims=True)
    assert loss == pytest.approx((rates * costs / 4).sum(axis=(1, 2)))
    assert mean_error(table.where(table.test_set == "test")) == pytest.approx(
        1 - np.diag(rates).mean()
    )
    assert imbalance(table) == 1


def test_training_objects_are_scored_as_a_test_set_of_their_own():
    y = np.repeat([0, 1], 20)
    protocol = {
        "function": "opchar.models.splits.protocols:holdout",
        "parameters": {"repeats": 2, "test": 0.5, "own": True},
    }
    made = list(splits(protocol, y, spawner(1, "a")))
    assert [split.test_set for split in made] == ["train", "test"] * 2
    assert np.array_equal(made[0].train, made[0].test)
    assert not np.intersect1d(made[1].train, made[1].test).size
    plain = dict(protocol, parameters={"repeats": 2, "test": 0.5})
    assert np.array_equal(next(splits(plain, y, spawner(1, "a"))).test, made[1].test)


def test_two_algorithms_are_compared_as_by_the_analysis_of_variance():
    rng = np.random.default_rng(2)
    index = pd.MultiIndex.from_product(
        [["Decomp", "Greedy"], range(6), range(10)], names=["algorithm", "scenario", "fold"]
    )
    measured = pd.DataFrame({"loss": rng.normal(size=120)}, index=index).reset_index()
    shift = measured["algorithm"].eq("Greedy") * measured["scenario"] * 0.4
    measured["loss"] += shift
    found = compare_algorithms(losses_by_algorithm(measured), "Decomp", "Greedy", 0.05)
    for scenario, part in measured.groupby("scenario"):
        design = part.rename(columns={"algorithm": "model", "loss": "value"})
        assert found["clear"][scenario] == (anova(design).p("model") < 0.05)
    assert 0 < found["clear"].sum() < 6
    assert (found["won"] | found["lost"]).all()


def test_equal_losses_are_neither_won_nor_lost():
    same = pd.DataFrame(
        {"algorithm": ["Decomp"] * 4 + ["Greedy"] * 4, "scenario": 0, "fold": [*range(4)] * 2}
    ).assign(loss=0.5)
    found = compare_algorithms(losses_by_algorithm(same), "Decomp", "Greedy", 0.05).iloc[0]
    assert not found["won"] and not found["lost"] and not found["clear"]
    better = same.assign(loss=np.where(same["algorithm"] == "Decomp", 0.4, 0.5))
    found = compare_algorithms(losses_by_algorithm(better), "Decomp", "Greedy", 0.05).iloc[0]
    assert found["won"] and found["clear"]


def test_orders_are_written_as_in_print():
    assert order_of([[0, 1, 2], [3, 4, 5]]) == "2O(r^2)"
    assert order_of([[0], [1], [2, 3]]) == "O(r)"
    assert order_of([[0], [1]]) == "O(1)"


def test_boundaries_are_those_of_the_classifier():
    table, features = four_classes(1)
    X = features.X[table.index]
    coefficients = boundaries.quadratic_log_scores(X, table.scores)
    model = qdc().fit(X[table.test_set == "train"], table.y[table.test_set == "train"])
    mesh = boundaries.regions(coefficients, np.zeros(4), X, step=0.5, margin=3.0)
    assert np.array_equal(mesh["class"] - 1, model.predict(mesh[["x", "y"]].to_numpy()))
    with pytest.raises(ValueError, match="six are needed"):
        boundaries.quadratic_log_scores(X, np.eye(4)[table.y])


def test_mixtures_have_the_rates_of_integration():
    classes = entries("experiments", "landgrebe2007")["landgrebe2007/costs-two-operating-points"][
        "parameters"
    ]["classes"]
    phi, sd = np.array([1.0, 0.3, 2.0]), 0.5**0.5
    found = two_points.rates(classes, sd, phi, 0.01)
    assert found.sum(axis=1) == pytest.approx(np.ones(3))

    def inside(x):
        heights = [w * two_points.density(np.array(x), c, sd) for w, c in zip(phi, classes)]  # noqa: B905
        return two_points.density(np.array(x), classes[1], sd) * (int(np.argmax(heights)) == 0)

    assert found[1, 0] == pytest.approx(quad(inside, -6, 4, limit=400)[0], abs=1e-4)
    weight = two_points.weight_for(classes, sd, phi, 1, (1, 0), 0.1, 0.01)
    assert two_points.rates(classes, sd, np.array([1.0, weight, 2.0]), 0.01)[1, 0] == pytest.approx(
        0.1
    )


def test_pairwise_tables_have_every_line_and_no_negative_gain():
    table, features = four_classes()
    common = {"scores": {NAME: table}, "features": {"four": features}, "spawn": spawner(1, "t")}
    setting = {"data": "four", "row": "Four", "t_p": None, "pairs": 6, "model": "qdc"}
    own = entries("experiments", "landgrebe2007")["landgrebe2007/costs-pairwise"]["parameters"]
    options = own | {"sets": [setting], "matrices": 6, "cap": 9, "shared": Shared()}
    found = pairwise_tables(**common, **options)
    lines = found.frame()
    gains = lines[lines["artefact"] == "table-4.4"].set_index(["row", "column"])["value"]
    assert len(gains) == 20 and (gains >= 0).all()
    assert gains["Four / PairsG", "Mean"] > gains["Four / Naive", "Mean"]
    again = pairwise_tables(**common, **options | {"shared": Shared()})
    pd.testing.assert_frame_equal(lines, again.frame())
    notes = lines.set_index(["artefact", "row", "column"])["note"]
    numbers = notes[(lines["kind"] == "number").to_numpy()]
    said = (
        "the test objects by 80 steps and the present weight, uniform costs, pairs kept by number"
    )
    counted = numbers.index.get_level_values("artefact") == "table-4.3"
    assert numbers[~counted].str.contains(said).all()
    # What describes a set depends on no weights.
    assert set(numbers[counted]) <= {
        "",
        "areas with all others competing",
        "error over the objects",
    }
    assert notes["table-4.4", "Four / PairsG", "Mean"].endswith("all matchings tried (3)")
    assert notes["table-4.3", "Four", "mean error eps"].endswith("error over the objects")
    capped = pairwise_tables(**common, **(options | {"cap": 2})).frame()
    said = capped.loc[capped["artefact"] == "table-4.5", "note"]
    assert said.str.endswith("2 of 3 matchings sampled").all() and len(said)
    fewer = options | {"sets": [setting | {"pairs": 1, "t_p": 1.0}]}
    assert not pairwise_tables(**common, **fewer).frame()["value"].equals(lines["value"])


def test_variants_of_the_pairwise_tables_are_those_of_the_experiment_on_three_splits():
    """What variants share is not shared between those that differ."""
    table, features = four_classes(4)
    other, others = four_classes(4, seed=2)
    common = {
        "scores": {NAME: table, ("other", "qdc"): replace(other, provenance={"data": "other"})},
        "features": {"four": features, "other": others},
        "spawn": spawner(1, "t"),
    }
    entry = entries("experiments", "landgrebe2007")["landgrebe2007/costs-pairwise"]
    setting = {"data": "four", "row": "Four", "t_p": 0.99, "pairs": 2, "model": "qdc"}
    options = common | entry["parameters"] | {"sets": [setting], "matrices": 4, "cap": 9}
    changes = {
        name: changed | ({"instead": {"four": "other"}} if "instead" in changed else {})
        for name, changed in variant_changes(entry["variants"]).items()
    }
    assert sum("instead" in changed for changed in changes.values()) == 1
    options |= entry["variants"]["with"]
    found = under_variants(pairwise_tables, changes, **options)
    for name, changed in changes.items():
        alone = pairwise_tables(**options | changed, shared=Shared()).frame()
        pd.testing.assert_frame_equal(found[name].frame(), alone)
        assert set(alone[alone["artefact"] == "table-4.4"]["n"]) == {3}
        assert set(alone["data"]) == {"other" if "instead" in changed else "four"}


def test_decomposed_tables_count_each_scenario_once():
    table, features = four_classes()
    parameters = entries("experiments", "landgrebe2007")["landgrebe2007/costs-decomposed-real"][
        "parameters"
    ]
    changed = parameters | {
        "sets": [{"data": "four", "row": "Four", "t_s": 0.9, "model": "qdc"}],
        "matrices": 5,
        "r": 8,
    }
    common = {"scores": {NAME: table}, "features": {"four": features}, "spawn": spawner(1, "t")}
    found = decomposed_tables(**common, **changed, shared=Shared())
    lines = found.frame().set_index(["artefact", "row", "column"])["value"]
    for rival in ("Simple", "Naive", "Greedy"):
        place = ("table-4.9", f"Four / vs {rival}")
        assert lines[(*place, "Lost")] + lines[(*place, "Won")] <= 5
        assert lines[(*place, "Won significant (95%)")] <= lines[(*place, "Won")]
    assert lines["table-4.8", "Four", "Objects"] == 160
    measured = found.frame().query("kind == 'number'")
    assert set(measured["artefact"]) >= {"table-4.8", "table-4.9", "table-4.10"}
    said = "the test objects by 80 steps, uniform costs, zeros on the diagonal"
    described = measured["artefact"] == "table-4.8"
    assert measured["note"][~described].str.contains(said).all()
    assert set(measured["note"][described]) == {""}


def test_variants_of_the_decomposed_tables_are_those_of_the_experiment():
    table, features = four_classes()
    entry = entries("experiments", "landgrebe2007")["landgrebe2007/costs-decomposed-real"]
    setting = {"data": "four", "row": "Four", "t_s": 0.2, "model": "qdc"}
    options = entry["parameters"] | {"sets": [setting], "matrices": 4, "r": 8}
    options |= {"scores": {NAME: table}, "features": {"four": features}, "spawn": spawner(1, "t")}
    changes = variant_changes(entry["variants"])
    found = under_variants(decomposed_tables, changes, **options)
    for name, changed in changes.items():
        alone = decomposed_tables(**options | changed, shared=Shared()).frame()
        pd.testing.assert_frame_equal(found[name].frame(), alone)


def test_equal_losses_count_as_the_variant_says():
    measured = pd.DataFrame(
        [
            {"algorithm": name, "scenario": scenario, "fold": fold, "loss": loss}
            for name, by_scenario in {"a": [1.0, 1.0, 2.0], "b": [1.0, 2.0, 1.0]}.items()
            for scenario, loss in enumerate(by_scenario)
            for fold in range(3)
        ]
    )
    losses = losses_by_algorithm(measured)
    counts = {
        ties: compare_algorithms(losses, "a", "b", 0.05, ties)[["lost", "won"]].sum().tolist()
        for ties in ("neither", "won", "lost")
    }
    assert counts == {"neither": [1, 1], "won": [1, 2], "lost": [2, 1]}


def needed(**changed):
    """Return what printed values of four classes would need, by artefact, row and column."""
    table, _ = four_classes()
    entry = entries("experiments", "studies")["studies/costs-differences"]
    settings = {
        "pairs": [{"data": "four", "row": "Four", "t_p": 0.97, "pairs": 3}],
        "climbs": [{"data": "four", "row": "Four"}],
        "decomposed": [
            {"data": "four", "model": NAME[1], "row": "Four", "t_s": 0.2, "order": "O(r^3)"}
        ],
        "systems": [{"data": "four", "model": NAME[1], "row": "Four again"}],
    }
    settings |= {"matrices": 3, "orders": 4, "r": 12}
    parameters = entry["parameters"] | settings | changed
    found = differences(scores={NAME: table}, spawn=spawner(1, "t"), **parameters)
    return found.frame().set_index(["artefact", "row", "column"])["value"].sort_index()


def test_the_needed_threshold_gives_the_printed_number_of_pairs():
    """At the threshold there are as many or, if areas tie, more; just below it there are fewer."""
    found = needed()
    for curve in ("others compete", "two alone"):
        place = ("table-4.3-pairs", f"Four / {curve}")
        t_p = found[(*place, "t_p for the printed pairs")]
        at, below = (
            needed(pairs=[{"data": "four", "row": "Four", "t_p": t, "pairs": 3}])
            for t in (t_p, np.nextafter(t_p, 0))
        )
        column = "pairs at the printed t_p"
        assert at[(*place, column)] >= 3 > below[(*place, column)]
        assert found[(*place, "least area")] <= t_p


def test_the_threshold_of_an_order_lies_where_the_groups_have_it():
    found = needed()["table-4.8-groups", "Four / O(r^3)"]
    assert found["printed order at some t_s"] >= found["printed order at the printed t_s"]
    assert found["least such t_s"] <= found["largest such t_s"]
    never = [{"data": "four", "model": NAME[1], "row": "Four", "t_s": 0.2, "order": "5O(r)"}]
    none = needed(decomposed=never)["table-4.8-groups", "Four / 5O(r)"]
    assert none["printed order at some t_s"] == 0 and "least such t_s" not in none


def test_errors_and_gains_of_further_systems_and_searches():
    found = needed()
    errors = found["table-4.8-errors"]
    assert errors["Four again"].equals(errors["Four"])
    table, _ = four_classes()
    _, part = next(table.folds())
    test = part.where(part.test_set == "test")
    costs = random_costs("rows", 3, 4, spawner(1, "t")("costs", "four"))
    problem = cost_problem(test.y, test.scores, costs)
    before, after = (
        mean_subjective_utilities(problem, lost)
        for lost in (losses(problem, np.zeros(4)), lachiche_flach(problem).losses)
    )
    gains = np.maximum(after - before, 0)
    row = found["table-4.4-lachiche", "Four / rows costs"]
    assert row["mean over all cuts"] == pytest.approx(gains.mean())
    assert row["best over all cuts"] == pytest.approx(gains.max())


def eight_classes_drawn():
    """Return scores of eight Gaussian classes in four pairs that overlap, on one test set."""
    rng = np.random.default_rng(3)
    y = np.arange(800) % 8
    x = 10.0 * (y // 2) + 1.5 * (y % 2) + rng.normal(size=800)
    centres = 10.0 * (np.arange(8) // 2) + 1.5 * (np.arange(8) % 2)
    scores = np.exp(-((x[:, None] - centres) ** 2) / 2)
    scores /= scores.sum(axis=1, keepdims=True)
    named = np.full(800, "test", object)
    index, fold = np.arange(800), np.zeros(800, int)
    about = {"data": "eight"}
    return ScoreTable(fold, index, y, scores, tuple("abcdefgh"), about, test_set=named)


def test_which_matrices_give_uneven_weights():
    """Costs of the second class of each pair alone call for small first weights, and no others."""
    costs = np.full((8, 8), 0.01) * (1 - np.eye(8))
    for first in range(0, 8, 2):
        costs[first + 1, first] = 1.0
    results = Results()
    add_other_matrices(
        results, eight_classes_drawn(), costs, np.array([0.3, 0.7] * 4), 40, "grid", spawner(1, "t")
    )
    found = results.frame().set_index(["row", "column"])["value"]
    assert found["printed"].eq(1).all() and found["printed, transposed"].eq(0).all()
    for law in ("uniform", "rows"):
        shares = found[f"random, {law} costs"]
        assert 0 < shares.max() < 1
        assert shares["all four"] <= shares.min()


def gaps_of(table, matrices, nodes):
    """Return the certified gaps of four classes."""
    options = {"matrices": matrices, "law": "uniform", "search": "grid", "cap": 9, "r": 8}
    options |= {"sets": [{"data": "four", "row": "Four", "t_s": 0.2}], "largest_group": 4}
    return certified_gaps(scores={NAME: table}, spawn=spawner(1, "t"), nodes=nodes, **options)


def test_no_algorithm_beats_the_certified_optimum():
    table, _ = four_classes(1)
    found = gaps_of(table, matrices=3, nodes=20000)
    gaps = found.curves["gaps"]
    assert (gaps["loss above the best"] >= -1e-12).all()
    assert (gaps["loss above the bound"] >= gaps["loss above the best"] - 1e-12).all()
    assert any("3 of 3 optimal" in str(line["note"]) for line in found.lines)


def test_share_leaves_out_where_equal_weights_are_the_best():
    """By hand: rounding apart, the first scenario has nothing to gain; of the second half is."""
    default, best = np.array([0.3, 0.4, 0.0]), np.array([0.3 - 1e-16, 0.2, 0.0])
    share = possible_share(np.array([0.31, 0.3, 0.1]), default, best)
    assert np.isnan(share[[0, 2]]).all() and share[1] == pytest.approx(50)


def separable(swayed):
    """Return scores of separable classes; swayed, what one object gains another loses."""
    y = np.arange(40) % 4
    scores = np.full((40, 4), 0.01) + 0.96 * np.eye(4)[y]
    if swayed:
        scores[0], scores[1] = [0.4, 0.6, 0, 0], [0.45, 0.55, 0, 0]
    return ScoreTable(np.zeros(40, int), np.arange(40), y, scores, tuple("abcd"), {"data": "four"})


def test_share_of_separable_classes_counts_no_scenario():
    table = separable(swayed=False)
    found = gaps_of(table, matrices=3, nodes=200)
    assert found.curves["gaps"][SHARE].isna().all()
    said = {str(line["note"]) for line in found.lines if line["column"] == SHARE}
    assert said == {"none: equal weights are the best under every cost matrix"}


def test_number_of_scenarios_in_the_share_is_stated():
    found = gaps_of(separable(swayed=True), matrices=8, nodes=2000)
    lines = found.frame().set_index(["row", "column"])
    gaps = found.curves["gaps"]
    default = gaps[gaps["algorithm"] == "Default"]
    counted = (default["loss above the best"] > 1e-12).sum()
    assert 0 < counted < 8
    assert lines.loc[("Four / Greedy", SHARE), "n"] == counted
    assert lines.loc[("Four / Greedy", "loss above the best"), "n"] == 8
    assert lines.loc[("Four / Greedy", SHARE), "value"] <= 100


def made(*rows):
    """Return what is measured on made sets of four classes, one a row."""
    return {
        "scores": {
            (row.lower(), "qdc"): four_classes(3, objects=160 + 40 * len(row), seed=len(row))[0]
            for row in rows
        },
        "spawn": spawner(1, "t"),
        "sets": [{"data": row.lower(), "row": row, "t_s": 0.2} for row in rows],
        "matrices": 6,
        "folds": 2,
        "law": "uniform",
        "search": "exact",
        "cap": 2,
        "r": 8,
        "largest_group": 4,
    }


def optimism_of(*rows):
    """Return optimism and winners on made sets of four classes, one a row."""
    return optimism(**made(*rows), resamples=199)


def test_a_set_is_measured_alike_whatever_stands_beside_it():
    name, rows = "gains by set", ("Four", "Eleven", "Three")
    whole = gains(**made(*rows)).curves[name]
    alone = [gains(**made(row)).curves[name] for row in rows]
    pd.testing.assert_frame_equal(pd.concat(alone, ignore_index=True), whole, check_exact=True)


def test_optimism_is_that_of_the_search_and_that_of_training_scores():
    found = optimism_of("Four")
    frame = found.frame()
    lines = frame.set_index(["row", "column"])["value"]["Four / Greedy"]
    places = {
        "test": "the same objects",
        "train": "training objects",
        "own": "the same half of the test objects",
        "half": "the other half of the test objects",
        "few": "as many training objects",
    }
    gains = found.curves["gains by set"]
    assert set(gains["fold"]) == {0, 1} and not gains.isna().any().any()
    greedy = gains[gains["algorithm"] == "Greedy"].groupby("found on")["gain"]
    for place, words in places.items():
        assert lines[f"gain, found on {words}"] == pytest.approx(greedy.mean()[place])
    test, train, own, half, few = (lines[f"gain, found on {words}"] for words in places.values())
    assert lines["optimism"] == pytest.approx(test - train)
    assert lines["optimism of the search, half of the objects"] == pytest.approx(own - half)
    assert lines["optimism of training scores, half of the objects"] == pytest.approx(half - few)
    assert own > half and test >= 0
    assert greedy.size().to_dict() == {"test": 12, "train": 12, "own": 24, "half": 24, "few": 12}
    numbers = frame[frame["kind"] == "number"]
    assert numbers["note"].str.contains("exact search, uniform costs").all()
    said = numbers.loc[numbers["artefact"] == "cost-weights-optimism", "note"]
    kept = "splits: 2, 4 pairs with the smallest areas, "
    assert said.str.contains(kept + ".*2 of 3 matchings sampled in . of 10 searches").all()


def test_halves_share_each_class_and_no_object():
    table, _ = four_classes(1, objects=84)
    test = of_set(table, "test")
    one, other = halves(test, np.random.default_rng(0))
    assert not set(one.index) & set(other.index)
    assert set(one.index) | set(other.index) == set(test.index)
    assert np.abs(np.bincount(one.y) - np.bincount(other.y)).max() <= 1
    single = test.where((test.y != 2) | (test.index == test.index[test.y == 2][0]))
    with pytest.raises(ValueError, match="class c has one test object"):
        halves(single, np.random.default_rng(0))


def test_winners_have_the_shares_and_margins_of_the_gains():
    found = optimism_of("Four", "Three", "Eleven")
    frame = found.frame()
    lines = frame[frame["artefact"] == "cost-weights-winners"].set_index(["row", "column"])["value"]
    gains = found.curves["gains by set"].query("`found on` == 'train'")
    wide = {
        row: part.pivot_table("gain", index="scenario", columns="algorithm")
        for row, part in gains.groupby("data set")
    }
    best = wide["Four"].max(axis=1)
    share = 100 * np.mean(wide["Four"]["Greedy"] >= best - 1e-12)
    assert lines["Four", "Greedy best or equal"] == pytest.approx(share)
    title = "margin of the largest mean gain"
    top = np.sort(wide["Four"].mean())[-2:]
    assert lines["Four", title] == pytest.approx(top[1] - top[0])
    for row in ("Four", "all 3 data sets"):
        low, high = (
            lines[row, f"{title}, 95 % interval from"],
            lines[row, f"{title}, 95 % interval to"],
        )
        assert low <= lines[row, title] <= high
    thirds = [f"cost spread: {third} third" for third in ("lowest", "middle", "highest")]
    by_third = np.mean([lines[third, "Greedy best or equal"] for third in thirds])
    overall = np.mean([lines[row, "Greedy best or equal"] for row in wide])
    assert by_third == pytest.approx(overall)
    assert lines["C = 4", "Greedy best or equal"] == pytest.approx(overall)
    column = "rank correlation of cost spread and largest gain"
    spread = gains.groupby(["data set", "scenario"])["cost spread"].first()["Four"]
    assert lines["Four", column] == pytest.approx(spearmanr(spread, best).statistic)
    assert 0 < lines["Four", f"{column}, p"] <= 1


def test_the_p_value_is_that_of_all_permutations():
    """Of four units 24 permutations; only the ordered one and its reverse are as extreme."""
    rng = np.random.default_rng(0)
    ordered = rank_correlation(np.arange(4.0), np.arange(4.0) ** 2, 9999, rng)
    assert ordered == pytest.approx((1, 2 / 24))
    x, y = rng.normal(size=(2, 30))
    rho, p = rank_correlation(x, y, 4999, rng)
    assert rho == pytest.approx(spearmanr(x, y).statistic)
    assert p == pytest.approx(spearmanr(x, y).pvalue, abs=0.03)
    assert np.isnan(rank_correlation(np.ones(5), np.arange(5.0), 99, rng)).all()


def test_errors_of_a_few_hold_outs_surround_the_mean_of_all():
    table, _ = four_classes(folds=6)
    sets = [{"data": "four", "row": "Four"}]
    found = error_spread(scores={NAME: table}, sets=sets, together=3)
    lines = found.frame().set_index(["row", "column"])
    wrong = [
        100 * np.mean(part.scores.argmax(axis=1) != part.y)
        for part in (of_set(part, "test") for _, part in table.folds())
    ]
    rows = lines.loc["Four / over the objects"]
    assert rows["value"]["mean"] == pytest.approx(np.mean(wrong))
    assert rows["std"]["mean"] == pytest.approx(np.std(wrong, ddof=1))
    means = sorted([np.mean(wrong[:3]), np.mean(wrong[3:])])
    assert rows["value"]["least mean of 3"] == pytest.approx(means[0])
    assert rows["value"]["largest mean of 3"] == pytest.approx(means[1])
    with pytest.raises(ValueError, match="8 or more hold-outs are needed, not 6"):
        error_spread(scores={NAME: table}, sets=sets, together=4)
