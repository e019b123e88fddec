import csv
import re
import subprocess
import sys
from pathlib import Path

import pytest
from sklearn.base import clone
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline

from checkout import configured
from leads import values_of
from opchar.errors import ConfigError
from opchar.models.names import parse, slug, split

ROOT = Path(__file__).parents[3]
VOCABULARY = configured("models")

# Every model name of the works' tables and text, with the words it stands for.
NAMES = {
    # Table 2.2
    "pca8 mogc4,4": [("pca", (8,)), ("mogc", (4, 4))],
    "pca12 mogc2,2": [("pca", (12,)), ("mogc", (2, 2))],
    "sc svc r 16": [("sc", ()), ("svc", ("r", 16))],
    "pca17 mogc2,4": [("pca", (17,)), ("mogc", (2, 4))],
    "sc svc r 22": [("sc", ()), ("svc", ("r", 22))],
    "pca14 mogc2,4": [("pca", (14,)), ("mogc", (2, 4))],
    "sc knnc3": [("sc", ()), ("knnc", (3,))],
    "sc knnc1": [("sc", ()), ("knnc", (1,))],
    "sc parzenc": [("sc", ()), ("parzenc", ())],
    "pca6 parzenc": [("pca", (6,)), ("parzenc", ())],
    "sc svc p4": [("sc", ()), ("svc", ("p", 4))],
    "pca0.999 ldc": [("pca", (0.999,)), ("ldc", ())],
    "fisher qdc": [("fisher", ()), ("qdc", ())],
    "fisher mogc3,3": [("fisher", ()), ("mogc", (3, 3))],
    "sc svc r 1.0": [("sc", ()), ("svc", ("r", 1.0))],
    # Table 2.3
    "pca3 mogc3": [("pca", (3,)), ("mogc", (3,))],
    "dis15 mindist": [("dis", (15,)), ("mindist", ())],
    "dis50 mindist": [("dis", (50,)), ("mindist", ())],
    # Section 3.2.5
    "pca17 ldc": [("pca", (17,)), ("ldc", ())],
    # Table 3.5
    "sc-pca1 nmc": [("sc", ()), ("pca", (1,)), ("nmc", ())],
    "sc-mogc2,2,1": [("sc", ()), ("mogc", (2, 2, 1))],
    "sc-qdc": [("sc", ()), ("qdc", ())],
    "sc-ldc": [("sc", ()), ("ldc", ())],
    "knn3": [("knnc", (3,))],
    "ldc": [("ldc", ())],
    "qdc": [("qdc", ())],
    "mogc2,1,2": [("mogc", (2, 1, 2))],
    "sc pca8 svc p2": [("sc", ()), ("pca", (8,)), ("svc", ("p", 2))],
    "sc-pca10 mog2,2,2": [("sc", ()), ("pca", (10,)), ("mogc", (2, 2, 2))],
    "pca5 mog2,2,2": [("pca", (5,)), ("mogc", (2, 2, 2))],
    "pca5 qdc": [("pca", (5,)), ("qdc", ())],
    # Table 3.6
    "fisher nmc": [("fisher", ()), ("nmc", ())],
    "sc-svc p2": [("sc", ()), ("svc", ("p", 2))],
    "sc-svc p3": [("sc", ()), ("svc", ("p", 3))],
    "nlfisher qdc": [("nlfisher", ()), ("qdc", ())],
    "pca10 mog1,1,1,3": [("pca", (10,)), ("mogc", (1, 1, 1, 3))],
    "pca15 mog1,1,1,3": [("pca", (15,)), ("mogc", (1, 1, 1, 3))],
    "pca5 mog1,1,1,3": [("pca", (5,)), ("mogc", (1, 1, 1, 3))],
    "pca10 qdc": [("pca", (10,)), ("qdc", ())],
    "pca10 ldc": [("pca", (10,)), ("ldc", ())],
    "nlfisher mogc1,1,1,3": [("nlfisher", ()), ("mogc", (1, 1, 1, 3))],
    # Table 4.3
    "fisherm qdc": [("fisher", ()), ("qdc", ())],
    "pca10 mogc2": [("pca", (10,)), ("mogc", (2,))],
    "fisherm mogc2": [("fisher", ()), ("mogc", (2,))],
    # Table 4.8
    "fish qdc": [("fisher", ()), ("qdc", ())],
    "fish ldc": [("fisher", ()), ("ldc", ())],
    "fish mogc2": [("fisher", ()), ("mogc", (2,))],
    "nlfish mogc2": [("nlfisher", ()), ("mogc", (2,))],
    # Table 5.1, base algorithm
    "PCA 0.99 QDC": [("pca", (0.99,)), ("qdc", ())],
    "Fisher-map QDC": [("fisher", ()), ("qdc", ())],
    "PCA 0.99 LDC": [("pca", (0.99,)), ("ldc", ())],
    "Nearest-mean": [("nmc", ())],
    "PCA 0.9 QDC": [("pca", (0.9,)), ("qdc", ())],
    "PCA 0.999 QDC": [("pca", (0.999,)), ("qdc", ())],
    "PCA 0.9 MoG-5/class": [("pca", (0.9,)), ("mogc", (5,))],
    # Table 5.3
    "QDC": [("qdc", ())],
    "PCA-3D QDC": [("pca", (3,)), ("qdc", ())],
    "MOGC 1 4": [("mogc", (1, 4))],
    "MOGC 1 3": [("mogc", (1, 3))],
    "MOGC 1 2": [("mogc", (1, 2))],
    "Fisher NMC": [("fisher", ()), ("nmc", ())],
    "Fisher LDC": [("fisher", ()), ("ldc", ())],
    "Fisher QDC": [("fisher", ()), ("qdc", ())],
    "Fisher MOGC 2 3": [("fisher", ()), ("mogc", (2, 3))],
    "PCA-4D LDC": [("pca", (4,)), ("ldc", ())],
    # soleymani2020, Sec. 4
    "Naive Bayes": [("bayes", ())],
    "MLP 8": [("mlp", (8,))],
    "RBF-SVM": [("rbfsvm", ())],
    "bagsvm20": [("bagsvm", (20,))],
    # mullick2020, Sec. 5.2
    "lexiboost3": [("lexiboost", (3,))],
    "nbsvm": [("nbsvm", ())],
    "RUSBoost": [("rusboost", ())],
    "SMOTE MLP 8": [("smote", ()), ("mlp", (8,))],
    # thesis, Table 6.1, classifier
    "LDC": [("ldc", ())],
    "MOG": [("mogc", ())],
    "PCA3 LDC": [("pca", (3,)), ("ldc", ())],
    "PCA2 MOG2": [("pca", (2,)), ("mogc", (2,))],
}


