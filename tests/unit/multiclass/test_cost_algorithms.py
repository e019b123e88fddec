"""The algorithms for class weights against their sentences in the thesis."""

from typing import get_args

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from cost_cases import overlapping
from opchar.multiclass.cost_weights import certify, cost_weights
from opchar.multiclass.cost_weights.algorithms import (
    default,
    greedy,
    lachiche_flach,
    naive,
    pairwise,
    simple,
)
from opchar.multiclass.cost_weights.line_search import LineSearch
from opchar.multiclass.cost_weights.methods import Method
from opchar.multiclass.cost_weights.pairs import kept_pairs, pair_auc, pair_weights
from opchar.multiclass.cost_weights.problem import cost_problem, losses
from opchar.multiclass.decomposition import by_groups, decomp, decomp_g, decomposed_roc
from opchar.multiclass.perturbation import (
    groups,
    groups_up_to,
    largest_by_class,
    score_sensitivities,
)

METHODS = [*get_args(Method)]
WITHOUT_SEARCH = ("default", "simple", "decomp", "certified")
SEARCHES = ["exact", "grid", "grid and present"]


def rng(seed=7):
    return np.random.default_rng(seed)


@pytest.mark.parametrize("search", SEARCHES)
def test_naive_moves_each_weight_from_ones(search):
    problem = overlapping(5, 120, matrices=3, seed=2)
    found = naive(problem, search=search)
    for m in range(3):
        for c in range(5):
            line = LineSearch(problem.of_matrix(m), np.zeros(5), search)
            line.move([c])
            assert found.log_weights[m, c] == pytest.approx(line.log_weights[c])
    assert found.losses == pytest.approx(losses(problem, found.log_weights))


@pytest.mark.parametrize("search", SEARCHES)
def test_greedy_keeps_the_best_of_its_orders(search):
    problem = overlapping(6, 200, spread=0.8, seed=3)
    found = greedy(problem, rng(), restarts=3, search=search)
    (child,) = rng().spawn(1)
    reached = []
    for _ in range(3):
        line = LineSearch(problem, np.zeros(6), search)
        for c in child.permutation(6):
            line.move([c])
        reached.append(line.loss)
    assert len({round(loss, 12) for loss in reached}) > 1
    assert found.losses[0] == pytest.approx(min(reached))


def test_greedy_from_a_start_is_never_worse_and_keeps_units():
    problem = overlapping(6, 150, matrices=4, seed=4)
    start = rng().normal(size=(4, 6))
    held = greedy(problem, rng(), start=start, units=[[0, 3], [1], [2, 4, 5]])
    free = greedy(problem, rng(), start=start, sweeps=10)
    assert np.all(held.losses <= losses(problem, start) + 1e-12)
    assert np.all(free.losses <= losses(problem, start) + 1e-12)
    moved = held.log_weights - start
    assert np.ptp(moved[:, [0, 3]], axis=1) == pytest.approx(np.zeros(4))
    assert np.ptp(moved[:, [2, 4, 5]], axis=1) == pytest.approx(np.zeros(4))


def test_with_the_present_weight_no_search_is_worse_than_its_start():
    """On the steps alone the greedy search can lose; naive searches move one weight each."""
    lost = 0
    for seed in range(12):
        problem = overlapping(4, 80, matrices=3, seed=seed)
        ones = default(problem).losses
        start = greedy(problem, rng(), sweeps=5).log_weights
        begin = losses(problem, start)
        found, grid = (
            greedy(problem, np.random.default_rng(1), start=start, restarts=1, search=search)
            for search in ("grid and present", "grid")
        )
        assert (found.losses <= begin + 1e-12).all()
        lost += (grid.losses > begin + 1e-12).sum()
        kept = naive(problem, search="grid and present").log_weights
        for c in range(4):
            alone = np.zeros_like(kept)
            alone[:, c] = kept[:, c]
            assert (losses(problem, alone) <= ones + 1e-12).all()
    assert lost


def test_lachiche_flach_against_the_first_class_solves_pairs():
    """Each weight is the best of the pair with the first class, all other classes absent."""
    problem = overlapping(4, 60, seed=5)
    found = lachiche_flach(problem, against="first").log_weights[0]
    for c in (1, 2, 3):
        gap = problem.log_scores[:, c] - problem.log_scores[:, 0]
        paid = [
            problem.prices[0, problem.y, np.where(gap + w > 0, c, 0)].sum()
            for w in (found[c], *np.linspace(-9, 9, 400))
        ]
        assert paid[0] <= min(paid) + 1e-12
    with pytest.raises(ValueError, match="'all' or the 'first'"):
        lachiche_flach(problem, against="last")


