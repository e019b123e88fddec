"""A random edit of a copy of the checkout, then `opchar run`: the bytes must be those of a run from nothing."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from common import Report

ROOT = Path(__file__).resolve().parents[2]
NUMBER = re.compile(r"(?<![\w.\"'])(\d+\.\d+|[1-9]\d*)(?![\w.\"'])")
MADE = ("results", "data", ".opchar", ".snakemake", "logs", "build", ".venv", ".git", "__pycache__")
# Where a fetch says when, and digests of that.
DATED = re.compile(rb'"(time|data/raw/[^"]*PROVENANCE.json)": "[^"]*"')
KINDS = ("code", "configuration", "template", "byte", "date", "deleted")


def copy(source, target):
    """Copy the sources of a checkout, and nothing that is made."""

    def left(folder, names):
        top = Path(folder) == Path(source)
        return {name for name in names if name == "__pycache__" or (top and name in MADE)}

    shutil.copytree(source, target, ignore=left)
    for name in ("results", "data"):
        readme = Path(source) / name / "README.md"
        (Path(target) / name).mkdir()
        if readme.exists():
            shutil.copy2(readme, Path(target) / name)


def make(folder, goals=()):
    """Make all of the tiny profile offline, or some goals; return the status and the last words."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("OPCHAR")}
    environment["PYTHONPATH"] = str(Path(folder) / "src")
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "opchar.cli",
            "run",
            *goals,
            "--profile",
            "tiny",
            "--policy",
            "offline",
        ],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, (done.stdout + done.stderr)[-600:]


def bytes_of(folder):
    """Return the hashes of all that is made, by path, but for the times of fetches."""
    found = {}
    for top in ("results", "data"):
        for path in sorted((Path(folder) / top).rglob("*")):
            if path.is_file() and path.name != "README.md":
                content = path.read_bytes()
                content = DATED.sub(b"", content) if path.suffix == ".json" else content
                found[str(path.relative_to(folder))] = hashlib.sha256(content).hexdigest()
    return found


def edit(rng, folder, kind):
    """Make one edit; return what it was, and whether a source changed."""
    folder = Path(folder)
    if kind in ("code", "configuration"):
        tops, ending = (
            (["src/opchar", "src/opchar_reproduction"], "*.py")
            if kind == "code"
            else (["config"], "*.yaml")
        )
        paths = sorted(
            path
            for top in tops
            for path in (folder / top).rglob(ending)
            if "publications" not in path.parts or rng.random() < 0.5
        )
        while True:
            path = rng.choice(paths)
            lines = path.read_text(encoding="utf-8").split("\n")
            places = [
                (number, found)
                for number, line in enumerate(lines)
                if not line.lstrip().startswith(("#", ">>>", '"""'))
                for found in NUMBER.finditer(line.partition("#")[0])
            ]
            if places:
                break
        number, found = rng.choice(places)
        line, old = lines[number], found[0]
        new = str(int(old) + 1) if old.isdigit() else repr(float(old) * 1.25)
        lines[number] = line[: found.start()] + new + line[found.end() :]
        path.write_text("\n".join(lines), encoding="utf-8")
        return f"{path.relative_to(folder)}:{number + 1}: {old} -> {new} in {line.strip()!r}", True
    if kind == "template":
        path = rng.choice(
            sorted(path for path in (folder / "src/opchar_reproduction/report").rglob("*.html"))
        )
        text = path.read_text(encoding="utf-8")
        path.write_text(text + "\n<!-- x -->\n", encoding="utf-8")
        return f"{path.relative_to(folder)}: a comment at its end", True
    if kind == "date":
        tops = ("src", "config", "data", "results")
        path = rng.choice(
            sorted(path for top in tops for path in (folder / top).rglob("*") if path.is_file())
        )
        moment = path.stat().st_mtime + rng.choice([-1, 1]) * rng.choice([5, 3600, 86400 * 400])
        os.utime(path, (moment, moment))
        return f"{path.relative_to(folder)}: date changed", False
    path = rng.choice([folder / each for each in bytes_of(folder)])
    if kind == "deleted":
        path.unlink()
        return f"{path.relative_to(folder)}: deleted", False
    data = bytearray(path.read_bytes() or b"x")
    place = rng.randrange(len(data))
    data[place] ^= 1 << rng.randrange(7)
    before = path.stat()
    path.write_bytes(bytes(data))
    if rng.random() < 0.5:
        os.utime(path, (before.st_atime, before.st_mtime))
    return f"{path.relative_to(folder)}: byte {place} changed", False


def run(report: Report, cases: int, goals: tuple[str, ...] = ()) -> None:
    """Make `cases` edits, each of a finished run, and compare what follows with a run from nothing."""
    with tempfile.TemporaryDirectory() as scratch:
        base = Path(scratch) / "base"
        copy(ROOT, base)
        status, words = make(base, goals)
        if status:
            report.say("workflow", 0, f"the run from nothing ends with {status}: {words}")
            return
        right = bytes_of(base)
        for number in range(cases):
            rng = report.draw("workflow", number)
            kind = KINDS[number % len(KINDS)]
            edited, fresh = Path(scratch) / "edited", Path(scratch) / "fresh"
            shutil.copytree(base, edited, symlinks=True)
            what, changed = edit(rng, edited, kind)
            print(f"  {kind}: {what}", flush=True)
            status, words = make(edited, goals)
            wanted, expected = 0, right
            if changed:
                copy(edited, fresh)
                wanted, _ = make(fresh, goals)
                expected = bytes_of(fresh)
            if bool(status) != bool(wanted):
                report.say(
                    "workflow",
                    number,
                    f"the run ends with {status}, one from nothing with {wanted}: {words}",
                    what,
                )
            elif not status:
                got = bytes_of(edited)
                off = sorted(
                    path
                    for path in got.keys() | expected.keys()
                    if got.get(path) != expected.get(path)
                )
                if off:
                    report.say(
                        "workflow",
                        number,
                        f"{len(off)} files differ from a run from nothing: {off[:6]}",
                        what,
                    )
            elif "Traceback" in words and kind == "configuration":
                report.say("workflow", number, f"a wrong configuration is no line: {words}", what)
            shutil.rmtree(edited)
            shutil.rmtree(fresh, ignore_errors=True)
