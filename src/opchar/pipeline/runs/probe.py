"""How fast this machine is, by two seconds of work of the kinds that jobs do.

``python -m opchar.pipeline.runs.probe`` prints its seconds from start to end: what runs beside it
counts, as it will for the jobs.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

ROUNDS = 40


def work() -> None:
    """Count in Python, sort, and multiply matrices, in the measure of most jobs."""
    import numpy as np

    rng = np.random.default_rng(0)
    for _ in range(ROUNDS):
        total = 0
        for number in range(400_000):
            total += number % 7
        values = rng.random(200_000)
        np.cumsum(values[np.argsort(values, kind="stable")])
        matrix = rng.random((200, 200))
        for _ in range(10):
            matrix = np.tanh(matrix @ matrix / 200)


@contextmanager
def start_probe(environment: Mapping[str, str]) -> Iterator[subprocess.Popen[str]]:
    """Start the probe in an environment; its output has the seconds, nothing if it failed."""
    words = [sys.executable, "-m", __name__]
    out, none = subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen(words, text=True, env=environment, stdout=out, stderr=none) as probe:
        try:
            yield probe
        finally:
            probe.kill()


if __name__ == "__main__":
    since = time.perf_counter()
    work()
    print(f"{time.perf_counter() - since:.3f}")
