"""Random generators that depend on names, never on the order of execution."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256

import numpy as np

Spawn = Callable[..., np.random.Generator]


def generator(seed: int, *names: object) -> np.random.Generator:
    """Return the generator that belongs to `names` under `seed`.

    Parameters
    ----------
    seed : int
        The seed of the run, ``seed`` in ``config/config.yaml``.
    *names : object
        What the draw is for, as in ``("landgrebe2007/p-roc", "statlog-satimage", "ldc", 3)``;
        their ``str`` is what counts.

    Returns
    -------
    numpy.random.Generator
        Equal names give equal streams; different names give independent ones.
    """
    digest = sha256("\x1f".join(map(str, names)).encode()).digest()
    words = np.frombuffer(digest, dtype="<u4").tolist()
    return np.random.default_rng(np.random.SeedSequence([seed, *words]))


def spawner(seed: int, *names: object) -> Spawn:
    """Return a function that appends its own names to `names` and gives the generator.

    Parameters
    ----------
    seed : int
        The seed of the run.
    *names : object
        The common beginning of the names, usually the experiment.

    Returns
    -------
    callable
        ``spawn(*more) -> numpy.random.Generator``.
    """
    return lambda *more: generator(seed, *names, *more)


def integer_seed(rng: np.random.Generator) -> int:
    """Draw the 32-bit seed that scikit-learn's ``random_state`` wants.

    Parameters
    ----------
    rng : numpy.random.Generator
        The source of the draw.

    Returns
    -------
    int
        In ``[0, 2**32)``.
    """
    return int(rng.integers(2**32, dtype=np.uint64))
