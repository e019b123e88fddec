"""What the words of the report mean, as ``meanings.csv`` lists them.

It is a package, so that only what imports it depends on the list.
"""

import csv
from pathlib import Path


def meanings(kind: str) -> dict[str, str]:
    """Return the words of a kind with their meanings, in the order of the list."""
    with Path(__file__).with_name("meanings.csv").open(encoding="utf-8", newline="") as file:
        return {row["word"]: row["meaning"] for row in csv.DictReader(file) if row["kind"] == kind}