@pytest.mark.parametrize("name", NAMES)
def test_every_name_of_the_thesis_parses(name):
    steps = split(name, VOCABULARY)
    assert [(word, arguments) for word, arguments, _ in steps] == NAMES[name]
    assert [function for _, _, function in steps] == [
        VOCABULARY[word]["function"] for word, _ in NAMES[name]
    ]
    estimator = parse(name, VOCABULARY)
    clone(estimator)
    assert isinstance(estimator, Pipeline) == (len(steps) > 1)
    assert hasattr(estimator, "fit")


# One-class models of Tables 5.1 and 6.1.
DETECTORS = {
    "PCA 0.99 Gauss": [("pca", (0.99,)), ("gauss", ())],
    "PCA 0.99 MoG-8": [("pca", (0.99,)), ("mog_dd", (8,))],
    "Gauss": [("gauss", ())],
    "PCA 0.9 MoG-5": [("pca", (0.9,)), ("mog_dd", (5,))],
    "PCA 0.999 MoG-5": [("pca", (0.999,)), ("mog_dd", (5,))],
    "PCA3 Gauss": [("pca", (3,)), ("gauss", ())],
    "PCA5 Gauss": [("pca", (5,)), ("gauss", ())],
}


@pytest.mark.parametrize("name", DETECTORS)
def test_every_one_class_model_of_the_thesis_parses(name):
    steps = split(name, VOCABULARY, "detector")
    assert [(word, arguments) for word, arguments, _ in steps] == DETECTORS[name]
    assert hasattr(clone(parse(name, VOCABULARY, "detector")), "score_samples")
    with pytest.raises(ConfigError):
        split("ldc", VOCABULARY, "detector")


def printed_names():
    """Yield (artefact, name, kind) of every model that a published line of the thesis names."""
    with values_of("landgrebe2007").open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    for line in lines:
        artefact, row = line["artefact"].removeprefix("table-"), line["row"]
        if artefact in ("4.3", "4.8") and line["column"] == "Classifier":
            yield artefact, line["value"], "classifier"
        if artefact == "5.1" and line["kind"] == "text":
            detects = line["column"].startswith("SOCMC")
            yield artefact, line["value"], "detector" if detects else "classifier"
        if artefact in ("2.2", "3.5", "3.6", "5.3", "6.1") and line["kind"] == "number":
            name = row.split(" / ", 1)[1]
            name = re.sub(r"^\d\) | t_d=[\d.]+$| [IH]$", "", name)
            *first, last = name.split(" + ")
            for detector in first:
                yield artefact, detector, "detector"
            yield artefact, last, "classifier"


