"""What a run tells of its ledger, with Snakemake left out."""

from pathlib import Path

import pandas as pd
import pytest

from checkout import ROOT, publications
from opchar import cli
from opchar.files import write_csv
from opchar_reproduction import publication
from opchar_reproduction.project import records
from opchar_reproduction.report.comparison.ledger import COLUMNS
from opchar_reproduction.runs import running

LEDGER = Path("results/quick/report/ledger.csv")


def line(id_: str, verdict: str, reproduced: str = "0.94") -> dict[str, str]:
    known = {"id": id_, "paper": "tharwat2018", "artefact": "text-auc", "row": "A"}
    more = {"verdict": verdict, "reproduced": reproduced, "kind": "number"}
    return dict.fromkeys(COLUMNS, "") | known | more


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """Run with a Snakemake that writes the given ledger lines and ends with the given status."""
    for name in ("config", "Snakefile", "workflow", "environment.yml"):
        (tmp_path / name).symlink_to(ROOT / name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPCHAR_GOALS", "")

    def once(*lines: dict[str, str], status: int = 0) -> list[str]:
        def snakemake(*_: object, **__: object) -> int:
            write_csv(pd.DataFrame(lines, columns=COLUMNS), LEDGER)
            records.write(LEDGER, "{}", {}, [LEDGER])
            return status

        monkeypatch.setattr(running, "run", snakemake)
        assert cli.main(["run", "--profile", "quick"]) == status
        return capsys.readouterr().out.splitlines()

    return once


def test_check_and_renew_exclude_each_other(run, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["ledger", "--check", "--renew"])
    assert "not allowed with argument" in capsys.readouterr().err


def test_check_exits_1_on_a_worse_verdict(run, tmp_path: Path, capsys, monkeypatch) -> None:
    publications(tmp_path / "publications")
    monkeypatch.setattr(publication, "HOME", tmp_path / "publications")
    run(line("a", "agrees"))
    assert cli.main(["ledger", "--renew"]) == 0
    assert cli.main(["ledger", "--check"]) == 0
    run(line("a", "differs"))
    capsys.readouterr()
    assert cli.main(["ledger", "--check"]) == 1
    assert "worse: a text-auc | A: agrees -> differs" in capsys.readouterr().out
