"""Functions of labels and scores beside scikit-learn's on the same call, from 10^2 to 10^7 objects.

    OMP_NUM_THREADS=1 python benchmarks/peers.py [--largest 6] [--only brier]

The two run in turn on the same arrays; the lowest processor time of each counts. *Peer / ours*
above one means that ours is faster; *difference* is the largest between the two values.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator

import numpy as np
from sklearn import metrics

import opchar

Call = Callable[[], object]
TEXT = np.array(["ant", "bee", "wasp"])


def seconds(calls: tuple[Call, Call], repeats: int) -> list[float]:
    """Return the lowest processor times of two calls that run in turn."""
    took: tuple[list[float], list[float]] = ([], [])
    for _ in range(repeats):
        for call, times in zip(calls, took, strict=True):
            start = time.process_time()
            call()
            times.append(time.process_time() - start)
    return [min(times) for times in took]


def calls(n: int) -> Iterator[tuple[str, Call, Call]]:
    """Yield pairs of calls of one meaning, ours first, on `n` objects."""
    rng = np.random.default_rng(0)
    y = (rng.random(n) < 0.3).astype(int)
    y[:2] = 0, 1
    p = 1 / (1 + np.exp(-rng.normal(1.5 * y)))
    weight = rng.random(n)
    yield (
        "brier_score",
        lambda: opchar.brier_score(y, p),
        lambda: metrics.brier_score_loss(y, p),
    )
    yield (
        "brier_score, weighted",
        lambda: opchar.brier_score(y, p, sample_weight=weight),
        lambda: metrics.brier_score_loss(y, p, sample_weight=weight),
    )
    yield "roc_auc", lambda: opchar.roc_auc(y, p), lambda: metrics.roc_auc_score(y, p)
    truth = rng.integers(3, size=n)
    guess = np.where(rng.random(n) < 0.7, truth, rng.integers(3, size=n))
    kinds = {"whole": np.arange(3), "text": TEXT, "objects": TEXT.astype(object)}
    for kind, names in kinds.items():
        named = names[truth], names[guess]
        yield (
            f"confusion, {kind} labels",
            lambda named=named: opchar.confusion(*named),
            lambda named=named: metrics.confusion_matrix(*named),
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--largest", type=int, default=7, help="a power of ten")
    parser.add_argument("--only", default="", help="calls whose name has this in it")
    arguments = parser.parse_args()
    print("| call | objects | ours | scikit-learn | peer / ours | difference |")
    print("| --- | --- | --- | --- | --- | --- |")
    for power in range(2, arguments.largest + 1):
        for name, ours, theirs in calls(10**power):
            if arguments.only in name:
                apart = np.abs(np.subtract(ours(), theirs())).max()
                mine, peer = seconds((ours, theirs), max(2, min(50, 10 ** (6 - power))))
                times = f"{1e3 * mine:.3g} ms | {1e3 * peer:.3g} ms | {peer / mine:.1f}"
                print(f"| {name} | 10^{power} | {times} | {apart:.0e} |", flush=True)


if __name__ == "__main__":
    main()
