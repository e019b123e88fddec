"""The code and the parameters behind each artefact of a work, for its page of methods."""

from collections.abc import Mapping
from typing import Any

import yaml

from opchar_reproduction.report.content import Content


def page_of(paper: str) -> str:
    """Return the name of the page of methods of a work."""
    return f"{paper}-method.html"


def methods(paper: str, content: Content) -> dict[str, list[dict[str, Any]]]:
    """Return the experiments and renderers of a work, in the order of its artefacts."""
    shown: dict[str, list[str]] = {}
    drawn: dict[str, list[str]] = {}
    for address, entry in content.artefacts.items():
        work, _, label = address.partition("/")
        if work == paper and "experiment" in entry:
            shown.setdefault(entry["experiment"], []).append(label)
            drawn.setdefault(entry["renderer"], []).append(label)
    return {
        "experiments": [_experiment(name, labels, content) for name, labels in shown.items()],
        "renderers": [
            _function(reference, content) | {"shown_in": labels}
            for reference, labels in drawn.items()
        ],
    }


def _experiment(name: str, labels: list[str], content: Content) -> dict[str, Any]:
    entry = content.experiments[name]
    inputs = {key: entry[key] for key in ("scores", "features") if key in entry}
    return _function(entry["function"], content) | {
        "name": name,
        "kind": entry["kind"],
        "parameters": as_yaml(entry.get("parameters", {})),
        "inputs": as_yaml(inputs),
        "version": content.versions.get(name, ""),
        "shown_in": labels,
    }


def _function(reference: str, content: Content) -> dict[str, Any]:
    return {
        "function": reference,
        "file": content.code[reference][0],
        "source": content.code[reference][1],
    }


def as_yaml(value: Mapping[str, Any]) -> str:
    """Return a mapping as YAML in the order given, short lists on one line; empty for nothing."""
    if not value:
        return ""
    return yaml.safe_dump(
        dict(value), sort_keys=False, allow_unicode=True, width=100, default_flow_style=None
    )
