"""Every fault we can think of, at length: damaged inputs, damaged results, kills, odd places.

    python qa/soak.py [--only inputs tampering ...] [--share 0.1]
    python qa/soak.py --again

What was measured goes to `build/soak/<part>.json`, from which `qa/reliability.py` makes
`qa/reliability.md`. Exits 1 when anything went wrong; what did is printed with the number of the
input, which makes it again. A whole soak takes hours; `--share` takes that share of the trials.
`--again` tries the damaged inputs once more that were wrong, and says how many are mended.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import chdir
from functools import partial
from pathlib import Path
from random import Random
from tempfile import mkdtemp
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))
OUT = ROOT / "build/soak"
KILLS = 100
# Of edits, and edits of each.
CHAINS, EDITS = 25, 4

Row = dict[str, Any]


def inputs(share: float, folder: Path) -> Iterator[Row]:
    """Damaged inputs, each kind in a process of its own, since a reader may crash."""
    from soak.kinds import KINDS

    for name, kind in KINDS.items():
        yield _in_child(partial(_inputs_of, name, share), kind.title)


def _inputs_of(name: str, share: float) -> Row:
    from soak.kinds import KINDS
    from soak.trials import trials

    kind = KINDS[name]
    tally = trials(kind.make, name, max(kind.sample, round(kind.full * share)))
    wrong = [f"{name}/{number}: {what}: {said}" for number, what, said in tally.faults]
    outcome = f"{tally.counts['refused']} refused in one line, {tally.counts['accepted']} right"
    return {"fault": kind.title, "trials": tally.trials, "outcome": outcome, "wrong": wrong}


def again() -> int:
    """Try the inputs that were wrong once more, and note which are right now."""
    from soak.kinds import KINDS
    from soak.trials import trials

    place = OUT / "inputs.json"
    rows = json.loads(place.read_text(encoding="utf-8"))
    left = 0
    for row in rows:
        still = []
        for said in row["wrong"]:
            name, number = said.split(":")[0].split("/")
            tally = trials(KINDS[name].make, name, 1, first=int(number))
            still += [f"{name}/{number}: {what}: {wrong}" for _, what, wrong in tally.faults]
        if mended := len(row["wrong"]) - len(still):
            row["outcome"] += f"; {mended} wrong at first, mended and tried again"
        row["wrong"] = still
        left += len(still)
    place.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    print(f"{left} wrong")
    return int(left > 0)


def _in_child(measure: Callable[[], Row], title: str) -> Row:
    """Run in a fork, so that a crash of a library is a finding and not the end."""
    receive, send = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(receive)
        with os.fdopen(send, "w", encoding="utf-8") as stream:
            json.dump(measure(), stream)
        os._exit(0)
    os.close(send)
    with os.fdopen(receive, encoding="utf-8") as stream:
        text = stream.read()
    _, status = os.waitpid(child, 0)
    if status:
        return {"fault": title, "trials": 0, "outcome": "", "wrong": [f"died with {status}"]}
    return dict(json.loads(text))


def tampering(share: float, folder: Path) -> Iterator[Row]:
    """Every made file of a tiny run, damaged in every way, one at a time."""
    from opchar_reproduction.project.configuration.config import load
    from opchar_reproduction.project.plan import Plan
    from soak.tampering import DAMAGES, made_files, unnoticed

    with chdir(right(folder)):
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
            title = f"a made file: {damage}"
            outcome = f"{len(chosen) - len(wrong)} noticed by verify, status, run and the next job"
            yield {"fault": title, "trials": len(chosen), "outcome": outcome, "wrong": wrong}


def kills(share: float, folder: Path) -> Iterator[Row]:
    """SIGKILL of jobs, of the workflow and of all, half of them in the moments of a write."""
    from soak.runs.kills import kills as killed

    found = killed(_small(folder), folder, max(2, round(share * KILLS)))
    outcome = f"{found.chains} copies went on and ended with the same bytes; {found.told()}"
    yield {
        "fault": f"a run killed, {found.runs} runs",
        "trials": found.total,
        "outcome": outcome,
        "wrong": found.wrong,
    }


def places(share: float, folder: Path) -> Iterator[Row]:
    """Odd places, environments, users and orders of jobs."""
    from soak.runs.places import PLACES, elsewhere

    small = _small(folder)
    for name, place in PLACES.items():
        wrong = [said for right in small for said in elsewhere(right, folder, place)]
        yield {
            "fault": f"a run with {name}",
            "trials": len(small),
            "outcome": "the same bytes",
            "wrong": wrong,
        }


def machine(share: float, folder: Path) -> Iterator[Row]:
    """Ctrl-C, two runs at once, no room, no memory, what cannot be written or replaced."""
    from soak.runs.machine import TRIALS

    small = _small(folder)
    for title, (trial, full) in TRIALS.items():
        count, ends, wrong = max(2, round(share * full)), Counter[str](), []
        for number in range(count):
            place = folder / f"trial-{number}"
            chance = Random(f"{title}/{number}")
            outcome, said = trial(small[number % len(small)], place, chance)
            ends[outcome] += 1
            wrong += [f"{title}/{number}: {each}" for each in said]
            shutil.rmtree(place)
        told = "; ".join(f"{number} {end}" for end, number in sorted(ends.items()))
        outcome = f"{told}; the next run ended with the same bytes"
        yield {"fault": title, "trials": count, "outcome": outcome, "wrong": wrong}


def edits(share: float, folder: Path) -> Iterator[Row]:
    """Chains of random edits, a run after each, beside a run from nothing; then taken back."""
    from soak.runs.edits import edits as edited

    small, wrong, made = _small(folder), [], 0
    for number in range(max(2, round(share * CHAINS))):
        place = folder / f"edited-{number}"
        place.mkdir()
        done, said = edited(small[number % len(small)], place, Random(number), EDITS)
        made, wrong = made + len(done), wrong + [f"edits/{number}: {each}" for each in said]
        shutil.rmtree(place)
    yield {
        "fault": "edits of code, data, configuration, environment and clock, each with a run",
        "trials": made,
        "outcome": "the bytes of a run from nothing, and when taken back those of before",
        "wrong": wrong,
    }


def _small(folder: Path) -> list[Any]:
    """Return the small goals, made once without any fault."""
    from soak.runs.small import rights

    if str(folder) not in _SMALL:
        _SMALL[str(folder)] = rights(folder)
    return _SMALL[str(folder)]


_SMALL: dict[str, list[Any]] = {}


def right(folder: Path) -> Path:
    """Return a folder in which the tiny profile has been run without any fault."""
    from checkout import copied

    given = os.environ.get("OPCHAR_SOAK_RIGHT")
    place = Path(given) if given else folder / "right"
    if not place.exists():
        done = copied(place).opchar("run", "--profile", "tiny", "--policy", "offline")
        if done.returncode:
            raise SystemExit(f"a run without any fault failed: {done.stderr}")
    return place


PARTS = {
    "inputs": inputs,
    "tampering": tampering,
    "kills": kills,
    "places": places,
    "machine": machine,
    "edits": edits,
}


def main() -> int:
    """Run the parts and write what was measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="*", choices=list(PARTS), default=list(PARTS))
    parser.add_argument("--share", type=float, default=1.0, help="of the trials, above 0")
    parser.add_argument("--again", action="store_true", help="inputs that were wrong, once more")
    arguments = parser.parse_args()
    if arguments.again:
        return again()
    OUT.mkdir(parents=True, exist_ok=True)
    folder, failed = Path(mkdtemp(prefix="soak-")), 0
    try:
        for name in arguments.only:
            rows: list[Row] = []
            for row in PARTS[name](arguments.share, folder):
                rows.append(row)
                wrong = list(row["wrong"])
                failed += len(wrong)
                told = f"{row['trials']} trials, {row['outcome']}, {len(wrong)} wrong"
                print(f"{row['fault']}: {told}")
                print("".join(f"  wrong: {said}\n" for said in wrong[:20]), end="", flush=True)
                text = json.dumps(rows, indent=1) + "\n"
                (OUT / f"{name}.json").write_text(text, encoding="utf-8")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
