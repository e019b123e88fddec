"""The plan: which data and files belong to which goal."""

import re
from dataclasses import replace

import pytest

from opchar.errors import ConfigError
from opchar_reproduction.project.closure import sources
from opchar_reproduction.project.configuration.config import read_resolved, write_resolved
from opchar_reproduction.project.configuration.model import KINDS
from opchar_reproduction.project.definitions import function
from opchar_reproduction.project.plan import Plan, one_of
from opchar_reproduction.project.task import Task
from opchar_reproduction.project.tasks import Tasks


def test_goals_need_only_their_own_data(plan: Plan) -> None:
    assert plan.datasets("quick", ["landgrebe2007/table-2.3"]) == ["satellite-cotton-damp"]
    assert plan.datasets("quick", ["landgrebe2007/p-roc"]) == ["satellite-cotton-damp"]
    assert plan.datasets("quick", ["landgrebe2007/eq-3.17"]) == []
    assert plan.datasets("quick", ["results/quick/report/index.html"]) == plan.datasets("quick")
    assert "satellite-cotton-damp" in plan.datasets("quick", ["landgrebe2007", "vus"])


def test_kinds_of_work_partition_the_artefacts(plan: Plan) -> None:
    parts = [set(plan.targets("quick", kind)) for kind in KINDS]
    assert set.union(*parts) == set(plan.shown_studies("quick"))
    assert sum(map(len, parts)) == len(plan.shown_studies("quick"))


def test_tiny_samples_every_kind_of_work_of_every_paper(plan: Plan) -> None:
    entries, experiments = plan.config.artefacts, plan.config.experiments

    def strata(addresses: list[str]) -> set[tuple[str, str, str]]:
        return {
            (a.split("/")[0], experiments[entries[a]["experiment"]]["kind"], entries[a]["kind"])
            for a in addresses
        }

    sample = plan.profile_artefacts("tiny")
    assert strata(sample) == strata(plan.profile_artefacts("quick"))
    assert len(sample) == len(strata(sample))
    assert plan.profile_artefacts("quick") == plan.profile_artefacts("paper") == plan.artefacts()


def test_every_input_of_a_job_is_the_output_of_another(plan: Plan) -> None:
    for address in plan.experiments():
        for path in plan.of_data("quick", address)["scores"]:
            _, _, _, dataset, name = path.split("/")
            assert plan.models(dataset, name.removesuffix(".parquet"))


def text(plan: Plan, profile: str, address: str) -> str:
    return str(Tasks(plan).experiment(profile, address))


def test_job_parameters_follow_their_own_entry_only(plan: Plan) -> None:
    before = text(plan, "quick", "landgrebe2007/p-roc")
    assert before == text(plan, "paper", "landgrebe2007/p-roc")
    assert before != text(plan, "quick", "landgrebe2007/vus-lower-bound")
    assert re.fullmatch(r"code \w{16}; libraries [^;]+; configuration \w{16}", before)


def with_protocol(plan: Plan, **changes: object) -> Plan:
    """The plan when the entry of the protocol of 9 others is another one."""
    entry = plan.config.protocols["cox-9-24"] | changes
    return Plan(replace(plan.config, protocols=plan.config.protocols | {"cox-9-24": entry}))


def test_scores_are_made_again_when_their_protocol_changes(plan: Plan) -> None:
    pool = ("cox-videos", "cox-9-24")
    other = ("cox-videos", "cox-99")

    def parts(of: Plan, profile: str, scores: tuple[str, str]) -> dict[str, str]:
        return Tasks(of).train(profile, *scores).parts()

    before = parts(plan, "quick", pool)
    entry = plan.config.protocols["cox-9-24"]
    more = with_protocol(plan, parameters=entry["parameters"] | {"others": 8})
    assert parts(more, "quick", pool)["code"] == before["code"]
    assert parts(more, "quick", pool) != before
    assert parts(more, "quick", other) == parts(plan, "quick", other)
    swept = with_protocol(plan, profiles={"tiny": {"targets": 1}})
    assert parts(swept, "quick", pool) == before
    assert parts(swept, "tiny", pool) != parts(plan, "tiny", pool)
    whole = with_protocol(plan, members=False)
    assert parts(whole, "quick", pool) != before
    code = with_protocol(plan, function="opchar.models.splits.protocols:holdout")
    assert parts(code, "quick", pool)["code"] != before["code"]


