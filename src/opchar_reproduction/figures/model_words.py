"""Model names of the configuration in words of the field."""

from __future__ import annotations

import re

# A word of ``config/models.yaml`` as it may stand in print, and what a reader would call it.
_WORDS = (
    (r"sc", "standardised"),
    (r"pca ?(0\.\d+)", "PCA to {:.4g} % of the variance"),
    (r"pca ?(\d+)", "PCA {:g}"),
    (r"(?:fisherm?|fish)", "Fisher mapping"),
    (r"(?:nlfisher|nlfish)", "weighted Fisher mapping"),
    (r"svc r ?([\d.]+)", "SVM (RBF, sigma {:g})"),
    (r"svc p ?(\d+)", "SVM (polynomial, degree {:g})"),
    (r"knnc? ?(\d+)", "{:g}-NN"),
    (r"parzenc", "Parzen densities"),
    (r"nmc", "nearest mean"),
    (r"ldc", "linear discriminant"),
    (r"qdc", "quadratic discriminant"),
    (r"mogc? ?(\d+(?:,\d+)+)", "mixtures of {} Gaussians"),
    (r"mogc? ?(\d+)", "mixtures of {:g} Gaussians"),
    (r"sklearn\.[\w.]+:(\w+)", "{} of scikit-learn"),
)
_NAME = re.compile(r"(?:.* / )?(?:\d+\) )?(.+)")


def in_words(row: str) -> str:
    """Return the name in words of a row that is named after a model."""
    found = _NAME.fullmatch(row)
    rest, words = (found[1] if found else row).replace("-", " ").strip(), []
    while rest:
        for pattern, phrase in _WORDS:
            if match := re.match(rf"{pattern}(?= |$)", rest):
                words.append(phrase.format(*map(_argument, match.groups())))
                rest = rest[match.end() :].strip()
                break
        else:
            return ""
    return ", ".join(words)


def spell_row(row: str) -> str:
    """Return the name of a row with a model name at its end in words."""
    found = _NAME.fullmatch(row)
    words = in_words(row)
    return row[: found.start(1)] + words if found and words else row


def _argument(text: str) -> float | str:
    """Return a share as a percentage, a number as it is, several as a sum, and a name."""
    if not text.replace(".", "").isdigit():
        return text.replace(",", "+")
    return 100 * float(text) if text.startswith("0.") else float(text)
