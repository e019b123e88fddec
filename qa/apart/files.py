"""`opchar analyse` on files as people make them: each number of its JSON recomputed, each refusal one line."""

import contextlib
import csv
import gzip
import io
import json
import math
import runpy
import sys
import tempfile
from fractions import Fraction
from pathlib import Path

import pandas as pd
from common import Report, near
from library import Sample, cost_at, equal_error, f_at, most_beyond, partial, pr_areas, wilson_of
from scipy.stats import norm

PAIRS = [
    ("sick", "well"),
    ("1", "0"),
    ("yes", "no"),
    ("True", "False"),
    ("böse", "gut"),
    ("M", "B"),
    ("+1", "-1"),
]


def command(*words, stdin=""):
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


class Drawn:
    """A table of scores as it would be written by hand, and what is true of it."""

    def __init__(self, rng, folder):
        self.rng, size = rng, rng.randint(40, 90)
        self.positive, self.negative = rng.choice(PAIRS)
        share = rng.choice([0.15, 0.3, 0.5])
        self.y = [int(rng.random() < share) for _ in range(size)]
        self.y[:4] = [0, 1, 0, 1]
        digits = rng.choice([1, 2, 6])
        self.models = [
            f"{name}"
            for name in rng.sample(
                ["logistic", "forest", "Modell A", "net-2", "SVM (rbf)"], rng.choice([1, 1, 2, 3])
            )
        ]
        self.bounded = rng.random() < 0.5
        self.scores = {}
        for name in self.models:
            raw = [rng.gauss(0, 1) + 1.5 * each for each in self.y]
            if self.bounded:
                raw = [1 / (1 + math.exp(-each)) for each in raw]
            self.scores[name] = [round(each, digits) for each in raw]
        self.label = rng.choice(
            ["y", "label", "target", "class", "True label", "Status des Patienten"]
        )
        single = len(self.models) == 1 and rng.random() < 0.6
        self.columns = {name: ("score" if single else name) for name in self.models}
        self.fold = [place % 4 for place in range(size)] if rng.random() < 0.3 else None
        self.weight = [rng.randint(1, 3) for _ in range(size)] if rng.random() < 0.25 else None
        self.site = (
            [rng.choice(["Nord", "Süd"]) for _ in range(size)] if rng.random() < 0.4 else None
        )
        self.missing = sorted(rng.sample(range(6, size), 2)) if rng.random() < 0.25 else []
        self.kind = rng.choice(["csv", "tsv", "semicolon", "pipe", "parquet", "gz", "bom"])
        self.path = (
            Path(folder)
            / f"scores.{ {'tsv': 'tsv', 'parquet': 'parquet', 'gz': 'csv.gz'}.get(self.kind, 'csv') }"
        )
        self.write()

    def write(self):
        """Write the file, in one of the forms that docs/analyse.md lists."""
        rows = []
        for place in range(len(self.y)):
            row = {self.label: self.positive if self.y[place] else self.negative}
            row |= {self.columns[name]: self.scores[name][place] for name in self.models}
            if place in self.missing:
                row[self.columns[self.models[-1]]] = None
            for name, values in (("fold", self.fold), ("weight", self.weight), ("site", self.site)):
                if values is not None:
                    row[name] = values[place]
            rows.append(row)
        if self.kind == "parquet":
            pd.DataFrame(rows).to_parquet(self.path)
            return
        separator = {"tsv": "\t", "semicolon": ";", "pipe": "|"}.get(self.kind, ",")
        comma = self.kind == "semicolon"
        text = io.StringIO()
        names = list(rows[0])
        writer = csv.writer(
            text, delimiter=separator, lineterminator=self.rng.choice(["\n", "\r\n"])
        )
        writer.writerow(names)
        for row in rows:
            cells = ["" if each is None else str(each) for each in row.values()]
            writer.writerow(
                [
                    cell.replace(".", ",") if comma and isinstance(row[name], float) else cell
                    for cell, name in zip(cells, names, strict=True)
                ]
            )
        data = text.getvalue().encode("utf-8-sig" if self.kind == "bom" else "utf-8")
        (gzip.open if self.kind == "gz" else open)(self.path, "wb").write(data)

    def options(self):
        """Return options of the command, and what they ask."""
        rng, words = self.rng, []
        asked = {
            "prior": None,
            "cost": (1, 1),
            "threshold": None,
            "alpha": 0.5,
            "confidence": 0.95,
            "rule": "auto",
        }
        if self.label == "Status des Patienten" or rng.random() < 0.3:
            words += ["--label", self.label]
        words += ["--positive", self.positive]
        words += (
            ["--scores", ",".join(self.columns[name] for name in self.models)]
            if rng.random() < 0.4 or len(self.models) > 1
            else []
        )
        if rng.random() < 0.7:
            asked["prior"] = rng.choice([0.02, 0.1, 0.5, 0.37])
            words += ["--prior", asked["prior"]]
        if rng.random() < 0.7:
            asked["cost"] = rng.choice([(1, 5), (1, 20), (3, 1), (0.5, 2)])
            words += ["--cost", "{},{}".format(*asked["cost"])]
        if rng.random() < 0.6:
            asked["threshold"] = rng.choice([0.5, 0.3, 1, rng.choice(self.scores[self.models[0]])])
            words += [f"--threshold={asked['threshold']}"]
        if rng.random() < 0.3:
            asked["alpha"] = rng.choice([0.2, 0.8])
            words += ["--alpha", asked["alpha"]]
        if rng.random() < 0.3:
            asked["confidence"] = 0.9
            words += ["--confidence", 0.9]
        if rng.random() < 0.5:
            asked["rule"] = rng.choice(["search", "theory", "auto"])
            words += ["--rule", asked["rule"]]
        if self.site:
            words += ["--by", "site"]
        if self.missing:
            words += ["--drop-missing"]
        return words, asked

    def sample(self, name, keep=lambda place: True):
        """Return the sample of one model, without the rows that miss a score."""
        rows = [place for place in range(len(self.y)) if place not in self.missing and keep(place)]
        weights = None if self.weight is None else [self.weight[place] for place in rows]
        return Sample.of(
            [self.y[place] for place in rows], [self.scores[name][place] for place in rows], weights
        )


