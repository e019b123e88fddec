"""Every number of terminal and first screen stands in a known sentence and is recomputed.

Values are counted anew from labels and scores; ends of intervals are those of the tables. The file
`every_number.txt` has the sentences: `{name}` is a number, of which none may be left out.
"""

import html
import re
from pathlib import Path

import numpy as np
import pytest

import opchar
from one_decision import CONDITIONS, KINDS, drawn, recomputed, sample_cost
from opchar.analysis.first_screen import answer_lines
from opchar.analysis.page import page
from opchar.analysis.run import Answers

NUMBER = r"[−-]?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?"


def pattern(sentence: str) -> re.Pattern[str]:
    """Return a sentence as a pattern: `(?:` begins a group, other parentheses are text."""
    found, opened = "", list[str]()
    for part in re.split(r"(\(\?:|\(|\)|\{[^}]+\})", sentence):
        if part == ")":
            found += opened.pop()
        elif part.startswith("{"):
            name = part[1:-1].replace(" ", "__").replace(".", "xx")
            name = f"n{found.count('(?P<')}__{name}"
            found += f"(?P<{name}>{NUMBER})"
        else:
            opened += [")"] * (part == "(?:") + [r"\)"] * (part == "(")
            found += r"\(" if part == "(" else part
    return re.compile(found)


SENTENCES = [
    pattern(line)
    for line in Path(__file__).with_name("every_number.txt").read_text("utf-8").splitlines()
]


def assert_recomputed(line: str, wanted: dict[str, list[float]]) -> None:
    """Find the sentence of a line, and compare each of its numbers with what it may be."""
    text = line.replace("\N{NO-BREAK SPACE}", " ").strip().removeprefix("! ")
    text = re.sub("^(OPC[0-9]{3})[: ]+", r"\1: ", text)
    if not re.search(r"\d", text):
        return
    told = next((found for each in SENTENCES if (found := each.fullmatch(text))), None)
    assert told, f"no sentence of every_number.txt: {text}"
    for key, said in told.groupdict().items():
        name = key.split("__", 1)[1].replace("__", " ").replace("xx", ".")
        if said is None:
            continue
        digits = said.replace(",", "").replace("−", "-")
        value, decimals = float(digits), len(digits.partition("e")[0].partition(".")[2])
        exponent = int(digits.partition("e")[2] or 0)
        near = 0.5 * 10.0 ** (exponent - decimals) * (1 + 1e-6)
        assert any(abs(value - each) <= near for each in wanted[name]), (
            name,
            said,
            wanted[name],
            text,
        )


def expected(answers: Answers, y: np.ndarray, score: np.ndarray) -> dict[str, list[float]]:
    """Return what each number may be."""
    found, own = answers.decision, recomputed(answers, y, score)
    assert found is not None
    best, base, p = found.best, found.base, found.prior
    pos, neg = score[y == 1], score[y == 0]
    wins = (pos[:, None] > neg).mean() + (pos[:, None] == neg).mean() / 2
    values: dict[str, float] = {"zero": 0, "one": 1, "level": 95, "n": len(y), "base": base}
    values |= {"positives": len(pos), "negatives": len(neg), "share": 100 * y.mean()}
    values |= {
        "prior": 100 * p,
        "ratio": max(found.cost_fn / found.cost_fp, found.cost_fp / found.cost_fn),
    }
    values |= {"cost fp": found.cost_fp, "cost fn": found.cost_fn, "at": best.threshold}
    values |= {"trivial": min(p * found.cost_fn, (1 - p) * found.cost_fp), "auc": wins}
    values |= {"sample trivial": min(y.mean() * found.cost_fn, (1 - y.mean()) * found.cost_fp)}
    values |= {"tied": 100 * (pos[:, None] == neg).mean(), "distinct": len(np.unique(score))}
    values |= {"at zero": 100 * (score == 0).mean(), "at one": 100 * (score == 1).mean()}
    values |= {"mean score": 100 * score.mean(), "f of all": 2 * p / (1 + p)}
    values |= {
        "sample f of all": 2 * y.mean() / (1 + y.mean()),
        "precision": 100 * own["precision"],
    }
    values |= {
        "found": round(own["found"] * base / 1000),
        "alarms": round(own["alarms"] * base / 1000),
    }
    values["missed"] = round(base * p) - values["found"]
    values["right"] = base - round(base * p) - values["alarms"]
    values |= {"cost": base * own["cost"], "saved": 100 * (1 - own["cost"] / values["trivial"])}
    return {name: [float(value)] for name, value in values.items()}


