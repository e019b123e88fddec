"""`opchar analyse` on files as people make them: its numbers recomputed, each refusal one line."""

import contextlib
import csv
import io
import json
import math
import runpy
import sys
import tempfile
from fractions import Fraction
from pathlib import Path

import pandas as pd
from common import near, outside
from library import (
    Sample,
    cost_at,
    equal_error,
    f_at,
    measures_at,
    most_beyond,
    partial,
    pr_areas,
    wilson_of,
)

PAIRS = [
    ("sick", "well"),
    ("1", "0"),
    ("yes", "no"),
    ("True", "False"),
    ("böse", "gut"),
    ("M", "B"),
    ("+1", "-1"),
]
LABELS = ["y", "label", "target", "class", "True label", "Status des Patienten"]
MODELS = ["logistic", "forest", "Modell A", "net-2", "SVM (rbf)"]
KINDS = ["csv", "tsv", "semicolon", "pipe", "parquet", "gz", "bom"]
ENDINGS = {"tsv": "tsv", "parquet": "parquet", "gz": "csv.gz"}
SEPARATORS = {"tsv": "\t", "semicolon": ";", "pipe": "|"}


def command(*words):
    """Run `opchar` here and return its status, output and errors."""
    before, out, err = sys.argv, io.StringIO(), io.StringIO()
    sys.argv = ["opchar", *map(str, words)]
    status = 0
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            runpy.run_module("opchar.cli", run_name="__main__")
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
        if isinstance(end.code, str):
            err.write(end.code)
    finally:
        sys.argv = before
    return status, out.getvalue(), err.getvalue()


def analyse(path, *words):
    """Analyse a file; return status, output and errors."""
    return command("analyse", path, "--json", "--resamples", 50, *words)


class Drawn:
    """A table of scores as it would be written by hand, and what is true of it."""

    def __init__(self, rng, folder):
        self.rng, size = rng, rng.randint(40, 90)
        self.positive, self.negative = rng.choice(PAIRS)
        share = rng.choice([0.15, 0.3, 0.5])
        self.y = [int(rng.random() < share) for _ in range(size)]
        self.y[:4] = [0, 1, 0, 1]
        digits = rng.choice([1, 2, 6])
        self.models = rng.sample(MODELS, rng.choice([1, 1, 2, 3]))
        self.bounded = rng.random() < 0.5
        self.scores = {}
        for name in self.models:
            raw = [rng.gauss(0, 1) + 1.5 * each for each in self.y]
            if self.bounded:
                raw = [1 / (1 + math.exp(-each)) for each in raw]
            self.scores[name] = [round(each, digits) for each in raw]
        self.label = rng.choice(LABELS)
        single = len(self.models) == 1 and rng.random() < 0.6
        self.columns = {name: ("score" if single else name) for name in self.models}
        fold = [place % 4 for place in range(size)] if rng.random() < 0.3 else None
        self.weight = [rng.randint(1, 3) for _ in range(size)] if rng.random() < 0.25 else None
        some = rng.random() < 0.4
        self.site = [rng.choice(["Nord", "Süd"]) for _ in range(size)] if some else None
        self.missing = sorted(rng.sample(range(6, size), 2)) if rng.random() < 0.25 else []
        self.kind = rng.choice(KINDS)
        self.path = Path(folder) / f"scores.{ENDINGS.get(self.kind, 'csv')}"
        self.write({"fold": fold, "weight": self.weight, "site": self.site})

    def write(self, beside):
        """Write the file, in one of the forms that docs/analyse.md lists."""
        words = [self.positive if each else self.negative for each in self.y]
        table = pd.DataFrame({self.label: words})
        for name in self.models:
            table[self.columns[name]] = self.scores[name]
        table.loc[self.missing, self.columns[self.models[-1]]] = None
        table = table.assign(**{k: values for k, values in beside.items() if values})
        if self.kind == "parquet":
            table.to_parquet(self.path)
            return
        table.to_csv(
            self.path,
            index=False,
            sep=SEPARATORS.get(self.kind, ","),
            decimal="," if self.kind == "semicolon" else ".",
            encoding="utf-8-sig" if self.kind == "bom" else "utf-8",
            lineterminator=self.rng.choice(["\n", "\r\n"]),
        )

    def options(self):
        """Return options of the command, and what they ask."""
        rng, words = self.rng, ["--positive", self.positive]
        asked = {"prior": None, "cost": (1, 1), "threshold": None, "alpha": 0.5}
        asked |= {"confidence": 0.95, "rule": "auto"}
        if self.label == "Status des Patienten" or rng.random() < 0.3:
            words += ["--label", self.label]
        if rng.random() < 0.4 or len(self.models) > 1:
            words += ["--scores", ",".join(self.columns[name] for name in self.models)]
        some = rng.choice(self.scores[self.models[0]])
        for name, chance, choices in (
            ("prior", 0.7, [0.02, 0.1, 0.5, 0.37]),
            ("cost", 0.7, [(1, 5), (1, 20), (3, 1), (0.5, 2)]),
            ("threshold", 0.6, [0.5, 0.3, 1, some]),
            ("alpha", 0.3, [0.2, 0.8]),
            ("confidence", 0.3, [0.9]),
            ("rule", 0.5, ["search", "theory", "auto"]),
        ):
            if rng.random() < chance:
                asked[name] = rng.choice(choices)
                value = "{},{}".format(*asked[name]) if name == "cost" else asked[name]
                words.append(f"--{name}={value}")
        if self.site:
            words += ["--by", "site"]
        if self.missing:
            words += ["--drop-missing"]
        return words, asked

    def sample(self, name, site=None):
        """Return the sample of one model, of all or of a site, without rows that miss a score."""
        rows = [
            place
            for place in range(len(self.y))
            if place not in self.missing and site in (None, self.site and self.site[place])
        ]
        columns = (self.y, self.scores[name], self.weight)
        return Sample(*([each[place] for place in rows] if each else None for each in columns))


