"""How often the rule of `agrees otherwise` takes a wrong reading, and what weighing costs.

Tables are made by a protocol that none of the readings describes: its cells lie as far from the
primary reading as those of the other readings do, in directions of their own. The least factor is
found from each table as for a published one. Every explanation is false.

    python benchmarks/readings.py
"""

from __future__ import annotations

from time import process_time

import numpy as np

from opchar.statistics.readings import Readings, chance_factors, explaining, least_factor

TABLES = 3000
DRAWS = 500
CELLS = (2, 6, 15, 44)
OTHERS = (5, 15, 47)
DISTANCES = (1.0, 3.0, 6.0)
SPREAD, UNIT = 0.02, 0.001


def wrong_table(cells: int, others: int, distance: float, rng: np.random.Generator) -> Readings:
    """Return readings, and a table that another protocol printed."""
    primary = rng.uniform(0.5, 0.95, cells)
    moves = rng.normal(0, distance * SPREAD, (others + 1, cells))
    values = np.vstack([primary, primary + moves[:-1]])
    printed = primary + moves[-1] + rng.normal(0, SPREAD, cells)
    return Readings(
        published=np.round(printed / UNIT) * UNIT,
        unit=np.full(cells, UNIT),
        values=values,
        spread=np.full(values.shape, SPREAD),
    )


def main() -> None:
    """Print the share of false explanations by size, number of readings and distance."""
    start, made = process_time(), 0
    print("cells  other readings  distance  false explanations")
    for cells in CELLS:
        for others in OTHERS:
            for distance in DISTANCES:
                rng = np.random.default_rng([cells, others, round(10 * distance)])
                taken = 0
                for _ in range(TABLES // len(DISTANCES)):
                    table = wrong_table(cells, others, distance, rng)
                    if explaining(table) is not None:  # by the least factor that there is
                        factor = least_factor(chance_factors(table, rng, DRAWS))
                        taken += explaining(table, factor) is not None
                    made += 1
                share = taken / (TABLES // len(DISTANCES))
                print(f"{cells:5d}  {others:14d}  {distance:8g}  {share:18.4f}", flush=True)
    print(f"{made} tables, {process_time() - start:.1f} s of CPU")


if __name__ == "__main__":
    main()
