"""Which kernels of linear algebra and of NumPy the jobs of a run use.

OpenBLAS and NumPy choose theirs by the processor. Those for AVX-512 add and multiply in another
order than those for AVX2, so that last digits differ between processors. Every x86-64 processor
since 2013 (Intel Haswell) and 2017 (AMD Zen) has AVX2 and FMA, but for a few of the cheapest. With
the kernels for these, all of them write the same bytes.
"""

import platform
from pathlib import Path

NEEDED = {"avx2", "fma", "bmi1", "bmi2", "f16c", "movbe"}
PINNED_KERNELS = {
    # One kernel in both copies of OpenBLAS, NumPy's and SciPy's.
    "OPENBLAS_CORETYPE": "Haswell",
    # NumPy's loops above AVX2, by the names that NumPy has given them since 2.4.
    "NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL AVX512_SPR",
}


def pinned_kernels(cpuinfo: Path = Path("/proc/cpuinfo")) -> dict[str, str]:
    """Return the variables that make jobs use the same kernels on every processor with AVX2."""
    if platform.machine().lower() not in ("x86_64", "amd64") or not cpuinfo.is_file():
        return {}
    with cpuinfo.open(encoding="utf-8") as lines:
        flags = next((line for line in lines if line.startswith("flags")), "")
    return dict(PINNED_KERNELS) if set(flags.partition(":")[2].split()) >= NEEDED else {}


def caution() -> str | None:
    """Return one line for a person on whose machine kernels cannot be chosen; None elsewhere."""
    if pinned_kernels():
        return None
    return (
        "opchar: this is no x86-64 Linux whose processor has AVX2 and FMA: last digits of results "
        "may differ from those of other machines (docs/reliability.md)"
    )
