"""Published values that cannot be beside others of their row, found by `opchar.printed.check`."""

import re
from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from typing import Any

import pandas as pd

from opchar.printed import Protocol, check, heading_meaning, read_table
from opchar.printed.exact_indices import exact_index

Cells = dict[str, tuple[str, str]]
_ONE_CLASS = re.compile(r"(.+)[_ ]([A-Z])")
_TRUE = re.compile(r"true ([A-Z]) \(input\)")
_AUPREC = re.compile(r"AUPREC \(([\d.]+)\)")


def impossible(values: pd.DataFrame) -> dict[str, str]:
    """Return why published values are impossible, by their ids.

    An area under precision over recall is checked beside the AUC of its column. A score or a count
    is checked beside the errors of the confusion matrix of its row, if its sizes are printed.
    """
    found = {}
    for _, artefact in values[values["kind"] == "number"].groupby(["paper", "artefact"]):
        for cells, sizes in _tables(artefact.to_dict("records")):
            for identifier, text, protocol in _cases(cells, sizes):
                answer = next(iter(check(read_table(text), protocol).values()))
                if answer.status == "impossible":
                    found[identifier] = "; ".join(answer.arithmetic)
    return found


def _tables(lines: Sequence[Mapping[Any, Any]]) -> Iterator[tuple[Cells, tuple[int, int] | None]]:
    """Yield values with their ids by heading, with the sizes of the classes where printed."""
    rows: dict[str, Cells] = {}
    classes: dict[str, int] = {}
    for line in lines:
        label, name = str(line["row"]), str(line["column"])
        value, unit = str(line["published"]), str(line["unit"])
        if true := _TRUE.fullmatch(name):
            classes[true[1]] = classes.get(true[1], 0) + int(float(value))
        name = name.replace(" (input)", "")
        if label == "AUC" or _AUPREC.fullmatch(label):
            label, name = name, label
        elif (one := _ONE_CLASS.fullmatch(name)) and heading_meaning(one[1]):
            label, name = f"class {one[2]}", one[1]
        percent = "%" * (unit in ("percent", "%"))
        rows.setdefault(label, {})[name] = (str(line["id"]), value + percent)
    for label, cells in rows.items():
        counts = [cells[name][1] for name in ("TP", "FN", "FP", "TN") if name in cells]
        positives = classes.get(label.removeprefix("class "))
        sizes = None if positives is None else (positives, sum(classes.values()) - positives)
        if sizes is None and len(counts) == 4:
            tp, fn, fp, tn = (int(float(count)) for count in counts)
            sizes = (tp + fn, fp + tn)
        yield cells, sizes


def _cases(cells: Cells, sizes: tuple[int, int] | None) -> Iterator[tuple[str, str, Protocol]]:
    """Yield tables of one value beside what is known of it, and their protocols."""
    for name, (identifier, value) in cells.items():
        if (prior := _AUPREC.fullmatch(name)) and "AUC" in cells:
            positives = round(10**6 * float(prior[1]))
            protocol = Protocol(positives, 10**6 - positives, folds=10, averages="fold-means")
            yield identifier, f"AUC,AUPREC\n{cells['AUC'][1]},{value}", protocol
        index = exact_index(heading_meaning(name) or "")
        if sizes is None or index is None or not isfinite(float(value.strip("%"))):
            continue
        errors = {other: cells[other][1] for other in ("FN", "FP") if other in cells}
        beside: dict[str, str] = errors | {name: value}
        unit: Any = "percent" if "%" in value else "fraction"
        text = ",".join(beside) + "\n" + ",".join(beside.values())
        yield identifier, text, Protocol(*sizes, unit=unit)
