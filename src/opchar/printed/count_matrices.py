"""Matrices of counts among the lines that programs print: which sides and classes they have."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from opchar.printed.exact_indices import COUNTS
from opchar.printed.headings import heading_meaning
from opchar.printed.margins import Beside, shares_behind, shares_of, sums_of, without_shares

_PREDICTED = re.compile(r"predict|\bpred\b|classified|\btest\b|\btest [+-]", re.IGNORECASE)
_TRUE = re.compile(r"refer|truth|\btrue\b|actual|observ|\bobs\b|outcome|disease|gold|normal", re.I)
# Words over a matrix that tell of no side.
_ASSIGNED = re.compile(r"\b(?:c|cm|conf\w*)\s*=\s*$", re.IGNORECASE)
_UNSIDED = re.compile(
    rf"{_ASSIGNED.pattern}|\bconfusion|\bcol_0\b|\b(?:rater|reader|observer|annotator)|\bcross-?tab",
    re.IGNORECASE,
)
# Labels of the class that is looked for, and of the other one.
_POSITIVE = re.compile(
    r"(?:.*\+|pos(?:itive)?\.?|d|present|yes|abnormal|diseased?|event|1|true|cases?)", re.IGNORECASE
)
_WHOLE = re.compile(r"(?<![\d.])\d+(?![\d.])")
_SIDE = re.compile(
    r"\s*(?:pred(?:ict\w*)?|reference|truth|actual|obs(?:erved)?|classified)\b", re.I
)
# Labels of which either may be the positive class.
_UNSURE = re.compile(r"[01]|true|false|yes|no|event", re.IGNORECASE)
_ACTUAL = re.compile(r"actual|observ|disease|normal|truth|true\s+\w", re.IGNORECASE)
_OF_TRUE = re.compile(r"\W*(?:true|actual|observed|reference)\b[\s:_=-]+\S", re.IGNORECASE)
_OF_ROWS = re.compile(
    r"\brows?\b\W*(?:(?:are|is|show|for|the|have|=)\W*)*(true|actual\w*|reference|observed|predict\w*)"
    r"|(true|actual|reference|observed|predicted)(?: class(?:es)?| labels?| values?)?\W*"
    r"(?:in|as|on|along|are)?\W*(?:the\W*)?rows?\b",
    re.IGNORECASE,
)
_SAS = re.compile(r"\bTable of (\S+) by (\S+)", re.IGNORECASE)
POSITIVE_CLASS = re.compile(r"'?positive'?\s*class\s*:\s*([^()]+?)\s*\)?\s*$", re.IGNORECASE)
# Longer blocks, which are no matrix, are not tried again from their second row.
_MOST_TRIED = 40
# A line with a score.
_SCORE = re.compile(r"(?<![\w(.])(?:0?\.\d+|1\.0+|\d+(?:\.\d+)?\s?%)(?![\w)])")
# Signs of which rules between lines consist.
_RULED = " |+-─:\t"


@dataclass(frozen=True)
class Matrix:
    """Counts by true and predicted class, and whether positive class and sides are certain."""

    labels: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]
    positive: str | None = None
    certain: bool = False
    sided: bool = True
    beside: tuple[Beside, ...] = ()

    @property
    def total(self) -> int:
        """The number of all objects."""
        return sum(map(sum, self.counts))

    def of_class(self, label: str) -> dict[str, int]:
        """Return the four counts of a class against the rest."""
        at = self.labels.index(label)
        tp, fn = self.counts[at][at], sum(self.counts[at]) - self.counts[at][at]
        fp = sum(row[at] for row in self.counts) - tp
        return {"tp": tp, "fn": fn, "fp": fp, "tn": self.total - tp - fn - fp}

    def numbers(self) -> Iterator[str]:
        """Yield the labels, the counts and their sums, the shares and what else stands beside."""
        columns = list(map(sum, zip(*self.counts, strict=True)))
        sums = (*columns, *map(sum, self.counts), sum(columns))
        yield from (*self.labels, *map(str, sums), *(str(n) for row in self.counts for n in row))
        yield from (share.text for _, _, share, _ in self.beside)

    def readings(self) -> tuple[Matrix, ...]:
        """Return the matrix and, if its sides are not certain, that with the sides exchanged."""
        turned = replace(self, counts=tuple(zip(*self.counts, strict=True)))
        return (self,) if self.sided else (self, turned)


def take_matrix(lines: list[str]) -> tuple[Matrix | None, list[str]]:
    """Return the first matrix of counts among lines, and the lines without it and its repeats.

    A block of rows with as many whole numbers as rows is one if words around it name a side or call
    it a confusion matrix. It is one, too, if its rows have the names of its columns.
    """
    if (found := _first_matrix(lines)) is None:
        return None, lines
    matrix, start, end = found
    again, below = take_matrix(lines[end:])
    below = below if again == matrix else lines[end:]
    return matrix, [*lines[:start], *below]


def sections_of(lines: list[str]) -> list[list[str]]:
    """Return lines by the unlike matrices that they print, each with its title and its scores."""
    places, at = list[tuple[Matrix, int, int]](), 0
    while found := _first_matrix(lines[at:]):
        if not places or found[0] != places[-1][0]:
            places.append((found[0], at + found[1], at + found[2]))
        at += found[2]
    if len(places) < 2:
        return [lines]
    scored = [bool(_SCORE.search("\n".join(part))) for part in (lines[: places[0][1]], lines[at:])]
    cuts = [0]
    for (_, _, end), (_, start, _) in pairwise(places):
        while start > end and not (
            _SCORE.search(lines[start - 1]) or POSITIVE_CLASS.search(lines[start - 1])
        ):
            start -= 1
        cuts.append(end if scored == [True, False] else start)
    return [lines[low:high] for low, high in zip(cuts, [*cuts[1:], len(lines)], strict=True)]


def _first_matrix(lines: list[str]) -> tuple[Matrix, int, int] | None:
    """Return the first matrix of counts, and where it begins and ends."""
    lines, apart = without_shares(lines)
    at = 0
    while at < len(lines):
        block, end = _block(lines, at)
        size = len(block)
        counted = any(heading_meaning(label) in COUNTS for label, _ in block)
        if size > 1 and not counted and all(len(row[1]) in (size, size + 1) for row in block):
            totals = []
            while end < len(lines):
                sums = list(map(int, _WHOLE.findall(re.sub(r"\.0(?=\s|$)", "", lines[end]))))
                total = _is_total(lines[end].strip(" |\t"))
                total &= len(sums) > 1 or bool(re.search("percent", lines[end], re.IGNORECASE))
                if lines[end].strip(_RULED) and not total:
                    break
                totals.append(sums)
                end += 1
            start = at
            while start > max(0, at - 4) and (
                lines[start - 1].strip() or _ASSIGNED.search("".join(lines[start - 2 : start - 1]))
            ):
                title = re.search(r"matrix|threshold", lines[start - 1], re.IGNORECASE)
                if re.search(r"\d[.,]\d", lines[start - 1]) and not title:
                    break
                start -= 1
            told = [line for line in [*lines[:start], *lines[end:]] if _OF_ROWS.search(line)]
            told += [_of_sas(m[1], m[2]) for line in lines[:at] if (m := _SAS.search(line))][-1:]
            above = [*told, *(line for line in lines[start:at] if line.strip(_RULED))]
            if lines[at].strip().startswith("[["):
                above.append("<--")  # as scikit-learn prints it: true classes in rows
            if found := _matrix(block, above):
                labels, counts, turned, sided = found
                named = next((m[1] for line in lines if (m := POSITIVE_CLASS.search(line))), None)
                own = named if named in labels else _positive(labels)
                certain = bool(own) and (own == named or not _UNSURE.fullmatch(own or ""))
                rows = [apart.get(k, []) for k in range(at, end) if _WHOLE.search(lines[k])]
                names = [
                    of if of.isdigit() else label or of
                    for (label, _), of in zip(block, labels, strict=True)
                ]
                columns = _columns(above[-1], size) if above else []
                columns = columns if len(set(columns)) == size else list(labels)
                beside = shares_of(rows, counts, names, columns)
                beside += shares_behind(lines[at:end], counts, names)
                beside += sums_of(totals, counts, columns)
                counts = tuple(zip(*counts, strict=True)) if turned else counts
                matrix = Matrix(labels, counts, own, certain, sided, beside)
                return matrix, start, end
        at = end if size > _MOST_TRIED else at + 1
    return None


def _block(lines: Sequence[str], at: int) -> tuple[list[tuple[str, list[int]]], int]:
    """Return labels and counts of the rows of a matrix that begins at a line, and its end."""
    block, end = list[tuple[str, list[int]]](), at
    while end < len(lines):
        if not lines[end].strip(_RULED):
            after = _count_row(lines[end + 1]) if end + 1 < len(lines) else None
            if not block or not (lines[end].strip() or after):
                break
        elif (row := _count_row(lines[end])) and not (block and _is_total(row[0])):
            block.append(row)
        else:
            break
        end += 1
    size = len(block)
    if all(len(row) == size + 2 and sum(row[1:-1]) == row[-1] for _, row in block):
        block = [(str(row[0]), row[1:]) for _, row in block]  # classes are numbers, totals last
    return block, end


def _of_sas(rows: str, columns: str) -> str:
    """Return in words which side the rows of a table of SAS have, by the names of its variables."""
    if _PREDICTED.search(rows) or _TRUE.search(columns):
        return "predicted in rows"
    return "true in rows" if _TRUE.search(rows) or _PREDICTED.search(columns) else "confusion"


def _is_total(label: str) -> bool:
    sides = r"(?:(?:row|col\w*|grand)[\s_.]+)?"
    return bool(re.match(rf"{sides}(?:total|sum|overall|all\b|Σ)", label, re.IGNORECASE))


def _count_row(line: str) -> tuple[str, list[int]] | None:
    """Return the label and the counts of a row of a matrix."""
    text = re.sub(r"[|│\[\],]", " ", line)
    own = re.search(r"\|\s*(\w+)\s*=\s*(.+?)\s*$", line)  # a letter for a class
    if own:
        text = text[: own.start()]
    words = text.split()
    if own is None and (side := _SIDE.match(text)):
        numbers = [int(word) for word in text[side.end() :].split() if word.isdigit()]
        named = numbers in ([*range(len(numbers))], [*range(1, len(numbers) + 1)])
        if len(numbers) < 2 or named:  # classes, in a heading
            return None
        if re.match(r"\W*\d", text[side.end() :]):
            words = [f"{words[0]} {words[1]}", *words[2:]]
    if sum(word.endswith(".0") for word in words) > 1:
        words = [word.removesuffix(".0") for word in words]
    while len(words) > 2 and re.fullmatch(r"\d+\.\d+%?|\(\S+/\S+\)", words[-1]):
        words.pop()  # the share that is right
    if re.match(r"(?:TP|FN|FP|TN|TON|TOP|POP|P|N)\(", text.strip()):
        return None  # as pycm prints the counts of classes
    first = len(words)
    while first and words[first - 1].isdigit():
        first -= 1
    if first == len(words):
        return None
    return (own[2] if own else " ".join(words[:first])), [int(word) for word in words[first:]]


def _matrix(
    block: list[tuple[str, list[int]]], above: list[str]
) -> tuple[tuple[str, ...], tuple[tuple[int, ...], ...], bool, bool] | None:
    """Return labels and counts, whether columns have the true classes, whether that is certain."""
    size = len(block)
    rows = [label for label, _ in block]
    counts = [row[-size:] if len(row) == size else row[:size] for _, row in block]
    totals = [row for _, row in block if len(row) == size + 1]
    if totals and any(sum(row[:size]) != row[size] for row in totals):
        if any(rows[1:]):
            return None
        # The class is a number: it stands first.
        rows, counts = [str(row[0]) for _, row in block], [row[1:] for _, row in block]
    if any(len(row) != size for row in counts) or (sides := _sides(rows, above)) is None:
        return None
    turned, certain, head = sides
    return _labels(head, rows, size), tuple(map(tuple, counts)), turned, certain


def _sides(rows: list[str], above: list[str]) -> tuple[bool, bool, str] | None:
    """Return whether columns have the true classes, whether that is certain, and the headings."""
    head, words = above[-1] if above else "", " ".join(above)
    if re.match(r"\s*true:\s", head, re.IGNORECASE) or _PREDICTED.search(" ".join(rows)):
        return True, True, head
    if all(map(_OF_TRUE.match, rows)) and _PREDICTED.search(head):
        return False, True, head
    if any(map(_ACTUAL.search, rows)) or re.search(
        r"<--|classified as|Act/Pred|Error\s+Rate", words
    ):
        return False, True, head
    told = {True: _TRUE.search(words), False: _PREDICTED.search(words)}
    if not any(told.values()):
        named = re.sub(r"\s", "", "".join(rows))
        same = named and re.sub(r"[\s,;|│]", "", head) == named
        return (False, False, head) if same or _UNSIDED.search(words) else None
    if said := _OF_ROWS.search(words):
        return bool(_PREDICTED.match(said[1] or said[2])), True, head
    both = all(told.values())
    begins = [line.strip(" |") for line in above]
    first = next((one for one in begins if _PREDICTED.match(one) or _TRUE.match(one)), "")
    if _PREDICTED.search(first) and _TRUE.search(first):  # rows first, as in 'Observed   Predicted'
        return not _TRUE.match(first), True, head
    if re.fullmatch(r"\W*(?:actual|true|observed|truth)\W*", head, re.I) and len(above) > 1:
        return False, both, above[-2]  # the rows are named in a line of their own
    of_rows = bool(_PREDICTED.match(begins[-1]) or _TRUE.match(begins[-1]))
    if both:
        turned = bool(_PREDICTED.search(head)) or not _TRUE.search(head)
        apart = not any(_PREDICTED.search(one) and _TRUE.search(one) for one in above)
        return turned and apart, of_rows and apart, head
    # One side is named: of the rows, if the name stands before the headings of the columns.
    return bool(told[True]) != of_rows, False, head


def _labels(head: str, rows: list[str], size: int) -> tuple[str, ...]:
    """Return names of the classes: those of the rows, or of the columns where these name them."""
    named = _columns(head, size)
    if len(set(rows)) < size or "" in rows:
        return tuple(map(str, range(size)))
    if "<--" in head:
        return tuple(rows)
    plain = [re.sub(r"^(?:test|predicted|actual)\s*", "", r, flags=re.I) or r for r in rows]
    return tuple(named if len(set(named)) == size and _positive(tuple(named)) else plain)


def _columns(head: str, size: int) -> list[str]:
    """Return the names of the columns, empty where there are not as many."""
    head = re.sub(r"\s+(?:percent\w*\s+|%\s*)?correct\s*$", "", head, flags=re.IGNORECASE)
    words = [
        w for w in re.split(r"\s{2,}|[|\t]", head.strip(" |")) if w and not _is_total(w.strip())
    ]
    words = words if len(words) in (size, size + 1) else [w for w in head.split() if w != "|"]
    return words[-size:] if len(words) >= size else []


def _positive(labels: tuple[str, ...]) -> str | None:
    """Return which of two classes is the positive one, by its label."""
    found = [label for label in labels if _POSITIVE.fullmatch(label.strip())]
    return found[0] if len(labels) == 2 and len(found) == 1 else None