def at(cell):
    """Return a threshold of a table as a number."""
    return {"accept none": math.inf, "accept all": -math.inf}.get(cell, cell)


def rows_of(found, table, **keys):
    """Return the rows of a table with given cells."""
    rows = found["tables"].get(table, [])
    return [row for row in rows if all(row.get(k) == v for k, v in keys.items())]


def judge(drawn, asked, found):
    """Yield each number of an answer beside what the file gives."""
    for name in drawn.models:
        # One column of a file is a model of the file's name; several have their own.
        models = found["read"]["models"]
        said = name if name in models else models[0] if len(models) == 1 else None
        if said is None:
            yield f"models are called {models}, columns {drawn.models}"
            return
        s = drawn.sample(name)
        prior, _ = s.under(asked["prior"])
        yield from areas_right(s, found, said, prior)
        yield from points_right(s, found, said, asked)
        yield from thresholds_right(s, found, said, asked)
        yield from limits_right(s, found, said, asked)
        if asked["threshold"] is not None:
            yield from use_right(drawn, found, said, name, prior, asked)
        if drawn.bounded and drawn.weight is None:
            yield from groups_right(s, found, said, asked)
    yield from decision_right(drawn, found, asked)


def areas_right(s, found, model, prior):
    """Areas, equal error rate, and intervals that contain them."""
    right = {
        "AUC": partial(s.rates),
        "equal error rate": equal_error(s.rates),
        f"AUPREC at prior {float(f'{float(prior):.4g}'):g}": pr_areas(s, prior)["exact"],
    }
    for row in rows_of(found, "areas", model=model):
        said = f"areas {model} {row['measure']}"
        if row["measure"] in right:
            yield said, row["value"], right[row["measure"]], 1e-9
        if row["low"] is not None:
            yield from outside(said, row["value"], row["low"], row["high"])
    if not rows_of(found, "areas", model=model, measure="AUC"):
        yield f"areas: no AUC of {model}"


