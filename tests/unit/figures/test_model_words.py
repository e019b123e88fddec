"""Names of models are shown in words of the field."""

import pytest
import yaml

from checkout import ROOT
from opchar_reproduction.figures.model_words import in_words
from opchar_reproduction.report.pages.explorer_page import with_model_in_words

MODELS = yaml.safe_load((ROOT / "config/models.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", [each["example"] for each in MODELS.values() if "example" in each])
def test_each_model_of_the_configuration_has_words(name):
    assert in_words(name) not in ("", name)


def test_a_reader_meets_words_and_the_split_by_its_name():
    table = with_model_in_words({"model": "varying sc smote mlp8 (rrt-pairs)", "told": "x"})
    words = "without constant features, standardised, SMOTE, MLP of 8 nodes (rrt-pairs)"
    assert table == {"model": words, "told": "x"}
    assert in_words("socmc gauss + nmc") == "SOCMC, Gaussian target model, then nearest mean"
    assert in_words("an unknown word") == ""
