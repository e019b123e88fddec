"""VUC and the gain of the reject option (Sec. 5.3.4)."""

import re

import pandas as pd

from opchar_reproduction.publications.landgrebe2007.paired_claims import standard_errors
from opchar_reproduction.statements.measurements import Finding, Measurements, conjunction
from opchar_reproduction.study import statement

QDC = "Phoneme / QDC t_d=0.01"
MOGC = "Phoneme / MOGC 1 4 t_d=0.01"


def _of_set(frame: pd.DataFrame, data: str) -> pd.DataFrame:
    """Return the rows of one set, with the model that each names."""
    rows = frame[frame["row"].str.startswith(f"{data} / ")]
    names = {row: re.sub(r" t_d=.*", "", row.split(" / ")[1]) for row in rows["row"].unique()}
    return rows.assign(model=rows["row"].map(names))


def _table(measured: Measurements, data: str) -> tuple[pd.DataFrame, str]:
    """Return VUC and gain by repeat, columns (measure, model), of one set, and the data."""
    rows = measured.rows("validation", _of_set, data)
    means = rows.groupby(["repeat", "model"])[["vuc", "gain"]].mean()
    table = pd.DataFrame(means.unstack("model"))  # noqa: PD010
    return table.sort_index(axis="columns"), str(rows["data set"].iloc[0])


def _means(table: pd.DataFrame) -> tuple[pd.Series, pd.Series]:
    """Return mean volume and mean gain of each model."""
    means = table.mean()
    by_measure = [pd.Series(means[name].to_dict(), dtype=float) for name in ("vuc", "gain")]
    return by_measure[0], by_measure[1]


def _in_words(table: pd.DataFrame) -> str:
    means = table.mean()
    return "VUC and gain: " + "; ".join(
        f"{model} {means['vuc', model]:.3f}, {means['gain', model]:.2f}"
        for model in table["vuc"].columns
    )


@statement("1004")
def all_but_one_gain(
    measured: Measurements, *, strong: float = 10, poor: str = "PCA-3D QDC", best: str = "QDC"
) -> Finding:
    """Ask whether four phoneme models gain strongly and one does not, which has the least VUC."""
    table, data = _table(measured, "Phoneme")
    volume, gain = _means(table)
    parts = {
        "four models gain strongly": (gain.drop(poor) > strong).all(),
        f"{poor} does not": gain[poor] < strong,
        f"{poor} has the least VUC": volume.idxmin() == poor,
        f"{best} has the largest VUC": volume.idxmax() == best,
    }
    return conjunction(parts, _in_words(table), data)


@statement("1005")
def fewer_mixtures_are_better(
    measured: Measurements, *, models: list[str] = ["MOGC 1 4", "MOGC 1 3", "MOGC 1 2"]
) -> Finding:
    """Ask whether the VUC rises as the mixtures get fewer, the fewest having the largest gain."""
    table, data = _table(measured, "Phoneme")
    volume, gain = (values[models] for values in _means(table))
    return conjunction(
        {
            "VUC rises as the mixtures get fewer": (volume.diff().iloc[1:] > 0).all(),
            "the fewest mixtures gain most": (gain.iloc[-1] > gain.iloc[:-1]).all(),
        },
        _in_words(table[[*_columns(models)]]),
        data,
    )


def _columns(models: list[str]) -> list[tuple[str, str]]:
    return [(measure, model) for measure in ("vuc", "gain") for model in models]


@statement("1006")
def nearest_mean_is_unsuitable(
    measured: Measurements, *, volumes: float = 0.05, gains: float = 5
) -> Finding:
    """Ask whether NMC loses and has the least VUC, and the three other digit models are alike."""
    table, data = _table(measured, "Mfeat")
    poor = "Fisher NMC"
    volume, gain = _means(table)
    others = [name for name in volume.index if name != poor]
    parts = {
        "NMC has a negative gain, the least of all": gain[poor] < 0
        and gain[poor] < gain[others].min(),
        "NMC has the least VUC": volume.idxmin() == poor,
        "the others have like VUC": volume[others].max() - volume[others].min() < volumes,
        "the others gain alike": gain[others].max() - gain[others].min() < gains,
    }
    return conjunction(parts, _in_words(table), data)


@statement("1007")
def similar_gains_with_unlike_volumes(measured: Measurements, *, gains: float = 5) -> Finding:
    """Ask whether both satellite LDC gain alike, Fisher's VUC being larger, and NMC loses."""
    table, data = _table(measured, "Satellite")
    one, other, poor = "Fisher LDC", "PCA-4D LDC", "Fisher NMC"
    volume, gain = _means(table)
    larger = standard_errors(table["vuc", one] - table["vuc", other]) > 2
    parts = {
        "NMC has a negative gain": gain[poor] < 0,
        "NMC has the least VUC": volume.idxmin() == poor,
        "both LDC gain": min(gain[one], gain[other]) > 0,
        "both LDC gain alike": abs(gain[one] - gain[other]) < gains,
        f"{one} has the larger VUC": larger,
    }
    return conjunction(parts, _in_words(table), data)


@statement("1010")
def restricted_volumes_are_closer(measured: Measurements) -> Finding:
    """Ask whether the volumes over small t_d are nearer to each other than those over all."""
    frame = measured.frame("restricted")
    means = frame.groupby("row", sort=False)[["vuc", "restricted"]].mean()
    full, part = (float(means[name].max() - means[name].min()) for name in ("vuc", "restricted"))
    return Finding(
        part < full,
        "; ".join(
            f"{row}: VUC {line['vuc']:.3f}, VUC_2 {line['restricted']:.3f}"
            for row, line in means.iterrows()
        )
        + f"; apart {full:.3f} and {part:.3f}",
        "; ".join(sorted(set(measured.lines.query("artefact == 'text-5.3.4'")["data"]))),
    )
