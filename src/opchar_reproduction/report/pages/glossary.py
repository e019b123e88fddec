"""The words of the report and of the documentation, explained once."""

import re

TERMS = {
    "artefact": "A figure, table, equation, algorithm, theorem or numbered passage of a "
    "publication that is reproduced.",
    "AUC, AUROC": "Area under the ROC curve: the probability that a random positive scores above a "
    "random negative.",
    "AccSens": "Root mean square of 1 - AUC and Sens (Landgrebe, 2007): small for an accurate "
    "classifier that the prior hardly moves.",
    "AUPRC": "Area under the precision-recall curve. It depends on the prior; here it is computed "
    "exactly for any prior.",
    "certificate": "A computed bound: no other class weights have a lower loss, within a stated "
    "tolerance.",
    "compatible": "No difference was found, but the comparison is too noisy to exclude one as "
    "large as the margin.",
    "control": "Input on which the test of a claim must fail. A test that also passes there is no "
    "evidence.",
    "cost ratio": "The cost of a miss divided by that of a false alarm.",
    "envelope": "The best value of all thresholds at each prior or cost: the upper envelope of "
    "F-measure curves, the lower envelope of cost lines.",
    "erratum": "A published value that contradicts the publication's own definitions or inputs; a "
    "test proves it.",
    "F-measure": "Weighted harmonic mean of precision and recall. Alpha is the weight of "
    "precision; alpha 0.5 is F1.",
    "FPR": "False positive rate: the share of the negatives that are accepted.",
    "Holm": "A correction for testing many values at once: it keeps the probability of any false "
    "alarm below 5 %.",
    "inconsistent": "Two passages of the publication contradict each other; which one is right "
    "stays open.",
    "ledger": "The table of all published values and claims, each with its reproduced value, its "
    "verdict and the reason.",
    "matches": "The reproduced value lies within the margin declared for its unit of the published "
    "one, or has the same digits where nothing is random.",
    "operating point": "One threshold of a classifier, given by its TPR and FPR.",
    "P(+), prior": "The share of positives among the objects on which a classifier is used.",
    "P-ROC": "Precision or AUPRC as a function of the prior.",
    "PC(+)": "Probability cost: the prior weighted with the costs of the two errors. At equal "
    "costs it is the prior.",
    "primary variant": "The protocol as the text of a publication states it; all verdicts refer to "
    "it.",
    "profile": "The size of a run: tiny, quick or paper (as the publications state it).",
    "reject option": "A rule by which a classifier refuses to assign an object: because it is "
    "ambiguous, or because it is unlike every known class.",
    "SOCMC": "Sequential one-class and multi-class: a one-class model rejects outliers first, and "
    "a classifier assigns the rest (Landgrebe, 2007).",
    "standard error": "Standard deviation of a mean over repeats. Differences are given as z, in "
    "standard errors.",
    "stand-in data": "Generated or public data in place of data that are not available. Values "
    "computed from them are not a test of the publication.",
    "TPR, recall": "True positive rate: the share of the positives that are accepted.",
    "verdict": "The result of comparing a published value with the reproduced one: agrees, "
    "differs, holds, fails, erratum, inconsistent, input, not a test, unavailable, pending.",
    "VUC, VUS": "Volume under the surface of a reject option, or under the ROC surface of three or "
    "more classes: the area under the curve in more dimensions.",
    "width of agreement": "How far the reproduced value could lie from the published one and still "
    "agree. If it is wide, the test is weak.",
    "wrong or contradictory": "An erratum, or a value that another passage contradicts.",
}


# Names that tables and captions explain where they first use them, with the term that has them.
_HINTS = {"AccSens": "AccSens", "PC(+)": "PC(+)", "P(+)": "P(+), prior", "VUS": "VUC, VUS"}
_HINTS |= {"VUC": "VUC, VUS", "SOCMC": "SOCMC", "TPR": "TPR, recall", "FPR": "FPR"}
_HINTS |= {"AUPREC": "AUPRC", "IAUPREC": "AUPRC", "AURPC": "AUPRC"}
_NAME = re.compile(rf"(?<![\w(])({'|'.join(map(re.escape, _HINTS))})(?![\w(])")
_HEADED = re.compile(r'<(caption|th|p) ?(?:class="caption"|scope="[^"]*")?>(?:(?!</\1>).)*', re.S)


def with_hints(page: str) -> str:
    """Return a page whose tables and captions explain a name where they first use it."""
    explained: set[str] = set()

    def explain(name: re.Match[str]) -> str:
        if name[1] in explained:
            return name[1]
        explained.add(name[1])
        meant = TERMS[_HINTS[name[1]]].split(". ")[0].rstrip(".")
        own = "the print's name of AUPRC: " if _HINTS[name[1]] == "AUPRC" else ""
        return f'<abbr title="{own}{meant}">{name[1]}</abbr>'

    def in_place(part: re.Match[str]) -> str:
        texts = re.split(r"(<[^>]*>)", part[0])
        return "".join(t if t.startswith("<") else _NAME.sub(explain, t) for t in texts)

    def of_item(item: str) -> str:
        explained.clear()
        return _HEADED.sub(in_place, item)

    return "".join(map(of_item, re.split(r"(?=<h2 )", page)))


def markdown() -> str:
    """Return the glossary as ``docs/glossary.md`` has it."""
    lines = [f"- **{term}**: {meaning}" for term, meaning in TERMS.items()]
    return "# Glossary\n\n" + "\n".join(lines) + "\n"
