"""Decomposed ROCs of scored objects under costs (Secs. 4.3.3, 4.3.5 and 4.3.6)."""

from itertools import pairwise

import pandas as pd

from opchar_reproduction.statements.measurements import Finding, Measurements, conjunction
from opchar_reproduction.study import statement


def _scenarios_of_two(table: pd.DataFrame, method: str, rival: str) -> pd.DataFrame:
    """Return the scenarios of two methods, with what each of them won and lost."""
    chosen = table[(table["method"] == method) & (table["rival"] == rival)]
    flags = chosen[["lost", "won", "clear"]].astype(bool)
    flags["clearly lost"] = flags["lost"] & flags["clear"]
    flags["clearly won"] = flags["won"] & flags["clear"]
    return flags.astype(float).assign(**chosen[["data set", "scenario"]])


def _counts(measured: Measurements, method: str, rival: str) -> pd.DataFrame:
    """Return lost, won and clear shares of the scenarios by data set."""
    chosen = measured.rows("comparisons", _scenarios_of_two, method, rival)
    return chosen.drop(columns="scenario").groupby("data set").mean()


def _in_words(shares: pd.DataFrame, columns: list[str]) -> str:
    """Return percentages in words."""
    return "; ".join(
        f"{name} " + ", ".join(f"{column} {100 * row[column]:.0f} %" for column in columns)
        for name, row in shares.iterrows()
    )


def decomposes_into(
    measured: Measurements, *, data: str, of_three: int, of_two: int, of_one: int
) -> Finding:
    """Ask whether the ROC decomposes into the groups that the work names, in most folds."""
    table = measured.frame("groups")
    table = table[table["data set"] == data]
    as_said = (
        (table["of three"] == of_three)
        & (table["of two"] == of_two)
        & (table["of one"] == of_one)
        & (table["of four"] == 0)
    )
    return Finding(
        bool(as_said.mean() > 0.5),
        f"{100 * as_said.mean():.0f} % of the folds have {of_three} groups of three, {of_two} of "
        f"two and {of_one} of one class",
    )


@statement("0883")
def always_clearly_better(
    measured: Measurements, *, method: str = "Decomp", rivals: list[str] = ["Simple", "Naive"]
) -> Finding:
    """Ask whether an algorithm beats others in all scenarios of all sets, all significantly."""
    shares = {rival: _counts(measured, method, rival) for rival in rivals}
    least = {rival: table["clearly won"].min() for rival, table in shares.items()}
    return conjunction(
        {f"always clearly better than {rival}": value == 1 for rival, value in least.items()},
        "least share of significant wins: "
        + ", ".join(f"over {rival} {100 * value:.0f} %" for rival, value in least.items()),
    )


@statement("0884")
def rival_competes_with_few_classes(
    measured: Measurements,
    *,
    few: str = "Synth8C",
    many: list[str] = ["Synth16C", "Synth40C"],
    most: float = 0.9,
) -> Finding:
    """Ask whether Greedy wins somewhere with few classes, and Decomp dominates with more."""
    shares = _counts(measured, "Decomp", "Greedy")
    return conjunction(
        {f"Greedy wins some scenario of {few}": shares["lost"].to_dict()[few] > 0}
        | {f"Decomp dominates on {name}": shares["won"].to_dict()[name] >= most for name in many},
        _in_words(shares, ["lost", "won"]),
    )


@statement("1077")
def clear_wins_grow(
    measured: Measurements, *, sets: list[str] = ["Synth8C", "Synth16C", "Synth40C"]
) -> Finding:
    """Ask whether the significant wins of Decomp over Greedy rise with the number of classes."""
    shares = _counts(measured, "Decomp", "Greedy")["clearly won"]
    values = [float(shares[name]) for name in sets]
    return conjunction(
        {
            f"more clear wins on {later} than on {first}": shares[first] < shares[later]
            for first, later in pairwise(sets)
        },
        ", ".join(f"{name} {100 * v:.0f} %" for name, v in zip(sets, values, strict=True)),
    )


@statement("0927")
def usually_better_but_on(measured: Measurements, *, exception: str = "Nist") -> Finding:
    """Ask whether Decomp beats Naive on all sets but one, where DecompG does."""
    shares = _counts(measured, "Decomp", "Naive")
    ahead = shares["won"] > shares["lost"]
    mended = _counts(measured, "DecompG", "Naive").loc[exception]
    return conjunction(
        {
            f"Decomp wins more than it loses on all sets but {exception}": ahead.drop(
                exception
            ).all(),
            f"Decomp does not on {exception}": not ahead[exception],
            f"DecompG does on {exception}": mended["won"] > mended["lost"],
        },
        f"{_in_words(shares, ['won'])}; DecompG on {exception} won {100 * mended['won']:.0f} %",
    )


@statement("0928")
def often_beaten(
    measured: Measurements,
    *,
    sets: list[str] = ["Dermatology", "Satellite", "Segmentation", "Nist"],
) -> Finding:
    """Ask whether Decomp loses to Greedy more often than it wins on some data sets."""
    shares = _counts(measured, "Decomp", "Greedy").loc[sets]
    lost, won = shares["lost"], shares["won"]
    parts = {f"beaten more often than not on {name}": lost[name] > won[name] for name in sets}
    return conjunction(parts, _in_words(shares, ["lost", "won"]))


@statement("0929")
def better_but_equal_on(
    measured: Measurements,
    *,
    method: str = "DecompG",
    rival: str = "Greedy",
    equal: str = "Nist",
    share: float = 0.667,
) -> Finding:
    """Ask whether one method wins most scenarios of all sets but one, where neither leads."""
    shares = _counts(measured, method, rival)
    others = shares.drop(equal)
    one = shares.loc[equal]
    return conjunction(
        {
            f"{method} wins most scenarios of {name}": won > 0.5
            for name, won in others["won"].items()
        }
        | {
            f"neither wins most on {equal}": max(one["won"], one["lost"]) <= share,
            f"no difference is significant on {equal}": one[["clearly won", "clearly lost"]].max()
            == 0,
        },
        f"{_in_words(shares, ['lost', 'won'])}; significant on {equal} "
        f"{100 * (one['clearly won'] + one['clearly lost']):.0f} %",
    )


@statement("0930")
def never_loses(
    measured: Measurements, *, method: str = "DecompG", rivals: list[str] = ["Simple", "Naive"]
) -> Finding:
    """Ask whether a method loses no scenario of any data set to some rivals."""
    lost = pd.DataFrame({rival: _counts(measured, method, rival)["lost"] for rival in rivals})
    return conjunction(
        {f"{method} never loses to {rival}": (lost[rival] == 0).all() for rival in rivals},
        "largest share of lost scenarios: "
        + ", ".join(f"{rival} {100 * lost[rival].max():.0f} %" for rival in rivals),
    )
