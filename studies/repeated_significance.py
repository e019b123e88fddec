"""How often a significance comes out when a whole experiment is repeated (Secs. 2.2.6, 2.3.6)."""

from collections.abc import Mapping
from itertools import permutations

import numpy as np

from opchar.errors import ConfigError
from opchar.ranges import Rate, Span
from opchar.scores import ScoreTable
from opchar.seeds import Spawn
from opchar.spaces.points import operating_points
from opchar.statistics.differences import Differences, design_array, differences, f_values
from opchar_reproduction.publications.landgrebe2007.chapter2.precision_recall.measure import (
    LETTERS,
    WAYS,
    measure,
)
from opchar_reproduction.publications.landgrebe2007.chapter2.significance_patterns import (
    BY_TITLE,
    OF_P_ROC,
    Analyses,
    Compared,
)
from opchar_reproduction.publications.landgrebe2007.chapter2.variants import (
    EQUAL,
    JUDGED,
    LEAST,
    measures,
    variants_beside,
)
from opchar_reproduction.results import Results
from opchar_reproduction.study import study

SENSITIVITY = "table-2.2-repeated"
P_ROC = "table-2.3-repeated"
NOW_AND_THEN = 0.05
NEW, AGAIN = "share of repeats", "share of redrawn experiments"


@study(
    "prior-sensitivity-repeated",
    kind="anova",
    scores=[
        """road-sign | holdout-10 | pca8 mogc4,4; pca12 mogc2,2; sc svc r 16; pca17 mogc2,4; sc
        svc r 22; pca14 mogc2,4""",
        "phoneme | holdout-10 | sc knnc3; sc knnc1; sc parzenc",
        "sonar | holdout-10x20 | sc knnc3; sc knnc1; pca6 parzenc; sc svc p4",
        "ionosphere | holdout-10x20 | pca0.999 ldc; fisher qdc; fisher mogc3,3; sc svc r 1.0",
    ],
    profiles={"tiny": {"size": 3, "redrawn": 50}},
)
def prior_sensitivity(
    *,
    scores: dict[tuple[str, str], ScoreTable],
    spawn: Spawn,
    titles: dict[str, str] = {
        "road-sign": "Road sign",
        "phoneme": "Phoneme",
        "sonar": "Sonar",
        "ionosphere": "Ionosphere",
    },
    prior_range: Span = [0.1, 0.9],
    alpha: Rate = 0.005,
    thresholds: int = 100,
    size: int = 10,
    redrawn: int = 1000,
) -> Results:
    """Repeat the comparison of models by AUC, Sens and AccSens, and count what is significant.

    Where a data set has hold-outs for several experiments, each experiment has hold-outs of its
    own. For every data set experiments are also drawn again: `size` of its hold-outs with
    replacement, the same for all models.

    `scores`: models of a data set in the order of Table 2.2, over the same folds; `titles`: how
    Table 2.2 calls each data set; `prior_range`: range of the prior of w1; `alpha`: level of
    significance; `thresholds`: steps of the variant that samples the posterior; `size`: hold-outs
    of one experiment; `redrawn`: experiments drawn again. Returns: ``table-2.2-repeated``: the
    share of experiments in which each pattern of significance that Sec. 2.2.6 describes comes, and
    each pair of models differs.
    """
    low, high = prior_range
    results = Results()
    for data, title in titles.items():
        tables = {model: table for (name, model), table in scores.items() if name == data}
        label = next(iter(tables.values())).data
        for variant, values in _by_variant(tables, low, high, thresholds).items():
            experiments = _experiments(values, size, redrawn, spawn, data)
            for column, chosen in experiments.items():
                found = _compare_models(chosen, len(tables), alpha)
                _add_shares(results, title, variant, column, found, label)
    return results


def _compare_models(chosen: Mapping[str, np.ndarray], models: int, alpha: float) -> list[Compared]:
    """Return which models differ in each experiment, by all measures."""
    numbers = range(1, models + 1)
    by_measure = [differences(chosen[name], numbers, alpha) for name in JUDGED]
    return [
        Compared(dict(zip(JUDGED, each, strict=True))) for each in zip(*by_measure, strict=True)
    ]


def _add_shares(
    results: Results, title: str, variant: str, column: str, found: list[Compared], label: str
) -> None:
    """Add in how many experiments each pattern of significance comes and each pair differs."""
    for row, pattern in BY_TITLE[title].items():
        came = [all(pattern(each).values()) for each in found]
        _share(results, SENSITIVITY, f"{row}: {variant}", column, came, label)
    for name in JUDGED:
        row = f"{title}, pairs that differ in {name}: {variant}"
        pairs = _pairs([each.by_measure[name] for each in found])
        results.text(SENSITIVITY, row, column, pairs, data=label)


