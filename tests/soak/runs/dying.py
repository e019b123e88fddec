"""What a copy of the project imports at its start, so that its jobs die where a draw says so.

Put as `sitecustomize.py` into the path of a copy. With `OPCHAR_SOAK_DEATHS` set to a seed, each job
draws whether it dies in this run, who dies with it, and when: in the first or in the last 50 ms of
one of its writes, or after any share of its computing. What was killed is added to `deaths.log`
just before. Nothing is tidied up: it is SIGKILL.
"""

import os
import signal
import sys
import threading
import time
from pathlib import Path
from random import Random
from typing import Any

SEED = "OPCHAR_SOAK_DEATHS"
MOMENT = 0.05
LOG = Path("deaths.log")
WHO = ("job", "job", "job", "all", "snakemake")
# Not every job comes to the write that was drawn: so about half of the deaths are in one.
WHEN = ("first", "last", "computing")


def _is_job() -> bool:
    words = sys.orig_argv[1:]
    return any(word.endswith("opchar_reproduction/jobs/__main__.py") for word in words[:2])


def _die(who: str, when: str, after: float) -> None:
    """Kill at once; the first who comes here decides."""
    kind = next(w for w in sys.orig_argv[3:] if not w.startswith("-") and "/" not in w)
    with LOG.open("a") as log:
        log.write(f"{kind} {who} {when} {after:.4f}\n")
    if who == "all":
        os.killpg(os.getpgrp(), signal.SIGKILL)
    if who == "snakemake":
        os.kill(int(Path(".opchar/running.pid").read_text()), signal.SIGKILL)
        return
    os.kill(os.getpid(), signal.SIGKILL)


def _later(who: str, when: str, after: float) -> None:
    timer = threading.Timer(after, _die, (who, when, after))
    timer.daemon = True
    timer.start()


def _after_computing(who: str, seconds: float) -> None:
    def wait() -> None:
        while time.process_time() < seconds:
            time.sleep(0.002)
        _die(who, "computing", seconds)

    threading.Thread(target=wait, daemon=True).start()


def _in_a_write(who: str, when: str, number: int, offset: float) -> None:
    """Die near the beginning or the end of write number `number` of this process.

    The end of a write is its renaming: an `offset` below zero is the moment before it.
    """
    count = [0]
    begins, ends = Path.touch, Path.replace

    def begun(self: Path, *words: Any, **more: Any) -> None:
        begins(self, *words, **more)
        if self.name.startswith(".making-"):
            count[0] += 1
            if when == "first" and count[0] == number:
                _later(who, when, max(offset, 0.0))

    def ended(self: Path, target: Any) -> Any:
        if when == "last" and self.name.startswith(".making-") and count[0] == number:
            if offset < 0:
                _die(who, when, offset)
            else:
                _later(who, when, offset)
        return ends(self, target)

    Path.touch = begun  # type: ignore[method-assign, assignment]
    Path.replace = ended  # type: ignore[method-assign, assignment]


def arm(seed: str) -> None:
    """Draw the death of this process, if it is to die."""
    words = [word for word in sys.orig_argv if not word.startswith(".opchar/")]
    chance = Random(f"{seed} {words}")
    if chance.random() < 0.4:
        return
    who, when = chance.choice(WHO), chance.choice(WHEN)
    if when == "computing":
        _after_computing(who, chance.uniform(0.05, 2.0))
    else:
        # Before and after the end alike; after the beginning only.
        low = -MOMENT if when == "last" else 0.0
        _in_a_write(who, when, chance.choice((1, 1, 2)), chance.uniform(low, MOMENT))


if os.environ.get(SEED) and _is_job():
    arm(os.environ[SEED])
