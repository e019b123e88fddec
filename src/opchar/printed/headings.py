"""What headings of printed tables name, by their spellings in ``headings.csv``; their units."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby
from operator import itemgetter

from opchar.printed.data import rows_of
from opchar.printed.exact_indices import COUNTS
from opchar.printed.numbers import Printed, plain_signs, read_number

SIZES = ("objects", "positives", "negatives")
ERRORS = ("mae", "rmse", "mse", "r2", "variance")
UNBOUNDED: tuple[str, ...] = (*COUNTS, *SIZES, *ERRORS, "expected_loss", "mean_subjective_utility")
UNBOUNDED += ("positive_likelihood", "negative_likelihood")
UNBOUNDED += ("diagnostic_odds_ratio", "discriminant_power")


def unit_of(name: str, taken: str, rows: Mapping[str, Mapping[str, Printed]]) -> str:
    """Say whether a column is in percent: by its sign, or because a share cannot exceed one."""
    values = [row[name] for row in rows.values() if name in row]
    if _is_unbounded(taken):
        return "fraction"
    if _says_percent(name) or all(value.percent for value in values):
        return "percent"
    unmarked = [abs(float(value.text)) for value in values if not value.percent]
    return "percent" if any(1 < value <= 100 for value in unmarked) else "fraction"


def _says_percent(name: str) -> bool:
    name = re.sub(r"\d+\s*%\s*CI", "", name)
    return "%" in name or "percent" in name.lower()


def guessed_units(
    taken: Mapping[str, str],
    rows: Mapping[str, Mapping[str, Printed]],
    corrections: Mapping[str, tuple[str, str]],
) -> tuple[str, ...]:
    """Return headings of an unstated unit, if some of their shares exceed one and some do not."""
    told = {name for name, (_, unit) in corrections.items() if unit}
    shares = [
        (name, abs(float(value.text)))
        for row in rows.values()
        for name, value in row.items()
        if not value.percent and not _says_percent(name) and name not in told
        if taken[name] and not _is_unbounded(taken[name])
    ]
    small = any(0 < value <= 1 for _, value in shares)
    if not small or not any(1 < value <= 100 for _, value in shares):
        return ()
    return tuple(dict.fromkeys(name for name, _ in shares))


def _is_unbounded(meant: str) -> bool:
    return meant in UNBOUNDED or meant.startswith("expected_cost")


_F = re.compile(
    r"f_?(?:beta )?(\d+(?:\.\d+)?)(?:[ -]?(?:score|measure))?"
    r"|f[ -]?(?:score|measure)?\s*\(?\s*(?:beta|β)\s*=\s*(\d+(?:\.\d+)?)\s*\)?"
)
_ALPHA = re.compile(r"f[_ -]?alpha[ (=]*(0?\.\d+|[01])\)?")
_COSTS = {
    "expected_cost": r"(?:expected[ _])?(?:cost|loss)",
    "normalised_expected_cost": r"(?:nec|normali[sz]ed[ _](?:expected[ _])?cost)",
}
# What stands in or behind a heading and does not change what it names.
_IDLE = re.compile(
    r"[,;]?\s*[\[(]?\b(?:n\s*/\s*n|correct\s*/\s*(?:total|all|n))\b[\])]?"
    r"|[\[(]\s*low\w*\s*[-,]\s*(?:upp|high)\w*\s*[\])]|,\s*(?:n|no\.?)\s*$"
    r"|[,;]?\s*[\[(]?\s*(?:(?:with|and)\s+)?\d+\s*%\s*(?:ci|confidence intervals?)\b\.?\s*[\])]?"
    r"|[\[(]\s*(?:ci|std|sd|mean|mean ?± ?(?:sd|std|se)|n ?= ?\d+"
    r"|[\d, -]+|[tfpn+/*×()\s\d=.-]+)\s*[\])]"
    r"|[\[(,;]?\s*(?:%|\bin percent\b|\bpercent(?:age)?\b)\s*[\])]?"
    r"|\^\{?[a-z*,]{1,3}\}?(?![a-z])|\s*@\s*(?:iou\s*=?\s*)?0?\.\d+|\bpr\([^)]*\)(?:\s*/\s*pr\([^)]*\))?|[†‡§¶*ǂ#↑↓^¹²³⁴⁵⁶⁷⁸⁹]+|(?<=\w),[a-e]\b|[:.]\s*$"
)
_AFFIX = re.compile(
    r"^binary(?=\w)|^classif\.|^(?:test|testing|val|valid|validation|eval|point)(?:_?\d+)?[\s_/-]+|[\s_-]+(?:values?|scores?|rate|index"
    r"|coefficient|statistic|estimate|measure)$"
)
# An average over classes, named before or behind the index.
_OVER = r"(macro|weighted|micro)[ -]?(?:avg\.?|averaged?)?"
_MEAN = re.compile(rf"{_OVER}[ -]([^()]+)|([^()]+?)\s*[\[(,-]\s*{_OVER}\s*[\])]?")
_OF_MEANS = {"tpr": "recall", "tnr": "specificity"}
_BRACKET = re.compile(r"(.*?)\s*[\[(](.*)[\])]\s*")
# What the numbers of a column are; no standard error of a share is large.
_KINDS: dict[str, Callable[[Sequence[float]], bool]] = {
    "whole": lambda numbers: max(numbers) > 1 and not any(n % 1 for n in numbers),
    "small": lambda numbers: max(numbers) < 0.15,
    "large": lambda numbers: min(numbers) > (0.25 if max(numbers) <= 1 else 25),
    "beyond one": lambda numbers: min(numbers) > 1 and max(numbers) <= 2,
    "share": lambda numbers: max(numbers) <= 100,
}
# Names with more than one meaning: the index (empty for no index), the names or meanings of which
# one stands beside it then, and what its values are. The first that holds is taken, or none.
# A recall rate beside sensitivity is of patients. In German Genauigkeit is accuracy or precision,
# Trefferquote the recall or the share that is right.
_SEVERAL = {
    name: [(row["index"], set(row["beside"].split()), row["values"]) for row in rows]
    for name, rows in groupby(rows_of("double_names.csv"), itemgetter("name"))
}


@cache
def known_headings() -> dict[str, list[str]]:
    """Return the spellings of each index and size, without blanks and signs."""
    return {row["index"]: row["headings"].split() for row in rows_of("headings.csv")}


@cache
def _names() -> dict[str, str]:
    """Return the index or size that each spelling names; the first in the table, if several."""
    pairs = [(own, name) for name, spellings in known_headings().items() for own in spellings]
    return dict(reversed(pairs))


@cache
def heading_meaning(heading: str) -> str | None:
    """Return the index or size that a heading names.

    A name with two meanings is the index that it may be: `read_table` looks at the others.

    Parameters
    ----------
    heading : str
        As it is printed, with footnote marks, formulas and the like.

    Returns
    -------
    str or None
        None for one that is not known.

    Examples
    --------
    >>> heading_meaning("Pos Pred Value"), heading_meaning("1 - Specificity (95% CI)")
    ('precision', 'fpr')
    """
    meant, double = _meant_by(heading)
    return meant or next((index for index, *_ in reversed(_SEVERAL.get(double, [])) if index), None)


@cache
def _meant_by(heading: str) -> tuple[str, str]:
    """Return the index or size that a heading names, or its name if that has several meanings."""
    for reading in _readings(heading):
        if meant := _meaning_of(reading):
            return meant, ""
        if (squeezed := re.sub(r"[^a-z0-9]", "", reading)) in _SEVERAL:
            return "", squeezed
    return "", ""


def settle(
    headings: Sequence[str], columns: Mapping[str, Sequence[str]]
) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return the meaning of each heading, empty for no index, and those that remain open.

    Of headings with one meaning the plain name is taken before one with two meanings, then the
    first. `columns` has the cells under each heading, row by row.
    """
    several = {h: name for h in headings if (name := double_name(h))}
    taken = {h: "" if h in several else heading_meaning(h) or "" for h in headings}
    questions = list[str]()
    for at, heading in enumerate(headings):
        same = [one for one in headings[:at] if taken[one] and taken[one] == taken[heading]]
        if any(_differ(columns[one], columns[heading]) for one in same):
            taken[heading] = ""
    if any("fb1" in heading.lower() for heading in headings):
        # As conlleval prints it: accuracy of words beside precision and recall of phrases.
        taken = {h: "accuracy_of_words" if m == "accuracy" else m for h, m in taken.items()}
    if {"accuracy", "tpr", "precision", "auc"} & set(taken.values()):
        # As Weka prints them: the errors of the probabilities of classes.
        errors = {name: f"{name}_of_probabilities" for name in ("mae", "mse", "rmse")}
        taken = {heading: errors.get(meant, meant) for heading, meant in taken.items()}
    for heading in [h for h, meant in taken.items() if meant == "youden"]:
        if "%" not in heading and _are("beyond one", columns[heading], heading, taken, columns):
            taken[heading] = ""  # as pROC prints it: sensitivity + specificity
    _tell_sums_apart(taken, columns, questions)
    for heading, name in several.items():
        others = [h for h in headings if h != heading]
        beside = {taken[h] for h in others} | {several.get(h, "") for h in others}
        beside |= {(heading_meaning(h) or "") if h in several else "" for h in others}
        options = [one for one in _SEVERAL[name] if not one[0] or one[0] not in taken.values()]
        cells = [cell for cell in columns[heading] if cell.strip()]
        for index, needed, values in options:
            if (not needed or needed & beside) and _are(values, cells, heading, taken, columns):
                taken[heading] = index
                break
        else:
            if any(index for index, _, _ in options):
                questions.append(heading)
    return taken, tuple(questions)


