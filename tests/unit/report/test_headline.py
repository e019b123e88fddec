"""Each number in a sentence of the front page follows from the ledger, by what it says."""

import math
import os
import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import cycle
from pathlib import Path

import pandas as pd
import pytest
import yaml

from checkout import ROOT
from leads import printed_table
from opchar_reproduction.publication import folders
from opchar_reproduction.report.comparison.outcomes import with_outcomes
from opchar_reproduction.report.comparison.published_values import APART_KINDS, read_errata
from opchar_reproduction.report.pages import writing
from reports import of_works

WHOLE = os.environ.get("OPCHAR_REPORT")
# Lines of a small ledger, one after the other: what they change in a measured value.
ZERO = {"published": "0.00", "reproduced": "0.001", "z": "0.1", "margin": "0.02"}
SOME = ZERO | {"published": "0.25", "reproduced": "0.251", "verdict": "agrees"}
ENDS = SOME | {"published": "0.00", "reproduced": "0.0"}
ALL = ENDS | {"published": "50", "reproduced": "50", "unit": "of 50 scenarios", "margin": "5"}
EQUAL, OPEN = {"agreement": "equivalent"}, {"agreement": "not distinguishable"}
OFF = {"verdict": "differs", "agreement": "different", "reproduced": "0.30"}
KINDS = [
    SOME | EQUAL | {"within": "0.009"},
    SOME | EQUAL | {"within": "0.015"},
    SOME | OPEN | {"within": "0.03", "sharpness": "0.1"},
    SOME | OPEN | {"within": "0.03", "sharpness": "1.5", "z": "2.5"},
    ENDS | EQUAL | {"within": "0.002"},
    ENDS | OPEN | {"within": "0.03", "sharpness": ""},
    ALL | EQUAL | {"within": "3"},
    ALL | EQUAL | {"within": "2"},
    SOME | OFF | {"z": "2.2"},
    SOME | OFF | {"z": "-12"},
    SOME | OFF | {"z": "3", "verdict": "agrees otherwise"},
    SOME | OFF | {"z": "9", "verdict": "erratum"},
    SOME | OFF | {"z": "9", "verdict": "inconsistent"},
]
CLAIMS = ("holds", "fails", "holds", "erratum", "inconsistent", "holds otherwise", "holds")


def small(ledger: pd.DataFrame) -> pd.DataFrame:
    """Return the lines of two publications, with each kind of outcome in each kind of evidence."""
    rows = ledger[ledger["paper"].isin(["landgrebe2007", "soleymani2018"])].to_dict("records")
    kinds, said, bases = cycle(KINDS), cycle(CLAIMS), cycle(["data", "exact", "exact"])
    for row in rows:
        if row["kind"] == "claim":
            row |= {"verdict": next(said), "basis": next(bases), "agreement": ""}
        elif row["basis"] == "data":
            row |= next(kinds)
        else:
            row["z"] = ""
    return with_outcomes(pd.DataFrame(rows))


@pytest.fixture(scope="module", params=["small", *filter(None, [WHOLE])])
def front(request, given, tmp_path_factory):
    """Return the sentences with numbers of the first page, and the rows of its ledger."""
    folder = Path(request.param)
    if request.param == "small":
        folder = tmp_path_factory.mktemp("front")
        lines = small(given.ledger)
        bare = {
            "errata": read_errata(folders()),
            "statements": given.statements[:0],
            "explored": {},
            "surfaces": {},
            "proofs": {},
            "data": [],
        }
        content = of_works(replace(given, ledger=lines, **bare), set(lines["paper"]))
        writing.write(folder, content)
        lines.to_csv(folder / "ledger.csv", index=False)
    ledger = pd.read_csv(folder / "ledger.csv", dtype=str, keep_default_na=False)
    page = (folder / "index.html").read_text(encoding="utf-8")
    parts = [page[page.index('<p class="lead"') : page.index('<section aria-labelledby="results"')]]
    for name, end in (("scale", "</section>"), ("trust", "</section>"), ("outcomes", "</dl>")):
        start = page.index(f'<h2 id="{name}"')
        parts.append(page[start : page.index(end, start)])
    text = re.sub(r"<[^>]*>", "", " ".join(parts).replace("</p>", " "))
    return " ".join(text.split()).replace("&#39;", "'"), ledger.to_dict("records")


