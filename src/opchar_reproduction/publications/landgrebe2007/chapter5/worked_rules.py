"""Rules, rates, volume and error of rejection for known densities (Secs. 5.2 and 5.3)."""

import numpy as np

from opchar.multiclass.gaussians import Floats
from opchar.ranges import Count
from opchar.reject.analytic import Gaussian, RejectRates, Uniform, reject_rates
from opchar.reject.characteristic import RejectCharacteristic
from opchar.reject.options import decide, is_ambiguous, is_distant
from opchar.reject.volume import vuc, vuc_of_patch, vuc_resampled
from opchar.seeds import Spawn
from opchar_reproduction.results import Results
from opchar_reproduction.study import study

NAMES = ("target", "outlier")
FINE = 400_001


class Known:
    """Three known densities; equal priors of the classes that are known in training."""

    def __init__(self, target: list[float], outlier: list[float], unseen: list[float]) -> None:
        self.target, self.outlier = Gaussian(*target), Gaussian(*outlier)
        self.unseen = Uniform(*unseen)

    def densities(self, x: Floats) -> Floats:
        """Return the densities of both known classes, shape (n, 2)."""
        return np.column_stack([self.target.pdf(x), self.outlier.pdf(x)])

    def score(self, x: Floats) -> Floats:
        """Return the values that theta thresholds, shape (n,)."""
        return self.target.logpdf(x) - self.outlier.logpdf(x)

    def rates(self, thetas: list[float] | Floats, distances: list[float] | Floats) -> RejectRates:
        """Return the rates of the target decision at all pairs of thresholds."""
        return reject_rates(self.target, self.outlier, self.unseen, thetas, distances)

    def draw(self, number: int, rng: np.random.Generator) -> RejectCharacteristic:
        """Draw as many objects of each kind, and return their operating characteristic."""
        drawn = [density.ppf(rng.uniform(size=number)) for density in self.kinds()]
        return RejectCharacteristic(
            *(np.column_stack([self.score(x), self.target.pdf(x)]) for x in drawn)
        )

    def kinds(self) -> tuple[Gaussian, Gaussian, Uniform]:
        """Return the densities of targets, known outliers and unseen objects."""
        return self.target, self.outlier, self.unseen


@study(
    "reject-worked-rules",
    kind="reject",
    basis="illustration",
    profiles={"tiny": {"grids": [6, 11], "objects": [20, 100]}},
)
def worked_rules(
    *,
    spawn: Spawn,
    target: list[float] = [0.0, 1.0],
    outlier: list[float] = [2.5, 1.0],
    unseen: list[float] = [-6.0, 9.0],
    places: list[float] = [-4.0, -2.0, 0.0, 1.2, 1.3, 4.0],
    ambiguity: float = 0.7,
    refused: float = 0.05,
    points: list[list[float]] = [[0.0, 0.0], [0.0, 0.05], [0.0, 0.15], [1.0, 0.05]],
    grids: list[int] = [11, 41, 161],
    objects: list[Count] = [100, 1000, 10000],
    costs: list[float] = [1.0, 1.0, 1.0],
) -> Results:
    """Follow the definitions of chapter 5 on known densities.

    `target`, `outlier`: The known Gaussian classes.
    `unseen`: Domain of the assumed uniform class.
    `places`: Objects whose decisions are told.
    `ambiguity`: Least posterior of the ambiguity reject option.
    `refused`: Share of targets that the one-class classifier refuses.
    `grids`: Thresholds of each kind, for the volume.
    `objects`: Numbers of objects of each kind that are drawn.
    `costs`: ``c_t, c_o, c_r``.
    """
    results = Results()
    known = Known(target, outlier, unseen)
    # The density of a Gaussian falls off from its mean: this level leaves out the share `refused`.
    level = float(known.target.pdf(known.target.ppf(np.array(refused / 2))))
    _decisions(results, known, np.array(places), ambiguity, level)
    _sequence(results, known, level)
    rates = [known.rates([theta], [t_d]) for theta, t_d in points]
    for (theta, t_d), found in zip(points, rates, strict=True):
        _rates(results, known, theta, t_d, found)
        _errors(results, known, theta, t_d, found, costs)
    _volume(results, known, grids)
    _steps(results, known, objects, costs, spawn)
    return results


def _decisions(results: Results, known: Known, x: Floats, ambiguity: float, level: float) -> None:
    """Add what each rule says of single objects (Eqs. 5.2 to 5.7)."""
    densities = known.densities(x)
    posteriors = densities / densities.sum(axis=1, keepdims=True)
    best = posteriors.argmax(axis=1)
    one_class = densities[:, 0] > level
    both = decide(posteriors, densities, distance=level)
    columns = {
        "D_MCC, Eq. 5.2": [NAMES[c] for c in best],
        "D_OCC, Eq. 5.3": [NAMES[not accepted] for accepted in one_class],
        "ambiguity, Eq. 5.4": _regions(is_ambiguous(posteriors, ambiguity)),
        "distance, Eq. 5.5": _regions(is_distant(densities, level, assigned=best)),
        "with distance reject": [NAMES[c] if c >= 0 else "reject" for c in both],
        "D_SOCMC, Eq. 5.7": [
            NAMES[c] if accepted else "outlier" for c, accepted in zip(best, one_class, strict=True)
        ],
    }
    for at, density in zip(x.tolist(), densities[:, 0].tolist(), strict=True):
        results.number("eq-5.7", f"x = {at:g}", "p(x|target)", density, unit="density")
    for column, words in columns.items():
        for at, word in zip(x.tolist(), words, strict=True):
            results.text("eq-5.7", f"x = {at:g}", column, word)


