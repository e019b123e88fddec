"""Every sentence and number of page, terminal and JSON is recomputed from the decision it names."""

import html
import json
import re
from importlib.resources import files
from pathlib import Path

import jsonschema
import numpy as np
import pandas as pd
import pytest

import opchar
from one_decision import CONDITIONS, KINDS, drawn, recomputed, sample_cost, three
from opchar import cli
from opchar.analysis.asking import Asked
from opchar.analysis.first_screen import answer_lines
from opchar.analysis.page import page
from opchar.analysis.run import Answers
from opchar.analysis.tables.reading import read_models

SCHEMA = json.loads((files("opchar") / "analysis/answers.schema.json").read_text("utf-8"))


def number(text: str) -> float:
    return float(text.replace(",", "").replace("−", "-"))


def assert_one_decision(answers: Answers, y: np.ndarray, score: np.ndarray) -> None:
    """Hold what people and programs read to what is recomputed."""
    found, own = answers.decision, recomputed(answers, y, score)
    assert found is not None
    text = "\n".join(answer_lines(answers))
    whole_page = page(answers, {})
    shown = html.unescape(re.sub(r"<[^>]+>", " ", whole_page)).replace("\N{NO-BREAK SPACE}", " ")
    said = re.search(
        r"Of ([\d,]+) objects: ([\d,]+) .* found, ([\d,]+) missed, ([\d,]+) false alarms?; "
        r"precision (.*)\.", text
    )  # fmt: skip
    assert said
    whole = number(said[1])
    numbers = [number(said[k]) for k in (2, 3, 4)]
    for value, name in zip(numbers, ("found", "missed", "alarms"), strict=True):
        assert value == pytest.approx(own[name] * whole / 1000, abs=1.01), name
    if np.isnan(own["precision"]):
        assert said[5] == "–"
    else:
        assert number(said[5].removesuffix(" %")) == pytest.approx(100 * own["precision"], abs=0.06)
    advice = found.advice
    if "Accept none of" in text:
        assert numbers[0] == numbers[2] == 0
    if "Accept all of" in text:
        assert numbers[1] == 0
        assert own["missed"] == 0
    assert found.serves == ("Accept none of" not in text and "Accept all of" not in text)
    assert advice.cost.value == pytest.approx(own["cost"]) or found.each_object is not None
    # The table and the dots of the page have the same counts.
    for name, value in zip(("Found", "Missed", "False alarms"), numbers, strict=True):
        cell = re.search(rf"{name}, of [\d,]+\s+([\d,]+)", shown)
        assert cell and number(cell[1]) == value
    icons = whole_page.split('<figure class="icons">')[1].split('<ul class="legend">')[0]
    dots = re.findall(r'<path class="(\w+)" d="((?:M[\d.]+ [\d.]+h\.1)+)"', icons)
    counted = {kind: path.count("M") for kind, path in dots if kind != "hole"}
    assert [counted.get(kind, 0) for kind in ("found", "missed", "alarm")] == numbers
    trivial = min(found.prior * found.cost_fn, (1 - found.prior) * found.cost_fp)
    if found.each_object is None:
        assert found.trivial == pytest.approx(trivial)
        assert found.saved.value == pytest.approx(1 - own["cost"] / trivial, abs=1e-9)
    check_sentences(answers, text, shown, y, score)
    json.loads(answers.to_json())
    jsonschema.validate(answers.to_dict(), SCHEMA)
    given = answers.to_dict()["decision"]["advice"]
    assert given["cost"]["value"] == pytest.approx(advice.cost.value)
    check_tables(answers, y, score)


def threshold_of(text: str) -> float:
    return {'"accept all"': -np.inf, '"accept none"': np.inf}.get(text) or float(text)


