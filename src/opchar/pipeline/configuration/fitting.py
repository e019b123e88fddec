"""A configuration that was found to fit is not checked again while nothing of it has changed."""

from __future__ import annotations

import sys
from contextlib import suppress
from dataclasses import fields
from hashlib import sha256
from pathlib import Path

from opchar import publication
from opchar.files import write_text
from opchar.pipeline.configuration.model import Config

PACKAGE = Path(__file__).resolve().parents[2]
# Fingerprints of what was found to fit, the last first; kept where a run keeps its summaries.
FOUND = Path(".opchar/fitting")
MOST = 12


def fingerprint(config: Config) -> str:
    """Return what tells a configuration, with all that it is checked against, from another.

    Parameters
    ----------
    config : Config
        Without anything of a user's own: of their files nothing is known here.

    Returns
    -------
    str
        Hash of its entries, of the schemas, of the code and the print of the package, and of which
        Python this is.
    """
    entries = [getattr(config, each.name) for each in fields(config)]
    found = sha256(repr([sys.version, sys.prefix, *entries]).encode())
    for top, pattern in ((PACKAGE, "*.py"), (config.root / "config/schemas", "*.json")):
        for path in sorted(top.rglob(pattern)):
            found.update(repr([path.relative_to(top), path.read_bytes()]).encode())
    for folder in config.publications.values():
        path = publication.file(folder, "values")
        found.update(path.read_bytes() if path.is_file() else b"")
    return found.hexdigest()


def fits(found: str) -> bool:
    """Whether a configuration with this fingerprint was found to fit."""
    return found in _known()


def remember(found: str) -> None:
    """Keep the fingerprint of a configuration that fits, where a run has kept something."""
    if FOUND.parent.is_dir():
        others = [each for each in _known() if each != found]
        with suppress(OSError):
            write_text("\n".join([found, *others][:MOST]) + "\n", FOUND)


def _known() -> list[str]:
    with suppress(OSError, UnicodeDecodeError):
        return FOUND.read_text(encoding="utf-8").split()
    return []
