"""Functions of labels and scores beside the same calls of other libraries, 10^2 to 10^7 objects.

    OMP_NUM_THREADS=1 python benchmarks/peers.py [--largest 6] [--only brier]

The peer is scikit-learn, of the G-mean imbalanced-learn. The calls run in turn on the same arrays;
the lowest processor time of each counts. *Peer / ours* above one means that ours is faster;
*difference* is the largest between the two values. Compiled code is loaded before, which takes half
a second once.

*Of sorting alone* is ours over the time of the radix sort of the same scores by their bits, with
the label in the lowest one and the weights beside them (`opchar.spaces.compiled_sorting`). *Of the
sort used* is ours over the sort that the call chooses: without weights NumPy sorts these keys where
it has instructions for 512 bits. *Of np.sort* is ours over the time in which NumPy sorts the bare
scores, without labels and weights.
"""

import argparse
import math
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from imblearn.metrics import geometric_mean_score
from numpy.typing import NDArray
from sklearn import metrics

import opchar
from opchar.spaces.compiled_sorting import sort_keys
from opchar.spaces.sorting import COMPILED

Call = Callable[[], Any]
Calls = tuple[str, Call, Call, tuple[Call, ...]]
TEXT = np.array(["ant", "bee", "wasp"])
# Ours by name, the peer of the same meaning, and what both are told beside labels and scores.
OF_SCORES: list[tuple[str, Callable[..., Any], dict[str, Any], dict[str, Any]]] = [
    ("brier_score", metrics.brier_score_loss, {}, {}),
    ("roc_auc", metrics.roc_auc_score, {}, {}),
    ("pr_auc", metrics.average_precision_score, {"method": "steps"}, {}),
    ("roc_curve", metrics.roc_curve, {}, {"drop_intermediate": False}),
    ("det_curve", metrics.det_curve, {}, {}),
    ("precision_recall_curve", metrics.precision_recall_curve, {}, {}),
]
OF_DECISIONS: list[tuple[str, Callable[..., Any], dict[str, Any]]] = [
    ("accuracy", metrics.accuracy_score, {}),
    ("f1", metrics.f1_score, {}),
    ("balanced_accuracy", metrics.balanced_accuracy_score, {}),
    ("mcc", metrics.matthews_corrcoef, {}),
    ("jaccard", metrics.jaccard_score, {}),
    ("g_mean", geometric_mean_score, {"average": "binary"}),
]
# Peers that take no positive class.
WITHOUT_POSITIVE = ("accuracy", "balanced_accuracy", "mcc")


def seconds(calls: tuple[Call, ...], repeats: int) -> list[float]:
    """Return the lowest processor times of calls that run in turn."""
    least = [math.inf] * len(calls)
    for _ in range(repeats):
        for place, call in enumerate(calls):
            start = time.process_time()
            call()
            least[place] = min(least[place], time.process_time() - start)
    return least


def calls(n: int) -> Iterator[Calls]:
    """Yield pairs of calls of one meaning, ours first, on `n` objects, and what sorts for them."""
    rng = np.random.default_rng(0)
    y = (rng.random(n) < 0.3).astype(int)
    y[:2] = 0, 1
    p = 1 / (1 + np.exp(-rng.normal(1.5 * y)))
    for weighted, told in (("", {}), (", weighted", {"sample_weight": rng.random(n)})):
        for name, peer, ours, theirs in OF_SCORES:
            mine = partial(getattr(opchar, name), y, p, **ours, **told)
            alone: tuple[Call, ...] = ()
            if name != "brier_score":  # which sorts nothing
                given = y == 1, p, told.get("sample_weight")
                sorts = partial(sort_keys, *given, by_numpy=False), partial(sort_keys, *given)
                alone = *sorts, partial(np.sort, p)
            yield f"{name}{weighted}", mine, partial(peer, y, p, **theirs, **told), alone
    decided = (p > 0.5).astype(int)
    for kind, names in {"whole": np.arange(2), "text": TEXT[:2]}.items():
        truth, guess = names[y], names[decided]
        positive = {"pos_label": names[1]}
        for name, peer, theirs in OF_DECISIONS:
            told = theirs if name in WITHOUT_POSITIVE else theirs | positive
            mine = partial(opchar.index_score, truth, guess, name, **positive)
            yield f"{name}, {kind} labels", mine, partial(peer, truth, guess, **told), ()
    truth = rng.integers(3, size=n)
    guess = np.where(rng.random(n) < 0.7, truth, rng.integers(3, size=n))
    kinds = {"whole": np.arange(3), "text": TEXT, "objects": TEXT.astype(object)}
    for kind, names in kinds.items():
        named = names[truth], names[guess]
        both = partial(opchar.confusion, *named), partial(metrics.confusion_matrix, *named)
        yield f"confusion, {kind} labels", *both, ()


def difference(ours: Any, theirs: Any) -> float:
    """Return the largest difference of two values, of curves at the thresholds that both have."""
    if not isinstance(theirs, tuple):
        return float(np.abs(np.subtract(ours, theirs)).max())
    *rates, thresholds = theirs
    if ours._fields[0] == "recall":  # scikit-learn's precision comes first
        rates.reverse()
    shared = np.intersect1d(ours.threshold, thresholds)
    assert len(shared) >= len(thresholds) - 1
    mine = _by_threshold(ours.threshold, *ours[:2])
    return float(np.abs(mine(shared) - _by_threshold(thresholds, *rates)(shared)).max())


def _by_threshold(
    thresholds: NDArray[Any], *rates: NDArray[Any]
) -> Callable[[NDArray[Any]], NDArray[Any]]:
    """Return what looks the rates of a curve up by threshold."""
    order = np.argsort(thresholds, kind="stable")
    table = np.array([rate[: len(order)][order] for rate in rates])
    return lambda wanted: table[:, np.searchsorted(thresholds[order], wanted)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--largest", type=int, default=7, help="a power of ten")
    parser.add_argument("--smallest", type=int, default=2, help="a power of ten")
    parser.add_argument("--only", default="", help="calls whose name has this in it")
    arguments = parser.parse_args()
    heads = "call", "objects", "ours", "peer", "peer / ours", "of sorting alone"
    heads += "of the sort used", "of np.sort"
    print(f"| {' | '.join(heads)} | difference |\n{'| --- ' * 9}|")
    COMPILED.module_after(COMPILED.worth)
    for power in range(arguments.smallest, arguments.largest + 1):
        for name, ours, theirs, alone in calls(10**power):
            if arguments.only in name:
                apart = difference(ours(), theirs())
                repeats = max(3, min(50, 10 ** (7 - power)))
                mine, peer, *sorts = seconds((ours, theirs, *alone), repeats)
                times = f"{1e3 * mine:.3g} ms | {1e3 * peer:.3g} ms | {peer / mine:.1f}"
                of = " | ".join([f"{mine / each:.1f}" for each in sorts] or [""] * 3)
                print(f"| {name} | 10^{power} | {times} | {of} | {apart:.0e} |", flush=True)


if __name__ == "__main__":
    main()
