import numpy as np
import pandas as pd
import pytest
from scipy.special import expit

from measuring import under_variants
from opchar.errors import ConfigError
from opchar.scores import ScoreTable
from opchar.seeds import spawner
from opchar.spaces.points import operating_points
from opchar.spaces.precision_recall import auprec
from opchar_reproduction.publications.landgrebe2007.chapter2.precision_recall.measure import p_roc
from opchar_reproduction.study import Shared

FOLDS, POSITIVES, NEGATIVES = 6, 60, 240


def scored(shift, spread, seed):
    """Score Gaussian positives and negatives, `shift` apart, with folds that differ by `spread`."""
    rng = np.random.default_rng(seed)
    y = np.tile(np.repeat([0, 1], [POSITIVES, NEGATIVES]), FOLDS)
    fold = np.repeat(np.arange(FOLDS), POSITIVES + NEGATIVES)
    z = rng.normal(size=len(y)) + (shift + spread * rng.normal(size=FOLDS))[fold] * (y == 0)
    p = expit(z)
    return ScoreTable(fold, np.arange(len(y)), y, np.column_stack([p, 1 - p]), ("pos", "neg"))


def run(a, b, c, example="c"):
    return p_roc(
        scores={("s", "a"): a, ("s", "b"): b, ("s", "c"): c},
        spawn=spawner(1, "test"),
        shared=Shared(),
        positive="pos",
        priors=[0.5, 0.1, 0.01],
        prior_range=[0.05, 0.2],
        example=example,
        mixture="a",
        distances=["b", "c"],
    )


@pytest.fixture(scope="module")
def results():
    return run(scored(0.5, 0, 0), scored(1.5, 0, 1), scored(3.0, 0, 2))


def test_cells_are_means_over_folds(results):
    table = scored(1.5, 0, 1)
    expected = [
        auprec(operating_points(part.y == 0, part.scores[:, 0]), 0.1) for _, part in table.folds()
    ]
    frame = results.frame()
    cell = frame[(frame["row"] == "AUPREC (0.1)") & (frame["column"] == "model B")].iloc[0]
    assert cell["value"] == pytest.approx(np.mean(expected))
    assert cell["std"] == pytest.approx(np.std(expected, ddof=1))
    assert cell["n"] == FOLDS


def test_frames_hold_what_the_cells_are_means_of(results):
    cells = results.frame().set_index(["row", "column"])["value"]
    frame = results.curves["measured"]
    assert set(frame["measure"]) == {"AUPREC", "IAUPREC", "AUC"}
    assert len(frame) == 3 * FOLDS * 5
    at = frame[(frame["measure"] == "AUPREC") & (frame["prior"] == 0.1)]
    assert at.groupby("model")["value"].mean()["B"] == pytest.approx(
        cells["AUPREC (0.1)", "model B"]
    )


def test_thinned_test_sets_keep_the_auc_and_lose_precision(results):
    thinned = results.curves["thinned"]
    assert len(thinned) == FOLDS * 3
    assert (thinned["AUC"] - thinned["AUC of all"]).abs().max() < 0.1
    means = thinned.groupby("prior")["AUPREC"].mean()
    assert means[0.5] > means[0.1] > means[0.01]


def test_f_values_come_with_p_degrees_of_freedom_and_checks(results):
    frame = results.frame().set_index(["row", "column"])["value"]
    for row, df in (
        ("2-way ANOVA on IAUPREC", 10),
        ("3-way ANOVA on AUPREC with prior as block", 44),
    ):
        assert frame[row, "df model"] == 2
        assert frame[row, "df residual"] == df
        assert frame[row, "F-value"] > 0
        assert 0 <= frame[row, "p-value"] < 1
        assert 0 < frame[row, "partial eta squared"] < 1
        assert 0 <= frame[row, "Friedman p"] < 0.01


def test_curves_are_those_of_the_first_fold_of_the_example(results):
    first = next(part for _, part in scored(3.0, 0, 2).folds())
    points = operating_points(first.y == 0, first.scores[:, 0])
    assert results.curves["roc"]["tpr"].to_numpy() == pytest.approx(points.tpr)
    curve = results.curves["precision-recall"]
    assert curve["prior"].unique().tolist() == [0.5, 0.1, 0.01]
    last = curve[curve["prior"] == 0.1].iloc[-1]
    assert (last["recall"], last["precision"]) == (1.0, pytest.approx(0.1))


def test_log_odds_tell_saturated_posteriors_apart():
    scores = np.array([[1.0, 1e-30], [1.0, 1e-20], [0.4, 0.6], [1e-320, 1.0], [0.0, 1.0]])
    table = ScoreTable(
        np.zeros(5, int), np.arange(5), np.array([0, 0, 1, 1, 1]), scores, ("p", "n")
    )
    is_positive, score = table.log_odds("p")
    assert is_positive.tolist() == [True, True, False, False, False]
    assert np.argsort(-score, kind="stable").tolist() == [0, 1, 2, 3, 4]
    assert np.isfinite(score).all()


def test_the_example_has_scores():
    with pytest.raises(ConfigError, match=r"three models at three priors; .* no scores of d"):
        run(scored(0.5, 0, 0), scored(1.5, 0, 1), scored(3.0, 0, 2), example="d")


def test_each_area_says_how_small_it_could_be(results):
    frame = results.frame().set_index(["row", "column"])
    note = frame.loc[("AUPREC (0.1)", "model A"), "note"]
    least = frame.loc[("AUPREC (0.1), least possible", "model A"), "value"]
    assert f"an area of at least {least:.3f}" in note
    assert least < frame.loc[("AUPREC (0.1)", "model A"), "value"]


def test_exact_integrals_stand_beside_the_trapezoid(results):
    frame = results.frame().query("artefact == 'table-2.3'").set_index(["row", "column"])["value"]
    for row in ("AUPREC (0.5)", "AUPREC (0.1)", "AUPREC (0.01)", "IAUPREC"):
        for model in "ABC":
            exact = frame[f"{row}, exact integral", f"model {model}"]
            assert exact == pytest.approx(frame[row, f"model {model}"], abs=0.02)
    assert frame["IAUPREC over the skew", "model A"] < frame["IAUPREC", "model A"]


def test_variants_that_share_are_those_that_do_not():
    tables = {
        ("s", name): scored(shift, 0.3, seed)
        for seed, (name, shift) in enumerate([("a", 0.5), ("b", 1.5), ("c", 3.0), ("d", 1.0)])
    }
    given = {
        "scores": tables,
        "spawn": spawner(1, "test"),
        "positive": "pos",
        "priors": [0.5, 0.1, 0.01],
        "prior_range": [0.05, 0.2],
        "example": "c",
        "mixture": "a",
        "distances": ["b", "c"],
    }
    changes = {"mixtures": {"mixture": "d"}, "both": {"mixture": "d", "thresholds": 20}}
    for name, found in under_variants(p_roc, changes, **given, beyond=False).items():
        whole = p_roc(**(given | changes[name]), shared=Shared())
        alone, lines = (each.frame().set_index(["row", "column"]) for each in (whole, found))
        beyond = alone["artefact"].eq("table-2.3") & alone.index.isin(
            [key for key in alone.index if "exact" in key[0] or "skew" in key[0]]
        )
        pd.testing.assert_frame_equal(lines, alone[~beyond])
        for frame in ("measured", "thinned"):
            expected = whole.curves[frame].reset_index(drop=True)
            pd.testing.assert_frame_equal(found.curves[frame], expected)