def test_simple_weights_are_priors_times_costs():
    costs = np.array([[5.0, 1.0, 2.0], [0.0, 9.0, 4.0], [0.5, 0.5, 0.0]])
    problem = cost_problem([0, 1, 1, 2], np.full((4, 3), 0.5), costs, [0.5, 0.3, 0.2])
    expected = np.array([0.5 * 3, 0.3 * 4, 0.2 * 1])
    assert simple(problem).weights[0] == pytest.approx(expected / expected.max())


def test_lachiche_flach_adds_one_class_after_another():
    problem = overlapping(4, 100, seed=6)
    found = lachiche_flach(problem, order=[2, 0, 3, 1])
    weights = np.full(4, -np.inf)
    weights[2] = 0.0
    for added in (0, 3, 1):
        best = np.inf
        for place in np.linspace(-12, 12, 4001):
            trial = weights.copy()
            trial[added] = place
            best = min(best, losses(problem, trial)[0])
        weights[added] = found.log_weights[0, added]
        reached = losses(problem, weights)[0]
        assert reached <= best + 1e-12
    assert reached == pytest.approx(found.losses[0])


def pair_by_trying(problem, pair, thetas, competitors):
    """Return the lowest loss over weights theta and 1 - theta, all others one or absent."""
    out = []
    member = np.isin(problem.y, pair) if competitors == "none" else np.full(len(problem.y), True)
    for theta in thetas:
        log_weights = np.zeros(problem.n_classes)
        if competitors == "none":
            log_weights[:] = -np.inf
        log_weights[list(pair)] = np.log([theta, 1 - theta])
        winners = np.argmax(problem.log_scores + log_weights, axis=1)
        out.append(problem.prices[0][problem.y[member], winners[member]].sum())
    return min(out)


@pytest.mark.parametrize("competitors", ["all", "none"])
@pytest.mark.parametrize("seed", range(6))
def test_pair_weights_are_best_for_the_pair(competitors, seed):
    problem = overlapping(4, 60, seed=seed, profits=seed % 2 == 1)
    pair = (1, 3)
    found = pair_weights(problem, pair, competitors=competitors)[0]
    assert np.exp(found).sum() == pytest.approx(1.0)
    reached = pair_by_trying(problem, pair, [np.exp(found[0])], competitors)
    fine = pair_by_trying(problem, pair, 1 / (1 + np.exp(-np.linspace(-12, 12, 5001))), competitors)
    assert reached <= fine + 1e-12
    on_grid = pair_weights(problem, pair, competitors=competitors, search="grid")[0]
    theta = np.exp(on_grid[0]) * 80
    assert theta == pytest.approx(round(theta))
    assert pair_by_trying(problem, pair, [np.exp(on_grid[0])], competitors) == pytest.approx(
        pair_by_trying(problem, pair, np.arange(1, 80) / 80, competitors)
    )


def test_area_of_a_pair_alone_is_the_auc():
    problem = overlapping(4, 90, seed=1)
    scores = np.round(problem.log_scores, 0)
    tied = cost_problem(problem.y, scores, np.ones((4, 4)), log=True)
    member = np.isin(problem.y, [0, 2])
    auc = roc_auc_score(problem.y[member] == 0, (scores[:, 0] - scores[:, 2])[member])
    assert pair_auc(tied, (0, 2), competitors="none") == pytest.approx(auc)


def test_area_of_a_pair_among_others_follows_its_curve():
    problem = overlapping(4, 90, seed=1)
    logits = np.linspace(-40, 40, 40001)
    weights = np.zeros((len(logits), 4))
    weights[:, [0, 2]] = -np.logaddexp(0, np.stack([-logits, logits], axis=1))
    parts = np.array_split(weights[:, None], 40)
    winners = np.concatenate([np.argmax(problem.log_scores + part, axis=2) for part in parts])
    lost = np.mean(winners[:, problem.y == 0] == 2, axis=1)
    wrong = np.mean(winners[:, problem.y == 2] == 0, axis=1)
    assert pair_auc(problem, (0, 2)) == pytest.approx(1 - np.trapezoid(lost, wrong))


