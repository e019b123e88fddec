"""Both distortions as curves, and Example 1 (mullick2020, Figs. 1 and 2).

How the sets of Example 1 were made is in a supplement that is not public: places and spreads are
ours.
"""

import numpy as np
from scipy.special import ndtr

from opchar.datasets.generators import hexagon, imbalanced_pair
from opchar.metrics.class_sizes import even_classifier
from opchar.metrics.counts import confusion_matrix
from opchar.metrics.distortion import at_test_ratio
from opchar.metrics.indices.composite import balanced_accuracy, m_precision
from opchar.metrics.indices.multiclass import acsa, auroc_ova, auroc_ovo
from opchar.metrics.indices.rates import precision
from opchar.ranges import Count
from opchar.seeds import Spawn
from opchar_reproduction.results import Results
from opchar_reproduction.study import study

DRAWN = "sets drawn from distributions of ours"


@study("distortions", basis="exact")
def distortions(
    *,
    ratios: list[float] = [1, 3, 10],
    classes: list[int] = [2, 4, 10],
    accuracies: list[float] = [0.1, 0.3, 0.5, 0.7, 0.9],
    steps: int = 101,
) -> Results:
    """Follow Precision and AUROC-OVO over classifiers that are equally good on each class.

    ratios: RRT of the test sets, from well behaved to ill behaved.
    classes: Numbers of classes, from well behaved to ill behaved.
    accuracies: Classifiers from very poor to very good that are marked.
    steps: Accuracies from 0 to 1 along each curve.
    """
    results = Results()
    grid = np.linspace(0.0, 1.0, steps)
    warped = {ratio: _precision_at(grid, ratio) for ratio in ratios}
    shrunk = {number: np.asarray(auroc_ovo(even_classifier(grid, number))) for number in classes}
    for frame, column, index, curves in (
        ("warped", "RRT", "Precision", warped),
        ("shrunk", "C", "AUROC-OVO", shrunk),
    ):
        for level, values in curves.items():
            results.add_frame(frame, {column: level, "accuracy": grid, "value": values})
            for accuracy in accuracies:
                value = float(np.interp(accuracy, grid, values))
                who = {"frame": [frame], "level": level, "accuracy": accuracy}
                results.add_frame("marked", who | {"value": value})
                row = f"{index}, {column} = {level:g}"
                results.number("figure-1", row, f"accuracy {accuracy:g}", value)
    return results


def _precision_at(accuracy: np.ndarray, ratio: float) -> np.ndarray:
    matrices = at_test_ratio(even_classifier(accuracy, 2), ratio)
    (tp, fn), (fp, tn) = np.moveaxis(matrices, 0, -1)
    return np.asarray(precision(tp, fn, fp, tn))


@study(
    "example-1",
    basis="illustration",
    profiles={"tiny": {"ensembles": 21}},
    nothing_open="""The supplement that describes the sets of Example 1 is not public. Distances and
    spreads are ours; the text supports no particular choice.""",
)
def example_1(
    spawn: Spawn,
    *,
    objects: Count = 5000,
    ratios: list[int] = [1, 2, 4, 6, 8, 10],
    boundaries: list[float] = [4.0, 3.5, 3.0, 2.5, 2.0, 1.5, 1.0, 0.5, 0.0],
    shown_boundary: float = 4.0,
    separation: float = 4.0,
    std: float = 1.0,
    classes: list[int] = [3, 4, 5, 6],
    ensembles: int = 41,
    radius: float = 4.0,
    hexagon_std: float = 0.5,
    shown_accuracy: float = 0.6,
) -> Results:
    """Run Example 1 in both forms.

    ratios: RRT of the test sets: the class on the right is thinned.
    boundaries: Places of the linear classifier, from the best one (first) to ever poorer ones; what
        lies to the right is called positive.
    shown_boundary: The one whose Precision the work prints.
    separation, std: Of the two Gaussian classes, evenly about x = 4.
    classes: Numbers of adjacent vertices of the hexagon that hold classes.
    ensembles: Linear ensembles from a useless one to the best one.
    radius, hexagon_std: Of the hexagon, and of its Gaussian classes.
    shown_accuracy: Fraction right at which the work prints AUROC-OVA.
    """
    results = Results()
    _pair(results, spawn, objects, ratios, separation, std)
    _precisions(results, spawn, objects, ratios, boundaries, separation, std)
    found = results.curves["precisions"]
    shown = found[found["boundary"] == shown_boundary].set_index("RRT")["Precision"]
    for ratio in ratios:
        row = f"boundary x={shown_boundary:g}, RRT={ratio}"
        results.number("figure-2c", row, "Precision", shown[ratio], data=DRAWN)
    for number in classes:
        _areas(results, spawn, objects, number, ensembles, radius, hexagon_std)
    _at_one_accuracy(results, classes, shown_accuracy)
    return results