def points_right(s, found, model, asked):
    """Operating points, and what is best over all conditions."""
    for row in rows_of(found, "points", model=model):
        yield f"points {model}: {row}", [row["fpr"], row["tpr"]], s.at(at(row["threshold"]))
    alpha = Fraction(asked["alpha"])
    # Only the rule `search` takes the best of the sample; others take it of smooth curves.
    search = asked["rule"] == "search"

    def worth(rate, space, condition):
        return -cost_at(rate, condition) if space == "cost" else f_at(rate, condition, alpha)

    every = rows_of(found, "every-threshold", model=model)
    for row in every:
        middle = (Fraction(row["from"]) + Fraction(row["to"])) / 2
        here = s.at(at(row["threshold"]))
        value, *values = (worth(rate, row["space"], middle) for rate in (here, *s.rates))
        yield f"every-threshold {model}: {row}", [row["fpr"], row["tpr"]], here
        if search or row["space"] != "cost":
            yield f"every-threshold {model}: {row} at {float(middle)}", value, max(values)
    for row in rows_of(found, "envelopes", model=model):
        space, condition = row["space"], Fraction(row["condition"])
        rates = s.rates
        if space == "cost" and not search:
            own = [each for each in every if each["space"] == "cost"]
            own = [each for each in own if each["from"] <= condition <= each["to"]]
            rates = [s.at(at(each["threshold"])) for each in own]
        best = max(worth(rate, space, condition) for rate in rates)
        value = worth((Fraction(row["fpr"]), Fraction(row["tpr"])), space, condition)
        sign = -1 if space == "cost" else 1
        yield f"envelopes {model}: optimistic of {row}", row["optimistic"], sign * best, 1e-9
        yield f"envelopes {model}: rates of {row}", row["value"], sign * value, 1e-9, 1e-9


def thresholds_right(s, found, model, asked):
    """Advised thresholds: their values follow from their rates, optimistic ones from the sample."""
    fp, fn = (Fraction(each) for each in asked["cost"])
    alpha = Fraction(asked["alpha"])

    def cost(rate, p):
        return p * (1 - rate[1]) * fn + (1 - p) * rate[0] * fp

    for row in rows_of(found, "thresholds", model=model):
        said, p = f"thresholds {model} {row['aim']} at {row['prior']}", Fraction(row["prior"])
        rate, own = (Fraction(row["fpr"]), Fraction(row["tpr"])), s.at(at(row["threshold"]))
        if row["aim"].startswith("cost"):
            right = cost(rate, p), min(p * fn, (1 - p) * fp), cost(own, p)
        else:
            best = max(f_at(each, p, alpha) for each in s.rates)
            right = f_at(rate, p, alpha), f_at((Fraction(1), Fraction(1)), p, alpha), best
            yield f"{said}: best F", f_at(own, p, alpha), best, 1e-9
        for name, value in zip(("value", "trivial", "optimistic"), right, strict=True):
            yield f"{said}: {name}", row[name], value, 1e-8, 1e-9
        yield from outside(said, row["value"], row["low"], row["high"], 1e-12)
    for row in rows_of(found, "rules", model=model, rule="search"):
        p = Fraction(row["prior"])
        own = cost(s.at(at(row["threshold"])), p)
        least = min(own, *(cost(rate, p) for rate in s.rates))
        yield f"rules {model} search: {row}", [own, row["optimistic"]], [least, least], 1e-9
    for row in rows_of(found, "threshold-costs", model=model):
        right = cost(s.at(at(row["threshold"])), Fraction(row["prior"]))
        yield f"threshold-costs {model}: {row}", row["cost"], right, 1e-9


def limits_right(s, found, model, asked):
    """Thresholds for a limit: the best on the sample, and promised ones by the binomial."""
    for row in rows_of(found, "limits", model=model):
        alarms, limit = row["limit"] == "false alarms", Fraction(row["at most"])
        most = limit + Fraction(1e-14)

        def errors(rate, alarms=alarms):
            """Return the error that is limited, and the other."""
            return (rate[0], 1 - rate[1]) if alarms else (1 - rate[1], rate[0])

        own, other = errors(s.at(at(row["threshold"])))
        best = min(b for a, b in map(errors, s.rates) if a <= most)
        if own > most or other != best:
            yield f"limits {model}: {row}, on the sample {float(own), float(other)}, {float(best)}"
        yield f"limits {model}: {row}", row["optimistic error"], own
        if s.weight is None and row["promised threshold"] is not None:
            of = [v for v, y in zip(s.floats, s.y, strict=True) if y == (not alarms)]
            place = most_beyond(len(of), limit, 1 - Fraction(str(asked["confidence"])))
            taken = [v >= at(row["promised threshold"]) for v in s.floats]
            if alarms:
                right = [bool(place) and v > sorted(of)[-place] for v in s.floats]
            else:
                right = [not place or v >= sorted(of)[place - 1] for v in s.floats]
            yield f"limits {model}: accepted by the promise of {row}", taken, right


