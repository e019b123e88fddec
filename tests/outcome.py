"""What a run of the tiny profile has made: its ledger, and what must be the same to the byte.

With AVX-512 hidden from the C library besides the kernels of jobs, as on a processor without it,
all bytes must be the same.
"""

import csv

from checkout import Project
from opchar_reproduction.project.kernels import PINNED_KERNELS

KINDS = ("csv", "svg", "md", "html", "png", "pdf", "parquet")
SAME = (
    *(f"results/tiny/**/*.{kind}" for kind in KINDS),
    *("results/tiny/report/*.json", "results/tiny/report/*.bib"),
    *("data/features/**/*.parquet", "data/scores/**/*.parquet"),
)

# Goals that together have data, trainings, and studies of three kinds with figures and tables.
PART = ("tharwat2018", "anova", "vus", "costs")

NO_AVX512 = "-AVX512F,-AVX512VL,-AVX512BW,-AVX512DQ,-AVX512CD,-AVX512ER,-AVX512PF"
HIDDEN = PINNED_KERNELS | {"GLIBC_TUNABLES": f"glibc.cpu.hwcaps={NO_AVX512}"}


def with_kernels(project: Project, kernels: dict[str, str]) -> Project:
    """Let the jobs of a copy use some kernels, where they can be chosen."""
    project.edit(
        "src/opchar_reproduction/project/kernels.py",
        "def pinned_kernels(",
        f"PINNED_KERNELS = {kernels!r}\n\n\ndef pinned_kernels(",
    )
    return project


def ledger(project: Project) -> list[dict[str, str]]:
    """Return the lines of the ledger."""
    path = project.folder / "results/tiny/report/ledger.csv"
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def differing(one: Project, other: Project, *, whole: bool = True) -> list[str]:
    """Return the files whose bytes are not the same in both, or those of a part in the other."""
    mine, theirs = one.bytes_of(*SAME), other.bytes_of(*SAME)
    assert any(name.endswith(".csv") for name in mine)
    both = mine.keys() | theirs.keys() if whole else mine.keys()
    names = [name for name in both if not _of_one_variant(name)]
    return sorted(name for name in names if mine.get(name) != theirs.get(name))


def _of_one_variant(name: str) -> bool:
    """Whether a file was made under one variant that somebody asked for."""
    return "/variants/" in name and name.count("/") > 4