def _differ(one: Sequence[str], other: Sequence[str]) -> bool:
    """Tell whether two columns of one meaning have, in some row, numbers that are not the same."""
    for a, b in zip(one, other, strict=True):
        first, second = read_number(a), read_number(b)
        if a.strip() and b.strip() and (first is None) != (second is None):
            return True
        if first and second:
            (low, high), (least, most) = (n.limits(percent=n.percent) for n in (first, second))
            if high <= least or most <= low:
                return True
    return False


def double_name(heading: str) -> str | None:
    """Return the name with several meanings that a heading is, if it is one."""
    return _meant_by(heading)[1] or None


def meanings_of(heading: str) -> list[str]:
    """Return what a heading with several meanings may name."""
    found = [index for index, _, _ in _SEVERAL.get(double_name(heading) or "", ()) if index]
    return [*dict.fromkeys(found), *(["positives"] if "objects" in found else [])]


def _are(
    kind: str,
    cells: Sequence[str],
    heading: str,
    taken: Mapping[str, str],
    columns: Mapping[str, Sequence[str]],
) -> bool:
    """Tell whether the cells of a column are of a kind: small, whole, shares, sums of others."""
    numbers = [float(n) for n in map(_number, cells) if n]
    if kind in _KINDS:
        return bool(numbers) and _KINDS[kind](numbers)
    if kind == "less than":
        return any(cell.strip().startswith(("<", "≤", "&lt;")) for cell in cells)
    if kind == "part":
        return any(n % 1 for n in numbers) or any("%" in cell for cell in cells)
    parts = (set(COUNTS), {"positives", "negatives"}) if kind == "sum" else ()
    return not kind or any(_add_up(columns[heading], part, taken, columns) for part in parts)


