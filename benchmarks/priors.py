"""How well the prior in use is estimated from unlabelled scores, beside QuaPy's EMQ.

    OMP_NUM_THREADS=1 python benchmarks/priors.py [--samples 200] [--scores FOLDER]

Needs the package quapy (``pip install quapy``) for the peer; all else comes with OpChar.

Simulated: normal scores of both classes, so that within each class the unlabelled ones are
distributed as the labelled ones. An interval covers when it holds the share from which the
unlabelled objects were drawn, not that among them. QuaPy's ``EMQ`` aggregates a logistic regression
of the same score, by its defaults.

``--scores``: out-of-fold scores of five models on 20 public sets, and those of the refitted models
on other objects, as ``benchmarks/decisions.py`` keeps them; unlabelled objects are drawn from the
others. Here the classes' scores differ a little between the two, as they do in practice. EMQ takes
the models' own probabilities, where they have some, and again a logistic regression of the scores.
With ``--aside`` the labelled objects are others, too, scored by the refitted model, as the method
assumes.
"""

import argparse
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.special import expit
from sklearn.linear_model import LogisticRegression

from opchar.decisions.priors import METHODS, estimate_prior
from opchar.seeds import generator

try:
    from quapy.method.aggregative import EMQ
except ImportError as missing:
    raise SystemExit("benchmarks/priors.py compares with quapy: pip install quapy") from missing

# Labelled objects, their prior, unlabelled objects, their prior, distance of the classes.
SETTINGS = (
    (200, 0.1, 500, 0.02, 2.0),
    (200, 0.5, 500, 0.1, 2.0),
    (200, 0.3, 200, 0.3, 1.0),
    (400, 0.1, 100, 0.1, 2.0),
    (1000, 0.1, 2000, 0.02, 2.0),
    (1000, 0.3, 500, 0.5, 1.5),
)
PRIORS = (0.05, 0.2, 0.5)
UNLABELLED = 500
SEED = 20261123


def by_emq(y: np.ndarray, scores: np.ndarray, unlabelled: np.ndarray) -> float:
    """Return the prior by QuaPy's EMQ with a logistic regression of the score."""
    found = EMQ(LogisticRegression()).fit(scores[:, None], y)
    return float(found.predict(unlabelled[:, None])[1])


def by_own_posteriors(y: np.ndarray, scores: np.ndarray, unlabelled: np.ndarray) -> float:
    """Return the prior by QuaPy's EMQ with the model's own probabilities."""
    is_probability = scores.min() >= 0 and scores.max() <= 1
    own = unlabelled if is_probability else expit(unlabelled)
    share = y.mean()
    posteriors = np.column_stack([1 - own, own])
    return float(EMQ.EM(np.array([1 - share, share]), posteriors)[0][1])


def simulated(samples: int, repeats: int) -> pd.DataFrame:
    """Return coverage and error on normal scores."""
    rows = []
    for setting in SETTINGS:
        n, prior, m, in_use, distance = setting
        for sample in range(samples):
            rng = generator(SEED, "priors", *map(str, setting), str(sample))
            y = np.repeat([0, 1], [n - round(n * prior), round(n * prior)])
            new = (rng.random(m) < in_use).astype(int)
            scores, unlabelled = (rng.normal(size=len(c)) + distance * c for c in (y, new))
            for method in METHODS:
                found = estimate_prior(y, scores, unlabelled, method, resamples=repeats)
                covered = found.low <= in_use <= found.high
                width = found.high - found.low
                rows.append((*setting, method, abs(found.prior - in_use), covered, width))
            emq = abs(by_emq(y, scores, unlabelled) - in_use)
            rows.append((*setting, "QuaPy EMQ", emq, np.nan, np.nan))
    names = ["labelled", "prior", "unlabelled", "in use", "distance"]
    return pd.DataFrame(rows, columns=[*names, "method", "error", "covered", "width"])


def unlabelled_of(
    y: np.ndarray, among: np.ndarray, in_use: float, rng: np.random.Generator
) -> np.ndarray:
    """Return the places of unlabelled objects, drawn with a share of positives."""
    drawn = rng.random(UNLABELLED) < in_use
    classes = [among[y[among] == label] for label in (1, 0)]
    return np.where(drawn, *(rng.choice(own, UNLABELLED) for own in classes))


