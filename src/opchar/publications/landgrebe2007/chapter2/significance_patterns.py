"""Patterns of significance that Secs. 2.2.6 and 2.3.6 describe, over comparisons of models."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from opchar.statistics.differences import Differences


@dataclass(frozen=True)
class Compared:
    """Means of models, and which differ significantly, by measure."""

    by_measure: Mapping[str, Differences]

    def similar(self, name: str, *models: int) -> bool:
        """Tell whether no two of the models differ significantly."""
        return self.by_measure[name].similar(*models)

    def lower(self, name: str, first: int, second: int) -> bool:
        """Tell whether the first model is significantly lower than the second."""
        return self.by_measure[name].above(second, first)

    def mean(self, name: str, model: int) -> float:
        """Return the mean of a model."""
        return self.by_measure[name].means[model]

    def best(self, name: str) -> int:
        """Return the model of best mean: the highest AUC, the lowest of the other measures."""
        means = self.by_measure[name].means
        return max(means, key=lambda model: means[model] if name == "AUC" else -means[model])


def road_sign_1_and_2(found: Compared) -> bool:
    """Alike in AUC, and 2 significantly less sensitive and better in AccSens."""
    return found.similar("AUC", 1, 2) and found.lower("Sens", 2, 1) and found.lower("AccSens", 2, 1)


def road_sign_3_and_4(found: Compared) -> bool:
    """3 significantly better in AUC, 4 in Sens, and alike in AccSens."""
    return found.lower("AUC", 4, 3) and found.lower("Sens", 4, 3) and found.similar("AccSens", 3, 4)


def road_sign_3_to_6(found: Compared) -> bool:
    """Alike in AccSens, and each significantly better than 1 and 2."""
    better = [found.lower("AccSens", one, other) for one in (3, 4, 5, 6) for other in (1, 2)]
    return found.similar("AccSens", 3, 4, 5, 6) and all(better)


def phoneme(found: Compared) -> bool:
    """3 like 1 and like 2 in AUC; 2 with less Sens than 3 and significantly better AccSens."""
    return (
        found.similar("AUC", 1, 3)
        and found.similar("AUC", 2, 3)
        and found.mean("Sens", 2) < found.mean("Sens", 3)
        and found.lower("AccSens", 2, 3)
    )


def sonar(found: Compared) -> bool:
    """2 best in AUC and in Sens."""
    return found.best("AUC") == found.best("Sens") == 2


def ionosphere_auc(found: Compared) -> bool:
    """1, 2 and 4 alike in AUC; 2 with less Sens than 4, but not significantly."""
    return (
        found.similar("AUC", 1, 2, 4)
        and found.similar("Sens", 2, 4)
        and found.mean("Sens", 2) < found.mean("Sens", 4)
    )


def ionosphere_acc_sens(found: Compared) -> bool:
    """1, 2 and 3 each significantly better than 4 in AccSens."""
    return all(found.lower("AccSens", model, 4) for model in (1, 2, 3))


BY_TITLE: Mapping[str, Mapping[str, Callable[[Compared], bool]]] = {
    "Road sign": {
        "Road sign 1) vs 2)": road_sign_1_and_2,
        "Road sign 3) vs 4)": road_sign_3_and_4,
        "Road sign 3)-6)": road_sign_3_to_6,
    },
    "Phoneme": {"Phoneme": phoneme},
    "Sonar": {"Sonar": sonar},
    "Ionosphere": {"Ionosphere AUC": ionosphere_auc, "Ionosphere AccSens": ionosphere_acc_sens},
}


class Analyses(NamedTuple):
    """The analyses of variance of Sec. 2.3.6 on models A, B and C."""

    two: Differences
    three: Differences
    at_each: Sequence[Differences]
    between: Differences
    f_two: float
    f_three: float


def only_c_differs(found: Analyses) -> bool:
    """C significantly above A and B by IAUPREC, and A and B alike."""
    return found.two.above("C", "A") and found.two.above("C", "B") and found.two.similar("A", "B")


def all_differ_in_the_three_way_analysis(found: Analyses) -> bool:
    """C significantly above B and B above A by AUPREC, with more F than in the 2-way analysis."""
    falling = found.three.above("C", "B") and found.three.above("B", "A")
    return falling and found.f_three > found.f_two


def c_above_b_above_a_at_each_prior(found: Analyses) -> bool:
    """C significantly above B, C above A and B above A by AUPREC at every prior."""
    downwards = [("C", "B"), ("C", "A"), ("B", "A")]
    return all(models.above(*pair) for models in found.at_each for pair in downwards)


def only_the_outer_priors_differ(found: Analyses) -> bool:
    """Between the largest and the least prior significantly, from the middle one neither."""
    first, middle, last = sorted(found.between.means, reverse=True)
    between = found.between
    return (
        between.differ(first, last)
        and between.similar(first, middle)
        and between.similar(middle, last)
    )


OF_P_ROC: Mapping[str, Callable[[Analyses], bool]] = {
    "2-way ANOVA": only_c_differs,
    "3-way ANOVA": all_differ_in_the_three_way_analysis,
    "three priors": c_above_b_above_a_at_each_prior,
    "pairs of priors": only_the_outer_priors_differ,
}
