"""What Secs. 5.3 to 5.6 say about Figures 3 to 5 (mullick2020)."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from opchar_reproduction.percent import per_cent
from opchar_reproduction.statements.measurements import Finding, Measurements, conjunction
from opchar_reproduction.study import Control, statement


def as_if_right(measured: Measurements, *, frames: list[str]) -> Measurements:
    """Give all indices the least values of classifiers without errors."""
    for frame in frames:
        measured = measured.with_frame(frame, lambda table: table.assign(minimum=1.0))
    return measured


def as_if_wrong(measured: Measurements, *, frames: list[str]) -> Measurements:
    """Give all indices the least values of classifiers that are always wrong, on equal classes."""

    def least(line: pd.Series) -> float:
        classes = int(line["classes"])
        one_vs_one, weak = (classes - 2) / (2 * (classes - 1)), (classes - 2) / (2 * classes)
        normalised = (one_vs_one - weak) / (1 - weak)
        values = {"AUROC-OVA": one_vs_one, "AUROC-OVO": one_vs_one, "nAUROC-OVA": normalised}
        return values.get(str(line["index"]), 0.0)

    for frame in frames:
        measured = measured.with_frame(
            frame, lambda table: table.assign(minimum=table.apply(least, axis=1))
        )
    return measured


def steady_once(measured: Measurements, *, index: str) -> Measurements:
    """Let an index hardly deviate on the problem on which it deviates least."""
    table = measured.frame("deviations")
    least = table.loc[table["index"] == index, "deviation"].idxmin()
    changed = table["deviation"].where(table.index != least, 1e-9)
    return measured.with_frame("deviations", lambda each: each.assign(deviation=changed))


@statement("0053", also_judged_on=["mullick2020/second-witness"])
def varies_most(measured: Measurements, *, index: str = "Precision", share: float = 0.5) -> Finding:
    """Judge whether the index has the largest deviation of all on most problems."""
    table = _deviations(measured)
    most = table.drop(columns=index).max(axis=1) < table[index]
    return _on_most({index: most}, share, f"{index} varies most", table)


@statement("0057")
def varies_least(
    measured: Measurements,
    *,
    index: str = "mAURPC-OVA",
    than: str = "AURPC-OVA",
    share: float = 0.5,
) -> Finding:
    """Judge whether an index varies least of all on most problems, and less than another one."""
    table = _deviations(measured)
    least = table.drop(columns=index).min(axis=1) > table[index]
    better = (table[index] < table[than]).mean()
    found = _on_most({index: least}, share, f"{index} varies least", table)
    parts = {f"{index} varies least": found.holds, f"it varies less than {than}": better > share}
    return conjunction(parts, f"{found.evidence}; less than {than} on {per_cent(better)}")


@statement("0054", also_judged_on=["mullick2020/second-witness"])
def vary_less(
    measured: Measurements,
    *,
    these: list[str] = ["GMean", "AUROC"],
    those: list[str] = ["Precision", "AURPC"],
    share: float = 0.5,
) -> Finding:
    """Each of some indices varies less than each of others on most problems."""
    table = _deviations(measured)
    parts = {name: table[name] < table[those].min(axis=1) for name in these}
    return _on_most(parts, share, f"{' and '.join(these)} below {' and '.join(those)}", table)


@statement("0055", also_judged_on=["mullick2020/second-witness"])
def varies_between(
    measured: Measurements,
    *,
    index: str = "AURPC",
    below: str = "Precision",
    above: list[str] = ["GMean", "AUROC"],
    share: float = 0.5,
) -> Finding:
    """Judge whether the index varies less than one and more than others on most problems."""
    table = _deviations(measured)
    parts = {
        f"below {below}": table[index] < table[below],
        f"above {' and '.join(above)}": table[index] > table[above].max(axis=1),
    }
    claim = f"{index} below {below} and above {' and '.join(above)}"
    return _on_most(parts, share, claim, table)


@statement("0056", also_judged_on=["mullick2020/second-witness"])
def follow(
    measured: Measurements,
    *,
    modified: dict[str, str] = {"mPrecision": "Precision", "mAURPC": "AURPC"},
    stable: list[str] = ["GMean", "AUROC"],
    share: float = 0.5,
) -> Finding:
    """Each modified index varies more like the stable ones than like its original.

    `modified` has the original by the modified index.
    """
    table = _deviations(measured)
    centre = table[stable].mean(axis=1)
    parts = {
        name: (table[name] - centre).abs() < (table[name] - table[original]).abs()
        for name, original in modified.items()
    }
    claim = f"{' and '.join(modified)} nearer to {' and '.join(stable)} than to the originals"
    return _on_most(parts, share, claim, table)


@statement("0058")
def varies_slightly_more(
    measured: Measurements,
    *,
    index: str = "ACSA",
    than: str = "nAUROC-OVA",
    share: float = 0.5,
    times: float = 1.5,
) -> Finding:
    """Judge whether an index varies more than another on most problems, by a small factor."""
    table = _deviations(measured)
    return _slightly_more(table, index, than, share, times)


@statement(
    "0059",
    leaf_controls=[Control(steady_once, "hardly any deviation on one problem", index="nAUROC-OVA")],
)
def varies_slightly_more_than_its_least(
    measured: Measurements,
    *,
    index: str = "nAUROC-OVA",
    than: str = "ACSA",
    share: float = 0.5,
    times: float = 1.5,
) -> Finding:
    """Judge as `varies_slightly_more`, each deviation divided by the least of its index."""
    table = _deviations(measured)
    least = table.min()
    usable = table[least.index[least > 0]] / least[least > 0]
    if index not in usable or than not in usable:
        return Finding(False, "an index does not vary at all on some problem")
    return _slightly_more(usable, index, than, share, times)


@statement(
    "0060",
    control=Control(
        as_if_wrong, "classifiers that are always wrong", frames=["minima, few classes"]
    ),
    parameters={
        "classes": [3, 5],
        "near": True,
        "frame": "minima, few classes",
        "unit": "few-class problem",
        "gap": 0.05,
        "share": 0.5,
    },
)
@statement(
    "0061",
    control=Control(as_if_right, "classifiers without errors", frames=["minima, ten classes"]),
    parameters={
        "classes": [10],
        "near": False,
        "frame": "minima, ten classes",
        "unit": "ten-class problem",
        "gap": 0.05,
        "share": 0.5,
    },
)
def minima_near_normalised(
    measured: Measurements,
    *,
    classes: list[int],
    near: bool,
    frame: str,
    unit: str,
    gap: float,
    share: float,
) -> Finding:
    """Judge whether the least AUROC-OVA and AUROC-OVO are near their normalised forms."""
    table = _minima(measured, classes, frame, unit)
    gaps = pd.DataFrame(
        {
            "AUROC-OVA": table["AUROC-OVA"] - table["nAUROC-OVA"],
            "AUROC-OVO": table["AUROC-OVO"] - table["ACSA"],
        }
    )
    parts = {name: each < gap if near else each > gap for name, each in gaps.items()}
    holds = pd.DataFrame(parts).all(axis=1)
    side = f"{'below' if near else 'above'} {gap:g}"
    medians = f"{gaps['AUROC-OVA'].median():.3f} and {gaps['AUROC-OVO'].median():.3f}"
    return conjunction(
        _shares({f"{name} {side}": each for name, each in parts.items()}, holds, share),
        f"both gaps {side} on {holds.sum()} of {len(holds)} problems of {_list_classes(classes)} "
        f"classes; medians {medians}, ACSA {table['ACSA'].median():.3f}",
    )


@statement("0062", control=Control(as_if_right, "classifiers without errors", frames=["minima"]))
def least_g_mean(
    measured: Measurements,
    *,
    few: list[int] = [3, 5],
    many: list[int] = [10],
    gap: float = 0.1,
    share: float = 0.5,
) -> Finding:
    """Judge whether the least GMean is near ACSA for few classes and far below for many."""
    shares, medians = [], []
    for classes, far in ((few, False), (many, True)):
        table = _minima(measured, classes, "minima", "problem")
        if not len(table):
            return Finding(False, f"there is no problem of {_list_classes(classes)} classes")
        below = table["ACSA"] - table["GMean"]
        shares.append(float(((below > gap) == far).mean()))
        medians.append(float(below.median()))
    parts = {
        f"near ACSA for {_list_classes(few)} classes": shares[0] > share,
        f"far below for {_list_classes(many)}": shares[1] > share,
    }
    return conjunction(
        parts,
        f"GMean within {gap:g} of ACSA on {per_cent(shares[0])} of the problems of "
        f"{_list_classes(few)} classes (median {medians[0]:.3f} below), farther below on "
        f"{per_cent(shares[1])} of those of "
        f"{_list_classes(many)} (median {medians[1]:.3f})",
    )


def _slightly_more(
    table: pd.DataFrame, index: str, than: str, share: float, times: float
) -> Finding:
    ratio = table[index] / table[than]
    if ratio.isna().all():
        return Finding(False, f"there is no problem on which {index} or {than} varies")
    larger, median = float((ratio > 1).mean()), float(ratio.median())
    return conjunction(
        {f"{index} varies more than {than}": larger > share, "only slightly": median < times},
        f"{index} above {than} on {per_cent(larger)} of {len(table)} problems; median ratio "
        f"{median:.3f}",
    )


def _on_most(
    parts: Mapping[str, pd.Series], share: float, text: str, table: pd.DataFrame
) -> Finding:
    """Judge whether all parts are true of one and the same problem on most of them."""
    means = ", ".join(f"{name} {value:.4f}" for name, value in table.mean().items())
    both = pd.DataFrame(parts).all(axis=1)
    return conjunction(
        _shares(parts, both, share),
        f"{text} on {both.sum()} of {len(both)} problems; mean deviations: {means}",
    )


def _shares(parts: Mapping[str, pd.Series], both: pd.Series, share: float) -> dict[str, bool]:
    """Return whether each part, and all of them together, are true of most problems."""
    most = {f"{name}, on most problems": float(each.mean()) > share for name, each in parts.items()}
    return most | ({"on the same problems": float(both.mean()) > share} if len(parts) > 1 else {})


def _deviations(measured: Measurements) -> pd.DataFrame:
    return _wide(measured.frame("deviations"), "deviation")


def _minima(measured: Measurements, classes: list[int], frame: str, unit: str) -> pd.DataFrame:
    table = measured.frame(frame).rename(columns={unit: "problem"})
    return _wide(table[table["classes"].isin(classes)], "minimum")


def _wide(table: pd.DataFrame, value: str) -> pd.DataFrame:
    """Return one row per problem and one column per index."""
    problems, rows = np.unique(table["problem"].to_numpy(), return_inverse=True)
    names, columns = np.unique(table["index"].astype(str).to_numpy(), return_inverse=True)
    values = np.full((len(problems), len(names)), np.nan)
    values[rows, columns] = table[value].to_numpy(dtype=float)
    return pd.DataFrame(values, columns=names)


def _list_classes(classes: list[int]) -> str:
    return " and ".join(map(str, classes))