def at(cell):
    """Return a threshold of a table as a number."""
    return {"accept none": math.inf, "accept all": -math.inf}.get(cell, cell)


def rows_of(found, table, **keys):
    """Return the rows of a table with given cells."""
    return [
        row
        for row in found["tables"].get(table, [])
        if all(row.get(k) == v for k, v in keys.items())
    ]


def judge(drawn, asked, found):
    """Yield each number of an answer that is not what the file gives."""
    for name in drawn.models:
        # One column of a file is a model of the file's name; several have their own.
        models = found["read"]["models"]
        said = name if name in models else models[0] if len(models) == 1 else None
        if said is None:
            yield f"models are called {models}, columns {drawn.models}"
            return
        s = drawn.sample(name)
        prior = s.prior if asked["prior"] is None else Fraction(asked["prior"])
        yield from areas_right(s, found, said, prior)
        yield from points_right(s, found, said, asked)
        yield from thresholds_right(s, found, said, prior, asked)
        yield from limits_right(s, found, said, asked)
        if asked["threshold"] is not None:
            yield from use_right(drawn, found, said, name, prior, asked)
        if drawn.bounded and drawn.weight is None:
            yield from groups_right(s, found, said, asked)
    yield from decision_right(drawn, found, asked)


def areas_right(s, found, model, prior):
    """Areas, equal error rate, and intervals that contain them."""
    exact = Fraction(str(pr_areas(s, prior)[2]))
    right = {
        "AUC": partial(s.rates, Fraction(0), Fraction(1)),
        "equal error rate": equal_error(s.rates),
    }
    right[f"AUPREC at prior {float(f'{float(prior):.4g}'):g}"] = exact
    for row in rows_of(found, "areas", model=model):
        value = right.get(row["measure"])
        if value is not None and not near(row["value"], value, 1e-9):
            yield f"areas {model} {row['measure']}: {row['value']}, right {float(value)}"
        if not (row["low"] is None or row["low"] <= row["value"] <= row["high"]):
            yield f"areas {model} {row['measure']}: {row['value']} outside {row['low'], row['high']}"
    if not rows_of(found, "areas", model=model, measure="AUC"):
        yield f"areas: no AUC of {model}"


