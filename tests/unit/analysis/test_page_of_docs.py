"""The page on analysing one's own scores is true: its blocks are run as they stand."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from checkout import ROOT
from nu import html_complaints
from opchar import cli
from opchar.datasets.text_readers import keel

PAGE = (ROOT / "docs/analyse.md").read_text(encoding="utf-8")
MIRROR = os.environ.get("OPCHAR_MIRROR", "")


def commands() -> list[str]:
    blocks = re.findall(r"```sh\n(.*?)```", PAGE, flags=re.DOTALL)
    return [line for block in blocks for line in block.splitlines() if line.startswith("opchar ")]


@pytest.mark.check
def test_the_blocks_of_the_page_run(tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    first, *others = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
    names: dict[str, Any] = {}
    exec(first, names)
    assert len(commands()) >= 3
    for line in commands():
        assert cli.main(shlex.split(line)[1:]) == 0, line
    capsys.readouterr()
    for block in others:
        exec(block, names)
    thresholds = pd.read_csv(tmp_path / "logistic-and-bayes-analysis/thresholds.csv")
    assert set(thresholds["prior"].round(2)) == {0.02, 0.37}
    assert (tmp_path / "wine-analysis/surfaces.csv").is_file()
    assert (tmp_path / "digits-analysis/index.html").is_file()
    np.testing.assert_allclose(
        names["answers"].tables["thresholds"]["threshold"], thresholds["threshold"]
    )


def test_the_page_on_services_runs(tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "docs/service.md").read_text(encoding="utf-8")
    names: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL):
        exec(block, names)
    found, now = names["found"], names["now"]
    at = found.decision.advice.threshold
    assert [names["accept"](each) for each in (at, np.nextafter(at, -9), 9.0)] == [
        True,
        False,
        True,
    ]
    assert now.alerts.low < now.alerts.value < now.alerts.high
    rng = np.random.default_rng(0)
    y = np.arange(200) % 4 == 0
    table = pd.DataFrame({"y": y.astype(int), "score": rng.normal(size=200) + 2 * y})
    table.to_csv("scores.csv", index=False)
    (line,) = re.findall(r"```sh\n(.*?)\n```", text, flags=re.DOTALL)
    assert cli.main([*shlex.split(line)[1:], "--resamples", "50"]) == 0
    assert cli.main([*shlex.split(line)[1:-1], "OPC041", "--resamples", "50"]) == 1
    capsys.readouterr()


WITHOUT = ("snakemake", "jinja2", "jsonschema", "yaml", "pooch", "rocrate", "imblearn", "moocore")
ALONE = """
import sys
sys.modules.update(dict.fromkeys({names!r}))
from opchar.cli import main
sys.exit(main(sys.argv[1:]))
"""


def test_the_analysis_needs_no_workflow_and_no_checkout(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    y = np.arange(80) % 2
    pd.DataFrame({"y": y, "p": rng.normal(size=80) + y}).to_csv(tmp_path / "s.csv", index=False)
    done = subprocess.run(
        [sys.executable, "-c", ALONE.format(names=WITHOUT), "analyse", "s.csv", "--resamples=50"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "s-analysis/index.html").is_file()


@pytest.mark.check
def test_the_page_is_valid_html(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    for classes in (2, 3):
        y = np.arange(90) % classes
        for model in ("<one>", "other"):
            scores = rng.dirichlet(np.ones(classes), 90) + np.eye(classes)[y]
            table = pd.DataFrame(scores, columns=[f"c&{c}" for c in range(classes)])
            table.assign(y=[f"c&{c}" for c in y]).to_csv(f"{model}.csv", index=False)
        words = ["<one>.csv", "other.csv", "--positive", "c&1", "--prior", "0.2", "--cost", "1,5"]
        words += ["--output", f"out/{classes}", "--resamples", "50"]
        assert cli.main(["analyse", *words]) == 0
    assert html_complaints(tmp_path / "out") == []


@pytest.mark.skipif(not (Path(MIRROR) / "keel-imbalanced").is_dir(), reason="needs the mirror")
@pytest.mark.parametrize("name", ["pimaImb", "yeast3"])
def test_sets_of_keel_go_through_the_commands(tmp_path: Path, monkeypatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    raw = keel([Path(MIRROR) / f"keel-imbalanced/{name}.dat"])
    X, y = raw.X, np.asarray(raw.labels, dtype=str)
    models = {
        "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
        "bayes": GaussianNB(),
    }
    for model, estimator in models.items():
        scores = cross_val_predict(estimator, X, y, cv=5, method="predict_proba")
        table = pd.DataFrame(scores, columns=np.unique(y)).assign(y=y)
        table.to_csv(f"{model}.csv", index=False)
    for line in commands():
        if "logistic.csv" in line:
            words = [word for word in shlex.split(line)[1:] if word != "wine.csv"]
            options = ["--positive", "positive", "--output", "out", "--resamples", "50"]
            assert cli.main([*words, *options]) == 0
    areas = pd.read_csv("out/areas.csv").query("measure == 'AUC'")
    expected = pd.read_csv("logistic.csv")
    assert areas["value"].iloc[0] == pytest.approx(
        roc_auc_score(expected["y"] == "positive", expected["positive"])
    )
    thresholds = pd.read_csv("out/thresholds.csv")
    costs = thresholds[thresholds["aim"].str.startswith("cost")]
    assert (costs[["optimistic", "value"]] >= 0).all(axis=None)
    rules = pd.read_csv("out/rules.csv").pivot_table("optimistic", "prior", "rule")
    assert (rules.sub(rules["search"], axis="index") >= -1e-12).all(axis=None)
