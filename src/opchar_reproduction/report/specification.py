"""In which variants each statement holds."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import pandas as pd

from opchar.functions import import_function
from opchar_reproduction.report.variant_tables import SPECIFICATION
from opchar_reproduction.statements.measurements import Measurements

PRIMARY = "primary"
NOT_KEPT = "not measured under this variant"


def specification(
    entries: Mapping[str, Mapping[str, Any]],
    primary: Mapping[str, Measurements],
    others: Mapping[str, Mapping[str, Measurements]],
) -> pd.DataFrame:
    """Tell in which variants each statement holds."""

    @cache
    def measurements_by_variant(
        experiment: str, together: tuple[str, ...]
    ) -> dict[str, Measurements]:
        return dict(_with_primary_of_others(experiment, together, primary, others[experiment]))

    rows = [
        (identifier, experiment, variant, *_judge(entry, merged))
        for identifier, entry in entries.items()
        for experiment, together in _judged_on(entry)
        if experiment in others
        for variant, merged in measurements_by_variant(experiment, together).items()
    ]
    return pd.DataFrame(rows, columns=SPECIFICATION)


def _judged_on(entry: Mapping[str, Any]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the experiments of a statement, each with its companions in the judgement."""
    for name in entry["reads"]:
        yield name, tuple(entry["reads"])
    for name in entry.get("also_judged_on", []):
        yield name, (name,)


def _with_primary_of_others(
    experiment: str,
    reads: Sequence[str],
    primary: Mapping[str, Measurements],
    variants: Mapping[str, Measurements],
) -> Iterator[tuple[str, Measurements]]:
    """Yield each variant of one experiment with the primary measurements of the others."""
    rest = [primary[name] for name in reads if name != experiment]
    for variant, measured in {PRIMARY: primary[experiment], **variants}.items():
        parts = [measured, *rest]
        lines = pd.concat([part.lines for part in parts], ignore_index=True)
        frames = {name: frame for part in parts for name, frame in part.frames.items()}
        yield variant, Measurements(lines, frames)


def _judge(entry: Mapping[str, Any], measured: Measurements) -> tuple[str, str]:
    """Judge a statement; empty where it reads what is not there."""
    try:
        found = import_function(entry["function"])(measured, **entry.get("parameters", {}))
    except KeyError as error:
        return "", f"{NOT_KEPT}: {error.args[0]}"
    return "holds" if found.holds else "fails", found.evidence
