"""How often a promised limit on the false positive rate is broken, and what the promise costs.

    python benchmarks/promises.py [--samples 100] [--learners tree ...] [--sizes 200x100 ...]
    python benchmarks/promises.py --kinds [--samples 2000]

Needs the package mapie (``pip install mapie``) for the peer; all else comes with OpChar.

Two Gaussian classes of equal size, whose means differ in ten features, train twelve learners in
five sizes. Each way to set a threshold promises, with 95 % confidence, an FPR of at most 10 % (or
``--limit``); the FPR that its decisions really have is counted on 2,000 other negatives, the TPR on
500 positives.
``--kinds`` tests limits of every kind, one and several at a time, on scores whose true rates have a
closed form.
"""

import argparse
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.special import expit
from scipy.stats import binom, norm
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.ensemble import (
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from opchar.seeds import generator
from opchar.statistics.proportions import guaranteed_threshold
from opchar.statistics.risk_control import controlled_threshold
from opchar.statistics.risk_estimator import RiskControlledClassifier

try:
    from mapie.risk_control import BinaryClassificationController
except ImportError as missing:
    raise SystemExit("benchmarks/promises.py compares with mapie: pip install mapie") from missing

FOLDS, INFORMATIVE = 10, 10
SIZES = ((100, 10), (200, 20), (200, 100), (500, 20), (1000, 20))
LEARNERS = {
    "logistic": lambda: LogisticRegression(max_iter=300),
    "logistic, C=100": lambda: LogisticRegression(C=100, max_iter=300),
    "linear discriminant": LinearDiscriminantAnalysis,
    "quadratic discriminant": lambda: QuadraticDiscriminantAnalysis(solver="eigen", shrinkage=0.3),
    "naive Bayes": GaussianNB,
    "15 neighbours": lambda: KNeighborsClassifier(15),
    "support vectors": SVC,
    "tree": lambda: DecisionTreeClassifier(min_samples_leaf=5, random_state=0),
    "random forest": lambda: RandomForestClassifier(20, random_state=0),
    "extra trees": lambda: ExtraTreesClassifier(20, random_state=0),
    "gradient boosting": lambda: GradientBoostingClassifier(n_estimators=20, random_state=0),
    "neural network": lambda: MLPClassifier((10,), max_iter=50, random_state=0),
}
WAYS = (
    "split (promised)",
    "cross (promised)",
    "scorers of ten folds, on average (promised)",
    "ten-fold scores, refitted (not promised)",
    "NP umbrella",
    "MAPIE",
    "MAPIE, fixed sequence",
)


def drawn(rng: np.random.Generator, n: int, d: int):
    y = (np.arange(n) < n // 2).astype(int)
    X = rng.normal(size=(n, d))
    X[:, : min(d, INFORMATIVE)] += 0.6 * y[:, None]
    return X, y


def scores(model, X):
    if hasattr(model, "decision_function"):
        return model.decision_function(X)
    return model.predict_proba(X)[:, 1]


def probabilities(model):
    def of(X):
        if hasattr(model, "predict_proba"):
            return model.predict_proba(X)
        share = expit(model.decision_function(X))
        return np.column_stack([1 - share, share])

    return of


def one(learner, n: int, d: int, rng: np.random.Generator, test, limit: float):
    """Return FPR and TPR of each way on one sample."""
    X, y = drawn(rng, n, d)
    XT, yT = test
    seed = int(rng.integers(2**31))

    def rates(accepted):
        return float(accepted[yT == 0].mean()), float(accepted[yT == 1].mean())

    model = RiskControlledClassifier(learner(), max_fpr=limit, random_state=seed).fit(X, y)
    found = {WAYS[0]: rates(model.predict(XT))}
    cross = RiskControlledClassifier(
        learner(), max_fpr=limit, method="cross", cv=FOLDS, random_state=seed
    ).fit(X, y)
    found[WAYS[1]] = rates(cross.predict(XT))
    own = np.empty(n)
    splits = StratifiedKFold(FOLDS, shuffle=True, random_state=seed).split(X, y)
    for fitted, (_, part) in zip(cross.estimators_, splits, strict=True):
        own[part] = scores(fitted, X[part])
    at = guaranteed_threshold(own[y == 0], limit)
    of_folds = np.array([scores(fitted, XT) > at for fitted in cross.estimators_])
    found[WAYS[2]] = rates(of_folds.mean(axis=0))
    found[WAYS[3]] = rates(scores(learner().fit(X, y), XT) > at)
    negatives = rng.permutation(np.flatnonzero(y == 0))
    left, train = np.split(negatives, [len(negatives) // 2])
    kept = np.append(train, np.flatnonzero(y == 1))
    fitted = learner().fit(X[kept], y[kept])
    found[WAYS[4]] = rates(
        scores(fitted, XT) > guaranteed_threshold(scores(fitted, X[left]), limit)
    )
    order = rng.permutation(n)
    first, second = order[: n // 2], order[n // 2 :]
    half = probabilities(learner().fit(X[first], y[first]))
    grid = np.linspace(0, 0.99, 100)
    tests = (("bonferroni_holm", grid), ("fixed_sequence", grid[::-1]))
    for way, (test_of_many, tested) in zip(WAYS[5:], tests, strict=True):
        peer = BinaryClassificationController(
            half,
            risk="fpr",
            target_level=limit,
            confidence_level=0.95,
            list_predict_params=tested,
            fwer_method=test_of_many,
        ).calibrate(X[second], y[second])
        chosen = peer.best_predict_param is not None
        found[way] = rates(np.asarray(peer.predict(XT)) if chosen else np.zeros(len(yT)))
    return found


def learners(names: list[str], sizes, samples: int, limit: float) -> pd.DataFrame:
    """Return FPR and TPR of every way, learner, size and sample."""
    tests = {}
    for d in {d for _, d in sizes}:
        X, y = drawn(generator(1, "promises", "test", d), 4000, d)
        rows = np.append(np.flatnonzero(y == 0), np.flatnonzero(y == 1)[:500])
        tests[d] = X[rows], y[rows]
    rows = []
    for name in names:
        start = time.process_time()
        for n, d in sizes:
            for sample in range(samples):
                rng = generator(1, "promises", name, n, d, sample)
                for way, (fpr, tpr) in one(LEARNERS[name], n, d, rng, tests[d], limit).items():
                    rows.append((name, n, d, sample, way, fpr, tpr))
        print(f"<!-- {name}: {time.process_time() - start:.0f} s -->", flush=True)
    return pd.DataFrame(rows, columns=["learner", "n", "d", "sample", "way", "fpr", "tpr"])


def shown(found: pd.DataFrame, limit: float) -> None:
    """Print the share of broken promises, in percent, and the mean TPR."""
    found = found.assign(broken=100 * (found.fpr > limit))
    cells = found.groupby(["way", "learner", "n", "d"], sort=False)[["broken", "tpr"]].mean()
    sizes = found.groupby(["way", "learner", "n", "d"], sort=False).size()
    most = 100 * pd.Series(binom.ppf(0.999, sizes, 0.05) / sizes, sizes.index)
    print(
        f"\n{sizes.min()} to {sizes.max()} samples a cell; a right way has at most "
        f"{most.min():.0f} to {most.max():.0f} % broken in 99.9 % of cells.\n"
    )
    print("| way | broken, all | broken, worst cell | cells above that | mean TPR |")
    print("| --- | --- | --- | --- | --- |")
    for way, part in cells.groupby(level="way", sort=False):
        worst = part.broken.idxmax()
        print(
            f"| {way} | {part.broken.mean():.1f} % | {part.broken.max():.1f} % "
            f"({worst[1]}, n = {worst[2]}, d = {worst[3]}) | "
            f"{(part.broken > most[part.index]).sum()} of {len(part)} | {part.tpr.mean():.3f} |"
        )
    for title, part in (
        ("n = 200, d = 100", cells[cells.index.get_level_values("d") == 100]),
        ("mean of all sizes", cells),
    ):
        table = part.reset_index().pivot_table(index="learner", columns="way", values="broken")
        table = table[[way for way in WAYS if way in table]].reindex(found.learner.unique())
        print(f"\n| broken in %, {title} | " + " | ".join(table.columns) + " |")
        print("| --- " * (len(table.columns) + 1) + "|")
        for learner, row in table.iterrows():
            print(f"| {learner} | " + " | ".join(f"{value:.1f}" for value in row) + " |")


def kinds(samples: int) -> None:
    """Print how often limits of every kind are broken, on normal scores of known rates."""
    prior, mean = 0.2, 2.0
    asked = {
        "FPR at most 0.1": {"max_fpr": 0.1},
        "FNR at most 0.2": {"max_fnr": 0.2},
        "alert rate at most 0.1": {"max_alert_rate": 0.1},
        "precision at least 0.7": {"min_precision": 0.7},
        "FPR at most 0.1, alert rate at most 0.2": {"max_fpr": 0.1, "max_alert_rate": 0.2},
        "FPR at most 0.2, FNR at most 0.3": {"max_fpr": 0.2, "max_fnr": 0.3},
        "precision at least 0.6, FNR at most 0.5": {"min_precision": 0.6, "max_fnr": 0.5},
    }
    print("| limits | n | broken | no threshold found, or none accepted | mean TPR |")
    print("| --- | --- | --- | --- | --- |")
    for name, limits in asked.items():
        for n in (200, 1000):
            broken, none, tprs = 0, 0, []
            for sample in range(samples):
                rng = generator(1, "promises", "kinds", name, n, sample)
                y = rng.random(n) < prior
                score = rng.normal(size=n) + mean * y
                try:
                    t = controlled_threshold(y, score, **limits).threshold
                except ValueError:
                    none += 1
                    continue
                none += np.isinf(t)
                fpr, tpr = norm.sf(t), norm.sf(t - mean)
                alerts = prior * tpr + (1 - prior) * fpr
                precision = prior * tpr / alerts if alerts else 1.0
                broken += (
                    fpr > limits.get("max_fpr", 1)
                    or 1 - tpr > limits.get("max_fnr", 1)
                    or alerts > limits.get("max_alert_rate", 1)
                    or precision < limits.get("min_precision", 0)
                )
                tprs.append(tpr)
            print(
                f"| {name} | {n} | {100 * broken / samples:.1f} % | {100 * none / samples:.1f} % | "
                f"{np.mean(tprs):.3f} |",
                flush=True,
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=100)
    parser.add_argument("--learners", nargs="*", choices=LEARNERS, default=list(LEARNERS))
    parser.add_argument("--sizes", nargs="*", default=[f"{n}x{d}" for n, d in SIZES])
    parser.add_argument("--limit", type=float, default=0.1)
    parser.add_argument("--csv", type=Path, help="where every sample's FPR and TPR go")
    parser.add_argument("--shown", type=Path, nargs="*", help="only print tables of such files")
    parser.add_argument("--kinds", action="store_true")
    given = parser.parse_args()
    warnings.filterwarnings("ignore")
    if given.kinds:
        kinds(given.samples)
        return
    if given.shown:
        found = pd.concat([pd.read_csv(path) for path in given.shown])
    else:
        sizes = [tuple(map(int, size.split("x"))) for size in given.sizes]
        found = learners(given.learners, sizes, given.samples, given.limit)
    if given.csv:
        found.to_csv(given.csv, index=False)
    shown(found, given.limit)


if __name__ == "__main__":
    main()
