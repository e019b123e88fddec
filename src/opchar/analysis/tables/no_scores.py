"""Columns of numbers other than scores: names of rows, ranks, confidences of any class."""

from __future__ import annotations

import re
from collections.abc import Iterable
from shlex import quote

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from opchar.analysis.numbers import count_text
from opchar.analysis.tables.cells import (
    WORDS,
    cell_numbers,
    is_missing,
    label_text,
    no_number,
    words_of,
)
from opchar.analysis.tables.values import refuse_cell
from opchar.errors import ScoresError

# Whose rows may be alike, so that they are no independent objects.
REPEATING = WORDS["repeating"]
# Parts of other names that such a column has, and that it may have.
SAID = WORDS["predicted, parts"]
SCORED = {"pre", "score", "scores", "prob", "proba", "probability", "probabilities", "risk", "p"}
CALLED_PREDICTED = re.compile(
    r"(^|_)(scored_|(pgr|into|yhat|pred(s|ict(s|ed|ions?)?)?)(_|\d|$|class|label|val|prob|score))"
)
UNCLEAR = ("label", "labels", "class")
YES = WORDS["yes"]
NO = WORDS["no"]
TOTALS = re.compile(rf"(?:{'|'.join(WORDS['totals'])})(?:\s*[:(].*)?", re.I)
# Of rounding, in units of the largest score.
ROUNDED = 0.01
# What a program computes from a score and the true class, also as SPSS and R call it.
COMPUTED = re.compile("|".join(WORDS["computed"]))
FEW = 20
LARGE = 1000
# Of steps that are equal up to rounding, in units of their mean.
EVEN = 1e-6
# Numbers that stand for missing scores, as -999, beside more different ones.
CODE = re.compile(r"-1|-?(9+|8+|7+)")
FEW_VALUES = 5


def names_rows(name: str) -> bool:
    """Return whether a column is called as one that numbers, names, times or judges rows."""
    words = words_of(re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name)).split("_")
    return (
        "_".join(words) in (*REPEATING, *WORDS["rows"])
        or COMPUTED.search("_".join(words)) is not None
        or (len(words) > 1 and words[-1] in WORDS["last of names of rows"])
        or (len(words) == 2 and words[0] in WORDS["rows"] and words[1] in ("in", "of", "s"))
    )


def why_no_score(values: pd.Series) -> str:
    """Return why a column of numbers is hardly one of scores; empty if it may be one."""
    numbers = cell_numbers(values[~is_missing(values)]).to_numpy(dtype=float)
    return why_no_scores(numbers) if len(np.unique(numbers)) > 1 else ""


def why_no_scores(numbers: NDArray[np.float64]) -> str:
    """Return why numbers are hardly scores; empty if they may be."""
    distinct, times = np.unique(numbers, return_counts=True)
    if len(numbers) < 5:
        return ""
    if len(distinct) == 1:
        return "one value only"
    steps = np.diff(numbers)
    if (numbers != np.floor(numbers)).any():
        even = np.ptp(steps) <= EVEN * abs(float(steps.mean()))
        return "evenly spaced numbers, as times are" if len(numbers) >= FEW and even else ""
    if len(distinct) < len(numbers):
        alike = len(distinct) >= FEW and np.ptp(times) == 0 and (steps >= 0).all()
        return "rising whole numbers, each equally often, as those of patients are" if alike else ""
    if distinct[-1] - distinct[0] + 1 == len(numbers):
        return (
            f"the whole numbers from {distinct[0]:g} to {distinct[-1]:g}, each once, as row "
            "numbers and ranks are"
        )
    if (steps > 0).all() or (steps < 0).all():
        return "whole numbers that only rise or fall from row to row, as row numbers do"
    if len(numbers) >= FEW and distinct[0] >= LARGE:
        return "large whole numbers, each once, as names of objects are"
    return ""


def check_cells(frame: pd.DataFrame, where: str, column: str) -> None:
    """Refuse a column of numbers in which a cell is not a number, and name its row."""
    values = frame[column]
    wrong = cell_numbers(values).isna().to_numpy() & ~is_missing(values)
    cure = "or name the column of scores by --scores"
    refuse_cell(frame, where, column, wrong, lambda cell: f"{no_number(cell, values)}; {cure}")


def classes_meant(values: pd.Series, classes: list[str]) -> list[str] | None:
    """Return the class of each cell, also of ``LABEL_1`` or ``POSITIVE``; None if not all."""
    small = {name.lower(): name for name in classes}
    yes = [name for name in classes if name.lower() in YES]
    no = [name for name in classes if name.lower() in NO]
    found: dict[object, str] = {}
    for value in values.unique():
        text = label_text(value).lower()
        number = re.fullmatch(r"label[_ ]?(\d+)", text)
        if text in small:
            found[value] = small[text]
        elif number and number[1] in small:
            found[value] = small[number[1]]
        elif len(classes) == len(yes) + len(no) == 2 and text in (*YES, *NO):
            found[value] = yes[0] if text in YES else no[0]
        else:
            return None
    return [found[value] for value in values]