@pytest.mark.parametrize("place", range(len(KINDS)))
def test_every_number_is_recomputed(place: int) -> None:
    prior, cost_fp, cost_fn = CONDITIONS[place % len(CONDITIONS)]
    y, score = drawn(KINDS[place], place)
    given = {"prior": prior, "cost_fp": cost_fp, "cost_fn": cost_fn, "resamples": 50}
    used = float(np.quantile(score, 0.6))
    answers = opchar.analyse(y, score, threshold=used, max_fpr=0.2, **given)
    wanted = expected(answers, y, score)
    assert answers.decision is not None
    add_ends(answers, wanted)
    add_rates(answers, wanted, y, score, used)
    for line in answer_lines(answers):
        assert_recomputed(line, wanted)
    first = page(answers, {}).split('<section class="first">')[1].split("</section>")[0]
    for drop in ("svg", "details"):
        first = re.sub(f"<{drop}.*?</{drop}>", "", first, flags=re.DOTALL)
    shown = re.findall(r"<(p|h1|li|tr|figcaption)\b[^>]*>(.*?)</\1>", first, flags=re.DOTALL)
    for _, text in shown:
        assert_recomputed(html.unescape(re.sub(r"<[^>]+>", " ", text)), wanted)
    left = re.sub(r"<(p|h1|li|tr|figcaption|h2)\b[^>]*>(.*?)</\1>", "", first, flags=re.DOTALL)
    assert not re.search(r"\d", re.sub(r"<[^>]+>", "", left)), "a number outside of sentences"


def add_ends(answers: Answers, wanted: dict[str, list[float]]) -> None:
    """Add what resampling gives: ends of intervals, and estimates on held-out folds."""
    found, tables = answers.decision, answers.tables
    assert found is not None
    best, advice, base = found.best, found.advice, found.base

    def add(name: str, estimate: object, factor: float = 1) -> None:
        for end in ("low", "high"):
            wanted[f"{name}.{end}"] = [abs(factor) * getattr(estimate, end)]

    add("cost", advice.cost, base)
    add("saved", found.saved, 100)
    add("precision", advice.precision, 100)
    for name, each in (
        ("found", advice.found),
        ("missed", advice.missed),
        ("alarms", advice.false_alarms),
    ):
        add(name, each, base / 1000)
    add("option.cost", best.cost)
    wanted["option.cost"] = [best.cost.value]
    more = [
        base * (end - found.trivial) for end in (best.cost.value, best.cost.low, best.cost.high)
    ]
    for name, value in zip(
        ("held out more", "held out more.low", "held out more.high"), more, strict=True
    ):
        wanted[name] = [abs(value), value, -value]
    wanted |= {"spread.low": [best.threshold_low], "spread.high": [best.threshold_high]}
    wanted |= {"alike.low": [best.lowest], "alike.high": [best.highest]}
    wanted |= {"sample at": [best.sample_threshold]}
    area = tables["areas"].query("measure == 'AUC'").iloc[0]
    wanted |= {"auc.low": [area["low"]], "auc.high": [area["high"]]}
    rows = tables["thresholds"]
    share = answers.scored.is_positive.mean()
    for name, aim, prior in (
        ("f", "F", found.prior), ("sample f", "F", share), ("sample cost", "cost", share)
    ):  # fmt: skip
        mine = rows[rows["aim"].str.startswith(aim) & np.isclose(rows["prior"], prior)]
        row = mine.iloc[0]
        wanted |= {name: [row["value"]], f"{name} at": [row["threshold"]]}
        wanted |= {f"{name}.{end}": [row[end]] for end in ("low", "high")}
    if (table := tables.get("calibration")) is not None:
        both = table[["mean score", "positive"]].to_numpy()
        steps = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1]  # ends of axes are rounded outwards
        wanted["axis low"] = [np.floor(both.min() / step) * step for step in steps]
        wanted["axis high"] = [np.ceil(both.max() / step) * step for step in steps]
        gap = (table["mean score"] - table["positive"]).abs()
        wanted["calibration"] = [100 * np.average(gap, weights=table["objects"])]


