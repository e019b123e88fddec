"""The table of all indices, from which the page of indices is made."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from opchar.metrics.entry import Index
from opchar.metrics.indices import biometrics, composite, costs, multiclass, rates

MODULES = {
    "biometrics": biometrics,
    "composite": composite,
    "costs": costs,
    "multiclass": multiclass,
    "rates": rates,
}


def _entry(row: Mapping[str, Any]) -> Index:
    """Return the index of a line of the table; its function is called as it is."""
    low, high = map(float, row["range"].split(" to "))
    given = {name: row[name] for name in ("name", "symbol", "formula", "citation", "undefined")}
    function = getattr(MODULES[row["module"]], row["name"])
    return Index(
        **given,
        range=(low, high),
        depends_on_prior=row["depends_on_prior"] == "yes",
        function=function,
        of=row["of"],
    )


_LINES = (files("opchar.metrics") / "indices.csv").read_text(encoding="utf-8").splitlines()
INDICES = tuple(map(_entry, csv.DictReader(_LINES)))
