"""The linter of sentences finds each pattern, and leaves plain sentences alone."""

import runpy

import pytest

from checkout import ROOT

TOOL = runpy.run_path(str(ROOT / "tools/words.py"))
# Sentences that reviewers of this project stumbled over.
SENTENCES = (ROOT / "tests/unit/sentences.txt").read_text(encoding="utf-8").splitlines()
PLANTED = {
    "inverted clause": "The size of a font is that of the text.",
    "what-clause for a noun": "The page lists what is read back from a file.",
    "negated noun": "A path that is no folder is reported.",
    "hedge": "Two models cannot be told apart at this prior.",
    "things that speak": "The two cases are told apart by their sign.",
    "private word": "The floors of the house are drawn.",
    "telegram": "The search uses three weights a class.",
    "diary": "The table is no longer sorted.",
    "percent sign": "It takes 30% of the time.",
    "two words for one thing": "The AUPREC of the model is small.",
    "old word for a term": "Each repeat draws the sample anew.",
    "relative clause": "There are four, of which only the last is new.",
    "stranded preposition": "The rates belong to folds that no threshold was chosen on.",
}


@pytest.mark.parametrize("kind", TOOL["PATTERNS"])
def test_each_pattern_is_found(kind):
    assert kind in [found for found, _ in TOOL["findings"](PLANTED[kind])]


@pytest.mark.parametrize("sentence", SENTENCES)
def test_sentences_that_readers_had_to_read_twice_are_found(sentence):
    assert list(TOOL["findings"](sentence))


def test_nothing_that_a_reader_meets_has_a_finding(capsys):
    assert TOOL["main"]([]) == 0, capsys.readouterr().out
    read = {path.relative_to(ROOT).as_posix() for path in TOOL["documents"]()}
    assert {"src/opchar/printed/words.py", "src/opchar/analysis/sections.py"} <= read


def test_in_a_program_texts_are_read_and_code_is_not(tmp_path):
    path = tmp_path / "module.py"
    path.write_text(
        '"""Return what is read back."""\nKEY = "no longer"\nX = f"{1} is that of {2}"\n'
        'PATTERN = r"that of (?:a|b) no longer"\n'
    )
    found = [kind for text in TOOL["texts_of"](path) for kind, _ in TOOL["findings"](text)]
    assert found == ["what-clause for a noun", "inverted clause"]


def test_a_long_sentence_is_found_and_two_short_ones_are_not():
    long = "The report " + "and the page " * 10 + "agree."
    assert [kind for kind, _ in TOOL["findings"](long)] == ["33 words"]
    assert list(TOOL["findings"]("The report agrees. " * 20)) == []


def test_code_tables_and_links_count_for_nothing():
    block = "```\nthat is no code\n```\n| that is no table |\n\n"
    text = block + "`that is no code`, [a page](no-longer.md)\n"
    assert list(TOOL["findings"](text)) == []