def is_called_predicted(name: str, names: list[str]) -> bool:
    """Return whether a column is called as the class that a program predicted.

    As ``PGR_1`` of SPSS, ``I_churn`` of SAS beside ``F_churn``, or as a model beside its
    probabilities, ``Tree`` beside ``Tree (yes)``.
    """
    if CALLED_PREDICTED.search(words_of(name)):
        return True
    of_sas = name[:2] == "I_" and f"F_{name[2:]}" in names
    return of_sas or any(other.startswith(f"{name} (") for other in names)


def without_cut(frame: pd.DataFrame, names: list[str], columns: list[str]) -> list[str]:
    """Return columns of classes without those that a threshold on another column gives exactly.

    All of them where none or all are so, or where they have different classes.
    """
    classes = [{label_text(v) for v in frame[name][~is_missing(frame[name])].unique()}
               for name in names]  # fmt: skip
    if len(frame) < FEW or len(classes[0]) != 2 or any(each != classes[0] for each in classes):
        return names
    scores = [cell_numbers(frame[each]) for each in columns if each not in names]
    scores = [each for each in scores if each.nunique() > 2]
    kept = [name for name in names if not any(_is_cut(frame[name], each) for each in scores)]
    return kept or names


def _is_cut(values: pd.Series, scores: pd.Series) -> bool:
    ends = scores.groupby(values.map(label_text)).agg(["min", "max"]).sort_values("min")
    return len(ends) == 2 and bool(ends["max"].iloc[0] <= ends["min"].iloc[1])


def _is_confidence(numbers: NDArray[np.float64], whole: float = 1.0) -> bool:
    given = numbers[~np.isnan(numbers)]
    return len(given) > 1 and given.min() >= whole / 2 and given.max() <= whole


def _wholes(columns: Iterable[str]) -> tuple[float, ...]:
    """Return what a sure score may be: 1, and 100 where a column is called a confidence."""
    called = {word for name in columns for word in words_of(name).split("_")}
    return (1.0, 100.0) if called & set(WORDS["confidences"]) else (1.0,)


def _has_confidences(values: pd.Series) -> bool:
    numbers = cell_numbers(values).to_numpy(float, na_value=np.nan)
    return any(_is_confidence(numbers, whole) for whole in _wholes([str(values.name)]))


def without_predicted(frame: pd.DataFrame, names: list[str]) -> list[str]:
    """Return columns without the class that was predicted, which has two values.

    It is called so, or may be where one of the others has confidences.
    """
    distinct = {name: frame[name].iloc[:MOST].nunique() for name in names}
    if any(number > 2 and SCORED & set(words_of(n).split("_")) for n, number in distinct.items()):
        names = [n for n in names if distinct[n] > 2 or not is_called_predicted(n, names)]
    if not any(number > 2 and _has_confidences(frame[name]) for name, number in distinct.items()):
        return names
    return [
        name
        for name in names
        if distinct[name] > 2
        or not set(WORDS["predicted, parts of unsure ones"]) & set(words_of(name).split("_"))
    ]


def refuse_totals(frame: pd.DataFrame, where: str, by: str | None) -> None:
    """Refuse rows that sum up others: named so at the end, or anywhere in a column of groups."""
    for column in frame.columns[[not pd.api.types.is_numeric_dtype(d) for d in frame.dtypes]]:
        values = frame[column]
        groups = column == by or (names_rows(column) and values.iloc[:MOST].nunique() <= FEW)
        for value in values.unique() if groups else values.tail(3):
            text = str(value).strip()
            if TOTALS.fullmatch(text) and (groups or (values == value).sum() == 1):
                raise ScoresError(
                    f"{where}: row {int((values == value).argmax()) + 1}, column '{column}': "
                    f"'{text}' names a sum or mean of other rows; delete such rows, or call it "
                    "otherwise if it is an object"
                )


def check_confidences(
    scores: dict[str, NDArray[np.float64]], where: str, columns: tuple[str, ...]
) -> None:
    """Refuse scores that are all from 0.5 to 1, as confidences of the predicted class are.

    Those from 50 to 100 are refused where the column is called so.
    """
    for name, numbers in scores.items():
        for whole in _wholes(columns):
            if _is_confidence(numbers, whole) and len(np.unique(numbers)) > FEW:
                raise ScoresError(
                    f"{where}: all scores of {name} lie from {whole / 2:g} to {whole:g}, as the "
                    "confidence of whichever class was predicted does; add a column 'predicted' "
                    "with that class, or name the column by --scores if it is the score of one "
                    "class"
                )


