"""Groups of rows: those that are judged one by one, and those that may be alike."""

from __future__ import annotations

import re
from shlex import quote

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from opchar.analysis.findings import Finding
from opchar.analysis.numbers import count_text, number_text
from opchar.analysis.tables.cells import WORDS, cell_numbers, label_text, words_of
from opchar.analysis.tables.no_scores import REPEATING
from opchar.analysis.tables.table import Table
from opchar.analysis.tables.values import refuse_cell
from opchar.errors import ScoresError

MOST_GROUPS = 50
# Fewer do not show how much groups differ.
FEW_GROUPS = 10
# Weights with a mean next to 1 are no measurements.
NORMALISED = 0.01
# Different scores that may repeat within a class, and the share of them that chance puts into both.
MOST_EQUAL, BY_CHANCE = 20, 0.05
# Rounding errors of decimals; pairs of equal scores that are too many for pairs of next ones.
ON_GRID, MORE_EQUAL = 1e-3, 1.25
TINY, REMOVE = 1e-12, "If rows are copies, remove them."
# Words in the names of measurements, and last words of the names of names.
MEASURED = WORDS["measured"]
LARGE = 10_000
# What weights are called, and measured ones; n and the like only as a whole name.
WEIGHING = re.compile(
    r"(^|_)([pfaiw]?weights?|wts?|wgt|w[tg]?mec\w*|gewichte?|poids)(_|$)"
    r"|^(n|freq|frequency|counts?|n_obs|anzahl|effectif)$"
)
# The least share of pairs of predicted classes in the order of the scores.
ORDERED = 0.9


def groups_of(
    frame: pd.DataFrame, where: str, column: str | None
) -> tuple[str, NDArray[np.str_]] | None:
    """Return the column of groups that are judged one by one."""
    if column is None:
        return None
    texts = frame[column].map(label_text).astype(str).to_numpy()
    if (number := len(np.unique(texts))) > MOST_GROUPS:
        raise ScoresError(
            f"{where}: column '{column}' has {number} values; --by takes up to {MOST_GROUPS}"
        )
    return column, texts.astype(str)


def doubts_of(
    table: Table, models: dict[str, NDArray[np.float64]], y: NDArray[np.intp], has_units: bool
) -> tuple[Finding, ...]:
    """Return what the columns of a table put in doubt."""
    found, frame, weight = [], table.frame, table.found.weight
    if weight is not None and table.weight_guessed and words_of(weight) == "weight":
        numbers = cell_numbers(frame[weight])
        if abs(numbers.mean() - 1) > NORMALISED:
            ends = f"{number_text(numbers.min())} to {number_text(numbers.max())}"
            found.append(
                Finding(
                    "OPC019",
                    f"Rows count by column '{weight}' ({ends}). If it is a measurement, give "
                    f"--weight none; if not, --weight {quote(weight)}.",
                )
            )
    elif weight is None and table.weight_guessed:
        found += [
            Finding("OPC019", f"Column '{name}' is not used. If it says how many objects a row "
                    f"stands for, give --weight {quote(name)}; if not, --weight none.")
            for name in table.other_columns
            if _may_weigh(frame[name])
        ]  # fmt: skip
    found += _unlike_predicted(table, models)
    if has_units:
        return tuple(found)
    beside = [frame[name] for name in table.other_columns if not frame[name].is_unique]
    if table.times is None:
        found += copies(y, list(models.values()), beside)
    repeats = [
        *(_same_objects(frame[name], y) for name in table.other_columns if table.times is None),
        *_repeats_of(frame, table.other_columns, y),
    ]
    return (*found, *(Finding("OPC015", f"{text}.") for text in repeats if text))


def _may_weigh(values: pd.Series) -> bool:
    """Return whether a column is called as weights or numbers of objects are, and may be those."""
    words = words_of(str(values.name)).split("_")
    if not (WEIGHING.search("_".join(words)) and not set(words) & set(WORDS["bodies"])):
        return False
    numbers = cell_numbers(values).to_numpy(dtype=float, na_value=np.nan)
    return bool((numbers >= 0).all() and len(np.unique(numbers)) > 1)