def test_pairs_are_dropped_by_threshold_or_number():
    problem = overlapping(5, 150, seed=8)
    areas = {pair: pair_auc(problem, pair) for pair in kept_pairs(problem)}
    assert len(areas) == 10
    limit = sorted(areas.values())[3]
    few = sorted(pair for pair, area in areas.items() if area <= limit)
    assert kept_pairs(problem, threshold=limit) == kept_pairs(problem, number=4) == few
    with pytest.raises(ValueError, match=r"\[0, 1\]"):
        kept_pairs(problem, threshold=1.5)
    with pytest.raises(ValueError, match="not negative"):
        kept_pairs(problem, number=-1)


def test_a_single_matching_is_calibrated_pair_by_pair():
    problem = overlapping(4, 120, seed=9)
    found = pairwise(problem, rng(), number=10, cap=5)
    assert found.losses[0] <= default(problem).losses[0]
    alone = pairwise(problem, rng(), number=0)
    assert alone.log_weights.tolist() == [[0.0] * 4]
    one = kept_pairs(problem, number=1)[0]
    kept = pairwise(problem, rng(), number=1)
    ratio = pair_weights(problem, one)[0]
    assert kept.log_weights[0, one[0]] - kept.log_weights[0, one[1]] == pytest.approx(
        ratio[0] - ratio[1]
    )
    assert all(kept.log_weights[0, c] == 0 for c in range(4) if c not in one)


def test_two_classes_are_solved_by_their_pair():
    problem = overlapping(2, 100, matrices=3, seed=1)
    best = greedy(problem, rng()).losses
    assert pairwise(problem, rng()).losses == pytest.approx(best)


def test_the_greedy_end_is_never_worse():
    problem = overlapping(6, 200, matrices=5, seed=10)
    pairs = pairwise(problem, rng())
    ended = pairwise(problem, rng(), end_greedily=True)
    assert np.all(ended.losses <= pairs.losses + 1e-12)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("search", SEARCHES)
def test_every_method_takes_every_degenerate_problem(method, search):
    options = {} if method in WITHOUT_SEARCH else {"search": search}
    equal = np.full((6, 3), 1 / 3)
    y = [0, 0, 1, 1, 2, 2]
    errors = 1 - np.eye(3)
    cases = {
        "one class": ([0, 0], [[0.4], [0.7]], np.zeros((1, 1)), 0.0),
        "no costs": (y, equal, np.zeros((3, 3)), 0.0),
        "scores all equal": (y, equal, errors, 2 / 3),
        "a class without objects": ([0, 1], [[0.8, 0.1, 0.1], [0.2, 0.7, 0.1]], errors, 0.0),
        "perfect with profits": (y, np.eye(3)[y] + 0.1, np.eye(3), -1.0),
        "scores of zero": (y, np.eye(3)[y], errors, 0.0),
    }
    if method in ("decomp", "decomp-greedy"):
        with pytest.raises(ValueError, match="no object of class"):
            cost_weights(*cases.pop("a class without objects")[:3], method=method, rng=rng())
    for name, (labels, scores, costs, expected) in cases.items():
        found = cost_weights(labels, scores, costs, method=method, rng=rng(), **options)
        if (method, name) != ("simple", "a class without objects"):
            assert found.losses == pytest.approx([expected]), name
        assert not np.isnan(found.weights).any()


@pytest.mark.parametrize("method", METHODS)
def test_matrices_in_a_batch_do_not_touch_each_other(method):
    problem = overlapping(5, 100, matrices=3, seed=11)
    raw = problem.prices * problem.class_sizes()[:, None]
    given = {"priors": np.ones(5), "log": True, "method": method}
    together = cost_weights(problem.y, problem.log_scores, raw, rng=rng(), **given)
    changed = raw.copy()
    changed[2] = rng().uniform(size=(5, 5))
    other = cost_weights(problem.y, problem.log_scores, changed, rng=rng(), **given)
    assert np.array_equal(together.log_weights[:2], other.log_weights[:2])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "best"}, "a method is one of"),
        ({"method": "greedy"}, "generator"),
        ({"method": "greedy", "rng": rng(), "restarts": 0}, "one restart"),
        ({"method": "naive", "search": "fine"}, "'exact', 'grid' or 'grid and present'"),
        ({"method": "lachiche-flach", "order": [0, 0, 1]}, "names each"),
    ],
)
def test_bad_options_are_one_clear_error(options, message):
    with pytest.raises(ValueError, match=message):
        cost_weights([0, 1, 2], np.eye(3), 1 - np.eye(3), **options)


