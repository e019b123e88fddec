from pathlib import Path

import pandas as pd
import pytest

from checkout import ROOT
from opchar import cli
from opchar.files import write_csv
from opchar_reproduction.report.comparison.ledger import COLUMNS
from opchar_reproduction.report.comparison.sizes import change_lines, compare_profiles


def ledger(*lines: tuple[str, str, str]) -> pd.DataFrame:
    known = {"paper": "mullick2020", "artefact": "figure-3", "row": "G-mean", "published": "0.1"}
    return pd.DataFrame(
        [
            dict.fromkeys(COLUMNS, "")
            | known
            | {"id": id_, "verdict": verdict, "reproduced": value}
            for id_, verdict, value in lines
        ],
        columns=COLUMNS,
    )


QUICK = ledger(
    *(("a", "holds", ""), ("b", "differs", "0.25"), ("c", "pending", ""), ("d", "fails", "")),
    ("e", "agrees", "0.125"),
)
PAPER = ledger(
    *(("a", "fails", ""), ("b", "agrees", "0.5"), ("c", "holds", ""), ("d", "fails", "")),
    ("f", "agrees", "0.125"),
)


def test_lines_that_both_profiles_decide_are_compared():
    said, changed = compare_profiles(PAPER, QUICK, "paper", "quick")
    assert said == [
        "3 lines are decided in both profiles, 2 of them otherwise",
        "  quick: 1 holds, 1 differs, 1 fails",
        "  paper: 1 agrees, 2 fails",
        "  1 holds -> fails",
        "  1 differs -> agrees",
    ]
    assert list(changed["id"]) == ["a", "b"]
    assert change_lines(changed, "paper", "quick") == [
        "  a  mullick2020/figure-3 | G-mean: published 0.1; quick holds, paper fails",
        "  b  mullick2020/figure-3 | G-mean: published 0.1; quick 0.25 differs, paper 0.5 agrees",
    ]


def test_a_ledger_beside_itself_changes_nothing():
    said, changed = compare_profiles(PAPER, PAPER, "paper", "quick")
    assert said[0] == "5 lines are decided in both profiles, 0 of them otherwise"
    assert not len(changed)


def test_the_command_line_names_both_profiles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    for name in ("config", "Snakefile", "workflow", "environment.yml"):
        (tmp_path / name).symlink_to(ROOT / name)
    monkeypatch.chdir(tmp_path)
    write_csv(QUICK, Path("results/quick/report/ledger.csv"))
    write_csv(PAPER, Path("results/paper/report/ledger.csv"))
    assert cli.main(["ledger", "--profile", "paper", "--beside", "quick"]) == 0
    assert "  1 holds -> fails" in capsys.readouterr().out.splitlines()
    assert cli.main(["ledger", "--profile", "paper", "--beside", "paper"]) == 1
    assert "name another profile than 'paper'" in capsys.readouterr().err
    assert cli.main(["ledger", "--profile", "paper", "--beside", "tiny"]) == 1
    assert "make it by 'opchar run --profile tiny'" in capsys.readouterr().err
