"""What the explorer computes in the browser is what the library computes, to 1e-9."""

from collections.abc import Iterator

import numpy as np
import pytest
from playwright.sync_api import Browser, Page

from opchar.multiclass.cost_weights.problem import confusion_counts, cost_problem, losses
from opchar.multiclass.roc.hypersurface import confusion_lattice, lowest_losses
from opchar.multiclass.roc.weighted_scores import weighted_scores
from opchar.spaces import (
    auc,
    brier_curve,
    exact_auprec,
    expected_cost,
    f_measure,
    lower_envelope,
    operating_points,
    precision,
    probability_cost,
    upper_envelope,
)
from opchar_reproduction.report.pages.explorer_page import COMPUTING
from opchar_reproduction.report.pages.rendering import TEMPLATES, asset_text
from reports import score_table

pytestmark = pytest.mark.browser
GRID = np.linspace(0, 1, 41)
ALPHAS = (0.0, 0.1, 0.5, 0.9, 1.0)
CLOSE = {"rtol": 1e-9, "atol": 1e-9, "equal_nan": True}
TWO = """([positive, scores, grid, alphas, priors]) => {
  const t = OpChar.two, points = t.operatingPoints(positive, scores), hull = t.upperHull(points);
  const shown = (envelope) => ({
    breakpoints: envelope.breakpoints,
    thresholds: envelope.places.map((place) => String(points.thresholds[place])),
    at: grid.map((x) => envelope.places[t.rangeAt(envelope, x)]),
  });
  const value = (place, x) => [t.tpr(points, place), t.fpr(points, place), x];
  const cost = shown(t.lowerEnvelope(points, hull));
  const f = alphas.map((alpha) => shown(t.upperEnvelope(points, hull, alpha)));
  const all = Array.from(points.fp.keys());
  return {
    tpr: all.map((place) => t.tpr(points, place)), fpr: all.map((place) => t.fpr(points, place)),
    hull: hull.map((place) => String(points.thresholds[place])), cost, f,
    costs: grid.map((x, k) => t.expectedCost(...value(cost.at[k], x))),
    fs: f.map((own, a) => grid.map((x, k) => t.fMeasure(...value(own.at[k], x), alphas[a]))),
    precision: all.map((place) => priors.map((p) => String(t.precision(...value(place, p))))),
    auc: t.auc(points), auprec: priors.map((prior) => t.exactAuprec(points, prior)),
    brier: t.areProbabilities(points) ? grid.map((pc) => t.brierCurve(points, pc)) : null,
  };
}"""
THREE = """([labels, scores, steps, costs, priors]) => {
  const t = OpChar.three, weights = t.weightSteps(steps), sizes = t.classSizes(labels);
  const found = t.lattice(labels, scores, weights);
  const best = costs.map((own) => t.cheapest(found, sizes, own, priors));
  return { weights, counts: found.map((point) => point.counts), best };
}"""


