"""Model names of the configuration in words of the field."""

import re

# A word of ``config/models.yaml`` as it may stand in print, and what a reader would call it.
_WORDS = (
    (r"sc", "standardised"), (r"varying", "without constant features"), (r"smote", "SMOTE"),
    (r"pca ?(0\.\d+)", "PCA to {:.4g} % of the variance"), (r"pca ?(\d+)", "PCA {:g}"),
    (r"dis ?(\d+)", "distances to {:g} prototypes"), (r"mindist", "nearest prototype"),
    (r"(?:fisherm?|fish)", "Fisher mapping"), (r"(?:nlfisher|nlfish)", "weighted Fisher mapping"),
    (r"svc r ?([\d.]+)", "SVM (RBF, sigma {:g})"), (r"rbfsvm", "SVM (RBF)"),
    (r"svc p ?(\d+)", "SVM (polynomial, degree {:g})"), (r"nbsvm", "near-Bayesian SVM"),
    (r"bagsvm ?(\d+)", "bags of {:g} SVMs"), (r"knnc? ?(\d+)", "{:g}-NN"),
    (r"parzenc", "Parzen densities"), (r"bayes", "naive Bayes"), (r"\+", "then"),
    (r"nmc", "nearest mean"), (r"ldc", "linear discriminant"), (r"qdc", "quadratic discriminant"),
    (r"(?:soft)?mogc? ?(\d+(?:[, ]\d+)+)", "mixtures of {} Gaussians"),
    (r"mogc? ?(\d+)", "mixtures of {:g} Gaussians"), (r"gauss", "Gaussian target model"),
    (r"softmogc ?(\d+)", "mixtures of {:g} Gaussians by EM"), (r"random", "random start"),
    (r"lexiboost ?(\d+)", "Dual-LexiBoost ({:g}-NN)"), (r"rusboost ?(\d+)", "RUSBoost ({:g})"),
    (r"mlp ?(\d+)", "MLP of {:g} nodes"), (r"stumps", "stumps"), (r"full", "full trees"),
    (r"reject", "distance reject"), (r"socmc", "SOCMC"), (r"two stage", "two stages"),
    (r"sklearn\.[\w.]+:(\w+)", "{} of scikit-learn"),
)  # fmt: skip
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
    return ", ".join(words).replace(", then, ", ", then ")


def spell_row(row: str) -> str:
    """Return the name of a row with a model name at its end in words."""
    found = _NAME.fullmatch(row)
    words = in_words(row)
    return row[: found.start(1)] + words if found and words else row


def _argument(text: str) -> float | str:
    """Return a share as a percentage, a number as it is, several as a sum, and a name."""
    if not text.replace(".", "").isdigit():
        return text.replace(",", "+").replace(" ", "+")
    return 100 * float(text) if text.startswith("0.") else float(text)
