"""The publication of docs/new-publication.md, as the page lays it out."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from checkout import HANGS, ROOT
from opchar_reproduction import publication
from opchar_reproduction.project.closure import sources

PAGE = ROOT / "docs/new-publication.md"
KEY = "fawcett2006"
BLOCK = re.compile(
    r"(?:^`(?P<file>[\w./]+)`:\n\n)?^```(?P<kind>\w+)\n(?P<text>.*?)^```$", re.M | re.S
)


def blocks() -> list[tuple[str, str, str]]:
    """Return the file that each block is the text of, if any, its kind, and its text."""
    found = BLOCK.finditer(PAGE.read_text(encoding="utf-8"))
    return [(each["file"] or "", each["kind"], each["text"]) for each in found]


def written(folder: Path) -> Path:
    """Write the files of the page below a folder, and tables without lines beside them."""
    sources.cache_clear()
    source = publication.folders()["soleymani2018"]
    for name in publication.TABLES:
        head = publication.file(source, name).read_text(encoding="utf-8").splitlines()[0]
        path = publication.file(folder / KEY, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{head}\n", encoding="utf-8")
    for file, _, text in blocks():
        if file:
            path = folder / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    return folder / KEY


def followed(home: Path) -> str:
    """Follow the whole page in a home of its own; return what its commands print."""
    (home / "bin").mkdir()
    command = home / "bin/opchar"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m opchar.cli "$@"\n')
    command.chmod(0o755)
    steps = ["set -euo pipefail"]
    for number, (file, kind, text) in enumerate(blocks()):
        if file:
            stored = home / f"block-{number}"
            stored.write_text(text, encoding="utf-8")
            steps.append(f'mkdir -p "$(dirname {file})"; cp "{stored}" {file}')
        elif kind == "sh":
            steps.append(text)
    shutil.copytree(ROOT, home / "OpChar", ignore=shutil.ignore_patterns(*LEFT), symlinks=True)
    done = subprocess.run(
        ["bash", "-c", "\n".join(steps)],
        cwd=home / "OpChar",
        env=os.environ
        | {"HOME": str(home), "PATH": f"{home / 'bin'}:{os.environ['PATH']}"}
        | {"PYTHONPATH": str(home / "OpChar/src")},
        capture_output=True,
        text=True,
        timeout=HANGS,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


LEFT = [".git", ".venv", "results", "data", "tests", ".snakemake", ".opchar", "logs", "docs"]
LEFT += ["build", "__pycache__", "*.egg-info", ".*_cache", ".hypothesis"]