def is_end(row):
    """Tell whether print and reproduction are both zero, or both all of n."""
    if row["kind"] != "number":
        return False
    numbers = {float(row["published"]), float(row["reproduced"])}
    counted = re.match(r"(% |fraction )?of (\d+)", row["unit"])
    whole = {"% ": "100", "fraction ": "1"}.get(counted[1], counted[2]) if counted else "0"
    return numbers in ({0.0}, {float(whole)})


def lines_on(rows, rests_on, claims=False):
    bases = {"experiment": ("data", "simulation"), "formula": ("exact",)}[rests_on]
    of_kind = [row for row in rows if (row["kind"] == "claim") == claims]
    return [r for r in of_kind if r["basis"] in bases and r["outcome"] != "not testable"]


def split(rows):
    return [len(rows), sum(map(is_end, rows))]


def values(rests_on):
    def counts(rows):
        chosen = lines_on(rows, rests_on)
        found = {name: [r for r in chosen if r["outcome"] == name] for name in VERBS}
        said = [split(found[name])[: 1 + (name == "matches")] for name in VERBS]
        return [len(chosen), *(number for part in said for number in part if number)]

    return counts


def claims(rests_on):
    def counts(rows):
        found = Counter(row["outcome"] for row in lines_on(rows, rests_on, claims=True))
        names = ("matches", "differs", "wrong or contradictory")
        return [sum(found.values()), *(found[name] for name in names if found[name])]

    return counts


def verdict(*names):
    return lambda rows: [n for x in names if (n := sum(row["verdict"] == x for row in rows))]


def with_error(rows):
    """Return the rows that a standard error decides: number, outside two, and those by Holm."""
    judged = [r for r in rows if r["z"] and re.match(r"agrees|differs", r["verdict"])]
    tails = sorted(math.erfc(abs(float(row["z"])) / math.sqrt(2)) for row in judged)
    steps = (k for k, tail in enumerate(tails) if tail > 0.05 / (len(tails) - k))
    first = next(steps, len(tails))
    free = [row for row in judged if row["outcome"] != "not testable"]
    sizes = [abs(float(row["z"])) for row in free]
    certain = sum(math.erfc(size / math.sqrt(2)) in tails[:first] for size in sizes)
    return len(free), sum(size > 2 for size in sizes), certain


def in_lead(rows):
    lines, outside, _ = with_error(rows)
    tested = len(lines_on(rows, "experiment"))
    return [tested, lines, round(100 * outside / lines), 2, round(100 * BY_CHANCE)]


def margin_of_rates(rows):
    margin = next(r["margin"] for r in rows if r["unit"] == "fraction" and r["margin"])
    return [margin, 95]  # two one-sided tests at 5 %


def in_trust(rows):
    lines, outside, certain = with_error(rows)
    return [lines, outside, 2, round(lines * BY_CHANCE), certain]


def in_print(rows):
    found = Counter(row["verdict"] for row in rows)
    wrong = found["erratum"], found["inconsistent"]
    return [wrong[0], len(rows), wrong[1]]


def best_of_three():
    """Return how many models Table 2.3 has, and its name, if model A is the best there by AUC."""
    areas = printed_table("landgrebe2007", "table-2.3").loc["AUC"]
    return [len(areas), "2.3"] if areas.idxmax() == "model A" else []


def changes_in_text():
    """Return in % the rise of cost and the fall of precision as FPR goes from 0.04 to 0.06."""
    prior, tpr, rates = Fraction(1, 5), Fraction("0.88"), (Fraction("0.04"), Fraction("0.06"))
    low, high = (prior * (1 - tpr) + (1 - prior) * fpr for fpr in rates)
    less, more = (1 + (1 - prior) * fpr / (prior * tpr) for fpr in rates)
    return [f"{float(100 * change):.1f}" for change in (high / low - 1, 1 - less / more)]


