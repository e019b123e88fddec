"""Random generators that depend on names, never on the order of execution."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256

import numpy as np

Spawn = Callable[..., np.random.Generator]


def generator(seed: int, *names: object) -> np.random.Generator:
    """Return the generator that belongs to `names` under `seed`."""
    digest = sha256("\x1f".join(map(str, names)).encode()).digest()
    words = np.frombuffer(digest, dtype="<u4").tolist()
    return np.random.default_rng(np.random.SeedSequence([seed, *words]))


def spawner(seed: int, *names: object) -> Spawn:
    """Return a function that appends its own names to `names` and gives the generator."""
    return lambda *more: generator(seed, *names, *more)


def integer_seed(rng: np.random.Generator) -> int:
    """Draw the 32-bit seed that scikit-learn's ``random_state`` wants."""
    return int(rng.integers(2**32, dtype=np.uint64))
