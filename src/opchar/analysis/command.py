"""`opchar analyse`: reads files, writes the answers, and prints the main ones."""

from __future__ import annotations

import argparse
import sys
from dataclasses import fields
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from opchar.analysis.asking import Asked
from opchar.analysis.findings import explanation
from opchar.analysis.first_screen import answer_lines
from opchar.analysis.progress import Progress
from opchar.analysis.run import analyse, default_folder
from opchar.analysis.tables.cells import cell_numbers, label_text
from opchar.analysis.tables.columns import Columns
from opchar.analysis.tables.files import read_table
from opchar.analysis.tables.many import by_counts
from opchar.analysis.tables.reading import read_models
from opchar.analysis.tables.scored_sample import ScoredSample
from opchar.errors import ScoresError
from opchar.files import write_csv

# The scores of 569 samples of breast tissue.
EXAMPLE = Path("breast-cancer.csv")


def run(arguments: argparse.Namespace) -> int:
    """Read the files, ask all questions, write the answers and print the first of them."""
    if arguments.example and not arguments.scores:
        arguments = ask_of_example(arguments)
    if not arguments.scores:
        raise ScoresError("name a file of scores, or try: opchar analyse --example")
    asked = asked_of(arguments)
    for code in arguments.fail_on:
        explanation(code)
    to_folder = arguments.output is not None or not arguments.json
    folder = arguments.output or default_folder(arguments.scores)
    if to_folder:
        from opchar.analysis.writing import check_folder

        check_folder(folder)
    scored = read_scores(arguments, by_counts(asked))
    costs = _costs(arguments.costs, scored) if arguments.costs else None
    progress = Progress(None if not arguments.quiet else StringIO())
    # The matrices are small: threads of BLAS would wait for each other longer than they work.
    with threadpool_limits(1):
        answers = analyse(
            scored, asked, positive=arguments.positive, costs=costs, progress=progress
        )
    written = answers.save(folder, arguments.figures) if to_folder else []
    if arguments.json:
        print(answers.to_json())
    elif not arguments.quiet:
        print("\n".join([*scored.notes, *answer_lines(answers), f"the page: {written[0]}"]))
    failed = sorted({each.code for each in answers.findings} & set(arguments.fail_on))
    if failed:
        print(f"opchar: {', '.join(failed)} found, as --fail-on asks", file=sys.stderr)
    return int(bool(failed))


def asked_of(arguments: argparse.Namespace) -> Asked:
    """Return what a command line asks; what it does not say is as `Asked` has it."""
    said = {each.name: getattr(arguments, each.name, None) for each in fields(Asked)}
    given: dict[str, Any] = {name: value for name, value in said.items() if value is not None}
    return Asked(**given | {"cost_stated": "cost" in given})


def read_scores(arguments: argparse.Namespace, counts: bool = False) -> ScoredSample:
    """Read the score files that a command line names."""
    given = vars(arguments)
    scores_in = tuple(arguments.scores_in.split(",")) if arguments.scores_in else ()
    columns = {name: given.get(name) for name in ("label", "fold", "weight", "identity", "by")}
    return read_models(
        arguments.scores,
        Columns(scores=scores_in, **columns),
        arguments.positive,
        drop_missing=arguments.drop_missing,
        unlabelled=given.get("unlabelled") or (),
        detection_limit=arguments.detection_limit,
        counted=given.get("counted", False),
        by_counts=counts,
    )


def ask_of_example(arguments: argparse.Namespace) -> argparse.Namespace:
    """Write the scores of a logistic regression, and ask of them what was not stated otherwise."""
    from sklearn.datasets import load_breast_cancer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import cross_val_predict
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    data = load_breast_cancer()
    y = np.where(data.target == 0, "malignant", "benign")
    model = make_pipeline(StandardScaler(), LogisticRegression())
    score = cross_val_predict(model, data.data, y, cv=10, method="predict_proba")[:, 1]
    write_csv(pd.DataFrame({"y": y, "malignant": score.round(6)}), EXAMPLE)
    arguments.scores = [EXAMPLE]
    arguments.positive = arguments.positive or "malignant"
    arguments.priors = arguments.priors or (0.02,)
    arguments.cost = arguments.cost or (1.0, 20.0)
    return arguments


def explain(arguments: argparse.Namespace) -> int:
    """Print what a code means."""
    print(explanation(arguments.code))
    return 0


def _costs(path: Path, scored: ScoredSample) -> np.ndarray:
    """Read costs of taking a class (row) for another (column)."""
    table = read_table(path)
    names = [label_text(name) for name in table.iloc[:, 0]]
    columns = [label_text(name) for name in table.columns[1:]]
    if sorted(names) != sorted(scored.classes) or sorted(columns) != sorted(scored.classes):
        raise ScoresError(
            f"{path}: rows and columns must be the classes {list(scored.classes)}, the first "
            "column their names"
        )
    values = table.iloc[:, 1:].apply(cell_numbers).to_numpy(dtype=float)
    if not np.isfinite(values).all():
        raise ScoresError(f"{path}: every cost must be a number")
    frame = pd.DataFrame(values, index=names, columns=columns)
    return frame.loc[list(scored.classes), list(scored.classes)].to_numpy()
