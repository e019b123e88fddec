"""Every statement of chapters 1 and 2 holds and fails on constructed measurements."""

from functools import cache
from itertools import product

import numpy as np
import pandas as pd
import pytest

from measuring import entries
from opchar.functions import import_function
from opchar.publications.landgrebe2007.chapter2.two_gaussians.measure import two_gaussians
from opchar.results import Results
from opchar.seeds import spawner
from opchar.statements.judging import judge
from opchar.statements.measurements import Measurements

CONFIG = entries("statements", "landgrebe2007")
OWN = {
    identifier: entry
    for identifier, entry in CONFIG.items()
    if ".chapter1." in entry["function"] or ".chapter2." in entry["function"]
}
PRIORS = [0.5, 0.1, 0.01]


def given(lines=(), **frames):
    """Return measurements of some numbers and frames."""
    results = Results()
    for artefact, row, column, value in lines:
        results.number(artefact, row, column, value)
    return Measurements(
        results.frame(), {name.replace("_", " "): frame for name, frame in frames.items()}
    )


def noise(*names):
    return 0.004 * spawner(7)(*names).standard_normal()


def reassigned(moves):
    """Return counts of moved objects, of 100 that stay in each class."""
    rows = [(k, k, k, 100) for k in (1, 2, 3)]
    rows += [(before, before, after, count) for (before, after), count in moves.items()]
    return given(reassigned=pd.DataFrame(rows, columns=["class", "before", "after", "objects"]))


def gaussians(costs=(0.2, 0.8)):
    results = two_gaussians(
        means=[-1.6, 1.6],
        variance=2.0,
        costs=list(costs),
        thetas=[0.5],
        prior_ranges=[[0.1, 0.9]],
        printed={"A": [0.9, 0.3]},
        weights=[[1.0, 1.0]],
        resolutions=[11],
        priors=[0.5],
        iauprec_range=[0.05, 0.2],
    )
    return Measurements(results.frame(), results.curves)


def skewed(largest, tpr=0.7, tnr=0.9):
    skew = np.geomspace(1, largest, 31)
    curve = {
        "skew": skew,
        "accuracy": (tpr + skew * tnr) / (1 + skew),
        "precision": tpr / (tpr + skew * (1 - tnr)),
    }
    rates = {"TP_r": tpr, "TN_r": tnr}
    lines = [("figure-2.4", "linear discriminant", name, rate) for name, rate in rates.items()]
    return given(lines, skew=pd.DataFrame(curve))


def drawn(a, b, draws=12):
    """Return draws of the case study with given means of eps, AUC, Sens, and of lo to hi."""
    rows, places = [], []
    for (model, means), draw in product({"A": a, "B": b}.items(), range(draws)):
        values = means | {"AccSens": np.hypot(1 - means["AUC"], means["Sens"]) / np.sqrt(2)}
        length, error = values.pop("length"), means["error rate eps"]
        rows += [(model, draw, k, v + noise(model, draw, k) / 10) for k, v in values.items()]
        spots = {"lo": (0.0, length), "e": (error, error), "hi": (0.0, 0.0)}
        places += [(model, draw, mark, x, y) for mark, (x, y) in spots.items()]
    return given(
        measured=pd.DataFrame(rows, columns=["model", "draw", "measure", "value"]),
        places=pd.DataFrame(places, columns=["model", "draw", "mark", "fpr", "fnr"]),
    )


def classifier(eps, auc, sens, length):
    return {"error rate eps": eps, "AUC": auc, "Sens": sens, "length": length}


PRINTED = classifier(0.057, 0.942, 0.340, 0.48), classifier(0.052, 0.945, 0.131, 0.19)
UNLIKE = classifier(0.080, 0.900, 0.140, 0.20), classifier(0.040, 0.950, 0.131, 0.19)
NO_BETTER = classifier(0.057, 0.942, 0.131, 0.19), classifier(0.052, 0.945, 0.340, 0.48)


