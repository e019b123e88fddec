"""Parts of a frame are joined as pandas joins them one after another."""

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from opchar_reproduction.results import Results

ROWS = st.integers(0, 4)
NUMBERS = st.floats(allow_nan=True, allow_infinity=True)


@st.composite
def parts(draw):
    """Return columns, or a frame: texts, whole numbers or others, and a column that may lack."""
    n = draw(ROWS)
    columns = {
        "name": draw(st.sampled_from(["a", "b", ["c"] * n])),
        "value": draw(st.sampled_from([np.arange(n), np.linspace(0, 1, n), [1] * n])),
        "measured": np.array(draw(st.lists(NUMBERS, min_size=n, max_size=n)), dtype=float),
        "also": draw(st.sampled_from(["x", ["y"] * n, np.full(n, "z")])),
    }
    if draw(st.booleans()):
        del columns["also"]
    if draw(st.booleans()):
        columns = dict(reversed(columns.items()))
    return pd.DataFrame(columns) if draw(st.booleans()) else columns


@given(st.lists(parts(), min_size=1, max_size=5), st.integers(0, 5))
def test_a_frame_is_that_of_parts_added_one_by_one(added, asked):
    results, expected = Results(), None
    for number, part in enumerate(added):
        frame = pd.DataFrame(part)
        expected = frame if expected is None else pd.concat([expected, frame], ignore_index=True)
        results.add_frame("x", part)
        if number == asked:  # asking between two parts changes nothing
            pd.testing.assert_frame_equal(results.curves["x"], expected)
    pd.testing.assert_frame_equal(results.curves["x"], expected)


def test_a_part_is_what_it_was_when_it_was_added():
    values = np.arange(3.0)
    results = Results()
    results.add_frame("x", {"name": "a", "value": values})
    values[:] = 9
    results.add_frame("x", {"name": "b", "value": values})
    assert results.curves["x"]["value"].tolist() == [0, 1, 2, 9, 9, 9]
