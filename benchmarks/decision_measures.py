"""Net benefit and H-measure beside the packages dcurves and hmeasure, on samples with ties.

    python benchmarks/decision_measures.py

Needs ``pip install dcurves hmeasure``. Times are of the processor, for one call.
"""

from __future__ import annotations

from time import process_time

import numpy as np
import pandas as pd

import opchar
from opchar.seeds import generator
from opchar.spaces.decision_curve import believed_net_benefit

try:
    import hmeasure
    from dcurves import dca
except ImportError as missing:
    raise SystemExit(
        "benchmarks/decision_measures.py compares with two packages: pip install dcurves hmeasure"
    ) from missing

AT = np.arange(1, 100) / 100


def timed(function):
    start = process_time()
    found = function()
    return process_time() - start, found


def compare(n: int) -> None:
    """Print how far both measures are from those of the packages, and what they take."""
    rng = generator(1, "decision measures", n)
    y = (rng.random(n) < 0.2).astype(int)
    score = np.round(1 / (1 + np.exp(-(rng.normal(size=n) + 2 * y - 2))), 2)
    frame = pd.DataFrame({"y": y, "score": score})
    benefit = timed(lambda: believed_net_benefit(opchar.points_of(y, score), AT))
    table = timed(lambda: dca(data=frame, outcome="y", modelnames=["score"], thresholds=AT))
    others = table[1][table[1]["model"] == "score"].sort_values("threshold")["net_benefit"]
    shown(n, "net benefit at 99 thresholds", benefit, (table[0], others.to_numpy()))
    package = timed(lambda: hmeasure.h_score(y, score))
    shown(n, "H-measure", timed(lambda: opchar.h_measure(y, score)), package)


def shown(n: int, what: str, own, theirs) -> None:
    apart = np.abs(own[1] - theirs[1]).max()
    print(f"| {n} | {what} | {apart:.1e} | {1e3 * own[0]:.1f} ms | {1e3 * theirs[0]:.1f} ms |")


def main() -> None:
    print("| objects | what | largest difference | OpChar | package |")
    print("| --- | --- | --- | --- | --- |")
    for n in (100, 10_000):
        compare(n)


if __name__ == "__main__":
    main()
