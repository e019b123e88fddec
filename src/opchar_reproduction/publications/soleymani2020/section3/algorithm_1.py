"""Algorithm 1 on a pool of classifiers: rules, numbers of candidates, optimism of the choice."""

from collections.abc import Sequence
from math import prod

import numpy as np

from opchar.combination.algorithm_1 import run_listing
from opchar.combination.pairwise import number_of_candidates, pairwise
from opchar.combination.pools import chosen_rules, selections, with_mean
from opchar.combination.ranks import rank
from opchar.combination.rules import Rule
from opchar.combination.samples import Sample, gaussian_scores
from opchar.combination.selection import f_of_rules
from opchar.ranges import Count, Rate
from opchar.seeds import Spawn
from opchar.spaces.f_measure import upper_envelope
from opchar_reproduction.publications.f_measure_space.repeats import add_cases
from opchar_reproduction.results import ANALYTIC, Results
from opchar_reproduction.statements.measurements import Finding, Measurements, conjunction
from opchar_reproduction.study import statement, study

POOL = "generated (pool of correlated Gaussian scores)"


@study(
    "algorithm-1",
    kind="ibc",
    basis="illustration",
    profiles={
        "tiny": {"classifiers": 4, "repeats": 2, "fresh": [100, 100], "small_pool": [3, 2, 4]},
        "paper": {"repeats": 100},
    },
)
def algorithm_1(
    *,
    spawn: Spawn,
    classifiers: int = 20,
    shift: float = 1.5,
    correlation: Rate = 0.5,
    samples: list[list[Count]] = [[5, 45], [5, 120]],
    priors: list[Rate] = [0.04, 0.1, 0.25, 0.5],
    alpha: Rate = 0.5,
    fresh: list[int] = [2000, 2000],
    repeats: Count = 20,
    small_pool: list[int] = [3, 3, 7],
) -> Results:
    """Run Algorithm 1 on a pool: chosen rules, numbers of candidates, optimism of the choice.

    shift, correlation: See `gaussian_scores`; equal for all classifiers.
    samples (list of [int, int]): Positives and negatives of each validation sample.
    fresh ([int, int]): Positives and negatives of the sample on which the chosen rules are judged.
    small_pool ([int, int, int]): Classifiers, positives and negatives of the pool on which the
        listing itself runs.
    """
    results = Results()
    grid = np.asarray(priors, dtype=float)

    def draw(positives: int, negatives: int, *names: object, size: int = classifiers) -> Sample:
        return gaussian_scores(
            spawn(*names),
            positives=positives,
            negatives=negatives,
            shifts=[shift] * size,
            correlation=correlation,
        )

    for positives, negatives in samples:
        setting = f"{positives} of {positives + negatives} samples"
        made: dict[str, list[tuple[np.ndarray, np.ndarray]]] = {}
        for number in range(repeats):
            validation = draw(positives, negatives, setting, number)
            other = draw(fresh[0], fresh[1], setting, number, "fresh")
            for method, (seen, new) in _methods(validation, other, grid, alpha).items():
                made.setdefault(method, []).append((seen, new))
        first_pool = pairwise(*draw(positives, negatives, setting, 0)).choose(grid, alpha)
        for method, pairs in made.items():
            rules = first_pool if method == "pairwise" else []
            _method_lines(results, f"{setting}; {method}", np.array(pairs), grid, rules)
    _candidate_lines(results, classifiers, samples)
    small = draw(small_pool[1], small_pool[2], "small", size=small_pool[0])
    _run_printed_loops(results, small, grid, alpha)
    return results


