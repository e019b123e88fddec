"""Exact designs and volumes over all pairs of two thresholds beside grids and naive counting.

All run in this process; times are of the processor. On small samples every exact result is compared
with brute force over all pairs.

    python benchmarks/reject.py [objects]
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import process_time
from typing import Any

import moocore
import numpy as np

from opchar.reject.characteristic import RejectCharacteristic
from opchar.reject.two_stage.design import TwoStageScores, even_thresholds
from opchar.reject.volume import vuc, vuc_resampled

COSTS, ONES = [2.0, 3.0, 10.0], [1.0, 1.0, 1.0]


def system(objects: int, seed: int = 0) -> TwoStageScores:
    """Return Banana's shares: two outliers for each target."""
    rng = np.random.default_rng(seed)
    label = rng.permutation(np.resize([0, 1, -1, -1, -1, -1], objects))
    detector = rng.normal(size=objects) + 1.5 * (label >= 0)
    return TwoStageScores(label, detector, rng.normal(size=objects) + 2.0 * (label == 0))


def characteristic(objects: int, agreement: float, seed: int = 0) -> RejectCharacteristic:
    """Return half as many targets and known outliers each, and as many unseen objects."""
    rng = np.random.default_rng(seed)
    kinds = []
    for number, mean in ((objects // 2, 1.5), (objects // 2, 0.0), (objects, -0.5)):
        scores = rng.normal(size=(number, 2))
        scores[:, 1] = agreement * scores[:, 0] + (1 - agreement**2) ** 0.5 * scores[:, 1]
        kinds.append(scores + mean)
    return RejectCharacteristic(*kinds)


def seconds(function: Callable[[], Any], repeats: int = 5) -> tuple[float, Any]:
    """Return the median time of some runs, and what the last one returned."""
    times = []
    for _ in range(repeats):
        start = process_time()
        result = function()
        times.append(process_time() - start)
    return float(np.median(times)), result


def naive_loss(sample: TwoStageScores) -> float:
    """Return the least loss over all pairs, each counted by itself."""
    theta_ds, theta_cs = np.append(sample.detector, np.inf), np.append(sample.score, np.inf)
    return min(sample.design(d, c, COSTS, ONES).loss for d in theta_ds for c in theta_cs)


def boxes(sample: RejectCharacteristic) -> float:
    """Return the volume of the union of the boxes of all pairs, by a general algorithm."""
    rates = sample.surface(sample.thetas, sample.distances)
    corners = np.stack([1 - rates.fpr_outlier, 1 - rates.fpr_reject, rates.tpr], axis=-1)
    return float(moocore.hypervolume(-corners.reshape(-1, 3), ref=np.zeros(3)))


def designs(objects: int) -> None:
    """Time the exact design beside the thesis' grid, and beside counting each pair."""
    sample = system(objects)
    exact, best = seconds(lambda: sample.holistic(COSTS, ONES))
    theta_ds = even_thresholds(sample.detector, 100)
    theta_cs = even_thresholds(sample.score, 200)
    grid, losses = seconds(lambda: sample.loss_surface(theta_ds, theta_cs, COSTS, ONES).min())
    one, _ = seconds(lambda: sample.design(best.theta_d, best.theta_c, COSTS, ONES), 50)
    pairs = (objects + 1) ** 2
    print(f"holistic design of {objects:,} objects, {pairs:,} pairs: {exact:.4f} s")
    print(f"  least loss {best.loss:.6f}, rejecting all {best.loss_of_rejecting_all:.6f}")
    print(f"  200 x 100 grid by summed tables: {grid:.4f} s; exact / grid {exact / grid:.2f};")
    print(f"  loss of the grid {losses:.6f}, above the exact one by {losses - best.loss:.6f}")
    print(f"  200 x 100 grid, each pair counted: {20_000 * one:.2f} s (from one pair);")
    print(f"  exact / that {exact / (20_000 * one):.5f}; all pairs so: {pairs * one:,.0f} s")
    coarse = sample.loss_surface(even_thresholds(sample.detector, 10), theta_cs, COSTS, ONES).min()
    print(f"  with 10 thresholds of the detector the loss is {coarse:.6f}")


def volumes(objects: int) -> None:
    """Time the exact volume, and that of the boxes of a subset of the objects."""
    for agreement in (0.0, 0.7, 0.95):
        sample = characteristic(objects, agreement)
        exact, value = seconds(lambda sample=sample: vuc(sample), 3)
        thetas, distances = (
            np.quantile(column, np.linspace(0, 1, 100)) for column in sample.target.T
        )
        grid, rough = seconds(
            lambda s=sample, t=thetas, d=distances: vuc_resampled(s.surface(t, d), 100), 3
        )
        print(f"VUC of {objects:,} known and {objects:,} unseen, agreement {agreement}:")
        print(f"  exact {value:.6f} in {exact:.3f} s; resampled from 100 x 100 {rough:.6f}")
        print(f"  in {grid:.3f} s; exact / resampled {exact / grid:.2f}")
    small = characteristic(min(objects, 1000), 0.7)
    fast, value = seconds(lambda: vuc(small))
    slow, expected = seconds(lambda: boxes(small), 1)
    assert abs(value - expected) < 1e-12
    print(
        f"  {len(small.target)} targets, union of all boxes {slow:.2f} s; ratio {slow / fast:.0f}"
    )


def optima(objects: int) -> None:
    """Time the least loss and the best point within limits of a rejecting classifier."""
    sample = characteristic(objects, 0.7)
    loss, _ = seconds(lambda: sample.optimum((1, 1, 1), (0.5, 0.5), 0.3))
    limits, _ = seconds(lambda: sample.within_limits(0.1, 0.05))
    print(f"least loss over all pairs of {2 * objects:,} objects: {loss:.4f} s")
    print(f"most targets within two limits: {limits:.4f} s")


def main() -> None:
    objects = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    for seed in range(20):
        sample = system(25, seed)
        assert abs(sample.holistic(COSTS, ONES).loss - naive_loss(sample)) < 1e-12
        small = characteristic(40, 0.5, seed)
        assert abs(vuc(small) - boxes(small)) < 1e-12
    print("equal to brute force on 20 small samples")
    designs(objects)
    optima(objects)
    volumes(objects)


if __name__ == "__main__":
    main()
