"""Options of `opchar analyse` and `opchar cascade`; importing them loads nothing that computes."""

from __future__ import annotations

import argparse
import json
import math
import re
from pathlib import Path
from typing import Any, Literal, get_args

from opchar.typed import typed_number, typed_whole

UNITS = ("objects", "folds")
FORMATS = ("svg", "pdf", "png")
Rule = Literal["auto", "search", "theory"]
RULES: tuple[Rule, ...] = get_args(Rule)


def add_options(parser: argparse.ArgumentParser, command: str = "analyse") -> None:
    """Add the options of a command; those of what is asked are called as fields of `Asked`."""
    named: dict[str, Any] = {
        "path": Path, "number": typed_number, "whole": typed_whole, "rate": _rate,
        "numbers": _numbers, "different numbers": lambda text: tuple(dict.fromkeys(_numbers(text))),
        "thresholds": _thresholds, "formats": _formats, "rules": RULES, "units": UNITS,
        "codes": lambda text: tuple(text.upper().replace(" ", "").split(",")),
    }  # fmt: skip
    text = Path(__file__).with_name("options.json").read_text(encoding="utf-8")
    for option in json.loads(text):
        if command in option.pop("of").split():
            told = {key: named[option[key]] for key in ("type", "choices") if key in option}
            parser.add_argument(*option.pop("names").split(), **option | told)


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


def _numbers(text: str) -> tuple[float, ...]:
    """Read numbers, separated by commas; refuse a decimal comma, as in 0,02."""
    if re.fullmatch(r"0,\d*[2-9]\d*|0,0\d+", text):
        raise argparse.ArgumentTypeError(
            f"'{text}' has a decimal comma; write {text.replace(',', '.')} (commas part numbers)"
        )
    return tuple(map(typed_number, text.split(",")))
