"""A wrong configuration is one line that names the place and the cure, before anything runs."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from checkout import ROOT, Project
from opchar.errors import ConfigError
from opchar_reproduction.project.configuration.config import load, read_resolved, write_resolved
from opchar_reproduction.project.plan import Plan

Edit = Callable[[str, str, str], None]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "config", tmp_path / "config")
    return tmp_path


@pytest.fixture
def edit(folder: Path) -> Edit:
    def change(file: str, pattern: str, new: str) -> None:
        path = folder / "config" / file
        text, count = re.subn(pattern, new, path.read_text(encoding="utf-8"), count=1, flags=re.M)
        assert count == 1, f"{file} has no {pattern!r}"
        path.write_text(text, encoding="utf-8")

    return change


def complaint(folder: Path, **overrides: object) -> str:
    with pytest.raises(ConfigError) as caught:
        load(folder, overrides)
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_the_configuration_of_the_project_is_right(plan: Plan) -> None:
    assert plan.artefacts()
    shown = plan.shown_studies("quick")
    assert len(set(shown)) == len(shown)


def test_misspelt_key(folder: Path, edit: Edit) -> None:
    edit("config.yaml", "^policy:", "polcy:")
    assert complaint(folder) == ("config/config.yaml: unknown key 'polcy' (did you mean 'policy'?)")


@pytest.mark.parametrize(
    ("key", "given", "said"),
    [
        (
            "profile",
            "qiuck",
            "profile: 'qiuck' is none of tiny, quick, paper (did you mean 'quick'",
        ),
        (
            "papers",
            ["tharwat2081"],
            "papers: no publication 'tharwat2081' (did you mean 'tharwat2018'",
        ),
        ("folders", {"sonnar": "/data"}, "folders: no data set 'sonnar' (did"),
        ("folders", {"cox": "/no/such/CXO"}, "folders: cox: no folder '/no/such/CXO'"),
        ("seed", "many", "seed: 'many' is not a whole number"),
        ("seed", 1.0, "seed: 1.0 is not a whole number"),
        ("seed", "7", "seed: '7' is not a whole number"),
        ("seed", True, "seed: true (quote no, off, yes and on to have a text) is not a whole"),
        ("resources", {"train": {"mem_mb": 4e3}}, "resources.train.mem_mb: 4000.0 is not a whole"),
        ("policy", False, "policy: false (quote no, off, yes and on to have a text) is none of"),
        ("profile", None, "profile: nothing is none of tiny, quick, paper"),
        ("mirrors", "/data", "mirrors: '/data' is not a list"),
        ("on_request", "studies", "on_request: 'studies' is not a list"),
        ("on_request", ["studies", "b", "b"], "on_request: 'b' stands there twice"),
        ("on_request", ["nowhere"], "publications: nowhere: no folder '"),
        ("extensions", ["mine.txt"], "extensions.0: 'mine.txt' is not a path from the project's"),
    ],
)
def test_a_wrong_setting_is_named_in_plain_words(
    folder: Path, key: str, given: object, said: str
) -> None:
    assert complaint(folder, **{key: given}).startswith(f"config/config.yaml: {said}")


def test_the_override_that_the_configuration_shows_is_one(folder: Path) -> None:
    text = (ROOT / "config/config.yaml").read_text(encoding="utf-8")
    (shown,) = re.findall(r"^# Values that replace .* as in (\{.*\})\.$", text, re.MULTILINE)
    ((address, parameters),) = yaml.safe_load(shown).items()
    overridden = load(folder, {"parameters": {address: parameters}}).experiments[address]
    plain = load(folder).experiments[address]
    for profile in ("tiny", "quick", "paper"):
        found = overridden["profiles"][profile]
        assert {name: found[name] for name in parameters} == parameters
        assert found != plain.get("profiles", {}).get(profile, {})


def test_a_missing_setting_is_named(folder: Path, edit: Edit) -> None:
    edit("config.yaml", "^seed: .*", "")
    assert complaint(folder) == "config/config.yaml: needs 'seed'"


@pytest.mark.parametrize("repeats", ["0", "many"])
def test_no_repeats(folder: Path, edit: Edit, repeats: str) -> None:
    edit("protocols.yaml", r"repeats: 20", f"repeats: {repeats}")
    message = complaint(folder)
    assert "config/protocols.yaml" in message
    assert "repeats" in message


def test_a_missing_parameter_of_a_protocol(folder: Path, edit: Edit) -> None:
    edit("protocols.yaml", r"repeats: 20", "seldom: 20")
    message = complaint(folder)
    assert message.startswith("config/protocols.yaml: ")
    assert "unknown parameter 'seldom'" in message
    edit("protocols.yaml", r"seldom: 20,? ?", "")
    assert "parameter 'repeats' is missing" in complaint(folder)


def test_a_key_that_is_there_twice_names_both_lines(folder: Path) -> None:
    path = folder / "config/protocols.yaml"
    text = path.read_text(encoding="utf-8")
    first = text[: text.index("\nholdout-20:")].count("\n") + 2
    path.write_text(text + "\nholdout-20:\n  summary: again\n", encoding="utf-8")
    message = complaint(folder)
    assert "'holdout-20' is there already" in message
    assert message.endswith(f"on line {first}")


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("protocols.yaml", "7: {function: a:b, summary: seven}\n"),
        ("models.yaml", "null: {function: a:b, kind: mapping, summary: none}\n"),
    ],
)
def test_keys_that_are_no_text(folder: Path, file: str, text: str) -> None:
    path = folder / "config" / file
    path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")
    message = complaint(folder)
    assert message.startswith(f"config/{file}: the key ")
    assert message.endswith("is no text; quote it")


WRONG = {
    "folders": {"cox": "/no/such/CXO"},
    "datasets": {"mine": {"view_of": "sonra"}},
    "protocols": {"mine": {"function": "opchar.models.splits.protocols:no_such"}},
    "experiments": {"own/mine": {"function": "opchar_reproduction.user_data:every_analysis"}},
    "artefacts": {"own/mine": {"kind": "tabel"}},
    "extensions": ["mine.py"],
}


@pytest.mark.parametrize("kind", WRONG)
def test_a_message_names_the_file_that_holds_the_entry(
    folder: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.chdir(folder)
    (folder / "mine.py").write_text("def marked_by_nothing():\n    return 1\n")
    (folder / "config/own.yaml").write_text(yaml.safe_dump({kind: WRONG[kind]}))
    name = "mine.py" if kind == "extensions" else next(iter(WRONG[kind]))
    assert complaint(folder).startswith(f"config/own.yaml: {kind}: {name}")


def test_a_wrong_word_of_a_file_of_models_names_that_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    (folder / "mine.py").write_text(
        "from opchar_reproduction.words import word\n\n\n"
        "@word('mine', arguments='(')\ndef mine(text):\n    return text\n"
    )
    (folder / "config/own.yaml").write_text("extensions: [mine.py]\n")
    assert complaint(folder).startswith("mine.py")


def test_a_set_without_a_source_or_stand_in_says_what_it_needs(folder: Path) -> None:
    path = folder / "config/datasets.yaml"
    entries = yaml.safe_load(path.read_text(encoding="utf-8"))
    own = {key: part for key, part in entries["sonar"].items() if key != "stand_in"}
    path.write_text(yaml.safe_dump(entries | {"mine": own}), encoding="utf-8")
    message = complaint(folder)
    assert message.startswith("config/datasets.yaml: mine: ")
    assert "stand_in" in message
    assert len(message) < 200


MIXTURES = "opchar.datasets.standins:gaussian_mixtures"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"shape": [209, 60]}, "shape: 209 objects, but its classes have 208"),
        (
            {"stand_in": {"generator": MIXTURES, "options": {"error": 0.1, "components": 0}}},
            "stand_in: parameter 'components': 0: input should be greater than or equal to 1",
        ),
        (
            {"stand_in": {"generator": MIXTURES, "options": {"error": -0.1}}},
            "stand_in: parameter 'error': -0.1: input should be greater than or equal to 0",
        ),
        (
            {"generator": {"function": "opchar.datasets.generators:imbalanced_pair"}},
            "generator: 'opchar.datasets.generators:imbalanced_pair' does not make a data set",
        ),
        (
            {
                "generator": {
                    "function": "opchar.datasets.generators:prior_case_study",
                    "options": {"banana_class": "C"},
                }
            },
            "generator: parameter 'banana_class': 'C': input should be 'A' or 'B'",
        ),
    ],
)
def test_a_set_that_cannot_be_made_is_refused_before_any_job(
    folder: Path, change: dict[str, object], said: str
) -> None:
    path = folder / "config/datasets.yaml"
    entries = yaml.safe_load(path.read_text(encoding="utf-8"))
    entry = entries["sonar"]
    if "generator" in change:
        kept = ("title", "licence", "citation", "notes", "shape", "classes")
        entry = {key: entry[key] for key in kept if key in entry}
    path.write_text(yaml.safe_dump(entries | {"mine": entry | change}), encoding="utf-8")
    assert complaint(folder) == f"config/datasets.yaml: mine: {said}"


def test_a_view_has_the_objects_of_its_classes(folder: Path, edit: Edit) -> None:
    edit("datasets.yaml", r"shape: \[6435, 36\]\n  classes: \{positive: 1329, rest: 5106\}",
         "shape: [6434, 36]\n  classes: {positive: 1329, rest: 5106}")  # fmt: skip
    said = "shape: 6434 objects, but its classes have 6435"
    assert complaint(folder) == f"config/datasets.yaml: satellite-cotton-damp: {said}"


@pytest.mark.parametrize("name", ["10-fold", "rrt-pairs", "unseen-20-fold"])
def test_one_fold_holds_no_test_set_and_is_refused(folder: Path, name: str) -> None:
    path = folder / "config/protocols.yaml"
    entries = yaml.safe_load(path.read_text(encoding="utf-8"))
    entries[name] = entries[name] | {"parameters": entries[name]["parameters"] | {"folds": 1}}
    path.write_text(yaml.safe_dump(entries), encoding="utf-8")
    assert complaint(folder).startswith(f"config/protocols.yaml: {name}")


def test_what_was_resolved_is_what_jobs_read(tmp_path: Path) -> None:
    config = load(ROOT, {"seed": 7, "mirrors": ["/m"]})
    path = write_resolved(config, tmp_path)
    assert read_resolved(path) == config
    assert write_resolved(config, tmp_path) == path
    assert write_resolved(load(ROOT, {"seed": 8}), tmp_path) != path
    for other in ("{}", path.read_text(encoding="utf-8").replace('"seed": 7', '"seed": 6')):
        path.write_text(other)
        with pytest.raises(ConfigError, match="plan it again"):
            read_resolved(path)
        assert write_resolved(config, tmp_path) == path
        assert read_resolved(path) == config, "healed"


def test_ones_own_folder_comes_before_that_of_the_project(tmp_path: Path, plan: Plan) -> None:
    (tmp_path / "config").mkdir()
    shutil.copy(ROOT / "config/config.yaml", tmp_path / "config/config.yaml")
    path = tmp_path / "config/config.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("seed: 2", "seed: 9"))
    config = load(ROOT, here=tmp_path)
    assert str(config.seed).startswith("9")
    assert config.experiments == plan.config.experiments


def test_broken_yaml_names_the_line(folder: Path) -> None:
    path = folder / "config/datasets.yaml"
    path.write_text(path.read_text(encoding="utf-8") + "\nsonar: [1,\n", encoding="utf-8")
    assert re.search(r"config/datasets\.yaml: line \d+: not YAML", complaint(folder))


def test_a_missing_file_says_where_to_run(folder: Path) -> None:
    (folder / "config/models.yaml").unlink()
    assert "run from the folder of the project" in complaint(folder)


def test_unknown_goals_offer_the_nearest(plan: Plan) -> None:
    with pytest.raises(ConfigError, match=r"did you mean 'landgrebe2007/table-3.3'"):
        plan.targets("quick", "landgrebe2007/table3.3")


@pytest.mark.workflow
@pytest.mark.parametrize("words", [("opchar.cli", "run"), ("snakemake", "--cores", "1")])
def test_at_the_command_line_it_is_one_line_and_exit_1(project: Project, words) -> None:
    project.edit("config/config.yaml", "profile: quick", "profile: fast")
    done = project.run(*words)
    said = (done.stdout + done.stderr).strip().splitlines()
    assert done.returncode == 1
    assert said == [
        line for line in said if line.startswith(("opchar: config/config.yaml", "Using"))
    ]
    assert not (project.folder / "results").exists()
    assert not (project.folder / "data/raw").exists()
