"""Classifiers in the plane that meet an unseen class (Secs. 5.2.2 to 5.2.4)."""

import pandas as pd

from opchar_reproduction.statements.measurements import Finding, Measurements, conjunction
from opchar_reproduction.study import statement


@statement("0957")
def unseen_class_is_accepted(measured: Measurements, *, most: float = 0.5) -> Finding:
    """Ask whether most objects of a class not trained on are called target."""
    means = measured.frame("accepted").groupby("class")["accepted"].mean()
    return conjunction(
        {
            "most of the unseen class is called target": means["unseen"] > most,
            "few known outliers are": means["outlier"] < 0.5,
        },
        f"called target: {means['target']:.3f} of the targets, {means['outlier']:.3f} of the known "
        f"outliers and {means['unseen']:.3f} of the unseen class",
    )


def _performance(measured: Measurements) -> pd.DataFrame:
    columns = ["error", "unseen accepted", "A accepted"]
    return measured.frame("performance").groupby("model")[columns].mean()


def _in_words(means: pd.DataFrame) -> str:
    return "error on known classes, share of unseen accepted, draws in which A is: " + "; ".join(
        f"{name} {line.iloc[0]:.3f}, {line.iloc[1]:.3f}, {line.iloc[2]:.1f}"
        for name, line in means.iterrows()
    )


@statement("0958")
def one_model_classifies_the_other_rejects(measured: Measurements) -> Finding:
    """Ask whether the linear model errs less and accepts A, the mixture rejects it and more."""
    means = _performance(measured)
    error, accepted, found = (means[name] for name in means)
    parts = {
        "the linear model errs less": error["linear"] < error["mixture"],
        "the linear model accepts more unseen objects": accepted["linear"] > accepted["mixture"],
        "the linear model accepts A": found["linear"] > 0.5,
        "the mixture rejects A": found["mixture"] < 0.5,
    }
    return conjunction(parts, _in_words(means))


@statement("0959")
def combination_does_both(measured: Measurements) -> Finding:
    """Ask whether SOCMC errs nearer to the linear model and rejects nearer to the mixture."""
    means = _performance(measured)
    error, accepted, found = (means[name] for name in means)
    middle = (accepted["linear"] + accepted["mixture"]) / 2
    parts = {
        "SOCMC classifies well": error["SOCMC"] < (error["linear"] + error["mixture"]) / 2,
        "SOCMC rejects unseen objects": accepted["SOCMC"] < middle,
        "SOCMC rejects A": found["SOCMC"] < 0.5,
    }
    return conjunction(parts, _in_words(means))
