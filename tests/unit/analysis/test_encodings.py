"""Files in the encodings of spreadsheets: read where only accents could be wrong, else refused."""

import codecs
from pathlib import Path

import pytest

from opchar.analysis.tables.encodings import text_of
from opchar.analysis.tables.files import read_table
from opchar.analysis.tables.reading import read_models
from opchar.errors import ScoresError

ROWS = "Größe;Klasse\n0,9;über\n0,8;über\n0,7;normal\n0,2;normal\n0,1;normal\n"
MARKED = {
    "utf-8": codecs.BOM_UTF8,
    "utf-16-be": codecs.BOM_UTF16_BE,
    "utf-32-le": codecs.BOM_UTF32_LE,
}
ENCODINGS = ("utf-8", "utf-8-sig", "latin-1", "iso-8859-15", "cp1252", "utf-16", "utf-16-le",
             "utf-16-be", "utf-32")  # fmt: skip


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_the_same_table_in_every_usual_encoding(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_bytes(ROWS.encode(encoding))
    table = read_table(path)
    assert list(table.columns) == ["Größe", "Klasse"]
    found = read_models([path])
    assert found.classes == ("normal", "über")
    assert found.models["scores"].ravel().tolist() == [0.9, 0.8, 0.7, 0.2, 0.1]
    guessed = encoding in ("latin-1", "iso-8859-15", "cp1252", "utf-16-le", "utf-16-be")
    assert any("read as" in note for note in found.notes) == guessed


def test_a_mark_names_the_encoding() -> None:
    for name, mark in MARKED.items():
        assert text_of(mark + ROWS.encode(name)) == (ROWS, None)


WESTERN = (
    *(
        "Âge,état",
        "âgé,créée",
        "señal,año",
        "observação,ações",
        "l\N{RIGHT SINGLE QUOTATION MARK}âge",
    ),
    *("30 °C,µg", "½ Naïve", "Ärzte,Öl", "prix €", "“été”", "m² \N{EN DASH} n°", "Ærø,Å"),
    "fußgängerüberweg",
)
OTHERS = {
    "cp850": ("größe", "âgé", "año"),
    "mac_roman": ("größe", "für", "Köln"),
    "cp1251": ("возраст", "да"),
    "koi8-r": ("возраст",),
    "cp1253": ("ηλικία",),
    "shift_jis": ("年齢", "スコア"),
    "gbk": ("年龄", "年"),
    "big5": ("年齡",),
    "euc-kr": ("나이",),
    "cp1250": ("źródło", "część"),
    "cp1254": ("yaş", "doğum"),
}


@pytest.mark.parametrize("text", WESTERN)
def test_western_texts_are_read(text: str) -> None:
    assert text_of(f"{text}\n1,2\n".encode("cp1252")) == (f"{text}\n1,2\n", "Windows-1252")


@pytest.mark.parametrize(("encoding", "text"), [(e, t) for e, ts in OTHERS.items() for t in ts])
def test_other_alphabets_and_programs_of_old_are_refused(
    encoding: str, text: str, tmp_path: Path
) -> None:
    path = tmp_path / "scores.csv"
    path.write_bytes(f"y,{text}\n1,0.5\n0,0.4\n".encode(encoding))
    with pytest.raises(ScoresError, match=r"no other encoding is likely|neither a known format"):
        read_table(path)


def test_bytes_are_no_text() -> None:
    with pytest.raises(UnicodeError):
        text_of(b"y,s\n\x81\x8d,1\n")
