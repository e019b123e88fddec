"""`opchar check` on tables of true confusion matrices, and on tables with one wrong cell."""

import json
import math
import re
from fractions import Fraction
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

from files import command

HEADINGS = {
    "accuracy": ["Accuracy", "Acc", "ACC (%)", "accuracy"],
    "precision": ["Precision", "PPV", "Prec.", "precision"],
    "recall": ["Recall", "Sensitivity", "TPR", "Sens."],
    "specificity": ["Specificity", "TNR", "Spec."],
    "f1": ["F1", "F1-score", "F-measure"],
    "npv": ["NPV", "Negative predictive value"],
    "mcc": ["MCC"],
    "balanced": ["Balanced accuracy", "BAcc"],
    "kappa": ["Kappa", "Cohen's kappa"],
}
LAYOUTS = ["csv", "tsv", "semicolon", "markdown", "latex", "blanks", "html"]
SEPARATORS = {"csv": ",", "tsv": "\t", "semicolon": ";"}
SCALE = 10**30


def value(name, tp, fn, fp, tn):
    """Return an index of counts as a fraction, that of the MCC to 30 digits; None for 0/0."""
    p, n, said, denied = tp + fn, fp + tn, tp + fp, fn + tn
    if name == "balanced":
        return (Fraction(tp, p) + Fraction(tn, n)) / 2
    chance = Fraction(p * said + n * denied, p + n)
    top, bottom = {
        "accuracy": (tp + tn, p + n),
        "precision": (tp, said),
        "recall": (tp, p),
        "specificity": (tn, n),
        "f1": (2 * tp, p + said),
        "npv": (tn, denied),
        "kappa": (tp + tn - chance, p + n - chance),
        "mcc": ((tp * tn - fp * fn) * SCALE, math.isqrt(p * n * said * denied * SCALE**2)),
    }[name]
    return Fraction(top, bottom) if bottom else None


def printed(number, digits, percent):
    """Print a fraction rounded half up."""
    scaled = abs(number) * (100 if percent else 1) * 10**digits
    whole = math.floor(scaled + Fraction(1, 2))
    sign = "-" if number < 0 and whole else ""
    return f"{sign}{whole // 10**digits}" + (f".{whole % 10**digits:0{digits}d}" if digits else "")


def near_print(number, text, percent):
    """Tell whether a fraction may have been printed so: within half a unit of the last digit."""
    digits = len(text.partition(".")[2])
    return abs(number * (100 if percent else 1) - Fraction(text)) <= Fraction(1, 2 * 10**digits)


