"""What the rows of a table are: models, classes of a report, averages of others, counts of wins."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction

from opchar.printed.count_matrices import Matrix
from opchar.printed.exact_indices import COUNTS, exact_index
from opchar.printed.headings import heading_meaning
from opchar.printed.numbers import read_number
from opchar.printed.spaces import Grid

_AVERAGED = r"[\s_-]*(?:avg|average|averaged|mean)?\.?"
_KINDS = {
    "overall": re.compile(r"(?:overall )?acc(?:uracy)?|overall", re.IGNORECASE),
    "macro": re.compile(rf"(?:macro|unweighted){_AVERAGED}", re.IGNORECASE),
    "weighted": re.compile(rf"weighted{_AVERAGED}|avg\.?\s*/\s*total", re.IGNORECASE),
    "micro": re.compile(rf"micro{_AVERAGED}", re.IGNORECASE),
    "samples": re.compile(rf"samples?{_AVERAGED}", re.IGNORECASE),
    "mean": re.compile(r"(?:overall )?(?:average|avg|mean)s?(?: score)?", re.IGNORECASE),
    "wins": re.compile(
        r"(?:number of |no of |# ?)?(?:wins?|best|first places?)(?: ?count)?", re.IGNORECASE
    ),
}
SUMS = ("macro", "weighted", "micro", "samples", "mean", "wins")
_SUPPORT = re.compile(r"supp?(?:ort)?\.?", re.IGNORECASE)
_MANY = (
    r"\b([3-9]|[1-9]\d+|three|four|five|six|seven|eight|nine|ten)"
    r"[- ](?:class(?:es)?\b|way\b|categor)|\bmulti-?class"
)
_OF_TESTS = (
    r"([\d,]+) test (?:samples|images|objects)"
    r"|(?:evaluated|tested) on ([\d,]+) \w+\b(?! class)"
)
_OF_SCORES = r"(?! (?:predict|likelihood|rate|test|result|call|and \d+ negative (?:test|result)))"
_OF_NOTES = {
    "folds": r"(\d+)[\s-]*folds?\b(?! (?:higher|lower|more|less))",
    "positives": rf"([\d,]+) positives?\b{_OF_SCORES}",
    "negatives": rf"([\d,]+) negatives?\b{_OF_SCORES}",
    "objects": rf"\bn\s*=\s*([\d,]+)|([\d,]+) objects|{_OF_TESTS}",
}
# Words beside which a size is that of another set, or of repeats.
_OTHER_SIZES = (
    r"\b(train|fit|learn|develop|deriv|seed|run|repeat|repetition|bootstrap|trial|epoch|iteration"
    r"|resampl|simulat|replicat)"
)


def kind_of(label: str) -> str:
    """Return the kind that a label names, ``"row"`` for a model or a class."""
    plain = re.sub(r"[:*'$]|\s*(?:±|\+/-)\s*(?:sd|std|se)?$", "", label, flags=re.IGNORECASE)
    plain = plain.strip(" .")
    return next((k for k, pattern in _KINDS.items() if pattern.fullmatch(plain)), "row")


def kinds_of(heading: Sequence[str], body: Grid) -> dict[str, str]:
    """Return the kinds of rows; beside averages over classes, or unequal support, rows are classes.

    Averages and wins sum up at least two other rows.
    """
    labels = [row[0] for row in body]
    found = {label: kind_of(label) for label in labels}
    at = next((k for k, name in enumerate(heading) if _SUPPORT.fullmatch(name)), 0)
    if not at and _OF_CLASS.fullmatch(heading[0].strip()):
        at = _sums_at(heading, body, found)
    sizes = {row[at] for row in body if at and found[row[0]] == "row"}
    if list(found.values()).count("row") < 2:
        return {}
    overall = "overall" in found.values()
    classes = bool({"macro", "weighted", "micro", "samples"} & set(found.values()))
    classes |= bool(sizes) and (len(sizes) > 1 or overall)
    classes |= overall and {"tp", "fn"} <= set(map(heading_meaning, heading))
    if classes or any(label.startswith("Class: ") for label in labels):
        return {label: "class" if kind == "row" else kind for label, kind in found.items()}
    return {label: kind for label, kind in found.items() if kind in ("mean", "wins")}


def _sums_at(heading: Sequence[str], body: Grid, kinds: Mapping[str, str]) -> int:
    """Return the place of sizes that add up to those of the averages below them, 0 for none."""
    for at, name in enumerate(heading):
        if heading_meaning(name) not in ("objects", "positives") or not at:
            continue
        whole = [(kinds[row[0]], int(row[at])) for row in body if row[at].isdigit()]
        total = sum(size for kind, size in whole if kind == "row")
        if total and {size for kind, size in whole if kind != "row"} == {total}:
            return at
    return 0


_OF_CLASS = re.compile(
    r"(?:class|categor|label|grade|stage|type|subtype|species|entit|emotion)\w*|.*\b(?:vs\.?|versus|against)"
    r"\s+(?:the\s+)?(?:rest|all|others?)\b.*",
    re.IGNORECASE,
)


def of_classes(heading: Sequence[str], body: Grid, kinds: Mapping[str, str]) -> bool:
    """Tell whether rows may be classes against the rest, and n the objects of each alone."""
    plain = [row[0] for row in body if kinds.get(row[0], "row") == "row"]
    named = _OF_CLASS.fullmatch(heading[0].strip()) or all(map(_OF_CLASS.fullmatch, plain))
    counts = set(COUNTS) & {heading_meaning(name) for name in heading}
    return len(plain) > 1 and bool(named) and not counts


def support_heading(heading: Sequence[str], body: Grid, kinds: Mapping[str, str]) -> str | None:
    """Return the heading of the numbers of objects of each class, where precision is beside it.

    It is called support, or those of the classes add up to those of an average.
    """
    named = {heading_meaning(name) for name in heading}
    if not {"precision", "tpr"} & named or "class" not in kinds.values():
        return None
    plain = {label: "row" if kind == "class" else kind for label, kind in kinds.items()}
    support = next((name for name in heading if _SUPPORT.fullmatch(name)), None)
    at = 0 if support else _sums_at(heading, body, plain)
    return heading[at] if at else support


def with_accuracy(
    heading: list[str], body: Grid, kinds: Mapping[str, str], support: str | None
) -> tuple[list[str], Grid, dict[str, int]]:
    """Return a report with the accuracy and the number of all objects in columns of their own.

    The line of the accuracy has it under another index, as that of the averages has all objects
    under the support of a class.
    """
    if not {"overall", "class"} <= set(kinds.values()):
        return heading, body, {}
    for name in ("accuracy", "objects"):
        if name not in [heading_meaning(h) for h in heading if h != support]:
            heading = [*heading, name]
    meanings = ["" if h == support else heading_meaning(h) for h in heading]
    at = {name: meanings.index(name) for name in ("accuracy", "objects")}
    body = [[*row, *[""] * (len(heading) - len(row))] for row in body]
    own = heading.index(support) if support else None
    # Beside a micro average or one over samples an object may have several labels, or none.
    labels = bool({"micro", "samples"} & set(kinds.values()))
    stated: dict[str, int] = {}
    for row in body:
        if kinds.get(row[0], "row") in ("row", "class"):
            continue
        size = row[own] if own is not None else ""
        if re.fullmatch(r"\d+(?:\.0*)?", size.replace(",", "")):
            row[at["objects"]] = "" if labels else size
            stated |= {} if labels else {"objects": int(float(size.replace(",", "")))}
        if own is not None:
            row[own] = ""
        if kinds[row[0]] == "overall" and not row[at["accuracy"]]:
            others = [k for k, cell in enumerate(row) if k not in (0, at["objects"]) and cell]
            values = [row[k] for k in others]
            for k in others:
                row[k] = ""
            numbers = {float(one.text) if (one := read_number(cell)) else cell for cell in values}
            row[at["accuracy"]] = max(values, key=len) if len(numbers) == 1 else ""
    if "objects" not in stated and own is not None and not labels:
        sizes = [read_number(row[own]) for row in body if kinds.get(row[0]) == "class"]
        whole = [int(float(size.text)) for size in sizes if size and not float(size.text) % 1]
        stated |= {"objects": sum(whole)} if len(whole) == len(sizes) and whole else {}
    return heading, body, stated


def kinds_beside(matrix: Matrix, body: Grid) -> dict[str, str]:
    """Return the kinds of rows beside a matrix if all are its classes or sum these up."""
    labels = [row[0] for row in body]
    found = {label: "class" if label in matrix.labels else kind_of(label) for label in labels}
    return found if list(found.values()).count("class") > 1 and "row" not in found.values() else {}


def with_counts(
    heading: list[str], body: Grid, kinds: Mapping[str, str], matrix: Matrix
) -> tuple[list[str], Grid, dict[str, int]]:
    """Return rows with the four counts of a printed matrix, and its number of objects."""
    plain = [row for row in body if kinds.get(row[0], "row") == "row"]
    named = {row[0]: re.sub(r"^Class:\s*", "", row[0]) for row in body}
    of_rows = {
        label: name
        for label, name in named.items()
        if kinds.get(label, "class") == "class" and name in matrix.labels
    }
    if of_rows:
        own = [(row, of_rows[row[0]]) for row in body if row[0] in of_rows]
        fits = [
            sum(_fits(heading, row, m.of_class(of)) for row, of in own) for m in matrix.readings()
        ]
        matrix = matrix.readings()[fits.index(max(fits))]
    elif len(plain) == 1:
        matrix, positive = _fitting_class(heading, plain[0], matrix)
        of_rows = {plain[0][0]: positive} if positive else {}
    if of_rows and "tp" not in map(heading_meaning, heading):
        heading = [*heading, *map(str.upper, COUNTS)]
        counts = {label: matrix.of_class(name) for label, name in of_rows.items()}
        body = [
            [*row, *(str(counts[row[0]][n]) if row[0] in counts else "" for n in COUNTS)]
            for row in body
        ]
    several = len(matrix.labels) > 2 and not of_rows
    return (
        heading,
        body,
        {"objects": matrix.total} | ({"classes": len(matrix.labels)} if several else {}),
    )


def _fitting_class(
    heading: Sequence[str], row: Sequence[str], matrix: Matrix
) -> tuple[Matrix, str | None]:
    """Return a matrix and its positive class: as they are told, or as most scores of a row fit."""
    if len(matrix.labels) != 2 or (matrix.certain and matrix.sided):
        return matrix, matrix.positive
    readings = [
        (_fits(heading, row, reading.of_class(label)), reading, label)
        for reading in matrix.readings()
        for label in matrix.labels
        if not matrix.certain or label == matrix.positive
    ]
    most = max(fits for fits, _, _ in readings)
    best = [(reading, label) for fits, reading, label in readings if fits == most]
    if len({label for _, label in best}) > 1:
        return best[0][0], matrix.positive if most else None
    return best[0]


def _fits(heading: Sequence[str], row: Sequence[str], counts: Mapping[str, int]) -> int:
    """Return how many scores of a row four counts have."""
    found = 0
    for name, cell in zip(heading[1:], row[1:], strict=False):
        value, index = read_number(cell), exact_index(heading_meaning(name) or "")
        if value and index and index.scale == "same":
            above, below = index.ratio(**counts)
            low, high = value.limits(percent=value.percent or abs(float(value.text)) > 1)
            found += bool(below) and low <= Fraction(above, below) <= high
    return found


def sizes_told(
    notes: Sequence[str], headings: Sequence[str], labels: Sequence[str]
) -> dict[str, int]:
    """Return sizes that captions, footnotes and headings tell, each if one number is told.

    Of classes it is told whether there are at least three.
    """
    found = {}
    sentences = [part for note in notes for part in re.split(r"[.;](?=\s|$)|\n", note)]
    for name, pattern in _OF_NOTES.items():
        numbers = set()
        for sentence in sentences:
            other = name != "folds" and re.search(_OTHER_SIZES, sentence, re.IGNORECASE)
            asked = (_OF_TESTS if name == "objects" else "(?!)") if other else pattern
            told = [one for m in re.finditer(asked, sentence, re.IGNORECASE) for one in m.groups()]
            numbers |= {int(one.replace(",", "")) for one in told if one and one.strip(",")}
        if len(numbers) == 1:
            found[name] = numbers.pop()
    words = "\n".join([*notes, *headings, *labels])
    if many := re.search(_MANY, words, re.IGNORECASE):
        found["classes"] = int(many[1]) if (many[1] or "").isdigit() else 3
    of = {"tpr": "positives", "fnr": "positives", "tnr": "negatives", "fpr": "negatives"}
    told_by: dict[str, set[int]] = {}
    for heading in headings:
        size = re.search(r"\(\s*n\s*=\s*([\d,]+)\s*\)", heading, re.IGNORECASE)
        meant = (of | {"accuracy": "objects"}).get(heading_meaning(heading) or "")
        if size and meant:
            told_by.setdefault(meant, set()).add(int(size[1].replace(",", "")))
    sizes = [size for one in told_by.values() for size in one]
    # One number under several meanings is that of a whole set; several numbers are of several sets.
    for name, one in told_by.items():
        if len(one) == 1 and (name == "objects" or sizes.count(min(one)) == 1):
            found[name] = min(one)
    return found
