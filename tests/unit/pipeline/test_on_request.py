"""Publications on request: a goal that names one makes it, and no other run does."""

import subprocess
import sys
from pathlib import Path

from opchar_reproduction.project.configuration.config import write_resolved
from opchar_reproduction.project.plan import Plan
from opchar_reproduction.project.tasks import Tasks


def test_only_a_goal_of_its_name_makes_it(plan: Plan) -> None:
    assert plan.on_request() == ["studies"]
    assert "studies" not in plan.config.settings["papers"]
    for profile in ("tiny", "quick", "paper"):
        assert not [file for file in Tasks(plan).files(profile) if "/studies/" in file]
        made = plan.targets(profile, "studies")
        assert made
        assert all(file.startswith(f"results/{profile}/studies/") for file in made)
    assert plan.needed_experiments("quick", ["studies"])


def test_a_configuration_that_was_kept_finds_its_code(plan: Plan, tmp_path: Path) -> None:
    """In a process of its own, since those of the tests know where studies stand."""
    kept = write_resolved(plan.config, tmp_path)
    code = (
        "import sys; from pathlib import Path; from importlib import import_module;"
        "from opchar_reproduction.project.configuration.config import read_resolved;"
        "config = read_resolved(Path(sys.argv[1]));"
        "import_module('opchar_reproduction.publications.studies.error_spread')"
    )
    command = [sys.executable, "-c", code, str(kept)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
