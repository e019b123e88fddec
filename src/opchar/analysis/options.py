"""Options of `opchar analyse`; importing them loads nothing that computes."""

from __future__ import annotations

import argparse
import math
import re
from pathlib import Path
from typing import Literal, get_args

from opchar.typed import typed_number, typed_whole

UNITS = ("objects", "folds")
FORMATS = ("svg", "pdf", "png")
Rule = Literal["auto", "search", "theory"]
RULES: tuple[Rule, ...] = get_args(Rule)


def _add_reading(parser: argparse.ArgumentParser) -> None:
    """Add the options on how files are read."""
    parser.add_argument(
        "scores",
        nargs="*",
        type=Path,
        help="CSV, Parquet or NPZ, a model each; - is stdin; a "
        "folder of Parquet, or files called part-..., are one table",
    )
    parser.add_argument(
        "--positive", help="the positive class; 1, true, yes or else the rarer of two if not given"
    )
    parser.add_argument("--label", help="column of true classes; found by usual names")
    parser.add_argument("--fold", help="column of folds; found by usual names")
    parser.add_argument("--weight", help="column of weights; found by usual names")
    parser.add_argument("--id", help="column that names objects; found by usual names")
    parser.add_argument(
        "--scores",
        dest="scores_in",
        metavar="COLUMNS",
        help="columns of scores, with commas between; with two classes, a model each",
    )
    parser.add_argument(
        "--drop-missing", action="store_true", help="skip rows with a missing class or score"
    )
    parser.add_argument(
        "--detection-limit",
        action="store_true",
        help="take cells such as <0.5 as ties below all measured values",
    )


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `opchar analyse`."""
    _add_reading(parser)
    parser.add_argument(
        "--counts",
        dest="counted",
        action="store_true",
        help="the files have columns score, positives and negatives, as a database counts them",
    )
    parser.add_argument(
        "--example", action="store_true", help="write scores of 569 samples, and analyse them"
    )
    parser.add_argument("--by", help="column of groups, such as sites, to judge one by one")
    parser.add_argument(
        "--prior", type=_numbers, default=[], help="priors in use, as in 0.02 or 0.02,0.1"
    )
    parser.add_argument(
        "--unlabelled",
        action="append",
        type=Path,
        metavar="FILE",
        help="scores of objects in use, whose prior is estimated; once for each file of scores",
    )
    parser.add_argument(
        "--cost",
        type=_numbers,
        help="costs of a false alarm and of a miss, as in 1,5; 1,1 if not given, or the costs of "
        "each object where the file has them",
    )
    parser.add_argument(
        "--threshold",
        type=_thresholds,
        default=(),
        help="threshold in use, as in 0.5; one for each model as in logistic=0.5,forest=0.4",
    )
    _add_promises(parser)
    parser.add_argument(
        "--rule",
        choices=RULES,
        default=RULES[0],
        help="how the threshold of least cost is chosen; %(default)s if not given",
    )
    parser.add_argument(
        "--alpha", type=_numbers, help="weights of precision in F; 0.5 if not given"
    )
    parser.add_argument(
        "--limit", type=_numbers, help="largest rates of an error; 0.01,0.05,0.1 if not given"
    )
    parser.add_argument("--costs", type=Path, help="more classes: CSV of costs, a row per class")
    _add_resampling(parser)
    _add_output(parser)


def _add_output(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--output", type=Path, help="folder to write to; beside the first file if not given"
    )
    parser.add_argument(
        "--figures",
        type=_formats,
        default=FORMATS[:1],
        help="formats of figures in the folder, as in svg,pdf,png; svg if not given",
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help="print all answers as JSON; write a folder only with --output",
    )
    parser.add_argument("--quiet", action="store_true", help="print nothing but errors")
    parser.add_argument(
        "--fail-on",
        type=lambda text: tuple(text.upper().split(",")),
        default=(),
        metavar="CODES",
        help="exit with status 1 if there is one of these findings, as in OPC002,OPC004",
    )


def add_cascade_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `opchar cascade`."""
    _add_reading(parser)
    parser.add_argument("--prior", type=_numbers, default=[], help="prior in use, as in 0.02")
    parser.add_argument(
        "--cost",
        type=_numbers,
        help="costs of a false alarm and of a miss, as in 1,5; 1,1 if not given",
    )
    parser.add_argument(
        "--cost-of-asking",
        type=typed_number,
        required=True,
        help="what the costly model costs an object, in the same unit",
    )
    parser.add_argument(
        "--cost-of-first",
        type=typed_number,
        default=0.0,
        help="what the cheap model costs each object; 0 if not given",
    )
    _add_certainty(parser)
    parser.add_argument("--json", action="store_true", help="print the answer as JSON")
    parser.set_defaults(unlabelled=None, counted=False, by=None)


