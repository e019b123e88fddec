"""Real printed rows with sources: none that holds is refused, and each refutation has a proof.

The truth of each row is computed here from its counts, with fractions and formulas of this file.
What is found of these tables, of the layouts and of rare ones is kept in `said.txt`, so that any
change shows; `PYTHONPATH=tests python tests/unit/printed/test_corpus.py` keeps it anew.
"""

import json
import math
import re
import runpy
from collections import Counter
from fractions import Fraction as Q
from functools import cache
from pathlib import Path

import pytest

from checkout import ROOT
from opchar.errors import DataError
from opchar.printed import check, read_table
from opchar.printed.certificates import verify

COMMAND = runpy.run_path(str(ROOT / "benchmarks/real_rows.py"))
INDEX = COMMAND["index"]()
HALF = Q(1, 2)


def share(part, whole):
    return Q(part) / whole if whole else None


def value(name, tp, fn, fp, tn):
    """Return an index of a matrix; None where it is 0/0, which programs print as they like."""
    p, n = tp + fn, fp + tn
    tpr, tnr = share(tp, p), share(tn, n)
    if name == "kappa":
        chance = ((tp + fp) * p + (fn + tn) * n) / Q((p + n) ** 2)
        return (share(tp + tn, p + n) - chance) / (1 - chance)
    if name == "mcc":
        spread = (tp + fp) * p * n * (fn + tn)
        return (tp * tn - fp * fn) / math.sqrt(spread) if spread else None
    shares = {
        "tpr": (tp, p),
        "tnr": (tn, n),
        "fpr": (fp, n),
        "fnr": (fn, p),
        "ppv": (tp, tp + fp),
        "npv": (tn, tn + fn),
        "fdr": (fp, tp + fp),
        "FOR": (fn, tn + fn),
        "acc": (tp + tn, p + n),
        "err": (fp + fn, p + n),
        "f1": (2 * tp, 2 * tp + fp + fn),
        "prev": (p, p + n),
        "detection_rate": (tp, p + n),
        "detection_prevalence": (tp + fp, p + n),
        "lrp": (tp * n, p * fp),
        "lrn": (fn * n, p * tn),
        "dor": (tp * tn, fp * fn),
    }
    if name in shares:
        return share(*shares[name])
    if name == "gmean":
        return math.sqrt(tpr * tnr)
    return {"bacc": (tpr + tnr) / 2, "youden": tpr + tnr - 1}[name]


def ends(text):
    """Return least and greatest value of a printed number: half a unit of its last digit."""
    digits = text.rstrip("%").replace(",", ".")
    half = HALF / 10 ** len(digits.partition(".")[2])
    scale = 100 if text.endswith("%") else 1
    return (Q(digits) - half) / scale, (Q(digits) + half) / scale


def fits(text, true):
    low, high = ends(text)
    return true is None or low <= Q(true) <= high or abs(float(low + high) / 2 - true) < 1e-15


def pairs(row):
    return [pair.split(" ") for pair in row.scores.split("; ")]


def misfits(row, counts):
    return [name for name, text in pairs(row) if not fits(text, value(name, *counts))]


def of_classes(row):
    """Return the scores that no mean over the classes, plain or weighted by objects, has."""
    matrix = json.loads(row.counts)
    total = sum(map(sum, matrix))
    each = []
    for k, line in enumerate(matrix):
        tp, fn = line[k], sum(line) - line[k]
        fp = sum(other[k] for other in matrix) - tp
        each.append((tp, fn, fp, total - tp - fn - fp))
    weights = [1] * len(each) if row.why.startswith("plain") else [tp + fn for tp, fn, *_ in each]
    wrong = []
    for name, text in pairs(row):
        if row.why == "accuracy":
            true = Q(sum(tp for tp, *_ in each), total)
        else:
            values = [value(name, *counts) or 0 for counts in each]
            true = sum(w * v for w, v in zip(weights, values, strict=True)) / sum(weights)
        if not fits(text, true):
            wrong.append(name)
    return wrong


