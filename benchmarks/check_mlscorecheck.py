"""Everything that mlscorecheck refutes in its own documentation, asked of `opchar.printed`.

    python benchmarks/check_mlscorecheck.py

Needs mlscorecheck (pip install mlscorecheck). The examples are read from its docstrings and run;
each call is recorded with its setup and outcome. The bundles of data sets call the same checks with
sizes of their own. Bounds on the scores of single folds are left out: fewer are refuted here.
"""

import ast
import contextlib
import copy
import functools
import inspect
import io
import logging
import os
import sys
import time
from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path

from opchar.printed import Protocol, check, read_table
from opchar.printed.averages import fold_witness, partitions
from opchar.printed.classes import class_witness
from opchar.printed.exact_indices import exact_index
from opchar.printed.matrices import Demand, witness
from opchar.printed.reported_values import UndecidedError

NAMES = {"sens": "tpr", "spec": "tnr", "acc": "accuracy", "bacc": "balanced_accuracy"}
NAMES |= {"ppv": "precision", "f1p": "f1", "f1": "f1", "npv": "npv", "fm": "fowlkes_mallows"}
OF_CLASSES = {"acc": "accuracy", "sens": "recall", "spec": "specificity", "f1p": "f1"}
OF_CLASSES |= {"ppv": "precision", "npv": "npv"}


def limits(value, eps):
    """Return the limits of a score: a value with a distance on both sides."""
    middle, off = Fraction(str(value)), Fraction(str(eps))
    return middle - off, middle + off


def recorded():
    """Run the examples of mlscorecheck; return name, setup and outcome of each check."""
    import mlscorecheck.check as package
    from mlscorecheck.check import binary, multiclass, regression

    calls, depth = [], [0]

    def recorder(name, function):
        @functools.wraps(function)
        def wrapped(*given, **named):
            setup = copy.deepcopy(inspect.signature(function).bind(*given, **named).arguments)
            depth[0] += 1
            try:
                outcome = function(*given, **named)
            finally:
                depth[0] -= 1
            if not depth[0]:
                calls.append((name, setup, bool(outcome["inconsistency"])))
            return outcome

        return wrapped

    wrapped = {}
    for part in (binary, multiclass, regression):
        for name, function in inspect.getmembers(part, inspect.isfunction):
            if name.startswith("check_"):
                kind = part.__name__.rpartition(".")[2]
                wrapped[function] = recorder(f"{kind}.{name}", function)
    known = {}
    for module in [m for name, m in sys.modules.items() if name.startswith(package.__name__)]:
        for name, function in inspect.getmembers(module, inspect.isfunction):
            if function in wrapped:
                setattr(module, name, wrapped[function])
            if name.startswith("check_"):
                known[name] = getattr(module, name)
    for sums in ("mos", "som"):  # as the examples call them
        known[f"check_n_datasets_{sums}_no_kfold"] = known[f"check_n_testsets_{sums}_no_kfold"]
    for path in sorted(Path(package.__file__).parent.rglob("*.py")):
        own = dict(known)
        if "regression" in path.parts:
            own["check_1_testset_no_kfold"] = regression.check_1_testset_no_kfold
        else:
            own["check_1_testset_no_kfold"] = binary.check_1_testset_no_kfold
        for part in ast.parse(path.read_text()).body:
            text = ast.get_docstring(part) if isinstance(part, ast.FunctionDef) else None
            for line in statements(text or ""):
                exec(line, own)
    return calls


def statements(text):
    """Yield the statements of the examples of a docstring that set something."""
    found = []
    for line in (line.strip() for line in text.partition("Examples:")[2].splitlines()):
        if line.startswith(">>>"):
            found.append(line[3:].strip())
        elif line and line[0] != "#" and found:
            found[-1] += " " + line
    for line in found:
        if "=" in line and "import" not in line and "['inconsistency']" not in line:
            yield line


def sizes_of(dataset):
    """Return positives and negatives of a data set that mlscorecheck names."""
    from mlscorecheck.aggregated import Dataset

    found = Dataset(**dataset)
    return int(found.p), int(found.n)


def folds_of(dataset, folding):
    """Return positives and negatives of the test folds of mlscorecheck."""
    from mlscorecheck.aggregated import Dataset, Folding

    folds = Folding(**folding).generate_folds(Dataset(**dataset), "mos")
    return [(int(fold.p), int(fold.n)) for fold in folds]


def summed(parts):
    """Return one pair of sizes from many."""
    return sum(p for p, _ in parts), sum(n for _, n in parts)


def repeated(dataset, folding):
    """Return the sizes of a data set, each object counted once a repeat."""
    p, n = sizes_of(dataset)
    repeats = folding.get("n_repeats", 1)
    return p * repeats, n * repeats


