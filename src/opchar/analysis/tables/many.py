"""Many objects, as numbers of objects by class, score and fold."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from opchar.analysis.asking import Asked
from opchar.analysis.tables.columns import LABELS, Columns, usual_columns
from opchar.analysis.tables.scored_sample import ScoredSample
from opchar.spaces.cost import lower_envelope, probability_cost
from opchar.spaces.roc import auc
from opchar.spaces.score_counts import BATCH, ONE_AHEAD, ScoreCounts
from opchar.statistics.calibration import LARGEST

Counted = tuple[pd.DataFrame, NDArray[np.int64]]
# Objects beyond which they are counted, distinct scores that are told apart while they are read,
# and groups of neighbouring scores that are analysed.
MANY = 1 << 18
READ = 1 << 20
CELLS = 1 << 16


class _RowsNeededError(Exception):
    """The table has more to say than counts hold, or something to be complained of."""


def read_counts(files: Sequence[Path], wanted: Columns) -> Counted | None:
    """Return a row for each class and score of Parquet files, and how many objects have them.

    None where there are few rows, more than two columns, or anything but finite scores of two
    classes.
    """
    import pyarrow as pa
    from pyarrow import dataset

    if any(file.suffix != ".parquet" for file in files):
        return None
    try:
        source = dataset.dataset([str(file) for file in files], format="parquet")
        columns = _columns(source.schema.names, wanted)
        if source.count_rows() <= MANY or columns is None:
            return None
        labels: dict[Any, int] = {}
        parts = (
            _part(batch.column(columns[0]), batch.column(columns[1]), labels)
            for batch in source.to_batches(list(columns), batch_size=BATCH, **ONE_AHEAD)
            if len(batch)
        )
        counts = ScoreCounts.sum_of(parts, READ)
    except (OSError, pa.ArrowException, _RowsNeededError):
        return None
    if counts is None or len(labels) < 2:
        return None
    return _counted_table(counts, columns, list(labels))


def given_counts(table: Mapping[str, NDArray[Any]], column: str) -> Counted | None:
    """Return the same of a table of counts; None where they are of few objects."""
    if table["positives"].sum() + table["negatives"].sum() <= MANY or not _are_scores(
        table["score"]
    ):
        return None
    counts = ScoreCounts.from_table(table).with_fewer_bits(READ)
    return _counted_table(counts, ("y", column), [0, 1])


def _counted_table(counts: ScoreCounts, columns: tuple[str, str], labels: list[Any]) -> Counted:
    """Return a row for each class, by name, and score; `labels` has the negatives' first."""
    values = dict(zip(labels, (counts.negatives, counts.positives), strict=True))
    frames = []
    for label in sorted(labels, key=str):
        times = values[label]
        frames.append((label, counts.score[times > 0], times[times > 0]))
    y = np.repeat([0, 1], [len(score) for _, score, _ in frames])
    names = pd.Series([label for label, _, _ in frames])
    frame = pd.DataFrame(
        {
            columns[0]: names.take(y).reset_index(drop=True),
            columns[1]: np.concatenate([score for _, score, _ in frames]),
        }
    )
    return frame, np.concatenate([times for _, _, times in frames])


def in_cells(scored: ScoredSample, asked: Asked) -> ScoredSample:
    """Return a row for each class, group of scores and fold, where there are many objects.

    Folds are drawn for all objects, as `opchar.statistics.cross_fitting.drawn_folds` does.
    """
    counts = _counts_of(scored, asked)
    if counts is None:
        return _in_groups(scored, asked)
    if len(counts.score) > CELLS:
        counts = counts.on_cells(_edges(counts, asked, scored.percent))
    times = [counts.negatives, counts.positives]
    if scored.positive == 0:
        times.reverse()
    rng, start, number = asked.spawn("folds"), 0, min(asked.folds, *(int(t.sum()) for t in times))
    rows: list[tuple[NDArray[Any], ...]] = []
    for label, left in enumerate(each.copy() for each in times):
        total = int(left.sum())
        sizes = total // number + (((np.arange(number) - start) % number) < total % number)
        start += total
        for fold, size in enumerate(sizes):
            mine = left
            if fold < number - 1:
                mine = rng.multivariate_hypergeometric(left, int(size), method="marginals")
            left = left - mine
            kept = np.flatnonzero(mine)
            ones = np.ones(len(kept), dtype=np.intp)
            rows.append((label * ones, counts.score[kept], fold * ones, mine[kept]))
    y, score, folds, weight = map(np.concatenate, zip(*rows, strict=True))
    return replace(
        scored, y=y, models=dict.fromkeys(scored.models, score[:, None]), fold=folds,
        weight=weight.astype(float), notes=(*scored.notes, *_bounds(counts, asked)), counted=True,
    )  # fmt: skip


