"""A sample of made files, each damaged in each way: every view notices before a ledger is made."""

from contextlib import chdir
from pathlib import Path
from random import Random

import pytest

from checkout import Project
from opchar_reproduction.project.configuration.config import load
from opchar_reproduction.project.plan import Plan
from soak.tampering import DAMAGES, made_files, unnoticed

pytestmark = pytest.mark.workflow


WORDS = ("run", "landgrebe2007/figure-2.5", "--profile", "tiny", "--policy", "offline", "--variant")


@pytest.mark.check
def test_one_variant_leaves_the_artefact_alone_and_no_damage_to_a_made_file_goes_unnoticed(
    made: Project,
) -> None:
    file = made.folder / "results/tiny/landgrebe2007/p-roc/figure-2.5.svg"
    before = file.read_bytes()
    done = made.opchar(*WORDS, "thresholds: 10")
    assert done.returncode == 0, done.stderr
    folder = made.folder / "results/tiny/variants/landgrebe2007/figure-2.5/thresholds-10"
    assert (folder / "figure-2.5.svg").is_file()
    assert file.read_bytes() == before
    done = made.look(*WORDS, "thresholds: 11")
    assert done.returncode == 1
    assert "no variant 'thresholds: 11'" in done.stderr
    chance = Random(2007)
    with chdir(made.folder):
        plan = Plan(load(Path(), {"profile": "tiny", "policy": "offline"}))
        files = made_files(plan, "tiny")
        assert len(files) > 200
        assert any("/figure-2.5/thresholds-10/" in file for file in files)
        kinds = {}  # One of each; the soak takes more.
        for file in files:
            kind = ("/variants/" in file, file.split("/")[0], Path(file).suffix)
            kinds.setdefault(kind, []).append(file)
        wrong = {
            (file, damage): said
            for place, damage in enumerate(DAMAGES)
            for group in list(kinds.values())[place :: len(DAMAGES)]
            for file in [chance.choice(group)]
            if (said := unnoticed(plan, "tiny", file, damage, chance))
        }
    assert wrong == {}
