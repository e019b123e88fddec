"""Made files changed, cut, swapped, emptied or deleted, one at a time: none is believed."""

import os
from collections.abc import Callable
from pathlib import Path
from random import Random

from opchar.errors import DataError
from opchar_reproduction.project.plan import Plan
from opchar_reproduction.project.records import check_inputs, place_of
from opchar_reproduction.runs import one_variant
from opchar_reproduction.runs.state import State, why_again

Damage = Callable[[Path, Path, Random], None]


def _changed(path: Path, other: Path, chance: Random) -> None:
    content = bytearray(path.read_bytes())
    place = chance.randrange(len(content))
    content[place] ^= 1 << chance.randrange(8)
    path.write_bytes(content)


def _cut(path: Path, other: Path, chance: Random) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: chance.randrange(len(content))])


def _swapped(path: Path, other: Path, chance: Random) -> None:
    path.write_bytes(other.read_bytes())


def _lengthened(path: Path, other: Path, chance: Random) -> None:
    path.write_bytes(path.read_bytes() + b"\n")


def _emptied(path: Path, other: Path, chance: Random) -> None:
    path.write_bytes(b"")


def _deleted(path: Path, other: Path, chance: Random) -> None:
    path.unlink()


DAMAGES: dict[str, Damage] = {
    "one bit changed": _changed,
    "cut": _cut,
    "another file in its place": _swapped,
    "a line added": _lengthened,
    "emptied": _emptied,
    "deleted": _deleted,
}


def made_files(plan: Plan, profile: str) -> list[str]:
    """Return the files that records vouch for, in the working directory."""
    return [file for file, _ in State(plan, profile).verify() if Path(file).is_file()]


def unnoticed(plan: Plan, profile: str, file: str, damage: str, chance: Random) -> str:
    """Damage a file, look whether all views notice, and put it back."""
    path = Path(file)
    before = path.read_bytes()
    stat = path.stat()
    other = path
    if DAMAGES[damage] is _swapped:
        files = map(Path, made_files(plan, profile))
        other = chance.choice([each for each in files if each.read_bytes() != before])
    DAMAGES[damage](path, other, chance)
    try:
        return _views(plan, profile, file, damage == "deleted")
    finally:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(before)
        os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))


def _views(plan: Plan, profile: str, file: str, gone: bool) -> str:
    state = State(plan, profile)
    verified = dict(state.verify())
    if verified.get(file) != ("missing" if gone else "changed"):
        return f"opchar verify says {verified.get(file)!r}"
    for task in one_variant.variant_tasks(plan, profile):  # made when asked for, by no run
        if file in task.outputs:
            return "" if why_again(task) else "opchar status does not say to make it again"
    task = state.tasks.get(file)
    first = task.outputs[0] if task else None
    if first is None:  # a page of the report, recorded with its first one
        first = next((f for f in state.reasons if _records(f, file)), None)
    if first not in state.reasons:
        return "opchar status finds nothing to make again"
    if Path(first).exists() and first not in state.stale_or_modified():
        return "opchar run would not make it again"
    if not gone and task is not None and not refused_by_jobs(file):
        return "a job would read it"
    return ""


def _records(first: str, file: str) -> bool:
    place = place_of(first)
    return place.is_file() and f'"{file}"' in place.read_text(encoding="utf-8")


def refused_by_jobs(file: str) -> bool:
    """Whether a job that is to read a changed file refuses it."""
    try:
        check_inputs([Path(file)])
    except DataError:
        return True
    return False
