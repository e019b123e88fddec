"""Counts that stand as numerators and denominators refute scores that they do not have."""

import pytest

from opchar.printed import check, verify

HEAD = "Test,Sensitivity,Specificity,PPV,NPV\n"
READER = "Reader 1,47/56 (83.9%),176/200 (88.0%),{},176/185 (95.1%)\n"
WEKA = """Correctly Classified Instances  140  93.3333 %
Kappa statistic                 {}
=== Confusion Matrix ===

  a  b  c   <-- classified as
 50  0  0 |  a = Iris-setosa
  0 45  5 |  b = Iris-versicolor
  0  5 45 |  c = Iris-virginica
"""
PROSE = (
    "There were 47 true positives, 9 false negatives, 24 false positives and 176 true negatives, "
    "giving a sensitivity of {} and a specificity of 88.0%."
)
LINES = "Sensitivity (47/56)  83.9%\nSpecificity (176/200)  88.0%\nPPV  {}\n"
MACRO = """Model  Macro Precision  Macro Recall  Macro F1  Accuracy
BERT   0.842            0.781         {}        0.861
n = 1,200 test documents, 3 classes
"""


@pytest.mark.parametrize(
    ("text", "right", "wrong"),
    [
        (HEAD + READER, "47/71 (66.2%)", "47/81 (58.0%)"),
        (HEAD + READER, "47/71", "40/81"),
        (LINES, "66.2%", "68.2%"),
        ("Group,n,Correct,Total,Accuracy\nA,100,87,100,0.87\nB,50,41,50,{}\n", "0.82", "0.84"),
        ("Group,Correct,Total,Accuracy\nA,87,100,0.87\nB,41,50,{}\n", "0.82", "0.84"),
        (WEKA, "0.9", "0.88"),
        (PROSE, "83.9%", "85.9%"),
        ("Reader,TP,Sensitivity,Specificity\nA,{},47/56,176/200\n", "47", "48"),
        ("Accuracy: {}, n = 200\nSensitivity: 0.91\n", "0.895", "0.894"),
        ("Accuracy {}, n = 200\nSensitivity 0.91\n", "0.895", "0.894"),
        (MACRO, "0.803", "0.843"),
    ],
)
def test_counts_refute_what_they_do_not_have(text: str, right: str, wrong: str) -> None:
    assert "impossible" not in {each.status for each in check(text.format(right)).values()}
    found = list(check(text.format(wrong)).values())[-1]
    assert found.status == "impossible"
    assert verify(found.certificate)
