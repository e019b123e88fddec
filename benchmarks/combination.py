"""Algorithm 1 of soleymani2020 at paper size: ranks against one decision vector at a time.

Both run in this process, on one core. The listing is timed on a random subset of its loops and
extrapolated by the number of decision vectors; on small samples both run in full and must agree.

    python benchmarks/combination.py
"""

from __future__ import annotations

import resource
from collections.abc import Iterator
from itertools import islice
from time import process_time

import numpy as np

from opchar.combination.algorithm_1 import decision_vectors, run_listing
from opchar.combination.pairwise import pairwise
from opchar.combination.ranks import rank
from opchar.spaces.f_measure import f_measure, upper_envelope

CLASSIFIERS, POSITIVES, NEGATIVES = 20, 5, 120
ALPHA = 0.5
PRIORS = np.linspace(0.01, 0.99, 99)
SUBSET = 100_000


def sample(seed: int, classifiers: int, positives: int, negatives: int) -> tuple[dict, np.ndarray]:
    """Return weakly discriminating, dependent scores."""
    rng = np.random.default_rng(seed)
    labels = np.arange(positives + negatives) < positives
    shared = rng.normal(size=labels.size) + 0.7 * labels
    scores = {
        f"svm{e:02d}": 0.6 * shared + 0.8 * rng.normal(size=labels.size) for e in range(classifiers)
    }
    return scores, labels


def agree_on_small_samples(trials: int) -> int:
    """Compare points, rules and F in full; return the number of candidates compared."""
    compared = 0
    for seed in range(trials):
        scores, labels = sample(seed, 3, 2, 7)
        listing = run_listing(scores, labels, priors=PRIORS, alpha=ALPHA)
        fast = pairwise(scores, labels, ordered=True)
        f = upper_envelope(fast.points, ALPHA)(PRIORS)
        np.testing.assert_allclose(f, listing.f, rtol=1e-12)
        first = {}
        for rule, tp, fp in zip(
            listing.rules, listing.true_positives, listing.false_positives, strict=True
        ):
            first.setdefault((fp / 7, tp / 2), rule)
        vertices = zip(fast.points.hull.fpr, fast.points.hull.tpr, strict=True)
        assert list(fast.rules) == [first[vertex] for vertex in vertices]
        assert fast.n_candidates == len(listing.rules)
        compared += len(listing.rules)
    return compared


def seconds_per_vector(scores: dict, labels: np.ndarray, functions: Iterator[str]) -> float:
    """Time lines 5-10 and 14 (a vector, its TPR and FPR), then lines 12-16, on a subset."""
    ranked = rank(scores, labels)
    tp, fp = [], []
    start = process_time()
    for function in functions:
        for _, decision in islice(decision_vectors(ranked, [function]), SUBSET // 10):
            tp.append(np.count_nonzero(decision & labels))
            fp.append(np.count_nonzero(decision & ~labels))
    tpr, fpr = np.array(tp) / ranked.n_positive, np.array(fp) / ranked.n_negative
    for prior in PRIORS:
        np.argmax(f_measure(tpr, fpr, prior, ALPHA))
    return (process_time() - start) / len(tp)


def main() -> None:
    from opchar.combination.functions import NAMES

    print(f"equal on {agree_on_small_samples(20):,} candidates of 20 small samples")
    scores, labels = sample(0, CLASSIFIERS, POSITIVES, NEGATIVES)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    times = []
    for _ in range(5):
        start = process_time()
        selection = pairwise(scores, labels, ordered=True)
        selection.choose(PRIORS, ALPHA)
        times.append(process_time() - start)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    fast = float(np.median(times))
    literal = seconds_per_vector(scores, labels, iter(NAMES)) * selection.n_candidates
    print(f"{selection.n_candidates:,} candidates, {len(selection.rules)} rules on the hull")
    for prior, rule in zip(PRIORS[::24], selection.choose(PRIORS[::24], ALPHA), strict=True):
        print(f"  P(+) = {prior:.2f}: {rule:.2f}")
    print(f"by ranks: {fast:.3f} s of one core (median of {len(times)})")
    print(f"by the listing: {literal:,.0f} s, extrapolated from {SUBSET:,} decision vectors")
    print(f"ratio: {literal / fast:,.0f}")
    print(f"peak memory: {after / 1024:.0f} MB, of which the search {(after - before) / 1024:.0f}")


if __name__ == "__main__":
    main()