def models(title, folds=10, label="data of the work", **means):
    """Return hold-outs of the models of one set: for each measure its mean a model."""
    rows = [
        (model, fold, measure, mean + 0.02 * np.sin(fold) + noise(model, fold, measure), title)
        for measure, all_means in means.items()
        for model, mean in enumerate(all_means, start=1)
        for fold in range(folds)
    ]
    columns = ["model", "fold", "measure", "value", "title"]
    return given(measured=pd.DataFrame(rows, columns=columns).assign(label=label))


def road_sign(**means):
    equal = {name: [0.5] * 6 for name in ("AUC", "Sens", "AccSens")}
    return models("Road sign", **(equal | means))


def other_set(title, number, **means):
    equal = {name: [0.5] * number for name in ("AUC", "Sens", "AccSens")}
    return models(title, **(equal | means))


def areas(auprec, iauprec=(0.6, 0.6, 0.8), auc=(0.7, 0.8, 0.9), spread=0.02, folds=20):
    """Return the areas of A, B and C: AUPREC at three priors, IAUPREC and AUC."""
    rows = []
    for place, model in enumerate("ABC"):
        for fold in range(folds):
            cells = [("AUPREC", p, auprec[place][k]) for k, p in enumerate(PRIORS)]
            cells += [("IAUPREC", np.nan, iauprec[place]), ("AUC", np.nan, auc[place])]
            rows += [
                (model, fold, name, prior, mean + spread / 0.004 * noise(model, fold, name, prior))
                for name, prior, mean in cells
            ]
    columns = ["model", "fold", "measure", "prior", "value"]
    return given(measured=pd.DataFrame(rows, columns=columns))


def thinned(auprec, shift=0.0, folds=20):
    rows = [
        (fold, prior, 0.9, 0.9 + shift + noise("auc", fold, prior), auprec[place] + noise(fold))
        for fold in range(folds)
        for place, prior in enumerate(PRIORS)
    ]
    columns = ["fold", "prior", "AUC of all", "AUC", "AUPREC"]
    return given(thinned=pd.DataFrame(rows, columns=columns))


@cache
def cases():
    """Return of each statement measurements on which it holds and on which it fails."""
    ordered = areas([[0.30] * 3, [0.50] * 3, [0.80] * 3], iauprec=(0.3, 0.5, 0.8), spread=0.05)
    as_said = areas([[0.30] * 3, [0.50] * 3, [0.80] * 3])
    return {
        "1067": (reassigned({(2, 1): 9, (3, 1): 2}), reassigned({(2, 1): 9, (1, 2): 1})),
        "0014": (gaussians(), gaussians(costs=(0.7, 0.3))),
        "0010": (drawn(*PRINTED), drawn(*UNLIKE)),
        "0011": (drawn(*PRINTED), drawn(*UNLIKE)),
        "0012": (drawn(*PRINTED), drawn(*NO_BETTER)),
        "0013": (drawn(*PRINTED), drawn(*UNLIKE)),
        "0083": (
            road_sign(Sens=[0.7, 0.5] + [0.5] * 4, AccSens=[0.6, 0.5] + [0.5] * 4),
            road_sign(Sens=[0.7, 0.5] + [0.5] * 4),
        ),
        "0084": (
            road_sign(AUC=[0.5, 0.5, 0.9, 0.8, 0.5, 0.5], Sens=[0.5, 0.5, 0.3, 0.1, 0.5, 0.5]),
            road_sign(AUC=[0.5, 0.5, 0.9, 0.8, 0.5, 0.5]),
        ),
        "0085": (
            road_sign(AccSens=[0.3, 0.3, 0.1, 0.1, 0.1, 0.1]),
            road_sign(AccSens=[0.3, 0.1, 0.1, 0.1, 0.1, 0.1]),
        ),
        "0086": (
            other_set("Phoneme", 3, Sens=[0.5, 0.3, 0.5], AccSens=[0.4, 0.2, 0.4]),
            other_set("Phoneme", 3, Sens=[0.5, 0.3, 0.5]),
        ),
        "0087": (
            other_set("Sonar", 4, AUC=[0.8, 0.9, 0.8, 0.8], Sens=[0.3, 0.2, 0.3, 0.4]),
            other_set("Sonar", 4, AUC=[0.8, 0.9, 0.8, 0.8], Sens=[0.1, 0.2, 0.3, 0.4]),
        ),
        "0088": (
            other_set("Ionosphere", 4, Sens=[0.5, 0.499, 0.5, 0.501]),
            other_set("Ionosphere", 4, Sens=[0.5, 0.3, 0.5, 0.5]),
        ),
        "0089": (
            other_set("Ionosphere", 4, AccSens=[0.2, 0.2, 0.2, 0.4]),
            other_set("Ionosphere", 4, AccSens=[0.2, 0.2, 0.4, 0.4]),
        ),
        "0090": (
            other_set("Sonar", 4, AUC=[0.9, 0.8, 0.7, 0.6], AccSens=[0.3, 0.2, 0.3, 0.4]),
            other_set("Sonar", 4, AUC=[0.9, 0.8, 0.7, 0.6], AccSens=[0.1, 0.2, 0.3, 0.4]),
        ),
        "0091": (skewed(100), skewed(3)),
        "0092": (thinned([0.9, 0.7, 0.5]), thinned([0.9, 0.7, 0.5], shift=0.05)),
        "0110": (as_said, ordered),
        "0111": (ordered, areas([[0.50, 0.50, 0.50]] * 2 + [[0.80] * 3])),
        "0112": (as_said, areas([[0.30, 0.30, 0.55], [0.50] * 3, [0.80] * 3])),
        "0113": (
            areas([[0.55] * 3, [0.77, 0.63, 0.49], [0.80, 0.78, 0.73]]),
            areas([[0.55] * 3, [0.77, 0.73, 0.70], [0.80, 0.78, 0.73]]),
        ),
        "0114": (
            areas([[0.512, 0.500, 0.490]] * 3, spread=0.03),
            areas([[0.6, 0.5, 0.4]] * 3, spread=0.023),
        ),
        "0115": (as_said, areas([[0.30] * 3, [0.50] * 3, [0.80] * 3], auc=(0.94, 0.82, 0.90))),
    }


