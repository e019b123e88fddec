"""Every fault we can think of, at length: damaged inputs, damaged results, kills, odd places.

    python tools/soak.py [--only inputs tampering ...] [--share 0.1]

What was measured goes to `build/soak/<part>.json`, from which `tools/reliability.py` makes
`docs/reliability.md`. Exits 1 when anything went wrong; what did is printed with the number of the
input, which makes it again. A whole soak takes hours; `--share` takes that share of the trials.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
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
    from opchar.pipeline.configuration.config import load
    from opchar.pipeline.plan import Plan
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
    """SIGKILL, a third of them in the first or last moments of a write."""
    from soak.runs import kills as killed

    count = max(2, round(share * KILLS))
    done, copies, wrong = killed(right(folder), folder, count)
    outcome = f"{copies} copies went on and ended with the same bytes"
    yield {"fault": "a run killed", "trials": done, "outcome": outcome, "wrong": wrong}


def places(share: float, folder: Path) -> Iterator[Row]:
    """Ctrl-C, odd places and environments, files in the way, no room, no memory."""
    from soak import runs

    took, wrong = runs.interrupted(folder)
    said = f"one line after {took:.1f} s"
    yield {"fault": "Ctrl-C", "trials": 1, "outcome": said, "wrong": wrong}
    plain = right(folder)
    went_on = "one line; the next run ended with the same bytes"
    measures = [
        (f"a run with {name}", "the same bytes", runs.elsewhere, name) for name in runs.PLACES
    ]
    measures += [
        (f"a file where the folder {name} must be", went_on, runs.cannot_be_written, name)
        for name in runs.BLOCKED
    ]
    if os.getuid() == 0 and sys.platform == "linux":
        measures += [
            (f"a disk of {size} MB that gets full", went_on, runs.without_room, size)
            for size in (30, 60)
        ]
    measures += [
        (f"{size} MB of memory a process", went_on, runs.without_memory, size)
        for size in (700, 1500)
    ]
    for title, outcome, measure, what in measures:
        yield {
            "fault": title,
            "trials": 1,
            "outcome": outcome,
            "wrong": measure(plain, folder, what),
        }


def right(folder: Path) -> Path:
    """Return a folder in which the tiny profile has been run without any fault."""
    from checkout import copied
    from soak.runs import RUN

    given = os.environ.get("OPCHAR_SOAK_RIGHT")
    place = Path(given) if given else folder / "right"
    if not place.exists():
        done = copied(place).opchar(*RUN)
        if done.returncode:
            raise SystemExit(f"a run without any fault failed: {done.stderr}")
    return place


PARTS = {"inputs": inputs, "tampering": tampering, "kills": kills, "places": places}


def main() -> int:
    """Run the parts and write what was measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="*", choices=list(PARTS), default=list(PARTS))
    parser.add_argument("--share", type=float, default=1.0, help="of the trials, above 0")
    arguments = parser.parse_args()
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