def points_right(s, found, model, asked):
    """Operating points, and what is best over all conditions."""
    for row in rows_of(found, "points", model=model):
        fpr, tpr = s.at(at(row["threshold"]))
        if not (near(row["fpr"], fpr) and near(row["tpr"], tpr)):
            yield f"points {model}: {row}, right {float(fpr), float(tpr)}"
    # Only the rule `search` takes what is best on the sample; the others take what is best on smooth curves.
    search = asked["rule"] == "search"
    every = rows_of(found, "every-threshold", model=model)
    for row in every:
        middle = (Fraction(row["from"]) + Fraction(row["to"])) / 2
        here = s.at(at(row["threshold"]))
        if row["space"] == "cost":
            value, best = -cost_at(here, middle), max(-cost_at(rate, middle) for rate in s.rates)
        else:
            alpha = Fraction(asked["alpha"])
            value, best = (
                f_at(here, middle, alpha),
                max(f_at(rate, middle, alpha) for rate in s.rates),
            )
        if ((search or row["space"] != "cost") and not near(value, best)) or not (
            near(row["fpr"], here[0]) and near(row["tpr"], here[1])
        ):
            yield f"every-threshold {model}: {row} is not best at {float(middle)}: {float(value)}, best {float(best)}"
    for row in rows_of(found, "envelopes", model=model):
        condition = Fraction(row["condition"])
        if row["space"] == "cost":
            best = min(cost_at(rate, condition) for rate in s.rates)
            if not search:
                here = [
                    each
                    for each in every
                    if each["space"] == "cost" and each["from"] <= condition <= each["to"]
                ]
                best = min(cost_at(s.at(at(each["threshold"])), condition) for each in here)
            value = cost_at((Fraction(row["fpr"]), Fraction(row["tpr"])), condition)
        else:
            best = max(f_at(rate, condition, Fraction(asked["alpha"])) for rate in s.rates)
            value = f_at(
                (Fraction(row["fpr"]), Fraction(row["tpr"])), condition, Fraction(asked["alpha"])
            )
        if not near(row["optimistic"], best, 1e-9):
            yield f"envelopes {model} {row['space']} at {row['condition']}: optimistic {row['optimistic']}, right {float(best)}"
        if not near(row["value"], value, 1e-9, 1e-9):
            yield f"envelopes {model} {row['space']} at {row['condition']}: {row['value']}, its rates give {float(value)}"


def thresholds_right(s, found, model, prior, asked):
    """The advised thresholds: their own values follow from their rates, optimistic ones from the sample."""
    fp, fn = (Fraction(each) for each in asked["cost"])
    for row in rows_of(found, "thresholds", model=model):
        p = Fraction(row["prior"])
        fpr, tpr = Fraction(row["fpr"]), Fraction(row["tpr"])
        own = s.at(at(row["threshold"]))
        if row["aim"].startswith("cost"):
            value, trivial = p * (1 - tpr) * fn + (1 - p) * fpr * fp, min(p * fn, (1 - p) * fp)
            optimistic = p * (1 - own[1]) * fn + (1 - p) * own[0] * fp
        else:
            alpha = Fraction(asked["alpha"])
            value, trivial = f_at((fpr, tpr), p, alpha), f_at((Fraction(1), Fraction(1)), p, alpha)
            optimistic = max(f_at(rate, p, alpha) for rate in s.rates)
            if not near(f_at(own, p, alpha), optimistic, 1e-9):
                yield f"thresholds {model}: {row['threshold']} is not of the best F, {float(f_at(own, p, alpha))} of {float(optimistic)}"
        for name, right in (("value", value), ("trivial", trivial), ("optimistic", optimistic)):
            if not near(row[name], right, 1e-8, 1e-9):
                yield f"thresholds {model} {row['aim']} at {row['prior']}: {name} {row[name]}, right {float(right)}"
        if not row["low"] - 1e-12 <= row["value"] <= row["high"] + 1e-12:
            yield f"thresholds {model}: {row['value']} outside {row['low'], row['high']}"
    for row in rows_of(found, "rules", model=model, rule="search"):
        p = Fraction(row["prior"])
        cost = [
            p * (1 - t) * fn + (1 - p) * f * fp for f, t in (*s.rates, s.at(at(row["threshold"])))
        ]
        if not near(cost[-1], min(cost), 1e-9) or not near(row["optimistic"], min(cost), 1e-9):
            yield f"rules {model} search: {row}, least cost {float(min(cost))}"
    for row in rows_of(found, "threshold-costs", model=model):
        p = Fraction(row["prior"])
        fpr, tpr = s.at(at(row["threshold"]))
        if not near(row["cost"], p * (1 - tpr) * fn + (1 - p) * fpr * fp, 1e-9):
            yield f"threshold-costs {model}: {row}"