def _tell_sums_apart(
    taken: dict[str, str], columns: Mapping[str, Sequence[str]], questions: list[str]
) -> None:
    """Drop sizes that are not sums of the four counts that stand beside them."""
    sums = {"positives": {"tp", "fn"}, "negatives": {"fp", "tn"}, "objects": set(COUNTS)}
    called = {"positives": {"tp", "fp"}, "negatives": {"fn", "tn"}}
    for heading, meant in list(taken.items()):
        if meant in sums and _add_up(columns[heading], sums[meant], taken, columns) is False:
            taken[heading] = ""
            if not _add_up(columns[heading], called.get(meant, set()), taken, columns):
                questions.append(heading)


def _add_up(
    cells: Sequence[str],
    parts: set[str],
    taken: Mapping[str, str],
    columns: Mapping[str, Sequence[str]],
) -> bool | None:
    """Tell whether cells are sums of the columns of some meanings, None where these are missing."""
    at = [next((h for h, meant in taken.items() if meant == part), None) for part in parts]
    if not parts or None in at:
        return None
    rows = zip(cells, *(columns[heading or ""] for heading in at), strict=True)
    numbers = [[_number(cell) for cell in row] for row in rows]
    whole = [[int(float(n)) for n in row if n] for row in numbers if all(row)]
    return all(total == sum(rest) for total, *rest in whole) if whole else None


def _number(cell: str) -> str | None:
    found = re.match(r"\s*(-?(?:\d+\.?\d*|\.\d+))\b", plain_signs(cell).replace(",", ""))
    return found[1] if found else None


def _readings(heading: str) -> Iterator[str]:
    """Yield a heading in small letters, then without what does not change its meaning."""
    text = " ".join(plain_signs(heading).lower().split())
    yield text
    text = re.sub(r"\s+", " ", _IDLE.sub(" ", text)).strip(" ,;:.")
    yield text
    if found := _MEAN.fullmatch(text):
        kind, name = found[1] or found[4], found[2] or found[3]
        of = _meaning_of(name) or _meaning_of(_AFFIX.sub("", name))
        yield f"{kind} {_OF_MEANS.get(of or '', of)}"
    same = {_meaning_of(part.strip()) for part in text.split("/")}
    if "/" in text and len(same) == 1 and None not in same:
        yield text.split("/")[0].strip()
    if found := _BRACKET.fullmatch(text):
        outer, inner = found[1], [part.strip() for part in re.split(r",| - |/| or ", found[2])]
        names = [_meaning_of(part) or _meaning_of(_AFFIX.sub("", part)) for part in inner]
        meant = next((one for one in names if one), None)
        if meant and (len(outer) < 4 or _meaning_of(outer) in (None, meant)):
            yield meant
        return
    for _ in range(2):
        text = _AFFIX.sub("", text, count=1)
        if len(text) > 1 and text not in _SEVERAL:
            yield text


def _meaning_of(plain: str) -> str | None:
    """Return the index or size of a heading in small letters without idle words."""
    if plain in known_headings():
        return plain
    for name, words in _COSTS.items():
        if costs := re.fullmatch(rf"{words}[ (]*(\d+)\s*:\s*(\d+)\)?", plain):
            return f"{name} {costs[1]}:{costs[2]}"
    if alpha := _ALPHA.fullmatch(plain):
        return f"f_alpha {alpha[1]}"
    squeezed = re.sub(r"[^a-z0-9+~-]", "", unicodedata.normalize("NFKD", plain))
    for spelling in (squeezed, re.sub(r"[~-]", "", squeezed)):
        if spelling in _names():
            return _names()[spelling]
    beta = _F.fullmatch(plain)
    value = (beta[1] or beta[2]) if beta else "0"
    if float(value) == 1:
        return "f1"
    return f"f_beta {value}" if float(value) > 0 else None
