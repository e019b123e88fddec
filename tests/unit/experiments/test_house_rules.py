"""The house rules that syntax trees can tell: who may train and judge; see also test_house."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest

from checkout import ROOT
from opchar_reproduction.project.closure import sources
from opchar_reproduction.project.definitions import defined_in
from opchar_reproduction.project.plan import Plan
from opchar_reproduction.publication import folders
from opchar_reproduction.report.comparison.ledger import labels_built
from opchar_reproduction.report.comparison.published_values import read_lines

SOURCE = ROOT / "src"
STUDIES = {"publications", "user_data"}
VERDICTS = {"claim", "judge", "verdict"}
FITTING = {"fit", "fit_predict", "fit_resample", "fit_transform", "partial_fit"}
ESTIMATORS = re.compile(r"(sklearn(?!\.metrics)|imblearn|opchar\.models)\b")
# They have a method `fit` and are no classifiers.
DENSITIES = "statsmodels.nonparametric"
MOST_LINES = 60


def room(path: Path) -> str:
    """Return the part of the reproduction that a file belongs to; ``library`` for all others."""
    package, inside = path.parts[0], path.parts[1].removesuffix(".py")
    return inside if package == "opchar_reproduction" else "library"


FILES = sorted(path.relative_to(SOURCE) for path in SOURCE.glob("opchar*/**/*.py"))
OUTSIDE = sorted((ROOT / "studies").rglob("*.py"))
STUDIED = [*(path for path in FILES if room(path) in STUDIES), *OUTSIDE]


def parsed(path: Path) -> ast.Module:
    return ast.parse((SOURCE / path).read_text(encoding="utf-8"))


def imports(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield what is imported, in full, and the name it has here."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for name in node.names:
                yield name.name, name.asname or name.name.split(".")[0]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports within the package name it in full"
            for name in node.names:
                yield f"{node.module}.{name.name}", name.asname or name.name


def called(tree: ast.Module) -> Iterator[tuple[str, ast.Attribute]]:
    """Yield the names of the methods that are called."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            yield node.func.attr, node.func


