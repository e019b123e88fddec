"""What set-up compiles ahead is all that a run needs compiled."""

import os
import runpy
from collections.abc import Iterator
from pathlib import Path
from subprocess import run
from sys import executable
from types import ModuleType

import numpy as np
import pytest

from checkout import ROOT


def of_a_run() -> None:
    """Call what is compiled as studies do, on arrays of other sizes and orders in memory."""
    from opchar.combination.pairwise import pairwise as pairs_of_classifiers
    from opchar.multiclass.cost_weights.algorithms import greedy, lachiche_flach, pairwise
    from opchar.multiclass.cost_weights.problem import cost_problem
    from opchar.multiclass.roc.volume import linear_surface
    from opchar.spaces.points import operating_points

    rng = np.random.default_rng(1)
    score = rng.normal(size=6000)
    for given in (score, score[::2], score.round(1)):
        label = given > rng.normal(size=len(given))
        for weight in (None, rng.integers(1, 4, len(given)), rng.uniform(size=len(given))):
            operating_points(label, given, weight)
    y = rng.integers(5, size=80)[::2]
    scores = np.asfortranarray(rng.uniform(0.1, 1, size=(80, 5)))[::2]
    problem = cost_problem(y, scores, rng.uniform(size=(3, 5, 5)) * (1 - np.eye(5)))
    for search in ("exact", "grid", "grid and present"):
        greedy(problem, rng, search=search, sweeps=2)
        lachiche_flach(problem, order=[4, 2, 0, 1, 3], search=search)
        pairwise(problem, rng, end_greedily=True, search=search)
    for shape in ((5, 2), (4, 3, 3), (3, 4, 3, 4)):
        linear_surface(np.sort(rng.uniform(size=shape), axis=0)[::-1], 6)
        linear_surface(np.asfortranarray(rng.uniform(size=shape)), 4)
    many = {f"c{e}": rng.integers(0, e + 2, 60) for e in range(4)}
    for ordered in (False, True):
        pairs_of_classifiers(many, rng.uniform(size=60) < 0.5, ordered=ordered)


def kernels() -> Iterator[tuple[str, list[object]]]:
    """Yield each compiled function with the types for which it has been compiled."""
    from opchar.combination import compiled_pairs
    from opchar.multiclass.cost_weights import compiled_cuts, compiled_searches
    from opchar.multiclass.roc import compiled_nodes
    from opchar.spaces import compiled_sorting

    modules: list[ModuleType] = [compiled_pairs, compiled_cuts, compiled_searches, compiled_nodes]
    modules.append(compiled_sorting)
    for module in modules:
        for name, value in vars(module).items():
            if hasattr(value, "signatures"):
                yield f"{module.__name__}.{name}", list(value.signatures)


def compiled_later() -> list[str]:
    """Return which functions a run would compile after those of the set-up."""
    ahead = runpy.run_path(str(ROOT / "tools/kernels.py"))
    for part in ("compile_searches", "compile_surfaces", "compile_pairs", "compile_sorting"):
        ahead[part]()
    before = dict(kernels())
    of_a_run()
    return [name for name, types in kernels() if types != before[name]]


def test_run_compiles_nothing_that_setup_has_not() -> None:
    """In a process of its own: other tests compile for other types."""
    pytest.importorskip("numba", reason="compiled code: pip install opchar[fast]")
    code = "from test_compiled_ahead import *; print(*compiled_later(), len(dict(kernels())) > 9)"
    given = os.environ | {"PYTHONPATH": f"{ROOT / 'tests'}:{ROOT / 'src'}"}
    ended = run(
        [executable, "-c", code],
        cwd=Path(__file__).parent,
        env=given,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.stdout == "True\n", ended.stderr
