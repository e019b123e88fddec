"""No sentence has a bare number as the name of a class."""

import re
from html import unescape

import numpy as np
import pytest

import opchar
from opchar.analysis.first_screen import answer_lines
from opchar.analysis.page import page
from opchar.analysis.run import Answers
from opchar.analysis.what_if import what_if_data

NUMBER = r"-?\d+(?:\.\d+)?"


def answers(labels: tuple[object, object], positive: object) -> Answers:
    rng = np.random.default_rng(0)
    y = rng.random(240) < 0.2
    scores = {"m": rng.normal(size=240) + 2 * y, "k": rng.normal(size=240) + 1.5 * y}
    truth = np.where(y, positive, next(each for each in labels if each != positive))
    return opchar.analyse(
        truth, scores, pos_label=positive, prior=0.02, cost_fn=5, resamples=50,
        object_costs={"cost_fn": np.full(240, 5.0)},
    )  # fmt: skip


def sentences(found: Answers) -> list[str]:
    """Return all texts of page, command and JSON that are not cells of tables."""
    html = re.sub(r"<(style|script|table).*?</\1>", " ", page(found, {}), flags=re.DOTALL)
    blocks = re.split(r"</?(?:p|li|h\d|summary|figcaption|details|span|label|legend)[^>]*>", html)
    labelled = re.findall(r'aria-label="([^"]*)"', html)
    texts = [unescape(re.sub(r"<[^>]+>", "", each)) for each in [*blocks, *labelled]]
    texts += [*answer_lines(found), *(each.text for each in found.findings), *found.scored.notes]
    facts = re.findall(r'<th scope="row">(.*?)</th>', page(found, {}))
    told = what_if_data(found)["positive"]
    return [" ".join(each.split()) for each in [*texts, *facts, f"At 2 % {told}, a miss"]]


@pytest.mark.parametrize(
    ("labels", "positive"), [((0, 1), 1), ((1, 2), 2), ((-1, 1), -1), ((4, 5), 5)]
)
def test_a_class_that_is_a_number_is_never_named_by_it_alone(labels, positive) -> None:
    found = answers(labels, positive)
    texts = sentences(found)
    assert any(f"At 2 % positive (class {positive})" in each for each in texts)
    name = re.escape(f"{positive:g}")
    bare = [
        rf"% {name}\b",
        rf"\bas {name}[.,]",
        rf"\bcalled {name}\b",
        rf"\bof {name} (?:among|and|or|in)\b",
        rf"\borders {name}\b",
        rf"\bare {name}\b",
        rf"\ba {name}\b",
        rf", {name}: AUC",
        rf"\b{NUMBER} {name} found\b",
        rf"\d {name}(?:,|\.$)",
    ]
    for text in texts:
        for each in bare:
            assert not re.search(each, text), (each, text)


def test_words_stay_as_they_are() -> None:
    found = answers(("well", "ill"), "ill")
    assert any("At 2 % ill, where" in each for each in sentences(found))
    assert not any("class ill" in each for each in sentences(found))
