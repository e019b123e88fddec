"""An option that is one of some words refuses every other word."""

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, get_origin, get_type_hints

import numpy as np
import pytest

import opchar
from checkout import ROOT
from opchar import cli
from opchar.errors import DataError, OpcharError
from opchar.printed import Protocol

# What functions of labels and scores need beside these.
BESIDE: dict[str, dict[str, Any]] = {
    "estimate_prior": {"unlabelled": np.linspace(0, 1, 9)},
    "index_score": {"name": "accuracy"},
    "precision_recall_curve": {"prior": 0.2},
}


def of_words() -> Iterator[tuple[str, str]]:
    """Yield the public functions of labels and scores with each of their options of words."""
    for name in dir(opchar):
        function = getattr(opchar, name)
        if inspect.isfunction(function) and list(get_type_hints(function))[:1] == ["y_true"]:
            for option, hint in get_type_hints(function).items():
                if get_origin(hint) is Literal:
                    yield name, option


@pytest.mark.parametrize(("name", "option"), list(of_words()))
def test_another_word_is_refused(name: str, option: str) -> None:
    y = np.arange(40) % 2
    scores = y if name in ("index_score", "confusion") else y + np.linspace(0, 2, 40)
    given = BESIDE.get(name, {})
    getattr(opchar, name)(y, scores, **given)
    with pytest.raises((ValueError, OpcharError), match=option):
        getattr(opchar, name)(y, scores, **given | {option: "bogus"})


def test_there_are_such_options() -> None:
    assert {("threshold_spread", "rule"), ("estimate_prior", "method")} <= set(of_words())


@pytest.mark.parametrize("option", ["folding", "averages", "rounding", "average", "f", "spread"])
def test_another_word_of_a_protocol_is_refused(option: str) -> None:
    with pytest.raises(DataError, match=f"{option}: 'bogus' is none of"):
        Protocol(**{option: "bogus"})


def test_a_confidence_of_one_is_refused() -> None:
    with pytest.raises(ValueError, match="confidence"):
        opchar.controlled_threshold([0, 1] * 50, range(100), min_precision=0.1, confidence=1.0)


@pytest.mark.parametrize(("word", "meant"), [("wher", "where"), ("analyze", "analyse")])
def test_a_mistyped_command_names_the_nearest(word: str, meant: str, capsys) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main([word, "scores.csv"])
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert said.startswith(f"opchar: no command '{word}' (did you mean '{meant}'?)")
    assert said.count("\n") == 1


@pytest.mark.parametrize("lost", ["Snakefile", "workflow", "config"])
def test_status_in_a_broken_copy_says_so_in_one_line(
    lost: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    for name in {"config", "Snakefile", "workflow"} - {lost}:
        (tmp_path / name).symlink_to(ROOT / name)
    monkeypatch.chdir(tmp_path)
    assert cli.main(["status", "--policy", "offline"]) == 1
    said = capsys.readouterr().err
    assert said.startswith("opchar: ") and said.count("\n") == 1
    assert lost in said or "not inside a checkout" in said
