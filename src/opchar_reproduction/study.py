"""The marks of a study: what measures, what is claimed of it, what draws it, in one place.

A study is one file, or one folder of a few files, of a publication (``publications/``), of this
project (``studies/``) or of a user. Its contract:

* A function marked ``@study`` measures: it takes keywords only and returns
  `results.Results`. Parameters and their values stand in its signature. The workflow fills
  ``scores`` (tables by data set and model), ``features``, ``spawn`` (a generator for a name) and
  ``shared`` (`Shared`: what its protocol variants compute once).
* ``@variant`` declares, of a choice that the publication leaves open, the admissible values and
  the primary one: parameters of the study that they change.
* A function marked ``@statement`` judges one published claim: of
  `statements.measurements.Measurements` it returns a `Finding`. Its control is a change of the
  measurements on which it must fail.
* A function marked ``@figure`` draws, one marked ``@table`` lays out, of results and frames.
  ``table(...)`` alone asks for the usual layout, numbers beside the published ones.
* ``by=`` names a function that several marks share; the mark then stands alone.
* ``study=`` names the study that is meant where a file or folder has several.

Marks hold literals, constants of the file and names of functions. They are read from the syntax
tree: planning a run imports nothing, and a marked function stays as it is. A line break in a text
of a mark is a blank. A constant may be a table beside the file (`settings`) or the numbers that an
artefact prints (`printed_numbers`).
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from opchar_reproduction.shared import Shared

__all__ = [
    "Control",
    "Shared",
    "figure",
    "printed_numbers",
    "settings",
    "statement",
    "study",
    "table",
    "variant",
]

Marked = TypeVar("Marked", bound=Callable[..., Any])


class Control:
    """A change of the measurements on which a statement must fail.

    Parameters
    ----------
    function : callable or str
        Of measurements and the parameters it returns changed measurements; or ``"module:name"``.
    says : str
        The change in words.
    **parameters
        Given to the function by name.
    """

    def __init__(self, function: Callable[..., Any] | str, says: str, **parameters: Any) -> None:
        self.function, self.says, self.parameters = function, says, parameters


def settings(file: str, name: str, by: str = "") -> Any:
    """Return a table of settings that stands beside a file of a study.

    Parameters
    ----------
    file : str
        The file of the study, ``__file__``.
    name : str
        Of a CSV: ``others/middle`` heads a value within ``others``, ``models[]`` a list parted by
        "; ". Rows are lists where all heads are numbers. A cell is JSON, else text, or left empty.
    by : str, optional
        The column that names the rows, for a mapping instead of a list of them.

    Returns
    -------
    list or dict
        Of the rows.
    """
    with (Path(file).parent / name).open(encoding="utf-8", newline="") as lines:
        heads, *rows = csv.reader(lines)
    if all(head.isdigit() for head in heads):
        return [[cell(text) for text in row] for row in rows]
    found = [_nest(zip(heads, row, strict=True)) for row in rows]
    return {row.pop(by): row for row in found} if by else found


def printed_numbers(label: str) -> dict[str, float]:
    """Return nothing: in a mark it stands for the printed numbers of an artefact by row.

    So a published number stands in ``values.csv`` only.

    Parameters
    ----------
    label : str
        A label of the publication, as in ``"figure-11"``.

    Returns
    -------
    dict
    """
    return {}


def _nest(cells: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """Return a row of a table of settings."""
    row: dict[str, Any] = {}
    for head, text in cells:
        *outer, last = head.removesuffix("[]").split("/")
        if text:
            place = row
            for name in outer:
                place = place.setdefault(name, {})
            parts = [cell(part) for part in text.split("; ")]
            place[last] = parts if head.endswith("[]") else cell(text)
    return row


def cell(text: str) -> Any:
    """Return what a cell of a table of settings says: JSON, else its text.

    Parameters
    ----------
    text : str

    Returns
    -------
    object
    """
    with suppress(ValueError):
        return json.loads(text)
    return text


def study(
    name: str,
    *,
    basis: str = "data",
    kind: str = "metric",
    scores: Sequence[str | Mapping[str, Any]] = (),
    features: Sequence[str] = (),
    parameters: Mapping[str, Any] | None = None,
    profiles: Mapping[str, Mapping[str, Any]] | None = None,
    variants: Mapping[str, Any] | None = None,
    same_draws_as: str = "",
    nothing_open: str = "",
    page: str = "",
    choices: Sequence[str] = (),
    units: str = "",
) -> Callable[[Marked], Marked]:
    """Mark what measures a study.

    Parameters
    ----------
    name : str
        Its address is ``<publication>/<name>``.
    basis : {"data", "exact", "simulation", "illustration"}
        What its numbers rest on.
    kind : {"metric", "anova", "vus", "reject", "ibc", "costs"}
        Of work.
    scores : sequence of str or mapping
        What it reads: ``"data; data | protocol | model; model"`` each.
    features : sequence of str
        Data sets whose features it reads.
    parameters : mapping, optional
        Values that replace those of the signature, where several studies share a function.
    profiles : mapping, optional
        What ``tiny``, ``quick`` or ``paper`` change of the parameters.
    variants : mapping, optional
        How its protocol variants are combined: ``combine``, ``pairs``, ``joined_after_results``;
        ``profiles`` that make them, if not all: where no line differs, ``paper`` only;
        ``frames`` that are kept for all; ``with``, parameters that all but the primary one have
        beside their own; ``blocks`` of cells that may come from one run: ``set`` (default), what a
        row's name has before " / ", ``row`` or ``column``; ``contradicted``, the blocks in which
        the work contradicts itself, each with the places.
    same_draws_as : str, optional
        Another study whose random draws are made again.
    nothing_open : str, optional
        Why its published numbers leave nothing open.
    page : {"", "proofs"}
        The page of the report that shows its frames, besides figures and tables.
    choices : sequence of str
        What the publication leaves open, and what was chosen, where all its figures and tables
        share it.
    units : str, optional
        Column of the independent units of all its claims, where these name no other.

    Returns
    -------
    callable
        Leaves the function as it is.

    Examples
    --------
    >>> @study("sizes", scores=["sonar | holdout-10 | ldc"])
    ... def sizes(*, scores):
    ...     from opchar_reproduction.results import Results
    ...     results = Results()
    ...     for (data, model), table in scores.items():
    ...         results.number("sizes", model, "objects", len(table.y), data=table.data)
    ...     return results
    """
    return lambda function: function


def variant(
    dimension: str,
    *,
    section: str = "",
    why: str,
    values: Mapping[str, Mapping[str, Any]],
    primary: str = "",
    study: str | Sequence[str] = "",
) -> Callable[[Marked], Marked]:
    """Mark a choice that the publication leaves open, on what measures the study.

    Parameters
    ----------
    dimension : str
        What is open.
    section : str, optional
        Where the publication leaves it open, if not where all figures and tables of the study are.
    why : str
        What it says and does not say.
    values : mapping of str to mapping
        The parameters that each value changes; the primary one, which follows from the text, none.
    primary : str, optional
        The name of the value that changes nothing, where it is to be said.
    study : str or sequence of str, optional
        The study, or those that share the choice, where the file has several.

    Returns
    -------
    callable
        Leaves the function as it is.
    """
    return lambda function: function


def statement(
    number: str,
    *,
    criterion: str = "",
    control: Control | None = None,
    leaf_controls: Sequence[Control] = (),
    criterion_set: str = "undated",
    by: Callable[..., Any] | None = None,
    study: str = "",
    also_judged_on: Sequence[str] = (),
    also_reads: Sequence[str] = (),
    basis: str = "",
    units: str = "",
    parameters: Mapping[str, Any] | None = None,
) -> Callable[[Marked], Marked]:
    """Mark what judges a published claim.

    Parameters
    ----------
    number : str
        Of the published line, four digits.
    criterion : str
        When the claim holds, in words. It, and all that follows, may be in ``statements.csv``.
    control : Control
        On which it must fail.
    leaf_controls : sequence of Control
        Further ones, for the parts of a claim that hold on ``control``: each part must fail on one.
    criterion_set : {"undated", "after", "before <commit>"}, default: "undated"
        Whether the criterion was set before its first result; the commit is one that has it and no
        verdict of the line (`opchar ledger --frozen` checks it).
    by : callable, optional
        What judges, where the mark stands alone.
    study : str, optional
        The study whose measurements it judges.
    also_judged_on : sequence of str
        Addresses of studies on which it is judged besides.
    also_reads : sequence of str
        Addresses of further studies that it reads.
    basis : str, optional
        Where it is not that of the study.
    units : str, optional
        Column of the independent units that are resampled for its support.
    parameters : mapping, optional
        Given to the function by name.

    Returns
    -------
    callable
        Leaves the function as it is.
    """
    return lambda function: function


def figure(
    label: str,
    *,
    title: str = "",
    caption: str = "",
    section: str = "",
    study: str = "",
    by: Callable[..., Any] | None = None,
    lines: Sequence[str] = (),
    choices: Sequence[str] = (),
    illustration: str = "",
    sample: bool = False,
    parameters: Mapping[str, Any] | None = None,
    surface: Callable[..., Any] | None = None,
) -> Callable[[Marked], Marked]:
    """Mark what draws a figure: of results and frames it returns a `matplotlib.figure.Figure`.

    Parameters
    ----------
    label : str
        As in the publication; its address is ``<publication>/<label>``.
    title, caption : str
        For people. They, and all that follows, may be in ``exhibits.csv``.
    section : str, optional
        Of the publication, where ``catalogue.csv`` names none or another.
    study : str, optional
        The study that it shows, where the file has several.
    by : callable, optional
        What draws, where the mark stands alone.
    lines : sequence of str
        Artefacts among the study's results that it shows; that of the label when not given.
    choices : sequence of str
        What the publication leaves open, and what was chosen.
    illustration : str, optional
        The part of it that was chosen by us.
    sample : bool
        Whether the profile ``tiny`` makes it.
    parameters : mapping, optional
        Given to the function by name.
    surface : callable, optional
        Of the frames and the parameters, what can be turned on the page.

    Returns
    -------
    callable
        Leaves the function as it is.
    """
    return lambda function: function


def table(
    label: str,
    *,
    title: str = "",
    caption: str = "",
    section: str = "",
    study: str = "",
    by: Callable[..., Any] | None = None,
    lines: Sequence[str] = (),
    choices: Sequence[str] = (),
    illustration: str = "",
    sample: bool = False,
    parameters: Mapping[str, Any] | None = None,
) -> Callable[[Marked], Marked]:
    """Mark what lays out a table; without a function, the usual layout.

    Parameters
    ----------
    label, title, caption, section, study, by, lines, choices, illustration, sample, parameters
        As of `figure`; the function returns `opchar_reproduction.figures.tables.TableBlock`.

    Returns
    -------
    callable
        Leaves the function as it is.
    """
    return lambda function: function