def test_every_model_name_that_is_printed_is_listed_above():
    printed = set(printed_names())
    assert {artefact for artefact, _, _ in printed} == {
        "2.2", "3.5", "3.6", "4.3", "4.8", "5.1", "5.3", "6.1"
    }  # fmt: skip
    missing = {(a, n, k) for a, n, k in printed if n not in (DETECTORS if k[0] == "d" else NAMES)}
    assert not missing


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("ldd", "unknown word 'ldd' (did you mean 'ldc'?)"),
        ("pca17 lcd", "unknown word 'lcd' (did you mean 'ldc'?)"),
        ("pca17", "end it with a classifier"),
        ("ldc pca3", "nothing can follow the classifier 'ldc'"),
        ("knnc", "write it as in 'knnc3'"),
        ("svc q 3", "write it as in 'svc r 16'"),
        ("pca ldc", "write it as in 'pca17'"),
        ("mogc2,x", "write it as in 'mogc2,1,2'"),
        ("", "empty model name"),
        ("zzz", "config/models.yaml has sc, pca"),
        ("smote", "end it with a classifier"),
        ("rusbost", "unknown word 'rusbost' (did you mean 'rusboost'?)"),
    ],
)
def test_wrong_names_give_one_line_with_the_cure(name, message):
    with pytest.raises(ConfigError) as error:
        split(name, VOCABULARY)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_a_name_can_hold_an_importable_class():
    estimator = parse("sc sklearn.naive_bayes:GaussianNB", VOCABULARY)
    assert isinstance(estimator[-1], GaussianNB)
    with pytest.raises(ConfigError, match="has no 'Gauss'"):
        parse("sklearn.naive_bayes:Gauss", VOCABULARY)
    with pytest.raises(ConfigError, match="no module 'no'"):
        parse("no.such.module:Thing", VOCABULARY)


def test_a_word_of_the_user_may_have_parameters():
    entry = {
        "function": "sklearn.naive_bayes:GaussianNB",
        "kind": "classifier",
        "parameters": {"var_smoothing": 0.5},
    }
    assert parse("bayes", {"bayes": entry}).var_smoothing == 0.5


def test_slugs_are_file_names_and_differ():
    slugs = {slug(name) for name in NAMES if name == name.lower() and "-" not in name}
    names = {name for name in NAMES if name == name.lower() and "-" not in name}
    assert len(slugs) == len(names)
    assert slug("mogc2,1,2") == "mogc2-1-2"
    assert slug("PCA 0.9 MoG-5/class") == "pca-0.9-mog-5-class"


def test_splitting_loads_no_numerical_library():
    code = (
        "import sys, opchar.models.names as n;"
        "n.split('ldc', {'ldc': {'function': 'm:f', 'kind': 'classifier'}});"
        "print([m for m in ('numpy', 'sklearn', 'scipy', 'pandas') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_systems_have_a_detector_and_a_classifier():
    vocabulary = configured("models")
    system = parse("two-stage PCA3 gauss + fisher ldc", vocabulary)
    assert [type(step).__name__ for step in system.detector] == [
        "PrincipalComponents",
        "GaussianDescription",
    ]
    assert type(system.classifier[-1]).__name__ == "LinearBayes"
    words = [word for word, *_ in split("socmc pca0.99 mog 8 + reject qdc", vocabulary)]
    assert words == ["socmc", "pca", "mog_dd", "reject"]
    assert parse("socmc gauss + ldc", vocabulary).detector.reject == 0.05
    for wrong in ("socmc gauss", "socmc gauss + ldc + qdc", "socmc + ldc"):
        with pytest.raises(ConfigError, match="a system has a detector and a classifier"):
            parse(wrong, vocabulary)
    with pytest.raises(ConfigError):
        parse("socmc ldc + gauss", vocabulary)


def test_components_of_a_rejecting_mixture():
    vocabulary = configured("models")
    assert parse("fisher reject mogc 2 3", vocabulary)[-1].classifier.components == (2, 3)
    with pytest.raises(ConfigError, match="model name 'reject qdc 2': no classifier"):
        parse("reject qdc 2", vocabulary)
