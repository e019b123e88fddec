"""Decisions, gaps, promises and priors on sets and learners that no rule was developed on.

    OMP_NUM_THREADS=1 python benchmarks/decisions_outside.py MIRROR [--size small]
        [--only A A2 C D] [--write benchmarks/README.md]

A: excess of the true cost over the best threshold, in % of the better trivial classifier's, of each
rule and of scikit-learn's TunedThresholdClassifierCV on the same folds. A2: the same where classes
lie far apart, first in the settings that a user asked for. C: how often promised limits are broken,
beside MAPIE where it is installed (``pip install mapie``). D: coverage of the interval of the prior
in use. ``--size small`` is a try of two minutes: a part of the sets and learners, fewer samples.
"""

import argparse
import warnings
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import decisions
import numpy as np
import pandas as pd
from decisions import RULES, Scored, judged, markdown, objects, read_sets, trained
from scipy import stats
from scipy.special import expit
from sklearn.datasets import load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier, ExtraTreesClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from opchar.decisions.priors import METHODS, estimate_prior
from opchar.seeds import generator
from opchar.statistics.risk_control import controlled_threshold
from opchar.statistics.risk_estimator import RiskControlledClassifier

MODELS = {
    "AdaBoost": AdaBoostClassifier(n_estimators=25, random_state=0),
    "bagged trees": BaggingClassifier(n_estimators=20, random_state=0),
    "extra trees": ExtraTreesClassifier(50, random_state=0),
    "linear support vectors": make_pipeline(StandardScaler(), LinearSVC(random_state=0)),
    "linear discriminant": LinearDiscriminantAnalysis(),
    "5 neighbours": make_pipeline(StandardScaler(), KNeighborsClassifier(5)),
}
# Learners of the settings that were asked for; of both, probabilities.
ASKED_MODELS = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
    "MLP": make_pipeline(StandardScaler(), MLPClassifier(max_iter=500, random_state=0)),
}
SETS, APART = read_sets("outside"), read_sets("apart")
ASKED = {
    "iris0": ("logistic",),
    "shuttle-c0-vs-c4": ("logistic", "MLP"),
    "wisconsinImb": ("logistic",),
}


class Size(NamedTuple):
    """Sets and learners at most, n, and samples: of a set in D and A2, and of what is made up."""

    sets: int = 9
    learners: int = 9
    n: tuple[int, ...] = (150, 600)
    samples: int = 5
    apart: int = 60
    asked: int = 200
    made: int = 200
    promises: int = 40
    priors: int = 90


SIZES = {"full": Size(), "small": Size(2, 2, (150,), 1, 2, 5, 5, 8, 10)}
START = "<!-- measured: benchmarks/decisions_outside.py -->"
END = "<!-- end of measured: benchmarks/decisions_outside.py -->"
# Classes far apart: how, n, share of positives, slope and shift of a map; those asked for first.
ROWS = pd.read_csv(Path(__file__).with_name("made.csv"))
# Quantiles of each class that stand for all objects.
MANY = 10_000


