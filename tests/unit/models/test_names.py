import ast
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
LINES = Path(__file__).with_name("names.txt").read_text(encoding="utf-8").splitlines()
NAMES = ast.literal_eval("{" + ",".join(line for line in LINES if line[0] != "#") + "}")


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
