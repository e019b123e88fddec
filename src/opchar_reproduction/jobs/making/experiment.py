"""Run an experiment and write its result table and curves."""

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from opchar.errors import ConfigError, first_line
from opchar.functions import import_function, require_type
from opchar.seeds import spawner
from opchar_reproduction.results import ANALYTIC, Results
from opchar_reproduction.study import Shared


def run(
    name: str,
    entry: Mapping[str, Any],
    seed: int | None,
    *,
    scores: Iterable[Path],
    features: Iterable[Path],
    table: Path,
    curves: Path,
) -> None:
    """Call the function of an experiment with what its entry names."""
    function = import_function(entry["function"])
    given = supplied_arguments(function, name, entry, seed, scores=scores, features=features)
    results = function(**entry["parameters"], **given)
    with results_of(entry["function"]):
        require_type(results, Results, entry["function"])
        results.write(table, curves, *rests_on(entry, given))


@contextmanager
def results_of(function: str) -> Iterator[None]:
    """Name the function whose results cannot be written, such as a line given twice."""
    try:
        yield
    except (TypeError, ValueError) as error:
        raise ConfigError(f"'{function}': {first_line(error)}") from error


def supplied_arguments(
    function: Callable[..., Any],
    name: str,
    entry: Mapping[str, Any],
    seed: int | None,
    *,
    scores: Iterable[Path],
    features: Iterable[Path],
) -> dict[str, Any]:
    """Return what a function gets besides its parameters: generators, tables, what runs share.

    ``draws`` names another experiment whose generators are used, so that both draw the same.
    """
    given: dict[str, Any] = {}
    accepted = inspect.signature(function).parameters
    if "shared" in accepted:
        given["shared"] = Shared()
    if "spawn" in accepted:
        assert seed is not None
        given["spawn"] = spawner(seed, entry.get("same_draws_as", name))
    if "scores" in entry:
        from opchar.scores import read_models

        given["scores"] = {
            (group["data"], model): table
            for group, path in zip(entry["scores"], scores, strict=True)
            for model, table in read_models(path, group["models"]).items()
        }
    if "features" in entry:
        from opchar.datasets.features import read_features

        sets = [read_features(path) for path in features]
        given["features"] = dict(zip(entry["features"], sets, strict=True))
    return given


def rests_on(entry: Mapping[str, Any], given: Mapping[str, Any]) -> tuple[str, str]:
    """Return the data and the basis of result lines that do not name their own."""
    tables = [*given.get("scores", {}).values(), *given.get("features", {}).values()]
    labels = {each.data for each in tables}
    basis = entry.get("basis", "data" if labels else "exact")
    return "; ".join(sorted(labels)) or ANALYTIC, basis
