"""Real printed rows, of which the truth is known, judged by `opchar check`.

    python benchmarks/real_rows.py [--mlscorecheck] [--wrong]

The rows lie in `tests/unit/printed/corpus`: prints of programs, tables of studies and public
reports as text, and `index.csv` with the source and the truth of each row. The table by kind tells
how many were called possible, not decided or impossible, and the time. `--wrong` lists each row
that was refused though it holds, or that was not refuted. `--mlscorecheck` asks that package
(pip install mlscorecheck) the rows that it can be asked: one matrix of stated sizes.
"""

import argparse
import re
import shlex
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd

from opchar.cli.check_options import add_check_options
from opchar.printed import Protocol, check, read_table
from opchar.printed.command import read_corrections
from opchar.printed.protocol import Answer

CORPUS = Path(__file__).resolve().parents[1] / "tests/unit/printed/corpus"
THEIRS = {"tpr": "sens", "tnr": "spec", "acc": "acc", "ppv": "ppv", "npv": "npv", "f1": "f1"}


@dataclass(frozen=True)
class Judged:
    """A row of the index, the answers of its lines, and the seconds of its table."""

    row: Any
    answers: list[Answer]
    seconds: float

    @property
    def status(self) -> str:
        found = {answer.status for answer in self.answers}
        order = ("impossible", "possible", "not decided")
        return next((status for status in order if status in found), "not read")


def index() -> pd.DataFrame:
    """Return the rows, with empty cells as empty text."""
    return pd.read_csv(CORPUS / "index.csv", dtype=str, keep_default_na=False)


def stated_by(options: str) -> tuple[Protocol, dict[str, tuple[str, str]]]:
    """Return the protocol and the corrected headings that options of `opchar check` state."""
    parser = argparse.ArgumentParser()
    add_check_options(parser)
    typed = vars(parser.parse_args([*shlex.split(options), "-"]))
    names = {field.name for field in fields(Protocol)}
    stated = {k: v for k, v in typed.items() if k in names and v is not None}
    if {"folds", "parts"} & set(stated) and "averages" not in stated:
        stated["averages"] = "fold-means"
    taken = read_corrections(CORPUS / typed["taken"]) if typed["taken"] else {}
    return Protocol(**stated), taken


@cache
def answers_of(file: str, options: str) -> tuple[dict[str, Answer], float]:
    """Return the answers of a table by their labels, and the seconds that they took."""
    text = (CORPUS / file).read_text(encoding="utf-8")
    began = time.process_time()
    protocol, taken = stated_by(options)
    found = check(read_table(text, taken), protocol)
    return found, time.process_time() - began


def judged(rows: pd.DataFrame, seconds: float | None = None) -> Iterator[Judged]:
    """Yield what `opchar check` says of each row; rows of one label are taken in their order.

    Each search ends after the given seconds, or as by default.
    """
    seen: Counter[tuple[str, str, str]] = Counter()
    for row in rows.itertuples(index=False):
        limit = "" if seconds is None else f" --seconds {seconds}"
        found, spent = answers_of(row.file, row.options + limit)
        name = plain(row.row)
        same = [label for label in found if name in plain(label)]
        labels = [label for label in found if row.row in ("", label)] or (same if name else [])
        if row.row and labels:
            number = seen[row.file, row.row, row.truth]
            seen[row.file, row.row, row.truth] += 1
            labels = [same[number] if number and number < len(same) else labels[0]]
        yield Judged(row, [found[label] for label in labels], spent)


def plain(label: str) -> str:
    """Return a label without marks and blanks."""
    return re.sub(r"\W+", "", label).casefold()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mlscorecheck", action="store_true")
    parser.add_argument("--wrong", action="store_true")
    arguments = parser.parse_args()
    found = list(judged(index()))
    print("|kind|hold|possible|refused|impossible|refuted|seconds|\n|---|---|---|---|---|---|---|")
    kinds = sorted({one.row.kind for one in found})
    for kind in [*kinds, "all"]:
        print(line(kind, [one for one in found if kind in ("all", one.row.kind)]))
    if arguments.wrong:
        for one in found:
            right = one.row.truth == "holds"
            if (one.status == "impossible") == right or one.status == "not read":
                print(f"{one.row.file}, {one.row.row}: {one.status}, {one.row.truth}")
    if arguments.mlscorecheck:
        print("\n".join(theirs(found)))


def line(kind: str, found: list[Judged]) -> str:
    """Return the line of the table for one kind."""
    hold = Counter(one.status for one in found if one.row.truth == "holds")
    wrong = Counter(one.status for one in found if one.row.truth == "impossible")
    seconds = sum({one.row.file: one.seconds for one in found}.values())
    cells = [kind, hold.total(), hold["possible"], hold["impossible"]]
    cells += [wrong.total(), wrong["impossible"], f"{seconds:.2f}"]
    return f"|{'|'.join(map(str, cells))}|"


def theirs(found: list[Judged]) -> Iterator[str]:
    """Yield what mlscorecheck says of the rows that have counts and scores that it knows."""
    from mlscorecheck.check.binary import check_1_testset_no_kfold

    told: Counter[tuple[str, bool]] = Counter()
    ours: Counter[str] = Counter()
    asked, seconds = 0, 0.0
    for one in found:
        scores, counts = printed_scores(one.row), one.row.counts
        stated = "[" not in counts and one.row.proof not in ("half", "cut", "macro")
        if not scores or not stated or len(counts.split()) != 4:
            continue
        tp, fn, fp, tn = map(int, counts.split())
        if not tp + fn or not fp + tn:
            continue
        digits = min(len(text.partition(".")[2]) for text in scores.values())
        values = {name: float(Fraction(text)) for name, text in scores.items()}
        began = time.process_time()
        refuted = check_1_testset_no_kfold(
            testset={"p": tp + fn, "n": fp + tn}, scores=values, eps=0.5 * 10.0**-digits + 1e-12
        )["inconsistency"]
        seconds += time.process_time() - began
        asked += 1
        told[one.row.truth, refuted] += 1
        ours[one.status if one.row.truth == "impossible" else "holds"] += 1
    hold, refused = told["holds", False], told["holds", True]
    wrong = told["impossible", True] + told["impossible", False]
    yield f"Asked {asked} rows with their true sizes ({seconds:.0f} s), it refused {refused} of"
    yield f"{hold + refused} that hold and refuted {told['impossible', True]} of {wrong} that do"
    yield f"not; `opchar check` refuted {ours['impossible']} of these from the print."


def printed_scores(row: Any) -> dict[str, str]:
    """Return the printed scores that mlscorecheck knows, as decimal fractions with their digits."""
    found = {}
    for pair in filter(None, row.scores.split("; ")):
        name, text = pair.split(" ")
        if name not in THEIRS or "e" in text:
            continue
        text = text.replace(",", ".")
        if text.endswith("%"):
            digits = len(text[:-1].partition(".")[2]) + 2
            text = f"{float(Fraction(text[:-1]) / 100):.{digits}f}"
        found[THEIRS[name]] = text
    return found


if __name__ == "__main__":
    main()