def contradiction(row):
    """Tell whether the printed scores break the named bound between them."""
    low = {name: ends(text)[0] for name, text in pairs(row)}
    high = {name: ends(text)[1] for name, text in pairs(row)}
    if row.proof in ("f1", "f05"):  # F rises with precision and with recall
        weight = {"f1": 1, "f05": Q(1, 4)}[row.proof]

        def f(p, r):
            return (1 + weight) * p * r / (weight * p + r)

        least = f(low["ppv"], low["tpr"])
        greatest = f(high["ppv"], high["tpr"])
        return high[row.proof] < least or low[row.proof] > greatest
    if row.proof == "between":
        rates = ("tpr", "tnr")
        return low["acc"] > max(high[r] for r in rates) or high["acc"] < min(low[r] for r in rates)
    if row.proof == "lr":
        least = low["tpr"] / (1 - low["tnr"])
        return high["lrp"] < least or low["lrp"] > high["tpr"] / (1 - high["tnr"])
    assert row.proof == "interval"
    outside = re.search(r"0\.955 \(0\.926.0\.949\)", text_of(row))
    return outside is not None


def text_of(row):
    return (COMMAND["CORPUS"] / row.file).read_text(encoding="utf-8")


def test_the_corpus_is_as_large_and_as_varied_as_is_said():
    hold, wrong = (INDEX[INDEX.truth == truth] for truth in ("holds", "impossible"))
    assert len(hold) >= 200 and len(wrong) >= 60 and INDEX.id.is_unique
    assert (~hold.source.str.startswith("own result")).sum() >= 120
    assert INDEX.source.ne("").all() and INDEX.why.ne("").all() and hold.kind.nunique() >= 12
    assert hold.objects[hold.objects.ne("")].astype(int).max() > 10**7
    assert hold.prevalence[hold.prevalence.ne("")].astype(float).drop_duplicates().min() <= 1e-5
    files = {path.name for path in COMMAND["CORPUS"].glob("*.txt")}
    assert set(INDEX.file) == files


@pytest.mark.parametrize("row", list(INDEX.itertuples()), ids=lambda row: f"{row.id}-{row.file}")
def test_the_truth_of_a_row_follows_from_its_counts(row):
    text = re.sub(r"[*\s]+", " ", text_of(row))
    for _, printed in pairs(row):
        assert printed.rstrip("%") in text
    counts = [int(count) for count in row.counts.split()] if "[" not in row.counts else []
    if row.truth == "impossible":
        assert misfits(row, counts) if counts else contradiction(row)
    elif row.proof == "matrix":
        assert of_classes(row) == []
    elif row.proof == "half":
        more = [count + HALF for count in counts]
        assert set(misfits(row, more)) & set(misfits(row, counts)) == set()
        assert not {"lrp", "lrn", "dor"} & set(misfits(row, more))
    elif row.proof == "macro":
        tp, fn, fp, tn = counts
        mean = (value("f1", tp, fn, fp, tn) + value("f1", tn, fp, fn, tp)) / 2
        assert misfits(row, counts) == ["f1"] and fits(dict(pairs(row))["f1"], mean)
    elif row.proof == "cut":
        for name, printed in pairs(row):
            digits = 10 ** len(printed.rstrip("%").partition(".")[2])
            cut = math.floor(100 * value(name, *counts) * digits) / Q(digits)
            assert cut == Q(printed.rstrip("%"))
    else:
        assert misfits(row, counts) == []


@pytest.fixture(scope="module")
def judged():
    return list(COMMAND["judged"](INDEX, seconds=1))


def test_no_row_that_holds_is_refused(judged):
    refused = [
        (one.row.file, one.row.row)
        for one in judged
        if one.row.truth == "holds" and one.status == "impossible"
    ]
    assert refused == []


