"""The verdicts that a run must give: those of the offline ``quick`` profile, committed."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from opchar.errors import ConfigError, DataError
from opchar.files import read_json, write_csv
from opchar_reproduction import publication
from opchar_reproduction.report.comparison.otherwise import join_filled
from opchar_reproduction.report.comparison.published_values import Folders
from opchar_reproduction.report.comparison.verdicts import NOT_BUILT, REPRODUCED

PROFILE = "quick"
MADE_HERE = ("generator", "stand-in")
COLUMNS = ["id", "paper", "artefact", "row", "column", "verdict"]
MISSING = "missing"
RANKS = {MISSING: -1, "pending": 0}
RANKS |= dict.fromkeys(("input", "not comparable", "unavailable"), 1)
RANKS |= dict.fromkeys(("differs", "fails"), 2)
RANKS |= dict.fromkeys((*REPRODUCED, "erratum", "inconsistent"), 3)


def read_expected(folders: Folders) -> pd.DataFrame:
    """Read the expected verdicts of some works."""
    parts = [_read_table(publication.file(folder, "expected")) for folder in folders.values()]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=COLUMNS)


def _read_table(path: Path) -> pd.DataFrame:
    if not path.is_file():
        raise DataError(f"{path}: not there; restore it, or write it by 'opchar ledger --renew'")
    frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    if list(frame.columns) != COLUMNS:
        raise DataError(f"{path}: its columns must be {', '.join(COLUMNS)}; restore it")
    if unknown := sorted(set(frame["verdict"]) - (set(RANKS) - {MISSING})):
        raise DataError(f"{path}: no verdict '{unknown[0]}'; restore it")
    return frame


def write_expected(ledger: pd.DataFrame, folders: Folders) -> None:
    """Write the verdicts of a ledger as the expected ones of each work, sorted by id."""
    for key, folder in folders.items():
        of_work = ledger[ledger["paper"] == key]
        write_csv(of_work[COLUMNS].sort_values("id"), publication.file(folder, "expected"))


def compare(ledger: pd.DataFrame, expected: pd.DataFrame) -> pd.DataFrame:
    """Return the lines whose verdict is not the expected one.

    Returned: `COLUMNS` without ``verdict``, then ``expected``, ``verdict``, ``reason`` and
    ``change``: - ``worse``: from ``agrees`` or ``holds`` to anything else; from a reproduced or
    explained line (``erratum``) to a compared one (``differs``, ``fails``); from a compared to one
    that cannot be compared (``not comparable``, ``unavailable``); from any of these to ``pending``;
    or a removed line; - ``better``: the other way round, and from ``agrees otherwise`` to
    ``agrees``; - ``other``: between verdicts of one rank, and new lines.
    """
    names = COLUMNS[:-1]
    both = expected.rename(columns={"verdict": "expected"}).merge(
        ledger[[*COLUMNS, "reason"]], on="id", how="outer", suffixes=("_", ""), sort=False
    )
    for name in names[1:]:
        both[name] = both[name].fillna(both[f"{name}_"])
    both = both.fillna({"verdict": MISSING, "expected": MISSING})
    both = both[[*names, "expected", "verdict", "reason"]].fillna("")
    different = both[both["expected"] != both["verdict"]].reset_index(drop=True)
    steps = zip(different["expected"], different["verdict"], strict=True)
    return different.assign(change=[_change(before, after) for before, after in steps])


def _change(before: str, after: str) -> str:
    if before == MISSING:
        return "other"
    if before == f"{after} otherwise":
        return "better"
    if RANKS[after] < RANKS[before] or before in REPRODUCED:
        return "worse"
    return "better" if RANKS[after] > RANKS[before] else "other"


def check(
    ledger: pd.DataFrame, folders: Folders, profile: str, provenance: Iterable[str]
) -> tuple[bool, list[str]]:
    """Compare the verdicts of a run with the expected ones.

    The expected verdicts belong to the offline run, where lines that need the data are ``not
    comparable``. With the data at hand such a line is judged, which is no regression.
    """
    _require(profile)
    different = compare(ledger, read_expected(folders))
    left_out = incomplete(ledger)
    worse = different[different["change"] == "worse"]
    listed = [
        f"worse: {_place(line)}: {line['expected']} -> {line['verdict']}: {line['reason']}"
        for line in worse.to_dict("records")
    ]
    records = left_out.to_dict("records")
    listed += [f"left out: {_place(line)}: {line['reason']}" for line in records]
    counts = different["change"].value_counts()
    better, other = int(counts.get("better", 0)), int(counts.get("other", 0))
    same = int((ledger["verdict"] != "").sum()) - int((different["verdict"] != MISSING).sum())
    listed.append(
        f"{same} verdicts as expected, {better} better, {other} other, {len(worse)} worse, "
        f"{len(left_out)} left out"
    )
    if sets := fetched_sets(provenance):
        listed.append(
            f"fetched data ({', '.join(sets)}): expected are the verdicts of an offline run"
        )
    elif better or other:
        listed.append("renew them by 'opchar ledger --renew' and look at the changes")
    return bool(len(worse) or len(left_out)), listed


def renew(ledger: pd.DataFrame, folders: Folders, profile: str, provenance: Iterable[str]) -> str:
    """Make the verdicts of an offline run the expected ones; return a line that says so."""
    _require(profile)
    if sets := fetched_sets(provenance):
        raise ConfigError(
            f"the run rests on fetched data ({', '.join(sets)}): expected are the verdicts of "
            "an offline run; renew them by 'python tools/expected.py --renew'"
        )
    write_expected(ledger, folders)
    return f"expected.csv of {', '.join(folders)}: {len(ledger)} verdicts"


def fetched_sets(provenance: Iterable[str]) -> list[str]:
    """Return the data sets of a run that came from a folder, a mirror or the network."""
    found = []
    for path in map(Path, provenance):
        if path.is_file() and read_json(path)["source"] not in MADE_HERE:
            found.append(path.parent.name)
    return found


def _place(line: Mapping[Any, str]) -> str:
    named = f"{line['id']} {line['artefact']}"
    return join_filled(named, line["row"], line["column"], between=" | ")


def _require(profile: str) -> None:
    if profile != PROFILE:
        raise ConfigError(
            f"the expected verdicts belong to profile '{PROFILE}', not to '{profile}'"
        )


def incomplete(ledger: pd.DataFrame) -> pd.DataFrame:
    """Return the pending lines of artefacts that are built: what their experiments leave out."""
    return ledger[(ledger["verdict"] == "pending") & (ledger["reason"] != NOT_BUILT)]
