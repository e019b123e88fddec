"""Which functions of ours a run spends its time in, and in which of a library's.

    py-spy record --subprocesses --format raw --output build/stacks.txt -- opchar run
    python benchmarks/hottest.py build/stacks.txt

A sample counts for the innermost function of the package that is on the stack, so that what a
library does is counted for the function that called it. Beside it stands the innermost frame that
was seen most often below it. py-spy comes from the package index; it is not among the pinned
packages.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter, defaultdict
from pathlib import Path

FRAME = re.compile(r"(?P<function>.+) \((?P<file>[^()]*?)(?::\d+)?\)$")
# What runs a job is no kernel.
MACHINERY = ("opchar/pipeline", "opchar/cli", "opchar/functions")


def counted(lines: list[str]) -> tuple[Counter[str], dict[str, Counter[str]]]:
    """Return the samples of each function of the package, and what was innermost below it."""
    ours: Counter[str] = Counter()
    below: dict[str, Counter[str]] = defaultdict(Counter)
    for line in lines:
        stack, _, samples = line.rpartition(" ")
        frames = [found for part in stack.split(";") if (found := FRAME.match(part))]
        inside = [each for each in frames if _ours(each["file"])]
        if inside:
            name = f"{inside[-1]['file'].rpartition('src/')[2]}:{inside[-1]['function']}"
            ours[name] += int(samples)
            last = frames[-1]
            below[name][f"{last['function']} ({Path(last['file']).name})"] += int(samples)
    return ours, below


def _ours(file: str) -> bool:
    inner = file.rpartition("src/")[2]
    return inner.startswith("opchar/") and not inner.startswith(MACHINERY)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("stacks", nargs="?", type=Path, default=Path("build/stacks.txt"))
    parser.add_argument("--most", type=int, default=20)
    arguments = parser.parse_args()
    if not arguments.stacks.is_file():
        print(f"{arguments.stacks}: no stacks; py-spy writes them (see the top of this file)")
        return
    ours, below = counted(arguments.stacks.read_text(encoding="utf-8").splitlines())
    total = sum(ours.values())
    print("| share | function | most often in |\n| --- | --- | --- |")
    for name, samples in ours.most_common(arguments.most):
        inner = ", ".join(f"{at} {n / samples:.0%}" for at, n in below[name].most_common(2))
        print(f"| {samples / total:.1%} | `{name}` | {inner} |")


if __name__ == "__main__":
    main()
