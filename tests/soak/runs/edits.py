"""Random edits of code, data, configuration, environment and clock, each followed by a run.

After the last edit the bytes are those of a run from nothing; when all edits are taken back, those
of before. An edit is any, so that nobody has thought of what follows from it.
"""

import ast
import os
import re
import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from checkout import Project
from soak.runs.small import MADE, STATE, Goal, Right, made

PAPERS = "src/opchar_reproduction/publications"
# Seconds of the clock before 1990 and after 2036.
TIMES = (6e8, 2.1e9)
SETTINGS = (
    {"LANG": "tr_TR.UTF-8", "LC_ALL": "tr_TR.UTF-8"},
    {"TZ": "Pacific/Chatham", "PYTHONHASHSEED": "77", "OMP_NUM_THREADS": "2"},
    {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONOPTIMIZE": "2"},
    {"OPCHAR_MIRROR": "/nowhere", "SOURCE_DATE_EPOCH": "0"},
    {"HOME": "/nowhere", "XDG_CACHE_HOME": "/tmp"},
)


@dataclass
class Edited:
    """A copy that is edited, where another stands, what was there, and how runs are started."""

    project: Project
    goal: Goal
    backup: Path = Path()
    before: dict[Path, tuple[bytes, os.stat_result] | None] = field(default_factory=dict)
    settings: dict[str, str] = field(default_factory=dict)

    def write(self, path: Path, content: bytes, *, time: float | None = None) -> None:
        """Replace a file of the sources, and keep what it was."""
        there = (path.read_bytes(), path.stat()) if path.exists() else None
        self.before.setdefault(path, there)
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
        if time is not None:
            os.utime(path, (time, time))

    def undo(self) -> None:
        """Take all edits back, the times of files included."""
        for path, there in self.before.items():
            path.unlink(missing_ok=True)
            if there is None:
                with suppress(OSError):  # a folder of its own goes with it
                    path.parent.rmdir()
            else:
                path.write_bytes(there[0])
                os.utime(path, ns=(there[1].st_atime_ns, there[1].st_mtime_ns))
        self.before, self.settings = {}, {}

    def run(self) -> tuple[int, str]:
        """Run the goal; return the exit status and the last lines."""
        done = self.project.opchar(*self.goal.words(), **self.settings)
        return done.returncode, done.stderr[-300:]


def _chosen(edited: Edited, chance: Random, *patterns: str) -> Path:
    folder = edited.project.folder
    return chance.choice(sorted(path for each in patterns for path in folder.glob(each)))


def _numbers(text: str) -> list[re.Match[str]]:
    """Return the digits after a decimal point of a text."""
    return list(re.finditer(r"(?<=\d\.)\d+(?=\D)", text))


def _other_digit(text: str, chance: Random) -> str | None:
    """Return a text with one digit of one decimal number changed, of the same length."""
    if not (found := _numbers(text)):
        return None
    at = chance.randrange(*chance.choice(found).span())
    return text[:at] + str((int(text[at]) + chance.randint(1, 9)) % 10) + text[at + 1 :]


def _digit_in(edited: Edited, chance: Random, *patterns: str, **options: float) -> str:
    """Change a digit in one of some files that have any."""
    while True:
        path = _chosen(edited, chance, *patterns)
        text = _other_digit(path.read_text(encoding="utf-8"), chance)
        if text is not None and (path.suffix != ".py" or _parses(text)):
            edited.write(path, text.encode(), **options)
            return f"a digit of {path.name}"


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def of_code(edited: Edited, chance: Random) -> str:
    """Change a number in the code of a study or of what draws."""
    places = (
        f"{PAPERS}/{edited.goal.paper}/**/*.py",
        "src/opchar/figures/*.py",
        "src/opchar/spaces/*.py",
    )
    return _digit_in(edited, chance, *places)


def of_code_unseen(edited: Edited, chance: Random) -> str:
    """Change a number in code whose file keeps its size and its time, with its bytecode there."""
    path = _chosen(edited, chance, f"{PAPERS}/{edited.goal.paper}/**/*.py")
    text = _other_digit(path.read_text(encoding="utf-8"), chance)
    if text is None or not _parses(text):
        return of_code(edited, chance)
    edited.write(path, text.encode(), time=path.stat().st_mtime)
    return f"a digit of {path.name}, with its size and time"


def of_data(edited: Edited, chance: Random) -> str:
    """Change a published number."""
    return _digit_in(edited, chance, f"{PAPERS}/{edited.goal.paper}/values.csv")


def of_words(edited: Edited, chance: Random) -> str:
    """Change a word of a template, of what a publication says of itself, or of a citation."""
    path = _chosen(
        edited,
        chance,
        "src/opchar_reproduction/report/templates/*",
        f"{PAPERS}/{edited.goal.paper}/about.yaml",
    )
    text = path.read_text(encoding="utf-8")
    word = chance.choice(sorted(set(re.findall(r"(?<= )[a-z]{5,}(?= )", text)) or {"x"}))
    edited.write(path, text.replace(f" {word} ", f" {word}s ", 1).encode())
    return f"a word of {path.name}"


def of_configuration(edited: Edited, chance: Random) -> str:
    """Change the seed, what a data set is called, or the share of a protocol."""
    name, old, new = chance.choice(
        [
            ("config", "\nseed: ", "\nseed: 1"),
            ("datasets", "title: ", "title: Another "),
            ("protocols", "test: 0.2", "test: 0.25"),
            ("models", "summary: ", "summary: Again "),
        ]
    )
    path = edited.project.folder / f"config/{name}.yaml"
    edited.write(path, path.read_text(encoding="utf-8").replace(old, new, 1).encode())
    return f"{name}.yaml: {new.strip()}"


def of_made_files(edited: Edited, chance: Random) -> str:
    """Damage, empty or delete a made file or a record of one."""
    files = [p for top in MADE for p in (edited.project.folder / top).rglob("*") if p.is_file()]
    path, damage = chance.choice(sorted(files)), chance.choice(["deleted", "emptied", "changed"])
    if damage == "deleted":
        path.unlink()
    else:
        path.write_bytes(b"" if damage == "emptied" else path.read_bytes() + b" ")
    return f"{path.name} {damage}"


def of_state(edited: Edited, chance: Random) -> str:
    """Delete what Snakemake or a run knows, or damage a part of it."""
    name = chance.choice([*STATE, ".opchar/modules", ".opchar/closures", "src/**/__pycache__"])
    for path in list(edited.project.folder.glob(name)):
        shutil.rmtree(path, ignore_errors=True)
    return f"{name} deleted"


def of_environment(edited: Edited, chance: Random) -> str:
    """Start the next runs with other settings, beside files that have the names of libraries."""
    # As the installed command is started, which does not look for libraries where it is.
    edited.settings = {"PYTHONSAFEPATH": "1", **chance.choice(SETTINGS)}
    for name in ("fractions.py", "matplotlibrc", "sitecustomize.py"):
        edited.write(edited.project.folder / name, b"raise SystemExit('from the folder')\n")
    return f"the environment {edited.settings}"


def of_clock(edited: Edited, chance: Random) -> str:
    """Give all files of one folder a time long ago or far ahead, as after a clock was set."""
    top, time = (
        chance.choice(["src", "config", "results", "data", "workflow"]),
        chance.choice(TIMES),
    )
    for path in (edited.project.folder / top).rglob("*"):
        if chance.random() < 0.7:
            os.utime(path, (time, time))
    return f"times of {top}"


def of_comments(edited: Edited, chance: Random) -> str:
    """Add a comment to a function or a word to what is said of it, which pages may show."""
    places = (f"{PAPERS}/{edited.goal.paper}/**/*.py", "src/opchar/s*/*.py", "src/opchar_*/*.py")
    path = _chosen(edited, chance, *places)
    text = path.read_text(encoding="utf-8")
    comment = re.sub(r"^(    return )", r"    # Another word.\n\1", text, flags=re.MULTILINE)
    docstring = re.sub(r'^(    """)(?=\w)', r"\1Again: ", text, flags=re.MULTILINE)
    edited.write(path, chance.choice([comment, docstring]).encode())
    return f"comments of {path.name}"


def of_order(edited: Edited, chance: Random) -> str:
    """Put the entries of a configuration, or the lines of a published table, in another order."""
    folder = edited.project.folder
    if chance.random() < 0.5:
        path = folder / f"config/{chance.choice(['datasets', 'models', 'protocols'])}.yaml"
        head, *blocks = re.split(r"^(?=\w)", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    else:
        path = folder / f"{PAPERS}/{edited.goal.paper}/values.csv"
        head, *blocks = path.read_text(encoding="utf-8").splitlines(keepends=True)
    edited.write(path, (head + "".join(chance.sample(blocks, len(blocks)))).encode())
    return f"the order of {path.name}"


def of_ends(edited: Edited, chance: Random) -> str:
    """Let the lines of a text end as another system ends them, or the text with an empty line."""
    places = ("config/*.yaml", f"{PAPERS}/{edited.goal.paper}/*.csv", "src/opchar/*.py")
    path = _chosen(edited, chance, *places, f"{PAPERS}/{edited.goal.paper}/**/*.py")
    content = path.read_bytes()
    other = chance.choice([content.replace(b"\n", b"\r\n"), content + b"\n"])
    edited.write(path, other)
    return f"ends of lines of {path.name}"


def of_links(edited: Edited, chance: Random) -> str:
    """Put a link in the place of a source, to another text of it elsewhere."""
    path = _chosen(edited, chance, f"{PAPERS}/{edited.goal.paper}/**/*.py", "config/*.yaml")
    text = path.read_text(encoding="utf-8")
    target = edited.project.folder / f"elsewhere-{path.name}"
    edited.write(target, (_other_digit(text, chance) or text).encode())
    if path.suffix == ".py" and not _parses(target.read_text(encoding="utf-8")):
        edited.write(target, text.encode())
    edited.write(path, b"")
    path.unlink()
    path.symlink_to(os.path.relpath(target, path.parent))
    return f"a link for {path.name}"


def of_files_beside(edited: Edited, chance: Random) -> str:
    """Lay files of other programs, and a module that nothing imports, beside sources and data."""
    folder = edited.project.folder
    for place in ("src/opchar", f"{PAPERS}/{edited.goal.paper}", "config", "data", "workflow"):
        name = chance.choice([".DS_Store", "Thumbs.db", "values.csv~", "unused.py", ".#lock"])
        edited.write(folder / place / name, b"x = 1\n")
    return "files beside"


def of_backup(edited: Edited, chance: Random) -> str:
    """Put back a made folder, or what was recorded of made files, from before all edits."""
    name = chance.choice([n for n in (*MADE, *STATE) if (edited.backup / n).exists()])
    place = edited.project.folder / name
    shutil.rmtree(place, ignore_errors=True)
    again = chance.choice([shutil.copy2, shutil.copyfile])
    shutil.copytree(edited.backup / name, place, symlinks=True, copy_function=again)
    return f"{name} from before"


def of_library(edited: Edited, chance: Random) -> str:
    """Let a library say that it is another version."""
    name = chance.choice(["numpy", "scipy", "pandas", "scikit-learn", "matplotlib"])
    place = edited.project.folder / f"src/{name.replace('-', '_')}-99.1.dist-info/METADATA"
    edited.write(place, f"Metadata-Version: 2.1\nName: {name}\nVersion: 99.1\n".encode())
    return f"another {name}"


KINDS: tuple[Callable[[Edited, Random], str], ...] = (
    *(of_code, of_code_unseen, of_data, of_words, of_configuration),
    *(of_made_files, of_state, of_environment, of_clock, of_comments, of_order, of_ends),
    *(of_links, of_files_beside, of_backup, of_library),
)


def edits(right: Right, folder: Path, chance: Random, count: int) -> tuple[list[str], list[str]]:
    """Edit a copy, and run it after each edit; return what was done, and what was wrong.

    Parameters
    ----------
    right : Right
    folder : pathlib.Path
        Where the copies stand.
    chance : random.Random
    count : int
        Edits, each of another kind as far as there are some.

    Returns
    -------
    done, wrong : list of str
    """
    edited = Edited(right.copy(folder / "edited", made=True), right.goal)
    edited.backup = right.project.folder
    kinds = chance.sample(KINDS, min(count, len(KINDS)))
    done: list[str] = []
    wrong: list[str] = []
    for kind in kinds:
        done.append(kind(edited, chance))
        status, said = edited.run()
        if "Traceback" in said:
            wrong.append(f"{done[-1]}: a traceback: {said}")
    fresh = _from_nothing(edited, folder / "fresh")
    fresh_status, _ = fresh.run()
    if (status, fresh_status) == (0, 0):
        wrong += [f"{name} differs" for name in _differing(edited, fresh)]
    elif status != fresh_status:
        wrong.append(f"exit {status}, from nothing {fresh_status}: {said}")
    edited.undo()
    status, said = edited.run()
    wrong += [f"taken back: exit {status}: {said}"] if status else []
    wrong += [f"taken back: {name} differs" for name in right.differing(edited.project)]
    return done, [f"{', '.join(done)}: {each}" for each in wrong[:10]]


def _from_nothing(edited: Edited, folder: Path) -> Edited:
    """Return a copy with all edits, of which nothing is made or known."""
    left = {edited.project.folder / name for name in (*MADE, *STATE)}
    shutil.copytree(
        edited.project.folder,
        folder,
        symlinks=True,
        ignore=lambda place, names: (
            {n for n in names if Path(place) / n in left} | ({"__pycache__"} & set(names))
        ),
    )
    project = Project(folder, edited.project.environment | {"PYTHONPATH": str(folder / "src")})
    return Edited(project, edited.goal, settings=edited.settings)


def _differing(first: Edited, second: Edited) -> list[str]:
    mine, theirs = made(first.project.folder), made(second.project.folder)
    return [n for n in sorted(mine.keys() | theirs.keys()) if mine.get(n) != theirs.get(n)]
