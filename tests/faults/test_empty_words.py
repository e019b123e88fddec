"""An empty word on a command line, as an unset variable of a shell gives it, is not passed over."""

import shlex

import pytest

from opchar.cli import main


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("run -n --variant ''", "variant"),
        ("run '' -n", "goals"),
        ("status --policy ''", "policy"),
        ("status --profile ''", "profile"),
        ("list ''", "paper"),
        ("ledger --paper ''", "paper"),
        ("proofread --paper ''", "paper"),
        ("where ''", "address"),
    ],
)
def test_it_is_named(line: str, named: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(shlex.split(line)) == 1
    said = capsys.readouterr().err
    assert said == f"opchar: {named}: an empty word; give another, or no option\n"


def test_a_list_of_names_has_one(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(shlex.split("add data wine.csv --target class --models ,"))
    assert "',' names nothing" in capsys.readouterr().err
