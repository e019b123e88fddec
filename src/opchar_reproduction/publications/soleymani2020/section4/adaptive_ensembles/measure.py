"""Experiment 4.2: Boolean combination of a bagged pool, chosen on few samples (Figure 11)."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import numpy as np

from opchar.combination.pools import chosen_rules, selected_rules, selections, with_mean
from opchar.combination.rules import Rule
from opchar.combination.samples import Sample
from opchar.combination.selection import apply_rules, f_of_rules
from opchar.errors import ConfigError
from opchar.ranges import Count, Rate
from opchar.scores import ScoreTable
from opchar.seeds import Spawn
from opchar.spaces.f_measure import upper_envelope
from opchar.spaces.points import from_rates
from opchar_reproduction.publications.soleymani2020.section4.adaptive_evidence import (
    BAG,
    IBC,
    REFERENCE_MARK,
    Measured,
    report,
    report_printed,
)
from opchar_reproduction.results import Results
from opchar_reproduction.study import Shared, study

# Ways whose kept rules are also judged by an envelope that the test labels choose.
REFERENCES = {way: f"{way}, {REFERENCE_MARK}" for way in (BAG, IBC)}
FIRST, LAST = "first of the listing", "last of the listing"
VALIDATION, TEST = "validation", "test"


@dataclass(frozen=True)
class Choice:
    """What a validation sample chose."""

    rules: dict[str, list[Rule]]
    kept: dict[str, tuple[Rule, ...]]


@study(
    "adaptive-ensembles",
    kind="ibc",
    scores=["cox-videos | cox-9-24 | sc bagsvm20"],
    profiles={"tiny": {"prior_steps": 19, "bootstrap": 100}},
    variants={"profiles": ["paper"], "with": {"beyond": False}, "frames": ["f-of-targets"]},
)
def adaptive_ensembles(
    *,
    scores: dict[tuple[str, str], ScoreTable],
    spawn: Spawn,
    shared: Shared,
    alpha: Rate = 0.5,
    prior_steps: int = 99,
    shown: list[float] = [0.04, 0.1, 0.25, 0.5],
    bootstrap: Count = 1000,
    ties: str = FIRST,
    envelope: str = VALIDATION,
    beyond: bool = True,
) -> Results:
    """Choose combinations of bagged support vectors on few samples, and test them (Figure 11).

    scores: One table: the members of a pool, on parts of a video as test sets. The protocol says of
        each fold its target and the number of others: with one person among all, the P(+) of
        training, validation and test, by which a setting is called.
    prior_steps: Number of P(+), evenly inside (0, 1).
    bootstrap: Drawings of targets, with replacement, for the spread of the thresholds.
    ties ({"first of the listing", "last of the listing"}): Which of the rules that are equally good
        on the validation sample is kept.
    envelope ({"validation", "test"}): Whose labels choose among the kept rules for each prior.
    beyond: Whether all ways of combining are compared, also on the validation sample.
    """
    (table,) = scores.values()
    priors = np.unique(np.append(np.arange(1, prior_steps + 1) / (prior_steps + 1), shown))
    measured: dict[float, Measured] = {}
    example: dict[float, list[Rule]] = {}
    given = priors.tolist(), alpha, ties, beyond
    for share, target, choice, judged in shared(_judge_rounds, table, *given):
        into = measured.setdefault(share, Measured(priors))
        example.setdefault(share, choice.rules[IBC])
        for name, f in judged.items():
            into.add(name, target, by_envelope(f, envelope))
    results = Results()
    if not beyond:
        report_printed(results, measured, bootstrap, spawn("bootstrap"))
        return results
    report(results, measured, shown, bootstrap, spawn("bootstrap"))
    for share, rules in example.items():
        for prior, rule in zip(priors.tolist(), rules, strict=True):
            if prior in shown:
                row = f"P = {share:g}; {IBC}; P(+) = {prior:g}"
                results.text("text-4.2", row, "rule of the first round", f"{rule:.3g}")
    return results


def _judge_rounds(
    table: ScoreTable, priors: list[float], alpha: float, ties: str, beyond: bool
) -> list[tuple[float, int, Choice, dict[str, dict[str, np.ndarray]]]]:
    """Return P(+), target, what was chosen and F by sample and way, of each round.

    Unless it goes beyond the work, by the two ways that it compares and on the test sample only.
    """
    at, found = np.array(priors), []
    for share, target, fold in settings(table):
        for samples in rounds(fold):
            ways = None if beyond else (BAG, IBC)
            choice = choose(samples["validation"], at, alpha, last=ties == LAST, ways=ways)
            judged = {
                name: judge(choice, sample, at, alpha)
                for name, sample in samples.items()
                if beyond or name == "test"
            }
            found.append((share, target, choice, judged))
    return found


def settings(table: ScoreTable) -> list[tuple[float, int, ScoreTable]]:
    """Return ``(P(+), target, scores)`` of each fold, larger P(+) first."""
    about = table.provenance.get("folds", {})
    if table.member is None or table.test_set is None or not about:
        raise ConfigError(
            "config/protocols.yaml: an adaptive ensemble wants the members of a pool on parts of a "
            "video, as under the protocol cox-9-24"
        )
    found = []
    for number, fold in table.folds():
        told = about[str(number)]
        found.append((1 / (1 + int(told["others"])), int(told["target"]), fold))
    return sorted(found, key=lambda each: -each[0])


def rounds(fold: ScoreTable) -> Iterator[dict[str, Sample]]:
    """Yield the samples of each round: one part validates, the others test."""
    members = {
        f"svm{number + 1:02d}": each for number, each in fold.members() if number is not None
    }
    first = next(iter(members.values()))
    decisions = {name: each.decision("target")[1] for name, each in members.items()}
    is_positive, _ = first.binary("target")
    for part, _ in first.test_sets():
        validates = first.test_set == part
        yield {
            name: ({member: each[rows] for member, each in decisions.items()}, is_positive[rows])
            for name, rows in (("validation", validates), ("test", ~validates))
        }


def choose(
    validation: Sample,
    priors: np.ndarray,
    alpha: float,
    *,
    last: bool = False,
    ways: Collection[str] | None = None,
) -> Choice:
    """Choose rules for all priors by each way of combining, on the validation sample alone."""
    if ways is None:
        found = selections(*validation, last=last)
        rules = chosen_rules(found, *validation, priors, alpha)
    else:
        found = selections(*validation, last=last, ways=ways)
        rules = selected_rules(found, priors, alpha)
    return Choice(rules, {way: found[way].rules for way in REFERENCES})


def judge(
    choice: Choice, sample: Sample, priors: np.ndarray, alpha: float
) -> dict[str, np.ndarray]:
    """Return F at each prior of what was chosen, on a sample, shape (n,)."""
    scores, is_positive = sample
    averaged = with_mean(scores), is_positive
    f = {way: f_of_rules(rules, averaged, priors, alpha) for way, rules in choice.rules.items()}
    for way, name in REFERENCES.items():
        kept = from_rates(*apply_rules(choice.kept[way], *averaged))
        f[name] = np.asarray(upper_envelope(kept, alpha)(priors))
    return f


def by_envelope(f: dict[str, np.ndarray], envelope: str) -> dict[str, np.ndarray]:
    """Return F with the ways in `REFERENCES` as one of two envelopes has them: `f` (n,)."""
    return f | ({way: f[name] for way, name in REFERENCES.items()} if envelope == TEST else {})