ALIKE = ("run_variants", "compare_variants")
KINDS_OF_JOB = {
    "fetch_data": "opchar.datasets.sources.fetching",
    "train_": "opchar.models.training",
    "judge_statements": "opchar_reproduction.statements.judging",
    "compare_with_print": "opchar_reproduction.report.comparison.verdicts",
    "write_report": "opchar_reproduction.report.pages.writing",
}
# Of what a kind of job does not do, its code holds nothing; a study in one file holds all its own.
OTHERS = r"_reproduction\.(publications|figures|report|statements)"
FORBIDDEN = {
    **dict.fromkeys(("fetch_data", "build_features"), rf"opchar(\.(figures|models)|{OTHERS})"),
    "train_": rf"opchar(\.figures|{OTHERS})",
    "run_": "opchar_reproduction.report",
    "show_": r"opchar(\.models|_reproduction\.report\.(?!comparison(\.published_values)?$))",
    "judge_statements": "opchar_reproduction.report",
    "compare_with_print": r"opchar(\.figures|_reproduction\.(publications|report\.pages))",
}


def reached(*functions: str) -> set[str]:
    """Return the modules that some functions can import."""
    return {name.replace("/", ".") for name in sources().closure(*functions)}


def test_a_job_holds_the_code_of_its_own_kind_only(plan: Plan) -> None:
    for task in Tasks(plan).of_profile("quick"):
        modules = reached(*task.functions)
        kinds_of_rules = ("run_", "show_", "train_")
        rule = next((kind for kind in kinds_of_rules if task.rule.startswith(kind)), task.rule)
        if rule in KINDS_OF_JOB:
            assert KINDS_OF_JOB[rule] in modules
        if rule in FORBIDDEN:
            assert not {m for m in modules if re.match(FORBIDDEN[rule], m)}, task.name
        if rule not in ("compare_with_print", "write_report"):
            kinds = {
                m for m in modules if m.startswith("opchar_reproduction.jobs.") and m.count(".") > 2
            }
            # Variants and parts call an experiment's function as its own job does.
            shared = {"opchar_reproduction.jobs.making.experiment"} if task.rule in ALIKE else set()
            shows = {f"opchar_reproduction.jobs.showing.{kind}" for kind in ("figure", "table")}
            if rule == "show_":
                kinds.remove("opchar_reproduction.jobs.showing.exhibits")
                assert shows >= kinds and kinds, (task.rule, kinds)
            else:
                assert len(kinds - shared) == 1, (task.name, kinds)


def test_a_study_without_figures_depends_on_no_drawing(plan: Plan) -> None:
    kinds = {name: e["kind"] for name, e in plan.config.artefacts.items()}
    for study, addresses in plan.exhibits("quick").items():
        functions = Tasks(plan).exhibits("quick", *study.split("/", 1)).functions
        drawn = "opchar.figures.style" in reached(*functions)
        assert drawn == ("figure" in {kinds[name] for name in addresses})


@pytest.mark.parametrize("profile", ["tiny", "quick"])
def test_every_figure_and_table_is_made_by_one_job(plan: Plan, profile: str) -> None:
    made = [name for names in plan.exhibits(profile).values() for name in names]
    assert len(set(made)) == len(made)
    assert {*plan.artefacts(), *plan.artefacts_on_request()} == set(made)
    for study, names in plan.exhibits(profile).items():
        assert len({plan.artefact_sources(profile, name) for name in names}) == 1
        assert plan.folders(profile, names) == [f"results/{profile}/{study}"]


def test_the_tasks_make_every_file_that_a_run_declares(plan: Plan) -> None:
    for profile in ("tiny", "quick"):
        outputs = [file for task in Tasks(plan).of_profile(profile) for file in task.outputs]
        assert len(set(outputs)) == len(outputs)
        assert {*Tasks(plan).files(profile)} == declared(plan, profile)
        shown = {
            f for a in plan.profile_artefacts(profile) for f in plan.artefact_files(profile, a)
        }
        assert set(outputs) == declared(plan, profile) | shown