def _in_groups(scored: ScoredSample, asked: Asked) -> ScoredSample:
    """Return the same rows with neighbouring scores of each model joined, where there are many."""
    if len(scored.y) <= MANY or len(scored.classes) > 2 or scored.weight is not None:
        return scored
    if any(scores.shape[1] > 1 for scores in scored.models.values()):
        return scored
    models, notes = dict(scored.models), list(scored.notes)
    for name, scores in scored.models.items():
        counts = ScoreCounts.from_arrays(scored.is_positive, scores[:, 0], pos_label=True)
        if len(counts.score) > CELLS:
            edges = _edges(counts, asked, scored.percent)
            models[name] = edges[np.searchsorted(edges, scores, side="right") - 1]
            notes += [f"{name}: {text}" for text in _bounds(counts.on_cells(edges), asked)]
    return replace(scored, models=models, notes=tuple(notes))


def _columns(names: list[str], wanted: Columns) -> tuple[str, str] | None:
    """Return the columns of classes and of scores, where they are the only ones that count."""
    if wanted.fold or wanted.weight or wanted.identity or wanted.by:
        return None
    if wanted.label and len(wanted.scores) == 1:
        both = wanted.label, wanted.scores[0]
        return both if set(both) == set(names) else None
    labels = [wanted.label] if wanted.label else usual_columns(names, LABELS)
    rest = [name for name in names if name not in labels]
    return (labels[0], rest[0]) if len(names) == 2 and len(labels) == len(rest) == 1 else None


def _part(label: Any, score: Any, labels: dict[Any, int]) -> ScoreCounts:
    """Return the counts of a batch, in which `labels` finds the classes."""
    codes, found = pd.factorize(label.to_pandas())
    values = score.to_numpy(zero_copy_only=False)
    if (codes < 0).any() or values.dtype.kind != "f" or not _are_scores(values):
        raise _RowsNeededError
    for name in found:
        labels.setdefault(name, len(labels))
    if len(labels) > 2:
        raise _RowsNeededError
    own = np.array([labels[name] for name in found])
    return ScoreCounts.from_arrays(own[codes] == 1, values, pos_label=True)


def _are_scores(values: NDArray[Any]) -> bool:
    """Return whether numbers are finite and not whole, as names and numbers of rows are."""
    return float(np.abs(values).max()) <= LARGEST and bool((values != np.floor(values)).any())


def _counts_of(scored: ScoredSample, asked: Asked) -> ScoreCounts | None:
    """Return the counts of one model with two classes and many objects that differ in no more."""
    if len(scored.models) > 1 or len(scored.classes) > 2 or asked.unit == "folds":
        return None
    (scores,) = scored.models.values()
    if scored.counted:
        times, mine = np.asarray(scored.weight, np.int64), scored.is_positive
        of_class = {"positives": times * mine, "negatives": times * ~mine}
        return ScoreCounts.from_table({"score": scores[:, 0], **of_class})
    further = (scored.fold, scored.weight, scored.unit, scored.by)
    if len(scored.y) <= MANY or scores.shape[1] > 1 or any(each is not None for each in further):
        return None
    if scored.costs or scored.unlabelled or not _are_scores(scores[:, 0]):
        return None
    counts = ScoreCounts.from_arrays(scored.is_positive, scores[:, 0], pos_label=True)
    return counts if asked.thresholds else counts.with_fewer_bits(READ)


def by_counts(asked: Asked) -> bool:
    """Return whether what is asked depends on no single object."""
    return not (asked.promises or asked.thresholds or asked.unit == "folds")


def _edges(counts: ScoreCounts, asked: Asked, percent: Collection[str]) -> NDArray[np.float64]:
    """Return the lowest scores of groups of about equally many; they end at thresholds in use."""
    size = counts.positives + counts.negatives
    total = int(size.sum())
    group = (np.cumsum(size) - size) * CELLS // total
    starts = np.append(True, (np.diff(group) > 0) | (size[1:] > total // CELLS))
    used = [at / (100 if percent else 1) for _, at in asked.thresholds]
    within = [at for at in used if counts.score[0] < at <= counts.score[-1]]
    return np.union1d(counts.score[starts], within)


def _bounds(counts: ScoreCounts, asked: Asked) -> Iterator[str]:
    """Yield how neighbouring scores were joined, and what is certain all the same."""
    if not counts.on_grid:
        return
    prior = asked.priors[0] if asked.priors else counts.positives.sum() / _objects(counts)
    pc = np.array([probability_cost(np.asarray(prior), asked.cost_weight)])
    scale = prior * asked.cost[1] + (1 - prior) * asked.cost[0]
    area = counts.certain(auc)
    cost = counts.certain(lambda points: float(lower_envelope(points)(pc)[0] * scale))
    yield (
        f"{_objects(counts):,} objects in {len(counts.score):,} groups of neighbouring scores. The "
        f"AUC of these scores lies surely from {area[0]:.6f} to {area[1]:.6f}. Their least cost "
        f"at the prior {prior:.4g} lies from {cost[0]:.6g} to {cost[1]:.6g}"
    )


def _objects(counts: ScoreCounts) -> int:
    return int(counts.positives.sum() + counts.negatives.sum())
