"""The plan: which data and files belong to which goal."""

from __future__ import annotations

from dataclasses import replace

import pytest

from opchar.config import KINDS
from opchar.errors import ConfigError
from opchar.plan import Plan, one_of


def test_goals_need_only_their_own_data(plan: Plan) -> None:
    assert plan.datasets("quick", ["landgrebe2007/table-2.3"]) == ["satellite-cotton-damp"]
    assert plan.datasets("quick", ["landgrebe2007/p-roc"]) == ["satellite-cotton-damp"]
    assert plan.datasets("quick", ["landgrebe2007/eq-3.17"]) == []
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


def with_protocol(plan: Plan, **changes: object) -> Plan:
    """The plan when the entry of the protocol of 9 others is another one."""
    entry = plan.config.protocols["cox-9"] | changes
    return Plan(replace(plan.config, protocols=plan.config.protocols | {"cox-9": entry}))


def test_an_experiment_has_its_protocols_as_they_hold_in_the_profile(plan: Plan) -> None:
    address = "soleymani2020/adaptive-ensembles"
    for profile in ("tiny", "quick"):
        found = plan.config.experiment_protocols(address, profile)
        assert list(found) == plan.config.experiments[address]["protocols"]
        for name, entry in found.items():
            assert entry == plan.config.protocol(name, profile)
            assert "profiles" not in entry
    assert found["cox-9"]["parameters"]["folds"] == 5
    tiny = plan.config.experiment_protocols(address, "tiny")
    assert tiny["cox-9"]["parameters"]["folds"] == 2
    assert plan.config.experiment_protocols("landgrebe2007/p-roc", "quick") == {}


def test_an_experiment_is_made_again_when_its_protocol_changes(plan: Plan) -> None:
    address, other = "soleymani2020/adaptive-ensembles", "soleymani2020/three-classifiers"
    before = plan.experiment_job("quick", address)
    entry = plan.config.protocols["cox-9"]
    more = with_protocol(plan, parameters=entry["parameters"] | {"others": 8})
    assert more.experiment_job("quick", address).split()[1] == before.split()[1]
    assert more.experiment_job("quick", address) != before
    assert more.experiment_job("quick", other) == plan.experiment_job("quick", other)
    swept = with_protocol(plan, profiles={"tiny": {"targets": 1}})
    assert swept.experiment_job("quick", address) == before
    assert swept.experiment_job("tiny", address) != plan.experiment_job("tiny", address)
    code = with_protocol(plan, function="opchar.models.protocols:holdout")
    assert code.experiment_job("quick", address).split()[1] != before.split()[1]


def test_unknown_goals_offer_the_nearest(plan: Plan) -> None:
    with pytest.raises(ConfigError, match="did you mean 'figures'"):
        plan.targets("quick", "figure")


def test_one_of_matches_exactly() -> None:
    import re

    assert re.fullmatch(one_of(["a.b", "c"]), "a.b")
    assert not re.fullmatch(one_of(["a.b", "c"]), "axb")
    assert not re.fullmatch(one_of([]), "")