def _pair(
    results: Results, spawn: Spawn, objects: int, ratios: list[int], separation: float, std: float
) -> None:
    """Record some objects of the first and the last of the two-class sets."""
    for ratio in (ratios[0], ratios[-1]):
        rng = spawn("pair", ratio)
        X, y = imbalanced_pair(objects, rng, rrt=ratio, separation=separation, std=std)
        kept = np.arange(0, len(y), max(objects // 400, 1))
        places = {"x1": X[kept, 0], "x2": X[kept, 1]}
        results.add_frame("pair", {"RRT": ratio, "class": y[kept]} | places)


def _precisions(
    results: Results,
    spawn: Spawn,
    objects: int,
    ratios: list[int],
    boundaries: list[float],
    separation: float,
    std: float,
) -> None:
    """Count the decisions of each linear classifier on each of the two-class sets."""
    for ratio in ratios:
        rng = spawn("pair", ratio)
        X, y = imbalanced_pair(objects, rng, rrt=ratio, separation=separation, std=std)
        for boundary in boundaries:
            called = (X[:, 0] > boundary).astype(int)
            (tn, fp), (fn, tp) = confusion_matrix(y, called, 2)
            fpr = ndtr((4 - separation / 2 - boundary) / std)
            tpr = ndtr((4 + separation / 2 - boundary) / std)
            counts = (tp, fn, fp, tn)
            values = {
                "Precision": float(precision(*counts)),
                "mPrecision": float(m_precision(*counts)),
                "in the limit": tpr / (tpr + ratio * fpr),
                "mean class accuracy": float(balanced_accuracy(*counts)),
            }
            results.add_frame("precisions", {"boundary": [boundary], "RRT": ratio} | values)


def _areas(
    results: Results,
    spawn: Spawn,
    objects: int,
    classes: int,
    ensembles: int,
    radius: float,
    std: float,
) -> None:
    """Move a one-against-all ensemble of linear classifiers from a useless to the best one.

    At first the first class is always called, which is right as often as a random assignment; then
    the advantage of its linear function goes down to nothing.
    """
    rng = spawn("hexagon", classes)
    X, y = hexagon([objects] * classes, rng, n_classes=classes, radius=radius, std=std)
    kept = np.arange(0, len(y), max(objects // 150, 1))
    places = {"x1": X[kept, 0], "x2": X[kept, 1]}
    results.add_frame("vertices", {"C": classes, "class": y[kept]} | places)
    angle = np.arange(classes) * np.pi / 3
    best = np.vstack([np.cos(angle), np.sin(angle)])
    first = np.arange(classes) == 0
    _lines(results, best, radius)
    for advantage in np.linspace(3.0 * radius, 0.0, ensembles):
        called = (X @ best + advantage * first).argmax(axis=1)
        matrix = confusion_matrix(y, called, classes)
        right = float(acsa(matrix))
        values = {"fraction right": right, "AUROC-OVA": float(auroc_ova(matrix)), "ACSA": right}
        results.add_frame("areas", {"C": [classes], "advantage": advantage} | values)


def _lines(results: Results, best: np.ndarray, radius: float, nodes: int = 41) -> None:
    """Record by how much each class leads in the plane: a few ensembles for the first class."""
    side = np.linspace(-1.65 * radius, 1.65 * radius, nodes)
    x1, x2 = (part.ravel() for part in np.meshgrid(side, side))
    for advantage in radius * np.array([0.0, 0.5, 1.0, 1.5]):
        scores = np.column_stack([x1, x2]) @ best
        scores[:, 0] += advantage
        for number in range(1 if advantage else best.shape[1]):
            lead = scores[:, number] - np.delete(scores, number, axis=1).max(axis=1)
            where = {"C": best.shape[1], "advantage": advantage, "class": number}
            results.add_frame("leads", where | {"x1": x1, "x2": x2, "lead": lead})


def _at_one_accuracy(results: Results, classes: list[int], accuracy: float) -> None:
    """Read AUROC-OVA off at one fraction right, on the straight line between two ensembles."""
    areas = results.curves["areas"]
    for number in classes:
        part = areas[areas["C"] == number].sort_values("fraction right")
        value = np.interp(accuracy, part["fraction right"], part["AUROC-OVA"])
        row = f"{100 * accuracy:g}% correct per class, C={number}"
        results.number("figure-2f", row, "AUROC-OVA", float(value), data=DRAWN)
