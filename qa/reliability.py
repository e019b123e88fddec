"""Write `qa/reliability.md` from what `qa/soak.py` and `qa/mutants.py` have measured."""

from __future__ import annotations

import json
import platform
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOAK = ROOT / "build/soak"
HEAD = """# Reliability

What happens under faults, as measured. `make soak` measures again and writes this page; a sample
of it is in the tests. Runs that are killed, interrupted or starved make two small goals of the tiny
profile: a table with its data and trainings, and a work to its ledger and pages. An input that is
damaged must be refused in one line or give right numbers; a right name of a model must be accepted;
a run that is stopped must go on to the same bytes. "Wrong" counts tracebacks, hangs (60 s of
computing), messages that are not one line of at most 600 letters, more than 2 GB of memory,
accepted nonsense, files half written, and results that differ.

| fault | trials | outcome | wrong |
| --- | --- | --- | --- |
"""
LIMITS = """
## What of a machine could reach a result

Jobs start in an environment of their own (`opchar.pipeline.runs.environment`), whoever starts them.
Each channel has a trial in `tests/unit/pipeline/test_environment.py`.

| channel | what jobs have |
| --- | --- |
| `matplotlibrc` anywhere, `MATPLOTLIBRC`, `MPLBACKEND` | Matplotlib's defaults and our style |
| `LANG`, `LC_*` | `LC_ALL=C`, Python in UTF-8 mode |
| `TZ`, `SOURCE_DATE_EPOCH` | UTC, none |
| `PYTHONHASHSEED` | 0 |
| `PYTHONPATH`, with `sitecustomize` found there | this code only |
| user site, with `usercustomize` | off, unless NumPy itself is installed there |
| other `PYTHON*` (`PYTHONOPTIMIZE`, `PYTHONWARNINGS`, ...) | none |
| thread counts of OpenMP, OpenBLAS, MKL, vecLib, numexpr | 1 |
| kernels that OpenBLAS and NumPy choose by the processor | those for AVX2 |
| other settings of these, NumPy, SciPy, scikit-learn, joblib, pandas, Arrow, glibc | none |
| `MALLOC_*` | larger limits, unless a person sets them: speed only |

Not closed: `LD_PRELOAD`, `LD_LIBRARY_PATH`, a `sitecustomize` inside the installation of Python
itself, fonts that hide Matplotlib's own in its cache of fonts. `opchar run ... --variant` computes
in the environment of the command.

## Limits

- SciPy's reader of MAT files can crash on a damaged file. None is read before its checksum was
  found right; bytes of MAT files are therefore not among the damaged inputs.
- Of a configuration, names, types, ranges and references are checked. A text that only its
  function can judge, such as a column that a statement looks for, is found wrong by the job that
  uses it.
- Results have the same bytes on all x86-64 Linux machines whose processors have AVX2 and FMA,
  which Intel's have since 2013 and AMD's since 2015 to 2017, but for a few of the cheapest.
  OpenBLAS and NumPy would take other kernels on one with AVX-512, and add and multiply in another
  order: of the files of the tiny profile 70 of 375 then differed, in last digits, and no verdict.
  Jobs therefore use the kernels for AVX2 (`opchar.pipeline.runs.kernels`) everywhere; what that
  costs is in [performance.md](../docs/performance.md). With them, and AVX-512 hidden from the C
  library, 0 of 384 files differed; another make of processor was not at hand. On a processor
  without AVX2, on others than x86-64 and on other systems than Linux, `opchar run` says that last
  digits may differ. `make check` tries this, and tests of numbers under kernels without AVX2,
  again (`tests/workflow/test_kernels.py`).
- The library itself, `opchar analyse` and `opchar run ... --variant` use the kernels of the
  machine. OpenCV, which reads photographs of a user's own copy of ImageNet or COX, chooses its
  own.
- No choice between equals hangs on the last bit: a threshold, a point of an envelope, a limit
  that is just kept, the directions of eigenvectors (`tests/property/test_ties.py`), pairs of
  thresholds, weights of classes, groups, centres, prototypes, neighbours at one distance
  (`tests/property/test_ties_of_searches.py`). Left to the last bits: the place of a minimum of a
  smooth function (known densities in `opchar.reject.two_stage.known_system`), which is certain to
  half of the digits, the order in which certified searches split what is left, signs of principal
  components, and what scikit-learn and imbalanced-learn choose (SMOTE, k-means).
- The same bytes are promised for one version of the libraries. From NumPy 2.4.6 and SciPy 1.17.1 to
  NumPy 2.5.5 and SciPy 1.18.1, which the lock names for newer Pythons, the features of the stand-in
  for satellite images changed by at most 1.4e-15 and with them their scores; of the 65 values of
  `landgrebe2007/p-roc` in the tiny profile 11 changed, by at most 1e-9, and Table 2.3 as printed by
  none. With the same libraries Pythons 3.11.7, 3.12.1 and 3.13.0 gave the same bytes of both small
  goals, 95 files; the page and the crate differ where they name the Python.
- Where a process may have fewer megabytes than its libraries want, the OpenBLAS in SciPy's wheels
  can look for memory without end: one of five such runs computed until it was killed. On a cluster
  the minutes of a job end it (`resources` in `config/config.yaml`).
- Floats tell whole numbers apart up to 2^53; scores beyond are refused when they would become
  equal.
- Records notice accidents and edits; whoever can write to the folder can forge records too
  (`SECURITY.md`).
"""


def main() -> int:
    """Write the page; exit 1 when nothing was measured."""
    rows, survivors = [], ""
    for name in ("inputs", "tampering", "kills", "places", "machine"):
        path = SOAK / f"{name}.json"
        if path.is_file():
            rows += json.loads(path.read_text(encoding="utf-8"))
    if not rows:
        print(f"{SOAK}: nothing measured; run qa/soak.py first", file=sys.stderr)
        return 1
    lines = [
        f"| {row['fault']} | {row['trials']} | {row['outcome']} | {len(row['wrong'])} |"
        for row in rows
    ]
    wrong = [f"- {said.splitlines()[0]}" for row in rows for said in row["wrong"]]
    listed = "\n## What went wrong\n\n" + "\n".join(wrong) + "\n" if wrong else ""
    if (SOAK / "mutants.json").is_file():
        survivors = _mutants(json.loads((SOAK / "mutants.json").read_text(encoding="utf-8")))
    total = sum(int(row["trials"]) for row in rows)
    measured = (
        f"\n{total} trials, on {platform.system()} with Python {platform.python_version()}.\n"
    )
    text = HEAD + "\n".join(lines) + "\n" + measured + listed + survivors + LIMITS
    (ROOT / "qa/reliability.md").write_text(text, encoding="utf-8")
    return 0


def _mutants(said: dict) -> str:
    """Return what is said of changes of our own code."""
    share = 100 * said["killed"] / said["drawn"]
    head = (
        "\n## Changes of our own code\n\n"
        "One changed operator, number, comparison or condition at a time in the spaces, the\n"
        "multi-class methods, the verdicts and the judging of statements (`qa/mutants.py`):\n"
        f"{said['killed']} of {said['drawn']} drawn from {said['mutants']} were killed by the "
        f"fitting tests, {share:.0f} %. The survivors:\n\n"
        "| file | line | change |\n| --- | --- | --- |\n"
    )
    return head + "".join(
        f"| {each['file']} | {each['line']} | {each['change']} |\n" for each in said["survivors"]
    )


if __name__ == "__main__":
    sys.exit(main())
