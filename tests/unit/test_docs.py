"""The documentation is true: generated pages are current, and what is named exists."""

import os
import random
import re
import runpy
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from checkout import ROOT
from opchar.cli.parser import parser
from opchar_reproduction.project.configuration.extensions import read_extension
from opchar_reproduction.project.plan import Plan
from opchar_reproduction.publication import folders
from opchar_reproduction.report.comparison.ledger import COLUMNS
from opchar_reproduction.report.pages.glossary import markdown


def test_the_catalogues_name_everything(plan: Plan) -> None:
    config = plan.config
    pages = runpy.run_path(str(ROOT / "tools/catalogues.py"))["catalogues"]()
    for address, entry in config.artefacts.items():
        text = pages.get(address.split("/")[0], "")
        assert not text or f"`{address}`" in text
        assert not text or all(" ".join(said.split()) in text for said in entry.get("choices", []))
    assert set(folders()) < pages.keys()
    assert all(f"\n## {name}\n" in pages["data-sets"] for name in config.datasets)
    for name in [*config.models, *config.protocols]:
        assert f"| `{name}` |" in pages["models"]


def documents() -> list[Path]:
    return [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("config/*.md")]


@pytest.mark.parametrize("path", documents(), ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)", path.read_text(encoding="utf-8")):
        if not target.startswith(("http://", "https://", "mailto:")):
            name, _, section = target.partition("#")
            file = path.parent / name if name else path
            assert file.exists(), target
            assert not section or section in sections(file), target


def sections(path: Path) -> set[str]:
    """Return the anchors of the headings of a page, as GitHub makes them."""
    heads = re.findall(r"^#+ (.*)", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def examples(path: str) -> list[str]:
    text = (ROOT / path).read_text(encoding="utf-8")
    return re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)


def test_the_readme_example_runs() -> None:
    (example,) = examples("README.md")
    names: dict[str, Any] = {}
    exec(example, names)
    assert 0.0 < names["envelope"].breakpoints[1] < 1.0
    assert np.isfinite(names["envelope"].threshold(0.05))


