"""Write `docs/reliability.md` from what `tools/soak.py` and `tools/mutants.py` have measured."""

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
| other settings of these, NumPy, SciPy, scikit-learn, joblib, pandas, Arrow | none |
| `MALLOC_*` | larger limits, unless a person sets them: speed only |

Not closed: `LD_PRELOAD`, `LD_LIBRARY_PATH`, a `sitecustomize` inside the installation of Python
itself, fonts that hide Matplotlib's own in its cache of fonts. `opchar run ... --reading` computes
in the environment of the command.

## Limits

- SciPy's reader of MAT files can crash on a damaged file. None is read before its checksum was
  found right; bytes of MAT files are therefore not among the damaged inputs.
- Of a configuration, names, types, ranges and references are checked. A text that only its
  function can judge, such as a column that a statement looks for, is found wrong by the job that
  uses it.
- Kernels of linear algebra differ between processors: OpenBLAS and NumPy take others on one
  with AVX-512 than on one with AVX2. Of the 375 files of the tiny profile 70 then differ, in
  last digits; no verdict does. With the kernels of `opchar.pipeline.runs.kernels`, which every
  x86-64 processor with AVX2 has, all 375 were the same on a processor with AVX-512 and on the
  same one with AVX-512 hidden from the C library; another make of processor was not at hand.
  The run took 103 s of processor time with them and 108 s without; of single functions the
  product of two 800 x 800 matrices took 1.35 times as long, sorting 1.4 times, exponentials 4.6
  times, training a support vector machine 0.7 times.
- No choice between equals hangs on the last bit: a threshold, a point of an envelope, a limit
  that is just kept, the directions of eigenvectors (`tests/property/test_ties.py`). Choices of
  the models that are trained (neighbours at one distance, centres) are those of their
  libraries.
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
        print(f"{SOAK}: nothing measured; run tools/soak.py first", file=sys.stderr)
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
    (ROOT / "docs/reliability.md").write_text(text, encoding="utf-8")
    return 0


def _mutants(said: dict) -> str:
    """Return what is said of changes of our own code."""
    share = 100 * said["killed"] / said["drawn"]
    head = (
        "\n## Changes of our own code\n\n"
        "One changed operator, number, comparison or condition at a time in the spaces, the\n"
        "multi-class methods, the verdicts and the judging of statements (`tools/mutants.py`):\n"
        f"{said['killed']} of {said['drawn']} drawn from {said['mutants']} were killed by the "
        f"fitting tests, {share:.0f} %. The survivors:\n\n"
        "| file | line | change |\n| --- | --- | --- |\n"
    )
    return head + "".join(
        f"| {each['file']} | {each['line']} | {each['change']} |\n" for each in said["survivors"]
    )


if __name__ == "__main__":
    sys.exit(main())