def rates_at_best_accuracy():
    """Return in % the rates of the ROC example where its printed accuracy is largest."""
    table = printed_table("tharwat2018", "table-roc-thresholds")
    best = table.loc[table["Acc"].idxmax()]
    return [round(100 * best["TPR"]), round(100 * (1 - best["FPR"]))]


def theorem():
    """Return one (versus all), and the theorem that the erratum of Table 2 names."""
    errata = read_errata(folders()).set_index("id")
    return [1, re.search(r"Theorem (\d)", errata.loc["mullick2020:0020", "why"])[1]]


def gravest(paper, year, place, meaning=lambda: []):
    """Return the pattern of the gravest error of a publication, and its numbers."""

    def said(rows):
        return [year, *place, *meaning()] if paper in {row["paper"] for row in rows} else []

    name = f"{paper.rstrip('0123456789').capitalize()}(?: et al\\.)? \\({year}\\), [A-Z][^:]*?: .*?"
    return name + r"\.(?= |$)", said


def under_margins(rows):
    numbers = [row for row in lines_on(rows, "experiment") if row["verdict"] == "agrees"]
    texts = [row for row in numbers if row["kind"] == "text"]
    numbers = [row for row in numbers if row["kind"] == "number"]
    found = [
        split(texts + [r for r in numbers if float(r["within"]) <= factor * float(r["margin"])])
        for factor in (0.5, 1, 2)
    ]
    return [part[0] for part in found] + [part[1] for part in found]


def in_digits(rows):
    numbers = [row for row in lines_on(rows, "experiment") if row["kind"] == "number"]
    last = [row for row in numbers if is_equal(row, len(row["published"].partition(".")[2]))]
    second = [row for row in numbers if is_equal(row, 2)]
    return [split(last)[0], len(numbers), split(last)[1], *split(second)]


def is_equal(row, digits):
    ours, print_ = (float(f"{float(row[side]):.{digits}f}") for side in ("reproduced", "published"))
    return ours == print_


def fitted(rows):
    """Return the year, and the places of an equation or section that the publication states."""
    folder = ROOT / "src/opchar_reproduction/publications/landgrebe2007"
    about = yaml.safe_load((folder / "about.yaml").read_text(encoding="utf-8"))
    listed = pd.read_csv(folder / "catalogue.csv", dtype=str)
    known = {*listed["artefact"].str.removeprefix("eq-"), *listed.iloc[:, -1]}
    places = re.findall(r"\d+(?:\.\d+)+", about["fitted"])
    return [about["year"], *(place for place in places if place in known)]


def all_of(rows):
    works = {row["paper"] for row in rows}
    measured = {row["paper"] for row in lines_on(rows, "experiment")}
    tested = sum(row["outcome"] != "not testable" for row in rows)
    return [len(works), len(rows), tested, len(rows) - tested, *[2007] * len(measured)]


def others(rows):
    measured = {row["paper"] for row in lines_on(rows, "experiment")}
    left = len({row["paper"] for row in rows}) - len(measured)
    return [left] if left > 1 else []


def shown_only(rows):
    bases = ("stand-in", "illustration")
    return [sum(r["verdict"] == "not comparable" and r["basis"] in bases for r in rows)]


def outcomes(rows):
    """Return counts, their details, and the constants in the meanings of outcomes."""
    found = Counter(row["outcome"] for row in rows)
    ends = sum(row["outcome"] == "matches" and is_end(row) for row in rows)
    other = sum(row["outcome"] == "differs" and "otherwise" in row["verdict"] for row in rows)
    untested = Counter(row["detail"] for row in rows if row["outcome"] == "not testable")
    implied = Counter(row["apart"] for row in rows if row["detail"] == "implied by other values")
    # The published one, two one-sided tests at 5 %.
    of_matches = [found["matches"], 1, 2, 1, 5, ends]
    of_others = [
        found["compatible"],
        1,
        found["differs"],
        2,
        other,
        found["wrong or contradictory"],
    ]
    reasons = [number for _, number in untested.most_common()]
    for kind, number in implied.most_common():
        reasons += [*numbers(APART_KINDS[kind]), number]
    return [*of_matches, *of_others, found["not testable"], *reasons]


