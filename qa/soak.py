"""Every fault we can think of, at length: damaged inputs, damaged results, kills, odd places.

    python qa/soak.py [--only inputs tampering ...] [--share 0.1]

What was measured is entered in the table of `qa/reliability.md` by the name of the fault; what
people wrote there stays. Exits 1 when anything went wrong; what did is printed with the number of
the input, which makes it again. A whole soak takes hours; `--share` takes that share of the trials.
"""

import argparse
import json
import os
import platform
import re
import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import chdir
from functools import cache
from pathlib import Path
from random import Random
from tempfile import mkdtemp
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))
PAGE = ROOT / "qa/reliability.md"
RULE = "| --- | --- | --- | --- |\n"
KILLS = 100
# Of edits, and edits of each.
CHAINS, EDITS = 25, 4

Row = dict[str, Any]


def row(fault: str, trials: int, outcome: str, wrong: list[str]) -> Row:
    return {"fault": fault, "trials": trials, "outcome": outcome, "wrong": wrong}


def inputs(share: float, folder: Path) -> Iterator[Row]:
    """Damaged inputs, each kind in a fork, so that a crash of a library is a finding."""
    from soak.kinds import KINDS
    from soak.trials import trials

    for name, kind in KINDS.items():
        receive, send = os.pipe()
        if not (child := os.fork()):
            tally = trials(kind.make, name, max(kind.sample, round(kind.full * share)))
            wrong = [f"{name}/{number}: {what}: {said}" for number, what, said in tally.faults]
            told = [tally.trials, tally.counts["refused"], tally.counts["accepted"], wrong]
            with os.fdopen(send, "w", encoding="utf-8") as stream:
                json.dump(told, stream)
            os._exit(0)
        os.close(send)
        with os.fdopen(receive, encoding="utf-8") as stream:
            text = stream.read()
        if status := os.waitpid(child, 0)[1]:
            yield row(kind.title, 0, "", [f"died with {status}"])
            continue
        count, refused, right, wrong = json.loads(text)
        yield row(kind.title, count, f"{refused} refused in one line, {right} right", wrong)


def tampering(share: float, folder: Path) -> Iterator[Row]:
    """Every made file of a tiny run, damaged in every way, one at a time."""
    from checkout import copied
    from opchar_reproduction.project.configuration.config import load
    from opchar_reproduction.project.plan import Plan
    from soak.tampering import DAMAGES, made_files, unnoticed

    done = copied(folder / "right").opchar("run", "--profile", "tiny", "--policy", "offline")
    if done.returncode:
        raise SystemExit(f"a run without any fault failed: {done.stderr}")
    with chdir(folder / "right"):
        plan = Plan(load(Path(), {"profile": "tiny", "policy": "offline"}))
        files = made_files(plan, "tiny")
        for damage in DAMAGES:
            chance = Random(damage)
            chosen = chance.sample(files, max(1, round(share * len(files))))
            wrong = [
                f"{file}: {said}"
                for file in chosen
                if (said := unnoticed(plan, "tiny", file, damage, chance))
            ]
            outcome = f"{len(chosen) - len(wrong)} noticed by verify, status, run and the next job"
            yield row(f"a made file: {damage}", len(chosen), outcome, wrong)


def kills(share: float, folder: Path) -> Iterator[Row]:
    """SIGKILL of jobs, of the workflow and of all, half of them in the moments of a write."""
    from soak.runs.kills import kills as killed

    found = killed(small(folder), folder, max(2, round(share * KILLS)))
    outcome = f"{found.chains} copies went on and ended with the same bytes; {found.told()}"
    yield row(f"a run killed, {found.runs} runs", found.total, outcome, found.wrong)


def places(share: float, folder: Path) -> Iterator[Row]:
    """Odd places, environments, users and orders of jobs."""
    from soak.runs.places import PLACES, elsewhere

    for name, place in PLACES.items():
        wrong = [said for right in small(folder) for said in elsewhere(right, folder, place)]
        yield row(f"a run with {name}", len(small(folder)), "the same bytes", wrong)


def machine(share: float, folder: Path) -> Iterator[Row]:
    """Ctrl-C, two runs at once, no room, no memory, what cannot be written or replaced."""
    from soak.runs.machine import TRIALS

    goals = small(folder)
    for title, (trial, full) in TRIALS.items():
        count, ends, wrong = max(2, round(share * full)), Counter[str](), []
        for number in range(count):
            place = folder / f"trial-{number}"
            outcome, said = trial(goals[number % len(goals)], place, Random(f"{title}/{number}"))
            ends[outcome] += 1
            wrong += [f"{title}/{number}: {each}" for each in said]
            shutil.rmtree(place)
        told = "; ".join(f"{number} {end}" for end, number in sorted(ends.items()))
        yield row(title, count, f"{told}; the next run ended with the same bytes", wrong)


def edits(share: float, folder: Path, first: int = 0) -> Iterator[Row]:
    """Chains of random edits, a run after each, beside a run from nothing; then taken back."""
    from soak.runs.edits import edits as edited

    goals, wrong, made = small(folder), [], 0
    for number in range(first, first + max(2, round(share * CHAINS))):
        place = folder / f"edited-{number}"
        place.mkdir()
        done, said = edited(goals[number % len(goals)], place, Random(number), EDITS)
        made, wrong = made + len(done), wrong + [f"edits/{number}: {each}" for each in said]
        shutil.rmtree(place)
    title = "edits of code, data, configuration, environment and clock, each with a run"
    yield row(
        title, made, "the bytes of a run from nothing, and when taken back those of before", wrong
    )


@cache
def small(folder: Path) -> list[Any]:
    """Return the small goals, made once without any fault."""
    from soak.runs.small import rights

    return rights(folder)


PARTS = {each.__name__: each for each in (inputs, tampering, kills, places, machine, edits)}


def entered(page: str, rows: list[Row]) -> str:
    """Return the page with the rows of faults that were measured, and their total."""
    start = page.index(RULE) + len(RULE)
    end = page.index("\n\n", start) + 1
    known = {line.split(" | ")[0][2:]: line for line in page[start:end].splitlines()}
    for each in rows:
        said = each["fault"], each["trials"], each["outcome"], len(each["wrong"])
        known[each["fault"]] = f"| {' | '.join(map(str, said))} |"
    total = sum(int(line.split(" | ")[1]) for line in known.values())
    machine = f"{platform.system()} with Python {platform.python_version()}"
    after = re.sub(r"(?m)^\d+ trials, on .*", f"{total} trials, on {machine}.", page[end:], count=1)
    return page[:start] + "\n".join(known.values()) + "\n" + after


def main() -> int:
    """Run the parts and enter what was measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="*", choices=list(PARTS), default=list(PARTS))
    parser.add_argument("--share", type=float, default=1.0, help="of the trials, above 0")
    parser.add_argument("--first", type=int, default=0, help="seed of the first chain of edits")
    arguments = parser.parse_args()
    folder, failed = Path(mkdtemp(prefix="soak-")), 0
    try:
        for name in arguments.only:
            options = {"first": arguments.first} if name == "edits" else {}
            for each in PARTS[name](arguments.share, folder, **options):
                failed += len(each["wrong"])
                told = f"{each['trials']} trials, {each['outcome']}, {len(each['wrong'])} wrong"
                print(
                    f"{each['fault']}: {told}", *each["wrong"][:20], sep="\n  wrong: ", flush=True
                )
                PAGE.write_text(entered(PAGE.read_text(encoding="utf-8"), [each]), encoding="utf-8")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
