"""Options of `opchar analyse`; importing them loads nothing that computes."""

from __future__ import annotations

import argparse
import json
import math
import re
from importlib.resources import files
from pathlib import Path
from typing import Literal, get_args

from opchar.typed import typed_number, typed_whole

UNITS = ("objects", "folds")
FORMATS = ("svg", "pdf", "png")
Rule = Literal["auto", "search", "theory"]
RULES: tuple[Rule, ...] = get_args(Rule)
HELP = json.loads((files("opchar.analysis") / "options.json").read_text(encoding="utf-8"))


def _add_reading(parser: argparse.ArgumentParser) -> None:
    """Add the options on how files are read."""
    add = parser.add_argument
    add("scores", nargs="*", type=Path, help=HELP["scores"])
    add("--positive", help=HELP["positive"])
    add("--label", help=HELP["label"])
    add("--fold", help=HELP["fold"])
    add("--weight", help=HELP["weight"])
    add("--id", help=HELP["id"])
    add("--scores", dest="scores_in", metavar="COLUMNS", help=HELP["scores_in"])
    add("--drop-missing", action="store_true", help=HELP["drop-missing"])
    add("--detection-limit", action="store_true", help=HELP["detection-limit"])


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `opchar analyse`."""
    add = parser.add_argument
    _add_reading(parser)
    add("--counts", dest="counted", action="store_true", help=HELP["counts"])
    add("--example", action="store_true", help=HELP["example"])
    add("--by", help=HELP["by"])
    add("--prior", type=_numbers, default=[], help=HELP["prior"])
    add("--unlabelled", action="append", type=Path, metavar="FILE", help=HELP["unlabelled"])
    add("--cost", type=_numbers, help=HELP["cost"])
    add("--threshold", type=_thresholds, default=(), help=HELP["threshold"])
    _add_promises(parser)
    add("--rule", choices=RULES, default=RULES[0], help=HELP["rule"])
    add("--alpha", type=_numbers, help=HELP["alpha"])
    add("--limit", type=_numbers, help=HELP["limit"])
    add("--costs", type=Path, help=HELP["costs"])
    _add_resampling(parser)
    _add_output(parser)


def _add_output(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--output", type=Path, help=HELP["output"])
    add("--figures", type=_formats, default=FORMATS[:1], help=HELP["figures"])
    add("--json", action="store_true", help=HELP["json"])
    add("--quiet", action="store_true", help=HELP["quiet"])
    add(
        "--fail-on",
        type=lambda text: tuple(text.upper().split(",")),
        default=(),
        metavar="CODES",
        help=HELP["fail-on"],
    )


def add_cascade_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `opchar cascade`."""
    add = parser.add_argument
    _add_reading(parser)
    add("--prior", type=_numbers, default=[], help=HELP["cascade prior"])
    add("--cost", type=_numbers, help=HELP["cascade cost"])
    add("--cost-of-asking", type=typed_number, required=True, help=HELP["cost-of-asking"])
    add("--cost-of-first", type=typed_number, default=0.0, help=HELP["cost-of-first"])
    _add_certainty(parser)
    add("--json", action="store_true", help=HELP["cascade json"])
    parser.set_defaults(unlabelled=None, counted=False, by=None)


def _add_promises(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--max-fpr", type=typed_number, help=HELP["max-fpr"])
    add("--max-fnr", type=typed_number, help=HELP["max-fnr"])
    add("--min-precision", type=typed_number, help=HELP["min-precision"])
    add("--alerts", type=_rate, help=HELP["alerts"])


def _add_certainty(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "--confidence",
        "--level",
        dest="level",
        type=typed_number,
        default=0.95,
        help=HELP["confidence"],
    )
    add("--seed", type=typed_whole, default=1, help=HELP["seed"])


def _add_resampling(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    _add_certainty(parser)
    add("--resamples", type=typed_whole, default=500, help=HELP["resamples"])
    add("--resample", choices=UNITS, default=UNITS[0], help=HELP["resample"])
    add("--folds", type=typed_whole, default=10, help=HELP["folds"])


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
