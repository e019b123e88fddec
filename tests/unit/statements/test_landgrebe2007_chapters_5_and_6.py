"""What chapters 5 and 6 of the thesis say, held to constructed measurements both ways."""

import numpy as np
import pandas as pd
import pytest

from measuring import control, entries, find, measure
from opchar.publications.landgrebe2007.paired_claims import standard_errors
from opchar.statements import controls
from opchar.statements.measurements import Measurements

PAPER = "landgrebe2007"
NUMBERS = [
    "0948",
    "0949",
    "0950",
    "0951",
    "0952",
    "0953",
    "0954",
    "0955",
    "0956",
    "0960",
    "1079",
    "0957",
    "0958",
    "0959",
    "0965",
    "0966",
    "0976",
    "0977",
    "0978",
    "0979",
    "1073",
    "1004",
    "1005",
    "1006",
    "1007",
    "1010",
    "1011",
    "1014",
    "1015",
    "1064",
    "1065",
    "1066",
]
OWN = entries("statements", PAPER)
STATEMENTS = {number: OWN[f"{PAPER}:{number}"] for number in NUMBERS}
FOLDS = 8
# Of M, R and S: clf, rej1, rej2, such that each problem is as the text says.
AREAS = {
    "Face A": [(0.98, 0.50, 0.50), (0.95, 0.75, 0.64), (0.96, 0.77, 0.55)],
    "Face B": [(0.98, 0.50, 0.50), (0.95, 0.60, 0.60), (0.90, 0.80, 0.80)],
    "Face C": [(0.98, 0.50, 0.50), (0.95, 0.70, 0.60), (0.95, 0.72, 0.62)],
    "Mfeat A": [(0.93, 0.50, 0.50), (0.92, 0.50, 0.50), (0.90, 0.80, 0.60)],
    "Geo A": [(0.95, 0.50, 0.50), (0.92, 0.70, 0.60), (0.92, 0.72, 0.80)],
    "Geo B": [(0.95, 0.50, 0.50), (0.92, 0.70, 0.60), (0.92, 0.90, 0.80)],
    "Geo C": [(0.95, 0.50, 0.50), (0.92, 0.80, 0.70), (0.92, 0.80, 0.72)],
}
ONE_MODEL = [(0.97, 0.30, 0.35), (0.93, 0.87, 0.47), (0.94, 0.88, 0.48)]
# VUC and gain.
ROWS = {
    "Phoneme / QDC t_d=0.01": (0.742, 21.7),
    "Phoneme / PCA-3D QDC t_d=0.01": (0.553, -0.2),
    "Phoneme / MOGC 1 4 t_d=0.01": (0.667, 19.8),
    "Phoneme / MOGC 1 3 t_d=0.01": (0.678, 19.3),
    "Phoneme / MOGC 1 2 t_d=0.01": (0.708, 22.1),
    "Mfeat / Fisher NMC t_d=0.70": (0.341, -1.8),
    "Mfeat / Fisher LDC t_d=0.05": (0.503, 28.5),
    "Mfeat / Fisher QDC t_d=0.05": (0.504, 29.2),
    "Mfeat / Fisher MOGC 2 3 t_d=0.05": (0.505, 29.9),
    "Satellite / Fisher NMC t_d=0.70": (0.374, -1.6),
    "Satellite / Fisher LDC t_d=0.10": (0.612, 10.3),
    "Satellite / PCA-4D LDC t_d=0.10": (0.489, 12.1),
}
COSTS = {
    "Banana": ["Cost 1 [5, 5, 10]", "Cost 2 [3, 1, 4]"],
    "Mfeat": [
        "Cost 1 [1, 1, 1, 3]",
        "Cost 2 [8, 1, 1, 10]",
        "Cost 3 [1, 8, 1, 10]",
        "Cost 4 [1, 1, 1, 12]",
    ],
}
SYSTEMS = {"Banana": ["Gauss + LDC", "Gauss + MOG"], "Mfeat": ["PCA3 Gauss + Fisher LDC"]}


