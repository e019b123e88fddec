"""Work in copies of a process, figures saved beside each other, and how a job ends."""

import os
import runpy
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from checkout import ROOT
from opchar.decisions.smooth_curves import Labelled
from opchar.decisions.threshold_spread import _resampled_thresholds
from opchar.errors import ConfigError
from opchar.figures import style
from opchar_reproduction.jobs.copies import begin, end
from opchar_reproduction.jobs.making.experiment import results_of
from opchar_reproduction.jobs.showing import beside, exhibits
from opchar_reproduction.jobs.showing.figure import stand_ins


def wrong() -> None:
    raise KeyError("lost")


def test_a_copy_returns_what_its_work_did_or_raises_what_it_raised() -> None:
    copies = [begin(os.getpid), begin(lambda: [1, {"a": 2}])]
    own, found = (end(*copy) for copy in copies)
    assert own not in (os.getpid(), 0)
    assert found == [1, {"a": 2}]
    with pytest.raises(KeyError, match="lost") as raised:
        end(*begin(wrong))
    assert "in wrong" in raised.value.__notes__[0]
    with pytest.raises(ChildProcessError, match="a copy was ended"):
        end(*begin(lambda: os._exit(3)))


def test_the_slowest_kind_of_a_figure_is_saved_by_a_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def save(figure: str, paths: dict[str, Path], note: str = "") -> None:
        for kind, path in paths.items():
            path.write_text(f"{figure}{note} {kind} {os.getpid() == here}")

    here = os.getpid()
    monkeypatch.setattr(style, "save", save)
    monkeypatch.setattr(exhibits, "run", lambda *names: [style.save(n, on(n), "!") for n in names])
    on = lambda name: {kind: tmp_path / f"{name}.{kind}" for kind in ("pdf", "svg", "png")}  # noqa: E731
    beside.save_side_by_side()
    exhibits.run("a", "b")
    said = {path.name: path.read_text() for path in tmp_path.iterdir()}
    kinds = {"pdf": False, "svg": True, "png": True}
    assert said == {f"{n}.{k}": f"{n}! {k} {own}" for n in "ab" for k, own in kinds.items()}
    exhibits.run()  # nothing is waited for
    monkeypatch.setattr(exhibits, "run", beside._run)
    with pytest.raises(KeyError, match="lost"):
        exhibits.run(lambda: None, [begin(wrong)])


def test_stand_ins_of_the_same_data_are_told_together() -> None:
    labels = [f"stand-in for {name}: two Gaussians" for name in ("b", "a")]
    said = stand_ins(pd.DataFrame({"data": [*labels, "sonar", "stand-in for c: noise"]}))
    assert said == ["stand-in for a and b: two Gaussians", "stand-in for c: noise"]


def test_what_an_experiment_cannot_write_names_its_function() -> None:
    with pytest.raises(ConfigError, match=r"^'a:b': a line twice$"), results_of("a:b"):
        raise ValueError("a line twice\nand more")


def test_a_job_leaves_ctrl_c_to_the_system_and_ends_without_taking_itself_apart(
    monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    job = runpy.run_path(str(ROOT / "src/opchar_reproduction/jobs/__main__.py"))
    before = signal.getsignal(signal.SIGINT)
    try:
        for handler, after in ((signal.default_int_handler, signal.SIG_DFL), (signal.SIG_IGN,) * 2):
            signal.signal(signal.SIGINT, handler)
            job["end_at_once"]()
            assert signal.getsignal(signal.SIGINT) == after
    finally:
        signal.signal(signal.SIGINT, before)
    done: list[Any] = []
    monkeypatch.setattr("atexit._run_exitfuncs", lambda: done.append("functions"))
    monkeypatch.setattr("os._exit", done.append)
    job["end"](3)
    assert done == ["functions", 3]


def test_thresholds_are_those_of_what_is_drawn() -> None:
    """Two draws in turn, of which each has one gap between the classes: its middle is chosen."""
    positive, weight = np.array([False, False, True, True]), np.ones(4, dtype=np.int64)
    draws = [Labelled(positive, np.array([0.0, 1, up, up + 1]), weight) for up in (3.0, 5.0)]
    turn = iter([*draws, *draws])
    given = np.full(4, 0.5), "search", "sigmoid", np.random.default_rng(0)
    found = _resampled_thresholds(draws[0], *given, lambda _: next(turn))
    assert found.tolist() == [2.0, 3.0, 2.0, 3.0]
