"""`opchar check` on tables of true confusion matrices, and on tables with one wrong cell."""

import json
import math
import re
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory

from common import Report
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


def value(name, tp, fn, fp, tn):
    """Return an index of counts as a fraction, its square for the correlation; None for 0/0."""

    def ratio(top, bottom):
        return Fraction(top, bottom) if bottom else None

    n = tp + fn + fp + tn
    if name == "accuracy":
        return ratio(tp + tn, n)
    if name == "precision":
        return ratio(tp, tp + fp)
    if name == "recall":
        return ratio(tp, tp + fn)
    if name == "specificity":
        return ratio(tn, tn + fp)
    if name == "f1":
        return ratio(2 * tp, 2 * tp + fp + fn)
    if name == "npv":
        return ratio(tn, tn + fn)
    if name == "balanced":
        return (Fraction(tp, tp + fn) + Fraction(tn, tn + fp)) / 2
    if name == "kappa":
        chance = Fraction((tp + fn) * (tp + fp) + (tn + fp) * (tn + fn), n)
        return ratio(tp + tn - chance, n - chance)
    product = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
    if not product:
        return None
    scale = 10**30
    return Fraction((tp * tn - fp * fn) * scale, math.isqrt(product * scale * scale))


def printed(number, digits, percent):
    """Print a fraction rounded half up."""
    scaled = abs(number) * (100 if percent else 1) * 10**digits
    whole = math.floor(scaled + Fraction(1, 2))
    sign = "-" if number < 0 and whole else ""
    return f"{sign}{whole // 10**digits}" + (f".{whole % 10**digits:0{digits}d}" if digits else "")


def near_print(number, text, percent):
    """Tell whether a fraction may have been printed so: half a unit of the last digit to both sides."""
    digits = len(text.partition(".")[2])
    return abs(number * (100 if percent else 1) - Fraction(text)) <= Fraction(1, 2 * 10**digits)


