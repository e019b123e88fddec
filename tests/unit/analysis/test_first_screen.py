"""The first screen and the files that it is of: each case a file, options, and what is said."""

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import opchar
from opchar import cli
from opchar.analysis.answers.decision import Estimate
from opchar.analysis.answers.summary import _weights
from opchar.analysis.first_screen import answer_lines
from opchar.analysis.in_use_lines import more_text
from opchar.analysis.numbers import number_text, share_text
from opchar.analysis.tables.groups import copies
from opchar.decisions.at_threshold import at_threshold
from opchar.spaces.printing import printed_thresholds

RNG = np.random.default_rng(56)
Y = (RNG.random(300) < 0.3).astype(int)
P = 1 / (1 + np.exp(1.5 - RNG.normal(size=300) - 2 * Y))
PLAIN = pd.DataFrame({"id": np.arange(300), "y": Y, "score": P})
CLASS = RNG.choice(["first", "second", "third"], 300)
FILES = {
    "plain": PLAIN,
    "percent": PLAIN.assign(score=100 * P).rename(columns={"score": "score %"}),
    "cells": PLAIN.assign(score=[f"{100 * each:.3f} %" for each in P]),
    "new": pd.DataFrame({"score": 1 / (1 + np.exp(-2 - 3 * RNG.normal(size=200)))}),
    "body": PLAIN.assign(weight=RNG.normal(75, 12, 300).round(1)),
    "even": PLAIN.assign(weight=1.0),
    "site": PLAIN.assign(site=np.arange(300) % 3),
    "copies": pd.concat([PLAIN.drop(columns="id")] * 2),
    "feature": PLAIN.rename(columns={"y": "ill"}).assign(**{"class": CLASS}),
    "liner": PLAIN.rename(columns={"y": "survived"}).assign(**{"class": CLASS}),
    "truth": PLAIN[["id", "y"]].assign(age=RNG.integers(20, 80, 300)),
    "scores": PLAIN[["id", "score"]].iloc[::-1],
    "places": PLAIN[["id", "score"]].assign(site=np.arange(300) % 3),
    "lost": PLAIN[["id", "score"]].assign(id=np.arange(300) + 1),
    "three": pd.DataFrame({"y": Y[:60], "score": RNG.random(60)}).assign(
        y=lambda table: (table["score"].rank() > 57).astype(int)
    ),
    "values": pd.DataFrame({"y": Y, "score": Y / 2}),
    "shares": pd.DataFrame({"y": Y, "a %": 100 * P, "b %": 100 * P**2}),
    "limits": pd.DataFrame({"y": Y, "marker": ["≤0.1" if p < 0.1 else f"{p:.2f}" for p in P]}),
    "words": pd.DataFrame({"y": Y, "marker": ["<LOD" if p < 0.1 else f"{p:.2f}" for p in P]}),
    "two": PLAIN.rename(columns={"score": "a"}).assign(b=RNG.random(300)),
}


def said(folder: Path, words: str, capsys) -> str:
    for name in set(re.findall(r"\w+(?=\.csv)", words)) & set(FILES):
        FILES[name].to_csv(folder / f"{name}.csv", index=False)
    status = cli.main(["analyse", *words.split(), "--resamples", "50", "--output", "out"])
    shown = capsys.readouterr()
    return (shown.out if status == 0 else shown.err).replace("\N{NO-BREAK SPACE}", " ")


CASES = [
    ("plain.csv --unlabelled new.csv", r"OPC043(.|\n)*  The share in use is not known \(OPC"),
    ("body.csv", r"OPC019: Rows count by column 'weight' \([\d.]+ to [\d.]+\)"),
    ("body.csv --weight none", r"not used: weight(?!(.|\n)*OPC019)"),
    ("body.csv --weight weight", r"weights in 'weight'(?!(.|\n)*OPC019)"),
    ("even.csv", r"weights in 'weight'(?!(.|\n)*OPC019)"),
    ("site.csv", "OPC015: Column 'site' has 3 values in 300 rows; --by site compares them"),
    ("site.csv --fold site --resample folds", "OPC018: Only 3 groups are drawn"),
    ("three.csv", "^(?!(.|\n)*OPC032)(.|\n)*AUC 1 "),
    (
        "values.csv",
        r"OPC030: values has 2 distinct(.|\n)*thresholds from \S+ to \S+ make no error on these sc",
    ),
    ("copies.csv", "OPC015: 300 rows equal another row in class and scores"),
    ("plain.csv", "^(?!(.|\n)*OPC01[589])"),
    ("feature.csv", "true classes in 'ill', scores in score"),
    ("liner.csv", r"\['class', 'survived'\] may all be true classes; choose by --label"),
    ("truth.csv scores.csv", "scores: true classes in 'y', scores in score, objects told apart"),
    (
        "truth.csv places.csv --by site",
        r"at or above (\S+) as positive(.|\n)*site 0 \(100 rows, \d+ positive\), scores at or "
        r"above \1: sensitivity",
    ),
    ("scores.csv truth.csv", "\n  Accept scores at or above"),
    ("truth.csv lost.csv", "lost.csv: object 300 is not in truth.csv, which has true classes"),
    ("two.csv --scores a --threshold a=0.5", "In use, two at or above 0.5:"),
    ("shares.csv --threshold a=40,b=50", "In use, b % at or above 50: sensitivity"),
    ("limits.csv --detection-limit", r"limits: \d\d cells of marker beyond a limit are ties"),
    ("words.csv --detection-limit", "'<LOD' is no number; write the limit, as in <0.5, and give"),
    ("two.csv --scores a,b --max-fpr 0.1", "Limit with a: accept scores at or above"),
]


