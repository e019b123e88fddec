"""How `opchar analyse`, counting and merging grow from 10^4 to 10^8 rows of Parquet, with memory.

    OMP_NUM_THREADS=1 python benchmarks/scaling.py [--largest 8] [--folder FOLDER]

Rows are made by the command, a million at a time, and go at its end. Each step is a process of its
own: its processor seconds and the largest memory that it held, libraries included. The exponent is
the slope of the logarithm against that of the rows, from 10^6 up. 10^8 rows need 1 GB of disk.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

BATCH = 1 << 20
SCHEMA = pa.schema([("y", pa.int64()), ("score", pa.float64())])
COUNT = "opchar.ScoreCounts.from_parquet({file!r}, label='y', score='score'"
STEPS = {
    "`opchar analyse`": "import sys; from opchar.cli import main; sys.argv[1:] = ['analyse', "
    "{file!r}, '--output', {folder!r}, '--quiet']; main()",
    "counting": f"import opchar; {COUNT})",
    "counting on a grid, and adding": "import opchar, numpy as np; c = "
    f"{COUNT}, grid=np.linspace(0, 1, 100_001)); c + c",
}


def make(rows: int, path: Path) -> None:
    """Write labels and probabilities, nearly all distinct."""
    with pq.ParquetWriter(path, SCHEMA) as writer:
        for start in range(0, rows, BATCH):
            rng = np.random.default_rng(start)
            y = (rng.random(min(BATCH, rows - start)) < 0.3).astype(int)
            score = 1 / (1 + np.exp(-rng.normal(1.5 * y)))
            writer.write_table(pa.table([y, score], schema=SCHEMA))


def measured(code: str) -> tuple[float, float]:
    """Return the processor seconds and the peak of memory, in MB, of a process."""
    told = "import resource; u = resource.getrusage(resource.RUSAGE_SELF); "
    told += "print(u.ru_utime + u.ru_stime, u.ru_maxrss / 1024)"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}; {told}"], capture_output=True, text=True, check=True
    )
    seconds, peak = done.stdout.split()[-2:]
    return float(seconds), float(peak)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--largest", type=int, default=8, help="a power of ten")
    parser.add_argument("--folder", type=Path, help="for the rows")
    arguments = parser.parse_args()
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in STEPS}
    powers = range(4, arguments.largest + 1)
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        for power in powers:
            path = Path(folder) / "scores.parquet"
            make(10**power, path)
            for name, code in STEPS.items():
                if name == "counting" and power > 7:
                    continue  # of all distinct scores, 24 bytes each
                filled = code.format(file=str(path), folder=f"{folder}/page")
                found[name].append(measured(filled))
    print(f"| processor seconds, MB | {' | '.join(f'10^{p}' for p in powers)} | exponents |")
    print(f"|{' --- |' * (len(powers) + 2)}")
    for name, values in found.items():
        cells = [f"{seconds:.1f}, {peak:,.0f}" for seconds, peak in values]
        cells += ["–"] * (len(powers) - len(cells))
        print(f"| {name} | {' | '.join(cells)} | {exponents(values[2:])} |")


def exponents(values: list[tuple[float, float]]) -> str:
    """Return the slopes of time and of memory over sizes that grow tenfold."""
    if len(values) < 2:
        return "–"
    slopes = np.polyfit(np.arange(len(values)), np.log10(values), 1)[0]
    return ", ".join(f"{slope:.1f}" for slope in slopes)


if __name__ == "__main__":
    main()
