from xml.etree import ElementTree

import pytest

from opchar.metrics.registry import INDICES
from opchar.report.mathml import mathml


@pytest.mark.parametrize(
    ("latex", "expected"),
    [
        (
            r"\frac{TP}{TP+FN}",
            "<mfrac><mi>TP</mi><mrow><mi>TP</mi><mo>+</mo><mi>FN</mi></mrow></mfrac>",
        ),
        (r"\frac1C", "<mfrac><mn>1</mn><mi>C</mi></mfrac>"),
        (r"\frac1{2C}", "<mfrac><mn>1</mn><mrow><mn>2</mn><mi>C</mi></mrow></mfrac>"),
        (r"\frac12x", "<mfrac><mn>1</mn><mn>2</mn></mfrac><mi>x</mi>"),
        (r"\sqrt3", "<msqrt><mn>3</mn></msqrt>"),
        (r"m_{ii}^2", "<msubsup><mi>m</mi><mi>ii</mi><mn>2</mn></msubsup>"),
        (r"\beta^2FN", "<msup><mi>β</mi><mn>2</mn></msup><mi>FN</mi>"),
        (r"a<b-c", "<mi>a</mi><mo>&lt;</mo><mi>b</mi><mo>−</mo><mi>c</mi>"),
        (r"\left(x\right)", "<mo>(</mo><mi>x</mi><mo>)</mo>"),
    ],
)
def test_formulas(latex, expected):
    assert str(mathml(latex)) == f"<math>{expected}</math>"


@pytest.mark.parametrize("index", INDICES, ids=lambda index: index.name)
def test_every_index_is_well_formed_and_keeps_its_symbols(index):
    said = "".join(ElementTree.fromstring(str(mathml(index.formula))).itertext())
    assert "\\" not in said
    assert "{" not in said
    letters = [letter for letter in index.formula if letter in "+|/="]
    assert [letter for letter in said if letter in "+|/="] == letters


@pytest.mark.parametrize("latex", [r"\frac{a", r"a}", r"\unknown", "x_", r"\frac a"])
def test_what_is_no_formula_is_refused(latex):
    with pytest.raises(ValueError, match=r"brace|no such command|ends too early"):
        mathml(latex)