def check_truth(frame: pd.DataFrame, where: str, label: str) -> None:
    """Refuse a column of classes that is likelier the predicted one, beside another."""
    if words_of(label) not in UNCLEAR:
        return
    confident = any(
        _is_confidence(cell_numbers(frame[name]).to_numpy(dtype=float, na_value=np.nan))
        for name in frame.columns
        if name != label and words_of(name) in ("score", "scores", "confidence", "probability")
    )
    own = frame[label][~is_missing(frame[label])]
    for name in frame.columns if confident else ():
        other = frame[name][~is_missing(frame[name])]
        said = words_of(name) in WORDS["predicted"] or set(SAID) & set(words_of(name).split("_"))
        if name == label or other.iloc[:MOST].nunique() > 2 or said:
            continue
        classes = sorted({label_text(value) for value in other.unique()})
        if len(classes) == 2 and classes_meant(own, classes) is not None:
            raise ScoresError(
                f"{where}: column '{label}' may be the predicted class and '{name}' the true one; "
                "name the true one by --label"
            )


def check_decided(frame: pd.DataFrame, where: str, label: str, by_class: dict[str, str]) -> None:
    """Refuse classes that always have the largest score, as LIBSVM's ``labels`` do."""
    if words_of(label) not in UNCLEAR or len(frame) < FEW:
        return
    scores = np.column_stack(
        [cell_numbers(frame[name]).to_numpy(float) for name in by_class.values()]
    )
    own = frame[label].map(label_text).map({name: at for at, name in enumerate(by_class)})
    if (scores[np.arange(len(frame)), own.fillna(0).astype(int)] == scores.max(axis=1)).all():
        raise ScoresError(
            f"{where}: column '{label}' has the class of the largest score in every row, as the "
            f"predicted class has; if it is the true one, give --label {quote(label)}"
        )


def are_logits(one: NDArray[np.float64], other: NDArray[np.float64]) -> bool:
    """Return whether only the difference of the scores of two classes tells them apart.

    Logits are moved together from row to row; probabilities add up to 1, and are not negative.
    """
    sums = one + other
    scale = max(float(np.abs(one).max()), float(np.abs(other).max()))
    return bool(min(one.min(), other.min()) < 0 and np.ptp(sums) > ROUNDED * scale)


MOST = 1000


def predicted_column(
    frame: pd.DataFrame, label: str, scores: tuple[str, ...], classes: list[str]
) -> tuple[str, list[str]] | None:
    """Return the column of predicted classes and the class of each row, if there is one."""
    bare = {words_of(str(name)): str(name) for name in frame.columns}
    others = [
        word
        for word in bare
        if set(WORDS["predicted, parts of unsure ones"]) & set(word.split("_"))
    ]
    for word in (*WORDS["predicted"], *others):
        name = bare.get(word)
        if name is None or name in (label, *scores):
            continue
        meant = classes_meant(frame[name], classes)
        if meant is not None:
            return name, meant
    return None


def turned_scores(
    numbers: NDArray[np.float64], predicted: list[str], positive: str
) -> NDArray[np.float64] | None:
    """Return scores of the positive class from confidences of the predicted one; None if not so.

    Confidences of two classes are never less than one half, or than 50 of 100.
    """
    whole = next((each for each in (1.0, 100.0) if _is_confidence(numbers, each)), None)
    if whole is None:
        return None
    return np.where(np.array(predicted) == positive, numbers, whole - numbers)


def refuse_codes(frame: pd.DataFrame, where: str, columns: tuple[str, ...]) -> None:
    """Refuse a code that is there more than once and further from all others than these spread."""
    for name in columns:
        numbers = cell_numbers(frame[name]).to_numpy(dtype=float, na_value=np.nan)
        distinct = np.unique(numbers[np.isfinite(numbers)])
        if len(distinct) <= FEW_VALUES:
            continue
        for code, others in ((distinct[0], distinct[1:]), (distinct[-1], distinct[:-1])):
            rows = numbers == code
            apart = np.abs(others - code).min() >= np.ptp(others)
            if apart and 1 < rows.sum() < len(rows) / 2 and CODE.fullmatch(f"{code:.17g}"):
                raise ScoresError(
                    f"{where}: row {frame.index[rows][0] + 1}, column '{name}': {code:g}, in "
                    f"{count_text(rows.sum(), 'row')}, lies apart from all other values, as codes "
                    "for missing ones do; leave such cells empty and give --drop-missing, or name "
                    "the column by --scores"
                )
