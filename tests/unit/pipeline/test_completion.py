"""Completion on the tab key, as a shell does it."""

import shutil
import subprocess

import pytest

from opchar.cli import RENAMED, current_words
from opchar.cli.parser import parser
from opchar_reproduction.project.plan import Plan
from opchar_reproduction.runs.completion import candidates, script

NAMES = ["classes: exchanged", "classes: exchanged; thresholds: 100", "thresholds: 100"]
ADDRESS = "landgrebe2007/table-2.2"


def completed(*words: str) -> list[str]:
    """Return what bash offers for the last of some words, when `opchar words` says `NAMES`."""
    listed = " ".join(f"'{name}'" for name in NAMES)
    asked = f'[ "$*" = "words variant {ADDRESS}" ] && printf "%s\\n" {listed}'
    typed = " ".join(f"'{word}'" for word in words)
    lines = [
        script("bash", parser()),
        f"opchar() {{ {asked}; }}",
        f"COMP_WORDS=({typed}); COMP_CWORD={len(words) - 1}; _opchar",
        'printf "%s\\n" "${COMPREPLY[@]}"',
    ]
    done = subprocess.run(
        ["bash", "-c", "\n".join(lines)], capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
def test_variants_are_completed_inside_quotes_and_without() -> None:
    command = ["opchar", "run", ADDRESS, "--variant"]
    assert completed(*command, '"classes') == NAMES[:2]
    assert completed(*command, "thr") == [r"thresholds:\ 100"]
    assert completed(*command, "") == [
        r"classes:\ exchanged",
        r"classes:\ exchanged\;\ thresholds:\ 100",
        r"thresholds:\ 100",
    ]
    assert [line for line in completed(*command, "other") if line] == []


def test_old_words_are_understood_and_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert current_words(["readings", ADDRESS]) == ["variants", ADDRESS]
    typed = ["run", "readings", "--reading=a: readings"]
    assert current_words(typed) == ["run", "readings", "--variant=a: readings"]
    said = [f"opchar: '{old}' is now '{new}'\n" for old, new in RENAMED.items()]
    assert capsys.readouterr().err == "".join(said)


def test_words_of_variants(plan: Plan) -> None:
    artefacts = candidates(plan, "variants")
    assert ADDRESS in artefacts
    assert "tharwat2018/table-1" not in artefacts
    names = candidates(plan, "variant", [ADDRESS])
    assert "classes: exchanged; eps: equal errors" in names
    assert "primary" not in names
    assert candidates(plan, "variant", ["tharwat2018/table-1"]) == []