def test_the_commands_of_the_readme_run_as_pasted(tmp_path: Path, plan: Plan) -> None:
    """In an empty folder; those of a checkout name what is there."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```(sh|text)\n(.*?)```", text, flags=re.DOTALL)
    (_, first), (_, answer), (_, second), (_, proof), (_, of_a_checkout) = blocks
    command = tmp_path / "bin/opchar"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m opchar "$@"\n')
    command.chmod(0o755)
    place = tmp_path / "empty"
    place.mkdir()
    install, analyse = first.splitlines()
    assert install.split("#")[0].split() == ["pip", "install", "."]
    said = ""
    for block in (analyse, second):
        env = os.environ | {"PATH": f"{command.parent}:{os.environ['PATH']}"}
        env["PYTHONPATH"] = str(ROOT / "src")
        done = subprocess.run(
            ["sh", "-ec", block], cwd=place, env=env, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        said += done.stdout
    assert [line for line in (answer + proof).splitlines() if line not in said.splitlines()] == []
    make, run, publish = (line.split("#")[0].split() for line in of_a_checkout.splitlines())
    assert make[0] == "make" and f"\n{make[1]}:" in (ROOT / "Makefile").read_text()
    assert parser().parse_args(run[1:]).goals[0] in plan.config.artefacts
    assert parser().parse_args(publish[1:]).folder.name == "site"


def test_the_examples_on_ones_own_scores_run(tmp_path: Path, monkeypatch) -> None:
    rng = np.random.default_rng(1)
    y = np.where(rng.random(90) < 0.3, "positive", "negative")
    score = np.round(rng.normal(size=90) + (y == "positive"), 3)
    frame = pd.DataFrame({"y": y, "negative": -score, "positive": score})
    frame.to_csv(tmp_path / "mine.csv", index=False)
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    marked, binary, multiclass = examples("docs/how-to.md")
    (tmp_path / "marked.py").write_text(marked)
    found = read_extension(tmp_path, "marked.py")
    assert (found.metrics, list(found.studies.artefacts)) == (
        ["marked.py:worst_recall"],
        ["own/sizes-bars"],
    )
    assert worst(tmp_path / "marked.py") == 0.5
    exec(binary, names)
    scores = np.abs(names["table"].scores) + 1e-3
    names["table"] = replace(names["table"], scores=scores)
    exec(multiclass, names)
    assert names["points"].n_positive == (y == "positive").sum()


def test_the_areas_of_other_tools_are_as_printed() -> None:
    names: dict[str, Any] = {}
    (example,) = examples("docs/other-tools.md")
    exec(example, names)
    text = (ROOT / "docs/other-tools.md").read_text(encoding="utf-8")
    printed = dict(re.findall(r"^\| ([a-z].*?) \| (0\.\d{4}) \|$", text, flags=re.MULTILINE))
    assert printed == {name: f"{value:.4f}" for name, value in names["found"].items()}


def test_the_glossary_is_that_of_the_report() -> None:
    assert (ROOT / "docs/glossary.md").read_text(encoding="utf-8") == markdown()


def test_the_index_leads_to_every_page() -> None:
    text = (ROOT / "docs/README.md").read_text(encoding="utf-8")
    missing = [
        name
        for path in (ROOT / "docs").rglob("*.md")
        if (name := path.relative_to(ROOT / "docs").as_posix()) != "README.md"
        and f"({name})" not in text
    ]
    assert missing == []


def test_pictures_of_the_gallery_are_small_and_all_shown() -> None:
    folder = ROOT / "docs/gallery"
    page = (folder / "README.md").read_text(encoding="utf-8")
    plots = (ROOT / "benchmarks/README.md").read_text(encoding="utf-8")
    pictures = sorted(folder.glob("*.png"))
    assert len(pictures) > 30
    for path in pictures:
        assert path.stat().st_size <= 500_000, path.name
        assert f"({path.name})" in page or f"/{path.name})" in plots, path.name


def test_the_seed_of_the_second_reading_draws_its_fifty_claims() -> None:
    said = " ".join((ROOT / "docs/second-reading.md").read_text(encoding="utf-8").split())
    (seed, order), *_ = re.findall(r"seed (\d+), over the claims of each [^:]*: ([^)]*)\)", said)
    works = [work.lower().replace(" ", "") for work in order.split(", ")]
    lines = [pd.read_csv(home / "values.csv", dtype=str) for home in folders(*works).values()]
    claims = [name for table in lines for name in table.loc[table["kind"] == "claim", "id"]]
    read = pd.read_csv(ROOT / "docs/second-reading.csv")["id"]
    assert len(claims) == 278
    assert sorted(read) == sorted(random.Random(int(seed)).sample(claims, len(read)))


def test_documents_stay_short() -> None:
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
    words = {str(path): len(path.read_text(encoding="utf-8").split()) for path in pages}
    assert {name: number for name, number in words.items() if number > 1300} == {}
    assert sum(words.values()) <= 20_000
    newest = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").split("\n## ")[1]
    assert len(newest.split()) <= 500


def test_the_readme_can_be_read_at_one_go() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 90


def worst(file: Path) -> float:
    """Return what the metric of a file says of a matrix."""
    return float(runpy.run_path(str(file))["worst_recall"](np.array([[1, 1], [0, 3]])))


def test_the_example_on_a_ledger_runs(tmp_path: Path) -> None:
    (example,) = examples("docs/ledger.md")
    line = dict.fromkeys(COLUMNS, "") | {"paper": "p", "artefact": "table-1", "verdict": "agrees"}
    line |= {"basis": "exact", "kind": "number", "outcome": "matches"}
    pd.DataFrame([line]).to_csv(tmp_path / "l.csv", index=False)
    names: dict[str, Any] = {"path": tmp_path / "l.csv"}
    exec(example, names)
    assert names["count_outcomes"](names["tally"](names["ledger"]), "all")["matches"] == 1


def test_no_document_names_a_machine() -> None:
    for path in documents():
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"/(root|home|work|tmp)/|pypi\.org|localhost", text), path
