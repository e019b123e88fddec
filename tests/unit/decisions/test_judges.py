"""Pass rates of a judge: corrected by its errors, or by a labelled random part of the answers."""

import io
import re
import warnings
from contextlib import redirect_stdout

import numpy as np
import pytest

import opchar
from checkout import ROOT
from opchar.decisions.two_decisions import measure_of

Z = 1.959963984540054


def agresti_coull(positive: int, number: int) -> tuple[float, float]:
    total = number + Z**2
    share = (positive + Z**2 / 2) / total
    reach = Z * np.sqrt(share * (1 - share) / total)
    return share - reach, share + reach


def test_the_formula_of_a_public_issue() -> None:
    """Issue 9 of ratel-ai/ratel: (p + q0 - 1) / (q0 + q1 - 1), with 200 labelled answers."""
    label = np.repeat([1, 0], 100)
    verdict = np.concatenate([np.repeat([1, 0], [90, 10]), np.repeat([1, 0], [15, 85])])
    found = opchar.estimate_prior(label, verdict, np.repeat([1, 0], [720, 280]), "confusion")
    assert found.prior == pytest.approx((0.72 + 0.85 - 1) / (0.85 + 0.9 - 1))
    assert found.low < 0.76 < found.high and not found.low < 0.72 - 0.1 < found.high


def test_the_page_prints_what_it_shows() -> None:
    text = (ROOT / "docs/judges.md").read_text(encoding="utf-8")
    (code,), (shown,) = (
        re.findall(rf"```{kind}\n(.*?)```", text, re.S) for kind in ("python", "text")
    )
    out = io.StringIO()
    with redirect_stdout(out):
        exec(code, names := {})
    assert out.getvalue() == shown
    # Pull request 55 of benchflow-ai/awesome-evals: judged 0.8383, true 0.7140.
    assert names["unlabelled"].mean() == 0.8383
    for low, high in re.findall(r"([\d.]+) to ([\d.]+)", shown):
        assert float(low) < 0.7140 < float(high) < 0.8383


@pytest.mark.parametrize("seed", range(20))
def test_the_interval_is_never_wider_than_that_of_the_labels(seed: int) -> None:
    rng = np.random.default_rng(seed)
    number, more, skill = rng.integers(20, 200), rng.integers(20, 2000), rng.uniform(-1, 1)
    y = rng.random(number + more) < rng.uniform(0.3, 0.7)
    y[:2] = [True, False]
    score = rng.normal(size=number + more) + 3 * skill * y
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = opchar.estimate_prior(y[:number], score[:number], score[number:], "subset")
    low, high = agresti_coull(int(y[:number].sum()), int(number))
    assert found.high - found.low <= high - low + 1e-12
    assert found.low <= found.prior <= found.high
    # Scores in other units give the same.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        other = opchar.estimate_prior(y[:number], 9 - 5 * score[:number], 9 - 5 * score[number:],
                                      "subset")  # fmt: skip
    assert (other.prior, other.low) == pytest.approx((found.prior, found.low))


def test_a_judge_that_says_nothing_leaves_the_labels() -> None:
    label, verdict = np.tile([1, 1, 0, 0], 10), np.tile([1, 0], 20)
    found = opchar.estimate_prior(label, verdict, np.tile([1, 0], 500), "subset")
    assert found.prior == pytest.approx(0.5)
    assert (found.low, found.high) == pytest.approx(agresti_coull(20, 40))


def test_a_perfect_judge_counts_for_all() -> None:
    label = np.repeat([1, 0], [60, 40])
    found = opchar.estimate_prior(label, label, np.repeat([1, 0], [6100, 3900]), "subset")
    spread = 0.6 * 0.4
    weight = 100 * spread / (100 * spread + (100 + Z**2) ** 2 / 10_000 * 0.61 * 0.39)
    assert found.prior == pytest.approx(0.6 + weight * 0.01, abs=1e-6)
    low, high = agresti_coull(60, 100)
    assert found.high - found.low < (high - low) / 4


def test_the_interval_covers() -> None:
    held, narrower = 0, []
    for seed in range(300):
        rng = np.random.default_rng(seed)
        y = rng.random(1080) < 0.7
        verdict = np.where(y, rng.random(1080) < 0.95, rng.random(1080) < 0.3)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = opchar.estimate_prior(y[:80], verdict[:80], verdict[80:], "subset")
        low, high = agresti_coull(int(y[:80].sum()), 80)
        held += found.low <= 0.7 <= found.high
        narrower.append((found.high - found.low) / (high - low))
    assert held >= 273  # 99.9 % of a binomial of 300 and 0.95
    assert np.mean(narrower) < 0.8


def test_a_part_that_is_not_random_warns() -> None:
    label = np.repeat([1, 0], 50)
    with pytest.warns(UserWarning, match="no random part"):
        opchar.estimate_prior(label, label, np.repeat([1, 0], [90, 910]), "subset")


def test_every_measure_is_that_of_the_four_counts() -> None:
    tp, fn, fp, tn = 30, 10, 20, 140
    right = {
        "tpr": tp / 40,
        "fnr": fn / 40,
        "fpr": fp / 160,
        "tnr": tn / 160,
        "precision": tp / 50,
        "npv": tn / 150,
        "alerts": 50 / 200,
        "cost": (5 * fn + 3 * fp) / 200,
    }
    for name, value in right.items():
        assert measure_of(name, 40 / 200, 5.0, 3.0)(tp / 40, fp / 160) == pytest.approx(value)
