"""What whole runs take: time from start to end, processor time and memory.

    python benchmarks/profiles.py tiny quick [--cores N]

Each profile is run from nothing in a clone of the last commit, with the data of OPCHAR_MIRROR where
it is set, and on stand-ins where not. Memory is the most that all processes of the run had together
at any second: shared pages count once where the system tells them apart (Linux). The largest job is
that of Snakemake's benchmark files. In what was made, the processor time of what people ask most
often follows, beside an import of Snakemake, since machines differ.
"""

import argparse
import csv
import os
import resource
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import psutil

ROOT = Path(__file__).resolve().parents[1]
HEAD = "| profile | jobs | from start to end | processor time | most memory | largest job |"
OPCHAR = ("-m", "opchar.cli")
ASKED = {
    "import snakemake": ("-c", "import snakemake.cli"),
    "opchar run": (*OPCHAR, "run"),
    "opchar run -n": (*OPCHAR, "run", "-n"),
    "opchar run -n landgrebe2007/table-2.3": (*OPCHAR, "run", "-n", "landgrebe2007/table-2.3"),
    "opchar status": (*OPCHAR, "status"),
    "opchar verify": (*OPCHAR, "verify"),
}


def held(process: psutil.Process) -> float:
    """Return the megabytes of a process and all below it."""
    total = 0.0
    for one in [process, *process.children(recursive=True)]:
        with suppress(psutil.NoSuchProcess, psutil.AccessDenied):
            told = one.memory_full_info()
            total += getattr(told, "pss", told.rss)
    return total / 1e6


def largest_job(folder: Path) -> float:
    """Return the most megabytes that one job held."""
    most = [0.0]
    for path in sorted((folder / "logs").rglob("*.tsv")):
        with path.open(newline="", encoding="utf-8") as lines:
            found = [row.get("max_rss", "-") for row in csv.DictReader(lines, delimiter="\t")]
            most += [float(each) for each in found if each not in ("NA", "-")]
    return max(most)


def took(words: list[str], folder: Path, told: Path) -> tuple[float, float, float]:
    """Run a command in a folder; return its seconds, processor seconds and most megabytes."""
    environment = os.environ | {"PYTHONPATH": str(folder / "src")}
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    with told.open("w", encoding="utf-8") as out:
        run = subprocess.Popen(
            [sys.executable, *words], cwd=folder, env=environment, stdout=out, stderr=out
        )
        memory, process = 0.0, psutil.Process(run.pid)
        while run.poll() is None:
            try:
                memory = max(memory, held(process))
            except psutil.NoSuchProcess:
                break
            time.sleep(1)
    if run.wait():
        raise SystemExit(told.read_text(encoding="utf-8")[-2000:])
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, cpu, memory


def main() -> None:
    """Print a row for each profile, and what people ask most often of the last one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("profiles", nargs="*", default=["tiny"], help="of tiny, quick, paper")
    parser.add_argument("--cores", default="2")
    given = parser.parse_args()
    print(f"{HEAD}\n|{' --- |' * 6}", flush=True)
    for profile in given.profiles:
        with tempfile.TemporaryDirectory() as place:
            folder, told = Path(place) / "project", Path(place) / "told"
            subprocess.run(["git", "clone", "--quiet", ROOT, folder], check=True)
            own = ["--profile", profile]
            wall, cpu, memory = took([*OPCHAR, "run", *own, "--cores", given.cores], folder, told)
            lines = told.read_text(encoding="utf-8").splitlines()
            counts = [line.split("]")[0].split("/")[1] for line in lines if line[:1] == "["]
            cells = [f"{wall:.0f} s", f"{cpu:.0f} s", f"{memory:.0f} MB"]
            cells = [profile, counts[-1], *cells, f"{largest_job(folder):.0f} MB"]
            print(f"| {' | '.join(cells)} |", flush=True)
            if profile == given.profiles[-1]:
                for name, words in ASKED.items():
                    more = own if words[:2] == OPCHAR else []
                    least = min(took([*words, *more], folder, told)[1] for _ in range(3))
                    print(f"\n`{name}`: {least:.2f} s", end="", flush=True)
                print()


if __name__ == "__main__":
    main()
