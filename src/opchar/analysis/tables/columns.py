"""The roles of a table's columns, by name and content."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import combinations
from shlex import quote

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from opchar.analysis.tables.cells import (
    WORDS,
    cell_numbers,
    is_missing,
    label_text,
    without_unit,
    words_of,
)
from opchar.analysis.tables.no_scores import (
    UNCLEAR,
    check_cells,
    check_truth,
    is_called_predicted,
    names_rows,
    why_no_score,
    without_cut,
    without_predicted,
)
from opchar.errors import ScoresError, nearest
from opchar.spaces.scored.sample import plainly_positive
from opchar.typed import is_number

LABELS = WORDS["labels"]
# What a column of two values is called that makes one called class a feature.
OUTCOMES = WORDS["outcomes"]
WEIGHTS = WORDS["weights"]
IDS = WORDS["ids"]
UNNAMED = ("", "unnamed: 0")
# As "Class_1 Prediction", score_class_1, sick_prob, Scored Probabilities for Class "1".
SAID = r"scored?|scores|prob|probs|proba|probability|probabilities|pred|prediction|logit|confidence"
AROUND = re.compile(
    rf"(?:(?:(?:{SAID})[\s_.]+)+(?:for[\s_]+)?(?:class[\s_]+)?(?P<last>.+)"
    rf"|(?:class[\s_]+)?(?P<first>.+?)(?:[\s_.]+(?:{SAID}))+)", re.I)  # fmt: skip
MARKS = " ()[]_-:."
LIKE_A_SCORE = (("y_score_", "y_proba_", "scores_", "score_", "proba_", "prob_", "p_",
                 "pre_1", "pre_2"),
                ("_score", "_proba", "_prob", "_probability"))  # fmt: skip
# How sure a score is, which is no score of another model.
SPREADS = WORDS["spreads"]
RAW = " (raw)"
# Two probabilities of two places add up to 1 within this.
ROUNDED = 0.0101
MOST = 100
TINY, ALIKE = 1e-6, 0.99
# What names no column, though one may have a usual name.
NONE = "none"


@dataclass(frozen=True)
class Columns:
    """Names of columns that the user gives; what is None is found by usual names."""

    label: str | None = None
    fold: str | None = None
    weight: str | None = None
    identity: str | None = None
    scores: tuple[str, ...] = ()
    by: str | None = None


@dataclass(frozen=True)
class Found:
    """The role of each column of one table."""

    label: str
    fold: str | None
    weight: str | None
    identity: str | None
    rest: list[str]
    costs: tuple[str, ...] = ()


def roles(frame: pd.DataFrame, where: str, wanted: Columns) -> Found:
    """Return which columns have labels, folds, weights and names of objects."""
    fold, weight, identity = (
        None if given == NONE and NONE not in frame else _find_column(frame, where, given, usual)
        for given, usual in (
            (wanted.fold, WORDS["folds"]),
            (wanted.weight, WEIGHTS),
            (wanted.identity, IDS),
        )
    )
    identity = identity or _row_numbers(frame)
    if fold is None and wanted.fold is None and (parts := _fold_names(frame, where)):
        fold, identity = parts, None if identity == parts else identity
    costs = tuple(
        name
        for name in usual_columns(list(frame.columns), WORDS["costs"])
        if name not in wanted.scores
    )
    by = _find_column(frame, where, wanted.by, ())
    taken = {fold, weight, identity, by, *wanted.scores, *costs}
    label = _find_column(frame, where, wanted.label, ())
    if label is None:
        label = _label(frame, where, [name for name in frame.columns if name not in taken])
        check_truth(frame, where, label)
    taken = {label, fold, weight, identity, by, *costs}
    rest = [
        name
        for name in frame.columns
        if name not in taken
        and not (name.endswith(RAW) and name.removesuffix(RAW) in frame)
        and name.lower() not in UNNAMED
    ]
    return Found(label, fold, weight, identity, rest, costs)


def _find_column(
    frame: pd.DataFrame, where: str, given: str | None, usual: tuple[str, ...]
) -> str | None:
    """Return the column that is named, or the first with a usual name."""
    if given is not None:
        if given not in frame:
            hint = nearest(given, [str(name) for name in frame.columns])
            raise ScoresError(f"{where}: no column '{given}'{hint}; it has {list(frame.columns)}")
        return given
    return next(iter(usual_columns(list(frame.columns), usual)), None)


def has_label(frame: pd.DataFrame, wanted: Columns) -> bool:
    """Return whether a table may have true classes."""
    if wanted.label is not None:
        return wanted.label in frame
    names = list(frame.columns)
    return bool(usual_columns(names, LABELS)) or any(
        _has_two_values(frame[n]) and not is_score(n) for n in names[:MOST]
    )


def is_score(name: str) -> bool:
    """Return whether a column is called as scores are."""
    return bool(usual_columns([name], WORDS["scores"])) or _like_a_score(name)


def usual_columns(names: list[str], usual: tuple[str, ...]) -> list[str]:
    """Return the columns with usual names, in the order of these, whatever their spelling."""
    bare = {name: re.sub("_(?!.$)", "", words_of(name)) for name in names}  # prob_a is no proba
    wanted = dict.fromkeys(word.replace("_", "") for word in usual)
    return [name for word in wanted for name in names if bare[name] == word]


def _fold_names(frame: pd.DataFrame, where: str) -> str | None:
    """Return the column in which R calls folds ``Fold01``; refuse resamples, which share rows."""
    for name in usual_columns(list(frame.columns), ("id", "resample")):
        texts = frame[name].drop_duplicates().astype(str)
        if texts.str.fullmatch(r"Fold\d+").all():
            return name
        if len(texts) > 1 and texts.str.fullmatch(r"(Repeat|Resample|Boot|Bootstrap).*\d.*").all():
            raise ScoresError(
                f"{where}: column '{name}': one analysis wants one of the {len(texts)} resamples "
                "in the table, which share objects"
            )
    return None


def _row_numbers(frame: pd.DataFrame) -> str | None:
    """Return the column without a name that pandas writes first, if it tells rows apart."""
    first = str(frame.columns[0])
    return first if first.lower() in UNNAMED and frame[first].is_unique else None


def _label(frame: pd.DataFrame, where: str, names: list[str]) -> str:
    """Return the column of true classes: by its name, or the only one of two values."""
    found = usual_columns(names, LABELS)
    if len(found) == 1 and words_of(found[0]) in UNCLEAR:
        found = _or_outcome(frame, where, names, found[0])
    if len(found) > 1:  # "Obs" of SAS numbers the rows
        found = [name for name in found if not why_no_score(frame[name])] or found
    plainly = [name for name in found if words_of(name) in WORDS["true"]]
    if len(found) > 1 and len(plainly) == 1:  # "label" beside "true_label" is what was predicted
        return plainly[0]
    if len(found) > 1:  # what a threshold makes of a score is the class that was predicted
        found = without_cut(frame, found, list(frame.columns))
    if len(found) > 1:
        raise ScoresError(f"{where}: columns {found} may all be true classes; choose by --label")
    every = found = found or [name for name in names[:MOST] if _has_two_values(frame[name])]
    if len(found) > 1:  # the class that a program predicted is called so
        found = [name for name in found if not is_called_predicted(name, list(frame.columns))]
    if len(found) == 1 and words_of(found[0]) not in WORDS["sexes"]:
        return found[0]
    raise ScoresError(
        f"{where}: no column is called {', '.join(LABELS[:6])} or the like, and not just one has "
        f"two values; name the column of true classes by --label, one of "
        f"{every or list(frame.columns)}"
    )


def _or_outcome(frame: pd.DataFrame, where: str, names: list[str], found: str) -> list[str]:
    """Return the column of true classes where that of a usual name may be another feature.

    A column ``class`` of several values that have no scores, beside one of two, is a feature.
    """
    others = [
        name
        for name in names
        if name != found and not is_called_predicted(name, names) and _has_two_values(frame[name])
    ]
    if said := [name for name in others if words_of(name) in OUTCOMES]:
        raise ScoresError(
            f"{where}: columns {[found, *said]} may all be true classes; choose by --label"
        )
    classes = [label_text(value) for value in frame[found][~is_missing(frame[found])].unique()]
    if len(others) != 1 or len(classes) == 2 or class_columns(names, classes):
        return [found]
    return others


def _has_two_values(values: pd.Series) -> bool:
    given = values[~is_missing(values)]
    return given.iloc[:1000].nunique() <= 2 and given.nunique() == 2


def class_columns(rest: list[str], classes: list[str], label: str = "") -> dict[str, str]:
    """Return by class the column that is called after it, as ``sick``, ``proba_sick`` or ``p1``.

    The name of the column of classes may stand before that of the class, as in ``P_churn1``.
    """
    found = {name: column for column in rest if (name := class_of(column, classes)) is not None}
    if len(found) == len(classes) or len(label) < 2:
        return found
    bare = {name.replace(label, "_", 1).lstrip(MARKS): name for name in rest if label in name}
    longer = {name: bare[each] for each in bare if (name := class_of(each, classes)) is not None}
    return longer if len(longer) == len(classes) else found


def class_of(column: str, classes: list[str]) -> str | None:
    """Return the class that a column is called after, if any."""
    bare = without_unit(column)
    inner = bare.lstrip(MARKS)
    rests = [inner[len(p) :] for p in WORDS["prefixes"] if inner.lower().startswith(p)]
    ends = [rest.strip(MARKS) for rest in rests]
    if around := AROUND.fullmatch(bare):
        ends.append((around["last"] or around["first"]).strip(' "'))
    if within := re.fullmatch(r".+\((.+)\)", bare):  # as a model names its probability
        ends.append(within[1].strip())
    ends += [part for end in ends for part in (end.rpartition("=")[2], end.partition("=")[2])]
    texts = [label_text(text) for text in (column, bare, *rests, *ends) if text]
    if exact := [text for text in texts if text in classes]:
        return exact[0]
    alike = [[name for name in classes if name.lower() == text.lower()] for text in texts]
    return next((found[0] for found in alike if len(found) == 1), None)


def single_scores(frame: pd.DataFrame, where: str, rest: list[str]) -> tuple[str, ...]:
    """Return the columns of scores of two classes, each of its own model.

    In this order: columns that are called like scores; the only column of numbers; all columns of
    numbers, where all are from 0 to 1 and none has two values only. Columns that number or name
    rows are left out.
    """
    rest = without_predicted(frame, rest)
    rest = [n for n in rest if words_of(n).split("_")[-1] not in SPREADS] or rest
    usual = usual_columns(rest, WORDS["scores"])
    numeric = [name for name in rest if name in usual or not names_rows(name)]
    numeric = [name for name in numeric if _is_numeric(frame[name])]
    if usual == [name for name in usual if _has_two_values(frame[name])] and numeric != usual:
        usual = []  # the class that was predicted, beside numbers of which one may be the score
    if len(usual) == 1 or (usual and len(numeric) != 1 and _rank_alike(frame, usual, numeric)):
        return (usual[0],)
    like = [n for n in numeric if _like_a_score(n) and words_of(n) not in WORDS["features"]]
    if like and not usual:
        return _of_one_class(frame, where, like)
    if not usual:
        for name in numeric:
            check_cells(frame, where, name)
    if len(numeric) == 1:
        why = "a feature's name" if words_of(numeric[0]) in WORDS["features"] else ""
        if why := "" if usual else why or why_no_score(frame[numeric[0]]):
            raise ScoresError(
                f"{where}: column '{numeric[0]}' has {why}; name the column of scores by --scores, "
                "this one if it is"
            )
        return (numeric[0],)
    if numeric and all(_is_probability(frame[name]) for name in numeric):
        return _of_one_class(frame, where, numeric)
    if not numeric and len(named := [name for name in rest if not names_rows(name)]) == 1:
        return (named[0],)
    raise ScoresError(
        f"{where}: which column has the scores? Name one, or one per model, by --scores: "
        f"{', '.join(numeric or rest) or 'there is none'}"
    )


def _rank_alike(frame: pd.DataFrame, usual: list[str], numeric: list[str]) -> bool:
    """Return whether columns that are called like scores order rows alike, up to rounding."""
    own = [cell_numbers(frame[n]).rank() for n in usual if n in numeric and frame[n].nunique() > 2]
    return all(own[0].corr(other) > ALIKE for other in own[1:])


def _of_one_class(frame: pd.DataFrame, where: str, names: list[str]) -> tuple[str, ...]:
    """Return columns of models; refuse pairs that are the scores of the two classes."""
    sums = [(pair, _equal_sum(frame, *pair)) for pair in combinations(names, 2)]
    if both := [(pair, total) for pair, total in sums if total is not None]:
        others = {_negative_of(*pair) for pair, _ in both}
        kept = quote(",".join(name for name in names if name not in others))
        cure = f", as in --scores {kept}" if None not in others else ""
        raise ScoresError(
            f"{where}: columns {list(both[0][0])} add up to {round(both[0][1], 2):g} in each row, "
            "as one model's probabilities of both classes do; name that of the positive class by "
            f"--scores{cure}"
        )
    return tuple(names)


def _negative_of(one: str, two: str) -> str | None:
    """Return which of two columns is called as the other class or a lower number, if one is."""
    words = [words_of(name).split("_") for name in (one, two)]
    own = ["_".join(w for w in a if w not in b) for a, b in (words, words[::-1])]
    if all(map(str.isdecimal, own)):
        return min((int(number), name) for number, name in zip(own, (one, two), strict=True))[1]
    found = plainly_positive(own)
    return None if found is None else (two, one)[found]


def _equal_sum(frame: pd.DataFrame, first: str, second: str) -> float | None:
    """Return the sum of two columns if it is the same in each row."""
    for part in (frame.head(MOST), frame):
        one, other = (cell_numbers(part[name]) for name in (first, second))
        total = float((one + other).mean())
        scale = ROUNDED if abs(total - 1) < ROUNDED else TINY * one.abs().max()
        if not (one + other - total).abs().max() < scale:  # NaN: no row has both
            return None
    return total if one.nunique() > 2 else None


def _like_a_score(name: str) -> bool:
    begins, ends = LIKE_A_SCORE
    return words_of(name).startswith(begins) or words_of(name).endswith(ends)


def _is_numeric(values: pd.Series) -> bool:
    """Return whether at least half of the cells of a column are numbers."""
    if pd.api.types.is_numeric_dtype(values):
        return True
    if pd.api.types.is_datetime64_any_dtype(values):
        return False
    given = values[~is_missing(values)]
    return len(given) > 0 and bool(cell_numbers(given).notna().mean() >= 0.5)


def _is_probability(values: pd.Series) -> bool:
    numbers = cell_numbers(values).to_numpy(dtype=float, na_value=np.nan)
    numbers = numbers[~np.isnan(numbers)]
    within = len(numbers) > 0 and numbers.min() >= 0 and numbers.max() <= 1
    return bool(within) and len(np.unique(numbers)) > 2


def positive_class(
    classes: tuple[str, ...],
    y: NDArray[np.intp],
    positive: str | None = None,
    times: NDArray[np.int64] | None = None,
) -> int:
    """Return the index of the positive class of two; of more, of the one that is named.

    Shapes: `y` (n,); `times` (n,), how many objects each row is.
    """
    if positive is not None:
        named = label_text(positive)
        if named not in classes:  # a file's TRUE is read as True
            alike = [name for name in classes if name.lower() == named.lower()]
            if len(alike) != 1:
                hint = nearest(positive, list(classes))
                raise ScoresError(f"no class '{positive}'{hint}; there are {list(classes)}")
            named = alike[0]
        return classes.index(named)
    if (plain := plainly_positive(classes)) is not None:
        return plain
    return int(np.argmin(np.bincount(y, times, minlength=len(classes))))


def positive_reason(classes: tuple[str, ...], index: int, given: str | None, is_named: bool) -> str:
    """Return a sentence on which of two classes is taken as positive, and why."""
    if given is not None:
        why = "as asked"
    elif is_named:
        why = "the column of scores is called after it"
    else:
        named = plainly_positive(classes) == index
        why = "by its name" if named else "the rarer of the two; its name does not say so"
    return f"Positive class: {classes[index]} ({why})."


def by_number(name: str) -> tuple[int, float, str]:
    """Return the key that sorts classes: numbers by value, then texts."""
    return (0, float(name), name) if is_number(name) else (1, 0.0, name)
