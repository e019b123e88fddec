from xml.etree import ElementTree

import pytest

from opchar.metrics.registry import INDICES
from opchar_reproduction.report.pages.parts.mathml import mathml


@pytest.mark.parametrize(
    ("latex", "expected"),
    [
        (r"\frac{TP}{C}", "<mfrac><mrow><mtext>TP</mtext></mrow><mrow><mi>C</mi></mrow></mfrac>"),
        (r"\frac1C", "<mfrac><mn>1</mn><mi>C</mi></mfrac>"),
        (r"\frac12x", "<mfrac><mn>1</mn><mn>2</mn></mfrac><mi>x</mi>"),
        (r"\beta^2FN", "<msup><mi>&#x003B2;</mi><mn>2</mn></msup><mtext>FN</mtext>"),
        (r"a<b-c", "<mi>a</mi><mo>&#x0003C;</mo><mi>b</mi><mo>&#x02212;</mo><mi>c</mi>"),
        ("prior_i", "<msub><mtext>prior</mtext><mi>i</mi></msub>"),
    ],
)
def test_formulas(latex, expected):
    assert expected in mathml(latex)


@pytest.mark.parametrize("index", INDICES, ids=lambda index: index.name)
def test_every_index_is_well_formed_and_keeps_its_symbols(index):
    said = "".join(ElementTree.fromstring(str(mathml(index.formula))).itertext())
    assert "\\" not in said
    assert "{" not in said
    letters = [letter for letter in index.formula if letter in "+|/="]
    assert [letter for letter in said if letter in "+|/="] == letters


@pytest.mark.parametrize("latex", [r"\frac{a", r"a}", r"\unknown", "x_"])
def test_what_is_no_formula_is_refused(latex):
    with pytest.raises(ValueError, match=r"brace|no such command|is no formula"):
        mathml(latex)