def declared(plan: Plan, profile: str) -> set[str]:
    """Return what a run is to make by the plan alone, so that no task can be forgotten."""
    tables = [*map(plan.features, plan.datasets(profile)), *plan.run_scores(profile)]
    experiments = plan.needed_experiments(profile)
    varied = plan.experiments_with_variants(profile)
    pairs = [plan.experiment_files(profile, name) for name in experiments]
    pairs += [plan.variant_results(profile, name) for name in varied]
    pairs += [(table, table.removesuffix(".parquet") + ".json") for table in tables]
    return {
        *(file for pair in pairs for file in pair),
        *plan.provenance(profile),
        *plan.weights(profile),
        *plan.shown_studies(profile),
        *plan.statement_tables(profile),
        *plan.ledger_files(profile),
        f"results/{profile}/explorer.json",
        f"results/{profile}/report/index.html",
    }


def test_what_is_told_of_a_set_is_no_part_of_it(plan: Plan) -> None:
    def tasks(plan: Plan) -> list[str]:
        made = Tasks(plan)
        names = ["sonar", "satellite-cotton-damp"]
        return [str(made.features(n)) for n in names] + [str(made.fetch("sonar"))]

    def other(**changes: object) -> Plan:
        sets = plan.config.datasets
        changed = {name: entry | changes for name, entry in sets.items()}
        return Plan(replace(plan.config, datasets=changed))

    before = tasks(plan)
    told = {"citation": "x", "licence": "x", "title": "x", "notes": "x", "page": "x"}
    assert tasks(other(**told)) == before
    assert tasks(other(official={"url": "https://example.org/x.zip"})) == before
    changed = tasks(other(shape=[1, 1]))
    assert all(one != two for one, two in zip(before, changed, strict=True))


def test_a_seed_counts_where_something_is_drawn(plan: Plan) -> None:
    other = Plan(replace(plan.config, settings=plan.config.settings | {"seed": 1}))
    for name in plan.experiments():
        drawing = "spawn" in function(plan.config.experiments[name]["function"]).parameters
        assert (text(plan, "quick", name) != text(other, "quick", name)) == drawing


def test_a_configuration_that_was_kept_plans_the_same(plan: Plan, tmp_path) -> None:
    """Snakemake plans with the configuration that `opchar run` has read and checked."""
    kept = Plan(read_resolved(write_resolved(plan.config, tmp_path)))
    for profile in ("tiny", "quick"):
        mine, theirs = (list(Tasks(p).of_profile(profile)) for p in (plan, kept))
        assert [(t.rule, t.name, str(t)) for t in theirs] == [
            (t.rule, t.name, str(t)) for t in mine
        ]


def test_unknown_goals_offer_the_nearest(plan: Plan) -> None:
    with pytest.raises(ConfigError, match="did you mean 'figures'"):
        plan.targets("quick", "figure")


def test_one_of_matches_exactly() -> None:
    assert re.fullmatch(one_of(["a.b", "c"]), "a.b")
    assert not re.fullmatch(one_of(["a.b", "c"]), "axb")
    assert not re.fullmatch(one_of([]), "")


def test_a_copy_without_its_list_of_libraries_can_be_planned(plan: Plan, tmp_path) -> None:
    (tmp_path / "workflow/rules").mkdir(parents=True)
    (tmp_path / "workflow/Snakefile").write_text("rule all:\n")
    other = Plan(replace(plan.config, root=tmp_path))
    assert other.workflow_texts() == {"Snakefile": "rule all:\n"}
    assert "environment.yml" in plan.workflow_texts()


def test_a_score_table_has_the_models_that_studies_read(plan: Plan) -> None:
    for address, entry in plan.config.experiments.items():
        for (dataset, table), group in zip(
            map(plan.table_of, entry.get("scores", [])), entry.get("scores", []), strict=True
        ):
            assert {*group["models"]} <= {*plan.models(dataset, table)}, address
    with pytest.raises(ConfigError, match="no experiment asks for models on 'sonar' under"):
        plan.models("sonar", "nothing")


def test_keys_that_are_numbers_are_not_those_of_their_texts() -> None:
    """YAML tells 1 from "1", and so does a function that is given them."""
    given = [{"labels": {1: "a"}}, {"labels": {"1": "a"}}, {"labels": {True: "a"}}]
    tasks = [Task("train", "x", ("opchar.seeds:spawner",), each, ("x",)) for each in given]
    assert len({str(task) for task in tasks}) == 3
