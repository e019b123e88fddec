"""Discriminant, reject option and sequential combination on real data (Sec. 5.2.5)."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pandas as pd

from opchar.scores import ScoreTable
from opchar_reproduction.publications.landgrebe2007.chapter5.score_tables import (
    OUTLIER,
    TARGET,
    UNSEEN,
    after_rejection,
    area,
    by_test_set,
)
from opchar_reproduction.publications.landgrebe2007.mean_lines import add_mean
from opchar_reproduction.results import Results
from opchar_reproduction.study import settings, study

PROBLEMS = settings(__file__, "problems.csv", by="problem")

MEASURES = {"clf": "known", "rej1": "a1", "rej2": "a2"}
Scores = Mapping[tuple[str, str], ScoreTable]


@study(
    "reject-sequential",
    kind="reject",
    scores=[
        """mfeat-fou-digit4 | unseen-20-fold | reject nmc; socmc gauss + nmc; pca0.9 reject qdc;
        socmc pca0.9 gauss + pca0.9 qdc""",
        """face-amsterdam | unseen-20-fold | pca0.99 reject qdc; socmc pca0.99 gauss + pca0.99 qdc;
        fisher reject qdc; socmc pca0.99 mog 8 + fisher qdc; pca0.99 reject ldc; socmc pca0.99 gauss
        + pca0.99 ldc""",
        """geophysical | unseen-20-fold-slow | pca0.9 reject qdc; socmc pca0.9 mog 5 + pca0.9 qdc;
        pca0.999 reject qdc; socmc pca0.999 mog 5 + pca0.999 qdc; pca0.9 reject mogc 5; socmc
        pca0.999 mog 5 + pca0.9 mogc5""",
    ],
    nothing_open="""Section 5.2.5 states data, models, folds, measures and the outliers that are
        made; "the reject threshold for the reject-option and one-class classifiers is fixed to
        reject 5.00% of target examples for the given training set".""",
    units="fold",
)
def sequential(
    scores: Scores,
    *,
    problems: dict[str, dict[str, str]] = PROBLEMS,
    same_model: dict[str, str] = {
        "data": "mfeat-fou-digit4",
        "reject": "pca0.9 reject qdc",
        "socmc": "socmc pca0.9 gauss + pca0.9 qdc",
    },
    share: float = 0.05,
) -> Results:
    """Areas under the ROC of three classifiers for known, sphere and Gaussian outliers.

    `problems`: By the row of Table 5.1: the data set, the rejecting classifier (its discriminant M
    is the part without rejection), the sequential combination, and the printed names.
    `same_model`: The same for a combination whose stages have one model.
    `share`: Of the training targets that are rejected.
    """
    results = Results()
    for problem, entry in problems.items():
        results.text("table-5.1", problem, "Base algorithm", entry["base"], basis="input")
        results.text("table-5.1", problem, "SOCMC D_OCC model", entry["detector"], basis="input")
        frame = _areas(scores, entry, share).assign(problem=problem)
        results.add_frame("areas", frame)
        if problem.startswith("Geo"):
            results.add_frame("areas of Geo", frame.rename(columns={"fold": "fold of Geo"}))
        figure = "figure-5.5" if problem.startswith("Face") else "figure-5.6"
        _lines(results, figure, problem, frame)
        if problem == "Mfeat A":
            _add_printed(results, frame)
            table = scores[entry["data"], entry["reject"]]
            _lines(results, "figure-5.6-variants", problem, _by_posterior(table, share))
    frame = _areas(scores, same_model, share)
    results.add_frame("areas of one model", frame)
    _lines(results, "text-5.2.5", "one model in both stages", frame)
    return results


def _areas(scores: Scores, entry: dict[str, str], share: float) -> pd.DataFrame:
    """Return the areas of M, R and S in each fold."""
    tables = {name: scores[entry["data"], entry[name]] for name in ("reject", "socmc")}
    rows = []
    for (fold, one), (_, two) in zip(
        tables["reject"].folds(), tables["socmc"].folds(), strict=True
    ):
        for classifier, each in (("M", one), ("R", one), ("S", two)):
            for measure, value in _of_fold(by_test_set(each), classifier, share).items():
                rows.append([classifier, measure, fold, value, tables["reject"].data])
    return pd.DataFrame(rows, columns=["classifier", "measure", "fold", "area", "data set"])


def _by_posterior(table: ScoreTable, share: float) -> pd.DataFrame:
    """Return the areas of R when the posterior is thresholded, as a nearest mean has no density."""
    _, odds = table.log_odds("target")
    posterior = replace(table, detector=odds)
    rows = [
        ["R by the posterior", measure, fold, value, table.data]
        for fold, part in posterior.folds()
        for measure, value in _of_fold(by_test_set(part), "R", share).items()
    ]
    return pd.DataFrame(rows, columns=["classifier", "measure", "fold", "area", "data set"])


def _of_fold(tests: dict[str, ScoreTable], classifier: str, share: float) -> dict[str, float]:
    """Return the three areas of one classifier in one fold."""

    def scored(table: ScoreTable) -> np.ndarray:
        if classifier == "M":
            return table.log_odds("target")[1]
        floor = min(part.log_odds("target")[1].min() for part in tests.values()) - 1.0
        kept = after_rejection(table, tests["training targets"], share)
        return np.where(kept < table.log_odds("target")[1].min(), floor, kept)

    known = tests["known"]
    targets = scored(known)[known.y == TARGET]
    others = {name: OUTLIER if name == "known" else UNSEEN for name in MEASURES.values()}
    return {
        measure: area(targets, scored(tests[name])[tests[name].y == others[name]])
        for measure, name in MEASURES.items()
    }


def _lines(results: Results, artefact: str, problem: str, frame: pd.DataFrame) -> None:
    data = str(frame["data set"].iloc[0])
    for (classifier, measure), part in frame.groupby(["classifier", "measure"], sort=False):
        where = artefact, f"{problem} / {classifier}", f"{measure} AUC"
        add_mean(results, *where, 100 * part["area"], unit="%", data=data, kept=False)


def _add_printed(results: Results, frame: pd.DataFrame) -> None:
    """Add the numbers of Figure 5.6 that stand in the text."""
    plain = 100 * frame[frame["classifier"] == "M"].pivot_table(
        index="fold", columns="measure", values="area"
    )
    row, data = "Mfeat A / M (nearest mean)", str(frame["data set"].iloc[0])
    both = plain[["rej1", "rej2"]].mean(axis=1)
    for column, values in (("clf AUC", plain["clf"]), ("rej1 and rej2 AUC", both)):
        add_mean(results, "figure-5.6", row, column, values, unit="%", data=data, kept=False)
