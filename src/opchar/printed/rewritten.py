"""Prints whose headings do not stand above their columns, written as plain tables."""

from __future__ import annotations

import re
from collections.abc import Iterator

from opchar.printed.exact_indices import COUNTS
from opchar.printed.headings import heading_meaning
from opchar.printed.numbers import NUMBER
from opchar.printed.units import SIZES

_CTABLE = re.compile(
    r"^.*\bEvent\s+Event\s+Event\s+Event\s+Correct\s+tivity\s+ficity\s+(POS|Pred)\s+\S+\s*$",
    re.MULTILINE,
)
_CTABLE_NAMES = "Prob  TP  TN  FP  FN  Correct rate  Sensitivity  Specificity  "
_SPSS_AREA = re.compile(
    r"Area Under the (?:ROC )?Curve\s*\n(?:.*:.*\n)?\s*(Test Result\D*?(?:\t| {2,}))?Area\b.*\n"
    r"(?:\s*Lower Bound.*\n)?",
    re.IGNORECASE,
)
_SEVERAL = re.compile(rf"\s*{NUMBER}\s*%?(?:\s*/\s*{NUMBER}\s*%?){{1,4}}\s*")
_ARRAY = r"array\((\[[^\]]*\])(?:,[^()]*)?\)"
_FOUR = re.compile(rf"\(\s*{_ARRAY},\s*{_ARRAY},\s*{_ARRAY},\s*{_ARRAY}\s*\)")
_OF_FOLDS = re.compile(rf"^\s*\d+\s+(\w+)\s+(?:binary|macro|multiclass)\s+({NUMBER})\s", re.M)
_NAMED = re.compile(rf"\s*([^\W\d][^|]*?)\s*[:=]?\s+({NUMBER}\s*%?)\s*")
_METRICS = re.compile(r"\b(?:Box|Mask|Pose)\(P\b")
# As RapidMiner prints a mean over folds, the value of all objects, and the class it is of.
# A matrix in one line, and sizes in brackets after the name of their set.
_LIST = re.compile(r"^([^\[\n]*)(\[\[[\d, ]+\](?:,?[ ]*\[[\d, ]+\])+\])[ ]*$", re.MULTILINE)
_OF_SET = re.compile(
    r"^[^()=\d\n]*\b(?:test|validation|hold-?out|external|cohort)\b[^()=\d\n]*"
    r"\((n\s*=\s*\d+(?:\s*[,;]\s*prevalence\s*[=:]?\s*[\d.]+\s*%?)?)\)[ ]*[:.]?[ ]*$",
    re.MULTILINE | re.IGNORECASE,
)
_POOLED = re.compile(
    rf"{NUMBER}\s*%?\s*(?:\+/-|±)\s*{NUMBER}\s*%?\s*\(micro(?: average)?:\s*({NUMBER}\s*%?)\s*\)"
)


def as_table(text: str) -> str:
    """Return a text in which some prints of SAS, SPSS, R, Python and YOLO are plain tables.

    A column of several scores such as F1/Accuracy becomes several.
    """
    if found := _CTABLE.search(text):
        names = "PPV  NPV" if found[1] == "Pred" else "FDR  FOR"
        above = text[: found.start()].rstrip("\n").splitlines()
        kept = [line for line in above if not re.search(r"\bEvent|Incorrect|Sensi-", line)]
        text = "\n".join([*kept, _CTABLE_NAMES + names, text[found.end() :].lstrip("\n")])
    if found := _SPSS_AREA.search(text):
        below = text[found.end() :]
        below = below if found[1] else re.sub(r"^(?=\s*[\d.])", "area\t", below, flags=re.MULTILINE)
        first = "Variable\tAUC\tStd. Error\tSig.\tAUC.lower\tAUC.upper\n"
        text = text[: found.start()] + first + below
    if found := _FOUR.search(text):
        columns = [re.findall(NUMBER, part) for part in found.groups()]
        rows = [",".join(row) for row in zip(*columns, strict=False)]
        lines = [f"class {k},{row}" for k, row in enumerate(rows)]
        text = "\n".join(["class,precision,recall,f1-score,support", *lines])
    if re.search(r"\.metric\s+\.estimator\s+mean\s+n\s+std_err", text):
        text = "\n".join(f"{m[1]} = {m[2]}" for m in _OF_FOLDS.finditer(text))
    text = re.sub(r"(mAP50-95\)?):? +\d+%\|.*", r"\1", _METRICS.sub("P", text))
    text = _POOLED.sub(r"\1", text)
    text = _LIST.sub(
        lambda m: f"{m[1]}\n" + re.sub(r"\],?\s*\[", "]\n [", m[2]).replace(",", " "), text
    )
    text = _OF_SET.sub(lambda m: "\n".join(re.split(r"\s*[,;]\s*", m[1])), text)
    lines = [_names_with_numbers(line) for line in text.splitlines()]
    return "\n".join(_without_pairs(lines))