def test_every_refutation_has_a_proof_that_verifies(judged):
    for one in judged:
        for answer in one.answers:
            if answer.status == "impossible":
                assert answer.certificate is not None and verify(answer.certificate), one.row


def test_rows_that_do_not_hold_are_refuted(judged):
    wrong = [one for one in judged if one.row.truth == "impossible"]
    left = {one.row.file for one in wrong if one.status != "impossible"}
    # F1 that an average may have.
    assert left <= {"tharwat-imbalanced.txt", "pmc10474512-table4.txt"}
    assert sum(one.status == "impossible" for one in wrong) >= 60


def test_most_rows_that_hold_are_decided(judged):
    found = Counter(one.status for one in judged if one.row.truth == "holds")
    assert found["possible"] >= 0.9 * found.total()


def test_the_documented_table_is_that_of_the_command(judged):
    text = (ROOT / "docs/check.md").read_text(encoding="utf-8")
    assert len([word for word in text.split() if re.search(r"\w", word)]) <= 900
    lines = [line.split("|") for line in text.splitlines() if line.startswith("|")]
    documented = {cells[1]: cells[2:] for cells in lines}
    for kind in [*sorted({one.row.kind for one in judged}), "all"]:
        found = COMMAND["line"](kind, [o for o in judged if kind in ("all", o.row.kind)])
        cells = found.split("|")[2:]
        for column in (0, 2, 3, 4):  # neither possible nor seconds, which hang on the time limit
            assert documented[kind][column] == cells[column], kind


SAID, RARE = (Path(__file__).with_name(name) for name in ("said.txt", "rare.txt"))
LAYOUTS = runpy.run_path(str(Path(__file__).with_name("test_layouts.py")))["cases"]
# No search of these ends by the clock, however busy the machine is.
SLOW, LONG = {"pages: size under a table"}, "--seconds 36000"


@cache
def tables():
    """Return the table and the options of every case, by its name."""
    rows = INDEX.itertuples()
    found = {f"{one.file} {one.options}".strip(): (text_of(one), one.options) for one in rows}
    rare = RARE.read_text(encoding="utf-8").removeprefix("%%% ").split("\n%%% ")
    for head, _, text in (part.partition("\n") for part in rare):
        name, _, options = head.partition(" | ")
        found[f"rare: {name}"] = text, options
    return found | {one.id: (one.values[0], "") for one in LAYOUTS() if one.id not in SLOW}


def said_of(text, options):
    """Return what is found of a table, in lines."""
    protocol, taken = COMMAND["stated_by"](f"{LONG} {options}")
    try:
        found = check(read_table(text, taken), protocol)
    except DataError as error:
        return [f"refused: {error}"]
    lines = []
    for label, one in found.items():
        matrix = one.witness if isinstance(one.witness, dict) else {}
        told = one.status, *matrix.values(), one.least_objects or "", "only" * one.only
        lines.append(f"{label}: {' '.join(map(str, filter(None, map(str, told))))}")
        below = *one.contradiction, *one.arithmetic, *one.unchecked, one.reason, *one.hints
        lines += [f"  {part}" for part in below if part]
    return "\n".join(lines).rstrip().split("\n")


@cache
def kept_words():
    """Return the words that are kept, by the name of the case."""
    text = SAID.read_text(encoding="utf-8").removeprefix("%%% ")
    heads = (part.partition("\n") for part in text.split("\n%%% "))
    return {name: words.rstrip().split("\n") for name, _, words in heads}


@pytest.mark.parametrize("name", kept_words())
def test_what_is_found_of_a_table_is_what_is_kept(name):
    assert said_of(*tables()[name]) == kept_words()[name]


def test_the_words_on_every_table_are_kept_words():
    assert kept_words().keys() == tables().keys()


if __name__ == "__main__":
    words = {name: said_of(*case) for name, case in tables().items()}
    lines = ("\n".join([f"%%% {name}", *said]) for name, said in words.items())
    SAID.write_text("\n".join(lines) + "\n", encoding="utf-8")
