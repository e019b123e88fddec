"""Pages that are made when asked for: our own studies, and the gallery that the settings list."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from checkout import ROOT
from opchar.errors import ConfigError
from opchar.pipeline.configuration.config import load
from opchar.pipeline.plan import Plan
from opchar.pipeline.tasks import Tasks
from opchar.report.pages.separate_pages import write_apart

CHOSEN = ["tharwat2018/figure-eer", "landgrebe2007/figure-5.8"]


def listing(plan: Plan, *addresses: str, **settings: list[str]) -> Plan:
    changed = plan.config.settings | {"gallery": list(addresses)} | settings
    return Plan(replace(plan.config, settings=changed))


def test_the_gallery_is_what_the_settings_list(plan: Plan) -> None:
    plan = listing(plan, *CHOSEN)
    assert plan.targets("quick", "gallery") == [
        "results/quick/gallery.html",
        *(file for name in CHOSEN for file in plan.artefact_files("quick", name)),
    ]
    assert set(Tasks(plan).shown_apart("quick", "gallery").given["entries"]) == set(CHOSEN)
    assert set(Tasks(plan).shown_apart("quick", "studies").given["entries"]) == set(
        plan.own_artefacts()
    )


def test_works_that_are_not_reproduced_have_no_place_in_it(plan: Plan) -> None:
    assert listing(plan, *CHOSEN, papers=["tharwat2018"]).shown_apart("gallery") == CHOSEN[:1]


def test_our_gallery_has_twelve_figures(plan: Plan) -> None:
    names = plan.shown_apart("gallery")
    assert len(names) == 12
    assert {plan.config.artefacts[name]["kind"] for name in names} == {"figure"}


def test_a_figure_that_is_none_is_told_when_the_gallery_is_asked_for(plan: Plan) -> None:
    plan = listing(plan, "tharwat2018/figure-eek")
    assert plan.targets("quick", "figures")
    with pytest.raises(ConfigError, match=r"no figure '.*eek' \(did you mean .*figure-eer"):
        plan.targets("quick", "gallery")


def test_a_gallery_may_be_empty(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "config", tmp_path / "config")
    text = (ROOT / "config/config.yaml").read_text(encoding="utf-8")
    text = re.sub(r"^gallery:\n(  - .*\n)+", "gallery:\n", text, flags=re.MULTILINE)
    (tmp_path / "config/config.yaml").write_text(text)
    assert Plan(load(tmp_path)).shown_apart("gallery") == []


def test_each_figure_says_whose_it_is(plan: Plan, tmp_path: Path) -> None:
    given = Tasks(listing(plan, *CHOSEN)).shown_apart("quick", "gallery").given
    write_apart(given["name"], given["entries"], "quick", tmp_path / "gallery.html")
    text = (tmp_path / "gallery.html").read_text(encoding="utf-8")
    assert "Tharwat (2018), Slide 71, EER" in text
    assert "Landgrebe (2007), Figure 5.8" in text
    assert 'src="landgrebe2007/figure-5.8.svg"' in text
    assert "Content-Security-Policy" in text


def test_a_table_of_a_study_is_shown(tmp_path: Path) -> None:
    entry = {"kind": "table", "title": "T", "caption": "C", "choices": []}
    (tmp_path / "own").mkdir()
    pd.DataFrame({"a": ["<b>1"]}).to_csv(tmp_path / "own/t.csv", index=False)
    write_apart("studies", {"own/t": entry}, "quick", tmp_path / "studies.html")
    assert "<td>&lt;b&gt;1</td>" in (tmp_path / "studies.html").read_text(encoding="utf-8")