class Printed:
    """A table of several models on one test set, in a layout of its own."""

    def __init__(self, rng, folds=1):
        self.rng = rng
        self.names = rng.sample(list(HEADINGS), rng.randint(2, 4))
        self.heads = {name: rng.choice(HEADINGS[name]) for name in self.names}
        self.percent = dict.fromkeys(self.names, False)
        if rng.random() < 0.4:
            self.percent = {name: name not in ("mcc", "kappa") for name in self.names}
        self.heads = {
            name: head if self.percent[name] or "%" not in head else "Accuracy"
            for name, head in self.heads.items()
        }
        self.digits = rng.choice([2, 3, 3, 4])
        self.parts = [(rng.randint(4, 30), rng.randint(4, 40)) for _ in range(folds)]
        self.rows, self.misprinted = [], (None, None)
        for _ in range(rng.randint(1, 4)):
            matrices = [self.matrix(p, n) for p, n in self.parts]
            means = {name: self.mean(name, matrices) for name in self.names}
            if all(each is not None for each in means.values()):
                self.rows.append(
                    {
                        name: printed(
                            mean, max(0, self.digits - 2 * self.percent[name]), self.percent[name]
                        )
                        for name, mean in means.items()
                    }
                )

    def near(self, row, name, number, strict=False):
        """Tell whether a fraction may have been printed as a cell of a row."""
        if number is None:
            return False
        either = not strict and self.misprinted[0] is row and self.misprinted[1] == name
        units = {self.percent[name], False} if either else {self.percent[name]}
        return any(near_print(number, row[name], unit) for unit in units)

    def matrix(self, p, n):
        """Draw a confusion matrix of given sizes, mostly better than chance."""
        tp, tn = self.rng.randint(p // 3, p), self.rng.randint(n // 3, n)
        return tp, p - tp, n - tn, tn

    def mean(self, name, matrices):
        """Return the mean of an index over the folds."""
        values = [value(name, *each) for each in matrices]
        return None if None in values else sum(values) / len(values)

    def text(self):
        """Return the table as text."""
        lines = [["Method", *self.heads.values()]]
        lines += [[f"model {number}", *row.values()] for number, row in enumerate(self.rows, 1)]
        layout = self.rng.choice(["csv", "tsv", "semicolon", "markdown", "latex", "blanks", "html"])
        if layout == "semicolon":
            return "\n".join(
                ";".join(
                    cell.replace(".", ",") if number and place else cell
                    for place, cell in enumerate(line)
                )
                for number, line in enumerate(lines)
            )
        if layout == "markdown":
            rule = ["---"] * len(lines[0])
            return "\n".join(
                "| " + " | ".join(line) + " |" for line in [lines[0], rule, *lines[1:]]
            )
        if layout == "latex":
            body = " \\\\\n".join(
                " & ".join(cell.replace("%", "\\%") for cell in line) for line in lines
            )
            return f"\\begin{{tabular}}{{l{'c' * len(self.names)}}}\n\\hline\n{body} \\\\\n\\hline\n\\end{{tabular}}"
        if layout == "blanks":
            return "\n".join("   ".join(cell.ljust(26) for cell in line) for line in lines)
        if layout == "html":
            rows = "".join(
                "<tr>" + "".join(f"<td>{cell}</td>" for cell in line) + "</tr>" for line in lines
            )
            return f"<table>{rows}</table>"
        return "\n".join({"csv": ",", "tsv": "\t"}[layout].join(line) for line in lines)

    def witness(self, row, sizes, strict):
        """Return a matrix of one of the sizes that may be printed as a row, by brute force."""
        for p, n in sizes:
            for tp in range(p + 1):
                if "recall" in row and not self.near(row, "recall", Fraction(tp, p), strict):
                    continue
                for fp in range(n + 1):
                    counts = (tp, p - tp, fp, n - fp)
                    if all(self.near(row, name, value(name, *counts), strict) for name in row):
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
            return row, name
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
        return row, name


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
    return json.loads(out, parse_constant=refuse)


def run(report: Report, cases: int) -> None:
    """Check `cases` true tables of each kind, and as many with one wrong cell."""
    for part, number in (
        (p, k) for p in ("tables.true", "tables.folds", "tables.wrong") for k in range(cases)
    ):
        rng = report.draw(part, number)
        table = Printed(rng, folds=rng.choice([2, 3, 5]) if part == "tables.folds" else 1)
        if not table.rows:
            continue
        p, n = table.parts[0]
        words = ["--positives", p, "--negatives", n] if rng.random() < 0.6 else []
        if part == "tables.folds":
            words = [
                "--parts",
                ",".join(f"{a}+{b}" for a, b in table.parts),
                "--averages",
                "fold-means",
            ]
        wrong = table.spoil() if part == "tables.wrong" else None
        text = table.text()
        given = f"{text!r}, opchar check {' '.join(map(str, words))}"
        try:
            found = answers(text, words)
        except Exception as error:
            report.say(part, number, f"{type(error).__name__}: {error}", given)
            continue
        if len(found["rows"]) != len(table.rows):
            report.say(
                part,
                number,
                f"{len(found['rows'])} rows are read, {len(table.rows)} are there",
                given,
            )
            continue
        for row, (label, answer) in zip(table.rows, found["rows"].items(), strict=True):
            if wrong is None or row is not wrong[0]:
                if answer["status"] == "impossible":
                    report.say(
                        part,
                        number,
                        f"{label} is called impossible, but is of a matrix: {answer['arithmetic']}",
                        given,
                    )
                continue
            sizes = [(p, n)] if words else [(a, b) for a in range(1, 13) for b in range(1, 13)]
            witness = (
                table.witness(row, sizes, answer["status"] == "impossible")
                if answer["status"] == "impossible" or words
                else None
            )
            if answer["status"] == "impossible" and witness:
                report.say(
                    part,
                    number,
                    f"{label} is called impossible, but {witness} has it: {answer['arithmetic']}",
                    given,
                )
            if words and answer["status"] == "possible" and not witness:
                report.say(
                    part,
                    number,
                    f"{label} is called possible, but no matrix of {p} + {n} has it: {answer['witness']}",
                    given,
                )
            if answer["status"] == "possible" and answer["witness"]:
                shown = answer["witness"]
                counts = tuple(shown[each] for each in ("tp", "fn", "fp", "tn"))
                if not all(table.near(row, name, value(name, *counts)) for name in row):
                    report.say(
                        part, number, f"{label}: the witness {shown} has other scores", given
                    )
