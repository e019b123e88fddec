"""Training for Figures 3 to 5 of mullick2020 at the size of the paper profile.

One fold of each problem of the protocols in full, fitted and scored on its five test sets, with
every classifier; folds of a problem are of one size, so that all 25 take 25 times as long. Wants
the feature tables of a run (`opchar run mullick2020`).

    OMP_NUM_THREADS=1 python benchmarks/test_sets.py
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from time import process_time

import yaml

from opchar.datasets.features import read_features
from opchar.models.names import parse
from opchar.models.splits.protocols import Split, splits
from opchar.models.training import class_scores, seed_estimator
from opchar.seeds import spawner

ROOT = Path(__file__).resolve().parents[1]


def first_folds(data: str, protocol: str) -> tuple[list[list[Split]], int]:
    """Return the test sets of the first fold of each problem, and how many folds there are."""
    entry = yaml.safe_load((ROOT / "config/protocols.yaml").read_text("utf-8"))[protocol]
    features = read_features(ROOT / f"data/features/{data}.parquet")
    problems: dict[str, dict[int, list[Split]]] = defaultdict(lambda: defaultdict(list))
    for split in splits(entry, features.y, spawner(1, data, protocol), {}, features.X):
        problems[str(split.about["problem"])][split.fold].append(split)
    return [next(iter(folds.values())) for folds in problems.values()], sum(
        map(len, problems.values())
    )


def main() -> None:
    vocabulary = yaml.safe_load((ROOT / "config/models.yaml").read_text("utf-8"))
    experiments = yaml.safe_load((ROOT / "config/experiments/mullick2020.yaml").read_text("utf-8"))
    total = 0.0
    for experiment in ("two-class", "multi-class", "second-witness"):
        for group in experiments[f"mullick2020/{experiment}"]["scores"]:
            data, protocol = group["data"], group["protocol"]
            X = read_features(ROOT / f"data/features/{data}.parquet").X
            problems, folds = first_folds(data, protocol)
            for model in group["models"]:
                start = process_time()
                for tested in problems:
                    one = tested[0]
                    estimator = seed_estimator(
                        parse(model, vocabulary), spawner(1)("model", one.fold)
                    )
                    estimator.fit(X[one.train], one.y[one.train])
                    for split in tested:
                        class_scores(estimator, X[split.test], len(one.classes))
                seconds = process_time() - start
                total += seconds * folds / len(problems)
                print(
                    f"{data}, {protocol}, {model}: {seconds:.1f} s of processor time for one fold "
                    f"of {len(problems)} problems, {seconds * folds / len(problems):.0f} s for all "
                    f"{folds} folds"
                )
    print(f"all: {total / 60:.0f} min of processor time, {total / 120:.0f} min on two cores")


if __name__ == "__main__":
    main()
