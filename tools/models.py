"""The page of models: the words of model names, and every model of the thesis beside its print.

The words are written into the package, for use outside a project; `tools/site.py` makes the page.

    python tools/models.py --train    train everything anew into tools/models.csv first
    python tools/models.py            the words only

Data come as in a run: `OPCHAR_MIRROR` first, no network. Training takes five minutes on one core.
The prose stands in tools/models.yaml.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import pandas as pd

from opchar.datasets.building import build
from opchar.datasets.features import FeatureTable
from opchar.datasets.sources.fetching import fetch
from opchar.metrics.drift import drift, least_error_points
from opchar.models.training import train
from opchar.scores import ScoreTable
from opchar.seeds import spawner
from opchar.spaces.det import equal_error_rate
from opchar.spaces.points import operating_points
from opchar.spaces.roc import auc
from opchar_reproduction.project.configuration.config import load, read_yaml
from opchar_reproduction.project.configuration.model import Config
from opchar_reproduction.project.environment import mirror
from opchar_reproduction.project.plan import Plan
from opchar_reproduction.publication import folders
from opchar_reproduction.report.comparison.published_values import read_lines
from opchar_reproduction.report.comparison.verdicts import judge_number
from opchar_reproduction.results import STAND_IN

ROOT = Path(__file__).resolve().parents[1]
NUMBERS, PROSE = ROOT / "tools/models.csv", ROOT / "tools/models.yaml"
WORDS = ROOT / "src/opchar/models/vocabulary.json"
PRIORS = (0.1, 0.9)

SETS = {
    "2.2": {
        "Road sign": "road-sign",
        "Phoneme": "phoneme",
        "Sonar": "sonar",
        "Ionosphere": "ionosphere",
    },
    "3.5": {"Banana": "banana-3", "Sat": "satellite-3", "Sign": "road-sign-3"},
    "3.6": {"Vehicle": "statlog-vehicle", "Digits": "mfeat-fou-369"},
    "4.3": {
        "PRTools8": "prtools8",
        "PRTools16": "prtools16",
        "Letter": "letter-recognition",
        "CBands": "chromosome-bands",
        "Digits": "mfeat-fou",
        "Satellite": "statlog-satimage",
    },
    "4.8": {
        "Delve": "delve-segmentation",
        "Soybean": "soybean-large",
        "Dermatology": "dermatology",
        "Satellite": "statlog-satimage",
        "Segmentation": "image-segmentation",
        "Nist": "nist16",
    },
}
PROTOCOLS = {"2.2": "holdout-10", "3.5": "holdout-10", "3.6": "holdout-10", "4.8": "10-fold"}
SIZES = {"Letter": "holdout-10", "Satellite": "shuffled-4435-2000"}  # else half and half
ERRORS = {
    "2.2": "equal error rate eps",
    "3.5": "Error",
    "3.6": "Error",
    "4.3": "mean error eps",
    "4.8": "equal error xi_eq",
}
UNKNOWN = ("banana-3",)  # generated, with parameters that the thesis does not give
MEASURES = ("error", "area", "whole", "objects")


@dataclass(frozen=True)
class Row:
    """A printed model: where it stands, what it is called, on which data, by which protocol."""

    table: str
    row: str
    model: str
    data: str
    protocol: str

    @property
    def title(self) -> str:
        """How the table calls the data."""
        return self.row.partition(" / ")[0]

    @property
    def factor(self) -> float:
        """What a share is multiplied with in print."""
        return 100.0 if self.table.startswith("4") else 1.0


def printed_rows(lines: pd.DataFrame) -> list[Row]:
    """Return every printed model of the five tables, in the order of print."""
    rows = []
    for table, sets in SETS.items():
        here = lines[lines["artefact"] == f"table-{table}"]
        for row in here.loc[here["column"] == ERRORS[table], "row"]:
            title, _, name = row.partition(" / ")
            if not name:
                chosen = here[(here["row"] == title) & (here["column"] == "Classifier")]
                name = chosen["value"].iloc[0]
            model = re.sub(r"^\d\) ", "", name)
            protocol = PROTOCOLS.get(table) or SIZES.get(title, "half-10")
            rows.append(Row(table, row, model, sets[title], protocol))
    return rows


def trained(config: Config, rows: list[Row]) -> pd.DataFrame:
    """Train every model; return mean and standard deviation of the measures over test sets."""
    lines = []
    known: dict[str, FeatureTable] = {}
    for row in rows:
        features = known.setdefault(row.data, _features(config, row.data))
        start = perf_counter()
        spawn = spawner(config.seed, row.data, row.protocol)
        protocol = config.protocol(row.protocol, "paper")
        scores = train(features, row.model, config.models, protocol, spawn)
        folds = pd.DataFrame([measured(part, row) for _, part in scores.folds()])
        print(f"{row.table} {row.row}: {perf_counter() - start:.1f} s", flush=True)
        line: dict[str, Any] = {"table": row.table, "row": row.row, "data": features.data}
        line |= {"n": len(folds)}
        for name in MEASURES:
            line |= {name: folds[name].mean(), f"{name} std": folds[name].std()}
        lines.append(line)
    return pd.DataFrame(lines)


def measured(part: ScoreTable, row: Row) -> dict[str, float]:
    """Measure one test set as the table of a row does."""
    tested = [i for i in range(len(part.classes)) if (part.y == i).any()]
    wrong = part.scores.argmax(axis=1) != part.y
    areas = [auc(operating_points(*part.log_odds(part.classes[i]))) for i in tested]
    found = {"objects": float(wrong.mean()), "whole": float(np.mean(areas)), "area": math.nan}
    found["error"] = found["objects"]
    if row.table == "4.8":
        found["error"] = float(np.mean([wrong[part.y == i].mean() for i in tested]))
    if row.table == "2.2":
        points = operating_points(*part.log_odds(part.classes[0]))
        found["error"] = equal_error_rate(points).rate
        found["area"] = drift(points, least_error_points, *PRIORS).auc
    return found


def _features(config: Config, data: str) -> FeatureTable:
    plan = Plan(config)
    origin = plan.origin(data)
    with tempfile.TemporaryDirectory() as folder:
        raw = Path(folder) / origin
        entry, mirrors = config.datasets[origin], plan.mirrors(mirror())
        fetch(origin, entry, policy="offline", mirrors=mirrors, user_folders={}, folder=raw)
        return build(data, config.datasets, raw, spawner(config.seed, "features"))


def page(config: Config, numbers: pd.DataFrame) -> str:
    """Return the page for measured numbers, as `trained` gives them."""
    prose = read_yaml(PROSE)
    lines = ["# Models", ""]
    for paragraph in prose["introduction"]:
        lines += [paragraph, ""]
    lines += [*_words(config), "## Protocols", "", *_head("protocol", "meaning")]
    lines += [_cells(f"`{name}`", entry["summary"]) for name, entry in config.protocols.items()]
    lines += ["", "## Choices that the works leave open", ""]
    lines += [f"- {choice}" for choice in prose["choices"]]
    lines += ["", "## Beside the print", "", prose["about"], *_tables(numbers, prose)]
    return "\n".join(lines) + "\n"


def _words(config: Config) -> list[str]:
    lines = ["## Words", ""]
    for kind, title in (
        ("mapping", "Mappings, before a classifier or detector"),
        ("classifier", "Classifiers, last in a name"),
        ("detector", "Detectors of one class, last in the name of a first stage"),
        ("system", "Systems, before the names of a detector and, after a plus, of a classifier"),
    ):
        lines += [f"### {title}", "", *_head("word", "meaning", "example", "also", "function")]
        for word, entry in config.models.items():
            if entry["kind"] == kind:
                given = [f"{name} = {value}" for name, value in entry.get("parameters", {}).items()]
                lines.append(
                    _cells(
                        f"`{word}`",
                        "; ".join([entry["summary"], *given]),
                        f"`{entry.get('example', word)}`",
                        ", ".join(f"`{alias}`" for alias in entry.get("aliases", [])),
                        f"`{entry['function'].removeprefix('opchar.models.')}`",
                    )
                )
        lines.append("")
    return lines


def _tables(numbers: pd.DataFrame, prose: dict[str, Any]) -> list[str]:
    lines = _published()
    said: list[str] = []
    far: list[str] = []
    ratios = []
    for table in SETS:
        of_two, spread = table == "2.2", table.startswith("3")
        heads = ["data", "model", "error, printed", "ours", "z"]
        heads += ["AUC, printed", "ours", "z"] * of_two + ["z, spread of a mean"] * spread
        heads += ["whole AUC, ours"] + ["share of all objects"] * (table == "4.8")
        said += ["", f"### Table {table}", "", prose["notes"][table], "", *_head(*heads)]
        for row in [row for row in printed_rows(lines) if row.table == table]:
            found = numbers[(numbers["table"] == table) & (numbers["row"] == row.row)].iloc[0]
            cells, z = _beside(lines, row, ERRORS[table], found, "error")
            off = [("error", z)]
            if of_two:
                more, z = _beside(lines, row, "AUC", found, "area")
                cells += more
                off.append(("AUC", z))
            if spread:
                std = float(_printed(lines, row, ERRORS[table])["std"]) / row.factor
                error = math.hypot(found["error std"] / math.sqrt(found["n"]), std)
                off_by = found["error"] - _printed_error(lines, row)
                cells.append("" if math.isnan(z) else f"{off_by / error:+.1f}")
                if not math.isnan(z):
                    ratios.append(std / found["error std"])
            cells.append(f"{found['whole']:.3f}")
            if table == "4.8":
                share, std = 100 * found["objects"], 100 * found["objects std"]
                cells.append(f"{share:.2f} ({std:.2f})")
            said.append(_cells(row.title, row.model, *cells))
            beyond = [f"{what} z = {value:+.1f}" for what, value in off if abs(value) > 2]
            if beyond:
                reason = prose["looked for"][f"{table} {row.row}"]
                far.append(
                    f"- **Table {table}, {row.title}, {row.model}** ({', '.join(beyond)}). {reason}"
                )
    said += ["", prose["spreads"].format(ratio=f"{np.median(ratios):.2f}")]
    return [*said, "", "### Far off, and what was looked for", "", prose["far"], "", *far]


def _beside(
    lines: pd.DataFrame, row: Row, column: str, found: pd.Series, measure: str
) -> tuple[list[str], float]:
    """Return the cells of a printed number and ours, and z; NaN where they do not compare."""
    line = _printed(lines, row, column)
    mean, std = row.factor * found[measure], row.factor * found[f"{measure} std"]
    digits = len(line["value"].partition(".")[2])
    printed = line["value"] + (f" ({line['std']})" if line["std"] else "")
    cells = [printed, f"{mean:.{digits}f} ({std:.{digits}f})"]
    if found["data"].startswith(STAND_IN) or row.data in UNKNOWN:
        return [*cells, "not comparable"], math.nan
    judged = judge_number(line["value"], mean, printed_std=line["std"], std=std, n=int(found["n"]))
    z = re.search(r"z = ([+-][\d.]+)", judged.reason)
    if z is None:
        raise ValueError(f"no z in '{judged.reason}'")
    return [*cells, f"{float(z[1]):+.1f}"], float(z[1])


def _printed_error(lines: pd.DataFrame, row: Row) -> float:
    """Return the printed error as a share."""
    return float(_printed(lines, row, ERRORS[row.table])["value"]) / row.factor


def _published() -> pd.DataFrame:
    return read_lines(folders("landgrebe2007"))


def _printed(lines: pd.DataFrame, row: Row, column: str) -> pd.Series:
    here = (lines["artefact"] == f"table-{row.table}") & (lines["row"] == row.row)
    return lines[here & (lines["column"] == column)].iloc[0]


def _cells(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _head(*names: str) -> list[str]:
    return [_cells(*names), _cells(*["---"] * len(names))]


def words() -> str:
    """Return the words of ``config/models.yaml`` as the package has them."""
    return json.dumps(read_yaml(ROOT / "config/models.yaml"), indent=1, ensure_ascii=False) + "\n"


def main() -> None:
    """Write the words, and the numbers before them when asked to."""
    parser = argparse.ArgumentParser(description="Write the words of model names.")
    parser.add_argument("--train", action="store_true", help="train every model anew first")
    config = load(ROOT)
    if parser.parse_args().train:
        numbers = trained(config, printed_rows(_published()))
        numbers.to_csv(NUMBERS, index=False, float_format="%.6g")
    WORDS.write_text(words(), encoding="utf-8")


if __name__ == "__main__":
    main()
