"""The code and the parameters behind each artefact of a work, for its page of methods."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from typing import Any

import yaml

from opchar.errors import ConfigError
from opchar.pipeline.code.codehash import source_tree
from opchar.report.pages.content import Content


def sources(references: Iterable[str]) -> dict[str, str]:
    """Return the text of functions of the package.

    Parameters
    ----------
    references : iterable of str
        ``"opchar.module:function"`` each.

    Returns
    -------
    dict of str to str
        Source by reference. Nothing is imported.

    Raises
    ------
    ConfigError
        If a module does not define the function itself.
    """
    wanted = sorted(set(references))
    texts: dict[str, str] = {}
    for module in sorted({name.partition(":")[0] for name in wanted}):
        text = source_tree().path(module).read_text(encoding="utf-8")
        lines = text.splitlines()
        texts |= {
            f"{module}:{node.name}": "\n".join(lines[_first(node) - 1 : node.end_lineno])
            for node in ast.parse(text).body
            if isinstance(node, ast.FunctionDef)
        }
    if missing := [name for name in wanted if name not in texts]:
        raise ConfigError(f"'{missing[0]}': its module does not define it; name the one that does")
    return {name: texts[name] for name in wanted}


def _first(node: ast.FunctionDef) -> int:
    """Return the line on which a function begins, its decorators included."""
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])


def file_of(reference: str) -> str:
    """Return the file of a function, from the folder of the project.

    Examples
    --------
    >>> file_of("opchar.report.pages.method:file_of")
    'src/opchar/report/pages/method.py'
    """
    return source_tree().shown(reference)


def page_of(paper: str) -> str:
    """Return the name of the page of methods of a work."""
    return f"{paper}-method.html"


def methods(paper: str, content: Content) -> dict[str, list[dict[str, Any]]]:
    """Return the experiments and renderers of a work, in the order of its artefacts.

    Parameters
    ----------
    paper : str
        Key of the work.
    content : Content

    Returns
    -------
    dict
        ``experiments``, each with ``name``, ``function``, ``parameters`` (YAML), ``inputs``
        (YAML), ``version`` and ``shown_in`` (labels), and where several jobs measure it
        ``measuring``, their function, and ``parts`` (YAML); and ``renderers`` with ``function`` and
        ``shown_in``; both with ``file`` and ``source``.
    """
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
    parts = entry.get("parts")
    return _function(entry["function"], content) | {
        "name": name,
        "kind": entry["kind"],
        "parameters": as_yaml(entry.get("parameters", {})),
        "inputs": as_yaml(inputs),
        "measuring": _function(parts["function"], content) if parts else None,
        "parts": as_yaml(parts["jobs"]) if parts else "",
        "version": content.versions.get(name, ""),
        "shown_in": labels,
    }


def _function(reference: str, content: Content) -> dict[str, Any]:
    return {
        "function": reference,
        "file": file_of(reference),
        "source": content.code[reference],
    }


def as_yaml(value: Mapping[str, Any]) -> str:
    """Return a mapping as YAML in the order given, short lists on one line; empty for nothing."""
    if not value:
        return ""
    return yaml.safe_dump(
        dict(value), sort_keys=False, allow_unicode=True, width=100, default_flow_style=None
    )
