"""Volumes and gains of the rejecting classifiers of Table 5.3, by the choices of the protocol."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from opchar.reject.analytic import RejectRates
from opchar.reject.characteristic import RejectCharacteristic
from opchar.reject.two_stage.design import even_thresholds
from opchar.reject.volume import vuc, vuc_of_patch
from opchar.scores import ScoreTable
from opchar_reproduction.publications.landgrebe2007.chapter5.score_tables import (
    OUTLIER,
    TARGET,
    UNSEEN,
    by_test_set,
    characteristic,
    level_of,
    pairs,
)

Scores = Mapping[tuple[str, str], ScoreTable]
Tests = dict[str, ScoreTable]


@dataclass(frozen=True)
class Choices:
    """What Sec. 5.3.4 leaves open; see `validation`."""

    units: Mapping[str, str]
    chosen_on: str
    sphere: str
    errors: str
    lists: str
    cluster: str
    volume: str
    grid: tuple[int, int]

    def unit(self, model: str) -> str:
        """Return what t_d is a threshold of for a model."""
        return self.units["nmc" if model.endswith("nmc") else "other"]


class TestedRow:
    """The score tables of a row of Table 5.3, and what was measured on them before."""

    def __init__(self, scores: Scores, entry: Mapping[str, Any]) -> None:
        self.entry = entry
        self.model = str(entry["model"])
        names = {"": entry["data"], **entry.get("others", {})}
        self._tables = {key: scores[data, self.model] for key, data in names.items()}
        self._folds = cache(lambda key: list(repeats(self._tables[key])))
        self._gains = cache(self._gains_by)
        self._volumes = cache(self._volumes_by)

    def _table_key(self, chosen: Choices) -> str:
        """Return which of the data sets the choices take, empty for the first."""
        return next((one for one in (chosen.lists, chosen.cluster) if one in self._tables), "")

    def folds(self, chosen: Choices) -> list[tuple[Tests, Tests]]:
        """Return the tests of the hold-out and of the validation of each repeat."""
        return self._folds(self._table_key(chosen))

    def data(self, chosen: Choices) -> str:
        """Return the data behind the scores."""
        return self._tables[self._table_key(chosen)].data

    def gains(self, chosen: Choices) -> list[float]:
        """Return the gain of each repeat."""
        unit = chosen.unit(self.model)
        return self._gains(self._table_key(chosen), unit, chosen.chosen_on, chosen.errors)

    def _gains_by(self, key: str, unit: str, chosen_on: str, errors: str) -> list[float]:
        return [
            _gain(one, two, self.entry["t_d"], unit, chosen_on, errors)
            for one, two in self._folds(key)
        ]

    def volumes(self, chosen: Choices, largest: float | None = None) -> list[float]:
        """Return the volume of each repeat, over all t_d or those up to `largest`."""
        unit = chosen.unit(self.model)
        grid = chosen.grid if chosen.volume == "patch" else None
        restricted = None if largest is None else (largest, unit)
        return self._volumes(
            self._table_key(chosen), chosen.sphere, typicality_of(unit), grid, restricted
        )

    def _volumes_by(
        self,
        key: str,
        sphere: str,
        closeness: str,
        grid: tuple[int, int] | None,
        restricted: tuple[float, str] | None,
    ) -> list[float]:
        return [_volume(one, sphere, closeness, grid, restricted) for one, _ in self._folds(key)]


def repeats(table: ScoreTable) -> Iterator[tuple[Tests, Tests]]:
    """Yield the test sets of the hold-out and of the validation of each repeat.

    `one` and `two`: the tests of the hold-out and those of the validation (landgrebe2007, Sec.
    5.3.4).
    """
    folds = {fold: by_test_set(part) for fold, part in table.folds()}
    for fold in sorted(folds)[::2]:
        yield folds[fold], folds[fold + 1]


def typicality_of(unit: str) -> str:
    """Return the score on which a t_d of this unit is set."""
    return "posterior" if unit == "posterior" else "density"


def _volume(
    tests: Tests,
    sphere: str,
    closeness: str,
    grid: tuple[int, int] | None,
    restricted: tuple[float, str] | None,
) -> float:
    """Return the volume on the held-out objects and the artificial ones.

    On a grid, or else of what is dominated; over all t_d, or up to a value in its unit.
    """
    sample = characteristic(tests["held out"], tests[sphere], closeness)
    near = sample.target[:, 1]
    highest = near.max() if restricted is None else level_of(near, *restricted)
    if grid is None:
        return vuc(sample, None if restricted is None else (-np.inf, highest))
    return vuc_of_patch(patch_rates(sample, grid, highest)).vuc


def patch_rates(sample: RejectCharacteristic, grid: tuple[int, int], highest: float) -> RejectRates:
    """Return the rates at even thresholds theta, and t_d from zero to a highest one."""
    everything = np.concatenate([sample.target, sample.outlier, sample.unseen])
    with np.errstate(divide="ignore"):
        distances = np.log(np.linspace(0, np.exp(highest), grid[1]))
    return sample.surface(even_thresholds(everything[:, 0], grid[0]), distances)


def _theta(one: Tests, two: Tests, chosen_on: str) -> float:
    """Return the point of equal errors between targets and known outliers."""
    known = two["train"] if chosen_on == "train" else one["held out"]
    sample = RejectCharacteristic(pairs(known, TARGET), pairs(known, OUTLIER), np.empty((0, 2)))
    return sample.equal_error_theta()


def _gain(one: Tests, two: Tests, t_d: float, unit: str, chosen_on: str, errors: str) -> float:
    """Return by how many points the reject option lowers the error on targets and hidden class."""
    shown = two["validation"]
    sample = RejectCharacteristic(
        pairs(shown, TARGET, typicality_of(unit)),
        np.empty((0, 2)),
        pairs(shown, UNSEEN, typicality_of(unit)),
    )
    theta = _theta(one, two, chosen_on)
    sizes = sample.sizes[[0, 2]]
    weights = np.array([0.5, 0.5]) if errors == "classes" else sizes / sizes.sum()
    rates = []
    near = pairs(two["train"], TARGET, typicality_of(unit))[:, 1]
    for level in (-np.inf, level_of(near, t_d, unit)):
        point = sample.at(theta, level)
        rates.append(weights @ [1 - point.tpr, point.fpr_unseen])
    return 100 * float(rates[0] - rates[1])