def _names_with_numbers(line: str) -> str:
    """Return a line such as ``acc 0.91 | f1 0.88`` with signs of equality."""
    cells = [_NAMED.fullmatch(cell) for cell in line.split("|")]
    named = [heading_meaning(one[1]) for one in cells if one]
    if len(cells) < 2 or len(named) < len(cells) or not any(named):
        return line
    return ", ".join(f"{one[1]} = {one[2]}" for one in cells if one)


def _without_pairs(lines: list[str]) -> Iterator[str]:
    """Yield lines in which columns of several scores that the heading names are several.

    Each data set that is named beside the scores has a line of its own.
    """
    mark = next((m for m in ("|", "\t", ";", ",") if any(m in line for line in lines)), None)
    grid = [line.split(mark) for line in lines] if mark else []
    mark = " | " if mark == "|" else mark
    at = next((k for k, row in enumerate(grid) if any(map(_pair_of, row))), len(grid))
    numbers = [row for row in grid[at + 1 :] if any(map(_parts, row))]
    two = {
        k: pair
        for k, cell in enumerate(grid[at] if numbers else [])
        if (pair := _pair_of(cell))
        if all(
            len(row) > k and (len(_parts(row[k])) == len(pair[0]) or not re.search(r"\d", row[k]))
            for row in numbers
        )
    }
    sets = {k: of for k, (_, of) in two.items() if of}
    names = list(dict.fromkeys(name for own, _ in two.values() for name in own))
    for number, row in enumerate(grid if two else []):
        cells = {k: _parts(row[k]) for k in two if k < len(row)}
        rest = [cell for k, cell in enumerate(row) if k not in two]
        if number == at:
            rest += names
        elif not any(cells.values()):
            yield (mark or "").join(row)
            continue
        label = next((k for k, cell in enumerate(row) if cell.strip()), 0)
        lines_of: dict[str, dict[str, str]] = {}
        for k, found in cells.items() if number != at else ():
            own = lines_of.setdefault(sets.get(k, ""), {})
            own |= dict(zip(two[k][0], found or [""] * len(two[k][0]), strict=True))
        for of, own in lines_of.items() or [("", {})]:
            named = [f"{c.strip()} {of}".strip() if k == label else c for k, c in enumerate(rest)]
            yield (mark or "").join([*named, *(own.get(n, "") for n in names if own)])
    yield from [] if two else lines


def _parts(cell: str) -> list[str]:
    """Return the numbers of a cell such as ``88.9/80.0/84.2``, none for other cells."""
    return re.findall(NUMBER, cell) if _SEVERAL.fullmatch(cell) else []


def _pair_of(cell: str) -> tuple[tuple[str, ...], str] | None:
    """Return the scores that a heading such as ``MRPC (F1/Acc)`` names, and the data set."""
    name = r"[^\W\d]\w*\.?"
    found = re.fullmatch(rf"\s*(.*?)[\s(\[]*({name}(?:\s*/\s*{name}){{1,4}})[)\]\s]*", cell)
    if not found or heading_meaning(found[1]):
        return None
    names = tuple(part.strip() for part in found[2].split("/"))
    meant = [heading_meaning(part) for part in names]
    sizes = {*SIZES, *COUNTS} & set(meant)
    if None in meant or len(set(meant)) < len(meant) or (sizes and sizes != set(COUNTS)):
        return None
    return names, found[1]
