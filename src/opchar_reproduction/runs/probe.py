"""How fast this machine is, by two seconds of work of the kinds that jobs do.

``python -m opchar_reproduction.runs.probe`` prints the seconds of its work: what runs beside it all
the time counts, as it will for the jobs; what holds it up once, as loading NumPy for the first
time, does not.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from statistics import median

ROUNDS = 50


def work() -> None:
    """Count in Python, sort, and multiply matrices, in the measure of most jobs."""
    import numpy as np

    rng = np.random.default_rng(0)
    total = 0
    for number in range(400_000):
        total += number % 7
    values = rng.random(200_000)
    np.cumsum(values[np.argsort(values, kind="stable")])
    first = matrix = rng.random((200, 200))
    for _ in range(10):
        # Of ordinary size: with numbers near zero some processors take many times as long.
        matrix = np.tanh(first @ matrix / 100)


def seconds() -> float:
    """Return the seconds that all rounds take when each takes as long as the middle one."""
    took = []
    for _ in range(ROUNDS):
        since = time.perf_counter()
        work()
        took.append(time.perf_counter() - since)
    return ROUNDS * median(took)


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
    print(f"{seconds():.3f}")
