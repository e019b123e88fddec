"""What the rounds of Experiment 4.2 say: thresholds, optimism and paired tests."""

from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from scipy.stats import t as student_t
from scipy.stats import ttest_rel

from opchar.statistics.signed_rank import signed_rank_p
from opchar.statistics.variance import friedman
from opchar_reproduction.results import Results

BAG, IBC = "score average", "pairwise"
RIVALS = (IBC, "iterative", "single member", "likelihood ratio")
EVERYWHERE = "all P(+)"
TESTS = "text-4.2-tests"


# Names the envelope of the kept rules that the test labels choose.
REFERENCE_MARK = "test chooses"
_DIGITS = 12


@dataclass
class Measured:
    """F of every round of one setting: `priors` (n,)."""

    priors: np.ndarray
    rounds: dict[tuple[str, str], list[np.ndarray]] = field(default_factory=dict)
    targets: list[int] = field(default_factory=list)

    def add(self, sample: str, target: int, f: dict[str, np.ndarray]) -> None:
        """Add a round: F of each way at each prior on the validation or the test sample."""
        if sample == "test":
            self.targets.append(target)
        for way, values in f.items():
            self.rounds.setdefault((way, sample), []).append(values)

    def f(self, way: str, sample: str = "test") -> np.ndarray:
        """Return F of a way, shape (rounds, priors)."""
        return np.array(self.rounds[way, sample])

    def by_target(self, values: np.ndarray) -> np.ndarray:
        """Return the mean over the rounds of each target, shape (targets, ...)."""
        who = np.array(self.targets)
        return np.array([values[who == target].mean(axis=0) for target in dict.fromkeys(who)])

    @property
    def ways(self) -> list[str]:
        """The ways of combining, in the order in which they were added."""
        return [way for way, sample in self.rounds if sample == "test"]


def report(
    results: Results,
    measured: dict[float, Measured],
    shown: list[float],
    bootstrap: int,
    rng: np.random.Generator,
) -> None:
    """Add the lines and curves of Figure 11, and what goes beyond it."""
    report_printed(results, measured, bootstrap, rng)
    for share, each in measured.items():
        _curves(results, share, each)
        _difference(results, share, each)
        chosen_priors = {f"P(+) = {p:g}": each.priors == p for p in shown}
        chosen_priors[EVERYWHERE] = np.full(len(each.priors), True)
        for priors_text, where in chosen_priors.items():
            _optimism(results, share, each, priors_text, where)
            _tests(results, share, each, priors_text, where)


def report_printed(
    results: Results, measured: dict[float, Measured], bootstrap: int, rng: np.random.Generator
) -> None:
    """Add the thresholds of Figure 11, and F by target, on which its statement is judged."""
    for share, each in measured.items():
        _threshold(results, share, each, bootstrap, rng)
        _targets(results, share, each)


def _targets(results: Results, share: float, measured: Measured) -> None:
    """Add F of the score average and of adaptive IBC on the test samples, by target."""
    for way in (BAG, IBC):
        for target, f in enumerate(measured.by_target(measured.f(way))):
            who = {"setting": share, "target": target, "way": way}
            results.add_frame("f-of-targets", who | {"prior": measured.priors, "f": f})


def _difference(results: Results, share: float, measured: Measured) -> None:
    """Add the mean gain of adaptive IBC over the score average, with its interval over targets."""
    gains = measured.by_target(measured.f(IBC)) - measured.by_target(measured.f(BAG))
    n, mean = len(gains), gains.mean(axis=0)
    half = np.full(mean.shape, np.nan)
    if n > 1:
        half = student_t.ppf(0.975, n - 1) * gains.std(axis=0, ddof=1) / np.sqrt(n)
    columns = {"prior": measured.priors, "mean": mean, "low": mean - half, "high": mean + half}
    results.add_frame("difference", {"setting": share, "targets": n} | columns)


def _curves(results: Results, share: float, measured: Measured) -> None:
    for way in measured.ways:
        for sample in ("validation", "test"):
            f = measured.f(way, sample)
            spread = f.var(axis=0, ddof=1) if len(f) > 1 else np.zeros(f.shape[1])
            who = {"setting": share, "way": way, "sample": sample, "rounds": len(f)}
            columns = {"prior": measured.priors, "mean": f.mean(axis=0), "variance": spread}
            results.add_frame("f", who | columns)


