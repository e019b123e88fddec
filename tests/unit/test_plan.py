"""The plan: which data and files belong to which goal."""

from __future__ import annotations

import pytest

from opchar.config import KINDS
from opchar.errors import ConfigError
from opchar.plan import Plan, one_of


def test_goals_need_only_their_own_data(plan: Plan) -> None:
    assert plan.datasets("quick", ["landgrebe2007/table-2.3"]) == ["satellite-cotton-damp"]
    assert plan.datasets("quick", ["landgrebe2007/p-roc"]) == ["satellite-cotton-damp"]
    assert plan.datasets("quick", ["vus"]) == []
    assert plan.datasets("quick", ["results/quick/report/index.html"]) == plan.datasets("quick")
    assert "satellite-cotton-damp" in plan.datasets("quick", ["landgrebe2007", "vus"])


def test_kinds_of_work_partition_the_artefacts(plan: Plan) -> None:
    parts = [set(plan.targets("quick", kind)) for kind in KINDS]
    assert set.union(*parts) == set(plan.files("quick"))
    assert sum(map(len, parts)) == len(plan.files("quick"))


def test_tiny_samples_every_kind_of_work_of_every_paper(plan: Plan) -> None:
    entries, experiments = plan.config.artefacts, plan.config.experiments

    def strata(addresses: list[str]) -> set[tuple[str, str, str]]:
        return {
            (a.split("/")[0], experiments[entries[a]["experiment"]]["kind"], entries[a]["kind"])
            for a in addresses
        }

    sample = plan.wanted("tiny")
    assert strata(sample) == strata(plan.wanted("quick"))
    assert len(sample) == len(strata(sample))
    assert plan.wanted("quick") == plan.wanted("paper") == plan.artefacts()


def test_every_input_of_a_job_is_the_output_of_another(plan: Plan) -> None:
    for address in plan.experiments():
        for path in plan.experiment_scores("quick", address):
            _, _, profile, dataset, protocol, name = path.split("/")
            model = plan.model(dataset, protocol, name.removesuffix(".parquet"))
            assert plan.scores(profile, dataset, protocol, model) == path


def test_job_parameters_follow_their_own_entry_only(plan: Plan) -> None:
    before = plan.experiment_job("quick", "landgrebe2007/p-roc")
    assert before == plan.experiment_job("paper", "landgrebe2007/p-roc")
    assert before != plan.experiment_job("quick", "landgrebe2007/vus-lower-bound")
    assert before.split()[::2] == ["code", "config"]


def test_unknown_goals_offer_the_nearest(plan: Plan) -> None:
    with pytest.raises(ConfigError, match="did you mean 'figures'"):
        plan.targets("quick", "figure")


def test_one_of_matches_exactly() -> None:
    import re

    assert re.fullmatch(one_of(["a.b", "c"]), "a.b")
    assert not re.fullmatch(one_of(["a.b", "c"]), "axb")
    assert not re.fullmatch(one_of([]), "")
