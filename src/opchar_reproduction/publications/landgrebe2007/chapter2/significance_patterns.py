"""Patterns of significance that Secs. 2.2.6 and 2.3.6 describe, over comparisons of models."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from opchar.statistics.differences import Differences

Parts = Mapping[str, bool]


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


def road_sign_1_and_2(found: Compared) -> Parts:
    """Alike in AUC, and 2 significantly less sensitive and better in AccSens."""
    return {
        "1 and 2 do not differ in AUC": found.similar("AUC", 1, 2),
        "2 has a lower Sens than 1": found.lower("Sens", 2, 1),
        "2 has a lower AccSens than 1": found.lower("AccSens", 2, 1),
    }


def road_sign_3_and_4(found: Compared) -> Parts:
    """3 significantly better in AUC, 4 in Sens, and alike in AccSens."""
    return {
        "3 has a higher AUC than 4": found.lower("AUC", 4, 3),
        "4 has a lower Sens than 3": found.lower("Sens", 4, 3),
        "3 and 4 do not differ in AccSens": found.similar("AccSens", 3, 4),
    }


def road_sign_3_to_6(found: Compared) -> Parts:
    """Alike in AccSens, and each significantly better than 1 and 2."""
    better = [found.lower("AccSens", one, other) for one in (3, 4, 5, 6) for other in (1, 2)]
    return {
        "no two of 3 to 6 differ in AccSens": found.similar("AccSens", 3, 4, 5, 6),
        "each of 3 to 6 has a lower AccSens than 1 and 2": all(better),
    }


def phoneme(found: Compared) -> Parts:
    """3 like 1 and like 2 in AUC; 2 with less Sens than 3 and significantly better AccSens."""
    return {
        "3 and 1 do not differ in AUC": found.similar("AUC", 1, 3),
        "3 and 2 do not differ in AUC": found.similar("AUC", 2, 3),
        "2 has the lower mean Sens than 3": found.mean("Sens", 2) < found.mean("Sens", 3),
        "2 has a lower AccSens than 3": found.lower("AccSens", 2, 3),
    }


def sonar(found: Compared) -> Parts:
    """2 best in AUC and in Sens."""
    return {
        "2 has the highest mean AUC": found.best("AUC") == 2,
        "2 has the lowest mean Sens": found.best("Sens") == 2,
    }


def ionosphere_auc(found: Compared) -> Parts:
    """1, 2 and 4 alike in AUC; 2 with less Sens than 4, but not significantly."""
    return {
        "no two of 1, 2 and 4 differ in AUC": found.similar("AUC", 1, 2, 4),
        "2 has the lower mean Sens than 4": found.mean("Sens", 2) < found.mean("Sens", 4),
        "2 and 4 do not differ in Sens": found.similar("Sens", 2, 4),
    }


def ionosphere_acc_sens(found: Compared) -> Parts:
    """1, 2 and 3 each significantly better than 4 in AccSens."""
    return {
        f"{model} has a lower AccSens than 4": found.lower("AccSens", model, 4)
        for model in (1, 2, 3)
    }


BY_TITLE: Mapping[str, Mapping[str, Callable[[Compared], Parts]]] = {
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


def only_c_differs(found: Analyses) -> Parts:
    """C significantly above A and B by IAUPREC, and A and B alike."""
    return {
        "C is above A": found.two.above("C", "A"),
        "C is above B": found.two.above("C", "B"),
        "A and B do not differ": found.two.similar("A", "B"),
    }


def all_differ_in_the_three_way_analysis(found: Analyses) -> Parts:
    """C significantly above B and B above A by AUPREC, with more F than in the 2-way analysis."""
    return {
        "C is above B": found.three.above("C", "B"),
        "B is above A": found.three.above("B", "A"),
        "the 3-way F is the larger one": found.f_three > found.f_two,
    }


def c_above_b_above_a_at_each_prior(found: Analyses) -> Parts:
    """C significantly above B, C above A and B above A by AUPREC at every prior."""
    return {
        f"{one} is above {other} at each prior": all(
            models.above(one, other) for models in found.at_each
        )
        for one, other in ("CB", "CA", "BA")
    }


def only_the_outer_priors_differ(found: Analyses) -> Parts:
    """Between the largest and the least prior significantly, from the middle one neither."""
    first, middle, last = sorted(found.between.means, reverse=True)
    return {
        "the outer priors differ": found.between.differ(first, last),
        "the largest prior and the middle one do not": found.between.similar(first, middle),
        "the middle prior and the least one do not": found.between.similar(middle, last),
    }


OF_P_ROC: Mapping[str, Callable[[Analyses], Parts]] = {
    "2-way ANOVA": only_c_differs,
    "3-way ANOVA": all_differ_in_the_three_way_analysis,
    "three priors": c_above_b_above_a_at_each_prior,
    "pairs of priors": only_the_outer_priors_differ,
}
