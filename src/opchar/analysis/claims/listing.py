"""The general claims as the package ships them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from importlib.resources import files

from opchar.statements.general import General


def text_of(claims: Iterator[General]) -> str:
    """Return the claims as the package ships them.

    Parameters
    ----------
    claims : iterator of General

    Returns
    -------
    str
        JSON.
    """
    return json.dumps([asdict(claim) for claim in claims], indent=1, ensure_ascii=False) + "\n"


def packaged_claims() -> tuple[General, ...]:
    """Return the general claims as the statements of the project say them.

    Returns
    -------
    tuple of General
    """
    text = files("opchar.analysis.claims").joinpath("general.json").read_text(encoding="utf-8")
    return tuple(General(**claim) for claim in json.loads(text))
