"""The general claims: what they say, what they need, and how they are measured and judged."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from importlib.resources import files
from typing import Any

# What a general form of a statement may have of its own, in place of the statement's.
REPLACED = ("function", "parameters", "control", "units")


@dataclass(frozen=True)
class General:
    """A claim of a work that does not depend on its data sets.

    Attributes
    ----------
    id : str
        Of the published line that it generalises.
    says : str
        The claim.
    needs : str
        Which scores it can be asked of.
    measure : str
        ``"module:function"`` that gives the frame for a user's sets; empty where their scores do
        not serve.
    frame : str
        What its statement reads.
    function : str
        ``"module:function"`` of the statement.
    parameters : dict
        Of the statement; ``sets``, where it stands, becomes the user's.
    control : dict
        Negative control, as a statement's mark says it.
    units : str
        What is drawn anew for the support.
    """

    id: str
    says: str
    needs: str
    measure: str
    frame: str
    function: str
    parameters: dict[str, Any]
    control: dict[str, Any]
    units: str


def general_of(statements: Mapping[str, Mapping[str, Any]]) -> Iterator[General]:
    """Yield the general claims among statements.

    Parameters
    ----------
    statements : mapping
        Entries of statements by id; those with a key ``general`` count.

    Yields
    ------
    General
    """
    for identifier, entry in statements.items():
        for form in entry.get("general", []):
            own = {name: form.get(name, entry.get(name, {})) for name in REPLACED}
            told = {name: form[name] for name in ("says", "needs", "measure", "frame")}
            yield General(id=identifier, **told, **own)


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


def shipped() -> tuple[General, ...]:
    """Return the general claims as the statements of the project say them.

    Returns
    -------
    tuple of General
    """
    text = files("opchar.analysis.claims").joinpath("general.json").read_text(encoding="utf-8")
    return tuple(General(**claim) for claim in json.loads(text))