def limits_right(s, found, model, asked):
    """Thresholds for a limit: the best on the sample, and the promised ones by the binomial distribution."""
    for row in rows_of(found, "limits", model=model):
        alarms, limit = row["limit"] == "false alarms", Fraction(row["at most"])
        fpr, tpr = s.at(at(row["threshold"]))
        errors = (fpr, 1 - tpr) if alarms else (1 - tpr, fpr)
        best = min(
            (f, 1 - t)[alarms]
            for f, t in s.rates
            if (f, 1 - t)[not alarms] <= limit + Fraction(1e-14)
        )
        if (
            errors[0] > limit + Fraction(1e-14)
            or not near(row["optimistic error"], errors[0])
            or errors[1] != best
        ):
            yield f"limits {model}: {row}, on the sample {[float(each) for each in errors]}, best other error {float(best)}"
        if s.weight is None:
            of = [v for v, y in zip(s.floats, s.y, strict=True) if y == (not alarms)]
            place = most_beyond(len(of), row["at most"], 1 - Fraction(str(asked["confidence"])))
            bar = at(row["promised threshold"])
            taken = [v for v in s.floats if v >= bar]
            if alarms:
                right = [v for v in s.floats if place and v > sorted(of, reverse=True)[place - 1]]
            else:
                right = [v for v in s.floats if not place or v >= sorted(of)[place - 1]]
            if row["promised threshold"] is not None and sorted(taken) != sorted(right):
                yield f"limits {model}: promised {row['promised threshold']} accepts {len(taken)}, right {len(right)} ({row['limit']} {row['at most']})"


def measures_at(s, prior, threshold, asked):
    """Return the measures of a threshold on a sample."""
    fp, fn = (Fraction(each) for each in asked["cost"])
    fpr, tpr = s.at(threshold)
    accepted = prior * tpr + (1 - prior) * fpr
    return {
        "tpr": tpr,
        "fnr": 1 - tpr,
        "fpr": fpr,
        "tnr": 1 - fpr,
        "alerts": accepted,
        "precision": prior * tpr / accepted if accepted else None,
        "npv": (1 - prior) * (1 - fpr) / (1 - accepted) if accepted != 1 else None,
        "cost": prior * (1 - tpr) * fn + (1 - prior) * fpr * fp,
    }


def use_right(drawn, found, said, name, prior, asked):
    """The threshold in use, on all objects and by site."""
    s = drawn.sample(name)
    z = norm.ppf((1 + asked["confidence"]) / 2)
    parts = [(s, row) for row in rows_of(found, "in-use", model=said)]
    if not parts:
        yield f"in-use: nothing of {said}"
    for site in set(drawn.site or []):
        part = drawn.sample(name, lambda place, at=site: drawn.site[place] == at)
        parts += [(part, row) for row in rows_of(found, "by-group", model=said, group=site)]
    for sample, row in parts:
        of = sample.prior if sample is not s and asked["prior"] is None else prior
        right = measures_at(sample, of, asked["threshold"], asked)
        value = right.get(row["measure"])
        other = measures_at(sample, prior, asked["threshold"], asked).get(row["measure"])
        if row["value"] is None or value is None:
            if (row["value"] is None) != (value is None):
                yield f"in use {said}: {row}, right {value}"
        elif not near(row["value"], value, 1e-9) and not near(row["value"], other, 1e-9):
            yield f"in use {said}: {row}, right {float(value)}"
        if row["measure"] in ("tpr", "fpr") and drawn.weight is None and row["low"] is not None:
            number = float(sample.pos if row["measure"] == "tpr" else sample.neg)
            for a, b in zip(
                (row["low"], row["high"]), wilson_of(float(value), number, z), strict=True
            ):
                if abs(a - b) > 1e-8:
                    yield f"in use {said}: {row}, right end {b}"