def _regions(rejected: np.ndarray) -> list[str]:
    return ["reject" if each else "accept" for each in rejected]


def _sequence(results: Results, known: Known, level: float) -> None:
    """Add the rates of each stage of SOCMC, and of its second stage trained on what is accepted."""
    accepted = known.rates([-np.inf], [level])
    # Among the accepted objects each density is divided by its accepted share (Eq. 5.6).
    share, other = float(accepted.tpr[0, 0]), float(accepted.fpr_outlier[0, 0])
    rows = {
        "D_OCC alone": (-np.inf, level),
        "D_MCC alone": (0.0, 0.0),
        "SOCMC, D_MCC of all objects": (0.0, level),
        "SOCMC, D_MCC of accepted objects, equal priors": (float(np.log(share / other)), level),
    }
    for row, (theta, t_d) in rows.items():
        found = known.rates([theta], [t_d])
        for column, values in _rates_by_name(found).items():
            results.number("algorithm-socmc", row, column, float(values[0, 0]), unit="fraction")
        error = float(found.mean_error()[0, 0])
        results.number("algorithm-socmc", row, "eps_rej", error, unit="fraction")


def _rates_by_name(rates: RejectRates) -> dict[str, Floats]:
    return {"TP_r": rates.tpr, "FP_r^o": rates.fpr_outlier, "FP_r^r": rates.fpr_reject}


def _rates(results: Results, known: Known, theta: float, t_d: float, found: RejectRates) -> None:
    """Add the rates in closed form, as integrals of the indicator, and with the printed priors."""
    row = f"theta = {theta:g}, t_d = {t_d:g}"
    ends = known.unseen.low - 4, known.unseen.high + 4
    x = np.linspace(*ends, FINE)
    called = (known.target.pdf(x) > t_d) & (known.score(x) > theta)
    for (name, values), density in zip(_rates_by_name(found).items(), known.kinds(), strict=True):
        rate = float(values[0, 0])
        results.number("eq-5.12", row, name, rate, unit="fraction")
        integral = float((density.pdf(x) * called).sum() * (x[1] - x[0]))
        results.number("eq-5.12", row, f"{name}, integral", integral, unit="fraction")
        results.number("eq-5.12", row, f"{name}, priors 1/3 as printed", rate / 3, unit="fraction")
    performance = float(found.mean_performance()[0, 0])
    results.number("eq-5.12", row, "p_mean, Eq. 5.14", performance, unit="fraction")


def _errors(
    results: Results, known: Known, theta: float, t_d: float, found: RejectRates, costs: list[float]
) -> None:
    """Add the mean error with and without rejection, and both forms of the loss (Eq. 5.17)."""
    row = f"theta = {theta:g}, t_d = {t_d:g}"
    missed, false, unseen = (
        float(values[0, 0]) for values in (1 - found.tpr, found.fpr_outlier, found.fpr_reject)
    )
    results.number("eq-5.16", row, "eps_rej", (missed + false + unseen) / 3, unit="fraction")
    plain = float(known.rates([theta], [0.0]).mean_error()[0, 0])
    results.number("eq-5.16", row, "eps_norej", plain, unit="fraction")
    priced = float(np.dot(costs, [missed, false, unseen])) / 3
    results.number("eq-5.16", row, "loss at these costs", priced, unit="loss")
    c_t, c_o, _ = costs
    printed = (theta * c_t * missed + (1 - theta) * c_o * false + t_d * unseen) / 3
    results.number("eq-5.16", row, "Eq. 5.17 as printed", printed, unit="loss")


def _volume(results: Results, known: Known, grids: list[int]) -> None:
    """Add the volume by both integrations as the grid becomes finer."""
    mode = float(known.target.pdf(np.array(known.target.mean)))
    for r in grids:
        rates = known.rates(np.linspace(-18.0, 18.0, r), np.linspace(0.0, mode, r))
        row, patch = f"{r} x {r} thresholds", vuc_of_patch(rates)
        results.number("eq-5.15", row, "VUC over the patch", patch.vuc, unit="volume")
        results.number("eq-5.15", row, "area of the patch", patch.area, unit="area")
        resampled = vuc_resampled(rates, r)
        results.number("eq-5.15", row, "VUC over the unit square", resampled, unit="volume")


def _steps(
    results: Results, known: Known, objects: list[int], costs: list[float], spawn: Spawn
) -> None:
    """Add the steps of Sec. 5.3.3 for drawn objects, and how their number moves the volume."""
    for number in objects:
        sample = known.draw(number, spawn("objects", number))
        row = f"{number} objects of each kind"
        pairs = len(sample.thetas) * len(sample.distances)
        results.number("algorithm-5.3.3", row, "operating points", pairs, unit="count")
        results.number("algorithm-5.3.3", row, "VUC", vuc(sample), unit="volume")
        for name, point in {
            "theta first": sample.classification_first(costs, unseen_share=1 / 3),
            "both at once": sample.optimum(costs, unseen_share=1 / 3),
        }.items():
            results.number("algorithm-5.3.3", row, f"theta, {name}", point.theta, unit="score")
            results.number("algorithm-5.3.3", row, f"t_d, {name}", point.t_d, unit="density")
            loss = point.loss
            results.number("algorithm-5.3.3", row, f"loss, {name}", loss, unit="loss")
