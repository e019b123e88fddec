"""What the analysis says is what the library and other oracles say, and is written whole."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import f1_score, roc_auc_score

import opchar
from opchar import __version__, cli
from opchar.analysis.answers.judging import one_against_rest
from opchar.analysis.answers.multiclass import weight_findings
from opchar.analysis.answers.summary import in_short
from opchar.analysis.answers.thresholds import threshold_table
from opchar.analysis.asking import Asked
from opchar.analysis.numbers import share_text
from opchar.analysis.page import page
from opchar.analysis.progress import Progress
from opchar.analysis.run import Answers, analyse
from opchar.analysis.tables.scored_sample import ScoredSample
from opchar.errors import ScoresError

ASKED = Asked(priors=(0.02,), cost=(1.0, 5.0), alphas=(0.5, 0.25), resamples=50)


def scored(
    models: int = 2, positives: int = 60, negatives: int = 240, **more: object
) -> ScoredSample:
    rng = np.random.default_rng(models)
    y = (np.arange(positives + negatives) >= positives).astype(int)
    scores = {
        f"m{m}": (rng.normal(size=len(y)) + (2.0 - m) * (y == 0))[:, None] for m in range(models)
    }
    return ScoredSample(("sick", "well"), y, scores, 0, **more)  # type: ignore[arg-type]


def of_many(classes: int = 3, rows: int = 150) -> ScoredSample:
    rng = np.random.default_rng(classes)
    y = np.arange(rows) % classes
    found = {}
    for name in ("a", "b"):
        raw = rng.random((rows, classes)) + 0.6 * np.eye(classes)[y]
        found[name] = raw / raw.sum(axis=1, keepdims=True)
    return ScoredSample(tuple("xyzuvw"[:classes]), y, found, 0)


@pytest.fixture(scope="module")
def answers() -> Answers:
    return analyse(scored(), ASKED)


def test_areas_and_optimistic_thresholds_are_those_of_scikit_learn(answers: Answers) -> None:
    data = answers.scored
    areas = answers.tables["areas"]
    thresholds = answers.tables["thresholds"]
    for name, score in data.models.items():
        own = areas[(areas["model"] == name) & (areas["measure"] == "AUC")].iloc[0]
        assert own["value"] == pytest.approx(roc_auc_score(data.is_positive, score[:, 0]))
        assert own["low"] < own["value"] < own["high"]
        f = thresholds[(thresholds["model"] == name) & (thresholds["aim"] == "F, alpha 0.5")]
        at_sample = f[f["prior"] > 0.1].iloc[0]
        reached = f1_score(data.is_positive, score[:, 0] >= at_sample["threshold"])
        every = [f1_score(data.is_positive, score[:, 0] >= t) for t in score[:, 0]]
        assert reached == pytest.approx(at_sample["optimistic"])
        assert reached == pytest.approx(max(every))


def test_costs_are_those_of_an_object(answers: Answers) -> None:
    thresholds = answers.tables["thresholds"]
    data = answers.scored
    for row in thresholds[thresholds["aim"] == "cost (1, 5)"].to_dict("records"):
        score = data.models[row["model"]][:, 0]
        accepted = score >= row["threshold"]
        missed = 1 - accepted[data.is_positive].mean()
        alarms = accepted[~data.is_positive].mean()
        cost = row["prior"] * 5 * missed + (1 - row["prior"]) * alarms
        assert cost == pytest.approx(row["optimistic"])
        assert row["trivial"] == pytest.approx(min(5 * row["prior"], 1 - row["prior"]))
        judged_cost = row["prior"] * 5 * (1 - row["tpr"]) + (1 - row["prior"]) * row["fpr"]
        assert judged_cost == pytest.approx(row["value"])
        assert row["low"] <= row["value"] <= row["high"]


def test_the_same_files_give_the_same_answers(answers: Answers) -> None:
    again = analyse(scored(), ASKED)
    for name, table in answers.tables.items():
        pd.testing.assert_frame_equal(table, again.tables[name])


def test_every_question_of_two_models_has_its_answer(answers: Answers) -> None:
    assert set(answers.tables) == {
        *("areas", "thresholds", "every-threshold", "envelopes", "points", "limits", "needed"),
        *("area-differences", "cost-differences", "better", "rules", "threshold-costs"),
    }
    better = answers.tables["better"]
    assert set(better["better"]) <= {"m0"}
    assert len(better)
    envelopes = answers.tables["envelopes"]
    inside = (envelopes["band low"] <= envelopes["low"]) & (
        envelopes["high"] <= envelopes["band high"]
    )
    assert inside.all()
    ranges = answers.tables["every-threshold"]
    for _, part in ranges.groupby(["model", "space"]):
        assert part["from"].iloc[0] == 0.0
        assert part["to"].iloc[-1] == 1.0
        np.testing.assert_array_equal(part["to"].iloc[:-1], part["from"].iloc[1:])


def test_limits_are_kept_by_the_optimistic_threshold(answers: Answers) -> None:
    limits = answers.tables["limits"]
    assert (limits["optimistic error"] <= limits["at most"] + 1e-12).all()
    few = limits[(limits["at most"] == 0.01) & (limits["limit"] == "misses")]
    assert np.isinf(few["promised threshold"]).all()
    assert (few["other error there"] == 1.0).all()
    data = answers.scored
    row = limits[(limits["at most"] == 0.05) & (limits["limit"] == "false alarms")].iloc[0]
    alarms = data.models[row["model"]][~data.is_positive, 0] >= row["promised threshold"]
    assert alarms.mean() < 0.05


def test_equal_models_are_better_nowhere() -> None:
    data = scored(1)
    same = ScoredSample(data.classes, data.y, {"a": data.models["m0"], "b": data.models["m0"]}, 0)
    found = analyse(same, ASKED)
    assert found.tables["better"].empty
    assert found.tables["area-differences"]["p"].iloc[0] == 1.0


def test_weights_are_repeated_rows_of_one_object() -> None:
    rng = np.random.default_rng(0)
    data = scored(1)
    times = rng.integers(1, 4, len(data.y))
    row = np.repeat(np.arange(len(times)), times)
    fold = np.arange(len(times)) % 5
    weighted = ScoredSample(data.classes, data.y, data.models, 0, fold, times.astype(float))
    repeated = ScoredSample(
        data.classes, data.y[row], {"m0": data.models["m0"][row]}, 0, fold[row], None, row
    )
    one, two = (threshold_table(one_against_rest(each, 0, ASKED)) for each in (weighted, repeated))
    for column in ("threshold", "value", "optimistic", "tpr", "fpr", "low", "high"):
        # The ends follow a fitted curve, on which rounding may choose a neighbouring point.
        close = 1e-4 if column in ("low", "high") else 1e-9
        np.testing.assert_allclose(one[column], two[column], atol=close)


def test_a_colleague_warns() -> None:
    few = analyse(scored(1, positives=12, negatives=60), ASKED)
    assert any("Only 12 objects of sick" in each for each in few.cautions)
    data = scored(1)
    tied = ScoredSample(data.classes, data.y, {"t": np.round(data.models["m0"] / 4)}, 0)
    assert any("equal scores" in each for each in analyse(tied, ASKED).cautions)
    turned = ScoredSample(data.classes, data.y, {"t": -data.models["m0"]}, 0)
    assert any("--positive" in each for each in analyse(turned, ASKED).cautions)
    said = 1 / (1 + np.exp(-data.models["m0"] - 3))
    off = analyse(ScoredSample(data.classes, data.y, {"t": said}, 0), ASKED)
    assert any("are no probabilities" in each for each in off.cautions)
    assert "rejecting" in off.tables
    perfect = ScoredSample(data.classes, data.y, {"t": data.is_positive[:, None] * 1.0}, 0)
    assert any("perfectly" in each for each in analyse(perfect, ASKED).cautions)
    assert {each.code for each in analyse(scored(1, 200, 600), ASKED).findings} <= {"OPC041"}


def test_folds_that_overlap_are_not_used_and_repeats_add_no_certainty() -> None:
    data = scored(1)
    n = len(data.y)
    twice = ScoredSample(
        data.classes,
        np.tile(data.y, 2),
        {"m": np.tile(data.models["m0"], (2, 1))},
        0,
        np.repeat([0, 1], n),
        None,
        np.tile(np.arange(n), 2),
    )
    found = analyse(twice, ASKED)
    assert any("not disjoint" in each for each in found.cautions)
    once = analyse(ScoredSample(data.classes, data.y, {"m": data.models["m0"]}, 0), ASKED)
    ends = [
        each.tables["areas"].query("measure == 'AUC'")[["low", "high"]] for each in (once, found)
    ]
    np.testing.assert_allclose(*ends)


@pytest.mark.filterwarnings("error")
def test_one_is_no_plural_and_small_folds_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    y = np.repeat([0, 1], [4, 6])
    models = {"m": np.ones((10, 1)), "o": np.arange(10.0)[:, None]}
    fold = np.array([0, 1, 2, 2, 0, 1, 2, 3, 4, 5])
    found = analyse(ScoredSample(("sick", "well"), y, models, 0, fold), ASKED)
    assert "OPC012: A fold has no object of sick." in found.cautions
    assert any("(1 distinct score)" in each for each in found.cautions)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "951782400")
    text = page(found, {})
    assert f"4 sick, 6 well. OpChar {__version__}, 2000-02-29.</p>" in text
    assert not re.search(r"\b1 (rows|objects|ranges|different thresholds)\b", text)


def test_folds_on_different_levels_are_noticed() -> None:
    data = scored(1)
    fold = np.arange(len(data.y)) % 5
    shifted = ScoredSample(
        data.classes, data.y, {"m": data.models["m0"] + 3.0 * fold[:, None]}, 0, fold
    )
    assert any("different levels" in each for each in analyse(shifted, ASKED).cautions)
    even = ScoredSample(data.classes, data.y, data.models, 0, fold)
    assert not any("different levels" in each for each in analyse(even, ASKED).cautions)


def test_statements_that_few_objects_leave_empty(answers: Answers) -> None:
    needed = answers.tables["needed"]
    sure = needed[needed["statement"] == "misses at most 0.01, for sure"].iloc[0]
    assert (sure["needed"], bool(sure["empty"])) == (299, True)
    chance = needed[needed["statement"] == "better than chance (AUC)"]
    assert not chance["empty"].any()
    thresholds = answers.tables["thresholds"]
    for row in thresholds.to_dict("records"):
        statement = f"better than accepting all or none, {row['aim']}, prior {row['prior']:.4g}"
        own = needed[(needed["statement"] == statement) & (needed["model"] == row["model"])].iloc[0]
        better = (
            row["high"] < row["trivial"] if row["aim"][0] == "c" else row["low"] > row["trivial"]
        )
        assert better != bool(own["empty"])


def test_more_classes_have_volumes_weights_and_their_proof() -> None:
    costs = np.array([[0, 1, 4], [1, 0, 1], [2, 1, 0]], float)
    data = of_many()
    found = analyse(data, ASKED, costs=costs)
    weights = found.tables["weights"]
    assert (weights["no weights below"] <= weights["optimistic"] + 1e-12).all()
    assert (weights["optimistic"] <= weights["without weights"] + 1e-12).all()
    plain = costs[data.y, data.models["a"].argmax(axis=1)].mean()
    assert weights["without weights"].iloc[0] == pytest.approx(plain)
    volumes = found.tables["volumes"].set_index(["model", "measure"])
    assert 1 / 6 < volumes.loc[("a", "VUS"), "value"] < 1
    apart = volumes.loc[("a less b", "VUS, difference"), "value"]
    values = volumes.loc[("a", "VUS"), "value"] - volumes.loc[("b", "VUS"), "value"]
    assert apart == pytest.approx(values)
    surface = found.tables["surfaces"].query("model == 'a'")
    row = surface.iloc[100]
    weighted = data.models["a"] * row[[f"weight of {c}" for c in "xyz"]].to_numpy(dtype=float)
    right = weighted.argmax(axis=1) == data.y
    for c, name in enumerate("xyz"):
        assert row[f"right of {name}"] == pytest.approx(right[data.y == c].mean())


def test_many_exact_zeros_of_several_classes_are_one_finding() -> None:
    data = of_many(4)
    rounded = np.where(data.models["a"] < 0.2, 0.0, data.models["a"])
    found = analyse(ScoredSample(data.classes, data.y, {"a": rounded}, 0), ASKED)
    said = [each.text for each in found.findings if each.code == "OPC037"]
    share = share_text(float((rounded == 0).mean()))
    assert len(said) == 1 and said[0].startswith(f"Of the scores of a, {share} are exactly 0")


def test_class_weights_are_no_finding_beside_a_threshold_for_one_class() -> None:
    data = of_many()
    for positive, said in (("x", False), (None, True)):
        found = analyse(data, ASKED, positive=positive)
        assert ("OPC045" in {each.code for each in found.findings}) == said


def test_scores_that_weights_cannot_multiply_are_said() -> None:
    data = of_many()
    negative = ScoredSample(data.classes, data.y, {"a": np.log(data.models["a"])}, 0)
    found = analyse(negative, ASKED)
    assert any("negative somewhere" in each for each in found.cautions)
    assert "volumes" not in found.tables


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"priors": (2.0,)}, "prior 2"),
        ({"cost": (1.0,)}, "cost: give two positive numbers"),
        ({"cost": (1.0, -1.0)}, "cost: give two positive numbers"),
        ({"cost": (1e-9, 1e9)}, "weigh more than 1e.10 times those of the other"),
        ({"cost": (1.0, 1e-8), "priors": (0.3, 1e-4)}, "at a prior of 0.0001: all errors"),
        ({"alphas": (-1.0,)}, "alpha -1"),
        ({"limits": (0.0,)}, "limit 0"),
        ({"level": 1.0}, "confidence 1"),
        ({"level": 1e-300}, "confidence 1e-300: too close to 0 or 1"),
        ({"seed": -1}, "seed -1: give a whole number from 0"),
        ({"resamples": 3}, "resamples 3: give 50 or more"),
        ({"folds": 1}, "folds 1: give 2 or more"),
        ({"unit": "rows"}, "resample 'rows': give one of objects, folds"),
        ({"level": 95.0}, "confidence 95: give a number between 0 and 1; 95 % is 0.95"),
    ],
)
def test_what_cannot_be_asked(options: dict, said: str) -> None:
    with pytest.raises(ScoresError, match=said):
        Asked(**options)


def test_one_object_of_a_class_is_too_few() -> None:
    with pytest.raises(ScoresError, match="1 object of class 'sick'"):
        analyse(scored(1, positives=1), ASKED)


class Terminal:
    """A stream that says it is a terminal."""

    def __init__(self) -> None:
        self.text = ""

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> None:
        self.text += text

    def flush(self) -> None:
        pass


def test_progress_tells_the_time_left() -> None:
    terminal, seconds = Terminal(), iter([0.0, 0.0, 10.0, 15.0])
    progress = Progress(terminal, lambda: next(seconds))  # type: ignore[arg-type]
    progress.expect(4)
    progress.step("first")
    progress.step("second", 1)
    assert "25 %  second, about 30 s left" in terminal.text
    progress.close()


def test_the_command_works_in_an_empty_folder_and_the_page_stands_alone(
    tmp_path, monkeypatch, capsys
) -> None:
    monkeypatch.chdir(tmp_path)
    data = scored()
    for name, score in data.models.items():
        labels = np.array(data.classes)[data.y]
        frame = pd.DataFrame({"y": labels, "score": 1 / (1 + np.exp(-score[:, 0])), "<age>": 1})
        frame.to_csv(f"{name}.csv", index=False)
    words = ["analyse", "m0.csv", "m1.csv", "--prior", "0.02", "--cost", "1,5", "--alpha", "0.25"]
    assert cli.main([*words, "--resamples", "50"]) == 0
    said = capsys.readouterr().out
    assert "Of 1,000 objects: " in said
    assert re.search(r"(Use|With) m0: accept scores at or above ", said)
    assert "not used: <age>" in said
    folder = tmp_path / "m0-and-m1-analysis"
    text = (folder / "index.html").read_text(encoding="utf-8")
    for name in re.findall(r'href="([^"#:]+)"', text):
        assert (folder / name).is_file(), name
    assert "not used: &lt;age&gt;" in text
    assert not re.findall(r'(?:src|href)="(?:https?:)?//', text)
    assert text.count("data:image/svg+xml;base64,") == 3
    ids = re.findall(r' id="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    points = json.loads(re.search(r'id="explorer-data">(.*?)</script>', text)[1])  # type: ignore[index]
    assert set(points["models"]) == {"m0", "m1"}
    assert json.loads((folder / "answers.json").read_text())["schema"] == 2
    written = pd.read_csv(folder / "thresholds.csv")
    assert {"value", "low", "high", "optimistic"} <= set(written.columns)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["s.csv", "--output", "/proc/foo"], "cannot be written to"),
        (["s.csv", "--output", "s.csv"], "cannot be written to"),
        (["s.csv", "--positive", "third"], "no class 'third'"),
        (["none.csv"], "no such file"),
        (["s.csv", "--positive", ""], "no class ''"),
        (["s.csv", "--label", ""], "no column ''"),
        (["s.csv", "--prior", "3"], "prior 3"),
        (["s.csv", "--seed", "-1"], "seed -1"),
        (["s.csv", "s.csv"], "give each model once"),
    ],
)
def test_what_a_user_can_mend_is_one_line(tmp_path, monkeypatch, capsys, words, said) -> None:
    monkeypatch.chdir(tmp_path)
    pd.DataFrame({"y": [0, 1] * 9, "score": np.arange(18.0)}).to_csv("s.csv", index=False)
    assert cli.main(["analyse", *words]) == 1
    message = capsys.readouterr().err
    assert message.startswith("opchar: ")
    assert message.count("\n") == 1
    assert said in message


def test_the_page_says_the_main_things_first_and_in_words(answers: Answers) -> None:
    text = page(answers, {})
    best = answers.decision.best
    assert f"{best.model}: accept scores at or above {best.threshold!r}" in text
    assert text.index("At 2 % sick, where a miss costs 5 times") < text.index("of 1,000")
    assert text.index("How sure is this?") < text.index('id="what-if"') < text.index('id="areas"')
    assert f"of {len(answers.tables['envelopes'])} rows, evenly chosen" in text
    assert not re.search(r"\de-\d", text.split("<script", 1)[0].split("</style>")[1])
    assert any(
        line.startswith("m0 orders sick better than m1: AUC 0.") for line in in_short(answers)
    )


def test_a_difference_that_is_none_is_said_to_be_none(answers: Answers) -> None:
    table = answers.tables["area-differences"].assign(
        **{"difference of AUC": -0.01, "low": -0.03, "high": 0.01}
    )
    changed = Answers(answers.scored, answers.asked, {"area-differences": table})
    assert in_short(changed) == [
        "m0 and m1: no clear difference in AUC for sick (−0.0100, −0.0300 to 0.0100)."
    ]


@pytest.mark.parametrize("folds", [None, [0, 1, 0, 1, 2, 2, 0, 1, 0, 1]])
def test_rows_of_no_weight_are_left_out(folds):
    rng = np.random.default_rng(1)
    table = pd.DataFrame({"y": np.arange(10) % 2, "s": rng.random(10)})
    table["sample_weight"] = [2, 1, 1, 3, 0, 0, 1, 1, 2, 1]
    if folds:
        table["fold"] = folds
    told = []
    for rows in (table, table[table["sample_weight"] > 0]):
        options = {"folds": rows["fold"].to_numpy()} if folds else {}
        weights = rows["sample_weight"].to_numpy()
        y, scores = rows["y"].to_numpy(), rows["s"].to_numpy()
        told.append(opchar.analyse(y, scores, sample_weight=weights, **options).to_dict())
    assert told[0]["tables"] == told[1]["tables"]
    assert told[0]["decision"] == told[1]["decision"]


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([0, 1, 0, 2, 1], "objects of class '1' have no weight"),
        ([1, 1, 0, 2, 1], "1 object of"),
        ([1, 1e-149, 1, 1e-149, 1e-149], "class '1' together weigh more than 1e.10 times"),
        ([1, 1, 1e-20, 1e-20, 1e-20], "in one fold weigh more than 1e.10 times all others"),
    ],
)
def test_a_class_of_too_little_weight_is_told(weights, message):
    y = np.array([1, 0, 1, 0, 0])
    with pytest.raises(ScoresError, match=message):
        opchar.analyse(y, np.linspace(0, 1, 5), sample_weight=weights)


@pytest.mark.parametrize(
    "scores",
    [[0.5] * 6, [0.0, 0, 0, 0, 0, 1], [1e-300, 2e-300, 3e-300, 0, -1e-300, 0], [1e150, -1e150] * 3],
)
def test_odd_scores_are_analysed(tmp_path, scores):
    table = pd.DataFrame({"y": [1, 0, 1, 0, 1, 0], "s": scores})
    table.to_csv(tmp_path / "s.csv", index=False)
    assert cli.main(["analyse", str(tmp_path / "s.csv"), "--output", str(tmp_path / "out")]) == 0
    assert (tmp_path / "out/index.html").is_file()


@pytest.mark.parametrize(
    ("volumes", "without", "weighted", "codes"),
    [
        ((0.9, 0.8), (0.3, 0.3), (0.2, 0.25), []),
        ((0.9, 0.8), (0.3, 0.3), (0.25, 0.2), ["OPC046"]),
        ((0.9, 0.8), (0.2, 0.3), (0.2, 0.25), ["OPC045"]),
        ((0.8, 0.8), (0.2, 0.2), (0.25, 0.21), ["OPC045", "OPC045"]),
        ((), (0.3, 0.3), (0.25, 0.2), []),
    ],
)
def test_what_to_be_careful_about_in_class_weights(volumes, without, weighted, codes) -> None:
    areas = pd.DataFrame(
        [(name, "VUS", value) for name, value in zip("ab", volumes, strict=False)],
        columns=["model", "measure", "value"],
    )
    costs = {"model": list("ab"), "without weights": without, "with weights": weighted}
    found = list(weight_findings(areas, pd.DataFrame(costs)))
    assert [each.code for each in found] == codes


def test_class_weights_without_a_gain_are_a_finding() -> None:
    """Scores that tell the classes apart without an error leave nothing to gain."""
    y = np.arange(60) % 3
    scored = ScoredSample(("a", "b", "c"), y, {"m": np.eye(3)[y] * 0.8 + 0.1}, 0)
    found = analyse(scored, Asked(resamples=50)).findings
    assert "OPC045" in {each.code for each in found}