def _methods(
    validation: Sample, other: Sample, priors: np.ndarray, alpha: float
) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Return for each method F on the sample that chose and on another, at each prior."""
    rules = chosen_rules(selections(*validation), *validation, priors, alpha)
    samples = [(with_mean(scores), labels) for scores, labels in (validation, other)]
    made = {}
    for method, chosen in rules.items():
        seen, new = (f_of_rules(chosen, sample, priors, alpha) for sample in samples)
        made[method] = seen, new
    return made


def _method_lines(
    results: Results, row: str, pairs: np.ndarray, priors: np.ndarray, rules: Sequence[Rule]
) -> None:
    """Add F on validation, F on fresh samples and their difference over the pools, and rules."""
    seen, new = pairs[:, 0], pairs[:, 1]
    columns = {"F on validation": seen, "F on fresh samples": new, "optimism": seen - new}
    for at, prior in enumerate(priors):
        case = f"{row}; P(+) = {prior:g}"
        for column, values in columns.items():
            results.mean("algorithm-1", case, column, values[:, at], data=POOL)
        for rule in rules[at : at + 1]:
            results.text("algorithm-1", case, "rule of the first pool", f"{rule:.3g}", data=POOL)


def _candidate_lines(results: Results, classifiers: int, samples: list[list[int]]) -> None:
    """Add the numbers of decision vectors of the loops beside the printed formula."""
    for size in map(sum, samples):
        counts = [size] * classifiers
        for way, number in (
            ("by the loops", number_of_candidates(counts)),
            ("each pair once", number_of_candidates(counts, ordered=False)),
            ("as printed", printed_number_of_candidates(counts)),
        ):
            row = f"{classifiers} classifiers of {size} thresholds, {way}"
            results.number(
                "algorithm-1", row, "N_D", number, unit="vectors", basis="exact", data=ANALYTIC
            )


def printed_number_of_candidates(thresholds: Sequence[int]) -> int:
    """Return N_D as printed in soleymani2020, Sec. 3.4.2 and line 11 of Algorithm 1."""
    E = len(thresholds)
    return sum(thresholds) + 10 * E * (E - 1) * prod(thresholds)


def _run_printed_loops(results: Results, sample: Sample, priors: np.ndarray, alpha: float) -> None:
    """Run the loops of the listing: decision vectors made, and F against that of joint rank counts.

    The frame ``decision-vectors`` has one row: classifiers, largest (number of thresholds of a
    classifier), made, single (without a Boolean function), by sum, as printed, deepest (comparisons
    in a rule).
    """
    listing = run_listing(*sample, priors=priors, alpha=alpha)
    counts = [len(thresholds) for thresholds in rank(*sample).thresholds]
    fast = pairwise(*sample, ordered=True)
    results.add_frame(
        "decision-vectors",
        {
            "classifiers": [len(counts)],
            "largest": [max(counts)],
            "single": [sum(counts)],
            "made": [len(listing.rules)],
            "by sum": [number_of_candidates(counts)],
            "as printed": [printed_number_of_candidates(counts)],
            "deepest": [max(len(rule.detectors()) for rule in fast.rules)],
        },
    )
    computed = upper_envelope(fast.points, alpha)(priors)
    add_cases(results, "listing", prior=priors, said=listing.f, computed=computed)


@statement("0061")
def decision_vectors(measured: Measurements) -> Finding:
    """Judge: the loops of Algorithm 1 make as many decision vectors as is printed."""
    line = measured.frame("decision-vectors").iloc[0]
    return Finding(
        line["made"] == line["as printed"],
        f"{line['classifiers']:.0f} classifiers: the loops make {line['made']:.0f} decision "
        f"vectors, sum T_e + 10 sum T_e T_k gives {line['by sum']:.0f}, the printed product "
        f"{line['as printed']:.0f}",
    )


@statement("0062")
def complexity(measured: Measurements) -> Finding:
    """Judge: the loops make at most 10 T_max^2 E (E - 1) Boolean operations, and a rule has one."""
    line = measured.frame("decision-vectors").iloc[0]
    bound = 10 * line["largest"] ** 2 * line["classifiers"] * (line["classifiers"] - 1)
    operations = line["made"] - line["single"]
    parts = {
        "design makes at most 10 T_max^2 E (E - 1) operations": operations <= bound,
        "a rule makes at most two comparisons": line["deepest"] <= 2,
    }
    return conjunction(
        parts,
        f"{operations:.0f} Boolean operations, 10 T_max^2 E (E - 1) = {bound:.0f}; a rule makes at "
        f"most {line['deepest']:.0f} comparisons; the work does not define its T_D",
    )
