"""Findings to be careful about: stable codes, how each is detected, why it matters, what to do."""

from __future__ import annotations

from dataclasses import dataclass

from opchar.errors import OpcharError, nearest


@dataclass(frozen=True)
class Kind:
    """A kind of finding."""

    title: str
    detected: str
    matters: str
    cure: str


@dataclass(frozen=True)
class Finding:
    """Something to know before reading the answers."""

    code: str
    text: str

    def __str__(self) -> str:
        """Return code and text, as a page shows them."""
        return f"{self.code}: {self.text}"


KINDS = {
    "OPC001": Kind(
        "Something was asked that cannot be answered",
        "An option was given that needs one positive class, and there are several classes; or one "
        "that needs one row per object.",
        "The page lacks the answer to that option.",
        "Name the class by --positive; for all classes at once give --costs; with two classes use "
        "--cost in place of --costs.",
    ),
    "OPC002": Kind(
        "No model is better than deciding without one",
        "On held-out folds, the best model costs at least as much as the cheaper of accepting all "
        "objects and accepting none.",
        "Using the model would cost more than ignoring it.",
        "Accept all or none, as the page says, or find a better model; check prior and costs.",
    ),
    "OPC003": Kind(
        "The gain over deciding without a model is not certain",
        "The interval of the cost of the recommended model contains the cost of accepting all or "
        "none.",
        "The saving may be chance.",
        "Collect more objects of the rarer class. The section on too few objects estimates how "
        "many.",
    ),
    "OPC004": Kind(
        "The choice of model is not certain",
        "The interval of the difference in cost between the recommended model and another one, on "
        "the same objects at this prior and these costs, contains zero.",
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
        "Counted as objects, repeats would make intervals too narrow.",
        "Check that the column names objects. Intervals count objects, not rows.",
    ),
    "OPC012": Kind(
        "A fold has few objects of a class",
        "A held-out fold has fewer than 5 objects of a class.",
        "The rates in that fold rest on a handful of objects.",
        "Use fewer folds (--folds), or a fold column with larger folds.",
    ),
    "OPC013": Kind(
        "Weights are uneven",
        "The effective number of objects is less than half of the rows.",
        "A few objects with large weights decide the figures.",
        "Check the weights; trim extreme ones if they are estimates.",
    ),
    "OPC014": Kind(
        "Weights are not used for several classes",
        "There is a column of weights and there are more than two classes.",
        "Volumes and class weights count every object once.",
        "Read the sections on two classes, or set one class against the rest by --positive.",
    ),
    "OPC015": Kind(
        'Rows may not be independent',
        "A column that is not used is called patient, subject, user, customer, site or the like, "
        "and its values repeat.",
        'Rows of one patient are alike. Counted as independent, they make intervals too narrow.',
        "Give the option that the finding names: --id where the rows of a group have one class, "
        "else --fold with --resample folds.",
    ),
    "OPC016": Kind(
        'A class has too few objects',
        'One of several classes has fewer than two objects.',
        'Nothing can be said of this class; the others are answered.',
        'Collect more objects of the class, or leave it out.',
    ),
    "OPC017": Kind(
        'The threshold in use lies outside the scores',
        'All scores lie on one side of the threshold that --threshold gives.',
        'It accepts all objects or none.',
        'Give the threshold on the scale of the scores; columns in percent are divided by 100.',
    ),
    "OPC020": Kind(
        "Folds cannot be used",
        "An object is in several folds, or all objects of a class are in one fold.",
        "Thresholds cannot be chosen on some folds and judged on the others.",
        "Name the right column by --fold. Otherwise, other folds are drawn.",
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
        "No threshold lies between equal scores, so that there are few trade-offs.",
        "Use scores before they are rounded or turned into decisions.",
    ),
    "OPC031": Kind(
        "Scores may be turned around",
        "The whole interval of the AUC lies below one half.",
        "Objects with higher scores are less often positive: every threshold does harm.",
        "Name the other class by --positive, or turn the sign of the scores. A confidence of "
        "whichever class was predicted is no score of a class: give the probability of one class.",
    ),
    "OPC032": Kind(
        "The scores separate the classes perfectly",
        "The AUC is exactly one.",
        "New objects are rarely separated perfectly. Often the label has leaked into the features, "
        "or the model was trained on these objects.",
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
    "OPC035": Kind(
        'A column may hold no scores',
        "All values are whole numbers, each once: a run without gaps, rising from row to row, or "
        "large.",
        'Row numbers, ids and ranks are numbers, too. An analysis of them means nothing.',
        'Name the column of scores by --scores.',
    ),
    "OPC036": Kind(
        'Scores may be confidences of the predicted class',
        'All scores lie from 0.5 to 1, and no column has the predicted class.',
        'A confidence of whichever class was predicted does not order objects by one class.',
        "Give the probability of one class, or add a column 'predicted' with the predicted class.",
    ),
    "OPC037": Kind(
        'Many scores are exactly 0 or 1',
        'Scores lie in [0, 1], and more than 10 % of them equal 0, or 1.',
        'Rounding has merged different scores; no threshold lies between them.',
        'Give log odds, or probabilities with more digits.',
    ),
    "OPC040": Kind(
        "The largest AUC is not the least cost",
        "The recommended model has a smaller AUC than another one.",
        "AUC averages over thresholds that nobody uses; the cost at your prior and costs does not. "
        "Landgrebe (2007, claim 0090) found that the model with the largest AUC need not be best.",
        "Go by cost where prior and costs are known, else by AUC.",
    ),
    "OPC041": Kind(
        "Positives are rarer in use than in these scores",
        "The prior in use is less than half of that of the scores.",
        "The same threshold finds as many of the positives, but precision falls, as does the area "
        "under precision over recall. AUC stays (landgrebe2007, claim 0092; mullick2020, claims "
        "0053 to 0056).",
        "Use the precision of this page, which is for the prior in use.",
    ),
    "OPC042": Kind(
        "The prior in use is an estimate",
        "Unlabelled scores were given (--unlabelled), and the prior was estimated from them.",
        "The estimate assumes that only the share of positives differs between the labelled and "
        "the unlabelled objects. Intervals include chance errors, not a breach of this "
        "assumption.",
        "Label some objects in use and count; give the share by --prior if it is known.",
    ),
    "OPC043": Kind(
        "The prior in use cannot be estimated from these scores",
        "The scores in use are no mixture of the labelled ones (p < 0.05), or the interval of the "
        "likeliest prior and that by the confusion matrix do not overlap.",
        "The scores within a class have changed, or a sigmoid does not describe them.",
        "Do not rely on the estimate; label some objects in use.",
    ),
    "OPC044": Kind(
        "Costs differ between objects",
        "The file has columns of costs.",
        "The recommended threshold is chosen for mean costs and judged by the costs of each "
        "object. "
        "A threshold for each object can cost less.",
        "Compare the rules in the section on the costs of each object. --cost replaces the costs.",
    ),
    "OPC045": Kind(
        "Class weights do not lower the cost",
        "With class weights chosen on the other folds, an object costs at least as much as "
        "without weights.",
        "Weights fit the objects that chose them. They lowered the cost in most scenarios "
        "of Landgrebe (2007, claims 0586 to 0589), but not on these scores.",
        "Decide for the class of the largest score, or collect more objects.",
    ),
    "OPC046": Kind(
        "The largest volume is not the least cost",
        "The model with the largest volume under the surface of several classes costs more than "
        "another one, with class weights, on held-out folds.",
        "The volume averages over weights that nobody uses. A larger error often, but not always, "
        "goes with a lower volume (landgrebe2007, claim 1074).",
        "Go by cost where costs are known, else by volume.",
    ),
}  # fmt: skip


def explanation(code: str) -> str:
    """Return what a code means, as lines of text."""
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
        "Findings warn of problems in the scores before the answers of `opchar analyse` are read. "
        "Codes keep their meaning between versions; `opchar explain OPC012` prints one of them. "
        "A finding does not change the exit status unless `--fail-on` names its code.",
    ]
    for code, kind in KINDS.items():
        parts += [
            f"## {code}: {kind.title}",
            f"- **How it is detected.** {kind.detected}\n- **Why it matters.** {kind.matters}\n"
            f"- **What to do.** {kind.cure}",
        ]
    return "\n\n".join(parts) + "\n"
