"""What whole runs take: time from start to end, processor time and memory.

    python benchmarks/profiles.py tiny quick [--cores N] [--keep FOLDER]

Each profile is run from nothing in a copy of the project, with the data of OPCHAR_MIRROR where it
is set, and on stand-ins where not. Memory is the most that all processes of the run had together
at any second: shared pages count once where the system tells them apart (Linux), else in each
process. The largest job is that of Snakemake's benchmark files, which trainings and experiments
write.
"""

from __future__ import annotations

import argparse
import csv
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import psutil

ROOT = Path(__file__).resolve().parents[1]
MADE = ("results", "logs", "build")
HEAD = "| profile | jobs | from start to end | processor time | most memory | largest job |"


@dataclass(frozen=True)
class Run:
    """Seconds and megabytes of a run."""

    jobs: int
    wall: float
    cpu: float
    memory: float
    largest: float

    def row(self, profile: str) -> str:
        """Return a row of a Markdown table."""
        cells = [
            profile,
            str(self.jobs),
            f"{self.wall:.0f} s",
            f"{self.cpu:.0f} s",
            f"{self.memory:.0f} MB",
            f"{self.largest:.0f} MB",
        ]
        return f"| {' | '.join(cells)} |"


def copied(folder: Path) -> None:
    """Copy the project without what was made in it."""
    for source in sorted(ROOT.iterdir()):
        if source.name in MADE or source.name.startswith("."):
            continue
        if source.is_dir():
            shutil.copytree(source, folder / source.name, ignore=_made_below)
        else:
            shutil.copy2(source, folder / source.name)


def _made_below(folder: str, names: list[str]) -> list[str]:
    """Return the folders of data that a run makes, and bytecode."""
    data = Path(folder) == ROOT / "data"
    return [name for name in names if name == "__pycache__" or (data and name != "published")]


def held(process: psutil.Process) -> float:
    """Return the megabytes of a process and all below it."""
    total = 0.0
    for one in [process, *process.children(recursive=True)]:
        try:
            told = one.memory_full_info()
        except (psutil.NoSuchProcess, psutil.AccessDenied):
            continue
        total += getattr(told, "pss", told.rss)
    return total / 1e6


def largest_job(folder: Path) -> tuple[int, float]:
    """Return how many jobs wrote a benchmark, and the most that one of them held, in megabytes."""
    most = []
    for path in sorted((folder / "logs").rglob("*.tsv")):
        with path.open(newline="", encoding="utf-8") as lines:
            for row in csv.DictReader(lines, delimiter="\t"):
                if row.get("max_rss", "NA") not in ("NA", "-"):
                    most.append(float(row["max_rss"]))
    return len(most), max(most, default=0.0)


def measured(profile: str, cores: int, folder: Path) -> Run:
    """Run a profile in a folder and return what it took."""
    copied(folder)
    environment = os.environ | {"PYTHONPATH": str(folder / "src")}
    command = [sys.executable, "-m", "opchar.cli", "run", "--profile", profile]
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    told = folder / "told"
    with told.open("w", encoding="utf-8") as out:
        run = subprocess.Popen(
            [*command, "--cores", str(cores)], cwd=folder, env=environment, stdout=out, stderr=out
        )
        memory, process = 0.0, psutil.Process(run.pid)
        while run.poll() is None:
            try:
                memory = max(memory, held(process))
            except psutil.NoSuchProcess:
                break
            time.sleep(1)
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if run.wait():
        raise SystemExit(told.read_text(encoding="utf-8")[-2000:])
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    counts = [
        line.split("]")[0].split("/")[1]
        for line in told.read_text(encoding="utf-8").splitlines()
        if line.startswith("[") and "/" in line.split("]")[0]
    ]
    return Run(int(counts[-1]) if counts else 0, wall, cpu, memory, largest_job(folder)[1])


def main() -> None:
    """Print a row for each profile."""
    parser = argparse.ArgumentParser(description=__doc__)
    known = ("tiny", "quick", "paper")
    parser.add_argument("profiles", nargs="*", default=["tiny"], help=f"of {', '.join(known)}")
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--keep", type=Path, help="folder in which the runs stay")
    given = parser.parse_args()
    if unknown := set(given.profiles) - set(known):
        parser.error(f"no profile {', '.join(sorted(unknown))}")
    print(f"{HEAD}\n| --- | --- | --- | --- | --- | --- |", flush=True)
    for profile in given.profiles:
        if given.keep:
            folder = given.keep / profile
            folder.mkdir(parents=True)
            print(measured(profile, given.cores, folder).row(profile), flush=True)
            continue
        with tempfile.TemporaryDirectory() as place:
            print(measured(profile, given.cores, Path(place)).row(profile), flush=True)


if __name__ == "__main__":
    main()