def evaluate(entry, measured):
    return import_function(entry["function"])(measured, **entry.get("parameters", {}))


def test_every_statement_of_these_chapters_has_its_cases():
    assert {identifier.split(":")[1] for identifier in OWN} == set(cases())


@pytest.mark.parametrize("identifier", OWN)
def test_a_statement_holds_and_fails(identifier):
    holding, failing = cases()[identifier.split(":")[1]]
    found, other = (evaluate(OWN[identifier], measured) for measured in (holding, failing))
    assert found.holds is True, found.evidence
    assert other.holds is False, other.evidence
    assert found.evidence
    assert len(found.evidence) < 300


@pytest.mark.parametrize("identifier", OWN)
def test_a_statement_fails_on_its_control_where_it_held(identifier):
    entry, (holding, _) = OWN[identifier], cases()[identifier.split(":")[1]]
    judged = judge(identifier, entry, holding, spawner(1), resamples=4)
    assert judged.holds
    assert judged.control_fails, judged.control_evidence
    if "units" in entry:
        assert judged.resamples == 4
        assert 0 <= judged.support <= 1


def test_equal_models_confirm_no_difference():
    alike = areas([[0.50] * 3] * 3, iauprec=(0.5, 0.5, 0.5), auc=(0.5, 0.5, 0.5))
    for name in ("0110", "0111", "0112", "0113", "0114", "0115"):
        assert not evaluate(OWN[f"landgrebe2007:{name}"], alike).holds


def test_the_data_of_a_statement_on_one_set_are_those_of_that_set():
    entry = OWN["landgrebe2007:0087"]
    assert evaluate(entry, cases()["0087"][0]).data == "data of the work"


def test_a_case_in_data_of_the_work_counts_before_one_in_a_stand_in():
    entry = OWN["landgrebe2007:0090"]
    own, same = (measured.frame("measured") for measured in cases()["0090"])
    stand_in = own.assign(title="Road sign", label="stand-in for road-sign: x")
    both = given(measured=pd.concat([own, stand_in], ignore_index=True))
    assert evaluate(entry, both).data == "data of the work"
    only = given(measured=pd.concat([same, stand_in], ignore_index=True))
    found = evaluate(entry, only)
    assert found.holds
    assert found.data == "stand-in for road-sign: x"
