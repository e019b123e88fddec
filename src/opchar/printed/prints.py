"""Prints of programs other than tables: matrices of counts, and lines of names and values."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from opchar.printed.headings import heading_meaning
from opchar.printed.numbers import NUMBER, read_cell, read_interval
from opchar.printed.spaces import Grid, by_spaces, no_number

_PROMPT = re.compile(r"^\s*(?:##?|#>|>>>|\[1\])(?=\s|$)")
# Lines of boxes, as bars and dashes.
_BOXES = {ord(sign): "|" for sign in "│┃║"} | {
    ord(sign): "-" for sign in "─━═┌┐└┘├┤┬┴┼╒╞╘╡╪╤╧╕╛╭╮╰╯"
}
# A call in a console, and the number below it.
_CALLED = re.compile(
    r"^(?:>>>|>|In \[\d+\]:)\s*(?:\w+(?:::|\.))*(\w+)\((.*)\)\s*\n"
    rf"(?:\[1\]|Out\[\d+\]:)?\s*({NUMBER})$",
    re.MULTILINE,
)
_TIBBLE = re.compile(r"\s*(?:# A (?:tibble|data)|(?:<\w+>\s*)+$)")
_PREDICTED = re.compile(r"predict|classified|\btest\b|\btest [+-]", re.IGNORECASE)
_TRUE = re.compile(r"refer|truth|\btrue\b|actual|observ|outcome|disease|gold|normal", re.I)
# Labels of the class that is looked for, and of the other one.
_POSITIVE = re.compile(
    r"(?:.*\+|pos(?:itive)?\.?|d|present|yes|abnormal|diseased?|event|1|true|cases?)", re.IGNORECASE
)
# Headings behind a matrix: the index of the positive row, of the negative row, of the total.
_BEHIND = {"Error": ("FNR", "FPR", "Error rate"), "Correct": ("TPR", "TNR", "Accuracy")}
_WHOLE = re.compile(r"(?<![\d.])\d+(?![\d.])")
_SIDE = re.compile(r"\s*(?:predict\w*|reference|truth|actual|observed|classified)\b", re.IGNORECASE)
# Labels of which either may be the positive class.
_UNSURE = re.compile(r"[01]|true|false|yes|no|event", re.IGNORECASE)
_ACTUAL = re.compile(r"actual|observ|disease|normal|truth|true\s+\w", re.IGNORECASE)
_NAMED = re.compile(r"'?positive'?\s*class\s*:\s*(.+?)\s*$", re.IGNORECASE)
_VALUE = rf"(?:[<>]\s*)?{NUMBER}\s*%?(?:\s*(?:±|\+/-)\s*{NUMBER}\s*%?)?(?:\s*[(\[][^()\[\]]*[)\]])?"
_FRACTION = r"\d+\s*/\s*\d+\s*(?:\([^()]*\))?"
_PAIR = re.compile(
    rf"([^\W\d_][^:=,;|\n]*?|1\s*-\s*\w+|F\d[^:=,;|\n]*?|'[^'\n]+'[^:=,;|\n]*?)['\"]?\s*(?<![<>!=])[:=]\s*"
    rf"['\"]?({_FRACTION}|{_VALUE}|nan|NA|n/a)['\"]?(?=\s*(?:[,;|}}]|$)|\s+-\s|\s{{2,}}|\s+[^\W\d])",
    re.IGNORECASE,
)
_PROSE = re.compile(
    rf"([^\W\d_](?:[^\d,;|]|(?<=[fF])\d)*?)\s+(?:(?:of|was|is|were)\s+)?({_FRACTION}|{_VALUE})"
    r"(?=\s*(?:[,;.]?\s*$|[,;.]\s|[^\W\d_]))"
)
_COUNTS_FIRST = re.compile(r"([\d,]+)\s+((?:true|false)[ -](?:positive|negative)s?)\b", re.I)
_LINE = re.compile(
    rf"\s*[-*•]?\s*([^\W\d_].*?|1\s*[-−–]\s*\w+)[\s*]+((?:[<(\[]\s*)?{NUMBER}.*?)\s*$"
)
_CLASS = re.compile(r"(?:class|label)\s+([\w.-]+)\s+(\D+)|([\w\s-]+?)\(([\w.]+)\)", re.IGNORECASE)
_YARDSTICK = re.compile(
    r"\s*\d*\s*(\w+)\s+(binary|multiclass|standard|macro|micro|macro_weighted)\s+(\S+)(?:\s+\S+)?\s*$"
)
_SPLIT = re.compile(r"(train|training|val|valid|validation|test|eval)[\s_/-]+", re.IGNORECASE)


@dataclass(frozen=True)
class Matrix:
    """Counts by true and predicted class, and whether it is certain which is positive."""

    labels: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]
    positive: str | None = None
    certain: bool = False

    def of_class(self, label: str) -> dict[str, int]:
        """Return the four counts of a class against the rest."""
        at, every = self.labels.index(label), range(len(self.labels))
        tp, fn = self.counts[at][at], sum(self.counts[at]) - self.counts[at][at]
        fp = sum(self.counts[k][at] for k in every) - tp
        return {"TP": tp, "FN": fn, "FP": fp, "TN": sum(map(sum, self.counts)) - tp - fn - fp}


def without_prompts(text: str) -> list[str]:
    """Return lines without the marks that notebooks and consoles put before output."""
    lines = _CALLED.sub(_name_and_value, text.translate(_BOXES)).splitlines()
    marked = [line for line in lines if _PROMPT.match(line)]
    if 2 * len(marked) > len([line for line in lines if line.strip()]):
        lines = [_PROMPT.sub("", line) for line in lines]
    return [line for line in lines if not _TIBBLE.match(line)]


def _name_and_value(found: re.Match[str]) -> str:
    """Return a call and its value as name and value, with the average that is asked for."""
    average = re.search(r"average\s*=\s*['\"](macro|micro|weighted)", found[2])
    return f"{average[1] + ' ' if average else ''}{found[1]}: {found[3]}"


def take_matrix(lines: list[str]) -> tuple[Matrix | None, list[str]]:
    """Return the first matrix of counts among lines, and the other lines.

    A block of rows with as many whole numbers as rows is one if words around it tell which side has
    the true classes.
    """
    at = 0
    while at < len(lines):
        block, end = list[tuple[str, list[int]]](), at
        while end < len(lines):
            if not lines[end].strip(" |+-─:\t"):
                after = _count_row(lines[end + 1]) if end + 1 < len(lines) else None
                if not block or not (lines[end].strip() or after):
                    break
            elif (row := _count_row(lines[end])) and not (block and _is_total(row[0])):
                block.append(row)
            else:
                break
            end += 1
        size = len(block)
        if size > 1 and all(len(row[1]) in (size, size + 1) for row in block):
            while end < len(lines) and (
                not lines[end].strip(" |+-─:\t")
                or (_is_total(lines[end].strip(" |")) and len(_WHOLE.findall(lines[end])) > 1)
            ):
                end += 1
            start = max((k for k in range(max(0, at - 5), at) if not lines[k].strip()), default=-1)
            start = max(start + 1, at - 4, 0) if start >= at - 5 else max(at - 4, 0)
            above = [line for line in lines[start:at] if line.strip(" |+-─:\t")]
            if lines[at].strip().startswith("[["):
                above.append("<--")  # as scikit-learn prints it: true classes in rows
            if found := _matrix(block, above):
                positive = next((m[1] for line in lines if (m := _NAMED.search(line))), None)
                own = positive if positive in found[0] else _positive(found[0])
                certain = bool(own) and (own == positive or not _UNSURE.fullmatch(own or ""))
                named = Matrix(*found, own, certain)
                shares = _shares(lines[at:end], " ".join(above), named)
                return named, [*lines[:start], *shares, *lines[end:]]
        at = max(end, at + 1)
    return None, lines


def _shares(lines: Sequence[str], above: str, matrix: Matrix) -> list[str]:
    """Return, as names and values, what stands behind the rows: errors, or what is right."""
    names = next((names for word, names in _BEHIND.items() if word in above), None)
    rows = [line for line in lines if re.search(r"\d", line)]
    if names is None or matrix.positive is None or len(rows) < 2:
        return []
    order = names[:2] if matrix.labels[0] == matrix.positive else (names[1], names[0])
    found = []
    for name, line in zip((*order, names[2]), rows, strict=False):
        last = [word for word in line.split() if re.fullmatch(r"\d+\.\d+%?", word)]
        if last:
            found.append(f"{name}: {last[-1]}{' %' if 'Percentage' in above else ''}")
    return found


def _is_total(label: str) -> bool:
    return bool(re.match(r"total|sum|overall|all\b", label, re.IGNORECASE))


def _count_row(line: str) -> tuple[str, list[int]] | None:
    """Return the label and the counts of a row of a matrix."""
    text = re.sub(r"[|│\[\],]", " ", line)
    own = re.search(r"\|\s*(\w+)\s*=\s*(.+?)\s*$", line)  # a letter for a class
    if own:
        text = text[: own.start()]
    elif _SIDE.match(line):
        return None
    words = text.split()
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
) -> tuple[tuple[str, ...], tuple[tuple[int, ...], ...]] | None:
    """Return labels and counts, true classes in rows, of a block that words above it explain."""
    size, words = len(block), " ".join(above)
    rows = [label for label, _ in block]
    counts = [row[-size:] if len(row) == size else row[:size] for _, row in block]
    totals = [row for _, row in block if len(row) == size + 1]
    head = above[-1] if above else ""
    if totals and any(sum(row[:size]) != row[size] for row in totals):
        if any(label for label in rows):
            return None
        # The class is a number: it stands first.
        rows, counts = [str(row[0]) for _, row in block], [row[1:] for _, row in block]
    if any(len(row) != size for row in counts):
        return None
    if _PREDICTED.search(" ".join(rows)):
        turned = True
    elif any(map(_ACTUAL.search, rows)) or re.search(
        r"<--|classified as|Act/Pred|Error\s+Rate", words
    ):
        turned = False
    else:
        marks = [
            (m.start(), is_true)
            for p, is_true in ((_PREDICTED, 0), (_TRUE, 1))
            for line in above
            if (m := p.search(line))
        ]
        sides = {is_true for _, is_true in marks}
        if not sides:
            return None
        first = next(
            (
                line
                for line in above
                if _PREDICTED.match(line.strip(" |")) or _TRUE.match(line.strip(" |"))
            ),
            "",
        )
        both = bool(_PREDICTED.search(first)) and bool(_TRUE.search(first))
        if both:  # rows first, as in 'Observed   Predicted'
            turned = not _TRUE.match(first.strip(" |"))
        elif re.fullmatch(r"\W*(?:actual|true|observed|truth)\W*", head, re.I) and len(above) > 1:
            turned, head = False, above[-2]  # the rows are named in a line of their own
        elif len(sides) == 2:
            turned = bool(_PREDICTED.search(head)) or not _TRUE.search(head)
        else:
            turned = (1 in sides) != (
                bool(_TRUE.search(head))
                and bool(head.split()[:1])
                and bool(_TRUE.match(head.strip(" |")))
            )
    labels = _labels(head, rows, size)
    if turned:
        counts = [list(column) for column in zip(*counts, strict=True)]
    return labels, tuple(map(tuple, counts))


def _labels(head: str, rows: list[str], size: int) -> tuple[str, ...]:
    """Return names of the classes: those of the rows, or of the columns where these name them."""
    head = re.sub(r"\s+(?:percent\w*\s+|%\s*)?correct\s*$", "", head, flags=re.IGNORECASE)
    words = [w for w in re.split(r"\s{2,}|\|", head.strip(" |")) if w and not _is_total(w)]
    words = words if len(words) in (size, size + 1) else [w for w in head.split() if w != "|"]
    named = [w.strip() for w in words[-size:]] if len(words) >= size else []
    if len(set(rows)) == size and "" not in rows and not re.search("<--", head):
        plain = [re.sub(r"^(?:test|predicted|actual)\s*", "", r, flags=re.I) or r for r in rows]
        return tuple(named if len(set(named)) == size and _positive(tuple(named)) else plain)
    return (
        tuple(rows) if len(set(rows)) == size and "" not in rows else tuple(map(str, range(size)))
    )


def _positive(labels: tuple[str, ...]) -> str | None:
    """Return which of two classes is the positive one, by its label."""
    found = [label for label in labels if _POSITIVE.fullmatch(label.strip())]
    return found[0] if len(labels) == 2 and len(found) == 1 else None


def take_sections(lines: list[str]) -> tuple[list[Grid], list[str]]:
    """Return tables of indices in rows and classes in columns, and the other lines."""
    grids, rest, at = [], [], 0
    while at < len(lines):
        names = re.findall(r"Class:\s*\S+", lines[at])
        if not names and re.match(r"\s*Classes\s{2,}\S", lines[at]):
            names = [f"Class: {name}" for name in lines[at].split()[1:]]
        at += 1
        if len(names) < 2:
            rest.append(lines[at - 1])
            continue
        body = []
        while at < len(lines) and (words := lines[at].split()):
            cells = words[-len(names) :]
            body.append([" ".join(words[: -len(names)]), *cells])
            at += 1
        grids.append([["", *names], *[row for row in body if not no_number(row[1:])]])
    return grids, rest


def take_pairs(lines: list[str]) -> tuple[Grid | None, list[str]]:
    """Return a table of lines that have a name and a value each, and the other lines.

    A new row begins where a name comes again.
    """
    rows: dict[str, dict[str, str]] = {}
    current, rest, title, intervals = "", list[str](), "", _have_intervals(lines)
    first = ""
    last: tuple[str, str] | None = None
    under_heading = False
    for line in lines:
        pairs, before = _pairs_of(line, intervals)
        known = sum(len(name) for name, _ in pairs) and any(
            heading_meaning(name) or _of_class(name) for name, _ in pairs
        )
        named = [heading_meaning(cell) for cell in by_spaces([line])[0]] if line.strip() else []
        if not pairs and no_number(line.split()) and sum(map(bool, named)) > 1:
            under_heading = True
        open_ = known or re.search(r"(?<![<>!=])[:=]", line)
        if not pairs or under_heading or not open_ or _NAMED.search(line):
            found = re.search(r"\bCI\b\W*(.*)$", line)
            if last and found and (ends := read_interval(found[1])):
                row, name = last
                rows[row][name] += f" ({ends[0].text}-{ends[1].text})"
                continue
            rest.append(line)
            title = line.strip(" =:#*-") or title
            continue
        first = first or title
        again = {name for name, _ in pairs} & set(rows.get(before or current, {}))
        if len(again) > 1 or len(again) == len(pairs) or (before and before not in rows):
            current = before or title
            while current in rows:
                current += "'"
        for name, value in pairs:
            label = current
            if own := _of_class(name):
                label, name = own
            split = _SPLIT.match(name)
            if split and name[split.end() :] in {one for one, _ in pairs} | set(
                rows.get(label, {})
            ):
                label, name = f"{label or first} {split[1]}".strip(), name[split.end() :]
            rows.setdefault(label, {})
            rows[label].setdefault(name, value)
            last = (label, name)
    if first and len([label for label in rows if not label.startswith("Class: ")]) > 1:
        rows = {label or first: row for label, row in rows.items()}
    if "" in rows and any(label.startswith("Class: ") for label in rows):
        rows = {label or "overall": row for label, row in rows.items()}
    names = list(dict.fromkeys(name for row in rows.values() for name in row))
    if not any(heading_meaning(name) for name in names):
        return None, lines
    grid = [
        ["", *names],
        *[[label, *(row.get(n, "") for n in names)] for label, row in rows.items()],
    ]
    return grid, rest


def _have_intervals(lines: Sequence[str]) -> bool:
    return any(re.search(r"conf|interval|\bCI\b|lower", line, re.IGNORECASE) for line in lines)


def _of_class(name: str) -> tuple[str, str] | None:
    """Return class and index of a name like ``Precision(1.0)`` or ``Class 0 recall``."""
    if found := _CLASS.fullmatch(name.strip()):
        label, index = (found[1], found[2]) if found[1] else (found[4], found[3])
        if not heading_meaning(name) or re.fullmatch(r"[\d.]+", label):
            return (f"Class: {label}", index.strip()) if heading_meaning(index) else None
    return None


def _last_name(words: str) -> str:
    """Return the index at the end of some words."""
    parts = words.strip().split(" ")
    return next((n for k in range(len(parts)) if _is_sure(n := " ".join(parts[k:]))), "")


def _is_sure(name: str) -> bool:
    return heading_meaning(name) is not None and (len(name) > 2 or name.lower() == "f1")


def _pairs_of(line: str, intervals: bool) -> tuple[list[tuple[str, str]], str]:
    """Return names and values of a line, and the words before the first."""
    line = re.sub(
        r"\bPr\([^)]*\)(?:\s*/\s*Pr\([^)]*\))?|LR\(\+\)/LR\(-\)|\(Sens.*?\)/2", "  ", line
    )
    line = re.sub(r"[\"{}]|^\s*[-*•]\s+|\*\*", "", line)
    counts = [(m[2], m[1].replace(",", "")) for m in _COUNTS_FIRST.finditer(line)]
    if len(counts) > 1:
        said = [(_last_name(m[1]), m[2]) for m in _PROSE.finditer(_COUNTS_FIRST.sub(",", line))]
        return [*counts, *(pair for pair in said if pair[0])], ""
    if found := list(_PAIR.finditer(line)):
        name = re.split(r"\s-\s", found[0][1])[-1]
        before = line[: found[0].end(1) - len(name)].strip(" -:|,[]/'")
        pairs = [(re.sub(r"^and\s+|^.*\s-\s", "", m[1].strip(" '-")), m[2]) for m in found]
        if (one := _LINE.match(before)) and _is_sure(one[1]) and read_cell(one[2]).number:
            return [(one[1], one[2]), *pairs], ""  # as in 'Accuracy 0.894, n = 200'
        return pairs, "" if re.search(r"\d/\d|=>|==|it/s|step", before) else before
    if (row := _YARDSTICK.match(line)) and read_cell(row[3]).number:
        kind = {"binary": "", "standard": "", "macro_weighted": "weighted"}.get(row[2], row[2])
        plain = not kind or row[1] == "accuracy"
        return [(row[1] if plain else f"{kind} {row[1]}", row[3])], ""
    if prose := [m for m in _PROSE.finditer(line) if _last_name(m[1])]:
        before = prose[0][1].removesuffix(_last_name(prose[0][1])).strip()
        before = before.strip(" :") if before.endswith(":") else ""
        said = [(_last_name(m[1]), m[2]) for m in prose]
        if len(prose) > 1 or not _LINE.match(line) or ":" in prose[0][1]:
            return said, before
    if (one := _LINE.match(line)) is None:
        return [], ""
    name, rest = one[1].strip(" *|:"), re.sub(r"\s+", " ", one[2].strip())
    rest = re.sub(rf"^(\(\d+\s*/\s*\d+\)) ({NUMBER} ?%?)", r"\2 \1", rest)  # counts come first
    numbers = rest.replace("%", " ").split()
    if heading_meaning(name) is None and not re.search(r"\s{2,}", line.strip()):
        return [], ""
    if read_cell(rest).number or rest.startswith("<"):
        return [(name, rest)], ""
    if len(numbers) == 2 and rest.endswith("%") and numbers[0].isdigit():
        return [(name, f"{numbers[1]} %")], ""  # a count and its share
    if len(numbers) == 3 and intervals and not no_number(numbers):
        value, low, high = rest.split() if len(rest.split()) == 3 else numbers
        return [(name, f"{value} ({low}-{high})")], ""
    return [], ""
