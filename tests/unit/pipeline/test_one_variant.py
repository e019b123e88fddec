"""An artefact under another variant: what is recorded of it, and what is said when it is stale."""

from copy import deepcopy
from pathlib import Path

import pytest

from checkout import ROOT
from opchar.errors import ConfigError
from opchar_reproduction.project.plan import Plan
from opchar_reproduction.runs import one_variant
from opchar_reproduction.runs.state import State, why_again

ADDRESS, VARIANT = "landgrebe2007/eq-4.36", "steps: 20"


@pytest.fixture
def made(plan: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    (tmp_path / "src").symlink_to(ROOT / "src")
    monkeypatch.chdir(tmp_path)
    return one_variant.make(plan, "tiny", ADDRESS, VARIANT)


def test_what_a_variant_made_is_recorded_and_verified(plan: Plan, made: list[Path]) -> None:
    assert all(path.is_file() for path in made)
    tasks = list(one_variant.variant_tasks(plan, "tiny"))
    assert [task.name for task in tasks] == [f"{ADDRESS}, {VARIANT}"] * 2
    assert [why_again(task) for task in tasks] == ["", ""]
    checked = dict(State(plan, "tiny").verify())
    assert {path.as_posix() for path in made} <= set(checked)
    assert set(checked.values()) == {""}
    made[0].write_text("other", encoding="utf-8")
    checked = dict(State(plan, "tiny").verify())
    assert checked[made[0].as_posix()] == "changed"


def test_another_value_of_the_variant_makes_it_stale(plan: Plan, made: list[Path]) -> None:
    other = deepcopy(plan)
    entry = other.config.experiments["landgrebe2007/costs-perturbation"]
    entry["variants"]["dimensions"]["steps"]["values"]["20"] = {"r": 21}
    first, second = one_variant.variant_tasks(other, "tiny")
    assert why_again(first) == "its configuration changed"
    assert why_again(second) == ""


def test_nothing_is_known_of_what_was_not_made(plan: Plan, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert list(one_variant.variant_tasks(plan, "tiny")) == []
    with pytest.raises(ConfigError, match="declares no variants"):
        one_variant.tasks(plan, "tiny", "landgrebe2007/figure-3.4", "steps: 20")
    with pytest.raises(ConfigError, match="no variant 'steps: 7'"):
        one_variant.tasks(plan, "tiny", ADDRESS, "steps: 7")
