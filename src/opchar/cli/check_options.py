"""The options of `opchar check`."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from opchar.typed import typed_number, typed_whole


def add_check_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `opchar check`."""
    parser.add_argument("table", help="CSV, or text copied from a PDF or a page; '-' reads stdin")
    parser.add_argument("--positives", type=typed_whole, help="objects of the positive class")
    parser.add_argument("--negatives", type=typed_whole, help="objects of the negative class")
    parser.add_argument("--objects", type=typed_whole, help="objects of both classes")
    parser.add_argument("--classes", type=_sizes, help="of C classes: objects, as in 50,50,20")
    parser.add_argument("--folds", type=typed_whole, help="test folds")
    parser.add_argument("--folding", choices=["stratified", "unknown"], help="how they were dealt")
    parser.add_argument(
        "--parts", type=_parts, help="folds or data sets: positives+negatives, as in 52+94,74+37"
    )
    rates = "rows are rates of a confusion matrix of the classes"
    parser.add_argument("--confusion", action="store_const", const=True, help=rates)
    parser.add_argument(  # an old option that states the default
        "--no-confusion", dest="confusion", action="store_const", help=argparse.SUPPRESS
    )
    parser.add_argument("--averages", choices=["pooled", "fold-means"])
    parser.add_argument("--rounding", choices=["nearest", "cut"], help="of the last digit")
    parser.add_argument("--unit", choices=["fraction", "percent"], help="of all scores")
    parser.add_argument("--average", choices=["class", "macro", "weighted", "micro"])
    parser.add_argument("--of-class", choices=["positive", "negative"], help="whose F it is")
    parser.add_argument("--f", choices=["mean of F", "F of means"], help="of means over folds")
    parser.add_argument("--spread", choices=["sd", "se"], help="what stands after ±")
    parser.add_argument("--sd", choices=["sample", "population"])
    parser.add_argument("--test", choices=["unpaired", "paired"], help="the test of a column t")
    parser.add_argument("--most-objects", type=typed_whole, help="of sizes that are not known")
    parser.add_argument("--seconds", type=typed_number, help="limit of each search, 10")
    parser.add_argument("--taken", type=Path, help="CSV of column,taken for,unit: corrections")
    parser.add_argument("--infer", action="store_true", help="try what is not stated, too")
    parser.add_argument("--json", action="store_true", help="print the answers as JSON")
    parser.add_argument("--page", type=Path, help="write a page there")
    parser.add_argument(
        "--fail-on",
        choices=["impossible", "not-decided"],
        help="exit status 1 if a row is impossible (or, too, not decided)",
    )


def _parts(text: str) -> tuple[tuple[int, int], ...]:
    found = re.findall(r"(\d+)\+(\d+)", text)
    if ",".join("+".join(pair) for pair in found) != text or not found:
        raise argparse.ArgumentTypeError(f"'{text}' is not as in 52+94,74+37")
    return tuple((int(p), int(n)) for p, n in found)


def _sizes(text: str) -> tuple[int, ...]:
    try:
        found = tuple(typed_whole(part) for part in text.split(","))
    except argparse.ArgumentTypeError:
        raise argparse.ArgumentTypeError(f"'{text}' is not as in 50,50,20") from None
    if len(found) < 2 or min(found) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not two or more sizes from 1")
    return found
