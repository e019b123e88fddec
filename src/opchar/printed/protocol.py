"""How printed scores were obtained, as far as it is known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal, get_args, get_origin, get_type_hints

from opchar.errors import DataError
from opchar.printed.certificates import Certificate
from opchar.printed.exact_indices import COUNTS
from opchar.printed.headings import SIZES
from opchar.printed.numbers import Printed, Rounding
from opchar.printed.reported_values import SECONDS, Kind, Spread
from opchar.printed.tables import Table

_LEAST = {"positives": 0, "negatives": 0, "objects": 1, "folds": 1, "most_objects": 2, "seconds": 0}


@cache
def _choices() -> dict[str, tuple[str, ...]]:
    """Return the attributes of `Protocol` that are one of some words, and these."""
    hints = get_type_hints(Protocol)
    return {n: get_args(hint) for n, hint in hints.items() if get_origin(hint) is Literal}


class FoldsError(DataError):
    """Some test fold has no object of a class, so that scores of the class are undefined there."""


@dataclass(frozen=True)
class Protocol:
    """How scores were obtained and printed; unknown attributes are None or empty.

    Attributes
    ----------
    positives, negatives, objects : int, optional
        Sizes of the test set, or of all test folds together.
    classes : tuple of int
        Objects of each of C classes; for averages over classes.
    folds : int
        Test folds; `averages` tells whether scores are of all together or means.
    folding : str
        Whether folds are stratified as by scikit-learn's ``StratifiedKFold``, or only of (nearly)
        as many objects each, with any share of positives.
    parts : tuple of (int, int)
        Positives and negatives of each test fold or data set, if they are not `folds` of one.
    rounding, unit : str
        What became of further digits; the unit of all scores, empty as each column says.
    confusion : bool
        Whether the rows are rates of a confusion matrix of the `classes`, true classes in rows.
    one_class : bool
        Whether plain precision, recall and F are known to be of one class in one test set, and no
        averages.
    average, of_class : str
        Whether precision, recall and F are averaged over the classes, or of which class they are.
    f, spread, sd, test : str
        Whether F is computed from means over folds; what stands after ±; by what it is divided;
        which test a column t is of. Of an empty word all meanings must be impossible.
    most_objects, seconds : int, float
        Where sizes are not known, the largest test set that is tried; the limit of each search.

    Raises
    ------
    DataError
        For a word that is not among those of its attribute, a size or limit below its least value,
        or a class or part without objects.
    """

    positives: int | None = None
    negatives: int | None = None
    objects: int | None = None
    classes: tuple[int, ...] = ()
    folds: int = 1
    folding: Literal["stratified", "unknown"] = "stratified"
    parts: tuple[tuple[int, int], ...] = ()
    averages: Literal["pooled", "fold-means"] = "pooled"
    rounding: Rounding = "nearest"
    unit: Literal["", "fraction", "percent"] = ""
    confusion: bool = False
    one_class: bool = False
    average: Literal["class", "macro", "weighted", "micro"] = "class"
    of_class: Literal["positive", "negative"] = "positive"
    f: Literal["mean of F", "F of means"] = "mean of F"
    spread: Literal["", "sd", "se"] = ""
    sd: Literal["", "sample", "population"] = ""
    test: Literal["", "unpaired", "paired"] = ""
    most_objects: int = 15_000
    seconds: float = SECONDS

    def __post_init__(self) -> None:
        for name, values in _choices().items():
            if (value := getattr(self, name)) not in values:
                raise DataError(f"{name}: '{value}' is none of {', '.join(map(repr, values))}")
        for name, least in _LEAST.items():
            value = getattr(self, name)
            if value is not None and not value >= least:
                raise DataError(f"{name.replace('_', ' ')}: {value} is less than {least}")
        if self.classes and (len(self.classes) < 2 or min(self.classes) < 1):
            raise DataError("classes: give the objects of two classes at least, one in each")
        if any(min(part) < 1 for part in self.parts):
            raise DataError("parts: each has a positive and a negative object at least")

    @property
    def pooled(self) -> bool:
        """Whether one matrix has all scores."""
        return self.tested == 1 or self.averages == "pooled"

    @property
    def tested(self) -> int:
        """Number of test folds or data sets."""
        return len(self.parts) or self.folds

    @property
    def spreads(self) -> list[tuple[Spread, Kind]]:
        """Kinds of spread that may stand after ±, with their divisors; the widest first."""
        names: list[Spread] = [self.spread] if self.spread else ["sd", "se"]
        kinds: list[Kind] = [self.sd] if self.sd else ["sample", "population"]
        return [(name, kind) for name in names for kind in kinds]


@dataclass(frozen=True)
class Answer:
    """What was found of a row.

    Attributes
    ----------
    status : {"possible", "impossible", "not decided"}
        Impossible only with a certificate that was verified.
    witness : dict, list of dict, or None
        A confusion matrix; one for each fold; or of C classes, each against the rest.
    contradiction, arithmetic : tuple of str
        Headings of the fewest scores that contradict each other, and why.
    unchecked : tuple of str
        Headings that nothing was asked of.
    certificate : Certificate or None
        The proof that the row is impossible, which `opchar.printed.verify` repeats.
    least_objects : int or None
        The size of the smallest test set that has the scores, where sizes are not stated.
    only : bool
        Whether no other matrix has the scores at the stated sizes.
    reason : str
        What ran out where a row is not decided, and what would decide it.
    hints : tuple of str
        What else would explain the row.
    also : tuple of str
        Other headings of the row that may be the wrong ones: scores of another contradiction, and
        sizes or counts on which this one rests.
    """

    status: Literal["possible", "impossible", "not decided"]
    witness: Any = None
    contradiction: tuple[str, ...] = ()
    arithmetic: tuple[str, ...] = ()
    unchecked: tuple[str, ...] = ()
    certificate: Certificate | None = None
    least_objects: int | None = None
    only: bool = False
    reason: str = ""
    hints: tuple[str, ...] = ()
    also: tuple[str, ...] = ()

    @property
    def refutes(self) -> bool:
        """Whether the row is impossible."""
        return self.status == "impossible"


def _size(name: str, text: str) -> int:
    if float(text) % 1:
        raise DataError(f"{name}: {text} is no whole number")
    return int(float(text))


def with_sizes(
    table: Table, row: Mapping[str, Printed], protocol: Protocol, kind: str = "row"
) -> Protocol:
    """Return a protocol with the sizes that a row states, or that follow from its counts.

    Sizes of a caption come last. Objects of a row of one class are the positives.
    """
    questions = set(table.questions)
    named = [(table.taken[h], value) for h, value in row.items() if h not in questions]
    stated = {name: _size(name, value.text) for name, value in named if name in SIZES}
    if kind == "class" and "objects" in stated:
        stated = {"positives": stated["objects"]}
    whole = table.stated.get("objects")
    if kind == "class" and whole is not None and whole >= stated.get("positives", whole + 1):
        stated["negatives"] = whole - stated["positives"]
    found = {table.taken[h]: value for h, value in row.items() if table.taken[h] in COUNTS}
    numbers = {n: v.text for n, v in found.items() if not v.percent and not float(v.text) % 1}
    counts = {name: int(float(text)) for name, text in numbers.items()}
    for name, (one, other) in {"positives": ("tp", "fn"), "negatives": ("fp", "tn")}.items():
        own = protocol.tested == 1 and getattr(protocol, name) is None
        if own and one in counts and other in counts:
            stated[name] = counts[one] + counts[other]
    if len(counts) == 4 and protocol.tested == 1:
        stated.pop("objects", None)
    others = dict.fromkeys(SIZES) if len(stated) > 1 else {}
    sized = replace(protocol, **others | stated)  # type: ignore[arg-type]
    captions = {n: size for n, size in table.stated.items() if n in SIZES}
    if kind == "row" and not set(SIZES) & set(stated) and not _has_sizes(protocol):
        sized = replace(sized, **captions)  # type: ignore[arg-type]
    if sized.parts:
        sums = [sum(part[at] for part in sized.parts) for at in (0, 1)]
        sized = replace(sized, positives=sums[0], negatives=sums[1])
    p, n, total = sized.positives, sized.negatives, sized.objects
    if total is not None:
        p = total - n if p is None and n is not None else p
        n = total - p if n is None and p is not None else n
    if p is not None and n is not None:
        if min(p, n) < 0 or total not in (None, p + n):
            raise DataError(f"{p} positives and {n} negatives are not {total} objects")
        total = p + n
    return replace(sized, positives=p, negatives=n, objects=total)


def _has_sizes(protocol: Protocol) -> bool:
    return bool(protocol.parts or protocol.classes) or any(
        getattr(protocol, name) is not None for name in SIZES
    )