def unknown(dataset, folding):
    """Return all sizes of the folds of one repeat."""
    return list(partitions(*sizes_of(dataset), folding["n_folds"]))


def parts_of(name, setup):
    """Yield lists of test folds, each with its weight, that a setup of two classes allows."""
    name = name.partition(".check_")[2]
    pair = [(t["p"], t["n"]) for t in setup.get("testsets", [setup.get("testset", {})]) if t]
    pair = [(int(p), int(n)) for p, n in pair]
    runs = [(one["dataset"], one["folding"]) for one in setup.get("evaluations", [])]
    own = (setup.get("dataset"), setup.get("folding"))
    if name == "1_testset_no_kfold" or name == "n_testsets_mos_no_kfold":
        ways = [[pair]]
    elif name == "n_testsets_som_no_kfold":
        ways = [[[summed(pair)]]]
    elif name == "1_dataset_kfold_som":
        ways = [[[repeated(*own)]]]
    elif name == "n_datasets_som_kfold_som":
        ways = [[[summed([repeated(*run) for run in runs])]]]
    elif name == "n_datasets_mos_kfold_som":
        ways = [[[repeated(*run)] for run in runs]]
    elif name == "1_dataset_known_folds_mos":
        ways = [[folds_of(*own)]]
    elif name == "n_datasets_mos_known_folds_mos":
        ways = [[folds_of(*run) for run in runs]]
    elif name == "1_dataset_unknown_folds_mos":
        ways = ([one] for one in unknown(*own))
    else:
        ways = product(*(unknown(*run) for run in runs))
    for sets in ways:
        yield [(fold, Fraction(1, len(sets) * len(one))) for one in sets for fold in one]


def two_classes(name, setup):
    """Tell whether opchar refutes a setup of two classes."""
    asked = [
        Demand(exact_index(NAMES[score]), limits(value, setup["eps"]), str(value))
        for score, value in setup["scores"].items()
    ]
    for parts in parts_of(name, setup):
        folds, weights = zip(*parts, strict=True)
        if len(folds) == 1:
            found = witness(asked, *folds[0])
        else:
            found = fold_witness(asked, list(folds), weights=weights)
        if found is not None:
            return False
    return True


def many_classes(name, setup):
    """Tell whether opchar refutes a setup of C classes."""
    kind = name.rpartition("_")[2]
    if "testset" in setup:
        folds = [setup["testset"]]
    else:
        from mlscorecheck.aggregated import create_folds_multiclass

        folds = create_folds_multiclass(setup["dataset"], setup["folding"])
    sizes = [[int(size) for size in fold.values()] for fold in folds]
    if "_som_" in name:
        sizes = [[sum(one) for one in zip(*sizes, strict=True)]]
    scores = {
        f"{kind}_{OF_CLASSES[score]}": limits(value, setup["eps"])
        for score, value in setup["scores"].items()
        if score in OF_CLASSES
    }
    return class_witness(scores, sizes) is None


def regression(name, setup):
    """Tell whether opchar refutes errors of predicted numbers, printed with four digits."""
    scores = {score: f"{value:.4f}" for score, value in setup["scores"].items()}
    given = {"variance": repr(setup["var"]), "n": str(setup["n_samples"])} | scores
    table = read_table(",".join(given) + "\n" + ",".join(given.values()))
    return check(table, Protocol())["row 1"].status == "impossible"


def compare() -> None:
    """Compare with mlscorecheck on the examples of its documentation."""
    try:
        import mlscorecheck  # noqa: F401
    except ImportError:
        print("this comparison needs mlscorecheck: pip install mlscorecheck")
        return
    logging.disable(logging.CRITICAL)
    here, out = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(out, 1)  # its solver writes to the terminal
    with contextlib.redirect_stdout(io.StringIO()):
        calls = recorded()
    os.dup2(here, 1)
    counted = Counter()
    kinds = {"binary": two_classes, "multiclass": many_classes, "regression": regression}
    for name, setup, theirs in calls:
        start = time.perf_counter()
        try:
            ours = kinds[name.partition(".")[0]](name, setup)
        except UndecidedError:
            ours = "not decided"
        counted[theirs, ours] += 1
        seconds = time.perf_counter() - start
        said = f"{name} {setup['scores']}: mlscorecheck {theirs}, opchar {ours}, {seconds:.2f} s"
        print(said, flush=True)
    for (theirs, ours), many in sorted(counted.items(), key=str):
        print(f"refuted by mlscorecheck: {theirs}, by opchar: {ours}: {many}")


if __name__ == "__main__":
    compare()