def add_rates(
    answers: Answers, wanted: dict[str, list[float]], y: np.ndarray, score: np.ndarray, used: float
) -> None:
    """Add what a threshold does on all scores, and small classes."""
    found = answers.decision
    assert found is not None
    p, base = found.prior, found.base
    tpr, fpr = (score[y == 1] >= used).mean(), (score[y == 0] >= used).mean()
    alerts = p * tpr + (1 - p) * fpr
    cost = p * (1 - tpr) * found.cost_fn + (1 - p) * fpr * found.cost_fp
    wanted |= {"used at": [used], "tpr": [100 * tpr], "fpr": [100 * fpr], "alerts": [100 * alerts]}
    wanted |= {"used precision": [100 * p * tpr / alerts if alerts else np.nan]}
    wanted |= {"npv": [100 * (1 - p) * (1 - fpr) / (1 - alerts) if alerts < 1 else np.nan]}
    more = base * (cost - recomputed(answers, y, score)["cost"])
    wanted |= {"used cost": [base * cost], "used more": [abs(more)]}
    for row in answers.tables["in-use"].to_dict("records"):
        name, factor = (
            {"precision": "used precision", "cost": "used cost"}.get(
                row["measure"], row["measure"]
            ),
            100,
        )
        factor = base if row["measure"] == "cost" else 100
        wanted |= {f"{name}.{end}": [factor * row[end]] for end in ("low", "high")}
        if row["measure"] == "cost":
            ends = [base * row[f"difference {end}"] for end in ("low", "high")]
            wanted |= {"used more.low": [ends[0], -ends[1]], "used more.high": [ends[1], -ends[0]]}
    limit = answers.tables["promises"].iloc[0]["threshold"]
    tpr, fpr = (score[y == 1] >= limit).mean(), (score[y == 0] >= limit).mean()
    wanted |= {"limit at": [limit], "limit": [20], "limit tpr": [100 * tpr]}
    wanted["limit alerts"] = [100 * (score >= limit).mean()]
    alerts = p * tpr + (1 - p) * fpr
    wanted |= {
        "limit precision": [100 * p * tpr / alerts] if alerts else [],
        "limit alerts in use": [100 * alerts],
    }
    sizes = {1: int(y.sum()), 0: int(len(y) - y.sum())}
    few = {c: n for c, n in sizes.items() if n < 30}
    wanted |= {"class": [*map(float, few)], "class.size": [*map(float, few.values())]}
    wanted["class.error"] = [100 * 1.959964**2 / (n + 1.959964**2) for n in few.values()]
    values = np.unique(score)
    at = np.r_[-np.inf, values[:-1] / 2 + values[1:] / 2, np.inf]
    least = min(sample_cost(found, y, score, each) for each in at)
    wanted["sample less"] = [base * (found.trivial - least / 1000)]
    alike = answers.tables["threshold-costs"]
    alike = alike[~alike["distinguishably more"] & (alike["prior"] == p)]["threshold"]
    dearest = max([sample_cost(found, y, score, each) for each in alike], default=0)
    wanted |= {"least": [values[0]], "most": [values[-1]]}
    wanted["dearest"] = (
        [base * found.best.range_more]
        if len(values) > 180
        else [base / 1000 * (dearest - sample_cost(found, y, score, found.best.threshold))]
    )


def test_a_number_that_nothing_recomputes_fails() -> None:
    y, score = drawn("random", 3)
    answers = opchar.analyse(y, score, resamples=50)
    wanted = expected(answers, y, score)
    assert_recomputed("model, class 1: AUC " + f"{wanted['auc'][0]:.3f}", wanted)
    for line in (
        "Of 1,000 objects: 7 are new.",
        "model, class 1: AUC 0.123",
        "Found, of 3 4 5 to 6",
    ):
        with pytest.raises(AssertionError):
            assert_recomputed(line, wanted)
