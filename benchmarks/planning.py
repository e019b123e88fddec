"""How planning grows with the artefacts of a configuration; part of ``benchmarks/scaling.py``.

The configuration is copied and artefacts are added to it, each like one that there is, until the
quick profile has 300, 1,000 and 3,000. Everything is to be made. Beside it, in the same run:
Snakemake alone on our workflow, Snakemake on a Snakefile with as many jobs that says nothing but
their files, and the import of Snakemake. Times are of the processor, with those of all processes
that a command starts; the lowest of three counts. Memory is that of the largest process.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

from opchar_reproduction.project.configuration.config import load
from opchar_reproduction.project.plan import Plan

ROOT = Path(__file__).resolve().parents[1]
TAKEN = ("Snakefile", "profiles", "config", "src", "workflow", "environment.yml", "CITATION.cff")
COUNTS = (300, 1_000, 3_000)
PROFILE = "quick"
BARE = """
rule everything:
    input: expand("made/{{number}}.txt", number=range({jobs}))
rule one:
    output: "made/{{number}}.txt"
    shell: "touch {{output}}"
"""


@dataclass(frozen=True)
class Planned:
    """What planning so many artefacts takes: seconds of the processor, and megabytes."""

    artefacts: int
    jobs: int
    ours: float
    memory: float
    snakemake: float
    bare: float
    start: float


def copied(folder: Path, extra: int) -> None:
    """Copy the project and add artefacts to it, each like one that there is."""
    for name in TAKEN:
        source = ROOT / name
        (shutil.copytree if source.is_dir() else shutil.copy)(source, folder / name)
    built = set(Plan(load(ROOT)).profile_artefacts(PROFILE))
    files = sorted((folder / "config/artefacts").glob("*.yaml"))
    entries = {path: yaml.safe_load(path.read_text(encoding="utf-8")) for path in files}
    every = [(path, name) for path, found in entries.items() for name in found if name in built]
    for number in range(extra):
        path, name = every[number % len(every)]
        lines = entries[path][name].get("lines", [name.split("/")[1]])
        entries[path][f"{name}-copy{number}"] = entries[path][name] | {"lines": lines}
    for path, found in entries.items():
        path.write_text(yaml.safe_dump(found, sort_keys=False), encoding="utf-8")


def cost(folder: Path, *words: str, rounds: int = 3) -> tuple[float, float, str]:
    """Return seconds, megabytes and words of a Python with its children, the least of some."""
    environment = os.environ | {"PYTHONPATH": str(folder / "src")}
    took, used, text = [], [], ""
    for _ in range(rounds):
        with tempfile.TemporaryFile("w+", encoding="utf-8") as said:
            process = subprocess.Popen(
                [sys.executable, *words], cwd=folder, env=environment, stdout=said, stderr=said
            )
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            said.seek(0)
            text = said.read()
        if process.returncode:
            raise SystemExit(text)
        took.append(usage.ru_utime + usage.ru_stime)
        used.append(usage.ru_maxrss * 1024 / 1e6)
    return min(took), min(used), text


def planned(artefacts: int, rounds: int = 3) -> Planned:
    """Measure the planning of a configuration with so many artefacts."""
    extra = artefacts - len(Plan(load(ROOT)).profile_artefacts(PROFILE))
    if extra < 0:
        raise ValueError(f"the profile {PROFILE} has more than {artefacts} artefacts")
    with tempfile.TemporaryDirectory() as name:
        folder, empty = Path(name) / "project", Path(name) / "bare"
        folder.mkdir()
        empty.mkdir()
        copied(folder, extra)
        ask = ("-m", "opchar.cli", "run", "--profile", PROFILE, "--dry-run")
        cost(folder, *ask, rounds=1)  # summaries of the code are kept from now on
        ours, memory, said = cost(folder, *ask, rounds=rounds)
        jobs = int(next(line for line in said.splitlines() if " jobs, about" in line).split()[0])
        dry = ("-m", "snakemake", "--dry-run", "--quiet", "--cores", "1", "--scheduler", "greedy")
        alone, _, _ = cost(folder, *dry, "--config", f"profile={PROFILE}", rounds=rounds)
        (empty / "Snakefile").write_text(BARE.format(jobs=jobs), encoding="utf-8")
        bare, _, _ = cost(empty, *dry, rounds=rounds)
        start, _, _ = cost(empty, "-c", "import snakemake.cli", rounds=rounds)
    return Planned(artefacts, jobs, ours, memory, alone, bare, start)


def lines(found: list[Planned]) -> Iterator[str]:
    """Yield the lines of a table."""
    head = ("artefacts", "jobs", "`opchar run -n`", "memory", "`snakemake -n`")
    head += ("a bare Snakefile of as many jobs", "import of Snakemake")
    yield f"| {' | '.join(head)} |"
    yield f"|{' --- |' * len(head)}"
    for each in found:
        cells = (f"{each.artefacts:,}", f"{each.jobs:,}", f"{each.ours:.1f} s")
        cells += (f"{each.memory:.0f} MB", f"{each.snakemake:.1f} s", f"{each.bare:.1f} s")
        yield f"| {' | '.join((*cells, f'{each.start:.1f} s'))} |"