@pytest.fixture(scope="module")
def page(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    place = tmp_path_factory.mktemp("scripts") / "page.html"
    scripts = [asset_text(name, TEMPLATES / "explorer") for name in COMPUTING]
    place.write_text("".join(f"<script>{script}</script>" for script in scripts))
    opened = browser.new_page()
    opened.goto(place.as_uri())
    yield opened
    opened.close()


def case(name: str) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(len(name))
    if name == "separable":
        return np.array([0, 0, 0, 1, 1], bool), np.array([0.1, 0.2, 0.3, 0.8, 0.9])
    if name == "reversed":
        return np.array([1, 1, 0, 0, 0], bool), np.array([0.1, 0.2, 0.3, 0.8, 0.9])
    if name == "one threshold":
        return np.array([1, 0, 1, 0, 0], bool), np.full(5, 0.5)
    positive = rng.random(400) < (0.02 if name == "rare" else 0.4)
    positive[:2] = [True, False]
    scores = rng.normal(size=400) + 1.5 * positive
    if name == "ties":
        return positive, np.round(scores)
    return positive, 1 / (1 + np.exp(-scores))


@pytest.mark.parametrize(
    "name", ["separable", "reversed", "one threshold", "ties", "rare", "many scores"]
)
def test_two_classes_are_counted_as_by_the_library(page: Page, name: str) -> None:
    positive, scores = case(name)
    priors = [0.0005, 0.02, 0.3, 0.5, 0.97, 1.0]
    found = page.evaluate(
        TWO, [positive.tolist(), scores.tolist(), GRID.tolist(), list(ALPHAS), priors]
    )
    points = operating_points(positive, scores)
    np.testing.assert_allclose(found["tpr"], points.tpr, **CLOSE)
    np.testing.assert_allclose(found["fpr"], points.fpr, **CLOSE)
    assert [limit(text) for text in found["hull"]] == points.hull.thresholds.tolist()
    check(found["cost"], lower_envelope(points))
    np.testing.assert_allclose(found["costs"], lower_envelope(points)(GRID), **CLOSE)
    for number, alpha in enumerate(ALPHAS):
        envelope = upper_envelope(points, alpha)
        check(found["f"][number], envelope)
        np.testing.assert_allclose(found["fs"][number], envelope(GRID), **CLOSE)
    expected = precision(points.tpr[:, None], points.fpr[:, None], np.array(priors))
    shown = np.array([[float(cell) for cell in row] for row in found["precision"]])
    np.testing.assert_allclose(shown, expected, **CLOSE)
    np.testing.assert_allclose(found["auc"], auc(points), **CLOSE)
    areas = [exact_auprec(points, prior) for prior in priors]
    np.testing.assert_allclose(found["auprec"], areas, **CLOSE)
    if ((scores >= 0) & (scores <= 1)).all():
        np.testing.assert_allclose(found["brier"], brier_curve(points, GRID), **CLOSE)
    else:
        assert found["brier"] is None


def limit(text: str) -> float:
    return float(text.replace("Infinity", "inf"))


def check(found: dict, envelope: object) -> None:
    np.testing.assert_allclose(found["breakpoints"], envelope.breakpoints, **CLOSE)
    assert [limit(text) for text in found["thresholds"]] == envelope.points.thresholds.tolist()


def test_conditions_and_points_are_valued_as_by_the_library(page: Page) -> None:
    asked = [
        [t, f, p, a] for t in (0, 0.3, 1) for f in (0, 0.2, 1) for p in (0, 0.4, 1) for a in ALPHAS
    ]
    found = page.evaluate(
        "rows => rows.map(([t, f, p, a]) => [OpChar.two.fMeasure(t, f, p, a),"
        " OpChar.two.expectedCost(t, f, p), OpChar.two.probabilityCost(p, a)])",
        asked,
    )
    t, f, p, a = np.array(asked).T
    expected = [f_measure(t, f, p, a), expected_cost(t, f, p), probability_cost(p, a)]
    np.testing.assert_allclose(found, np.transpose(expected), **CLOSE)


def test_three_classes_are_weighed_as_by_the_library(page: Page) -> None:
    table = score_table((80, 120, 100), 3)
    steps, rng = 21, np.random.default_rng(5)
    costs = rng.uniform(0, 10, size=(4, 3, 3)) * (1 - np.eye(3))
    priors = np.array([0.5, 0.3, 0.2])
    given = [table.y.tolist(), table.scores.tolist(), steps, costs.tolist(), priors.tolist()]
    found = page.evaluate(THREE, given)
    data = weighted_scores(table.y, table.scores, steps)
    np.testing.assert_allclose(found["weights"], data.steps, **CLOSE)
    counts = confusion_lattice(data).reshape(-1, 9)
    np.testing.assert_array_equal(found["counts"], counts)
    lowest, _ = lowest_losses(data, costs, priors)
    np.testing.assert_allclose([best["loss"] for best in found["best"]], lowest, **CLOSE)
    problem = cost_problem(table.y, table.scores, costs, priors)
    for number, best in enumerate(found["best"]):
        weights = np.log(best["weights"])
        counted = confusion_counts(problem, weights).ravel()
        np.testing.assert_array_equal(best["counts"], counted)
        own = losses(problem, weights)[number]
        np.testing.assert_allclose(best["loss"], own, **CLOSE)
