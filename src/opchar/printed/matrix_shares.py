"""Shares and sums beside the counts of a printed matrix, in brackets or in lines below them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from opchar.printed.numbers import Printed

# Row, column, printed number, and the count and the whole of which it is the share; 1 for a sum.
Beside = tuple[str, str, Printed, tuple[int, int]]
_SHARE = re.compile(r"(?<![\d.,/])(\d+)\s*[(\[]\s*(\d*\.?\d+\s*%?)\s*[)\]]")
_SHARE_FIRST = re.compile(r"(?<![\d.,/])(\d*\.?\d+\s*%)\s*[(\[]\s*(?:n\s*=\s*)?(\d+)\s*[)\]]")
# How a line of shares below counts begins, if it has a name.
_NAMED = re.compile(r"\s*(?:%|percent|row|col|tot|pct|prop)", re.IGNORECASE)
_DECIMAL = re.compile(r"\d*\.\d+%?")


def without_shares(lines: Sequence[str]) -> tuple[list[str], dict[int, list[list[str]]]]:
    """Return lines of counts without their shares, and these by the number of the line."""
    bare, apart, at = list[str](), dict[int, list[list[str]]](), -1
    for number, line in enumerate(lines):
        if "&" in line:  # a row of LaTeX
            line = re.sub(r"\\\\.*|\\hline|\\(?=%)", "", line).replace("&", "|")
        text = _SHARE_FIRST.sub(r"\2 (\1)", line)
        if len(found := _SHARE.findall(text)) > 1:
            at, line = number, _SHARE.sub(r"\1", text)
            apart[number] = [[share for _, share in found]]
        elif at >= 0 and (below := _shares_below(line)):
            apart.setdefault(at, []).append(below)
            line = "|"
        elif re.search(r"\d", line):
            at = number if len(re.findall(r"(?<![\d.])\d+(?![\d.])", line)) > 1 else -1
        bare.append(line)
    return bare, apart


def _shares_below(line: str) -> list[str]:
    """Return the shares of a line without counts, that has no name or says of what they are."""
    words = line.replace("|", " ").replace(" %", "%").split()
    found = [word for word in words if _DECIMAL.fullmatch(word)]
    name = " ".join(words[: len(words) - len(found)])
    alone = words[len(words) - len(found) :] == found and not re.search(r"\d", name)
    return found if alone and (not name or _NAMED.match(name)) else []


def shares_of(
    apart: Sequence[Sequence[Sequence[str]]],
    counts: Sequence[Sequence[int]],
    rows: Sequence[str],
    columns: Sequence[str],
) -> tuple[Beside, ...]:
    """Return the shares of counts, each of its row, its column or all: as most of a kind fit.

    Those of totals, beside and below, may be of another whole than those of the counts.
    """
    size, found = len(counts), list[Beside]()
    whole = [[*row, sum(row)] for row in counts]
    whole += [list(map(sum, zip(*whole, strict=True)))]
    rows, columns = [*rows, "Total"], [*columns, "total"]
    for kind in range(min(map(len, apart[:size]), default=0)):
        texts = [row[kind] if kind < len(row) else [] for row in apart]
        if any(len(row) < size for row in texts[:size]):
            continue
        percent = any("%" in text or float(text) > 1 for row in texts for text in row)
        cells = [
            (i, j, Printed(text.strip("% "), "", percent))
            for i, row in enumerate(texts[: size + 1])
            for j, text in enumerate(row[: size + 1])
        ]
        wholes = {
            (i, j): {"row": whole[i][size], "column": whole[size][j], "all": whole[size][size]}
            for i, j, _ in cells
        }
        fits = {
            (i, j): [of for of, n in wholes[i, j].items() if _fits(share, (whole[i][j], n))]
            for i, j, share in cells
        }
        inner = [of for (i, j), own in fits.items() if max(i, j) < size for of in own]
        best = max(("row", "column", "all"), key=inner.count)
        for i, j, share in cells if 2 * inner.count(best) > size**2 else ():
            of = best if best in fits[i, j] or max(i, j) < size else (*fits[i, j], "all")[0]
            name = f"{columns[j]} (share of {'all' if of == 'all' else f'its {of}'})"
            found.append((rows[i], name, share, (whole[i][j], wholes[i, j][of])))
    return tuple(found)


def shares_behind(
    lines: Sequence[str], counts: Sequence[Sequence[int]], names: Sequence[str]
) -> tuple[Beside, ...]:
    """Return the shares of rows that are right, or wrong, where they stand last in lines."""
    rows = [line for line in lines if re.search(r"\d", line)]
    last = [re.findall(r"(?<!\S)\d*\.\d+%?(?!\S)", line.replace("|", " "))[-1:] for line in rows]
    right = [(row[k], sum(row)) for k, row in enumerate(counts)]
    right.append((sum(one for one, _ in right), sum(all_ for _, all_ in right)))
    texts = [text for own in last[: len(counts)] for text in own]
    if len(texts) < len(counts):
        return ()
    percent = any("%" in text or float(text) > 1 for text in texts)
    shares = [Printed(own[0].strip("%"), "", percent) for own in last if own]
    wrong = [(n - one, n) for one, n in right]
    best = max((right, wrong), key=lambda of: sum(map(_fits, shares, of)))
    name = f"{'right' if best is right else 'wrong'} (share of its row)"
    fits = sum(map(_fits, shares, best))
    rows = [*names, "Total"]
    return tuple(
        (label, name, share, of) for label, share, of in zip(rows, shares, best, strict=False)
    ) * (0 < len(shares) <= 2 * fits)


def sums_of(
    totals: Sequence[Sequence[int]], counts: Sequence[Sequence[int]], columns: Sequence[str]
) -> tuple[Beside, ...]:
    """Return totals in a row below counts with the sums that they should be, if some are not."""
    sums = list(map(sum, zip(*counts, strict=True)))
    sums += [sum(sums)]
    names = [*columns, "all"]
    return tuple(
        ("Total", f"{name} (sum)", Printed(str(total)), (own, 1))
        for row in totals
        if len(row) in (len(counts), len(names)) and row != sums[: len(row)]
        for name, total, own in zip(names, row, sums, strict=False)
    )


def _fits(printed: Printed, of: tuple[int, int]) -> bool:
    low, high = printed.limits(percent=printed.percent)
    return bool(of[1]) and low * of[1] <= of[0] <= high * of[1]