def pending(rows):
    verdicts = {}
    for row in rows:
        verdicts.setdefault((row["paper"], row["artefact"]), set()).add(row["verdict"])
    return [*verdict("pending")(rows), sum(x == {"pending"} for x in verdicts.values())]


BY_CHANCE = math.erfc(2 / math.sqrt(2))
WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
VERBS = ("matches", "compatible", "differs", "wrong or contradictory")
# Kinds of sentences: where one begins and ends, and its numbers in their order.
SENTENCES = {
    "all": (r"^\w+ publications print .*? reports? experiments that", all_of),
    "values": (r"Its [\d,]+ values from experiments: [^.]*\.", values("experiment")),
    "margin": (r"A rate matches if it differs by less than [\d.]+\d, with \d+ %", margin_of_rates),
    "errors": (r"Of the [\d,]+, [\d,]+ have a standard .*? chance gives \d+ %\.", in_lead),
    "others": (r"The other \w+ reports? no experiments, .*?\.", others),
    "claims": (r"[\d,]+ claims about experiments: [^.]*\.", claims("experiment")),
    "formulas": (r"From definitions and formulas: [\d,]+ values: [^;.]*[;.]", values("formula")),
    "their claims": (r"(?<=; )\d+ claims: [^.]*\.", claims("formula")),
    "print": (r"[\d,]+ of the [\d,]+ (?:is|are) wrong in print.*?\.", in_print),
    "error 1": gravest("tharwat2018", 2018, (48, 51), rates_at_best_accuracy),
    "error 2": gravest("soleymani2018", 2018, (8,)),
    "error 3": gravest("soleymani2020", 2020, ("2.1",), changes_in_text),
    "error 4": gravest("mullick2020", 2020, (2,), theorem),
    "error 5": gravest("landgrebe2007", 2007, ("2.3.6",), best_of_three),
    "margins": (r"With half the margins .*?\.", under_margins),
    "digits": (r"[\d,]+ of [\d,]+ experimental numbers .*?\.", in_digits),
    "fitted": (r"Fitted to the print in .*? loss\.", fitted),
    "trust": (r"[\d,]+ values from randomised experiments .*?\.", in_trust),
    "wrong": (r"[\d,]+ published values and claims are wrong", verdict("erratum")),
    "shown": (r"[\d,]+ values and claims rest on", shown_only),
    "pending": (r"[\d,]+ values and claims are pending: .*?not built", pending),
    "outcomes": (r"What was tested .*$", outcomes),
}
# What others found does not follow from the ledger.
ELSEWHERE = r"Elsewhere: .*? of other kinds\."

NUMBER = re.compile(rf"\b(?:{'|'.join(WORDS[1:])})\b|\d[\d,]*(?:\.\d+)*", re.IGNORECASE)


def numbers(sentence):
    found = [number.lower().replace(",", "") for number in NUMBER.findall(sentence)]
    return [str(WORDS.index(number)) if number in WORDS else number for number in found]


def wrong(text, expected):
    """Return the sentences that are missing, or whose numbers are others than expected."""
    found = {name: re.search(pattern, text) for name, (pattern, _) in SENTENCES.items()}
    told = {name: numbers(match[0]) if match else [] for name, match in found.items()}
    return {name: (told[name], expected[name]) for name in told if told[name] != expected[name]}


@pytest.fixture(scope="module")
def expected(front):
    found = {name: meaning(front[1]) for name, (_, meaning) in SENTENCES.items()}
    return {name: [str(n) for n in each] if any(each) else [] for name, each in found.items()}


@pytest.mark.parametrize("name", SENTENCES)
def test_each_number_of_a_sentence_follows_from_the_ledger(front, expected, name):
    assert not (found := wrong(front[0], expected).get(name)), found


def test_a_changed_number_is_noticed(front, expected):
    """So is a new sentence with a number that has no row in `SENTENCES`."""
    text = re.sub(ELSEWHERE, "", front[0])
    seen = list(NUMBER.finditer(text))
    for match in seen:
        changed = text[: match.start()] + "7777" + text[match.end() :]
        assert wrong(changed, expected), text[match.start() - 40 : match.end() + 20]
    assert len(seen) > 40
