"""Run the tiny profile under another Snakemake than the lock's, and compare all bytes.

    python tools/newest.py [GOAL ...] [--version 9.5.1]

The newest Snakemake of the package index, or the version named, goes into `build/newest`, with the
libraries of this environment behind it. Both Snakemakes make the goals, everything when none is
named, in a copy of the project; the second then has nothing to do in what the first has made.
Exits 1 when bytes differ or anything is made again. What of Snakemake is used beside its rules
stands in `docs/design.md`.
"""

import argparse
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))
sys.path.insert(0, str(ROOT / "src"))

from checkout import Project, copied  # noqa: E402
from soak.runs.small import made  # noqa: E402

PLACE = ROOT / "build/newest"


def installed(version: str | None) -> Path:
    """Return the Python of an environment with a Snakemake of its own."""
    venv.create(PLACE, with_pip=True, clear=True)
    python = PLACE / "bin/python"
    wanted = f"snakemake=={version}" if version else "snakemake"
    words = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", wanted]
    subprocess.run([python, *words, "snakemake-interface-logger-plugins"], check=True)
    ask = "import sysconfig; print(sysconfig.get_paths()['purelib'])"
    own = subprocess.run([python, "-c", ask], capture_output=True, text=True, check=True)
    behind = sysconfig.get_paths()["purelib"]
    (Path(own.stdout.strip()) / "behind.pth").write_text(f"{behind}\n", encoding="utf-8")
    return python


def run(python: Path, project: Project, goals: list[str]) -> str:
    """Make goals of the tiny profile; return what was said."""
    words = ["-m", "opchar.cli", "run", *goals, "--profile", "tiny", "--policy", "offline"]
    end = subprocess.run(
        [python, *words, "--cores", "2"],
        cwd=project.folder,
        env=project.environment,
        capture_output=True,
        text=True,
    )
    if end.returncode:
        raise SystemExit(f"{python}: {end.stderr[-600:]}")
    return end.stderr


def main() -> int:
    """Compare what two Snakemakes make."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("goals", nargs="*", metavar="GOAL")
    parser.add_argument("--version", help="of Snakemake; the newest when not given")
    arguments = parser.parse_args()
    locked, other = Path(sys.executable), installed(arguments.version)
    ask = [other, "-m", "snakemake", "--version"]
    version = subprocess.run(ask, capture_output=True, text=True, check=True).stdout.strip()
    with TemporaryDirectory() as name:
        ours, theirs = (copied(Path(name) / each) for each in ("locked", "other"))
        run(locked, ours, arguments.goals)
        run(other, theirs, arguments.goals)
        mine, found = made(ours.folder), made(theirs.folder)
        wrong = [each for each in sorted(mine | found) if mine.get(each) != found.get(each)]
        said = run(other, ours, arguments.goals)
        wrong += [line for line in said.splitlines() if line.startswith("[")]
    print(f"Snakemake {version}: {len(mine)} files; " + ("; ".join(wrong[:10]) or "the same"))
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