def spread(unit, name, columns, values, **more):
    """Return a frame with a line a unit, values 1e-4 about what is given."""
    rng = np.random.default_rng(sum(map(ord, str(more))) + 1)
    noise = 1e-4 * rng.standard_normal((FOLDS, len(columns)))
    table = pd.DataFrame(np.asarray(values) + noise, columns=columns)
    return table.assign(**{unit: range(FOLDS), **more})


def of_areas(triples, **more):
    parts = [
        spread("fold", "area", ["area"], [value], classifier=name, measure=measure, **more)
        for name, three in zip("MRS", triples, strict=True)
        for measure, value in zip(("clf", "rej1", "rej2"), three, strict=True)
    ]
    return pd.concat(parts).assign(**{"data set": "set"})


def saved(problem, system, costs):
    if problem == "Banana":
        return (0.3 if system == "Gauss + LDC" else 0.2) if costs.startswith("Cost 1") else 0.001
    return {"1": 0.1, "2": 0.05}.get(costs[5], 0.0)


def losses():
    rows = []
    for problem, systems in SYSTEMS.items():
        for system in systems:
            for costs in COSTS[problem]:
                gain = saved(problem, system, costs)
                wide = 0.001 if gain < 0.01 and problem == "Banana" else 0.0
                if system == "Gauss + MOG" and wide:
                    gain, wide = gain / 2, wide / 2
                for fold in range(FOLDS):
                    own = gain + wide * 8 * (-1) ** fold
                    rows.append([problem, system, costs, "independent", fold, 1 + own])
                    rows.append([problem, system, costs, "holistic", fold, 1.0])
    return pd.DataFrame(rows, columns=["problem", "system", "costs", "design", "fold", "loss"])


def case_study():
    levels = {"LDC": 0.8, "QDC": 0.85, "MOGC": 0.92}
    frames = {
        "volumes": pd.concat([spread("fold", "", ["vuc"], [v], model=m) for m, v in levels.items()])
    }
    errors = {
        "LDC": (0.197, 0.353, 0.20, 0.90, 0.3),
        "QDC": (0.116, 0.404, 0.11, 0.90, 0.3),
        "MOGC": (0.087, 0.420, 0.10, 0.92, 0.1),
    }
    columns = ["eps_rej", "eps_norej", "known", "tpr", "unseen accepted"]
    frames["errors"] = pd.concat(
        [spread("set", "", columns, values, model=m) for m, values in errors.items()]
    )
    frames["mean performance"] = pd.concat(
        [
            spread("fold", "", ["performance"], [v], model=m).assign(fpr=level)
            for m, v in levels.items()
            for level in (0.25, 0.5, 0.75)
        ]
    )
    steps = {0: (0.9, 0.6), 1: (0.88, 0.2), 2: (0.7, 0.1), 3: (0.6, 0.05), 4: (0.5, 0.0)}
    frames["by threshold"] = pd.DataFrame(
        [
            [model, fold, step, *values]
            for model in levels
            for fold in range(FOLDS)
            for step, values in steps.items()
        ],
        columns=["model", "fold", "step", "performance", "fpr"],
    )
    return frames


