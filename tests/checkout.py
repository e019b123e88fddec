"""Copies of the project to run the workflow in, as a person would after a fresh clone."""

import fcntl
import io
import os
import pickle
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

from opchar.cli import main
from opchar_reproduction import publication, safe_yaml

ROOT = Path(__file__).resolve().parents[1]
TAKEN = ["Snakefile", "profiles", "config", "src", "studies", "workflow"]
TAKEN += ["environment.yml", "CITATION.cff"]
# Seconds after which a command hangs, however loaded the machine.
HANGS = 7200


@dataclass
class Project:
    """A copy of the project that tests may run, edit and break."""

    folder: Path
    environment: dict[str, str]

    def run(self, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run ``python -m words`` in the copy, with its own sources."""
        return self.python("-m", *words, **environment)

    def python(self, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *words],
            cwd=self.folder,
            env=self.environment | environment,
            capture_output=True,
            text=True,
            timeout=HANGS,
        )

    def snakemake(self, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return self.run("snakemake", *words, **environment)

    def opchar(self, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return self.run("opchar.cli", *words, **environment)

    def look(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run a command in this process: with the checkout's sources, on the files of the copy."""
        said = io.StringIO(), io.StringIO()
        with (
            chdir(self.folder),
            patch.dict(os.environ, self.environment, clear=True),
            redirect_stdout(said[0]),
            redirect_stderr(said[1]),
        ):
            status = main(list(words))
        return subprocess.CompletedProcess(words, status, *(each.getvalue() for each in said))

    def edit(self, file: str, old: str, new: str) -> Callable[[], int]:
        """Replace `old` by `new` in a file; return the function that puts it back."""
        path = self.folder / file
        text = path.read_text(encoding="utf-8")
        assert text.count(old) >= 1, f"{file} has no {old!r}"
        path.write_text(text.replace(old, new, 1), encoding="utf-8")
        return partial(path.write_text, text, encoding="utf-8")

    def bytes_of(self, *patterns: str) -> dict[str, bytes]:
        """Return the content of all files that match, by relative path."""
        paths = sorted(path for pattern in patterns for path in self.folder.glob(pattern))
        return {str(path.relative_to(self.folder)): path.read_bytes() for path in paths}


def copied(folder: Path) -> Project:
    for name in TAKEN:
        source, target = ROOT / name, folder / name
        if source.is_dir():
            # With bytecode, which is as good in a copy whose files keep their times.
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("*.egg-info"))
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)
    return at(folder)


def configured(name: str) -> Any:
    """Return what a file of ``config/`` holds."""
    return pickle.loads(_configured(name))


@cache
def _configured(name: str) -> bytes:
    return pickle.dumps(safe_yaml.read_yaml(ROOT / f"config/{name}.yaml"))


def publications(folder: Path) -> dict[str, Path]:
    """Copy what the publications print, without their studies; return the folders by key."""
    for key, source in publication.folders().items():
        shutil.copytree(source, folder / key, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    return {key: folder / key for key in publication.folders()}


def at(folder: Path) -> Project:
    """Return the copy in a folder, offline and without a mirror."""
    kept = {
        k: v for k, v in os.environ.items() if k not in ("PYTHONDONTWRITEBYTECODE", "OPCHAR_MIRROR")
    }
    return Project(folder, kept | {"PYTHONPATH": str(folder / "src")})


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Keep other processes that ask for the same file waiting."""
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
