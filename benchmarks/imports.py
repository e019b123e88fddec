"""How long `import opchar` takes beside numpy alone, each in a fresh interpreter."""

from __future__ import annotations

import subprocess
import sys
from statistics import median

RUNS = 9
STATEMENTS = {
    "numpy": "import numpy",
    "numpy and opchar": "import numpy; import opchar",
    "numpy and opchar.spaces": "import numpy; import opchar.spaces",
    "numpy, opchar and an area": "import numpy, opchar; opchar.roc_auc([0, 1], [0.1, 0.2])",
    "numpy and scikit-learn's metrics": "import numpy; import sklearn.metrics",
}


def seconds(statement: str) -> float:
    """Return the time that a statement takes, without that of starting Python."""
    code = (
        f"import time; start = time.perf_counter(); {statement}; print(time.perf_counter() - start)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return float(done.stdout)


def main() -> None:
    """Measure all in turn, so that what else the machine does meets all of them."""
    taken: dict[str, list[float]] = {name: [] for name in STATEMENTS}
    for _ in range(RUNS):
        for name, statement in STATEMENTS.items():
            taken[name].append(seconds(statement))
    base = median(taken["numpy"])
    print(f"{'':34} {'ms':>7} {'beyond numpy':>13} {'ratio':>6}")
    for name, times in taken.items():
        value = median(times)
        print(f"{name:34} {value * 1e3:7.1f} {(value - base) * 1e3:10.1f} ms {value / base:6.2f}")


if __name__ == "__main__":
    main()
