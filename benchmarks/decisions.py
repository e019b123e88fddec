"""What the rules for a threshold cost on real data, beside scikit-learn's tuned threshold.

Small samples of 20 public sets train five models; each rule sees the scores of the same five folds
and chooses a threshold for the model that is trained on the whole sample. The true cost is that of
this model on all other objects, reweighted to the prior in use. Scores are computed once for each
set, model, size and repeat, and kept in a folder; all priors and costs use the same. Others use it:
`decisions_outside.py` prints its tables, and a test asks for the rule that is used.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import yaml
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import make_scorer
from sklearn.model_selection import StratifiedKFold, TunedThresholdClassifierCV, train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from opchar.datasets.raw_tables import RawTable
from opchar.datasets.readers import read_set
from opchar.datasets.registry import load
from opchar.decisions.smooth_curves import Labelled
from opchar.decisions.threshold_rules import thresholds_by
from opchar.spaces.cost import lower_envelope

BESIDE = Path(__file__).parent
REGISTRY = BESIDE.parent / "config/datasets.yaml"
SIZES, LEAST_REST, MOST_REST = (200, 1000), 350, 8000
# Without priors, that of each sample is in use.
PRIORS: tuple[float, ...] = (0.02, 0.1, 0.5)
COST_RATIOS: tuple[float, ...] = (1.0, 5.0, 20.0)
MODELS = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
    "naive Bayes": GaussianNB(),
    "forest": RandomForestClassifier(50, min_samples_leaf=2, random_state=0),
    "neighbours": make_pipeline(StandardScaler(), KNeighborsClassifier(15)),
    "support vectors": make_pipeline(StandardScaler(), SVC()),
}


def read_sets(benchmark: str) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Return the sets of a benchmark: names in the registry, and classes that are positive."""
    rows = pd.read_csv(BESIDE / "sets.csv", dtype=str, keep_default_na=False)
    mine = rows[rows["benchmark"] == benchmark].itertuples()
    return {row.set: (row.data, tuple(filter(None, row.positive.split("|")))) for row in mine}


SETS = read_sets("decisions")


class Scored(NamedTuple):
    """One trained model: labels and out-of-fold scores of its sample, and those of the rest."""

    y: np.ndarray
    scores: np.ndarray
    rest_y: np.ndarray
    rest_scores: np.ndarray


@cache
def raw(name: str, mirror: Path) -> tuple[RawTable, list[str]]:
    data = load(name, yaml.safe_load(REGISTRY.read_text())[name])
    return read_set(data, mirror / data.folder), list(data.classes)


def objects(title: str, mirror: Path) -> tuple[np.ndarray, np.ndarray]:
    """Return features, and which objects are positive."""
    name, positive = SETS[title]
    if name == "scikit-learn":
        reader = load_breast_cancer if title == "breast_cancer" else load_digits
        X, y = reader(return_X_y=True)
        return X, np.isin(y.astype(str), positive).astype(int)
    table, classes = raw(name, mirror)
    if name == "keel-imbalanced":
        mine = np.isin(table.labels, [f"{title} negative", f"{title} positive"])
        X = table.X[mine]
        kept = np.isfinite(X).all(axis=0)
        return X[:, kept], (table.labels[mine] == f"{title} positive").astype(int)
    wanted = classes[:1] if positive == ("first",) else positive
    return table.X, np.isin(table.labels, wanted).astype(int)


def score(model: Any, X: np.ndarray) -> np.ndarray:
    if hasattr(model, "decision_function"):
        return np.asarray(model.decision_function(X), dtype=float)
    return np.asarray(model.predict_proba(X)[:, 1], dtype=float)


def trained(X: np.ndarray, y: np.ndarray, size: int, seed: int) -> Iterator[tuple[str, Scored]]:
    """Train each model on one sample and score the rest."""
    mine, rest = train_test_split(np.arange(len(y)), train_size=size, stratify=y, random_state=seed)
    rest = rest[:MOST_REST]
    for name, model in MODELS.items():
        scores = np.zeros(size)
        for train, test in StratifiedKFold(5).split(X[mine], y[mine]):
            scores[test] = score(model.fit(X[mine[train]], y[mine[train]]), X[mine[test]])
        final = score(model.fit(X[mine], y[mine]), X[rest])
        yield name, Scored(y[mine], scores, y[rest], final)


