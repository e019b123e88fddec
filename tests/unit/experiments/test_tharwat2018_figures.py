"""Every figure of the tutorial draws from what its experiment wrote."""

import importlib
import re
import warnings
from pathlib import Path

import pytest

from measuring import entries
from opchar.figures import style
from opchar_reproduction.results import read_curves, read_results

ROOT = Path(__file__).parents[3]
EXPERIMENTS = entries("experiments", "tharwat2018")
ARTEFACTS = entries("artefacts", "tharwat2018")
FIGURES = [address for address, entry in ARTEFACTS.items() if entry["kind"] == "figure"]


def load(reference):
    module, function = reference.split(":")
    return getattr(importlib.import_module(module), function)


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("results")
    files = {}
    for address, entry in EXPERIMENTS.items():
        name = address.split("/")[1]
        table, curves = folder / f"{name}.csv", folder / f"{name}.parquet"
        load(entry["function"])(**entry["parameters"]).write(table, curves)
        files[address] = read_results(table), read_curves(curves)
    return files


@pytest.mark.parametrize("address", FIGURES)
def test_draws(address, written, tmp_path):
    entry = ARTEFACTS[address]
    results, curves = written[entry["experiment"]]
    with style.figure_style(), warnings.catch_warnings():
        warnings.simplefilter("error")
        figure = load(entry["renderer"])(results, curves, **entry.get("parameters", {}))
        panels = [panel for panel in figure.axes if panel.get_visible() and panel.axison]
        for panel in panels:
            assert panel.lines or panel.patches or panel.collections
            named = [tick.get_text() for tick in panel.get_yticklabels()]
            assert panel.get_ylabel() or all(re.search("[A-Za-z]", name) for name in named)
        style.save(figure, {"svg": tmp_path / "figure.svg"})
    assert (tmp_path / "figure.svg").stat().st_size > 5000


def test_every_artefact_names_an_experiment_that_makes_its_lines(written):
    for address, entry in ARTEFACTS.items():
        assert entry["caption"].strip()
        results, _ = written[entry["experiment"]]
        if entry["kind"] == "table":
            wanted = entry.get("lines", [address.split("/")[1]])
            assert set(wanted) <= set(results["artefact"])