def better_below(priors: np.ndarray, gain: np.ndarray) -> float:
    """Return the P(+) below which there is a gain everywhere: `priors` (n,)."""
    without = np.flatnonzero(gain <= 0)
    if not len(without):
        return 1.0
    return float(priors[without[0]]) if without[0] else 0.0


def _threshold(
    results: Results, share: float, measured: Measured, bootstrap: int, rng: np.random.Generator
) -> None:
    """Add the P(+) below which adaptive IBC is better, with its spread over drawings of targets."""
    by_target = measured.by_target(measured.f(IBC) - measured.f(BAG))
    drawn = rng.integers(len(by_target), size=(bootstrap, len(by_target)))
    spread = [better_below(measured.priors, by_target[again].mean(axis=0)) for again in drawn]
    gain = (measured.f(IBC) - measured.f(BAG)).mean(axis=0)
    found = better_below(measured.priors, gain)
    references = [measured.f(f"{way}, {REFERENCE_MARK}").mean(axis=0) for way in (IBC, BAG)]
    other = better_below(measured.priors, references[0] - references[1])
    row = f"P_train=P_val=P_test={share:g}"
    column = "adaptive IBC better than Bagging for P(+) below"
    std = float(np.std(spread, ddof=1))
    note = (
        f"mean F of {len(measured.targets)} rounds; spread over {bootstrap} drawings of the "
        f"{len(by_target)} targets; {other:g} if the test labels choose among the kept rules"
    )
    results.number("figure-11", row, column, found, std=std, n=1, unit="P(+)", note=note)


def _optimism(
    results: Results, share: float, measured: Measured, priors_text: str, where: np.ndarray
) -> None:
    """Add F on the sample that chose, F on the test sample and their difference over the rounds."""
    for way in measured.ways:
        samples = (measured.f(way, name) for name in ("validation", "test"))
        seen, new = (f[:, where].mean(axis=1) for f in samples)
        row = f"P = {share:g}; {way}; {priors_text}"
        columns = {"F on validation": seen, "F on test": new, "optimism": seen - new}
        for column, values in columns.items():
            results.mean("text-4.2", row, column, values)


def _tests(
    results: Results, share: float, measured: Measured, priors_text: str, where: np.ndarray
) -> None:
    """Add paired tests of each rival against the score average, and Friedman's of all."""
    at = {way: measured.f(way)[:, where].mean(axis=1) for way in (BAG, *RIVALS)}
    for way, against in [*((rival, BAG) for rival in RIVALS), ("iterative", IBC)]:
        gain = at[way] - at[against]
        by_target = measured.by_target(gain)
        row = f"P = {share:g}; {way} against {against}; {priors_text}"
        results.mean(TESTS, row, "gain of F, targets", by_target)
        tests = {
            "p (Wilcoxon, targets)": signed_rank_p(by_target),
            "p (t, targets)": _student(by_target),
            "p (Wilcoxon, rounds as if independent)": signed_rank_p(gain),
        }
        for column, p in tests.items():
            results.number(TESTS, row, column, p, note="not adjusted for several tests")
    lines = [
        {"model": way, "fold": target, "value": value}
        for way, values in at.items()
        for target, value in enumerate(measured.by_target(values))
    ]
    chi_square, p = friedman(pd.DataFrame(lines)) if _vary(lines) else (np.nan, np.nan)
    row = f"P = {share:g}; {len(at)} ways; {priors_text}"
    results.number(TESTS, row, "chi-square (Friedman, targets)", chi_square)
    results.number(TESTS, row, "p (Friedman, targets)", p)


def _vary(lines: list[dict[str, object]]) -> bool:
    targets = {line["fold"] for line in lines}
    per_target = [{line["value"] for line in lines if line["fold"] == each} for each in targets]
    return len(targets) > 1 and any(len(values) > 1 for values in per_target)


def _student(gain: np.ndarray) -> float:
    """Return p of the paired t-test of no gain; NaN if all gains are equal or there is one."""
    if len(gain) < 2 or np.ptp(np.round(gain, _DIGITS)) == 0:
        return float("nan")
    return float(ttest_rel(gain, np.zeros_like(gain)).pvalue)