def compute_scores(mirror: Path, folder: Path, repeats: int) -> None:
    """Write the scores that are not there yet, one file a set, size and repeat."""
    folder.mkdir(parents=True, exist_ok=True)
    for repeat in range(repeats):
        for title in SETS:
            X, y = objects(title, mirror)
            for size in SIZES:
                path = folder / f"{repeat} {size} {title}.npz"
                if path.exists() or len(y) - size < LEAST_REST:
                    continue
                parts = {}
                for name, found in trained(X, y, size, repeat):
                    parts |= {f"{name}|{k}": v for k, v in found._asdict().items()}
                part = path.with_suffix(".part.npz")
                np.savez_compressed(part, **parts)
                part.rename(path)


class Remembered(ClassifierMixin, BaseEstimator):
    """A classifier that looks the scores of a trained one up: objects are their numbers."""

    def __init__(self, scores: np.ndarray | None = None) -> None:
        self.scores = scores

    def fit(self, X: np.ndarray, y: np.ndarray) -> Remembered:
        self.classes_ = np.unique(y)
        return self

    def decision_function(self, X: np.ndarray) -> np.ndarray:
        assert self.scores is not None
        return self.scores[np.asarray(X)[:, 0].astype(int)]


def tuned(found: Scored, priors: np.ndarray, costs: np.ndarray) -> np.ndarray:
    """Return the thresholds of scikit-learn's class on the same folds, with its defaults."""
    numbers, share, thresholds = np.arange(len(found.y))[:, None], found.y.mean(), []
    for prior, cost in zip(priors, costs, strict=True):
        miss, alarm = cost * prior / share, (1 - prior) / (1 - share)

        def saved(y, said, miss=miss, alarm=alarm):
            return -float(np.mean(np.where(y == 1, miss * (said == 0), alarm * (said == 1))))

        model = TunedThresholdClassifierCV(
            Remembered(found.scores), scoring=make_scorer(saved), cv=StratifiedKFold(5)
        )
        try:
            thresholds.append(model.fit(numbers, found.y).best_threshold_)
        except ValueError:  # it refuses constant scores in a fold
            thresholds.append(np.nan)
    return np.array(thresholds)


RULES = ("auto", "search", "theory", "scikit-learn")


def judged(found: Scored) -> pd.DataFrame:
    """Return the true cost of each rule, in units of the better trivial classifier's."""
    in_use = PRIORS or (found.y.mean(),)
    priors, costs = np.repeat(in_use, len(COST_RATIOS)), np.tile(COST_RATIOS, len(in_use))
    pc = priors * costs / (priors * costs + 1 - priors)
    mine, rest = (
        Labelled(y == 1, scores, np.ones(len(y), dtype=int)) for y, scores in (found[:2], found[2:])
    )
    best = lower_envelope(rest.points)(pc) / np.minimum(pc, 1 - pc)
    frames = []
    for rule in RULES:
        chosen = tuned(found, priors, costs) if rule == RULES[-1] else thresholds_by(mine, pc, rule)
        cost = rest.costs(chosen, pc) / np.minimum(pc, 1 - pc)
        cost[np.isnan(chosen)] = np.nan
        columns = {"prior": priors, "ratio": costs, "rule": rule, "cost": cost, "best": best}
        frames.append(pd.DataFrame(columns))
    return pd.concat(frames, ignore_index=True)


def measured(folder: Path, sets: tuple[str, ...] = tuple(SETS), repeats: int = 99) -> pd.DataFrame:
    """Return the true costs on all scores of a folder."""
    frames = []
    for path in sorted(folder.glob("*.npz")):
        repeat, size, title = path.stem.split(" ", 2)
        if title not in sets or int(repeat) >= repeats or path.stem.endswith(".part"):
            continue
        with np.load(path) as parts:
            for model in MODELS:
                found = Scored(*(parts[f"{model}|{k}"] for k in Scored._fields))
                frames.append(
                    judged(found).assign(set=title, model=model, n=int(size), repeat=int(repeat))
                )
    return pd.concat(frames, ignore_index=True)


def markdown(table: pd.DataFrame) -> str:
    rows = [list(table), ["---"] * table.shape[1], *table.astype(str).to_numpy().tolist()]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)