def groups_right(s, found, model, asked):
    """Ten groups of equal sizes by score: mean score, share of positives, Wilson's interval."""
    rows = rows_of(found, "calibration", model=model)
    if not rows:
        yield f"calibration: nothing of {model}"
        return
    total = sum(row["objects"] for row in rows)
    means = sum(row["objects"] * row["mean score"] for row in rows) / total
    shares = sum(row["objects"] * row["positive"] for row in rows) / total
    if (
        total != len(s.y)
        or abs(means - sum(s.floats) / total) > 1e-9
        or abs(shares - sum(s.y) / total) > 1e-9
    ):
        yield f"calibration {model}: groups do not add up to the sample"
    z = norm.ppf((1 + asked["confidence"]) / 2)
    for row in rows:
        for a, b in zip(
            (row["low"], row["high"]), wilson_of(row["positive"], row["objects"], z), strict=True
        ):
            if abs(a - b) > 1e-8:
                yield f"calibration {model}: {row}, right end {b}"


def decision_right(drawn, found, asked):
    """The headline: counts of 1,000, precision, cost and savings follow from each other."""
    decision = found["decision"]
    p, (fp, fn) = decision["prior"], asked["cost"]
    kept = [place for place in range(len(drawn.y)) if place not in drawn.missing]
    counted = {
        word: sum(drawn.y[place] == label for place in kept)
        for word, label in ((drawn.positive, 1), (drawn.negative, 0))
    }
    if drawn.weight is None and {
        str(k).lower(): v for k, v in found["read"]["classes"].items()
    } != {k.lower().removeprefix("+"): v for k, v in counted.items()}:
        yield f"classes {found['read']['classes']}, right {counted}"
    if not near(decision["trivial"], min(p * fn, (1 - p) * fp), 1e-9):
        yield f"decision: trivial {decision['trivial']}, right {min(p * fn, (1 - p) * fp)}"
    least = min(each["cost"]["value"] for each in decision["options"])
    if (
        decision["advice"]
        and decision["serves"]
        and decision["advice"]["cost"]["value"] > least + 1e-12
    ):
        yield f"decision: advice costs {decision['advice']['cost']['value']}, another model {least}"
    for each in decision["options"]:
        hit, miss, alarm = (each[name]["value"] for name in ("found", "missed", "false_alarms"))
        right = {
            "cost": (miss * fn + alarm * fp) / 1000,
            "precision": hit / (hit + alarm) if hit + alarm else None,
        }
        if not near(hit + miss, 1000 * p, 1e-9):
            yield f"decision {each['model']}: found and missed are {hit + miss}, right {1000 * p}"
        for name, value in right.items():
            got = each[name]["value"] if each[name] else None
            if (got is None) != (value is None) or (got is not None and not near(got, value, 1e-8)):
                yield f"decision {each['model']}: {name} {got}, right {value}"
    saved = decision["saved"] and decision["saved"]["value"]
    if saved is not None and not near(
        saved, 1 - decision["advice"]["cost"]["value"] / decision["trivial"], 1e-8, 1e-9
    ):
        yield f"decision: saved {saved}"


def refused(status, out, err):
    """Say what is wrong with a refusal: one line, no traceback, a status."""
    lines = [line for line in err.splitlines() if line.strip()]
    if status == 2:
        # A wrong command: its usage, then one line.
        lines = lines[-1:] if err.startswith("usage: ") else lines
    if "Traceback" in err + out or len(lines) != 1 or status not in (1, 2) or out.strip():
        return f"status {status}, output {out[-150:]!r}, errors {err[-300:]!r}"
    return None