def _unlike_predicted(table: Table, models: dict[str, NDArray[np.float64]]) -> list[Finding]:
    """Return that no threshold on the score gives the predicted class, if there is one."""
    if table.predicted is None:
        return []
    said = np.array(table.predicted[1]) == table.classes[0]
    score = pd.Series(models[table.name][:, 0]).rank().to_numpy()
    pairs = said.sum() * (~said).sum()
    wins = score[said].sum() - said.sum() * (said.sum() + 1) / 2
    if pairs == 0 or max(wins, pairs - wins) >= ORDERED * pairs:
        return []
    text = f"No threshold on '{table.single[0]}' gives '{table.predicted[0]}'. If it says how sure "
    return [Finding("OPC036", text + "that class is, turn it where the class is the other one.")]


def _same_objects(values: pd.Series, y: NDArray[np.intp]) -> str:
    """Return that all values of a column have rows of the same classes in the same order."""
    codes, distinct = pd.factorize(values)
    times = len(y) // max(len(distinct), 1)
    few = 1 < len(distinct) <= MOST_GROUPS and times >= MOST_EQUAL and codes.min() >= 0
    if not few or np.ptp(np.bincount(codes)):
        return ""
    rows = y[np.argsort(codes, kind="stable")].reshape(len(distinct), times)
    lengths = np.unique(np.diff(np.flatnonzero(np.diff(rows[0]))))
    if (rows != rows[0]).any() or len(lengths) < 2:  # sorted, or in turn
        return ""
    return (
        f"Column '{values.name}' has {len(distinct)} values, whose rows have the same classes in "
        "the same order. If they are the same objects, keep the rows of one value"
    )


def copies(
    y: NDArray[np.intp], scores: list[NDArray[np.float64]], beside: list[pd.Series]
) -> list[Finding]:
    """Return that rows are likely copies of others.

    Scores that only rounding made equal are short, or equal across classes, too.

    Shapes: `y` (n,); `scores` (n, C); `beside` (n,).
    """
    values = pd.DataFrame(np.column_stack(scores))
    for number, column in enumerate(beside):
        values[f"column {number}"] = column.to_numpy()
    group = values.groupby(list(values), sort=False, dropna=False).ngroup().to_numpy()
    by_class = np.column_stack(
        [np.bincount(group[y == c], minlength=group.max() + 1) for c in np.unique(y)]
    )
    said = "class, scores and all other columns" if beside else "class and scores"
    if values.shape[1] == 1 and (more := _more_than_rounded(values[0].to_numpy(), y)) is not None:
        text = f"About {more:,.0f} rows equal another row in {said}, beyond what rounding explains"
        return [Finding("OPC015", f"{text}. {REMOVE}")] if more else []
    first = np.unique(group, return_index=True)[1]
    several = np.flatnonzero(by_class.sum(axis=1) > 1)
    long = np.zeros(len(by_class), dtype=bool)
    long[several] = [_is_long(row) for row in np.column_stack(scores)[first[several]]]
    repeated = (by_class > 1) & long[:, None]
    across = ((by_class > 0).sum(axis=1) > 1)[long].sum()
    if repeated.sum() < MOST_EQUAL or across > repeated.sum() * BY_CHANCE:
        return []
    rows = count_text(int((by_class - 1)[repeated].sum()), "row")
    return [Finding("OPC015", f"{rows} equal another row in {said}. {REMOVE}")]