@pytest.mark.parametrize("end_greedily", [False, True])
def test_weights_by_pairs_say_which_matchings_were_tried(end_greedily):
    problem = overlapping(6, 90, seed=3)
    for cap, complete, tried in ((4, False, 4), (15, True, 15)):
        found = pairwise(problem, rng(), cap=cap, end_greedily=end_greedily).matchings
        assert (found.complete, len(found.matchings), found.total) == (complete, tried, 15)
    assert greedy(problem, rng()).matchings is None


def test_the_methods_by_groups_are_the_functions_of_the_decomposition():
    problem = overlapping(5, 100, matrices=3, seed=11)
    raw = problem.prices * problem.class_sizes()[:, None]
    given = {"priors": np.ones(5), "log": True, "r": 12}
    largest = largest_by_class(score_sensitivities(problem.y, problem.log_scores, 12, log=True))
    by_size, least = groups_up_to(largest, 3)
    cases = {
        "least threshold": ({"max_group": 3}, by_size),
        "threshold": ({"threshold": least, "max_group": 3}, groups(largest, least)),
        "groups": ({"groups": [[0, 4], [1, 2], [3]]}, [[0, 4], [1, 2], [3]]),
    }
    for options, chosen in cases.values():
        roc = decomposed_roc(problem.y, problem.log_scores, chosen, 12, log=True)
        start = decomp(problem, roc)
        own = cost_weights(problem.y, problem.log_scores, raw, method="decomp", **given, **options)
        assert np.array_equal(own.log_weights, start.log_weights)
        assert own.losses == pytest.approx(start.losses)
        for constrained in (True, False):
            end = decomp_g(problem, roc, start, rng(), constrained=constrained)
            greedy_end = given | options | {"constrained": constrained, "rng": rng()}
            own = cost_weights(
                problem.y, problem.log_scores, raw, method="decomp-greedy", **greedy_end
            )
            assert np.array_equal(own.log_weights, end.log_weights)
            assert (own.losses <= start.losses + 1e-12).all()
    with pytest.raises(ValueError, match="must be in one group"):
        cost_weights(problem.y, problem.log_scores, raw, method="decomp", groups=[[0]], log=True)
    with pytest.raises(ValueError, match="generator"):
        by_groups(problem, end_greedily=True)


@pytest.mark.parametrize("nodes", [3, 5000])
def test_the_certified_method_is_the_certificate(nodes):
    problem = overlapping(4, 80, matrices=3, seed=5)
    raw = problem.prices * problem.class_sizes()[:, None]
    given = {"priors": np.ones(4), "log": True, "method": "certified", "rng": rng()}
    own = cost_weights(problem.y, problem.log_scores, raw, max_nodes=nodes, **given)
    same = cost_problem(problem.y, problem.log_scores, raw, np.ones(4), log=True)
    proven = certify(same, rng(), max_nodes=nodes)
    assert own.losses == pytest.approx([one.loss for one in proven])
    assert own.lower_bounds == pytest.approx([one.lower_bound for one in proven])
    assert np.array_equal(own.log_weights, [one.log_weights for one in proven])
    assert (own.lower_bounds <= own.losses).all()
    assert greedy(problem, rng()).lower_bounds is None


def test_a_pair_without_objects_has_equal_weights():
    made = overlapping(4, 40, matrices=3, seed=1)
    kept = ~np.isin(made.y, (1, 3))
    problem = cost_problem(made.y[kept], made.log_scores[kept], made.prices, log=True)
    found = pair_weights(problem, (1, 3), competitors="none")
    np.testing.assert_array_equal(found, np.log(np.full((3, 2), 0.5)))


def test_the_pairwise_search_starts_from_three_orders():
    problem = overlapping(6, 60, matrices=8, seed=0, spread=1.0)
    found = [
        pairwise(problem, rng(), end_greedily=True, **given).log_weights
        for given in ({}, {"restarts": 3}, {"restarts": 4})
    ]
    assert np.array_equal(found[0], found[1])
    assert not np.array_equal(found[0], found[2])


@pytest.mark.parametrize(("method", "greedily"), [("pairs", False), ("pairs-greedy", True)])
def test_pairs_end_greedily_by_name_alone(method, greedily):
    made = overlapping(6, 60, seed=0, spread=1.0)
    costs = rng(1).uniform(size=(8, 6, 6))
    found = cost_weights(made.y, made.log_scores, costs, method=method, rng=rng(), log=True)
    problem = cost_problem(made.y, made.log_scores, costs, log=True)
    own, other = (pairwise(problem, rng(), end_greedily=end) for end in (greedily, not greedily))
    assert np.array_equal(found.log_weights, own.log_weights)
    assert not np.array_equal(found.log_weights, other.log_weights)
