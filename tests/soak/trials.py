"""One trial: an action on a faulty input, and how it ended."""

import resource
import signal
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from opchar.errors import OpcharError

# Seconds of computing, not of the clock, after which an input counts as one that hangs.
HANGS = 60.0
# Megabytes that no input may take.
MEMORY = 2000
LONGEST = 1000

Action = Callable[[], str]
Maker = Callable[[Random, Path], tuple[str, Action]]


class Hang(BaseException):
    """An action took more computing than any right one."""


@dataclass
class Tally:
    """How the trials of one kind of fault ended.

    `counts`: trials by outcome; `faults`: number of the input, what it was, and what went wrong.
    """

    counts: Counter[str] = field(default_factory=Counter)
    faults: list[tuple[int, str, str]] = field(default_factory=list)

    @property
    def trials(self) -> int:
        return self.counts.total()


@contextmanager
def bounded(seconds: float = HANGS) -> Iterator[None]:
    """Raise `Hang` when the block takes more computing than `seconds`."""

    def stop(number: int, frame: object) -> None:
        raise Hang

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def ended(action: Action) -> tuple[str, str]:
    """Return how an action ended, and what is wrong with that; nothing when all is well.

    An action returns what is wrong with what it accepted, nothing when that is right.
    """
    try:
        with bounded(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            wrong = action()
    except OpcharError as error:
        return "refused", wrong_message(str(error))
    except Hang:
        return "hang", f"more than {HANGS:g} s of computing"
    except (Exception, SystemExit) as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        trace = " < ".join(
            f"{Path(f.filename).name}:{f.lineno}"
            for f in traceback.extract_tb(error.__traceback__)[-1:-5:-1]
        )
        return "traceback", f"{type(error).__name__}: {error} at {place.name} [{trace}]"
    return ("nonsense accepted", wrong) if wrong else ("accepted", "")


def wrong_message(message: str) -> str:
    """Return what is wrong with an error message for people."""
    if not message.strip():
        return "an empty message"
    if "\n" in message:
        return f"a message of several lines: {message!r}"
    if len(message) > LONGEST:
        return f"a message of {len(message)} letters: {message[:80]!r}"
    return ""


def trials(make: Maker, name: str, count: int, first: int = 0) -> Tally:
    """Run inputs number `first` and on of one kind; each depends on its number alone."""
    tally = Tally()
    for number in range(first, first + count):
        with TemporaryDirectory() as folder:
            what, action = make(Random(f"{name}/{number}"), Path(folder))
            outcome, wrong = ended(action)
        tally.counts[outcome] += 1
        if wrong:
            tally.faults.append((number, what, wrong))
    taken = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    if taken > MEMORY:
        tally.faults.append((first, f"{count} inputs", f"took {taken} MB"))
    return tally
