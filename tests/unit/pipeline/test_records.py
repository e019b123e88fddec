"""Records of made files."""

from pathlib import Path

import pytest

from opchar.errors import DataError
from opchar_reproduction.project import records


def test_a_damaged_score_table_is_named_with_the_cure(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    table = Path("data/scores/quick/sonar/cv-10/ldc.parquet")
    table.parent.mkdir(parents=True)
    table.write_bytes(b"whole")
    records.write(table, "job", {}, [table])
    assert records.check_inputs([table])
    table.write_bytes(b"dam")
    with pytest.raises(DataError, match=r"ldc\.parquet: was changed since it was made; delete it"):
        records.check_inputs([table])
