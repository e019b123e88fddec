"""What programs print other than tables: as tables, as names with values, classes in columns."""

from __future__ import annotations

import re
from collections.abc import Iterator

from opchar.printed.count_matrices import POSITIVE_CLASS
from opchar.printed.exact_indices import COUNTS
from opchar.printed.headings import SIZES, heading_meaning
from opchar.printed.numbers import NUMBER, read_cell, read_interval
from opchar.printed.spaces import Grid, by_spaces, no_number, unlike

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
_NUMBER_FIRST = re.compile(
    rf"(\d[\d,]*(?=\s)|{NUMBER}\s?%?)\s+([^\W\d][\w -]*?)\s*(\(\d+\s*/\s*\d+\))?"
    r"(?=[,;.)]|\s+(?:and|in|for|with|on|at|but|or)\b|\s*$)"
)
_LINE = re.compile(
    rf"\s*[-*•]?\s*([^\W\d_].*?|1\s*[-−–]\s*\w+)[\s*]+((?:[<(\[]\s*)?{NUMBER}.*?)\s*$"
)
_CLASS = re.compile(r"(?:class|label)\s+([\w.-]+)\s+(\D+)|([\w\s-]+?)\(([\w.]+)\)", re.IGNORECASE)
_YARDSTICK = re.compile(
    r"\s*\d*\s*(\w+)\s+(binary|multiclass|standard|macro|micro|macro_weighted)\s+(\S+)(?:\s+\S+)?\s*$"
)
_SPLIT = re.compile(r"(train|training|val|valid|validation|test|eval)[\s_/-]+", re.IGNORECASE)
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
    if not two:
        yield from lines
        return
    sets = {k: of for k, (_, of) in two.items() if of}
    names = list(dict.fromkeys(name for own, _ in two.values() for name in own))
    for number, row in enumerate(grid):
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
    current, rest, title = "", list[str](), ""
    intervals = any(re.search(r"conf|interval|\bCI\b|lower", one, re.IGNORECASE) for one in lines)
    first = ""
    last: tuple[str, str] | None = None
    under_heading, labelled = False, 0
    for line in lines:
        line = re.sub(r"(?<=\S)\s*\(positive class: [^()]*\)", "", line)
        pairs, before = _pairs_of(line, intervals)
        known = any(heading_meaning(name) or _of_class(name) for name, _ in pairs)
        named = [heading_meaning(cell) for cell in by_spaces([line])[0]] if line.strip() else []
        if not pairs and no_number(line.split()) and sum(map(bool, named)) > 1:
            under_heading = True
        open_ = known or re.search(r"(?<![<>!=])[:=]", line)
        if not pairs or under_heading or not open_ or POSITIVE_CLASS.search(line):
            found = re.search(r"\bCI\b\W*(.*)$", line)
            if last and found and (ends := read_interval(found[1])):
                row, name = last
                rows[row][name] += f" ({ends[0].text}-{ends[1].text})"
                continue
            rest.append(line)
            title = line.strip(" =:#*-") or title
            continue
        first = first or title
        labelled += bool(before)
        if labelled > 1 and not before:
            current = "overall"  # below lines of classes or models with names of their own
        again = {name for name, _ in pairs} & set(rows.get(before or current, {}))
        if len(again) > 1 or len(again) == len(pairs) or (before and before not in rows):
            current = unlike(before or title, rows)
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
    for own_row in rows.values():
        if total := own_row.get("Total Number of Instances"):  # Weka has counts of them
            own_row |= {n: v.replace("of all)", f"of {total})") for n, v in own_row.items()}
    names = list(dict.fromkeys(name for row in rows.values() for name in row))
    if not any(heading_meaning(name) for name in names):
        return None, lines
    grid = [
        ["", *names],
        *[[label, *(row.get(n, "") for n in names)] for label, row in rows.items()],
    ]
    return grid, rest


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
    found = next((n for k in range(len(parts)) if _is_sure(n := " ".join(parts[k:]))), "")
    return found.strip(" (=:")


def _is_sure(name: str) -> bool:
    return heading_meaning(name) is not None and (len(name) > 2 or name.lower() == "f1")


def _is_told_behind(line: str, found: re.Match[str]) -> bool:
    """Tell whether an index is named behind a number, and none directly before it."""
    before = line[: found.start()].rstrip()
    sized = heading_meaning(found[2]) in SIZES
    return _is_sure(found[2]) and not sized and not (before[-1:].isalpha() and _last_name(before))


def _pairs_of(line: str, intervals: bool) -> tuple[list[tuple[str, str]], str]:
    """Return names and values of a line, and the words before the first."""
    line = re.sub(
        r"\bPr\([^)]*\)(?:\s*/\s*Pr\([^)]*\))?|LR\(\+\)/LR\(-\)|\(Sens.*?\)/2", "  ", line
    )
    line = re.sub(r"[\"{}]|^\s*[-*•]\s+|\*\*", "", line)
    first = [m for m in _NUMBER_FIRST.finditer(line) if _is_told_behind(line, m)]
    if len(first) > 1:
        rest = _NUMBER_FIRST.sub(lambda m: "," if _is_told_behind(line, m) else m[0], line)
        said = [(_last_name(m[1]), m[2]) for m in _PROSE.finditer(rest)]
        pairs = [(m[2], f"{m[1].replace(',', '')} {m[3] or ''}".strip()) for m in first]
        return [*pairs, *(pair for pair in said if pair[0])], ""
    found = list(_PAIR.finditer(line))
    prose = [m for m in _PROSE.finditer(line) if _last_name(m[1])]
    if prose and all(heading_meaning(m[1].split()[-1].strip("( '")) in SIZES for m in found):
        found = []  # sizes beside scores in a sentence, which are told elsewhere
    if found:
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
    if prose:
        before = line[: prose[0].end(1)].removesuffix(_last_name(prose[0][1])).strip()
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
        return [(name, f"{numbers[1]} % ({numbers[0]} of all)")], ""  # a count and its share
    if len(numbers) == 3 and intervals and not no_number(numbers):
        value, low, high = rest.split() if len(rest.split()) == 3 else numbers
        return [(name, f"{value} ({low}-{high})")], ""
    return [], ""
