"""Files as R, SPSS, SAS, Stata, Excel, H2O, Weka, KNIME, Orange, MATLAB and databases write them.

`exports.txt` has them, each written by hand. A line before each says its kind, the program, the
positive class, and how many of all pairs of a positive and a negative are in the right order
(a tie is one half), counted by hand; or the row of the cell that is no number, what is said, or
the finding.
"""

from collections import Counter
from pathlib import Path

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