def density_estimates(tree: ast.Module) -> set[str]:
    """Return the variables that are only ever made by calling an estimator of densities."""
    makers = {name for address, name in imports(tree) if address.startswith(DENSITIES)}
    made: dict[str, set[bool]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            call = node.value.func if isinstance(node.value, ast.Call) else None
            for target in node.targets:
                if isinstance(target, ast.Name):
                    known = isinstance(call, ast.Name) and call.id in makers
                    made.setdefault(target.id, set()).add(known)
    return {name for name, known in made.items() if known == {True}}


# Rules of test sets and of a threshold, which studies may ask for: they make no estimator.
NO_ESTIMATORS = (
    "opchar.models.classifiers.imbalance.without_shift",
    "opchar.models.splits.representatives.TEST_SETS",
    "opchar.models.splits.representatives.relative_sizes",
)


def training(tree: ast.Module) -> list[str]:
    """Return where a module makes or fits estimators."""
    densities = density_estimates(tree)
    found = [
        address
        for address, _ in imports(tree)
        if ESTIMATORS.match(address) and address not in NO_ESTIMATORS
    ]
    for name, method in called(tree):
        of_density = isinstance(method.value, ast.Name) and method.value.id in densities
        if name in FITTING and not of_density:
            found.append(f"line {method.lineno}: {ast.unparse(method)}")
    return found


def verdicts(tree: ast.Module) -> list[str]:
    """Return where a module judges."""
    return [
        f"line {method.lineno}: {ast.unparse(method)}"
        for name, method in called(tree)
        if name in VERDICTS
    ]


def kept_by_hand(tree: ast.Module) -> list[str]:
    """Return where results are kept under a key that was put together by hand.

    A key forgets what its author forgets; `functools.cache` keys by all that a function is given.
    """
    found = []
    for node in ast.walk(tree):
        if not (isinstance(node, ast.If) and isinstance(node.test, ast.Compare)):
            continue
        if not isinstance(node.test.ops[0], ast.NotIn):
            continue
        key = ast.unparse(node.test.left).strip("()")
        place = f"{ast.unparse(node.test.comparators[0])}[{key}]"
        targets = [
            target for each in node.body if isinstance(each, ast.Assign) for target in each.targets
        ]
        if place in map(ast.unparse, targets):
            found.append(f"line {node.lineno}: {place}")
    return found


def long_functions(tree: ast.Module) -> list[str]:
    """Return the functions whose bodies, without docstrings, have more than `MOST_LINES`."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[1:] if ast.get_docstring(node) is not None else node.body
            if body and (body[-1].end_lineno or 0) - body[0].lineno + 1 > MOST_LINES:
                found.append(node.name)
    return found


def claims_of(lines: pd.DataFrame, built: set[str]) -> set[str]:
    """Return the ids of the claims of built artefacts; the ledger lists the others as not built."""
    claims = lines[lines["kind"] == "claim"]
    return set(claims.loc[(claims["paper"] + "/" + claims["artefact"]).isin(built), "id"])


@pytest.mark.parametrize("path", STUDIED, ids=str)
def test_studies_keep_results_by_all_that_they_depend_on(path: Path) -> None:
    assert len(STUDIED) > 30
    assert kept_by_hand(parsed(path)) == []


def test_results_kept_by_hand_are_found() -> None:
    assert kept_by_hand(ast.parse("if (a, b) not in kept:\n    kept[a, b] = f(a, b, c)"))
    assert not kept_by_hand(ast.parse("if a not in kept:\n    kept[b] = f(a)"))


@pytest.mark.parametrize("rule", [training, verdicts])
def test_studies_neither_train_nor_give_verdicts(rule) -> None:
    assert not {str(path): found for path in STUDIED if (found := rule(parsed(path)))}


def test_measuring_judging_and_drawing_know_nothing_of_each_other(plan: Plan) -> None:
    config = plan.config
    voices = {
        "measures": {entry["function"] for entry in config.experiments.values()},
        "judges": {entry["function"] for entry in config.statements.values()},
        "draws": {entry["renderer"] for entry in config.artefacts.values()},
    }
    marked = {defined_in(name)[0]: set[str]() for names in voices.values() for name in names}
    for voice, names in voices.items():
        for name in names:
            marked[defined_in(name)[0]].add(voice)
    for voice, functions in voices.items():
        for function in functions:
            own = defined_in(function)[0]
            if len(marked[own]) > 1:  # a study in one file
                continue
            reached = {each.replace("/", ".") for each in sources().closure(function)} - {own}
            assert not {each for each in reached if voice not in marked.get(each, voice)}, function


def test_functions_are_short() -> None:
    assert not {str(path): found for path in FILES if (found := long_functions(parsed(path)))}


def test_every_claim_of_a_built_artefact_has_a_statement(plan: Plan) -> None:
    config, papers = plan.config, folders()
    claims = claims_of(read_lines(papers), labels_built(config.artefacts))
    judged = {name for name in config.statements if name.split(":")[0] in papers}
    assert sorted(claims - judged) == [], "published claims without a statement"
    assert sorted(judged - claims) == [], "statements on no claim of a built artefact"


@pytest.mark.parametrize(
    ("rule", "source"),
    [
        (training, "from opchar.models.classifiers.gaussian import qdc"),
        (training, "import opchar.models.training as training"),
        (training, "from opchar import models"),
        (training, "from sklearn.svm import SVC"),
        (training, "def f(model, X, y):\n    return model.fit(X, y)"),
        (training, "def f(make, X):\n    return make().fit_transform(X)"),
        (verdicts, "def f(results):\n    results.claim('table-1', 'a', True, '')"),
        (long_functions, "def f():\n" + "    x = 1\n" * 61),
    ],
)
def test_each_rule_finds_what_breaks_it(rule, source) -> None:
    assert len(rule(ast.parse(source))) == 1


def test_what_keeps_the_rules_is_let_through() -> None:
    density = "from statsmodels.nonparametric.kde import KDEUnivariate\n"
    density += "def f(x):\n    estimate = KDEUnivariate(x)\n    estimate.fit()\n"
    assert training(ast.parse(density)) == []
    assert len(training(ast.parse(density + "    estimate = x\n"))) == 1
    assert training(ast.parse("from sklearn.metrics import roc_curve")) == []
    assert long_functions(ast.parse(f'def f():\n    """{"a" * 9}\n{"b" * 9}"""\n    x = 1\n')) == []
    assert long_functions(ast.parse("def f():\n" + "    x = 1\n" * 60)) == []


def test_claims_of_built_artefacts_are_found() -> None:
    rows = [["p:1", "table-1", "claim"], ["p:2", "table-2", "claim"], ["p:3", "table-1", "number"]]
    lines = pd.DataFrame(rows, columns=["id", "artefact", "kind"]).assign(paper="p")
    assert claims_of(lines, {"p/table-1"}) == {"p:1"}
