"""Marks of studies, and the entries that they become."""

import ast
import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from opchar.errors import ConfigError, nearest
from opchar_reproduction import study
from opchar_reproduction.project.configuration.parameters import misfit
from opchar_reproduction.statements import exchange

Entry = dict[str, Any]
LAYOUT = "opchar_reproduction.figures.tables:grid"
MARKS: dict[str, Callable[..., Any]] = {
    name: getattr(study, name) for name in ("study", "variant", "statement", "figure", "table")
}
PROSE = (
    *("criterion", "caption", "title", "why", "says", "needs"),
    *("nothing_open", "illustration", "choices"),
)


@dataclass
class Studies:
    """The studies, artefacts and statements that files mark."""

    experiments: dict[str, Entry] = field(default_factory=dict)
    artefacts: dict[str, Entry] = field(default_factory=dict)
    statements: dict[str, Entry] = field(default_factory=dict)
    places: dict[tuple[str, str], str] = field(default_factory=dict)
    said: dict[str, Entry] = field(default_factory=dict)
    listed: dict[str, tuple[str, Entry]] = field(default_factory=dict)

    def add(self, kind: str, name: str, entry: Entry, place: str) -> None:
        """Add an entry."""
        self.refuse_twice(kind, name, place)
        getattr(self, kind)[name] = entry
        self.places[kind, name] = place

    def refuse_twice(self, kind: str, name: str, place: str) -> None:
        """Refuse a name that is marked already."""
        if first := self.places.get((kind, name)):
            raise ConfigError(f"{place}: '{name}' is marked already, at {first}")


class Mark(NamedTuple):
    """One mark: its kind, what it says, its function's reference and defaults, and its place."""

    kind: str
    given: dict[str, Any]
    function: str
    defaults: dict[str, Any]
    place: str


def score_tables(tables: list[Any], place: str) -> list[Any]:
    """Return score tables as mappings, those that are written as a text, too."""
    found: list[Any] = []
    for each in tables:
        if isinstance(each, str):
            parts = [" ".join(part.split()).split("; ") for part in each.split("|")]
            if len(parts) != 3 or len(parts[1]) != 1 or [""] in parts:
                raise ConfigError(f'{place}: write scores=["data | protocol | model; model"]')
            sets, (protocol,), models = parts
            found += [{"data": data, "protocol": protocol, "models": models} for data in sets]
        else:
            found.append(each)
    return found


def prose(value: Any) -> Any:
    """Return a text, or texts, without line breaks."""
    if isinstance(value, list):
        return [prose(part) for part in value]
    return " ".join(value.split()) if isinstance(value, str) else value


def mark_arguments(kind: str, given: Mapping[str, Any], place: str) -> dict[str, Any]:
    """Return what a mark says, its prose without line breaks; refuse what it does not take."""
    accepted = inspect.signature(MARKS[kind]).parameters
    for key, value in given.items():
        if key not in accepted:
            raise ConfigError(f"{place}: {kind} takes no '{key}'{nearest(key, list(accepted))}")
        if wrong := misfit(value, str(accepted[key].annotation)):
            raise ConfigError(f"{place}: {kind}: '{key}': {wrong}")
    for key, each in accepted.items():
        if each.default is each.empty and key not in given:
            raise ConfigError(f"{place}: {kind}: '{key}' is missing")
    return {key: prose(value) if key in PROSE else value for key, value in given.items()}


def made_control(
    maker: str, call: ast.Call, value: Callable[[ast.expr], Any], place: str
) -> dict[str, Any]:
    """Return the control that a call of a function of `exchange` makes; `value` reads its parts."""
    given = [value(part) for part in call.args]
    named = {str(part.arg): value(part.value) for part in call.keywords}
    try:
        control = getattr(exchange, maker)(*given, **named)
    except (AttributeError, TypeError, ValueError) as error:
        raise ConfigError(f"{place}: {error}") from None
    says = prose(control.says)
    return {"function": control.function, "says": says, "parameters": control.parameters}


def add_marks(found: Studies, marks: Iterable[Mark], owner: str) -> None:
    """Add what the marks of one file, or of one study's folder, say."""
    marks = list(marks)
    names = [mark.given["name"] for mark in marks if mark.kind == "study"]
    for mark in marks:
        if mark.kind == "study":
            address = f"{owner}/{mark.given['name']}"
            found.add("experiments", address, _study(mark), mark.place)
            found.said[address] = mark.given
    for mark in marks:
        if mark.kind == "variant":
            named = mark.given.get("study", "")
            for one in named if isinstance(named, list) else [named]:
                add_variant(found.experiments[f"{owner}/{_study_of_mark(mark, one, names)}"], mark)
        elif mark.kind != "study":
            add_listed_mark(found, mark, owner, names)


