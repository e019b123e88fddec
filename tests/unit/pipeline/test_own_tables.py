"""A table of one's own is looked at before it is entered."""

from pathlib import Path

import pytest

from opchar.errors import DataError
from opchar_reproduction.own.adding import table_entry


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("1,x\n,y\n", "row 2, column 'a': no finite number"),
        ("1,x\ninf,y\n", "row 2, column 'a': no finite number"),
        ("", "no objects below its header"),
        ("1,x\n2,x\n", "only the class 'x'"),
    ],
)
def test_what_no_run_could_use_is_refused(tmp_path: Path, rows: str, said: str) -> None:
    (tmp_path / "t.csv").write_text("a,class\n" + rows)
    with pytest.raises(DataError, match=said) as error:
        table_entry(tmp_path / "t.csv", "class", "t")
    assert "\n" not in str(error.value)


def test_a_right_table_has_its_sizes(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,class\n1,x\n2,y\n3,x\n4,y\n")
    entry = table_entry(tmp_path / "t.csv", "class", "t")
    assert (entry["shape"], entry["classes"]) == ([4, 1], {"x": 2, "y": 2})
