"""Files as R, SPSS, SAS, Stata, Excel, H2O, Weka, KNIME, Orange, MATLAB and databases write them.

`exports.txt` has them, each written by hand. A line before each says its kind, the program, the
positive class, and how many of all pairs of a positive and a negative are in the right order
(a tie is one half), counted by hand; or the row of the cell that is no number, what is said, or
the finding.
"""

from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import opchar
from opchar.analysis.asking import Asked
from opchar.analysis.run import analyse
from opchar.analysis.tables.columns import Columns
from opchar.analysis.tables.reading import read_models
from opchar.errors import ScoresError

PARTS = Path(__file__).with_name("exports.txt").read_text(encoding="utf-8").split("=== ")[1:]
FILES = [(*part.partition("\n")[0].split(" ~ "), part.partition("\n")[2]) for part in PARTS]
WITH_SCORES = [each for each in FILES if len(each) == 5]
OF = {kind: [each for each in FILES if each[0] == kind] for kind in {each[0] for each in FILES}}


def written(folder: Path, text: str) -> list[Path]:
    path = folder / "export.csv"
    path.write_text(text, encoding="utf-8")
    return [path]


def test_there_are_ten_of_each_kind() -> None:
    assert min(Counter(each[0] for each in FILES).values()) >= 10
    assert len({each[0] for each in FILES}) == 10


@pytest.mark.parametrize(("kind", "program", "positive", "pairs", "text"), WITH_SCORES)
def test_the_score_is_found_and_its_area_is_that_counted_by_hand(
    kind: str, program: str, positive: str, pairs: str, text: str, tmp_path: Path
) -> None:
    limited = kind == "limits of detection"
    if limited:
        with pytest.raises(ScoresError, match=r"row .*, column .*--detection-limit"):
            read_models(written(tmp_path, text), positive=positive)
    pairs, _, name = pairs.partition(", asked for ")
    if name:  # a column of whole numbers may be another score
        with pytest.raises(ScoresError, match="which column has the scores"):
            read_models(written(tmp_path, text), positive=positive)
    columns = Columns(scores=(name,)) if name else None
    path = written(tmp_path, text)
    found = read_models(path, columns, positive, detection_limit=limited)
    y, (scores,) = found.y == found.positive, found.scores_of_class(found.positive).values()
    right, of = map(float, pairs.split(" of "))
    assert opchar.roc_auc(y, scores.ravel()) == pytest.approx(right / of)


@pytest.mark.parametrize(("kind", "program", "text"), OF["ranks"])
def test_ranks_are_no_scores(kind: str, program: str, text: str, tmp_path: Path) -> None:
    if "_score" in text:  # its name says score: analysed, and doubted
        found = analyse(read_models(written(tmp_path, text)), Asked(resamples=50))
        assert "OPC035" in [each.code for each in found.findings]
        return
    with pytest.raises(ScoresError, match="--scores"):
        read_models(written(tmp_path, text))


@pytest.mark.parametrize(("kind", "program", "text"), OF["constants"])
def test_constants_are_said_to_be_constant(
    kind: str, program: str, text: str, tmp_path: Path
) -> None:
    try:
        found = analyse(read_models(written(tmp_path, text)), Asked(resamples=50))
    except ScoresError as error:
        assert "one value only" in str(error) or "no column of scores" in str(error)
    else:
        assert "OPC030" in [each.code for each in found.findings]
        assert found.decision is not None and not found.decision.serves


@pytest.mark.parametrize(("kind", "program", "row", "text"), OF["no numbers"])
def test_a_cell_that_is_no_number_is_named(
    kind: str, program: str, row: str, text: str, tmp_path: Path
) -> None:
    with pytest.raises(ScoresError, match=rf"{row}, column 'score'"):
        read_models(written(tmp_path, text))


@pytest.mark.parametrize(("kind", "program", "said", "text"), OF["asks"])
def test_what_may_be_no_score_is_asked(kind, program, said: str, text: str, tmp_path: Path) -> None:
    with pytest.raises(ScoresError) as caught:
        read_models(written(tmp_path, text))
    assert said in str(caught.value)


@pytest.mark.parametrize(("kind", "program", "code", "text"), OF["doubts"])
def test_what_is_not_used_may_matter(kind, program, code: str, text: str, tmp_path: Path) -> None:
    doubts = [each.code for each in read_models(written(tmp_path, text)).doubts]
    assert doubts == [code] * (code != "none")


def _scored(seed: int = 0, n: int = 60) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    y = (np.arange(n) % 3 == 0).astype(int)
    first, second = (1 / (1 + np.exp(-rng.normal(size=n) - 2 * y + 1)) for _ in range(2))
    return pd.DataFrame({"y": y, "lr": first, "rf": second, "patient": [f"P{k}" for k in range(n)]})