def as_many(y: np.ndarray, among: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return places of other objects, as many as `y` and with its share, at most half of all."""
    n, positives = min(len(y), len(among) // 2), np.flatnonzero(among == 1)
    k = min(max(round(n * y.mean()), 2), len(positives) // 2)
    negatives = np.flatnonzero(among == 0)
    return np.r_[rng.permutation(positives)[:k], rng.permutation(negatives)[: n - k]]


def on_public_sets(folder: Path, repeats: int, aside: bool = False) -> pd.DataFrame:
    """Return coverage and error on scores that were kept, of the first repeat."""
    rows = []
    for path in sorted(folder.glob("0 *.npz")):
        _, size, title = path.stem.split(" ", 2)
        with np.load(path) as parts:
            models = dict.fromkeys(key.split("|")[0] for key in parts.files)
            for model in models:
                y, scores, rest_y, rest = (
                    parts[f"{model}|{k}"] for k in ("y", "scores", "rest_y", "rest_scores")
                )
                for in_use in PRIORS:
                    rng = generator(SEED, "real", path.stem, model, str(in_use))
                    others = np.arange(len(rest_y))
                    given = y, scores, rest[unlabelled_of(rest_y, others, in_use, rng)]
                    if aside:
                        labelled = as_many(y, rest_y, rng)
                        others = np.setdiff1d(others, labelled)
                        new = rest[unlabelled_of(rest_y, others, in_use, rng)]
                        given = rest_y[labelled], rest[labelled], new
                    front = int(size), title, model, in_use
                    for method in METHODS:
                        found = estimate_prior(*given, method, resamples=repeats)
                        covered = found.low <= in_use <= found.high
                        rows.append((*front, method, abs(found.prior - in_use), covered))
                    rows.append((*front, "QuaPy EMQ", abs(by_emq(*given) - in_use), np.nan))
                    own = np.nan
                    if model != "support vectors":
                        own = abs(by_own_posteriors(*given) - in_use)
                    rows.append((*front, "QuaPy EMQ, own probabilities", own, np.nan))
    names = ["n", "set", "model", "in use", "method", "error", "covered"]
    return pd.DataFrame(rows, columns=names)


def markdown(table: pd.DataFrame) -> str:
    rows = [
        table.columns.tolist(),
        ["---"] * table.shape[1],
        *table.astype(str).to_numpy().tolist(),
    ]
    return "\n".join("| " + " | ".join(map(str, row)) + " |" for row in rows)


def told(table: pd.DataFrame, by: list[str]) -> pd.DataFrame:
    """Return one line a setting: coverage of both methods, mean absolute error of all."""
    error = table.pivot_table(index=by, columns="method", values="error", sort=False)
    covered = 100 * table.pivot_table(index=by, columns="method", values="covered", sort=False)
    found = pd.DataFrame(index=error.index)
    for method in METHODS:
        found[f"{method}: covered, %"] = covered[method].round(1)
    for method in error:
        found[f"error, {method}"] = error[method].round(4)
    return found.reset_index()


def summary(samples: int, repeats: int, scores: Path | None, aside: bool = False) -> str:
    """Return the tables as text for the documentation."""
    table = simulated(samples, repeats)
    by = ["labelled", "prior", "unlabelled", "in use", "distance"]
    mean = table.groupby("method", sort=False)[["error", "covered"]].mean()
    lines = [
        f"Normal scores, {samples} samples a setting, {repeats} resamples; standard error of a "
        f"coverage near 95 %: {100 * (0.95 * 0.05 / samples) ** 0.5:.1f} points.",
        markdown(told(table, by)),
        _means(mean),
    ]
    if scores is not None:
        real = on_public_sets(scores, repeats, aside)
        lines += [
            f"Public sets: {real['set'].nunique()}, {real['model'].nunique()} models, "
            f"{UNLABELLED} unlabelled objects, {len(real) // real['method'].nunique()} draws.",
            markdown(told(real, ["n", "model"])),
            _means(real.groupby("method", sort=False)[["error", "covered"]].mean()),
        ]
    return "\n\n".join(lines) + "\n"


def _means(mean: pd.DataFrame) -> str:
    errors = ", ".join(f"{name} {value:.4f}" for name, value in mean["error"].items())
    covered = ", ".join(
        f"{name} {100 * value:.1f} %" for name, value in mean["covered"].dropna().items()
    )
    return f"Mean absolute error: {errors}. Mean coverage: {covered}."


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--samples", type=int, default=200)
    parser.add_argument("--repeats", type=int, default=200)
    parser.add_argument("--scores", type=Path, help="folder of scores of benchmarks/decisions.py")
    parser.add_argument("--aside", action="store_true", help="labelled objects were kept aside")
    asked = parser.parse_args()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        text = summary(asked.samples, asked.repeats, asked.scores, asked.aside)
    print(text)


if __name__ == "__main__":
    main()
