"""Whether the files of a publication's folder can be read and fit each other."""

import re
from pathlib import Path

from opchar.errors import DataError, nearest
from opchar_reproduction.publication import file
from opchar_reproduction.report.comparison import published_values
from opchar_reproduction.report.comparison.expected_verdicts import read_expected
from opchar_reproduction.report.comparison.verdicts import judge_number
from opchar_reproduction.report.proofreading.facts import FOLDER, read_decided, read_facts

KINDS = ("number", "claim", "text")


def inspect(key: str, folder: Path | str) -> None:
    """Read all files of a publication's folder, and compare what they name."""
    folders = {key: folder}
    _inspect_values(key, folder)
    for read in (
        published_values.read_leads,
        published_values.read_causes,
        published_values.read_apart,
    ):
        read(folders)
    ids = set(published_values.read_lines(folders)["id"])
    errata, expected = published_values.read_errata(folders), read_expected(folders)
    for name, found in (("errata", errata["id"]), ("expected", expected["id"])):
        lines = found[found.str.contains(rf"^{key}:\d{{4}}$")] if name == "errata" else found
        if unknown := sorted(set(lines) - ids):
            hint = nearest(unknown[0], sorted(ids))
            raise DataError(f"{file(folder, name)}: no published line '{unknown[0]}'{hint}")
    front = published_values.read_about(folder).get("front")
    labels = list(published_values.read_catalogue(folders)["artefact"])
    if front and front not in labels:
        path = file(folder, "about")
        raise DataError(f"{path}: front: '{front}' is not in the catalogue{nearest(front, labels)}")
    if (Path(folder) / FOLDER).is_dir():
        read_facts(folders)
        read_decided(folders)


def _inspect_values(key: str, folder: Path | str) -> None:
    path = file(folder, "values")
    for line in published_values.read_lines({key: folder}).to_dict("records"):
        where = f"{path}: {line['id']}"
        if not re.fullmatch(rf"{key}:\d{{4}}", line["id"]):
            raise DataError(f"{where}: an id is '{key}:' and four digits")
        if line["kind"] not in KINDS:
            raise DataError(f"{where}: kind {line['kind']!r}; write one of {', '.join(KINDS)}")
        if not line["claim" if line["kind"] == "claim" else "value"]:
            raise DataError(f"{where}: a {line['kind']} without its words or value")
        if line["kind"] == "number":
            try:
                judge_number(line["value"], 0.0, printed_std=line["std"])
            except ValueError as error:
                raise DataError(f"{where}: {error}; write it as printed") from None
