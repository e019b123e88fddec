"""Lines of the ledger, chosen and written for a terminal."""

from collections.abc import Collection
from pathlib import Path

import pandas as pd

from opchar.errors import ConfigError, DataError, nearest
from opchar_reproduction.report.comparison.ledger import COLUMNS
from opchar_reproduction.report.comparison.otherwise import join_filled
from opchar_reproduction.report.comparison.outcomes import OUTCOMES
from opchar_reproduction.report.comparison.summaries import CAUSES, causes, multiple_comparisons
from opchar_reproduction.report.comparison.totals import verdicts_in_words
from opchar_reproduction.report.comparison.verdicts import MEANINGS

_HEADS = ["id", "artefact", "line", "published", "ours", "z", "verdict"]
_WIDEST = {"line": 56, "published": 34, "ours": 34}


def read_ledger(path: Path) -> pd.DataFrame:
    """Read a ledger, all columns as texts.

    Raises
    ------
    DataError
        If it is missing or of another version.
    """
    if not path.is_file():
        chosen = f" --profile {path.parts[-3]}" if path.parent.name == "report" else ""
        raise DataError(f"{path}: not made yet; make it by 'opchar run{chosen}'")
    ledger = pd.read_csv(path, dtype=str, keep_default_na=False)
    if list(ledger.columns) != COLUMNS:
        raise DataError(f"{path}: made by another version; renew it by 'opchar run'")
    return ledger


def matching_lines(
    ledger: pd.DataFrame,
    *,
    paper: str | None = None,
    artefact: str | None = None,
    outcome: str | None = None,
    verdict: str | None = None,
    cause: str | None = None,
    search: str | None = None,
) -> pd.DataFrame:
    """Return the lines that meet all given conditions."""
    lines = ledger.assign(cause=causes(ledger))
    if paper is not None:
        lines = lines[lines["paper"] == _check_known(paper, set(lines["paper"]), "work")]
    if artefact is not None:
        full = lines["paper"] + "/" + lines["artefact"]
        _check_known(artefact, {*lines["artefact"], *full}, "artefact")
        lines = lines[(lines["artefact"] == artefact) | (full == artefact)]
    for column, name, known in (
        ("outcome", outcome, OUTCOMES),
        ("verdict", verdict, MEANINGS),
        ("cause", cause, CAUSES),
    ):
        if name is not None:
            lines = lines[lines[column] == _check_known(name, known, column)]
    if search is not None:
        texts = lines.astype(str).agg(" ".join, axis="columns").str.casefold()
        for word in search.casefold().split():
            lines = lines[texts.loc[lines.index].str.contains(word, regex=False)]
    return lines


def _check_known(name: str, names: Collection[str], what: str) -> str:
    if name not in names:
        raise ConfigError(f"the ledger has no {what} '{name}'{nearest(name, sorted(names))}")
    return name


def table(lines: pd.DataFrame, *, reasons: bool = False) -> list[str]:
    """Write ledger lines as an aligned table."""
    rows = [
        [
            line["id"],
            line["artefact"],
            join_filled(line["row"], line["column"], between=" | "),
            _with_spread(line["published"], line["published_std"]),
            _with_spread(short(line["reproduced"]), short(line["std"])),
            f"{float(line['z']):+.2f}" if line["z"] else "",
            line["verdict"],
        ]
        for line in lines.to_dict("records")
    ]
    cells = [
        [_shorten(cell, _WIDEST.get(head, 60)) for head, cell in zip(_HEADS, row, strict=True)]
        for row in [_HEADS, *rows]
    ]
    widths = [max(len(row[column]) for row in cells) for column in range(len(_HEADS))]
    shown_rows = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in cells]
    if reasons:
        why = [f"    {reason}" for reason in lines["reason"]]
        shown_rows[1:] = [part for pair in zip(shown_rows[1:], why, strict=True) for part in pair]
    return shown_rows


def counts_in_words(lines: pd.DataFrame) -> str:
    """Return the counts of some ledger lines, and what chance alone gives among the random ones."""
    text = f"{len(lines)} lines: {verdicts_in_words(lines['verdict']) or 'none'}"
    if len(chance := multiple_comparisons(lines)):
        row = chance.iloc[0]
        text += (
            f"; |z| > 2 in {row['observed']} of {row['lines']} random lines, "
            f"{row['expected']:.1f} expected by chance"
        )
    return text


def short(text: str) -> str:
    """Return a number with six digits, any other text as it is."""
    try:
        return f"{float(text):.6g}"
    except ValueError:
        return text


def _with_spread(value: str, std: str) -> str:
    return f"{value} ({std})" if std else value


def _shorten(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"
