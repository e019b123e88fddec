"""Gaps of algorithms to the lowest loss known and to a proven bound, as lines and a frame."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from opchar.multiclass.cost_weights.certificate import Certificate, certify
from opchar.multiclass.cost_weights.problem import CostProblem, Floats
from opchar.seeds import Spawn
from opchar_reproduction.publications.landgrebe2007.chapter4.scenarios import Algorithm
from opchar_reproduction.results import Results

FEW = 8
BEST = "best known"
ABOVE = "loss above the best"
PROVEN = "loss above the bound"


class Effort(NamedTuple):
    """Cost matrices and nodes for sets of up to eight classes, and for those of more."""

    matrices: int
    nodes: int
    matrices_of_many: int
    nodes_of_many: int

    def for_classes(self, n_classes: int) -> tuple[int, int]:
        """Return the cost matrices and the nodes for each of them."""
        if n_classes <= FEW:
            return self.matrices, self.nodes
        return self.matrices_of_many, self.nodes_of_many


def losses_and_certificates(
    problem: CostProblem,
    compared: Mapping[str, Algorithm],
    spawn: Spawn,
    names: tuple[Any, ...],
    nodes: int,
) -> tuple[dict[str, Floats], list[Certificate]]:
    """Return the loss of each algorithm, drawn as for its table, and the certificates.

    Branch and bound begins with the best weights of all algorithms.
    """
    found = {name: find(problem, spawn(name, *names)) for name, find in compared.items()}
    losses = {name: weighting.losses for name, weighting in found.items()}
    lowest = np.argmin(list(losses.values()), axis=0)
    weights = np.array([weighting.log_weights for weighting in found.values()])
    start = weights[lowest, np.arange(len(lowest))]
    proven = certify(problem, spawn("certify", *names), max_nodes=nodes, start=start)
    return losses, proven


def add_gaps(
    results: Results,
    artefact: str,
    tables: Mapping[str, Sequence[str]],
    row: str,
    losses: Mapping[str, Floats],
    proven: Sequence[Certificate],
    about: Mapping[str, Any],
) -> None:
    """Add the gaps of the algorithms of each printed table, and how the best loss is known."""
    known = np.array([one.loss for one in proven])
    best = np.min(np.array([known, *losses.values()]), axis=0)
    bound = np.array([one.lower_bound for one in proven])
    for name, loss in losses.items():
        printed = [table for table, listed in tables.items() if name in listed]
        if not printed:
            continue
        gaps = {ABOVE: loss - best, PROVEN: loss - bound}
        who = {"data set": row, "algorithm": name, "scenario": np.arange(len(loss))}
        results.add_frame("gaps", gaps | who | {"loss": loss, "best": best, "bound": bound})
        for column, values in gaps.items():
            results.mean(artefact, _row(printed, row, name), column, values, **about)
    name = _row(list(tables), row, BEST)
    results.mean(artefact, name, "loss", best, **about)
    results.mean(artefact, name, PROVEN, best - bound, **about)
    share = np.zeros(len(best))
    np.divide(best - bound, np.abs(best), out=share, where=best != bound)
    results.mean(artefact, name, "gap proven, % of the loss", 100 * share, **about)
    optimal = sum(one.stopped == "optimal" for one in proven)
    results.text(artefact, name, "proven", f"{optimal} of {len(proven)} optimal", **about)


def _row(printed: Sequence[str], row: str, name: str) -> str:
    """Return the name of a line: the printed tables, the data set and the algorithm."""
    return f"Table{'s' * (len(printed) > 1)} {', '.join(printed)} / {row} / {name}"
