"""Uniform local binary patterns (soleymani2020, Sec. 4: 8 neighbours, radius 1, 59 features).

The codes are, bit for bit, those of scikit-image's ``local_binary_pattern(image, 8, 1,
"nri_uniform")``, rounding of the interpolated corners included, for many images at once.
"""

from __future__ import annotations

import numpy as np

NEIGHBOURS = 8
PATTERNS = NEIGHBOURS * (NEIGHBOURS - 1) + 3
BATCH = 16


def pattern_numbers() -> np.ndarray:
    """Return the pattern of each of the 256 codes.

    Shapes: returned (256,).

    Returned: 0 without ones, 57 without zeros, ``1 + 8 (ones - 1) + rotation`` for one run of ones,
    where the rotation counts back from neighbour 0 to where the run begins, and 58 for all others.
    """
    numbers = np.full(1 << NEIGHBOURS, PATTERNS - 1)
    for code in range(1 << NEIGHBOURS):
        bits = [code >> p & 1 for p in range(NEIGHBOURS)]
        begins = [p for p in range(NEIGHBOURS) if bits[p] and not bits[p - 1]]
        if not any(bits):
            numbers[code] = 0
        elif all(bits):
            numbers[code] = PATTERNS - 2
        elif len(begins) == 1:
            numbers[code] = 1 + (sum(bits) - 1) * NEIGHBOURS + -begins[0] % NEIGHBOURS
    return numbers


def codes(images: np.ndarray) -> np.ndarray:
    """Return the 8-bit code of every pixel: bit p is set when neighbour p is not darker.

    Shapes: `images` (n, h, w); returned (n, h, w).
    """
    n, h, w = images.shape
    centre = images.astype(float)
    padded = np.zeros((n, h + 2, w + 2))
    padded[:, 1:-1, 1:-1] = centre
    code = np.zeros(images.shape, dtype=np.uint8)
    for p in range(NEIGHBOURS):
        angle = 2 * np.pi * p / NEIGHBOURS
        row, column = round(-np.sin(angle), 5), round(np.cos(angle), 5)
        neighbour = _shift(padded, row, column, h, w)
        code |= (neighbour >= centre).view(np.uint8) << p
    return code


def _shift(padded: np.ndarray, row: float, column: float, h: int, w: int) -> np.ndarray:
    """Return the images moved by an offset within one pixel, interpolated where it is a corner."""
    up, left = int(np.floor(row)), int(np.floor(column))

    def at(i: int, j: int) -> np.ndarray:
        return padded[:, 1 + i : 1 + i + h, 1 + j : 1 + j + w]

    if row == up and column == left:
        return at(up, left)
    rows, columns = np.arange(h) + row, np.arange(w) + column
    down = (rows - np.floor(rows))[:, None]
    right = columns - np.floor(columns)
    top = (1 - right) * at(up, left) + right * at(up, left + 1)
    bottom = (1 - right) * at(up + 1, left) + right * at(up + 1, left + 1)
    return np.asarray((1 - down) * top + down * bottom)


def lbp_histograms(images: np.ndarray) -> np.ndarray:
    """Return the histogram of uniform local binary patterns of each image.

    Shapes: `images` (n, h, w); returned (n, 59).
    """
    numbers = pattern_numbers()
    counts = np.empty((len(images), PATTERNS))
    for start in range(0, len(images), BATCH):
        found = codes(images[start : start + BATCH]).reshape(len(images[start : start + BATCH]), -1)
        offset = np.arange(len(found))[:, None] * PATTERNS
        bins = np.bincount((numbers[found] + offset).ravel(), minlength=len(found) * PATTERNS)
        counts[start : start + BATCH] = bins.reshape(len(found), PATTERNS)
    return counts / (images.shape[1] * images.shape[2])