@study(
    "p-roc-repeated",
    kind="anova",
    scores=["satellite-cotton-damp | holdout-20x20 | pca3 mogc3; dis15 mindist; dis50 mindist"],
    profiles={"tiny": {"size": 3, "redrawn": 50}},
)
def p_roc(
    *,
    scores: dict[tuple[str, str], ScoreTable],
    spawn: Spawn,
    positive: str = "positive",
    priors: list[Rate] = [0.5, 0.1, 0.01],
    prior_range: Span = [0.05, 0.2],
    alpha: Rate = 0.005,
    size: int = 20,
    redrawn: int = 1000,
) -> Results:
    """Repeat the comparison of models by AUPREC and IAUPREC, and count what is significant.

    `scores`: models A, B and C in this order, over the same folds; `positive`: name of the positive
    class; `priors`: priors of the positive class for AUPREC; `prior_range`: range of the prior for
    IAUPREC; `alpha`: level of significance; `size`: hold-outs of one experiment; `redrawn`:
    experiments drawn again. Returns: ``table-2.3-repeated``: shares as in `prior_sensitivity`, and
    F-values with their spread.
    """
    curves = {
        letter: [operating_points(*part.log_odds(positive)) for _, part in table.folds()]
        for letter, table in zip(LETTERS, scores.values(), strict=True)
    }
    measured = measure(curves, priors, prior_range, exactly=False)
    integrated = measured[measured["measure"] == "IAUPREC"]
    by_prior = measured[measured["measure"] == "AUPREC"]
    values = {
        "IAUPREC": design_array(integrated, WAYS[2]),
        "AUPREC": design_array(by_prior, WAYS[3]),
    }
    results = Results()
    for column, chosen in _experiments(values, size, redrawn, spawn, P_ROC).items():
        _add_p_roc(results, column, _analyses(chosen, priors, alpha))
    return results


def _analyses(
    chosen: Mapping[str, np.ndarray], priors: list[float], alpha: float
) -> list[Analyses]:
    """Return the analyses of variance of each experiment."""
    two_way, three_way = chosen["IAUPREC"], chosen["AUPREC"]
    at_each = [differences(three_way[..., index], LETTERS, alpha) for index in range(len(priors))]
    found = zip(
        differences(two_way, LETTERS, alpha),
        differences(three_way, LETTERS, alpha),
        zip(*at_each, strict=True),
        differences(three_way.transpose(0, 3, 2, 1), priors, alpha),
        f_values(two_way).tolist(),
        f_values(three_way).tolist(),
        strict=True,
    )
    return [Analyses(*each) for each in found]


def _add_p_roc(results: Results, column: str, found: list[Analyses]) -> None:
    """Add how often each pattern and each pair of models comes, and the F-values."""
    for row, pattern in OF_P_ROC.items():
        came = [all(pattern(each).values()) for each in found]
        _share(results, P_ROC, row, column, came)
    ways = {"2-way": [each.two for each in found], "3-way": [each.three for each in found]}
    for way, models in ways.items():
        results.text(P_ROC, f"{way}: pairs that differ", column, _pairs(models))
    drawn = {"2-way": [each.f_two for each in found], "3-way": [each.f_three for each in found]}
    for way, values in drawn.items():
        results.mean(P_ROC, f"{way}: F-value", column, values, unit="F")


def _by_variant(
    tables: Mapping[str, ScoreTable], low: float, high: float, thresholds: int
) -> dict[str, dict[str, np.ndarray]]:
    """Return for each variant arrays of models by folds, one a measure."""
    curves = [
        [operating_points(*part.log_odds(table.classes[0])) for _, part in table.folds()]
        for table in tables.values()
    ]
    every = variants_beside(thresholds)
    chosen = (LEAST, EQUAL, f"{EQUAL}, {thresholds} thresholds")
    found = {
        name: [[measures(points, every[name], low, high) for points in folds] for folds in curves]
        for name in chosen
    }
    return {
        name: {
            measure: np.array([[each[measure] for each in folds] for folds in models])
            for measure in JUDGED
        }
        for name, models in found.items()
    }


def _experiments(
    values: Mapping[str, np.ndarray], size: int, redrawn: int, spawn: Spawn, name: str
) -> dict[str, dict[str, np.ndarray]]:
    """Return experiments of `size` hold-outs: with hold-outs of their own, and drawn again.

    Hold-outs are the second axis of every array in `values` is that of hold-outs; a first axis of
    experiments is added.
    """
    folds = next(iter(values.values())).shape[1]
    if folds < size:
        raise ConfigError(
            f"an experiment of {size} hold-outs cannot be taken from {folds}: lower 'size' under "
            "parameters: in config/config.yaml or raise 'repeats' in config/protocols.yaml"
        )
    of_their_own = np.arange(folds // size * size).reshape(-1, size)
    drawn = spawn("hold-outs drawn again", name).integers(folds, size=(redrawn, size))
    chosen = {AGAIN: drawn} if len(of_their_own) == 1 else {NEW: of_their_own, AGAIN: drawn}
    return {
        column: {name: np.moveaxis(array[:, rows], 1, 0) for name, array in values.items()}
        for column, rows in chosen.items()
    }


def _share(
    results: Results,
    artefact: str,
    row: str,
    column: str,
    held: list[bool],
    data: str | None = None,
) -> None:
    note = f"in {sum(held)} of {len(held)} experiments"
    share = float(np.mean(held))
    results.number(artefact, row, column, share, unit="fraction", data=data, note=note)


def _pairs(found: list[Differences]) -> str:
    """Return the pairs that differ now and then, the higher level first, with their shares."""
    shares = {
        f"{one} > {other}": float(np.mean([each.above(one, other) for each in found]))
        for one, other in permutations(found[0].means, 2)
    }
    named = [f"{pair} ({share:.2f})" for pair, share in shares.items() if share >= NOW_AND_THEN]
    return ", ".join(named) or "none"