def _add_promises(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--max-fpr", type=typed_number, help="keep the false-positive rate at or below this"
    )
    parser.add_argument(
        "--max-fnr", type=typed_number, help="keep the false-negative rate at or below this"
    )
    parser.add_argument(
        "--min-precision", type=typed_number, help="keep the precision at or above this"
    )
    parser.add_argument(
        "--alerts",
        type=_rate,
        help="keep the alerts at or below this share of all objects: 50/2000, or 0.025",
    )


def _add_certainty(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--confidence",
        "--level",
        dest="level",
        type=typed_number,
        default=0.95,
        help="of intervals and bands; %(default)s if not given",
    )
    parser.add_argument(
        "--seed", type=typed_whole, default=1, help="of all that is drawn; %(default)s if not given"
    )


def _add_resampling(parser: argparse.ArgumentParser) -> None:
    _add_certainty(parser)
    parser.add_argument(
        "--resamples",
        type=typed_whole,
        default=500,
        help="of the bootstrap; %(default)s if not given",
    )
    parser.add_argument(
        "--resample",
        choices=UNITS,
        default=UNITS[0],
        help="what the bootstrap draws; %(default)s if not given",
    )
    parser.add_argument(
        "--folds",
        type=typed_whole,
        default=10,
        help="drawn where the scores have none; %(default)s if not given",
    )


def _rate(text: str) -> float:
    """Read a share of all objects: 0.025, or 50/2000."""
    number, slash, whole = text.partition("/")
    among = typed_number(whole) if slash else 1.0
    if not among > 0 or not 0 < typed_number(number) / among < 1:
        raise argparse.ArgumentTypeError(
            f"'{text}' is no share of all objects; write 50/2000 (50 of 2,000 a day) or 0.025"
        )
    return typed_number(number) / among


def _thresholds(text: str) -> tuple[tuple[str, float], ...]:
    """Read a threshold for all models, or one for each: 0.5, or logistic=0.5,forest=0.4."""
    found = [part.rpartition("=") for part in text.split(",")]
    if len(found) > 1 and not all(equals for _, equals, _ in found):
        raise argparse.ArgumentTypeError(
            f"'{text}': give one threshold, or one for each model as in logistic=0.5,forest=0.4"
        )
    numbers = [typed_number(value) for *_, value in found]
    if not all(map(math.isfinite, numbers)):
        raise argparse.ArgumentTypeError(f"'{text}': a threshold in use is a finite number")
    return tuple((name.strip(), each) for (name, *_), each in zip(found, numbers, strict=True))


def _formats(text: str) -> tuple[str, ...]:
    """Read formats, separated by commas."""
    found = tuple(dict.fromkeys(text.split(",")))
    if not set(found) <= set(FORMATS):
        raise argparse.ArgumentTypeError(f"'{text}': give some of {','.join(FORMATS)}")
    return found


def _numbers(text: str) -> list[float]:
    """Read numbers, separated by commas; refuse a decimal comma, as in 0,02."""
    if re.fullmatch(r"0,\d*[2-9]\d*|0,0\d+", text):
        raise argparse.ArgumentTypeError(
            f"'{text}' has a decimal comma; write {text.replace(',', '.')} (commas part numbers)"
        )
    return [typed_number(part) for part in text.split(",")]