def check_sentences(
    answers: Answers, text: str, shown: str, y: np.ndarray, score: np.ndarray
) -> None:
    """Recompute what is said of savings, of other thresholds and of what is best on the sample."""
    found = answers.decision
    assert found is not None
    saved = re.search(
        r"Cost saved compared with no model .*?: (\S+) %(?: \((\S+) % to (\S+) %\))?", text
    )
    assert saved and number(saved[1]) == pytest.approx(100 * found.saved.value, abs=0.06)
    cells = re.search(
        r"Cost saved compared with no model \(.*?\)\s+(\S+) %\s+(\S+) % to (\S+) %", shown
    )
    assert cells and cells[1] == saved[1]
    if saved[2]:
        assert (cells[2], cells[3]) == (saved[2], saved[3])
    assert "here costs less" not in text
    if found.each_object is not None:
        return
    values = np.unique(score)
    others = np.r_[-np.inf, values[:-1] / 2 + values[1:] / 2, np.inf]
    least = min(sample_cost(found, y, score, at) for at in others)
    place = r"(\S+|\"\w+ \w+\")"
    said = (
        rf"clearly more than the recommended one lie between {place} and {place}; "
        r"(?:the dearest costs (\S+)|all cost the same)"
    )
    told = re.search(said, text)
    if told and len(values) < 180:  # the table has every threshold
        low, high = threshold_of(told[1]), threshold_of(told[2])
        assert low <= found.best.threshold <= high
        costs = answers.tables["threshold-costs"]
        alike = costs[~costs["distinguishably more"] & (costs["model"] == found.best.model)]
        alike = alike[alike["prior"] == found.prior]
        assert alike["threshold"].between(low, high).all()
        more = [sample_cost(found, y, score, at) for at in alike["threshold"]]
        dearest = max(more) - sample_cost(found, y, score, found.best.threshold)
        unit = found.base / 1000
        assert number(told[3] or "0") == pytest.approx(unit * dearest, rel=0.01, abs=0.1 * unit)
    if told := re.search(rf"thresholds from {place} to {place} make no error", text):
        for at in map(threshold_of, told.groups()):
            assert sample_cost(found, y, score, at) == 0
    told = re.search(r"on these scores, at or above (\S+|accept \w+) costs (\S+) less", text)
    if not found.serves:
        assert bool(told) == (least < 1000 * found.trivial * (1 - 1e-9))
    if told:
        assert sample_cost(found, y, score, float(told[1])) == pytest.approx(least)
        less, unit = 1000 * found.trivial - least, found.base / 1000
        assert number(told[2]) == pytest.approx(unit * less, rel=0.01, abs=0.1 * unit)
    # The threshold is that of `choose_threshold`, with fewer digits.
    prior, costs = found.prior, {"cost_fn": found.cost_fn, "cost_fp": found.cost_fp}
    exact = opchar.choose_threshold(y, score, prior=prior, **costs).threshold
    at = found.best.threshold
    assert np.isinf(exact) == np.isinf(at)
    if np.isfinite(exact):
        np.testing.assert_array_equal(score >= at, score >= exact)
        gap = values[values >= exact].min() - values[values < exact].max()
        assert abs(at - exact) <= gap / 2


def check_tables(answers: Answers, y: np.ndarray, score: np.ndarray) -> None:
    """Hold rows of accepting all or none to what accepting all or none does."""
    for row in answers.tables["thresholds"].to_dict("records"):
        if np.isinf(row["threshold"]):
            every = float(row["threshold"] < 0)
            assert [row["tpr"], row["fpr"]] == pytest.approx([every, every], abs=1e-12)
            assert row["value"] == row["low"] == row["high"] == pytest.approx(row["optimistic"])
    for row in answers.tables["limits"].to_dict("records"):
        accepted = score >= row["threshold"]
        if accepted.all() or not accepted.any():
            error = accepted.mean() if row["limit"] == "false alarms" else 1 - accepted.mean()
            assert row["error"] == row["error low"] == row["error high"]
            assert row["error"] == pytest.approx(error, abs=1e-12)
            assert row["other error"] == pytest.approx(1 - error, abs=1e-12)
    found = answers.decision
    rules = answers.tables["rules"]
    for row in rules[np.isinf(rules["threshold"])].to_dict("records"):
        assert found is not None
        every = row["threshold"] < 0
        whole = (1 - row["prior"]) * found.cost_fp if every else row["prior"] * found.cost_fn
        assert row["value"] == pytest.approx(whole)