def damaged(rng, folder):
    """Return a file or command that must be refused, by what is wrong with it."""
    path = Path(folder) / "bad.csv"
    good = [["y", "score"]] + [[str(k % 2), f"0.{rng.randint(10, 99)}"] for k in range(40)]
    words, kind = (
        [],
        rng.choice(
            [
                "word",
                "empty",
                "header",
                "one class",
                "missing",
                "no file",
                "prior",
                "cost",
                "positive",
                "label",
                "scores",
                "twice",
                "short row",
                "binary",
                "two readings",
                "threshold",
                "confidence",
                "fold",
                "folder",
                "inf",
                "nan",
                "negative weight",
                "alerts",
                "by",
                "bad parquet",
                "bad gz",
                "seed",
                "all missing",
            ]
        ),
    )
    place = rng.randint(1, 39)
    if kind == "word":
        good[place][1] = "abc"
    elif kind == "one class":
        good = [good[0]] + [["1", row[1]] for row in good[1:]]
    elif kind == "missing":
        good[place][1] = ""
    elif kind == "all missing":
        good, words = [good[0]] + [[row[0], ""] for row in good[1:]], ["--drop-missing"]
    elif kind in ("inf", "nan"):
        good[place][1] = kind
    elif kind == "twice":
        good = [[*row, row[1]] for row in good]
    elif kind == "short row":
        good[place] = ["1"]
    elif kind == "two readings":
        good = [good[0]] + [[row[0], f"1,{rng.randint(100, 999)}"] for row in good[1:]]
    elif kind == "negative weight":
        good = [[*row, "-1" if number == place else "1"] for number, row in enumerate(good)]
        good[0][2] = "weight"
    words += {
        "prior": ["--prior", rng.choice(["1.5", "-0.1", "abc", "0", "nan"])],
        "cost": ["--cost", rng.choice(["3", "1,x", "0,0", "1,2,3", "nan,1", "inf,1"])],
        "positive": ["--positive", "ill"],
        "label": ["--label", "nothing"],
        "scores": ["--scores", "nothing"],
        "threshold": ["--threshold", rng.choice(["x", "nan", "model=x"])],
        "confidence": ["--confidence", rng.choice(["1", "0", "95", "x"])],
        "fold": ["--fold", "nothing"],
        "alerts": ["--alerts", rng.choice(["3/2", "x", "0/0", "1/0"])],
        "by": ["--by", "nothing"],
        "seed": ["--seed", "x"],
    }.get(kind, [])
    if kind == "header":
        good = good[:1]
    with path.open("w", newline="") as file:
        csv.writer(file).writerows(good)
    if kind == "empty":
        path.write_text("")
    elif kind == "binary":
        path.write_bytes(bytes(rng.randrange(256) for _ in range(400)))
    elif kind in ("bad parquet", "bad gz"):
        path = path.with_suffix(".parquet" if kind == "bad parquet" else ".csv.gz")
        path.write_bytes(b"PAR1" + bytes(60))
    elif kind == "no file":
        path = path.with_name("nothing.csv")
    elif kind == "folder":
        path = path.with_name("sub")
        path.mkdir(exist_ok=True)
    return kind, path, words


def run(report: Report, cases: int) -> None:
    """Analyse `cases` drawn files, and refuse as many damaged ones."""
    for number in range(cases):
        rng = report.draw("files.answers", number)
        with tempfile.TemporaryDirectory() as folder:
            drawn = Drawn(rng, folder)
            words, asked = drawn.options()
            status, out, err = command("analyse", drawn.path, "--json", "--resamples", 50, *words)
            given = f"{drawn.kind}, label {drawn.label!r}, {drawn.models}, opchar analyse {' '.join(map(str, words))}"
            if drawn.missing:
                lacking = [word for word in words if word != "--drop-missing"]
                wrong = refused(
                    *command("analyse", drawn.path, "--json", "--resamples", 50, *lacking)
                )
                if wrong:
                    report.say("files.answers", number, f"a missing cell: {wrong}", given)
            if status:
                report.say("files.answers", number, f"refused: {err.strip()[-300:]}", given)
                continue
            try:
                for what in judge(drawn, asked, json.loads(out)):
                    report.say("files.answers", number, what, given)
            except Exception as error:
                report.say("files.answers", number, f"{type(error).__name__}: {error}", given)
    for number in range(cases):
        rng = report.draw("files.refusals", number)
        with tempfile.TemporaryDirectory() as folder:
            kind, path, words = damaged(rng, folder)
            try:
                wrong = refused(*command("analyse", path, "--json", "--resamples", 50, *words))
            except Exception as error:
                wrong = f"{type(error).__name__}: {error}"
            if wrong:
                report.say("files.refusals", number, wrong, f"{kind} {words}")