@pytest.mark.parametrize(
    ("separator", "quoted"), [(" ", True), (" ", False), ("\t", False), (";", True), (",", True)]
)
def test_row_names_of_r_have_no_name_above_them(
    tmp_path: Path, separator: str, quoted: bool
) -> None:
    """`write.table` writes one name fewer than cells."""
    table, mark = _scored(), '"' if quoted else ""
    lines = [separator.join(f"{mark}{name}{mark}" for name in ("truth", "score"))]
    for row, (y, score) in enumerate(zip(table["y"], table["lr"], strict=True), 1):
        number = repr(float(score)).replace(".", "," if separator == ";" else ".")
        lines.append(separator.join([f"{mark}{row}{mark}", f"{mark}c{y}{mark}", number]))
    (tmp_path / "s.txt").write_text("\n".join(lines))
    found = read_models([tmp_path / "s.txt"])
    assert found.classes == ("c0", "c1")
    np.testing.assert_array_equal(found.y, table["y"])
    np.testing.assert_array_equal(found.models["s"][:, 0], table["lr"])


def test_decimal_commas_between_commas_are_no_row_names(tmp_path: Path) -> None:
    rows = [f"{row},{row % 2},0,{row}5" for row in range(1, 31)]
    (tmp_path / "s.csv").write_text("\n".join(["id,y,score", *rows]))
    with pytest.raises(ScoresError, match="row 1 has 4 for 3; where commas are in numbers"):
        read_models([tmp_path / "s.csv"])


@pytest.mark.parametrize("how", ["one file", "two files"])
@pytest.mark.parametrize("drop", [False, True])
def test_models_whose_rows_lie_in_another_order_are_matched_by_names(
    tmp_path: Path, how: str, drop: bool
) -> None:
    """Within the classes, the order of labels does not show that rows are of other objects."""
    table = _scored()
    order = np.arange(len(table))
    for label in (0, 1):
        mine = np.flatnonzero(table["y"] == label)
        order[mine] = np.roll(mine, 3)
    one = table[["patient", "y"]].assign(model="lr", score=table["lr"])
    two = table[["patient", "y"]].assign(model="rf", score=table["rf"]).iloc[order]
    if drop:
        two["score"] = two["score"].where(np.arange(len(two)) != 5)
    paths = [tmp_path / "s.csv"]
    if how == "one file":
        pd.concat([one, two]).to_csv(paths[0], index=False)
    else:
        paths = [tmp_path / "lr.csv", tmp_path / "rf.csv"]
        for path, part in zip(paths, (one, two), strict=True):
            part.drop(columns="model").to_csv(path, index=False)
    found = read_models(paths, drop_missing=drop)
    kept = ~table["patient"].isin([two["patient"].iloc[5]] if drop else [])
    for name in ("lr", "rf"):
        np.testing.assert_array_equal(found.models[name][:, 0], table.loc[kept, name])
    assert sum("objects told apart by 'patient'" in note for note in found.notes) == 2


def test_a_column_that_orders_rows_by_the_model_names_no_objects(tmp_path: Path) -> None:
    table = _scored()
    for name in ("lr", "rf"):
        rank = (-table[name]).rank().astype(int)
        own = pd.DataFrame({"y": table["y"], "score": table[name], "position": rank})
        own.to_csv(tmp_path / f"{name}.csv", index=False)
    found = read_models([tmp_path / "lr.csv", tmp_path / "rf.csv"])
    for name in ("lr", "rf"):
        np.testing.assert_array_equal(found.models[name][:, 0], table[name])


def test_both_probabilities_of_several_models_are_not_taken_for_models(tmp_path: Path) -> None:
    table = _scored()
    both = pd.DataFrame({"y": table["y"]})
    for name in ("lr", "rf"):
        both[f"{name}_0"], both[f"{name}_1"] = 1 - table[name], table[name]
    both.to_csv(tmp_path / "s.csv", index=False)
    with pytest.raises(ScoresError, match=r"as in --scores lr_1,rf_1"):
        read_models([tmp_path / "s.csv"])
    found = read_models([tmp_path / "s.csv"], Columns(scores=("lr_1", "rf_1")))
    assert list(found.models) == ["lr_1", "rf_1"]


@pytest.mark.parametrize(
    ("names", "cure"),
    [
        (("positive_score", "negative_score"), "by --scores, as in --scores positive_score"),
        (("neg_proba", "pos_proba"), "by --scores, as in --scores pos_proba"),
        (("first_score", "second_score"), "of the positive class by --scores"),
    ],
)
def test_the_column_that_is_named_as_a_cure_is_that_of_the_positive_class(
    tmp_path: Path, names: tuple[str, str], cure: str
) -> None:
    table = _scored()
    both = {"y": table["y"], names[0]: table["lr"], names[1]: 1 - table["lr"]}
    pd.DataFrame(both).to_csv(tmp_path / "s.csv", index=False)
    with pytest.raises(ScoresError) as raised:
        read_models([tmp_path / "s.csv"])
    assert str(raised.value).endswith(cure)


def test_columns_of_classes_may_have_other_capitals(tmp_path: Path) -> None:
    table = _scored()
    names = np.where(table["y"] == 1, "malignant", "benign")
    scores = pd.DataFrame({"y": names, "Benign": 1 - table["lr"], "Malignant": table["lr"]})
    scores.to_csv(tmp_path / "s.csv", index=False)
    found = read_models([tmp_path / "s.csv"])
    assert found.classes == ("benign", "malignant")
    np.testing.assert_array_equal(found.models["s"][:, 1], table["lr"])
    scores.rename(columns={"Benign": "MALIGNANT"}).to_csv(tmp_path / "s.csv", index=False)
    with pytest.raises(ScoresError, match="add up to 1"):
        read_models([tmp_path / "s.csv"])
