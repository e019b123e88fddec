"""The best class weights for given costs, with a lower bound that proves how good they are.

To find them is NP-hard in the number of classes (Bourke and others, 2008). Branch and bound
over regions of weights ends for few classes; stopped early, it still has a bound. A mixed-integer
programme is the second way, to check the first: wherever both were measured it was slower, and its
bound looser when both were stopped (`benchmarks/cost_weights.py`).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from heapq import heappop, heappush
from time import monotonic
from typing import Literal

import numpy as np

from opchar.multiclass.cost_weights.algorithms import greedy
from opchar.multiclass.cost_weights.nodes import Bounds, Nodes, centres, split, whole
from opchar.multiclass.cost_weights.problem import CostProblem, Floats, Ints, losses
from opchar.ties import first_least

Stopped = Literal["optimal", "gap reached", "nodes used up", "memory used up", "time used up"]
BATCH = 256
WORK = 1_000_000
TIMED_WORK = 100_000
EXACT = 1e-12
SOLVED = 1e-9
MEMORY = 2**30


@dataclass(frozen=True)
class Certificate:
    """The best weights found for a cost matrix, and what no weights can go below.

    Shapes: `log_weights` (C,).
    """

    log_weights: Floats
    loss: float
    lower_bound: float
    stopped: Stopped
    n_nodes: int

    @property
    def gap(self) -> float:
        """The loss less the lower bound."""
        return self.loss - self.lower_bound

    @property
    def relative_gap(self) -> float:
        """The gap over the size of the loss; zero where both are zero."""
        if self.gap == 0:
            return 0.0
        return self.gap / abs(self.loss) if self.loss else float("inf")


def certify(
    problem: CostProblem,
    rng: np.random.Generator,
    *,
    gap: float = 0.0,
    max_nodes: int = 200_000,
    seconds: float | None = None,
    start: Floats | None = None,
) -> list[Certificate]:
    """Return the best weights with a lower bound, by branch and bound.

    Parameters
    ----------
    problem : CostProblem
        Scored objects, their classes and the costs, see `cost_problem`.
    rng : numpy.random.Generator
        Source of the orders of the greedy searches that give the first weights.
    gap : float
        The relative gap that is good enough; zero for the optimum.
    max_nodes : int
        How many nodes may be bounded for each cost matrix.
    seconds : float, optional
        Time for each cost matrix, from the call on: the greedy searches, which are made for all
        matrices together, count in equal parts. It is looked at after each piece of a batch of
        nodes; the greedy searches are finished whatever they take. With it the result depends on
        the machine.
    start : ndarray of shape (M, C), optional
        Logarithms of further weights to begin with, as from an algorithm.

    Returns
    -------
    list of Certificate
        One for each cost matrix.

    Raises
    ------
    ValueError
        For a gap, a number of nodes or a time that is negative or not a number.

    Notes
    -----
    See `opchar.multiclass.cost_weights.nodes` for the bound. A node is split where an object
    turns from one class to another, so that the search ends. Weights that differ by less than
    1e-11 in a logarithm from where objects turn are not told apart from those there.
    """
    if not (gap >= 0 and max_nodes >= 1 and (seconds is None or seconds > 0)):
        raise ValueError(
            f"give gap >= 0, max_nodes >= 1 and positive seconds, not {gap}, {max_nodes}, {seconds}"
        )
    begun = monotonic()
    first = greedy(problem, rng, restarts=8, sweeps=50)
    candidates = [first.log_weights]
    if start is not None:
        begin = np.asarray(start, dtype=float)
        positive = np.maximum(begin, begin.max(axis=1, keepdims=True) - whole(problem).max())
        candidates += [begin, greedy(problem, rng, start=positive, sweeps=50).log_weights]
    left = np.inf
    if seconds is not None:
        left = seconds - (monotonic() - begun) / len(problem.prices)
    return [
        _Search(problem.of_matrix(m), [rows[m] for rows in candidates]).run(gap, max_nodes, left)
        for m in range(len(problem.prices))
    ]


class _Search:
    """Branch and bound for one cost matrix."""

    def __init__(self, problem: CostProblem, candidates: list[Floats]) -> None:
        self._problem, self._bounds = problem, Bounds(problem)
        self._scale = float(np.abs(problem.prices[0]).max(axis=1) @ problem.class_sizes())
        self._solved = np.inf
        self._open: list[_Open] = []
        self._count = self._bytes = 0
        self.loss, self.log_weights = np.inf, candidates[0]
        for log_weights in candidates:
            self._try(log_weights)

    def _try(self, log_weights: Floats) -> float:
        """Return the loss at some weights, which are kept if they are better than all before."""
        loss = float(losses(self._problem, log_weights)[0])
        if loss < self.loss:
            self.loss, self.log_weights = loss, log_weights
        return loss

    def run(self, gap: float, max_nodes: int, seconds: float) -> Certificate:
        """Split the nodes of lowest bounds until the gap closes or the means are used up."""
        end = monotonic() + seconds
        everything = np.arange(len(self._problem.y))
        zero = np.zeros(len(everything), dtype=np.intp)
        self._add(self._bounds.evaluate(whole(self._problem), np.zeros(1), zero, everything))
        while True:
            lower = min([self._solved, self.loss, *(node.bound for node in self._open[:1])])
            reached = self._why_stop(lower, gap, max_nodes, end)
            if reached is not None:
                lower = self.loss if reached == "optimal" else lower
                return Certificate(self.log_weights, self.loss, lower, reached, self._count)
            self._split_all(self._take(), end)

    def _why_stop(self, lower: float, gap: float, max_nodes: int, end: float) -> Stopped | None:
        """Return why to stop, if so."""
        if self.loss - lower <= EXACT * self._scale:
            return "optimal"
        if self.loss - lower <= gap * abs(self.loss):
            return "gap reached"
        if self._count >= max_nodes or not self._open:
            return "nodes used up"
        if self._bytes > MEMORY:
            return "memory used up"
        return "time used up" if monotonic() > end else None

    def _split_all(self, taken: list[_Open], end: float) -> None:
        """Split nodes, at once or, if there is a limit of time, in pieces until it is reached.

        Those that the time does not reach stay open as they were, so that the bound holds.
        """
        if end == np.inf:
            self._add(self._children(taken))
            return
        while taken:
            piece, work = 0, 0
            while piece < len(taken) and work < TIMED_WORK:
                work += taken[piece].item.size * self._problem.n_classes
                piece += 1
            self._add(self._children(taken[:piece]))
            taken = taken[piece:]
            if monotonic() > end:
                for node in taken:
                    self._keep(node)
                return

    def _keep(self, node: _Open) -> None:
        """Leave a node open."""
        self._bytes += node.size
        heappush(self._open, node)

    def _add(self, nodes: Nodes) -> None:
        """Keep the nodes that can have a lower loss than the lowest so far."""
        self._count += len(nodes.limits)
        above = nodes.bounds + nodes.excess
        if len(above) and above.min() < self.loss:
            self._try(centres(nodes.limits[[int(first_least(above))]])[0])
        objects = nodes.open_objects()
        for k in np.flatnonzero(nodes.bounds < self.loss - EXACT * self._scale):
            if self._is_solved(nodes, int(k)):
                self._solved = min(self._solved, float(nodes.bounds[k]))
                continue
            self._keep(
                _Open(
                    float(nodes.bounds[k]),
                    self._count + int(k),
                    nodes.limits[k].copy(),
                    float(nodes.settled[k]),
                    objects[k].astype(np.int32),
                    nodes.branch[k],
                )
            )

    def _is_solved(self, nodes: Nodes, k: int) -> bool:
        """Return whether the centre of a node has the loss of the node's bound.

        So has a node that no class splits, where the two differ by rounding only.
        """
        if nodes.branch[k, 0] == nodes.branch[k, 1]:
            return True
        if nodes.excess[k] > EXACT * self._scale:
            return False
        loss = self._try(centres(nodes.limits[[k]])[0])
        return bool(loss <= nodes.bounds[k] + EXACT * self._scale)

    def _take(self) -> list[_Open]:
        """Return some nodes with the lowest bounds, and close them.

        The memory of their parts bounds their number.
        """
        taken: list[_Open] = []
        work = 0
        while self._open and len(taken) < BATCH and work < WORK:
            taken.append(heappop(self._open))
            work += taken[-1].item.size * self._problem.n_classes
        self._bytes -= sum(node.size for node in taken)
        return taken

    def _children(self, parents: list[_Open]) -> Nodes:
        """Split nodes in two and bound the loss in the halves."""
        limits = np.array([node.limits for node in parents])
        branch = np.array([node.branch for node in parents])
        item = np.concatenate([node.item for node in parents])
        parent = np.repeat(np.arange(len(parents)), [len(node.item) for node in parents])
        values = self._bounds.split_values(limits, parent, item, branch)
        evaluated = self._bounds.evaluate(
            split(limits, branch, values),
            np.tile([node.settled for node in parents], 2),
            np.concatenate([parent, parent + len(parents)]),
            np.tile(item, 2),
        )
        bounds = np.maximum(evaluated.bounds, np.tile([node.bound for node in parents], 2))
        raised = np.where(np.isfinite(bounds), bounds, 0.0) - evaluated.bounds
        excess = np.maximum(evaluated.excess - raised, 0.0)
        return replace(evaluated, bounds=bounds, excess=excess)


@dataclass(frozen=True, order=True)
class _Open:
    """A node that is still to be split; ordered by bound, then by age."""

    bound: float
    age: int
    limits: Floats = field(compare=False)
    settled: float = field(compare=False)
    item: Ints = field(compare=False)
    branch: Ints = field(compare=False)

    @property
    def size(self) -> int:
        """Bytes of its arrays."""
        return self.limits.nbytes + self.item.nbytes


def certify_by_milp(problem: CostProblem, *, seconds: float = 60.0) -> list[Certificate]:
    """Return the best weights with a lower bound, by mixed-integer programming (HiGHS).

    A binary variable for each object and class says who gets it; if class j does, then ``u_j - u_k
    >= l_k - l_j`` for the log weights u and log scores l, with the smallest constant that frees the
    inequality otherwise. The bound comes from the solver, with its tolerances (1e-6 on the
    constraints, and on the loss in units of the largest cost of an object). The solver may give an
    object that ties to either class: the bound holds all the same, and where no weights attain it
    the search ends with ``"gap reached"``.
    """
    if not seconds > 0:
        raise ValueError(f"give a positive time, not {seconds}")
    if not np.isfinite(problem.log_scores).all():
        raise ValueError("the mixed-integer programme needs scores above zero")
    return [_solve(problem.of_matrix(m), seconds) for m in range(len(problem.prices))]


def _solve(problem: CostProblem, seconds: float) -> Certificate:
    """Solve the programme of one cost matrix."""
    from scipy.optimize import Bounds as Box
    from scipy.optimize import LinearConstraint, milp
    from scipy.sparse import coo_array

    scores, (n, c) = problem.log_scores, problem.log_scores.shape
    reach = float(whole(problem)[0].max())
    held, rival = (part.ravel() for part in np.nonzero(~np.eye(c, dtype=bool)))
    lead = scores[:, rival] - scores[:, held]
    row = np.arange(lead.size)
    binary = c + (np.arange(n)[:, None] * c + held).ravel()
    pairs = [np.tile(held, n), np.tile(rival, n), binary]
    entries = [np.ones(lead.size), -np.ones(lead.size), -(lead.ravel() + reach)]
    wins = coo_array(
        (np.concatenate(entries), (np.tile(row, 3), np.concatenate(pairs))),
        shape=(lead.size, c + n * c),
    )
    once = coo_array((np.ones(n * c), (np.repeat(np.arange(n), c), c + np.arange(n * c))))
    constraints = [LinearConstraint(wins.tocsr(), -reach, np.inf), LinearConstraint(once, 1, 1)]
    prices = problem.prices[0][problem.y].ravel()
    unit = float(np.abs(prices).max()) or 1.0
    objective = np.concatenate([np.zeros(c), prices / unit])
    low = np.concatenate([[0.0], np.full(c - 1, -reach), np.zeros(n * c)])
    high = np.concatenate([[0.0], np.full(c - 1, reach), np.ones(n * c)])
    found = milp(
        objective,
        integrality=np.concatenate([np.zeros(c), np.ones(n * c)]),
        bounds=Box(low, high),
        constraints=constraints,
        options={"time_limit": seconds, "mip_rel_gap": 0.0},
    )
    log_weights = np.zeros(c)
    if found.x is not None:
        log_weights = _inside(scores, found.x[c:].reshape(n, c).argmax(axis=1), reach)
    loss = float(losses(problem, log_weights)[0])
    dual = found.mip_dual_bound
    bound = -np.inf if dual is None else min(float(dual) * unit, loss)
    closed = loss - bound <= SOLVED * unit * n
    stopped: Stopped = "time used up" if found.status else "optimal" if closed else "gap reached"
    return Certificate(log_weights, loss, bound, stopped, 0)


def _inside(scores: Floats, winners: Ints, reach: float) -> Floats:
    """Return weights in the middle of those under which each object has its winner."""
    c = scores.shape[1]
    limits = np.full((c, c), reach)
    winning = scores[np.arange(len(winners)), winners]
    np.minimum.at(limits.T, winners, winning[:, None] - scores)
    np.fill_diagonal(limits, 0.0)
    for via in range(c):
        limits = np.minimum(limits, limits[:, [via]] + limits[via])
    return centres(limits[None])[0]