def _more_than_rounded(scores: NDArray[np.float64], y: NDArray[np.intp]) -> float | None:
    """Return how many scores of few decimals equal others beyond chance; None if not rounded."""
    for grid in (scores * 10.0**decimals for decimals in range(4, 10)):
        if np.abs(grid - np.rint(grid)).max() > ON_GRID:
            continue
        inner = (scores > scores.min()) & (scores < scores.max())  # ends may be saturated
        at, place = np.unique(np.rint(grid[inner]), return_inverse=True)
        classes = [place[y[inner] == c] for c in np.unique(y)]
        times = np.array(
            [np.bincount(each, minlength=len(at)) for each in [*classes, place]], float
        )
        neighbours = times[:, 1:] * times[:, :-1] * (np.diff(at) == 1)
        pairs = np.array([(times**2).sum(axis=1), neighbours.sum(axis=1)])
        within = pairs[:, :-1].sum(axis=1)
        equal, near = within - [inner.sum(), 0]
        alike, beside = np.maximum(pairs[:, -1] - within, 1)
        excess = equal - near * alike / beside
        chance = 5 * (2 * np.sqrt(equal) + near / np.sqrt(alike))  # standard errors
        if near > 0 and alike < MORE_EQUAL * beside and excess > max(BY_CHANCE * equal, chance):
            return float(excess / 2)
        return 0.0 if equal < MORE_EQUAL * near else None
    return None


def _is_long(scores: NDArray[np.float64]) -> bool:
    """Return whether a score, or its distance to 1, has more than four digits."""
    given = [float(each) for each in scores]
    return any(
        abs(each - float(f"{each:.4g}")) > TINY and abs(1 - each - float(f"{1 - each:.4g}")) > TINY
        for each in given
    )


def _repeats_of(frame: pd.DataFrame, columns: list[str], y: NDArray[np.intp]) -> list[str]:
    """Return columns whose values repeat as those of patients do, with the cure, a sentence each.

    A group of rows is drawn as one object if its rows have one class, else as a fold.
    """
    found = []
    for name in columns:
        values = frame[name]
        known = words_of(name).removesuffix("id").removesuffix("no").strip("_") in REPEATING
        codes, distinct = pd.factorize(values)
        if not (1 < len(distinct) < len(values) and (known or _like_names(values, codes))):
            continue
        mixed = pd.Series(y).groupby(codes).nunique().max() > 1
        cure = f"--fold {quote(name)} --resample folds" if mixed else f"--id {quote(name)}"
        numbers = f"{count_text(len(distinct), 'value')} in {len(values):,} rows"
        if len(distinct) < FEW_GROUPS:
            found.append(f"Column '{name}' has {numbers}; --by {quote(name)} compares them")
            continue
        found.append(f"Column '{name}' has {numbers}. If rows of one {name} are alike, give {cure}")
    return found


def _like_names(values: pd.Series, codes: NDArray[np.intp]) -> bool:
    """Return whether values repeat as names of patients do: many, most of them several times.

    Texts do unless they are dates; whole numbers called so, in blocks, or of five digits and more.
    """
    words, times = words_of(str(values.name)).split("_"), np.bincount(codes[codes >= 0])
    if set(words) & set(MEASURED) or not len(times) <= len(values) / 2 or np.median(times) < 2:
        return False
    numbers = cell_numbers(values).to_numpy(dtype=float, na_value=np.nan)
    if words[-1] in WORDS["naming"]:
        return len(times) >= FEW_GROUPS
    if len(times) < MOST_EQUAL or np.isnan(numbers).all():
        few = values.drop_duplicates().head(MOST_GROUPS)
        dates = pd.to_datetime(few, errors="coerce", format="mixed").notna().mean()
        return len(times) >= MOST_EQUAL and bool(dates < 0.5)
    in_blocks = np.mean(np.diff(codes) == 0) > 0.5 * (1 - len(times) / len(values))
    large = numbers.min() >= LARGE and (numbers % 10 != 0).any()
    return bool((numbers == np.floor(numbers)).all() and (in_blocks or large))


def check_one_class(
    frame: pd.DataFrame, where: str, column: str, unit: NDArray[np.intp], y: NDArray[np.intp]
) -> None:
    """Refuse objects whose rows have several classes."""
    order = np.lexsort((y, unit))
    changes = (np.diff(unit[order]) == 0) & (np.diff(y[order]) != 0)
    if changes.any():
        cure = f"for groups of mixed classes give --fold '{column}' --resample folds"
        wrong = np.arange(len(frame)) == order[1:][changes][0]
        refuse_cell(
            frame,
            where,
            column,
            wrong,
            lambda cell: f"object {cell} has another class in another row; {cure}",
        )