def use_right(drawn, found, said, name, prior, asked):
    """The threshold in use, on all objects and by site."""
    s = drawn.sample(name)
    fp, fn = (Fraction(each) for each in asked["cost"])
    parts = [(s, row) for row in rows_of(found, "in-use", model=said)]
    if not parts:
        yield f"in-use: nothing of {said}"
    for site in set(drawn.site or []):
        part = drawn.sample(name, site)
        parts += [(part, row) for row in rows_of(found, "by-group", model=said, group=site)]
    for sample, row in parts:
        measure, rate = row["measure"], sample.at(asked["threshold"])
        # Without a prior, a site may have its own or that of all.
        own = sample.prior if sample is not s and asked["prior"] is None else prior
        both = [measures_at(rate, p, fn, fp).get(measure) for p in (own, prior)]
        right = both[1] if near(row["value"], both[1], 1e-9) and None not in both else both[0]
        yield f"in use {said}: {row}", row["value"], right, 1e-9
        if measure in ("tpr", "fpr") and drawn.weight is None and row["low"] is not None:
            number = float(sample.pos if measure == "tpr" else sample.neg)
            ends = wilson_of(float(right), number, asked["confidence"])
            yield f"in use {said}: ends of {row}", [row["low"], row["high"]], ends, 0, 1e-8


def groups_right(s, found, model, asked):
    """Ten groups of equal sizes by score: mean score, share of positives, Wilson's interval."""
    rows = pd.DataFrame(rows_of(found, "calibration", model=model))
    if rows.empty:
        yield f"calibration: nothing of {model}"
        return
    sums = rows[["mean score", "positive"]].mul(rows["objects"], axis=0).sum()
    got = [rows["objects"].sum(), *sums]
    right = [len(s.y), sum(s.floats), sum(s.y)]
    yield f"calibration {model}: sums of the groups", got, right, 0, 1e-9 * len(s.y)
    ends = wilson_of(rows["positive"], rows["objects"], asked["confidence"])
    for name, end in zip(("low", "high"), ends, strict=True):
        yield f"calibration {model}: {name}", rows[name].tolist(), end.tolist(), 0, 1e-8


def decision_right(drawn, found, asked):
    """The headline: counts of 1,000, precision, cost and savings follow from each other."""
    decision = found["decision"]
    p, (fp, fn), advice = decision["prior"], asked["cost"], decision["advice"]
    kept = [y for place, y in enumerate(drawn.y) if place not in drawn.missing]
    names = [word.lower().removeprefix("+") for word in (drawn.negative, drawn.positive)]
    right = {word: kept.count(label) for label, word in enumerate(names)}
    classes = {str(k).lower(): v for k, v in found["read"]["classes"].items()}
    if drawn.weight is None and classes != right:
        yield f"classes {classes}, right {right}"
    yield "decision: trivial", decision["trivial"], min(p * fn, (1 - p) * fp), 1e-9
    least = min(each["cost"]["value"] for each in decision["options"])
    if advice and decision["serves"] and advice["cost"]["value"] > least + 1e-12:
        yield f"decision: advice costs {advice['cost']['value']}, another model {least}"
    for each in decision["options"]:
        said = f"decision {each['model']}"
        hit, miss, alarm = (each[name]["value"] for name in ("found", "missed", "false_alarms"))
        precision = each["precision"] and each["precision"]["value"]
        share = hit / (hit + alarm) if hit + alarm else None
        yield f"{said}: found and missed", hit + miss, 1000 * p, 1e-9
        yield f"{said}: cost", each["cost"]["value"], (miss * fn + alarm * fp) / 1000, 1e-8
        yield f"{said}: precision", precision, share, 1e-8
    saved = decision["saved"] and decision["saved"]["value"]
    if saved is not None:
        right = 1 - advice["cost"]["value"] / decision["trivial"]
        yield "decision: saved", saved, right, 1e-8, 1e-9


