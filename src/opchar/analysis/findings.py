"""Findings to be careful about: stable codes, how each is detected, why it matters, what to do."""

from __future__ import annotations

from dataclasses import dataclass

from opchar.errors import OpcharError, nearest


@dataclass(frozen=True)
class Kind:
    """A kind of finding.

    Attributes
    ----------
    title, detected, matters, cure : str
        A sentence or two each.
    """

    title: str
    detected: str
    matters: str
    cure: str


@dataclass(frozen=True)
class Finding:
    """Something to know before reading the answers.

    Attributes
    ----------
    code : str
        A key of `KINDS`; codes keep their meaning between versions.
    text : str
        What was found in these scores.
    """

    code: str
    text: str

    def __str__(self) -> str:
        """Return code and text, as a page shows them."""
        return f"{self.code}: {self.text}"


KINDS = {
    "OPC001": Kind(
        "Something was asked that cannot be answered",
        "An option was given that these scores do not serve, such as a cost of one class against "
        "the rest with more than two classes and no positive one.",
        "The answer that you asked for is missing from the page.",
        "Name the class by --positive; for all classes at once give --costs; with two classes use "
        "--cost in place of --costs.",
    ),
    "OPC002": Kind(
        "No model is better than deciding without one",
        "On folds that thresholds were not chosen on, the best model costs at least as much as the "
        "cheaper of accepting all objects and accepting none.",
        "Using the model would cost more than ignoring it.",
        "Accept all or none, as the page says, or find a better model; check prior and costs.",
    ),
    "OPC003": Kind(
        "The gain over deciding without a model is not certain",
        "The interval of the cost of the recommended model holds the cost of accepting all or "
        "none.",
        "The saving may be chance.",
        "Collect more objects of the rarer class; the section on too few objects says about how "
        "many.",
    ),
    "OPC004": Kind(
        "The choice of model is not certain",
        "The interval of the difference in cost between the recommended model and another one, on "
        "the same objects and at the condition in question, holds zero.",
        "On other objects the other model may be the cheaper one.",
        "Choose by other criteria, such as price, speed or simplicity, or collect more objects.",
    ),
    "OPC010": Kind(
        "A class has few objects",
        "Fewer than 30 objects of a class, counted by their effective number where weights differ "
        "or objects repeat.",
        "Rates of that class have wide intervals; a rate of zero proves little.",
        "Read intervals, not values; collect more objects of this class.",
    ),
    "OPC011": Kind(
        "Objects have several rows",
        "Values in the column of identities repeat.",
        "Repeats of an object add no certainty; counting them as objects would.",
        "Nothing: intervals count objects. Check that the column names objects.",
    ),
    "OPC012": Kind(
        "A fold has few objects of a class",
        "Fewer than 5 objects of one class in a fold on which thresholds are judged.",
        "What the threshold does in that fold rests on a handful of objects.",
        "Use fewer folds (--folds), or a fold column with larger folds.",
    ),
    "OPC013": Kind(
        "Weights are uneven",
        "The effective number of objects is less than half of the rows.",
        "A few heavy objects decide the figures.",
        "Check the weights; trim extreme ones if they are estimates.",
    ),
    "OPC014": Kind(
        "Weights are not used for several classes",
        "There is a column of weights and there are more than two classes.",
        "Volumes and class weights count every object once.",
        "Read the sections on two classes, or set one class against the rest by --positive.",
    ),
    "OPC020": Kind(
        "Folds cannot be used",
        "An object is in several folds, or all objects of a class are in one fold.",
        "Thresholds cannot be chosen on some folds and judged on others.",
        "Nothing: other folds are drawn. Name the right column by --fold.",
    ),
    "OPC021": Kind(
        "Folds are on different levels",
        "The mean scores of the negatives differ between folds by more than half their standard "
        "deviation and by more than chance explains.",
        "One threshold for all folds is then a compromise; pooled areas and thresholds suffer.",
        "Calibrate the model within each fold, or judge folds by themselves; see the AUC by fold.",
    ),
    "OPC030": Kind(
        "Many scores are equal",
        "More than 20 % of the pairs of a positive and a negative have equal scores, or there are "
        "two distinct scores only.",
        "No threshold lies between equal scores, so few trade-offs can be had.",
        "Use scores before they are rounded or turned into decisions.",
    ),
    "OPC031": Kind(
        "Scores may be turned around",
        "The whole interval of the AUC lies below one half.",
        "Higher scores mean less of the positive class: every threshold does harm.",
        "Name the other class by --positive, or turn the sign of the scores. A confidence of "
        "whichever class was predicted is no score of a class: give the probability of one class.",
    ),
    "OPC032": Kind(
        "The classes are told apart without one error",
        "The AUC is exactly one.",
        "This is rare with new objects; often the label has leaked into the features, or the "
        "objects were trained on.",
        "Score objects that the model has not seen, and check the features for the label.",
    ),
    "OPC033": Kind(
        "Scores are no probabilities",
        "All scores lie in [0, 1], groups of ten equal sizes are off by more than 10 points on "
        "average, and three groups are outside their intervals.",
        "A threshold calculated from costs and prior would be wrong on such scores.",
        "Use the threshold of this page, or calibrate the scores first.",
    ),
    "OPC034": Kind(
        "Class weights cannot be used",
        "Scores of several classes are negative somewhere.",
        "Class weights cannot multiply negative scores: there is no volume, and no weights for "
        "given costs.",
        "Give probabilities.",
    ),
    "OPC040": Kind(
        "The largest AUC is not the least cost",
        "The recommended model has a smaller AUC than another one.",
        "AUC averages over thresholds that nobody uses; the cost at your condition does not. That "
        "the model of the largest AUC need not serve best is a claim of landgrebe2007 (0090).",
        "Go by cost where prior and costs are known; by AUC only where they are not.",
    ),
    "OPC041": Kind(
        "Positives are rarer in use than in these scores",
        "The prior in use is less than half of that of the scores.",
        "The same threshold finds as many of the positives, but precision falls, as does the area "
        "under precision over recall; AUC stays (landgrebe2007, 0092). Of six indices precision "
        "moves most with the ratio of the classes; GMean, AUROC, mPrecision and mAURPC hardly do "
        "(mullick2020, 0053 to 0056).",
        "Use the precision of this page, which is that of the prior in use.",
    ),
    "OPC042": Kind(
        "The prior in use is an estimate",
        "Unlabelled scores were given (--unlabelled), and the prior was estimated from them.",
        "The estimate holds where only the share of positives differs between the labelled and the "
        "unlabelled objects; intervals hold its chance error, not a breach of that. With "
        "out-of-fold scores of a model that was then trained anew, 95 % intervals held the share "
        "in 85 % of draws from public sets.",
        "Label some objects in use and count; give the share by --prior if it is known.",
    ),
    "OPC043": Kind(
        "Two estimates of the prior in use disagree",
        "The intervals of the likeliest prior and of the one by the confusion matrix do not meet.",
        "Then the scores within a class have changed, or a sigmoid does not describe them.",
        "Do not rely on the estimate; label some objects in use.",
    ),
    "OPC044": Kind(
        "Costs differ between objects",
        "The file has columns of costs.",
        "One threshold for all objects uses mean costs; a threshold for each object can cost less.",
        "Read the section on costs of each object; --cost replaces the mean costs.",
    ),
    "OPC045": Kind(
        "Class weights do not lower the cost",
        "With class weights that were chosen on other folds an object of several classes costs at "
        "least as much as without weights.",
        "Weights fit the objects that they are chosen on. That they gain in most scenarios, and "
        "which search gains most, are claims of landgrebe2007 (0586 to 0589), which need not hold "
        "on these scores.",
        "Decide for the class of the largest score, or collect more objects.",
    ),
    "OPC046": Kind(
        "The largest volume is not the least cost",
        "The model of the largest volume under the surface of several classes costs more, with "
        "class weights on other folds, than another one.",
        "The volume averages over weights that nobody uses. That a larger error often goes with a "
        "lower volume, but not always, is a claim of landgrebe2007 (1074).",
        "Go by cost where costs are known; by volume only where they are not.",
    ),
}  # fmt: skip


