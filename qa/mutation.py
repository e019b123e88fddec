"""Change printed numbers that agree by a tenth, and see whether the ledger notices.

    python qa/mutation.py --profile quick --size 50

Exits 1 when a number judged by its last digit is changed unnoticed, or fewer lines agree than asked
for. Numbers judged by a spread that is wider than a tenth of them are listed and forgiven, as are
those whose reproduced value is nearer to the changed number.
"""

import argparse
import sys
from pathlib import Path

from opchar_reproduction.project.configuration.config import load
from opchar_reproduction.project.plan import Plan
from opchar_reproduction.report.comparison.sources import read_sources

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))
from ledger_mutation import mutate, unnoticed_changes, verdict_of  # noqa: E402


def main() -> int:
    """Change a seeded sample and print what was noticed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--profile", default="quick")
    parser.add_argument("--size", type=int, default=50)
    parser.add_argument("--seed", type=int, default=2018)
    chosen = parser.parse_args()
    plan = Plan(load(ROOT, overrides={"profile": chosen.profile}))
    results = [ROOT / path for path in plan.results(chosen.profile)]
    if absent := [path for path in results if not path.is_file()]:
        print(f"{absent[0]}: not made yet; make it by 'opchar run'", file=sys.stderr)
        return 1
    sources = read_sources(
        plan.works(),
        {name: plan.config.artefacts[name] for name in plan.profile_artefacts(chosen.profile)},
        results=results,
        statements=[ROOT / path for path in plan.statement_tables(chosen.profile)],
    )
    found = mutate(*sources, size=chosen.size, seed=chosen.seed)
    print("\n".join(verdict_of(found)))
    return int(len(found) < chosen.size or len(unnoticed_changes(found)) > 0)


if __name__ == "__main__":
    sys.exit(main())