def refused(status, out, err):
    """Say what is wrong with a refusal: one line, no traceback, a status."""
    lines = [line for line in err.splitlines() if line.strip()]
    if status == 2 and err.startswith("usage: "):
        # A wrong command: its usage, then one line.
        lines = lines[-1:]
    if "Traceback" in err + out or len(lines) != 1 or status not in (1, 2) or out.strip():
        yield f"status {status}, output {out[-150:]!r}, errors {err[-300:]!r}"


# What must be refused: values of options, a damaged cell, and whole contents of a file.
WRONG_OPTIONS = {
    "prior": ["1.5", "-0.1", "abc", "0", "nan"],
    "cost": ["3", "1,x", "0,0", "1,2,3", "nan,1", "inf,1"],
    "positive": ["ill"],
    "label": ["nothing"],
    "scores": ["nothing"],
    "threshold": ["x", "nan", "model=x"],
    "confidence": ["1", "0", "95", "x"],
    "fold": ["nothing"],
    "alerts": ["3/2", "x", "0/0", "1/0"],
    "by": ["nothing"],
    "seed": ["x"],
}
WRONG_CELLS = {"word": ["1", "abc"], "missing": ["1", ""], "inf": ["1", "inf"], "nan": ["1", "nan"]}
WRONG_CELLS["short row"] = ["1"]
WRONG_TABLES = ["one class", "all missing", "twice", "two readings", "negative weight", "header"]
WRONG_FILES = ["empty", "binary", "bad parquet", "bad gz", "no file", "folder"]


def damaged(rng, folder):
    """Return a file or command that must be refused, by what is wrong with it."""
    good = [[str(k % 2), f"0.{rng.randint(10, 99)}"] for k in range(40)]
    kind = rng.choice([*WRONG_OPTIONS, *WRONG_CELLS, *WRONG_TABLES, *WRONG_FILES])
    place, head = rng.randint(1, 39), ["y", "score"]
    if kind in WRONG_CELLS:
        good[place] = WRONG_CELLS[kind]
    elif kind == "one class":
        good = [["1", score] for _, score in good]
    elif kind == "all missing":
        good = [[label, ""] for label, _ in good]
    elif kind == "twice":
        head, good = [*head, "score"], [[*row, row[1]] for row in good]
    elif kind == "two readings":
        good = [[label, f"1,{rng.randint(100, 999)}"] for label, _ in good]
    elif kind == "negative weight":
        head, good = [*head, "weight"], [[*row, "1"] for row in good]
        good[place][2] = "-1"
    elif kind == "header":
        good = []
    ending = {"bad parquet": "parquet", "bad gz": "csv.gz"}.get(kind, "csv")
    path = Path(folder) / f"bad.{ending}"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([head, *good])
    if kind in ("empty", "binary"):
        path.write_bytes(rng.randbytes(400 if kind == "binary" else 0))
    elif kind in ("bad parquet", "bad gz"):
        path.write_bytes(b"PAR1" + bytes(60))
    elif kind in ("no file", "folder"):
        path.unlink()
    if kind == "folder":
        path.mkdir()
    words = [f"--{kind}", rng.choice(WRONG_OPTIONS[kind])] if kind in WRONG_OPTIONS else []
    return kind, path, [*words, "--drop-missing"] if kind == "all missing" else words


def answers(rng):
    """Analyse a drawn file."""
    with tempfile.TemporaryDirectory() as folder:
        drawn = Drawn(rng, folder)
        words, asked = drawn.options()
        said = f"{drawn.kind}, label {drawn.label!r}, {drawn.models}"
        yield f"{said}, opchar analyse {' '.join(map(str, words))}"
        if drawn.missing:
            lacking = [word for word in words if word != "--drop-missing"]
            yield from refused(*analyse(drawn.path, *lacking))
        status, out, err = analyse(drawn.path, *words)
    if status:
        yield f"refused: {err.strip()[-300:]}"
    else:
        yield from judge(drawn, asked, json.loads(out))


def refusals(rng):
    """Refuse a damaged file or command."""
    with tempfile.TemporaryDirectory() as folder:
        kind, path, words = damaged(rng, folder)
        yield f"{kind} {words}"
        yield from refused(*analyse(path, *words))


def run(report, cases):
    """Analyse `cases` drawn files, and refuse as many damaged ones."""
    report.try_cases("files.answers", cases, answers)
    report.try_cases("files.refusals", cases, refusals)
