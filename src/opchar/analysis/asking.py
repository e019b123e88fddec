"""What a user asks of the scores: priors, costs, weights of precision, limits, certainty."""

from __future__ import annotations

from dataclasses import dataclass

from opchar.analysis.options import RULES, UNITS, Rule
from opchar.arguments import cost_weight
from opchar.errors import ScoresError
from opchar.seeds import Spawn, spawner

# Of the sums of both kinds of errors: beyond, the smaller is lost in the digits of the larger.
LARGEST_RATIO = 1e10


@dataclass(frozen=True)
class Asked:
    """What is asked; a `ScoresError` says what is outside its range.

    `priors`: of the positive class in use, in (0, 1); that of the scores is always among them.
    `cost`: of a false alarm (a negative that is accepted) and of a miss, positive. `cost_stated`:
    whether these were asked for; else the mean costs of the objects replace them, if there are.
    `alphas`: weights of precision in the F-measure, in [0, 1].
    `limits`: largest rates of false alarms, and of misses, in (0, 1).
    `max_fpr`, `max_fnr`, `max_alert_rate`, `min_precision`: limits that are promised alone and
    together, in (0, 1), see `opchar.controlled_threshold`.
    `thresholds`: in use, by model; an empty name stands for all models.
    `rule`: how thresholds of least cost are chosen, see `opchar.choose_threshold`.
    `level`: coverage of intervals and bands, in (0, 1).
    `resamples`: of the bootstrap, at least 50. `unit`: drawn by it.
    `folds`: how many are drawn where the scores have none, at least 2.
    `seed`: of everything that is drawn, at least 0.
    """

    priors: tuple[float, ...] = ()
    cost: tuple[float, float] = (1.0, 1.0)
    cost_stated: bool = True
    alphas: tuple[float, ...] = (0.5,)
    limits: tuple[float, ...] = (0.01, 0.05, 0.1)
    max_fpr: float | None = None
    max_fnr: float | None = None
    max_alert_rate: float | None = None
    min_precision: float | None = None
    thresholds: tuple[tuple[str, float], ...] = ()
    rule: Rule = "auto"
    level: float = 0.95
    resamples: int = 500
    unit: str = "objects"
    folds: int = 10
    seed: int = 1

    def __post_init__(self) -> None:
        inside: dict[str, tuple[float, ...]] = {
            "prior": self.priors,
            "limit": self.limits,
            "confidence": (self.level,),
        }
        inside |= {name: (value,) for name, value in self.promises.items()}
        for name, values in inside.items():
            for value in values:
                if not 0 < value < 1:
                    share = f"; {value:g} % is {value / 100:g}" if 1 <= value < 100 else ""
                    raise ScoresError(f"{name} {value:g}: give a number between 0 and 1{share}")
        if not 0.5 < (1 + self.level) / 2 < 1:
            raise ScoresError(f"confidence {self.level:g}: too close to 0 or 1 for an interval")
        if self.seed < 0:
            raise ScoresError(f"seed {self.seed}: give a whole number from 0")
        for alpha in self.alphas:
            if not 0 <= alpha <= 1:
                raise ScoresError(f"alpha {alpha:g}: give a number from 0 to 1")
        if len(self.cost) != 2 or not all(0 < value < float("inf") for value in self.cost):
            raise ScoresError(
                "cost: give two positive numbers, of a false alarm and of a miss, as in 1,5"
            )
        false_alarm, miss = self.cost
        for prior in (0.5, *self.priors):
            weights = (1 - prior) * false_alarm, prior * miss
            if not max(weights) <= LARGEST_RATIO * min(weights):
                raise ScoresError(
                    f"cost {false_alarm:g},{miss:g} at a prior of {prior:g}: all errors of one "
                    f"kind together weigh more than {LARGEST_RATIO:g} times those of the other"
                )
        if self.rule not in RULES:
            raise ScoresError(f"rule '{self.rule}': give one of {', '.join(RULES)}")
        for what, number, least in (("resamples", self.resamples, 50), ("folds", self.folds, 2)):
            if number < least:
                raise ScoresError(f"{what} {number}: give {least} or more")
        if self.unit not in UNITS:
            raise ScoresError(f"resample '{self.unit}': give one of {', '.join(UNITS)}")

    @property
    def promises(self) -> dict[str, float]:
        """The limits that are promised together, by name."""
        names = ("max_fpr", "max_fnr", "max_alert_rate", "min_precision")
        return {name: value for name in names if (value := getattr(self, name)) is not None}

    @property
    def cost_weight(self) -> float:
        """The cost weight m, the share of a false alarm in the sum of both costs."""
        false_alarm, miss = self.cost
        return cost_weight(miss, false_alarm)

    @property
    def spawn(self) -> Spawn:
        """Generators by name."""
        return spawner(self.seed, "analyse")
