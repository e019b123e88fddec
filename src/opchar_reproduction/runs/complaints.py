"""Why a run failed, in as few lines as possible."""

import re
from collections.abc import Iterable
from pathlib import Path

from opchar.errors import of_the_machine

LOG = Path(".opchar/last-run.log")
_OF_MEMORY = re.compile(r"(MemoryError|.*OutOfMemoryError|RuntimeError: can't start new thread)\b")
_TRACE = re.compile(r"Traceback \(most recent call last\)")
_RAISED = re.compile(r"[\w.]+(Error|Exception|Warning|Interrupt)(: |$)")
# How Python prints an error of the system, with the file where it has one.
_OF_THE_SYSTEM = re.compile(r"\w*Error: \[Errno (\d+)\] ([^:]+)(?:: '(.+?)')?(?: -> .*)?$")


def complaint(lines: list[str], errors: Iterable[tuple[str, str]] = ()) -> list[str]:
    """Return why Snakemake could not go on."""
    ours = [line for line in lines if line.startswith("opchar: ")]
    if ours:
        return ours[:1]
    everything = [*lines, *(line for _, message in errors for line in message.splitlines())]
    for line in everything:
        if found := _OF_THE_SYSTEM.match(line.strip()):
            number, reason, file = found.groups()
            if mended := of_the_machine(OSError(int(number), reason, file)):
                return [f"opchar: {mended}"]
    if any(_OF_MEMORY.match(line.strip()) for line in everything):
        return [f"opchar: {of_the_machine(MemoryError())}"]
    for _, message in errors:
        said = [line.rstrip() for line in message.splitlines() if line.strip()]
        if said and not any(_TRACE.match(line) for line in said):
            return said[:8]
    if any(_TRACE.match(line) for line in everything):
        last = [line for line in everything if _RAISED.match(line)]
        raised = last[-1] if last else "no last word"
        return [f"opchar: Snakemake broke off ({raised.strip()}); all it said is in {LOG}"]
    return [line for line in lines if line.strip()][-5:] or ["Snakemake said nothing"]


def last_line(log: str) -> str:
    """Return the last line in the log of a failed job, with the name of the log."""
    try:
        lines = Path(log).read_text(encoding="utf-8").strip().splitlines()
    except OSError:
        lines = []
    reason = lines[-1].removeprefix("opchar: ") if lines else "it wrote no message"
    return f"{reason} ({log})" if log else reason
