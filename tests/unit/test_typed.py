"""What Python alone reads as a number is none: on the command line and in the cells of a table."""

import argparse

import pandas as pd
import pytest

from opchar.analysis.tables.cells import cell_numbers
from opchar.analysis.tables.columns import by_number
from opchar.cli import main
from opchar.typed import is_number, typed_number, typed_whole

NONE = ("1_0", "1_0.5", "0.0_2", "\u0663", "\uff11", "", "one")


@pytest.mark.parametrize("text", NONE)
def test_what_only_python_takes_for_a_number_is_none(text: str) -> None:
    for read in (typed_number, typed_whole):
        with pytest.raises(argparse.ArgumentTypeError, match="is not a"):
            read(text)
    assert not is_number(text)
    assert by_number(text)[0] == 1
    if text.isascii():  # digits of other scripts mean the same in a cell
        assert cell_numbers(pd.Series([text, "2"], dtype=object)).isna().tolist() == [True, False]


@pytest.mark.parametrize(
    ("text", "said"),
    [("5%", "write 0.05"), ("2.5 %", "write 0.025"), ("a%", "number$"), ("%", "r$")],
)
def test_a_percentage_is_told_as_a_share(text: str, said: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match=said):
        typed_number(text)


@pytest.mark.parametrize("text", ["10", "-3", " 7 ", "+2"])
def test_plain_numbers_are_read(text: str) -> None:
    assert typed_whole(text) == typed_number(text) == float(text)


@pytest.mark.parametrize(
    "words",
    [
        *(["analyse", "s.csv", option, "1_0"] for option in ("--seed", "--resamples", "--folds")),
        *(["analyse", "s.csv", option, "0.0_2"] for option in ("--prior", "--max-fpr", "--limit")),
        *(["check", "s.csv", option, "1_0"] for option in ("--positives", "--folds", "--seconds")),
        ["check", "s.csv", "--classes", "5_0,50"],
        ["condition", "acsa", "--classes", "1_0"],
    ],
    ids=" ".join,
)
def test_options_refuse_them(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """`--seed 1_0` was 10."""
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert f"'{words[-1]}' is not" in said
    assert "Traceback" not in said