@pytest.fixture(scope="module")
def constructed():
    frames = {
        "areas": pd.concat([of_areas(t, problem=p) for p, t in AREAS.items()], ignore_index=True),
        "areas of Geo": pd.concat(
            [of_areas(t, problem=p) for p, t in AREAS.items() if p.startswith("Geo")],
            ignore_index=True,
        ).rename(columns={"fold": "fold of Geo"}),
        "areas of one model": of_areas(ONE_MODEL),
        "accepted": pd.concat(
            [
                spread("draw", "", ["accepted"], [v], **{"class": k})
                for k, v in {"target": 0.9, "outlier": 0.1, "unseen": 0.9}.items()
            ]
        ),
        "performance": pd.concat(
            [
                spread("draw", "", ["error", "unseen accepted", "A accepted"], v, model=m)
                for m, v in {
                    "linear": (0.1, 0.5, 1.0),
                    "mixture": (0.2, 0.1, 0.0),
                    "SOCMC": (0.12, 0.15, 0.0),
                }.items()
            ]
        ),
        "validation": pd.concat(
            [
                spread("repeat", "", ["vuc", "gain"], v, row=r).assign(**{"data set": "set"})
                for r, v in ROWS.items()
            ],
            ignore_index=True,
        ),
        "restricted": pd.concat(
            [
                spread("repeat", "", ["vuc", "restricted"], v, row=r)
                for r, v in {"one": (0.612, 0.591), "other": (0.489, 0.554)}.items()
            ]
        ),
        "losses": losses(),
        "differences": pd.DataFrame(
            {"balanced": [1.0, 1.0, 0.0, 0.0], "difference": [0.0, 0.001, 0.1, 0.2]}
        ),
        **case_study(),
    }
    lines = pd.DataFrame(
        [["table-6.1", "Banana", "x"], ["table-6.1", "Mfeat", "x"], ["text-5.3.4", "one", "x"]],
        columns=["artefact", "row", "data"],
    )
    return Measurements(lines, frames)


@pytest.fixture(scope="module")
def example(tmp_path_factory):
    folder = tmp_path_factory.mktemp("run")
    return measure(PAPER, "landgrebe2007/two-stage-example", folder, numbers=[])


EXAMPLE = ["1011", "1014"]
CONSTRUCTED = [identifier for identifier in STATEMENTS if identifier not in EXAMPLE]


def test_every_statement_of_both_chapters_is_here():
    assert len(STATEMENTS) == 32


@pytest.mark.parametrize("identifier", CONSTRUCTED)
def test_holds_where_it_is_as_the_text_says(identifier, constructed):
    assert find(STATEMENTS[identifier], constructed)


@pytest.mark.parametrize("identifier", CONSTRUCTED)
def test_fails_on_its_control(identifier, constructed):
    entry = STATEMENTS[identifier]
    assert not find(entry, control(entry, constructed))


@pytest.mark.parametrize("identifier", EXAMPLE)
def test_of_the_known_example(identifier, example):
    entry = STATEMENTS[identifier]
    assert find(entry, example)
    assert not find(entry, control(entry, example))


@pytest.mark.parametrize("identifier", [i for i in CONSTRUCTED if "units" in STATEMENTS[i]])
def test_units_can_be_drawn_anew(identifier, constructed):
    entry = STATEMENTS[identifier]
    drawn = constructed.resample(entry["units"], np.random.default_rng(0))
    again = constructed.resample(entry["units"], np.random.default_rng(0))
    units = entry["units"]
    having = [name for name, frame in constructed.frames.items() if units in frame]
    assert any(
        len(drawn.frame(name)) and not drawn.frame(name).equals(constructed.frame(name))
        for name in having
    )
    assert find(entry, drawn) == find(entry, again)


def test_a_reject_option_that_rejects_as_well_as_the_combination_fails(constructed):
    changed = controls.exchange_levels(
        constructed, frame="areas", column="classifier", first="R", second="S"
    )
    assert not find(STATEMENTS["0953"], changed)
    changed = controls.exchange_levels(
        constructed, frame="areas of Geo", column="classifier", first="R", second="S"
    )
    assert not find(STATEMENTS["0955"], changed)


def test_gains_that_differ_by_much_are_not_alike(constructed):
    def more(table):
        far = table["row"].str.contains("PCA-4D")
        return table.assign(gain=table["gain"] + 9.0 * far)

    assert not find(STATEMENTS["1007"], constructed.with_frame("validation", more))


def test_standard_errors_of_differences():
    rng = np.random.default_rng(2)
    given = pd.Series(0.3 + rng.normal(size=50))
    expected = given.mean() / (given.std() / np.sqrt(50))
    assert standard_errors(given) == pytest.approx(expected)
    assert standard_errors(pd.Series([1.0, 1.0])) == np.inf
    assert standard_errors(pd.Series([-2.0, -2.0])) == -np.inf
    assert standard_errors(pd.Series([0.0, 0.0])) == 0.0
