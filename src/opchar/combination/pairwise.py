"""Algorithm 1 of soleymani2020: the best pair-wise combination, without decision vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from types import ModuleType

import numpy as np
from numpy.typing import ArrayLike

from opchar.combination.functions import FUNCTIONS, NAMES, combine
from opchar.combination.ranks import RankedScores, rank
from opchar.combination.rules import Combination, Detector, Rule
from opchar.combination.selection import Selection, select
from opchar.compilation import Compiled

COMPLEMENTS = {
    "AND": "NAND",
    "NOT_A_AND_B": "A_OR_NOT_B",
    "A_AND_NOT_B": "NOT_A_OR_B",
    "NOR": "OR",
    "XOR": "EQV",
}
MIRRORS = {
    "NOT_A_AND_B": "A_AND_NOT_B",
    "A_AND_NOT_B": "NOT_A_AND_B",
    "NOT_A_OR_B": "A_OR_NOT_B",
    "A_OR_NOT_B": "NOT_A_OR_B",
}


def _load() -> ModuleType:
    from opchar.combination import compiled_pairs

    return compiled_pairs


# As many functions at pairs of thresholds take NumPy longer than compiled code takes to start.
COMPILED = Compiled(_load, worth=1 << 25)


def pairwise(
    scores: Mapping[str, ArrayLike],
    is_positive: ArrayLike,
    *,
    functions: Sequence[str] = NAMES,
    ordered: bool = False,
) -> Selection:
    """Combine all pairs of soft classifiers at all thresholds and keep what is best.

    Among candidates with equal TP and FP the first in the order of the listing is kept. Single
    detectors come before pairs; then the order of `functions` counts, of the pairs, and of
    ascending thresholds of the first and the second classifier.

    soleymani2020, Sec. 3.4.2 and Algorithm 1, with decisions (not their correctness) in the
    decision vectors and a threshold at infinity added to each classifier. A joint histogram of the
    ranks of two classifiers with suffix sums gives TP and FP for all pairs of thresholds:
    O(M + T_e T_k) a pair of classifiers, against O(M T_e T_k) with decision vectors.

    Shapes: `scores` (M,); `is_positive` (M,).
    """
    ranked = rank(scores, is_positive)
    if unknown := [name for name in functions if name not in NAMES]:
        raise ValueError(f"unknown Boolean function {unknown[0]!r}: one of {', '.join(NAMES)}")
    search = _Search(ranked, tuple(functions), ordered)
    for e in range(len(ranked.names)):
        search.add_single(e)
    search.add_pairs()
    return search.result()


def number_of_candidates(
    thresholds: Sequence[int], *, functions: int = len(NAMES), ordered: bool = True
) -> int:
    """Return how many decision vectors the loops of Algorithm 1 make.

    soleymani2020, Sec. 3.4.2, where the product of all T_e is printed in place of the sum.

    Returned: ``sum T_e + functions * sum_{e != k} T_e T_k``; with ``e < k`` when not `ordered`.
    """
    total = sum(thresholds)
    pairs = total**2 - sum(count**2 for count in thresholds)
    return total + functions * (pairs if ordered else pairs // 2)


class _Search:
    """The best TP for each FP and function so far, and which classifiers reach it first."""

    def __init__(self, ranked: RankedScores, functions: tuple[str, ...], ordered: bool) -> None:
        self.ranked, self.functions, self.ordered = ranked, functions, ordered
        shape = (1 + len(functions), ranked.n_negative + 1)
        self.tp = np.full(shape, -1, dtype=np.int64)
        self.source = np.zeros(shape, dtype=np.int64)

    def add_single(self, e: int) -> None:
        self._improve(0, self.ranked.singles[e][::-1], e)

    def add_pairs(self) -> None:
        """Try all functions of all classifiers e < k at all pairs of thresholds."""
        ranked, cells = self.ranked, max(map(len, self.ranked.thresholds)) ** 2
        bases = {base: rows for base in COMPLEMENTS if max(rows := self._rows(base)) >= 0}
        steps = cells * len(ranked.names) ** 2 * len(bases) // 2
        if (
            bases
            and ranked.is_dense(cells)
            and (compiled := COMPILED.module_after(steps)) is not None
        ):
            ranks = np.array(ranked.ranks)
            compiled.try_pairs(
                *(ranks, np.argsort(ranks, axis=1, kind="stable"), ranked.weights),
                *(np.array([FUNCTIONS[base] for base in bases]), np.array(list(bases.values()))),
                *(self.tp, self.source),
            )
            return
        for e, k in combinations(range(len(ranked.names)), 2):
            self._add_pair(e, k, bases)

    def _rows(self, base: str) -> list[int]:
        """Return the rows of a function, its mirror, its complement and the mirror of that."""
        wanted: list[str | None] = []
        for name in (base, COMPLEMENTS[base]):
            wanted += [name, MIRRORS.get(name) if self.ordered else None]
        return [1 + self.functions.index(name) if name in self.functions else -1 for name in wanted]

    def _add_pair(self, e: int, k: int, bases: Mapping[str, Sequence[int]]) -> None:
        found: dict[str, list[np.ndarray]] = {}
        for start, both in self.ranked.joint(e, k):
            for base in bases:
                codes = self._codes(base, e, k, start, both)
                found.setdefault(base, []).append(self.ranked.distinct(codes))
        plain, mirrored = (one * len(self.ranked.names) + other for one, other in ((e, k), (k, e)))
        for base, parts in found.items():
            distinct = parts[0] if len(parts) == 1 else np.unique(np.concatenate(parts))
            complement = self.ranked.everything - distinct[::-1]
            for number, row in enumerate(bases[base]):
                if row >= 0:
                    source = mirrored if number % 2 else plain
                    self._improve(row, distinct if number < 2 else complement, source)

    def _codes(self, function: str, e: int, k: int, start: int, both: np.ndarray) -> np.ndarray:
        a = self.ranked.singles[e][start : start + len(both), np.newaxis]
        codes = combine(function, a, self.ranked.singles[k], both, self.ranked.everything)
        return np.asarray(codes)

    def _improve(self, row: int, distinct: np.ndarray, source: int) -> None:
        fp, tp = self.ranked.best(distinct)
        known, owner = self.tp[row, fp], self.source[row, fp]
        better = (tp > known) | ((tp == known) & (source < owner))
        self.tp[row, fp[better]] = tp[better]
        self.source[row, fp[better]] = source

    def result(self) -> Selection:
        row = self.tp.argmax(axis=0)
        fp = np.arange(self.tp.shape[1])
        tp, source = self.tp[row, fp], self.source[row, fp]
        reached = np.flatnonzero(tp >= 0)

        def rules_at(numbers: Sequence[int]) -> list[Rule]:
            rules: dict[int, Rule] = {}
            at = reached[list(numbers)]
            codes = at * (self.ranked.n_positive + 1) + tp[at]
            for origin in set(zip(row[at].tolist(), source[at].tolist(), strict=True)):
                same = codes[(row[at] == origin[0]) & (source[at] == origin[1])]
                rules |= self._first_rules(*origin, same.tolist())
            return [rules[code] for code in codes.tolist()]

        counts = [len(thresholds) for thresholds in self.ranked.thresholds]
        n_candidates = number_of_candidates(
            counts, functions=len(self.functions), ordered=self.ordered
        )
        sizes = (self.ranked.n_positive, self.ranked.n_negative)
        return select(reached, tp[reached], sizes, rules_at, n_candidates)

    def _first_rules(self, row: int, source: int, wanted: list[int]) -> dict[int, Rule]:
        """Return for each wanted code the first rule of one origin that has it."""
        if row == 0:
            singles = self.ranked.singles[source]
            return {
                code: self._detector(source, int(np.argmax(singles == code))) for code in wanted
            }
        e, k = divmod(source, len(self.ranked.names))
        function = self.functions[row - 1]
        rules: dict[int, Rule] = {}
        for start, both in self.ranked.joint(e, k):
            codes = self._codes(function, e, k, start, both)
            for code in wanted:
                index = int(np.argmax(codes == code))
                t, n = divmod(index, codes.shape[1])
                if codes[t, n] == code:
                    pair = self._detector(e, start + t), self._detector(k, n)
                    rules[code] = Combination(function, *pair)
        return rules

    def _detector(self, e: int, t: int) -> Detector:
        return Detector(self.ranked.names[e], float(self.ranked.thresholds[e][t]))
