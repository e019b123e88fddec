"""Counts of labels of any type are those of counting one after the other."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from imblearn.metrics import geometric_mean_score
from sklearn.metrics import confusion_matrix

from opchar.metrics import label_indices
from opchar.metrics.label_indices import confusion, index_score

KINDS: dict[str, list[Any]] = {
    "near": [-3, 0, 7, 900],
    "far": [-(10**17), 0, 5, 10**17],
    "booleans": [False, True],
    "floats": [-0.5, 0.0, 2.25],
    "texts": ["", "a", "bc", "ä"],
    "objects": ["a", 1, None, (2, 3)],
    "unsigned": list(np.array([0, 3, 2**63], dtype=np.uint64)),
}


def array(labels: list[Any], kind: str) -> np.ndarray:
    if kind != "objects":
        return np.array(labels)
    found = np.empty(len(labels), dtype=object)
    found[:] = labels
    return found


@settings(max_examples=60, deadline=None)
@given(st.data(), st.sampled_from(sorted(KINDS)), st.booleans(), st.sampled_from([1, 3, 2**15]))
def test_counts_are_those_of_counting(
    data: st.DataObject, kind: str, known: bool, piece: int
) -> None:
    labels = KINDS[kind]
    pairs = data.draw(
        st.lists(st.tuples(*[st.sampled_from(range(len(labels)))] * 2), min_size=1, max_size=20)
    )
    truth, guess = (array([labels[pair[side]] for pair in pairs], kind) for side in (0, 1))
    given_labels = kind == "objects" or known
    order = (
        list(range(len(labels)))[::-1] if given_labels else sorted({n for p in pairs for n in p})
    )
    wanted = array([labels[n] for n in order], kind) if given_labels else None
    expected = np.zeros((len(order), len(order)))
    for a, b in pairs:
        expected[order.index(a), order.index(b)] += 1
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(label_indices, "PIECE", piece)
        assert confusion(truth, guess, labels=wanted).tolist() == expected.tolist()


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_the_first_unknown_label_is_named(kind: str) -> None:
    labels = KINDS[kind]
    truth = array([labels[0], labels[-1], labels[0]], kind)
    with pytest.raises(ValueError, match="is none of") as error:
        confusion(truth, truth, labels=array(labels[:1], kind))
    assert f"label {truth.tolist()[1]!r} " in str(error.value)


@given(
    st.lists(st.text(max_size=70), max_size=12),
    st.sampled_from([2, 2**62]),
    st.sampled_from([10, 100]),
)
def test_text_is_numbered_in_its_order(texts: list[str], largest: int, wide: int) -> None:
    texts = [text.rstrip("\0") for text in texts]  # NumPy takes these for padding
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(label_indices, "LARGEST", largest)
        patched.setattr(label_indices, "WIDE", wide)
        distinct, numbers = label_indices._label_indices(np.array(texts, dtype="U70"))
    assert distinct.tolist() == sorted(set(texts))
    assert [distinct[number] for number in numbers] == texts


def test_labels_of_two_types_are_not_mixed_up() -> None:
    with pytest.raises(ValueError, match="label 1 is none of"):
        confusion([1, 2], ["1", "2"])


@pytest.mark.parametrize("truth", [1, [[1, 0]], [1, 0]])
@pytest.mark.parametrize("guess", [1, [[1, 0]], [1]])
@pytest.mark.parametrize("labels", [None, [0, 1]])
def test_what_is_no_pair_of_equally_long_vectors_is_refused(truth, guess, labels) -> None:
    for count in (confusion, lambda *given, labels: index_score(*given, "mcc", labels=labels)):
        with pytest.raises(ValueError, match=r"must be .*vector"):
            count(truth, guess, labels=labels)


def test_g_mean_is_that_of_imbalanced_learn() -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(5, size=400)
    guess = np.where(rng.random(400) < 0.7, truth, rng.integers(5, size=400))
    for names in (np.arange(5), np.array(list("abcde"))):
        y, p = names[truth], names[guess]
        assert confusion(y, p).tolist() == confusion_matrix(y, p).tolist()
        expected = geometric_mean_score(y, p)
        assert index_score(y, p, "g_mean_multiclass") == pytest.approx(expected, abs=1e-12)


def test_an_index_of_two_classes_names_every_way_out_where_there_are_three():
    with pytest.raises(ValueError, match=r"give pos_label or average='macro', or name an index of"):
        index_score(["a", "b", "c"], ["a", "b", "b"], "accuracy")
    assert index_score(["a", "b", "c"], ["a", "b", "b"], "overall_accuracy") == pytest.approx(2 / 3)
