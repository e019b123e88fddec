import numpy as np
import pytest
from skimage.feature import local_binary_pattern

from opchar.datasets.images.lbp import codes, lbp_histograms, pattern_numbers


def images(kind: str) -> np.ndarray:
    rng = np.random.default_rng(0)
    made = {
        "noise": rng.integers(0, 256, (20, 64, 64)),
        "few levels": rng.integers(0, 4, (20, 64, 64)),
        "black and white": 255 * rng.integers(0, 2, (20, 64, 64)),
        "flat": np.full((2, 64, 64), 77),
        "patches": np.kron(rng.integers(0, 256, (20, 16, 16)), np.ones((1, 4, 4), dtype=int)),
        "oblong": rng.integers(0, 9, (5, 20, 33)),
    }
    return made[kind].astype(np.uint8)


@pytest.mark.parametrize(
    "kind", ["noise", "few levels", "black and white", "flat", "patches", "oblong"]
)
def test_bit_for_bit_as_scikit_image(kind: str) -> None:
    given = images(kind)
    ours = pattern_numbers()[codes(given)]
    theirs = [local_binary_pattern(image, 8, 1, "nri_uniform") for image in given]
    assert np.array_equal(ours, np.stack(theirs).astype(int))


def naive(image: np.ndarray) -> np.ndarray:
    """Codes of the inner pixels from the definition, one at a time."""
    h, w = image.shape
    code = np.zeros((h, w), dtype=int)
    for i in range(1, h - 1):
        for j in range(1, w - 1):
            for p in range(8):
                y, x = i - np.sin(np.pi * p / 4), j + np.cos(np.pi * p / 4)
                a, b = int(np.floor(y + 1e-9)), int(np.floor(x + 1e-9))
                u, v = y - a, x - b
                value = sum(
                    weight * float(image[min(a + da, h - 1), min(b + db, w - 1)])
                    for da, db, weight in [
                        (0, 0, (1 - u) * (1 - v)),
                        (0, 1, (1 - u) * v),
                        (1, 0, u * (1 - v)),
                        (1, 1, u * v),
                    ]
                )
                code[i, j] |= (value >= image[i, j]) << p
    return code


def test_codes_are_their_definition() -> None:
    image = np.random.default_rng(3).permutation(400).reshape(1, 20, 20) % 251
    ours = codes(image.astype(np.uint8))[0]
    assert np.array_equal(ours[1:-1, 1:-1], naive(image[0].astype(np.uint8))[1:-1, 1:-1])


def test_histograms_are_frequencies_and_do_not_depend_on_the_batch() -> None:
    given = np.random.default_rng(1).integers(0, 256, (70, 16, 16)).astype(np.uint8)
    together = lbp_histograms(given)
    assert together.shape == (70, 59) and together.sum(axis=1) == pytest.approx(np.ones(70))
    assert np.array_equal(together[45], lbp_histograms(given[45:46])[0])