def add_listed_mark(found: Studies, mark: Mark, owner: str, names: list[str]) -> None:
    """Add a statement, figure or table, with what its row says, to those of some studies."""
    claim = mark.kind == "statement"
    name = f"{owner}:{mark.given['number']}" if claim else f"{owner}/{mark.given['label']}"
    kind = "statements" if claim else "artefacts"
    found.refuse_twice(kind, name, mark.place)
    place, row = found.listed.pop(name, ("", {}))
    if twice := sorted(row.keys() & {*mark.given, "by"} - {"label", "number"}):
        raise ConfigError(f"{mark.place}: {mark.kind}: '{twice[0]}' is given in {place}, too")
    given = mark_arguments(mark.kind, row | mark.given, place or mark.place)
    for key in ("criterion", "control") if claim else ("title", "caption"):
        if not given.get(key):
            raise ConfigError(f"{place or mark.place}: {mark.kind}: '{key}' is missing")
    address = f"{owner}/{_study_of_mark(mark, given.get('study', ''), names)}"
    made = _statement if claim else _exhibit
    found.add(kind, name, made(mark, given, address, found), mark.place)


def _study_of_mark(mark: Mark, name: str, names: list[str]) -> str:
    """Return the study that a mark belongs to, by the name that it gives, if any."""
    if not name and len(names) == 1:
        return names[0]
    if name not in names:
        known = ", ".join(names) or "none"
        what = f"no study '{name}'{nearest(name, names)}" if name else "name a study: study=..."
        raise ConfigError(f"{mark.place}: {what}; the file or folder has {known}")
    return name


def _study(mark: Mark) -> Entry:
    given: Entry = {"kind": "metric", "basis": "data"} | mark.given
    given = {key: value for key, value in given.items() if key not in ("name", "choices", "units")}
    filled = {"spawn", "shared", *given}
    base = {key: value for key, value in mark.defaults.items() if key not in filled}
    last = {"parameters": base | (given.pop("parameters", None) or {})}
    last["variants"] = dict(given.pop("variants", {}))
    entry = {"kind": given.pop("kind"), "function": mark.function, "basis": given.pop("basis")}
    return entry | {key: value for key, value in (given | last).items() if value}


def add_variant(entry: Entry, mark: Mark) -> None:
    """Add a choice that a publication leaves open to the entry of a study."""
    given = {key: mark.given.get(key) for key in ("section", "why", "primary", "values")}
    values = mark.given["values"]
    given["primary"] = given["primary"] or min(values, key=lambda n: bool(values[n]), default="")
    dimensions = entry.setdefault("variants", {}).setdefault("dimensions", {})
    if mark.given["dimension"] in dimensions:
        raise ConfigError(f"{mark.place}: '{mark.given['dimension']}' is marked twice")
    dimensions[mark.given["dimension"]] = given


def refuse_no_dimension(found: Studies) -> None:
    """Refuse a study that says how its variants are combined and has none."""
    for address, entry in found.experiments.items():
        if "variants" in entry and "dimensions" not in entry["variants"]:
            place = found.places["experiments", address]
            raise ConfigError(f"{place}: {entry['function']}: variants without a dimension")


def _statement(mark: Mark, said: Entry, address: str, found: Studies) -> Entry:
    given = {"units": found.said[address].get("units", "")} | said
    entry = {
        "function": mark.function,
        "reads": [address, *given.get("also_reads", [])],
        "criterion": given["criterion"],
        "basis": given.get("basis") or found.experiments[address]["basis"],
        "criterion_set": given.get("criterion_set", "undated"),
        "control": given["control"],
    }
    rest = ("also_judged_on", "units", "parameters", "leaf_controls")
    return entry | {key: given[key] for key in rest if given.get(key)}


def _exhibit(mark: Mark, said: Entry, address: str, found: Studies) -> Entry:
    given: Entry = {"choices": found.said[address].get("choices", [])} | said
    given = {key: value for key, value in given.items() if key not in ("label", "study")}
    entry = {"kind": mark.kind, "experiment": address, "renderer": mark.function or LAYOUT}
    return entry | {key: value for key, value in given.items() if value}