class Printed:
    """A table of several models on one test set, in a layout of its own."""

    def __init__(self, rng, folds=1):
        self.rng = rng
        self.names = rng.sample(list(HEADINGS), rng.randint(2, 4))
        heads = {name: rng.choice(HEADINGS[name]) for name in self.names}
        percents = rng.random() < 0.4
        self.percent = {name: percents and name not in ("mcc", "kappa") for name in self.names}
        self.heads = [
            head if self.percent[name] or "%" not in head else "Accuracy"
            for name, head in heads.items()
        ]
        digits = rng.choice([2, 3, 3, 4])
        self.parts = [(rng.randint(4, 30), rng.randint(4, 40)) for _ in range(folds)]
        self.rows, self.misprinted = [], (None, None)
        for _ in range(rng.randint(1, 4)):
            matrices = [self.matrix(p, n) for p, n in self.parts]
            row = {}
            for name, percent in self.percent.items():
                values = [value(name, *each) for each in matrices]
                if None not in values:
                    mean = sum(values) / len(values)
                    row[name] = printed(mean, max(0, digits - 2 * percent), percent)
            if len(row) == len(self.names):
                self.rows.append(row)

    def matrix(self, p, n):
        """Draw a confusion matrix of given sizes, mostly better than chance."""
        tp, tn = self.rng.randint(p // 3, p), self.rng.randint(n // 3, n)
        return tp, p - tp, n - tn, tn

    def text(self):
        """Return the table as text."""
        lines = [["Method", *self.heads]]
        lines += [[f"model {number}", *row.values()] for number, row in enumerate(self.rows, 1)]
        layout = self.rng.choice(LAYOUTS)
        if layout == "semicolon":
            lines[1:] = [[each.replace(".", ",") for each in line] for line in lines[1:]]
        if layout in SEPARATORS:
            return "\n".join(map(SEPARATORS[layout].join, lines))
        if layout == "markdown":
            lines.insert(1, ["---"] * len(lines[0]))
            return "\n".join(f"| {' | '.join(line)} |" for line in lines)
        if layout == "latex":
            body = " \\\\\n".join(" & ".join(line).replace("%", "\\%") for line in lines)
            begin = f"\\begin{{tabular}}{{l{'c' * len(self.names)}}}"
            return f"{begin}\n\\hline\n{body} \\\\\n\\hline\n\\end{{tabular}}"
        if layout == "blanks":
            return "\n".join("   ".join(cell.ljust(26) for cell in line) for line in lines)
        rows = ("".join(f"<td>{cell}</td>" for cell in line) for line in lines)
        return f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"

    def near(self, row, name, counts, strict=False):
        """Tell whether the score of a matrix may have been printed as a cell of a row."""
        number = value(name, *counts)
        # A cell whose unit was misprinted may be taken for either.
        either = not strict and self.misprinted[0] is row and self.misprinted[1] == name
        units = {self.percent[name], False} if either else {self.percent[name]}
        return number is not None and any(near_print(number, row[name], unit) for unit in units)

    def witness(self, row, sizes, strict):
        """Return a matrix of one of the sizes that may be printed as a row, by brute force."""
        names = sorted(row, key="recall".__ne__)
        for p, n in sizes:
            for tp, fp in product(range(p + 1), range(n + 1)):
                counts = (tp, p - tp, fp, n - fp)
                if all(self.near(row, name, counts, strict) for name in names):
                    return counts
        return None

    def spoil(self):
        """Change a cell by a few units of a leading digit, or its unit, and return its row."""
        row = self.rng.choice(self.rows)
        name = self.rng.choice(self.names)
        if len(self.rows) > 1 and self.percent[name] and self.rng.random() < 0.3:
            # A fraction where the column has percent: an answer may take it for one, or not.
            row[name] = f"{float(row[name]) / 100:.4f}"
            self.misprinted = row, name
            return row
        # A fraction stays one: a cell above one turns its whole column into percent.
        text = row[name] if self.percent[name] else re.sub(r"\d+", "0", row[name], count=1)
        places = [
            place
            for place, sign in enumerate(text)
            if sign.isdigit() and (self.percent[name] or place > text.index("."))
        ]
        place = self.rng.choice(places[: max(1, len(places) - 1)])
        other = self.rng.choice([sign for sign in "123456789" if sign != text[place]])
        row[name] = text[:place] + other + text[place + 1 :]
        return row


def answers(text, words):
    """Return what `opchar check` says of each row."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "table.txt"
        path.write_text(text, encoding="utf-8")
        status, out, err = command("check", path, "--json", "--seconds", 4, *words)

    def refuse(constant):
        raise ValueError(f"the JSON has {constant}")

    if status or not out:
        raise ValueError(f"refused, status {status}: {err.strip()[-300:]}")
    return json.loads(out, parse_constant=refuse)["rows"]


def true_rows(rng):
    """Check a table of matrices of one test set."""
    yield from checked(rng, Printed(rng))


def means_of_folds(rng):
    """Check a table of means over folds of stated sizes."""
    table = Printed(rng, folds=rng.choice([2, 3, 5]))
    sizes = ",".join(f"{p}+{n}" for p, n in table.parts)
    yield from checked(rng, table, ["--parts", sizes, "--averages", "fold-means"])


def wrong_rows(rng):
    """Check a table with one wrong cell."""
    table = Printed(rng)
    yield from checked(rng, table, spoil=True)


def checked(rng, table, words=None, spoil=False):
    """Yield what is wrong with the answers to a table."""
    p, n = table.parts[0]
    stated = bool(table.rows) and rng.random() < 0.6
    if words is None:
        words = ["--positives", p, "--negatives", n] if stated else []
    wrong = table.spoil() if spoil and table.rows else None
    text = table.text()
    yield f"{text!r}, opchar check {' '.join(map(str, words))}"
    if not table.rows:
        return
    found = answers(text, words)
    if len(found) != len(table.rows):
        yield f"{len(found)} rows are read, {len(table.rows)} are there"
        return
    for row, (label, answer) in zip(table.rows, found.items(), strict=True):
        impossible, possible = (answer["status"] == each for each in ("impossible", "possible"))
        if row is not wrong:
            if impossible:
                yield f"{label} is called impossible, but is of a matrix: {answer['arithmetic']}"
            continue
        sizes = [(p, n)] if words else [*product(range(1, 13), repeat=2)]
        witness = table.witness(row, sizes, impossible) if impossible or words else None
        if impossible and witness:
            yield f"{label} is called impossible, but {witness} has it: {answer['arithmetic']}"
        if words and possible and not witness:
            yield f"{label} is called possible, but no {p} + {n} has it: {answer['witness']}"
        if possible and (shown := answer["witness"]):
            counts = tuple(shown[each] for each in ("tp", "fn", "fp", "tn"))
            if not all(table.near(row, name, counts) for name in row):
                yield f"{label}: the witness {shown} has other scores"


def run(report, cases):
    """Check `cases` true tables of each kind, and as many with one wrong cell."""
    for name, check in (("true", true_rows), ("folds", means_of_folds), ("wrong", wrong_rows)):
        report.try_cases(f"tables.{name}", cases, check)
