"""Columns of numbers that are no scores are refused, turned or named, never analysed silently."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import roc_auc_score

import opchar
from opchar import cli
from opchar.analysis.tables.columns import Columns
from opchar.analysis.tables.no_scores import names_rows, why_no_scores
from opchar.analysis.tables.reading import read_models
from opchar.errors import ScoresError

N = 40
RNG = np.random.default_rng(3)
Y = np.where(np.arange(N) % 4 == 0, "ill", "well")
WEKA = """inst#,actual,predicted,error,prediction
1,1:I,1:I,,0.879
2,1:I,2:S,+,0.638
3,2:S,1:I,+,0.507
4,2:S,2:S,,0.507
5,1:I,1:I,,0.93
6,2:S,2:S,,0.95
7,2:S,2:S,,0.91
8,1:I,1:I,,0.81
9,2:S,2:S,,0.88
10,2:S,2:S,,0.97
11,1:I,1:I,,0.74
12,2:S,2:S,,0.83
"""


def read(folder: Path, table: pd.DataFrame | str, **more: object):
    path = folder / "s.csv"
    path.write_text(table if isinstance(table, str) else table.to_csv(index=False))
    return read_models([path], **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("row", np.arange(N)),
        ("patient", RNG.integers(1, 9, N)),
        ("order_number", RNG.integers(10**6, 10**7, N)),
        ("customerId", RNG.permutation(N) + 500),
        ("rank", RNG.permutation(N) + 1),
        ("column7", RNG.permutation(N) + 1),
        ("ref", np.arange(N) * 3 + 17),
        ("Kundennummer", RNG.choice(10**6, N, replace=False) + 10**6),
        ("visit date", 20200101 + np.arange(N)),
        ("site no.", RNG.integers(1, 4, N)),
        ("value", np.arange(N) // 2 + 7),
        ("seconds", np.arange(N) * 0.1 + 3),
    ],
)
def test_numbers_of_rows_are_refused_as_scores_and_can_be_insisted_on(tmp_path, name, values):
    table = pd.DataFrame({"y": Y, name: values})
    with pytest.raises(ScoresError, match="--scores"):
        read(tmp_path, table)
    found = read(tmp_path, table, columns=Columns(scores=(name,)))
    np.testing.assert_array_equal(found.models["s"][:, 0], values)
    beside = table.assign(marker=RNG.normal(size=N).round(3))
    if names_rows(name):
        assert "scores in marker" in read(tmp_path, beside).notes[0]
    else:
        with pytest.raises(ScoresError, match="which column has the scores"):
            read(tmp_path, beside)


@pytest.mark.parametrize("name", ["age", "marker", "psa", "troponin", "risk", "logit", "p_ill"])
def test_measurements_are_scores(name: str) -> None:
    assert not names_rows(name)
    assert not why_no_scores(np.array([3, 7, 7, 12, 40, 41.0]))
    assert not why_no_scores(RNG.normal(size=30))


def test_arrays_that_look_like_row_numbers_are_a_finding() -> None:
    found = opchar.analyse(np.arange(N) % 4 == 0, np.arange(N), resamples=50)
    assert "OPC035" in {each.code for each in found.findings}


def test_a_confidence_of_the_predicted_class_is_turned(tmp_path: Path) -> None:
    found = read(tmp_path, WEKA)
    assert roc_auc_score(found.is_positive, found.models["s"][:, 0]) == pytest.approx(33 / 35)
    assert any("confidence of the class in 'predicted'" in note for note in found.notes)
    other = read(tmp_path, WEKA, positive="2:S")
    np.testing.assert_allclose(other.models["s"], 1 - found.models["s"])


@pytest.mark.parametrize(
    ("truth", "names", "label"),
    [
        ("true_label", {1: "1", 0: "0"}, "label"),
        ("gold", {1: "POSITIVE", 0: "NEGATIVE"}, "label"),
        ("y_true", {1: "LABEL_1", 0: "LABEL_0"}, "label"),
        ("target", {1: "1", 0: "0"}, "y_pred"),
        ("actual", {1: "1.0", 0: "0.0"}, "Predicted Class"),
    ],
)
def test_label_and_score_of_a_pipeline(tmp_path: Path, truth, names, label) -> None:
    y = RNG.integers(0, 2, 200)
    p = 1 / (1 + np.exp(-RNG.normal(size=200) - 2 * y + 1)).round(6)
    taken = (p >= 0.5).astype(int)
    spoken = {"gold": np.where(y, "positive", "negative")}.get(truth, y)
    table = pd.DataFrame(
        {truth: spoken, label: [names[k] for k in taken], "score": np.where(taken == 1, p, 1 - p)}
    )
    found = read(tmp_path, table)
    np.testing.assert_allclose(found.models["s"][:, 0], p)
    assert roc_auc_score(found.is_positive, found.models["s"][:, 0]) == pytest.approx(
        roc_auc_score(y, p)
    )


@pytest.mark.parametrize(
    ("truth", "predicted", "score"),
    [
        ("y_true", "y_pred", "confidence"),
        ("label", "prediction", "confidence"),
        ("target", "pred", "conf"),
        ("truth", "yhat", "max_prob"),
        ("class", "predicted", "confidence"),
        ("y_true", "prediction", "prediction_score"),
        ("true", "predictions", "scores"),
        ("y", "output", "score"),
        ("y", "prediction_label", "prediction_score"),
        ("target", "predict", "p"),
    ],
)
@pytest.mark.parametrize("kind", [int, float, bool])
def test_a_confidence_of_numbered_classes_is_turned(
    tmp_path: Path, truth: str, predicted: str, score: str, kind: type
) -> None:
    y = RNG.integers(0, 2, 200)
    p = 1 / (1 + np.exp(-RNG.normal(size=200) - 2 * y + 1)).round(6)
    taken = p >= 0.5
    table = pd.DataFrame(
        {truth: y.astype(kind), predicted: taken.astype(kind), score: np.where(taken, p, 1 - p)}
    )
    found = read(tmp_path, table)
    np.testing.assert_allclose(found.models["s"][:, 0], p)
    assert f"the class in '{predicted}'" in "".join(found.notes)


def test_a_confidence_in_percent_is_turned_or_refused(tmp_path: Path) -> None:
    y = RNG.integers(0, 2, 200)
    p = 100 / (1 + np.exp(-RNG.normal(size=200) - 2 * y + 1)).round(6)
    taken = p >= 50
    table = pd.DataFrame({"y": y, "answer": taken, "certainty": np.where(taken, p, 100 - p)})
    np.testing.assert_allclose(read(tmp_path, table).models["s"][:, 0], p)
    with pytest.raises(ScoresError, match="lie from 50 to 100"):
        read(tmp_path, table.drop(columns="answer"))
    marker = table.drop(columns="answer").rename(columns={"certainty": "marker"})
    np.testing.assert_array_equal(read(tmp_path, marker).models["s"][:, 0], table["certainty"])


@pytest.mark.parametrize(
    "beside", [{}, {"sex": list("mf") * (N // 2)}, {"other": RNG.uniform(0.5, 1, N)}]
)
def test_a_confidence_without_the_predicted_class_is_refused(tmp_path: Path, beside: dict) -> None:
    table = pd.DataFrame({"y": np.arange(N) % 3 == 0, "m1": RNG.uniform(0.5, 1, N)} | beside)
    with pytest.raises(ScoresError, match=r"lie from 0\.5 to 1.*--scores"):
        read(tmp_path, table)
    assert list(read(tmp_path, table, columns=Columns(scores=("m1",))).models) == ["s"]


def test_the_predicted_class_is_not_taken_for_the_true_one(tmp_path: Path) -> None:
    taken = RNG.integers(0, 2, N)
    table = pd.DataFrame(
        {
            "sentiment": RNG.integers(0, 2, N),
            "label": [f"LABEL_{k}" for k in taken],
            "score": RNG.uniform(0.5, 1, N),
        }
    )
    with pytest.raises(ScoresError, match="'sentiment' the true one; name the true one by --label"):
        read(tmp_path, table)
    assert read(tmp_path, table, columns=Columns(label="sentiment")).classes == ("0", "1")


def test_a_proper_score_beside_predictions_is_left(tmp_path: Path) -> None:
    p = RNG.uniform(size=N).round(4)
    table = pd.DataFrame({"y": Y, "pred": np.where(p > 0.5, "ill", "well"), "score": p})
    np.testing.assert_array_equal(read(tmp_path, table).models["s"][:, 0], p)


@pytest.mark.parametrize("cell", ["<0.5", "n.d.", "?", ">100", "positive"])
@pytest.mark.parametrize("beside", [{}, {"age": np.arange(N) * 7 % 13}])
def test_a_cell_that_is_no_number_is_named(tmp_path: Path, cell: str, beside: dict) -> None:
    marker = (RNG.normal(size=N) + 3).round(3).astype(str).astype(object)
    marker[7] = cell
    with pytest.raises(ScoresError, match=r"row 8, column 'marker': '") as caught:
        read(tmp_path, pd.DataFrame({"y": Y, "marker": marker} | beside))
    assert ("--detection-limit" in str(caught.value)) == (cell in ("<0.5", ">100", "n.d."))


def test_values_below_a_limit_are_ties(tmp_path: Path) -> None:
    marker = (RNG.uniform(0.5, 9, N)).round(3)
    below = np.arange(N) % 5 == 0
    text = np.where(below, "<0.5", marker.astype(str))
    found = read(tmp_path, pd.DataFrame({"y": Y, "marker": text}), detection_limit=True)
    expected = np.where(below, 0.0, marker)
    score = found.models["s"][:, 0]
    np.testing.assert_array_equal(pd.Series(score).rank(), pd.Series(expected).rank())
    assert ((score < 0.5) == below).all()
    text[1] = "0.2"
    with pytest.raises(ScoresError, match=r"row 2, column 'marker': 0\.2 lies beyond the limit"):
        read(tmp_path, pd.DataFrame({"y": Y, "marker": text}), detection_limit=True)


def test_a_limit_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    text = np.where(np.arange(N) == 5, "<0,1", (RNG.uniform(0.5, 9, N)).round(3).astype(str))
    table = pd.DataFrame({"y": Y, "marker": text, "remark": ["<3 days", "none"] * (N // 2)})
    with pytest.raises(ScoresError, match="row 6, column 'marker': <0,1 is not written as other"):
        read(tmp_path, table, detection_limit=True)


def test_a_trailing_comma_is_named_with_its_row(tmp_path: Path) -> None:
    with pytest.raises(ScoresError, match=r"row 2 has 3 for 2; the last is empty: remove"):
        read(tmp_path, "y,score\n1,0.2\n0,0.3,\n1,0.4\n0,0.1\n")


@pytest.mark.parametrize("mixed", [False, True])
@pytest.mark.parametrize("name", ["patient", "user_id", "Site"])
def test_repeating_columns_are_a_finding_whose_cure_works(
    tmp_path: Path, monkeypatch, capsys, mixed: bool, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    who = np.arange(60) // 4
    y = (np.arange(60) % 3 == 0) if mixed else who % 3 == 0
    score = RNG.normal(size=60) + y
    table = pd.DataFrame({"y": y.astype(int), name: who, "score": score})
    table.to_csv("s.csv", index=False)
    given = ["analyse", "s.csv", "--resamples", "50", "--quiet"]
    assert cli.main([*given[:-1], "--json"]) == 0
    said = capsys.readouterr().out
    cure = ["--fold", name, "--resample", "folds"] if mixed else ["--id", name]
    assert "OPC015" in said and " ".join(cure) in said
    assert cli.main([*given[:-1], *cure, "--json"]) == 0
    said = capsys.readouterr().out
    assert "If rows of one" not in said and "count rows" not in said
    if mixed:
        assert cli.main([*given, "--id", name]) == 1
        assert f"--fold '{name}' --resample folds" in capsys.readouterr().err


def test_any_column_whose_values_repeat_as_names_do_is_a_finding(tmp_path: Path) -> None:
    rng, n = np.random.default_rng(0), 400
    who = np.arange(n) // 20
    names = {
        "mrn": rng.permutation(who),
        "cust": who,
        "person_key": rng.permutation(who) + 7,
        "visitor": [f"V{k}" for k in rng.permutation(who)],
        "badge": rng.permutation(who) + 31_415,
    }
    others = {
        "sex": rng.choice(["m", "f"], n),
        "age": np.sort(rng.integers(20, 80, n)),
        "visit date": pd.date_range("2024-01-01", periods=40).strftime("%Y-%m-%d").repeat(10),
        "seen": pd.date_range("2024-01-01", periods=40).strftime("%d.%m.%Y").repeat(10),
        "marker": rng.normal(size=n).round(1),
        "lesions": rng.integers(0, 30, n),
        "row": np.arange(n),
    }
    score = {"y": np.arange(n) % 3 == 0, "score": rng.normal(size=n)}
    found = read(tmp_path, pd.DataFrame(score | names | others))
    said = [each.text.split("'")[1] for each in found.doubts if each.code == "OPC015"]
    assert said == list(names)


def test_two_models_with_repeated_patients_are_joined_by_order(tmp_path: Path) -> None:
    who = np.arange(N) // 4
    y = np.where(who % 3 == 0, "ill", "well")
    for name in "ab":
        score = RNG.normal(size=N)
        table = pd.DataFrame({"y": y, "patient": who, "score": score})
        table.to_csv(tmp_path / f"{name}.csv", index=False)
    paths = [tmp_path / "a.csv", tmp_path / "b.csv"]
    found = read_models(paths, Columns(identity="patient"))
    assert found.unit is not None and len(np.unique(found.unit)) == 10


@pytest.mark.parametrize(
    ("scores", "code"),
    [
        (RNG.uniform(0.5, 1, N), "OPC036"),
        (np.where(RNG.random(N) < 0.4, 1.0, RNG.uniform(size=N)), "OPC037"),
        (RNG.integers(10**7, 10**8, N), "OPC035"),
        (np.full(N, 0.3), "OPC035: model has one value only"),
    ],
)
def test_scores_that_look_like_something_else_are_findings(scores: np.ndarray, code: str) -> None:
    found = opchar.analyse(Y, scores, pos_label="ill", resamples=50)
    assert any(str(each).startswith(code) for each in found.findings)


def test_copied_rows_of_arrays_are_said_as_those_of_files() -> None:
    rng = np.random.default_rng(0)
    y = np.tile(np.arange(150) % 3 == 0, 2)
    score = np.tile(rng.normal(size=150), 2) + y
    for options, doubted in (
        ({}, True),
        ({"by": np.repeat(["a", "b"], 150)}, False),
        ({"groups": np.tile(np.arange(150), 2)}, False),
    ):
        found = opchar.analyse(y, score, resamples=50, **options).findings
        texts = [each.text for each in found if each.code == "OPC015"]
        assert texts == ["150 rows equal another row in class and scores. If rows are copies, "
                         "remove them."] * doubted  # fmt: skip


@pytest.mark.parametrize(
    ("classes", "columns", "logits"),
    [("01", ("p_0", "p_1", "p_2"), False), ("01", ("logit_0", "logit_1", "logit_2"), True),
     (("cat", "dog"), ("cat", "dog", "owl"), False), ("ace", ("a", "b", "c", "d", "e"), False),
     ("012", ("Score(0)", "Score(1)", "Score(2)", "Score(3)"), False)],
)  # fmt: skip
def test_scores_of_a_class_that_no_row_has_are_not_left_out_silently(
    tmp_path: Path, classes: str, columns: tuple[str, ...], logits: bool
) -> None:
    rng = np.random.default_rng(0)
    shares = rng.dirichlet(np.ones(len(columns)), 30).round(4)
    table = pd.DataFrame(np.log(shares + 0.001) if logits else shares, columns=columns)
    table.insert(0, "truth", np.resize(list(classes), 30))
    with pytest.raises(ScoresError, match=r"a class that no row has; --scores .* leaves it out"):
        read(tmp_path, table)
    kept = [name for name in columns if name[-2:].strip("_)(") in classes or name in classes]
    read(tmp_path, table, columns=Columns(scores=tuple(kept)))
    read(tmp_path, table[["truth", *kept]].assign(age=30))


def test_columns_of_arrays_that_are_called_as_the_classes_are_of_one_model() -> None:
    rng = np.random.default_rng(0)
    y, shares = np.resize(list("abc"), 60), rng.dirichlet(np.ones(3), 60)
    frame = pd.DataFrame(shares, columns=list("abc"))[list("cab")]
    found = opchar.analyse(y, frame, unlabelled=frame, resamples=50)
    assert list(found.scored.models) == ["model"]
    np.testing.assert_array_equal(found.scored.models["model"], shares)


@pytest.mark.parametrize(("truth", "cut"), [("Label", "Class"), ("Y", "Label"), ("y", "target")])
def test_of_two_columns_of_classes_the_one_that_a_threshold_gives_was_predicted(
    tmp_path: Path, truth: str, cut: str
) -> None:
    """CatBoost writes `Class` beside `Label`, MATLAB `Label` beside `Y`."""
    rng = np.random.default_rng(0)
    p = rng.random(60).round(4)
    table = pd.DataFrame({"score": p, cut: (p >= 0.5) * 1, truth: (rng.random(60) < p) * 1})
    table.to_csv(tmp_path / "a.csv", index=False)
    found = read_models([tmp_path / "a.csv"])
    assert f"true classes in '{truth}'" in found.notes[0]
    np.testing.assert_array_equal(found.y, table[truth])
    table.assign(**{truth: table[cut]}).to_csv(tmp_path / "a.csv", index=False)
    with pytest.raises(ScoresError, match="may all be true classes; choose by --label"):
        read_models([tmp_path / "a.csv"])


def test_classes_that_always_have_the_largest_score_may_be_predicted(tmp_path: Path) -> None:
    """The predictions of LIBSVM have the predicted class in `labels`, and no true one."""
    p = np.random.default_rng(0).random(60)
    table = pd.DataFrame({"labels": np.where(p > 0.5, 1, -1), "1": p, "-1": 1 - p})
    table.to_csv(tmp_path / "a.csv", sep=" ", index=False)
    with pytest.raises(ScoresError, match=r"largest score in every row.*--label labels"):
        read_models([tmp_path / "a.csv"])
    assert len(read_models([tmp_path / "a.csv"], Columns(label="labels")).y) == 60


@pytest.mark.parametrize("code", [-999, -1, 9999, -99.0])
def test_codes_of_missing_scores_are_named(tmp_path: Path, code: float) -> None:
    score = np.random.default_rng(1).random(N).round(3)
    score[[5, 30]] = code
    table = pd.DataFrame({"y": Y, "score": score, "other": score[::-1]})
    for given in (table, table.drop(columns="other"), table.rename(columns={"score": "prob_ill"})):
        with pytest.raises(ScoresError, match=r"row (6|10), .*codes for missing ones"):
            read(tmp_path, given)
    assert len(read(tmp_path, table, columns=Columns(scores=("score",))).y) == N
    left = table.drop(columns="other").replace({"score": {code: ""}}).astype({"score": str})
    assert len(read(tmp_path, left.replace("nan", ""), drop_missing=True).y) == N - 2


def test_values_within_or_near_the_others_are_no_codes(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    for score in (rng.integers(-1, 7, N), rng.integers(80, 100, N) * 1.5, rng.normal(size=N) * 40):
        score = np.append(np.asarray(score, dtype=float)[:-2], [-1, -1])
        assert len(read(tmp_path, pd.DataFrame({"y": Y, "score": score - score.min()})).y) == N
    assert len(read(tmp_path, pd.DataFrame({"y": Y, "score": rng.integers(-1, 2, N)})).y) == N
    limited = pd.DataFrame({"y": Y, "score": [">999"] * 4 + [f"{x}" for x in score[4:]]})
    assert len(read(tmp_path, limited, detection_limit=True).y) == N


@pytest.mark.parametrize("name", ["loss", "log_loss", "brier", "residual", "abs_error",
                                  "latency_ms", "elapsed"])  # fmt: skip
def test_what_judges_or_times_rows_is_asked_for(tmp_path: Path, name: str) -> None:
    table = pd.DataFrame({"y": Y, name: RNG.random(N)})
    with pytest.raises(ScoresError, match=f"by --scores: {name}"):
        read(tmp_path, table)
    read(tmp_path, table, columns=Columns(scores=(name,)))
    read(tmp_path, pd.DataFrame({"y": Y, "reconstruction_error": RNG.random(N)}))


@pytest.mark.parametrize("gap", ["NA", "NaN", "?", ".", "NULL", "#N/A"])
def test_missing_classes_are_none_and_a_third_is_said(tmp_path: Path, gap: str) -> None:
    table = pd.DataFrame({"y": np.where(np.arange(N) == 6, gap, Y), "score": RNG.random(N)})
    with pytest.raises(ScoresError, match="row 7, column 'y': empty; --drop-missing"):
        read(tmp_path, table)
    assert len(read(tmp_path, table, drop_missing=True).y) == N - 1
    table["y"] = np.where(np.arange(N) == 4, "Ill", Y)
    with pytest.raises(ScoresError, match="or rows of two classes; write 'Ill' and 'ill' alike"):
        read(tmp_path, table)


@pytest.mark.parametrize("truth", ["intoxicated", "scored", "prednisone"])
def test_a_name_that_begins_as_that_of_a_predicted_class_may_be_the_true_one(
    tmp_path: Path, truth: str
) -> None:
    rng = np.random.default_rng(0)
    table = pd.DataFrame({truth: np.arange(60) % 3 == 0, "risk": rng.random(60)})
    with pytest.raises(ScoresError, match=f"--label.*{truth}"):
        read(tmp_path, table.assign(male=rng.random(60) < 0.5))