def scores_of(
    sets: Iterable[str],
    mirror: Path,
    size: Size,
    sizes: tuple[int, ...],
    samples: int = 1,
    models: dict[str, Any] = MODELS,
) -> Iterator[tuple[str, str, int, Scored]]:
    """Yield set, learner, size and scores out of fold and of the refitted model."""
    decisions.MODELS.clear()
    decisions.MODELS.update(list(models.items())[: size.learners])
    for title in list(sets)[: size.sets]:
        if title.startswith("wine"):
            X, y = load_wine(return_X_y=True)
            y = (y == 0).astype(int)
        else:
            X, y = objects(title, mirror)
        for most in sizes:
            n = min(most, len(y) // 2)
            for sample in range(samples):
                for model, found in trained(X, y, n, sample):
                    yield title, model, n, found


def asked_scores(mirror: Path, size: Size) -> Iterator[tuple[str, str, int, Scored]]:
    """Yield probabilities of the sets and learners that were asked for."""
    for title, learners in list(ASKED.items())[: size.sets]:
        models = {name: ASKED_MODELS[name] for name in learners}
        for *which, one in scores_of([title], mirror, size, (300,), size.asked, models):
            if which[1] == "logistic":
                one = one._replace(scores=expit(one.scores), rest_scores=expit(one.rest_scores))
            yield *which, one


def made(row: Any, y: np.ndarray, rank: np.ndarray) -> np.ndarray:
    """Return made-up scores of objects of given rank in their class."""
    noise = stats.t(3) if row.kind.startswith("t") else stats.norm
    scores = noise.ppf(rank) + float(row.kind.split()[-1]) * y
    if row.slope > 0:
        return expit(row.slope * scores - row.shift)
    return np.exp(scores) if row.kind.startswith("log-normal") else scores


def apart(benchmark: str, size: Size) -> Iterator[tuple[str, str, int, Scored]]:
    """Yield made-up scores of classes that lie far apart; quantiles stand for all objects."""
    many, ranks = np.repeat([0, 1], MANY), np.tile((np.arange(MANY) + 0.5) / MANY, 2)
    for row in ROWS[ROWS["benchmark"] == benchmark].head(size.sets).itertuples():
        rest, y = made(row, many, ranks), (np.arange(row.n) < round(row.n * row.share)).astype(int)
        for sample in range(size.made):
            rank = generator(1, "apart", row.kind, row.n, sample).random(row.n)
            yield row.kind, "made up", row.n, Scored(y, made(row, y, rank), many, rest)


def excess(found: Iterator[tuple[str, str, int, Scored]], by: list[str]) -> pd.DataFrame:
    """Return the mean excess of each rule, in % of the better trivial classifier's cost."""
    frames = [judged(one).assign(set=title, learner=model, n=n) for title, model, n, one in found]
    table = pd.concat(frames).rename(columns={"ratio": "cost ratio"})
    table["excess"] = 100 * (table["cost"] - table["best"])
    every = table.assign(**{by[0]: "**all**"}) if by == ["learner"] else table[:0]
    rows = pd.concat([table, every])
    means = rows.pivot_table(index=by, columns="rule", values="excess", sort=False)[list(RULES)]
    if by == ["learner"]:
        return means.round(2)
    better = means[["search", "theory"]].idxmin(axis=1)
    for key, own in table.groupby(by, sort=False):
        costs = own.set_index("rule", append=True)["excess"]
        more = costs.xs("auto", level=1).to_numpy() - costs.xs(better[key], level=1).to_numpy()
        means.loc[key, "above the better"] = more.mean()
        means.loc[key, "standard error"] = more.std(ddof=1) / len(more) ** 0.5
    return means.round(2)


def promises(mirror: Path, size: Size) -> pd.DataFrame:
    """Return how often each limit is broken by the model that promises it, and what it finds."""
    kinds: dict[str, dict[str, float]] = {
        "FPR at most 0.1": {"max_fpr": 0.1},
        "FNR at most 0.2": {"max_fnr": 0.2},
        "alerts at most 0.2": {"max_alert_rate": 0.2},
        "precision at least 0.6": {"min_precision": 0.6},
        "alerts at most 0.2, precision at least 0.5": {"max_alert_rate": 0.2, "min_precision": 0.5},
    }
    (X, y), rows = objects("letter, D and P", mirror), []
    names = ("bagged trees", "linear support vectors", "linear discriminant")
    for name in names[: size.learners]:
        for sample in range(size.promises):
            rng = generator(3, "promises", name, sample)
            mine, rest = np.split(rng.permutation(len(y)), [600])
            rest = rest[:6000]
            model = MODELS[name].fit(X[mine[:300]], y[mine[:300]])
            score = decisions.score(model, X)
            other = y[mine[300:]], score[mine[300:]]
            for kind, limits in kinds.items():
                t = controlled_threshold(*other, **limits).threshold
                rows.append((kind, "OpChar, split", *_kept(y[rest], score[rest] >= t, limits)))
            limit = kinds["FPR at most 0.1"]
            cross = RiskControlledClassifier(MODELS[name], **limit, method="cross", random_state=0)
            said = cross.fit(X[mine], y[mine]).predict(X[rest]) == 1
            rows.append(("FPR at most 0.1", "OpChar, cross", *_kept(y[rest], said, limit)))
            rows += _by_mapie(model, X, y, mine[300:], rest, limit)
    columns = ["limit", "way", "broken, %", "mean TPR"]
    return pd.DataFrame(rows, columns=columns).groupby(columns[:2], sort=False).mean().round(3)


def _kept(y: np.ndarray, said: np.ndarray, limits: dict[str, float]) -> tuple[float, float]:
    fpr, tpr = said[y == 0].mean(), said[y == 1].mean()
    precision = y[said].mean() if said.any() else 1.0
    broken = (
        fpr > limits.get("max_fpr", 1)
        or 1 - tpr > limits.get("max_fnr", 1)
        or said.mean() > limits.get("max_alert_rate", 1)
        or precision < limits.get("min_precision", 0)
    )
    return 100.0 * broken, float(tpr)


def _by_mapie(model, X, y, mine, rest, limit) -> list[tuple]:
    try:
        from mapie.risk_control import BinaryClassificationController
    except ImportError:
        return []

    def probability(given: np.ndarray) -> np.ndarray:
        score = decisions.score(model, given)
        share = score if hasattr(model, "predict_proba") else expit(score)
        share = expit(score) if hasattr(model, "decision_function") else share
        return np.column_stack([1 - share, share])

    peer = BinaryClassificationController(
        probability, risk="fpr", target_level=limit["max_fpr"], confidence_level=0.95
    ).calibrate(X[mine], y[mine])
    chosen = peer.best_predict_param is not None
    said = np.asarray(peer.predict(X[rest])) == 1 if chosen else np.zeros(len(rest), bool)
    return [("FPR at most 0.1", "MAPIE", *_kept(y[rest], said, limit))]


def prior_in_use(mirror: Path, size: Size) -> pd.DataFrame:
    """Return coverage, width and error of the interval of the prior in use."""
    rng, rows = generator(4, "prior"), []

    def add(setting: str, in_use: float, *given: np.ndarray) -> None:
        for method in METHODS:
            found = estimate_prior(*given, method, resamples=60)
            covered = 100.0 * (found.low <= in_use <= found.high)
            rows.append((setting, method, covered, found.high - found.low,
                         abs(found.prior - in_use), 100.0 * (found.mixture < 0.05)))  # fmt: skip

    for _ in range(size.priors):
        y, new = (np.arange(400) < 80).astype(int), (rng.random(600) < 0.06).astype(int)
        for name, kind in (("exponential", 0), ("beta", 1), ("logistic noise", 2)):
            drawn = [
                (rng.exponential(1 + 3 * c), rng.beta(1 + 3 * c, 3), rng.logistic(3 * c))[kind]
                for c in (y, new)
            ]
            add(f"{name}, 20 -> 6 %", 0.06, y, *drawn)
        moved = rng.logistic(3 * new) + 0.4 * (new == 0)
        add("negatives drift, 20 -> 6 %", 0.06, y, rng.logistic(3 * y), moved)
    for _, model, _, one in scores_of(SETS, mirror, size, (150,), size.samples):
        for in_use in (0.1, 0.4):
            drawn = rng.random(500) < in_use
            classes = [one.rest_scores[one.rest_y == c] for c in (1, 0)]
            new = np.where(drawn, *(rng.choice(own, 500) for own in classes))
            add(f"out of fold and refitted: {model}", in_use, one.y, one.scores, new)
    names = ["setting", "method", "covered, %", "width", "mean error", "doubted, %"]
    return pd.DataFrame(rows, columns=names).groupby(names[:2], sort=False).mean().round(3)


def sections(mirror: Path, size: Size, only: list[str]) -> Iterator[str]:
    """Yield the tables, each under its heading."""
    decisions.SETS.update(SETS | APART)
    decisions.PRIORS, decisions.COST_RATIOS = (0.01, 0.1, 0.3), (1.0, 10.0, 50.0)
    if "A" in only:
        found = excess(scores_of(SETS, mirror, size, size.n), ["learner"])
        yield "### A. Public sets, priors 0.01, 0.1 and 0.3, cost ratios 1, 10 and 50"
        yield markdown(found.reset_index())
    if "A2" in only:
        yield "### A2. Classes far apart: the settings asked for, the prior of the sample in use"
        by, decisions.PRIORS = ["set", "n", "cost ratio"], ()
        decisions.COST_RATIOS = (1.0, 10.0)
        yield markdown(excess(apart("asked", size), by).reset_index())
        decisions.COST_RATIOS = (10.0, 50.0)
        yield markdown(
            excess(asked_scores(mirror, size), ["set", "learner", *by[1:]]).reset_index()
        )
        yield "### A2. Classes far apart: other settings, prior 0.3 in use"
        decisions.PRIORS, decisions.COST_RATIOS = (0.3,), (1.0, 10.0, 50.0)
        for rows in (
            apart("other", size),
            scores_of(APART, mirror, size, size.n[:1], size.apart),
        ):
            yield markdown(excess(rows, by).reset_index())
    if "C" in only:
        yield "### C. Limits that are kept"
        if find_spec("mapie") is None:
            yield "MAPIE is not installed (`pip install mapie`): its rows are missing."
        yield markdown(promises(mirror, size).reset_index())
    if "D" in only:
        yield "### D. The prior in use, intervals of 95 %"
        yield markdown(prior_in_use(mirror, size).reset_index())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("mirror", type=Path)
    parser.add_argument("--size", choices=SIZES, default="full")
    parser.add_argument("--only", nargs="*", default=["A", "A2", "C", "D"])
    parser.add_argument("--write", type=Path, help="page whose measured part is replaced")
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    parts = []
    for part in sections(asked.mirror, SIZES[asked.size], asked.only):
        print(part, end="\n\n", flush=True)
        parts.append(part)
    if asked.write:
        before, _, rest = asked.write.read_text(encoding="utf-8").partition(START)
        text = "\n\n".join([before + START, *parts, END + rest.partition(END)[2]])
        asked.write.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