def explanation(code: str) -> str:
    """Return what a code means, as lines of text.

    Parameters
    ----------
    code : str
        As in OPC012; case does not count.

    Raises
    ------
    OpcharError
        If there is no such code.
    """
    kind = KINDS.get(code.upper())
    if kind is None:
        hint = nearest(code.upper(), list(KINDS))
        raise OpcharError(f"no finding '{code}'{hint}; there are {', '.join(KINDS)}")
    return (
        f"{code.upper()}: {kind.title}\n\nHow it is detected: {kind.detected}\n"
        f"Why it matters: {kind.matters}\nWhat to do: {kind.cure}"
    )


def catalogue() -> str:
    """Return the page of the documentation on all findings, as Markdown."""
    parts = [
        "# Findings",
        "What `opchar analyse` finds in scores that one should know before reading its answers. "
        "Codes keep their meaning between versions; `opchar explain OPC012` prints one of them. "
        "A finding does not change the exit status, which is 1 only if nothing could be answered.",
    ]
    for code, kind in KINDS.items():
        parts += [
            f"## {code}: {kind.title}",
            f"- **How it is detected.** {kind.detected}\n- **Why it matters.** {kind.matters}\n"
            f"- **What to do.** {kind.cure}",
        ]
    return "\n\n".join(parts) + "\n"
