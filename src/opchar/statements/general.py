"""General claims: statements that can be tested on any data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
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
            replaced = {name: form.get(name, entry.get(name, {})) for name in REPLACED}
            form_fields = {name: form[name] for name in ("says", "needs", "measure", "frame")}
            yield General(id=identifier, **form_fields, **replaced)
