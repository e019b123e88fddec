"""Check that tools/figure-grades.csv grades each figure as it is drawn now.

    python tools/figures.py                                  what is not graded, or changed since
    python tools/figures.py --draw build/figures [names]     draw figures of a run, to look at them
    python tools/figures.py --grade A "finding" names        write down what was seen

A figure of one column is looked at 85 mm wide, one of two columns at 175 mm and once at 85 mm. It
has the grade A if all of this holds, B if one fails, and C if it misleads:

1. each axis has a quantity, and a unit where there is one;
2. each line, mark, tint and shade is named in the picture;
3. the spread of what is random is drawn, or the picture says that it is one sample;
4. no text lies on text or on marks, and none is smaller than 5.5 points;
5. series differ in form or place as well as in colour, and no pale mark carries a meaning alone;
6. data that are not the publication's, and choices of ours, are said in the picture;
7. what the caption says can be seen without the caption.

A grade carries the digest of the code that draws the figure: its renderer, with all that this
reaches in the modules that draw, and its parameters. Who changes one of them looks again.
"""

import argparse
import csv
import hashlib
import io
import json
import re
import sys
from collections.abc import Iterable
from pathlib import Path

from opchar_reproduction.project.closure import sources
from opchar_reproduction.project.configuration.config import load
from opchar_reproduction.project.plan import Plan
from opchar_reproduction.project.tasks import Tasks

ROOT = Path(__file__).resolve().parents[1]
FILE = ROOT / "tools/figure-grades.csv"
HEAD = ["figure", "grade", "left", "drawn_by"]
GRADES = "ABC"
DRAWING = re.compile(r"opchar(_reproduction)?/(figures|displays|publications)\b")


def digests(plan: Plan) -> dict[str, str]:
    """Return the digest of what draws each figure, by address."""
    found = {}
    for address in [*plan.artefacts(kind="figure"), *plan.artefacts_on_request()]:
        entry = plan.config.artefacts[address]
        if entry["kind"] != "figure":
            continue
        reached = sources().closure(entry["renderer"])
        code = sorted(said[0] for name, said in reached.items() if DRAWING.match(name))
        chosen = [entry.get("parameters", {}), entry.get("illustration", "")]
        said = json.dumps([code, chosen], sort_keys=True)
        found[address] = hashlib.sha256(said.encode()).hexdigest()[:8]
    return found


def graded(text: str) -> dict[str, tuple[str, str, str]]:
    """Return grade, finding and digest by address, from the text of the table."""
    rows = list(csv.reader(text.splitlines()))[1:]
    return {name: (grade, left, digest) for name, grade, left, digest in rows}


def complaints(text: str, drawn: dict[str, str]) -> list[str]:
    """Return a line for each figure that is not graded, has changed, or is not there any more."""
    found = graded(text)
    said = [f"{name}: not graded" for name in drawn if name not in found]
    said += [
        f"{name}: drawn by other code than when it was graded"
        for name, digest in drawn.items()
        if name in found and found[name][2] != digest
    ]
    return said + [f"{name}: there is no such figure" for name in found if name not in drawn]


def regraded(text: str, drawn: dict[str, str], names: Iterable[str], grade: str, said: str) -> str:
    """Return the table with the grade of some figures written in, in the order of the plan."""
    found = {name: row for name, row in graded(text).items() if name in drawn}
    found |= {name: (grade, said, drawn[name]) for name in names}
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(HEAD)
    writer.writerows([name, *found[name]] for name in drawn if name in found)
    return out.getvalue()


def draw(plan: Plan, names: Iterable[str], folder: Path, profile: str) -> None:
    """Draw figures from the results of a run, as PNG files in one folder."""
    from opchar_reproduction.jobs.showing import figure

    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        task = Tasks(plan).artefact(profile, name)
        results, curves = (ROOT / source for source in plan.artefact_sources(profile, name))
        if not curves.exists():
            print(f"{name}: no results of the profile {profile}", file=sys.stderr)
            continue
        file = folder / f"{name.replace('/', '-')}.png"
        figure.run(task.given["entry"], results=results, curves=curves, files=[file])


def main() -> int:
    """Check, draw or grade."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--draw", type=Path, metavar="FOLDER")
    parser.add_argument("--grade", nargs=2, metavar=("GRADE", "FINDING"))
    parser.add_argument("--profile", default="quick")
    parser.add_argument("names", nargs="*")
    chosen = parser.parse_args()
    plan = Plan(load(ROOT, overrides={"profile": chosen.profile}))
    drawn = digests(plan)
    unknown = [name for name in chosen.names if name not in drawn]
    if unknown:
        print(f"no such figure: {', '.join(unknown)}", file=sys.stderr)
        return 2
    page = FILE.read_text(encoding="utf-8")
    if chosen.draw:
        draw(plan, chosen.names or drawn, chosen.draw, chosen.profile)
        return 0
    if chosen.grade:
        if chosen.grade[0] not in GRADES:
            parser.error("the grade is A, B or C")
        FILE.write_text(regraded(page, drawn, chosen.names, *chosen.grade), encoding="utf-8")
        return 0
    said = complaints(page, drawn)
    print(*said, sep="\n" if said else "", end="\n" if said else "")
    return 1 if said else 0


if __name__ == "__main__":
    sys.exit(main())
