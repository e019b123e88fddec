"""The recommendation, and how it is exchanged with people and programs."""

import io
import json
import os
import re
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import opchar
from checkout import ROOT
from opchar import cli
from opchar.analysis.answers.decision import Decision
from opchar.analysis.answers.multiclass import _expected_cost
from opchar.analysis.asking import Asked
from opchar.analysis.findings import KINDS, catalogue
from opchar.analysis.options import Rule
from opchar.analysis.run import Answers, analyse
from opchar.analysis.tables.scored_sample import ScoredSample
from opchar.analysis.writing import check_folder, write_answers
from opchar.errors import ScoresError
from opchar.files import write_text
from opchar.statistics.proportions import wilson

ASKED = Asked(priors=(0.02,), cost=(1.0, 5.0), resamples=50)
ROWS = "y,score\n" + "".join(
    f"{k % 3 // 2},{(k * 7 % 31 + 20 * (k % 3 // 2)) / 60}\n" for k in range(60)
)


def scored(names: tuple[str, ...] = ("m0", "m1"), rows: int = 300) -> ScoredSample:
    rng = np.random.default_rng(7)
    y = (np.arange(rows) >= rows // 5).astype(int)
    models = {
        name: rng.normal(size=(rows, 1)) + (2.5 - place) * (y == 0)[:, None]
        for place, name in enumerate(names)
    }
    return ScoredSample(("sick", "well"), y, models, 0)


@pytest.fixture(scope="module")
def answers() -> Answers:
    return analyse(scored(), ASKED)


def decided(answers: Answers) -> Decision:
    assert answers.decision is not None
    return answers.decision


def test_the_decision_is_the_row_of_least_cost_and_its_counts_add_up(answers: Answers) -> None:
    found = decided(answers)
    rows = answers.tables["thresholds"].query("aim == 'cost (1, 5)' and prior == 0.02")
    row = rows.loc[rows["value"].idxmin()]
    best = found.best
    assert (best.model, best.threshold) == (row["model"], row["threshold"])
    assert (best.cost.value, best.cost.low, best.cost.high) == tuple(row[["value", "low", "high"]])
    assert best.found.value == pytest.approx(20 * row["tpr"])
    assert best.found.value + best.missed.value == pytest.approx(20)
    assert best.false_alarms.value == pytest.approx(980 * row["fpr"])
    accepted = best.found.value + best.false_alarms.value
    assert best.precision.value == pytest.approx(best.found.value / accepted)
    cost = (best.false_alarms.value + 5 * best.missed.value) / 1000
    assert cost == pytest.approx(best.cost.value)
    assert found.saved.value == pytest.approx(1 - cost / 0.1)
    for each in (best.cost, best.found, best.missed, best.false_alarms, best.precision):
        assert each.low <= each.value <= each.high
    assert best.lowest <= best.threshold <= best.highest


def test_rivals_are_the_differences_in_the_unit_of_the_costs(answers: Answers) -> None:
    found = decided(answers)
    (rival,) = found.rivals
    more = found.options[1].cost.value - found.best.cost.value
    assert rival.more.value == pytest.approx(more)
    assert rival.more.low < rival.more.value < rival.more.high
    unsure = "OPC004" in {each.code for each in answers.findings}
    assert unsure != rival.sure


def test_models_that_tell_nothing_are_not_recommended() -> None:
    rng = np.random.default_rng(0)
    y = (np.arange(400) >= 40).astype(int)
    found = analyse(ScoredSample(("sick", "well"), y, {"m": rng.normal(size=(400, 1))}, 0), ASKED)
    assert {"OPC002", "OPC003"} & {each.code for each in found.findings}


def test_every_printed_threshold_does_what_is_claimed(answers: Answers) -> None:
    data = answers.scored
    for row in answers.tables["every-threshold"].to_dict("records"):
        score = data.models[row["model"]][:, 0]
        accepted = score >= float(repr(row["threshold"]))
        assert accepted[data.is_positive].mean() == pytest.approx(row["tpr"], abs=1e-12)
        assert accepted[~data.is_positive].mean() == pytest.approx(row["fpr"], abs=1e-12)
        assert len(repr(row["threshold"])) <= 22


@pytest.mark.parametrize("names", [("price$10_$20", "b"), ("a<b>", "$x$"), (r"\frac{", "^_{")])
def test_names_are_no_formulas(tmp_path: Path, names: tuple[str, str]) -> None:
    write_answers(analyse(scored(names, 60), ASKED), tmp_path / "out")
    assert (tmp_path / "out/index.html").is_file()


@pytest.mark.parametrize("rows", [5, 6, 10])
def test_a_handful_of_objects_is_answered(rows: int) -> None:
    y = np.array([0, 0, *[1] * (rows - 2)])
    score = np.linspace(1, 0, rows)[:, None]
    found = analyse(ScoredSample(("sick", "well"), y, {"m": score}, 0), ASKED)
    assert "OPC010" in {each.code for each in found.findings}
    json.loads(found.to_json())


def test_an_earlier_analysis_is_replaced_whole_or_not_at_all(
    answers, tmp_path, monkeypatch
) -> None:
    folder = tmp_path / "out"
    write_answers(answers, folder)
    (folder / "volumes.csv").write_text("of an earlier one")
    write_answers(answers, folder)
    assert not (folder / "volumes.csv").exists()
    before = {path.name: path.read_bytes() for path in folder.iterdir()}

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("opchar.analysis.writing.write_text", full)
    with pytest.raises(ScoresError, match="No space left on device"):
        write_answers(answers, folder)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    (folder / "mine.txt").write_text("kept")
    with pytest.raises(ScoresError, match=r"holds 'mine\.txt'"):
        check_folder(folder)


def test_files_have_the_permissions_that_the_umask_leaves(tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        write_text("x", tmp_path / "a")
        os.umask(0o022)
        write_text("x", tmp_path / "b")
    finally:
        os.umask(before)
    modes = [(tmp_path / name).stat().st_mode & 0o777 for name in "ab"]
    assert modes == [0o600, 0o644]


def test_json_of_standard_input_and_nothing_else(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(ROWS.encode())))
    assert cli.main(["analyse", "-", "--json", "--prior", "0.1", "--resamples", "50"]) == 0
    given = json.loads(capsys.readouterr().out)
    assert given["schema"] == 2
    assert given["read"]["models"] == ["stdin"]
    assert given["decision"]["prior"] == 0.1
    assert set(given) == {"schema", "opchar", "read", "asked", "decision", "findings", "tables"}
    assert list(tmp_path.iterdir()) == []


def test_what_is_asked_twice_is_answered_once(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    pd.DataFrame({"y": [0, 1] * 9, "score": np.arange(18.0)}).to_csv("s.csv", index=False)
    twice = ["--limit", "0.1,0.1", "--alpha", "0.5,0.5", "--prior", "0.2,0.2"]
    assert cli.main(["analyse", "s.csv", *twice, "--json", "--resamples", "50"]) == 0
    tables = json.loads(capsys.readouterr().out)["tables"]
    assert len(tables["limits"]) == 2 and len(tables["thresholds"]) == 4


def test_quiet_says_nothing_and_writes(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    Path("s.csv").write_text(ROWS)
    assert cli.main(["analyse", "s.csv", "--quiet", "--resamples", "50"]) == 0
    said = capsys.readouterr()
    assert said.out + said.err == ""
    assert Path("s-analysis/index.html").is_file()


def test_what_is_asked_and_not_answered_is_said() -> None:
    rng = np.random.default_rng(0)
    y = np.arange(90) % 3
    many = ScoredSample(("a", "b", "c"), y, {"m": rng.random((90, 3)) + np.eye(3)[y]}, 0)
    more = {"max_fpr": 0.1, "max_fnr": 0.1, "min_precision": 0.5, "max_alert_rate": 0.2}
    found = analyse(many, replace(ASKED, rule="search", **more))
    (first, *_) = found.findings
    assert first.code == "OPC001"
    assert first.text.startswith("--prior, --cost")
    assert "--max-fpr, --max-fnr, --min-precision, --alerts, --rule: asked of" in first.text
    two = analyse(scored(("m",), 60), ASKED, costs=np.zeros((2, 2)))
    assert two.findings[0].code == "OPC001"


@pytest.mark.parametrize("text", ["0,02", "0,5", "0,15"])
def test_a_decimal_comma_is_told(text: str, capsys) -> None:
    with pytest.raises(SystemExit):
        cli.main(["analyse", "s.csv", "--prior", text])
    assert f"write {text.replace(',', '.')}" in capsys.readouterr().err


def test_arrays_and_files_have_the_same_answers(tmp_path: Path, answers: Answers) -> None:
    data = answers.scored
    labels = np.array(data.classes)[data.y]
    scores = {name: score[:, 0] for name, score in data.models.items()}
    found = opchar.analyse(labels, scores, pos_label="sick", prior=0.02, cost_fn=5, resamples=50)
    for name, table in answers.tables.items():
        pd.testing.assert_frame_equal(found.to_frame(name), table)
    assert found.decision == answers.decision
    written = found.save(tmp_path / "out")
    assert json.loads((tmp_path / "out/answers.json").read_text()) == found.to_dict()
    assert written[0].name == "index.html"
    with pytest.raises(ScoresError, match="no table 'none'"):
        found.to_frame("none")
    with pytest.raises(ValueError, match="is not finite"):
        opchar.analyse([0, 1, 0, 1], [0.1, np.nan, 0.3, 0.4])
    with pytest.raises(ValueError, match="give one per class"):
        opchar.analyse([0, 1, 2] * 5, np.arange(15.0))


def test_codes_are_explained_alike_on_the_terminal_and_in_the_docs(capsys) -> None:
    used = re.findall(
        r'"(OPC\d+)"',
        "".join(
            path.read_text(encoding="utf-8")
            for path in (ROOT / "src/opchar/analysis").rglob("*.py")
            if path.name != "findings.py"
        ),
    )
    assert set(used) == set(KINDS)
    assert re.findall(r"^## (OPC\d+): ", catalogue(), flags=re.MULTILINE) == sorted(KINDS)
    assert cli.main(["explain", "opc012"]) == 0
    assert KINDS["OPC012"].cure in capsys.readouterr().out
    assert cli.main(["explain", "OPC999"]) == 1
    assert "no finding 'OPC999'" in capsys.readouterr().err


@pytest.mark.parametrize("rule", ["auto", "search", "theory"])
def test_the_threshold_is_that_of_the_rule(rule: Rule) -> None:
    data = scored()
    found = analyse(data, replace(ASKED, rule=rule))
    table = found.tables["rules"].query("prior == 0.02")
    assert set(table.loc[table["chosen"], "rule"]) == {rule}
    for row in table.to_dict("records"):
        score = data.models[row["model"]][:, 0]
        own = opchar.choose_threshold(
            data.is_positive, score, prior=0.02, cost_fn=5, rule=row["rule"]
        )
        np.testing.assert_array_equal(score >= row["threshold"], score > own.threshold)
        assert row["optimistic"] == pytest.approx(own.costs[row["rule"]], rel=1e-9)
    best = decided(found).best
    own = opchar.choose_threshold(
        data.is_positive, data.models[best.model][:, 0], prior=0.02, cost_fn=5, rule=rule
    )
    score = data.models[best.model][:, 0]
    np.testing.assert_array_equal(score >= best.threshold, score > own.threshold)
    assert best.threshold_low <= best.threshold_high
    assert best.lowest <= best.threshold <= best.highest
    ranges = found.tables["every-threshold"].query("space == 'cost' and model == @best.model")
    pc = 0.1 / 1.08
    (row,) = ranges[(ranges["from"] <= pc) & (pc < ranges["to"])].to_dict("records")
    np.testing.assert_array_equal(score >= row["threshold"], score >= best.threshold)


def test_an_unknown_rule_is_refused() -> None:
    with pytest.raises(ScoresError, match="auto, search, theory"):
        Asked(rule="best")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("labels", "scores", "said"),
    [
        (np.ma.masked_array([0, 1] * 5, mask=np.arange(10) == 3), np.arange(10.0), "y_true has"),
        ([0, 1] * 5, np.ma.masked_array(np.arange(10.0), mask=np.arange(10) == 3), "scores of"),
        ([0, 1] * 5, np.arange(10) + 1j, "scores of model of type complex128"),
        ([0, 1] * 5, np.arange(10).astype("datetime64[D]"), "scores of model of type datetime64"),
        ([0, 1, 0, np.nan, *[0, 1] * 3], np.arange(10.0), r"y_true: object 3 \(from 0\) has no"),
        ([0, 1, 0, None, *[0, 1] * 3], np.arange(10.0), r"y_true: object 3 \(from 0\) has no"),
        (np.eye(10), np.arange(10.0), r"y_true must be a vector, .*, not \(10, 10\)"),
        ([0, 1] * 5, {}, "scores: give those of one model or more"),
    ],
)
def test_arrays_that_are_no_labels_or_scores_are_refused(labels, scores, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        opchar.analyse(labels, scores)


def test_where_nothing_is_accepted_there_is_no_precision(tmp_path, monkeypatch, capsys) -> None:
    """It was called 100 %."""
    monkeypatch.chdir(tmp_path)
    scores = np.random.default_rng(0).uniform(size=60)
    pd.DataFrame({"y": [0, 1] * 30, "score": scores}).to_csv("s.csv", index=False)
    assert cli.main(["analyse", "s.csv", "--prior", "0.001", "--output", "out"]) == 0
    said = capsys.readouterr().out
    assert "precision –." in said
    assert "0.1 % in use: nothing is accepted there." in said
    assert "s is not used: its threshold would be to accept none." in said
    assert cli.main(["analyse", "s.csv", "--prior", "0.001", "--json"]) == 0
    (option,) = json.loads(capsys.readouterr().out)["decision"]["options"]
    assert option["precision"] == {"value": None, "low": None, "high": None}


def test_numbers_below_an_advice_without_a_model_are_those_of_the_advice(
    tmp_path, monkeypatch, capsys
) -> None:
    """Below "accept all" stood what the model does, and -22 % saved, as if it were the advice."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(3)
    y = np.arange(300) % 3 == 0
    score = rng.normal(size=300) + 1.5 * y
    pd.DataFrame({"y": y, "score": score}).to_csv("model.csv", index=False)
    told = set()
    for prior in (0.5, 0.85, 0.99):
        given = ["--prior", f"{prior:.4g}", "--resamples", "50", "--output", "out"]
        assert cli.main(["analyse", "model.csv", *given]) == 0
        said = capsys.readouterr().out
        decided = json.loads(Path("out/answers.json").read_text())["decision"]
        serves = "Accept all" not in said
        assert decided["serves"] == serves
        if not serves:
            assert decided["advice"]["threshold"] == "accept all"
            assert f"{1000 * prior:g} True found, 0 missed" in said
            assert "no model (accept all): 0 %." in said
        assert " 1 false alarms" not in said
        told.add(serves)
    assert told == {True, False}


def test_a_confidence_of_whichever_class_was_predicted_is_no_score_of_a_class(
    tmp_path, monkeypatch, capsys
) -> None:
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    y = np.arange(300) % 4 == 0
    chance = 1 / (1 + np.exp(3 - rng.normal(size=300) - 2.5 * y))
    for name, score in (("turned", 1 - chance), ("sure", np.maximum(chance, 1 - chance))):
        pd.DataFrame({"y": y, "score": score}).to_csv(f"{name}.csv", index=False)
        given = ["analyse", f"{name}.csv", "--resamples", "50"]
        assert cli.main(given) == (name == "sure")
        assert ("lie from 0.5 to 1" in capsys.readouterr().err) == (name == "sure")
        assert cli.main([*given, "--scores", "score"]) == 0
        (said,) = [line for line in capsys.readouterr().out.splitlines() if "OPC031" in line]
        assert ("whichever class was predicted" in said) == (name == "sure")
        assert ("Name it by --positive" in said) == (name == "turned")


def test_the_cost_of_many_classes_of_which_some_are_tiny_has_a_useful_interval() -> None:
    """The interval by class holds the true cost in 93 % of samples or more, and stays a cost."""
    sizes, rng = np.array([100, 80, 40, 10, 3, 2, 1]), np.random.default_rng(0)
    y, rates = np.repeat(np.arange(7), sizes), np.linspace(0.2, 0.6, 7)
    scored = ScoredSample(tuple("abcdefg"), y, {}, 0)
    true, ends = float(sizes @ rates / len(y)), np.tile([0.0, 1.0], (7, 1))
    found = pd.DataFrame([
        _expected_cost(scored, (rng.random(len(y)) < rates[y]).astype(float), 0.95, "cost", ends)
        for _ in range(800)
    ])  # fmt: skip
    assert found["cost, low"].le(true).mul(found["cost, high"].ge(true)).mean() > 0.92
    low, high = wilson(true, len(y), 0.95)
    assert (found["cost, high"] - found["cost, low"]).mean() < 1.2 * (high - low)
    none = _expected_cost(scored, np.zeros(len(y)), 0.95, "cost", ends)
    assert none["cost, low"] == none["cost"] == 0 < none["cost, high"]
