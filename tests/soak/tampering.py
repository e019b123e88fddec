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

Damage = Callable[[bytes, bytes, Random], bytes | None]


def _changed(content: bytes, other: bytes, chance: Random) -> bytes:
    found = bytearray(content)
    found[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    return bytes(found)


SWAPPED = "another file in its place"
# What becomes of the bytes of a file, nothing where it is gone.
DAMAGES: dict[str, Damage] = {
    "one bit changed": _changed,
    "cut": lambda content, _, chance: content[: chance.randrange(len(content))],
    SWAPPED: lambda content, other, _: other,
    "a line added": lambda content, *_: content + b"\n",
    "emptied": lambda *_: b"",
    "deleted": lambda *_: None,
}


def made_files(plan: Plan, profile: str) -> list[str]:
    """Return the files that records vouch for, in the working directory."""
    return [file for file, _ in State(plan, profile).verify() if Path(file).is_file()]


def unnoticed(plan: Plan, profile: str, file: str, damage: str, chance: Random) -> str:
    """Damage a file, look whether all views notice, and put it back."""
    path = Path(file)
    before = path.read_bytes()
    stat = path.stat()
    other = b""
    if damage == SWAPPED:
        contents = (Path(each).read_bytes() for each in made_files(plan, profile))
        other = chance.choice([each for each in contents if each != before])
    after = DAMAGES[damage](before, other, chance)
    path.unlink() if after is None else path.write_bytes(after)
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