@pytest.mark.parametrize(("words", "wanted"), CASES, ids=[words for words, _ in CASES])
def test_a_file_and_a_question(words, wanted, tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    assert re.search(wanted, said(tmp_path, words, capsys))


@pytest.mark.parametrize("name", ["percent", "cells"])
def test_thresholds_of_percent_are_on_the_scale_of_the_file(
    name, tmp_path, monkeypatch, capsys
) -> None:
    monkeypatch.chdir(tmp_path)
    options = "--threshold {} --max-fpr 0.1 --cost 1,3"
    plain = said(tmp_path, f"plain.csv {options.format(0.4)}", capsys)
    want = json.loads((tmp_path / "out/answers.json").read_text())
    text = said(tmp_path, f"{name}.csv {options.format(40)}", capsys)
    found = json.loads((tmp_path / "out/answers.json").read_text())
    one, two = (each["decision"]["advice"] for each in (want, found))
    assert two["threshold"] == pytest.approx(100 * one["threshold"], abs=0.01)
    assert two["cost"]["value"] == one["cost"]["value"]
    assert f"In use, {name} at or above 40: sensitivity" in text
    for pattern in ("sensitivity .*", r"Of 1,000 objects: .*"):
        assert re.search(pattern, text)[0] == re.search(pattern, plain)[0]  # type: ignore[index]
    points = pd.read_csv(tmp_path / "out/points.csv")["threshold"]
    assert points[np.isfinite(points)].max() == pytest.approx(100 * P.max(), rel=0.05)


def test_groups_are_on_the_first_screen_the_costliest_first(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    text = said(tmp_path, "site.csv --by site --threshold 0.4", capsys)
    page = (tmp_path / "out/index.html").read_text()
    assert page.index("How do the groups differ?") < page.index("How sure is this?")
    costs = []
    for site in range(3):
        mine = FILES["site"]["site"] == site
        own = at_threshold(Y[mine], P[mine], 0.4)
        line = re.search(
            rf"site {site} \(100 rows, {Y[mine].sum()} positive\), scores at or above 0.4: (.*)",
            text,
        )
        assert line and f"sensitivity {share_text(own.tpr.value)} " in line[1]
        told = re.search(r"cost of (1\d*,000) objects (\S+) ", line[1])
        assert told and told[1] in text.split("\n  Of ")[1][:10]  # as in the line of counts
        assert told[2] == number_text(float(told[1].replace(",", "")) * own.cost.value)
        costs.append((line.start(), -own.cost.value))
    assert [cost for _, cost in sorted(costs)] == sorted(cost for _, cost in costs)


def test_groups_of_advice_without_a_model_have_no_doubt() -> None:
    rng = np.random.default_rng(5)
    y, site = np.arange(120) % 6 == 0, np.arange(120) % 2
    found = opchar.analyse(y, rng.normal(size=120), by=site, resamples=50)
    said = "\n".join(answer_lines(found))
    assert "accept none: sensitivity 0 %; false-positive rate 0 %; precision –; cost of" in said
    ends = found.tables["by-group"][["value", "low", "high"]].dropna()
    assert (ends["low"] == ends["value"]).all() and (ends["high"] == ends["value"]).all()


def test_a_precision_at_an_unknown_share_is_not_to_be_reported() -> None:
    rng = np.random.default_rng(0)
    y = np.arange(400) % 4 == 0
    other = 3 * rng.normal(size=300) - 3
    found = opchar.analyse(y, rng.normal(size=400) + 1.2 * y, unlabelled=other, resamples=50)
    said = {each.code: each.text for each in found.findings}
    assert "OPC043" in said and "precision" in said["OPC041"]
    assert "report this precision" not in said["OPC041"]


@pytest.mark.parametrize(("sign", "said"), [(1, "3 more"), (-1, "3 less"), (0, "0 more")])
def test_a_difference_of_rounding_is_none(sign: int, said: str) -> None:
    change = Estimate(3 * sign or -1e-17, 3 * sign - 1.5, 3 * sign + 1.5)
    ends = "1.50 to 4.50" if sign else "−1.50 to 1.50"
    assert more_text(change) == f"{said} ({ends})"


def test_precision_is_said_to_be_at_the_prior_of_each_class(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    y = np.repeat(["cat", "dog", "owl"], [10, 20, 50])
    scores = np.random.default_rng(0).dirichlet([1, 1, 1], 80)
    pd.DataFrame(scores, columns=["cat", "dog", "owl"]).assign(y=y).to_csv("c.csv", index=False)
    said(tmp_path, "c.csv", capsys)
    page = (tmp_path / "out/index.html").read_text()
    assert "Precision is at 12.5 % cat, 25 % dog, 62.5 % owl, as in these scores." in page


@pytest.mark.parametrize("lines", ["# by model 7, seed 3\n", "# a\n#\n# b\n"])
def test_comments_above_the_header_are_no_header(lines, tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    Path("c.csv").write_text(lines + PLAIN.to_csv(index=False))
    assert "c: true classes in 'y', scores in score" in said(tmp_path, "c.csv", capsys)


def test_scores_that_rounding_or_few_values_join_are_no_copies() -> None:
    y = np.arange(1000) % 2
    apart = RNG.beta(1, 6, 1000) * 0.5 + 0.5 * y
    for score in (np.round(apart, 2), np.round(apart * 100), np.round(apart, 3), y.astype(float)):
        assert copies(y, [score[:, None]], []) == []
    drawn = RNG.integers(0, 500, 1000)
    found = copies(y[drawn], [apart[drawn, None]], [])
    assert found[0].text.startswith(f"{1000 - len(set(drawn))} rows equal another row in class and")
    assert copies(y[drawn], [apart[drawn, None]], [pd.Series(RNG.random(1000))]) == []


@pytest.mark.parametrize("share", [0.1, 0.3])
def test_copies_are_found_where_rounding_makes_many_scores_equal(share: float) -> None:
    y = (RNG.random(200_000) < 0.05).astype(int)
    score = (1 / (1 + np.exp(-RNG.normal(size=len(y)) - 2 * y))).round(6)
    assert copies(y, [score[:, None]], []) == []
    again = np.r_[: len(y), : round(share * len(y))]
    found = copies(y[again], [score[again, None]], [])
    assert "beyond what rounding explains" in found[0].text
    number = float(found[0].text.split()[1].replace(",", ""))
    assert number == pytest.approx(share * len(y), rel=0.15)


def test_a_score_and_its_copy_on_another_scale_are_one_model(
    tmp_path: Path, monkeypatch, capsys
) -> None:
    monkeypatch.chdir(tmp_path)
    y = np.arange(200) % 3 == 0
    logit = RNG.normal(size=200) + 2 * y
    one, other = (1 / (1 + np.exp(-logit))).round(4), RNG.normal(size=200) + 2 * y
    for scale, is_one in ((logit.round(3), True), (-100 * logit, True), (other, False)):
        table = {"y": y.astype(int), "score_a": one, "score_b": scale}
        pd.DataFrame(table).to_csv("s.csv", index=False)
        assert ("OPC038" in said(tmp_path, "s.csv", capsys)) == is_one


@pytest.mark.parametrize("others", [["age"], ["COO_1"], ["COO_1", "LEV_1", "DFB0_1", "PGR_1"]])
def test_columns_that_spss_saves(tmp_path: Path, monkeypatch, capsys, others: list[str]) -> None:
    monkeypatch.chdir(tmp_path)
    y = np.arange(200) % 3 == 0
    table = {"default": y.astype(int), "PRE_1": (0.3 + 0.4 * RNG.random(200) + 0.2 * y).round(5)}
    table |= {name: RNG.exponential(0.02, 200).round(5) for name in others}
    if "PGR_1" in others:
        table["PGR_1"] = (table["PRE_1"] > 0.5).astype(int)
    pd.DataFrame(table).to_csv("s.csv", index=False)
    assert "scores in PRE_1\n" in said(tmp_path, "s.csv", capsys)


@pytest.mark.parametrize(("low", "helps"), [(0.01, "weights lower"), (-0.01, "do not clearly")])
def test_class_weights_help_where_the_interval_says_so(low: float, helps: str) -> None:
    row = {"model": "m", "without weights": 0.3, "with weights": 0.28, "saved, low": low}
    assert helps in _weights(row)


def test_the_number_next_to_a_score_is_printed_short() -> None:
    scores = np.array([0.1, 1 / 3, 0.34, 0.9])
    assert printed_thresholds(np.nextafter(1 / 3, 1), scores) == 0.334


@pytest.mark.parametrize(
    ("shares", "ends"),
    [
        ([0.0, 0.001, 0.056], (0.0, 0.06)),
        ([0.0, 0.0093], (0.0, 0.01)),
        ([0.81, 0.99], (0.8, 1.0)),
        ([0.3, 0.9], (0.0, 1.0)),
        ([0.5, 0.5], None),
    ],
)
def test_calibration_is_drawn_where_its_points_are(shares, ends):
    from opchar.analysis.pictures import _ends_of

    low, high = _ends_of([pd.Series(shares), pd.Series([shares[0], np.nan])])
    assert low <= min(shares) and max(shares) <= high and low < high
    assert ends is None or (low, high) == ends