@pytest.mark.parametrize("place", range(len(KINDS)))
def test_every_number_is_that_of_the_decision(place: int) -> None:
    for number in (place, place + 1 + place // 4):
        prior, cost_fp, cost_fn = CONDITIONS[number % len(CONDITIONS)]
        y, score = drawn(KINDS[place], number)
        answers = opchar.analyse(
            y,
            score,
            prior=prior,
            cost_fp=cost_fp,
            cost_fn=cost_fn,
            resamples=50,
            limits=(0.01, 0.2),
        )
        assert_one_decision(answers, y, score)


def test_costs_of_each_object_are_those_of_the_file() -> None:
    for seed in range(2):
        rng = np.random.default_rng(seed)
        y, score = drawn("probabilities", seed)
        costs = {"cost_fn": rng.lognormal(3, 1, len(y)), "cost_fp": rng.integers(1, 9, len(y))}
        answers = opchar.analyse(y, score, object_costs=costs, resamples=50)
        assert_one_decision(answers, y, score)
        found = answers.decision
        assert found is not None and found.each_object is not None
        table = answers.tables["object-costs"].set_index("rule")
        row = table.loc["recommended threshold"]
        wanted = row["value"] if found.serves else row["trivial"]
        assert found.advice.cost.value == pytest.approx(wanted)
        more = table.loc["a threshold each", "value"] - row["value"]
        assert found.each_object.more.value == pytest.approx(more)
        assert found.each_object.more.low < more < found.each_object.more.high
        line = table.loc["a threshold each"]
        each = answers.tables["object-thresholds"]
        x = each["threshold"] if line["applied to"] == "score" else np.log(
            each["threshold"] / (1 - each["threshold"])
        )  # fmt: skip
        p = 1 / (1 + np.exp(-line["slope"] * x - line["intercept"]))
        np.testing.assert_allclose(p, each["probability at or above"], rtol=1e-6)
        if found.serves:
            assert "object-thresholds.csv" in "\n".join(answer_lines(answers))


@pytest.mark.parametrize("sign", [1, -1])
def test_equal_costs_are_equal_whatever_the_rounding(sign: int) -> None:
    rng = np.random.default_rng(5)
    y = np.arange(120) % 10 < 2
    score = np.where(y, 0.0, rng.normal(size=120)) * sign
    found = opchar.analyse(y, score, prior=1 / 3, cost_fn=2.425, resamples=50).decision
    assert found is not None
    below = found.best.cost.value < found.trivial * (1 - 1e-9)
    assert found.serves == below


def test_the_threshold_in_use_is_judged(tmp_path: Path, monkeypatch, capsys) -> None:
    """A public question: sensitivity and specificity with intervals at a threshold of 5."""
    monkeypatch.chdir(tmp_path)
    values = [81.3, 123.3, 42.9, 49.3, 31.9, 12.6, 23.3, 2, 165.8, 3.1, 13.6, 13.6, 10.4, 3.7, 2,
              23.8, 47.5, 126.8, 10.3, 18.4]  # fmt: skip
    y = [1, 1, 1, 1, 1, 1, 0, 0, 1, 1, 1, 1, 1, 0, 0, 1, 1, 1, 0, 1]
    pd.DataFrame({"y": y, "marker": values}).to_csv("m.csv", index=False)
    assert cli.main(["analyse", "m.csv", "--threshold", "5", "--resamples", "50"]) == 0
    said = capsys.readouterr().out
    assert "In use, m at or above 5: sensitivity 93.3 % (70.2 % to 98.8 %)" in said
    table = pd.read_csv("m-analysis/in-use.csv").set_index("measure")
    assert table.loc["tpr", "value"] == pytest.approx(14 / 15)
    assert table.loc["tnr", "value"] == pytest.approx(3 / 5)
    assert cli.main(["analyse", "m.csv", "--threshold", "x=5", "--resamples", "50"]) == 1
    assert "no model 'x'" in capsys.readouterr().err
    assert cli.main(["analyse", "m.csv", "--threshold", "500", "--resamples", "50"]) == 0
    assert "OPC017" in capsys.readouterr().out


def test_thresholds_in_the_gap_between_the_classes_cost_the_same() -> None:
    y = np.arange(60) % 3 == 0
    score = np.random.default_rng(0).uniform(0, 1, 60).round(2) + 2 * y
    said = answer_lines(opchar.analyse(y, score, threshold=1.2, resamples=50))
    told = re.search(r"thresholds from (\S+) to (\S+) make no error", "".join(said))
    assert told and score[~y].max() < float(told[1]) < float(told[2]) <= score[y].min()
    assert "and costs the same as the recommendation." in "".join(said)


def test_a_finding_can_fail_a_pipeline(tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    y, score = three()
    pd.DataFrame({"y": y, "score": score}).to_csv("s.csv", index=False)
    given = ["analyse", "s.csv", "--json", "--resamples", "50", "--fail-on"]
    assert cli.main([*given, "opc010, OPC004"]) == 1
    assert "OPC010 found" in capsys.readouterr().err
    assert cli.main([*given, "OPC004"]) == 0
    assert cli.main([*given, "OPC999"]) == 1
    assert "no finding 'OPC999'" in capsys.readouterr().err


def test_a_default_cost_is_said_to_be_one_and_results_are_short() -> None:
    y, score = drawn("probabilities")
    models = {f"m{k}": score + 0.1 * k * drawn("random")[1] for k in range(4)}
    found = opchar.analyse(y, models, prior=None, resamples=50, threshold=0.5)
    assert "the default, as no costs were given" in repr(found)
    assert len(repr(found).splitlines()) <= 20
    assert "<iframe" in found._repr_html_()
    stated = opchar.analyse(y, score, cost_fn=1, resamples=50)
    assert "default" not in repr(stated)
    assert stated.decision is not None and stated.decision.stated


@pytest.mark.parametrize("first", [0, 1])
def test_of_several_classes_the_better_model_is_the_headline(tmp_path: Path, first: int) -> None:
    rng = np.random.default_rng(4)
    y = np.arange(150) % 3
    models = [("good", 4.0), ("bad", 0.5)][:: 1 if first == 0 else -1]
    given = {name: np.exp(rng.normal(size=(150, 3)) + d * np.eye(3)[y]) for name, d in models}
    found = opchar.analyse(y, given, resamples=50)
    said = found.save(tmp_path / "out")[0].read_text()
    wrong = {name: scores.argmax(axis=1) != y for name, scores in given.items()}
    told = re.search(r"<h1>Use good: error rate (\S+)\xa0%", said)
    assert told and number(told[1]) == pytest.approx(100 * wrong["good"].mean(), abs=0.06)
    row = found.tables["errors"].query("model == 'bad' and measure == 'error rate'").iloc[0]
    assert row["more"] == pytest.approx(wrong["bad"].mean() - wrong["good"].mean())
    assert row["more low"] < row["more"] < row["more high"]
    again = opchar.analyse(y, {"one": given["good"], "two": given["good"] * 1.0}, resamples=50)
    assert "Use one or two (no clear difference)" in repr(again)


def test_three_positives_that_lie_apart_have_a_threshold() -> None:
    """It was told to accept all, which a glance at the scores refutes."""
    y = np.repeat([0, 1], [37, 3])
    rng = np.random.default_rng(0)
    for kind in ("probability", "integer", "logit"):
        low, high = rng.uniform(0.01, 0.2, 37), rng.uniform(0.8, 0.95, 3)
        score = np.r_[low, high]
        if kind == "integer":
            score = np.round(100 * score)
        elif kind == "logit":
            score = np.log(score / (1 - score))
        for ratio in (1, 5, 20):
            found = opchar.analyse(y, score, prior=0.3, cost_fn=ratio, resamples=50).decision
            assert found is not None and found.serves, (kind, ratio)
            assert score[y == 0].max() < found.best.threshold <= score[y == 1].min()


def test_many_classes_have_an_error_rate_and_a_matrix(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    y = np.arange(200) % 10
    raw = rng.random((200, 10)) + 0.5 * np.eye(10)[y]
    found = opchar.analyse(y, raw / raw.sum(axis=1, keepdims=True), resamples=50)
    wrong = (raw.argmax(axis=1) != y).mean()
    assert found.tables["errors"].iloc[0]["value"] == pytest.approx(wrong)
    matrix = found.tables["confusion"].filter(like="taken for").to_numpy()
    np.testing.assert_array_equal(matrix, pd.crosstab(y, raw.argmax(axis=1)))
    said = found.save(tmp_path / "out")[0].read_text()
    assert f"error rate {100 * wrong:.1f}".rstrip("0").rstrip(".") in said
    assert 'class="confusion"' in said
    jsonschema.validate(found.to_dict(), SCHEMA)


@pytest.mark.parametrize("small", [1, 0])
def test_a_class_that_is_too_small_is_named_and_the_others_are_answered(
    tmp_path: Path, monkeypatch, capsys, small: int
) -> None:
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    true = np.array(["a", "c", "d"] * 8 + ["b"] * small)
    scores = rng.random((len(true), 4)).round(3)
    table = pd.DataFrame(scores, columns=list("abcd"))
    table.insert(0, "truth", true)
    table.to_csv("s.csv", index=False)
    assert cli.main(["analyse", "s.csv", "--resamples", "50"]) == 0
    said = capsys.readouterr().out
    assert ("OPC016: b has 1 object" in said) == bool(small)
    assert cli.main(["analyse", "s.csv", "--positive", "a", "--resamples", "50"]) == 0
    capsys.readouterr()
    if small:
        assert cli.main(["analyse", "s.csv", "--positive", "b", "--resamples", "50"]) == 1
        assert "1 object of class 'b'" in capsys.readouterr().err


def test_a_class_with_two_rows_of_one_object_is_no_crash(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.random((26, 3)), columns=list("abc"))
    table["y"] = ["a", "b"] * 12 + ["c", "c"]
    table["id"] = [*range(24), 99, 99]
    table.to_csv(tmp_path / "s.csv", index=False)
    found = opchar.analysis.run.analyse(read_models([tmp_path / "s.csv"]), Asked(resamples=50))
    assert "OPC016" in {each.code for each in found.findings}


@pytest.mark.parametrize("prior", [0.004, 6e-5, 2e-6])
def test_rare_positives_are_counted_among_enough_objects(prior: float) -> None:
    """Half of the positives found is never told as none: counts are of five positives and more."""
    rng = np.random.default_rng(0)
    y = (rng.random(900) < 0.2).astype(int)
    score = rng.normal(size=900) + 2 * y
    found = opchar.analyse(y, score, prior=prior, cost_fn=0.3 / prior, resamples=50)
    assert found.decision is not None
    line = next(line for line in answer_lines(found) if "  Of " in line)
    whole, hits, missed = (
        int(re.search(pattern, line)[1].replace(",", ""))  # type: ignore[index]
        for pattern in (r"Of ([\d,]+) objects", r": ([\d,]+) .* found", r"found, ([\d,]+) missed")
    )
    assert hits + missed == round(whole * prior) >= 5
    assert hits / (hits + missed) == pytest.approx(
        found.decision.advice.found.value / (1000 * prior), abs=0.5 / (hits + missed)
    )
    assert ('<figure class="icons"' in html.unescape(found._repr_html_())) == (whole <= 10_000)


@pytest.mark.parametrize("threshold", ["inf", "nan", "a=-inf"])
def test_a_threshold_in_use_is_finite(tmp_path: Path, capsys, threshold: str) -> None:
    path = tmp_path / "s.csv"
    pd.DataFrame({"y": [0, 1] * 20, "score": np.arange(40) / 40}).to_csv(path, index=False)
    with pytest.raises(SystemExit):
        cli.main(["analyse", str(path), f"--threshold={threshold}"])
    assert "a threshold in use is a finite number" in capsys.readouterr().err
