"""False acceptance and rejection of a verification system (tharwat2018, slides 69 to 72)."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtr, ndtri

from opchar.metrics.indices.biometrics import equal_error_rate
from opchar.results import Results


def verification(
    *,
    impostors: dict[str, float],
    clients: dict[str, float],
    accepted_above: float,
    points: int,
    deviate_ticks: list[float],
) -> Results:
    """Sweep the threshold over normal client and impostor scores.

    Parameters
    ----------
    impostors, clients : dict of str to float
        ``mean`` and ``spread`` of the two score distributions, which the tutorial does not give.
    accepted_above : float
        The threshold at which the false acceptances are shaded.
    points : int
        Resolution of the curves.
    deviate_ticks : list of float
        Error rates marked on the normal deviate axes of the DET curve.

    Returns
    -------
    Results
        ``figure-far``, ``figure-eer`` and ``figure-det``.
    """
    results = Results()
    reach = 4.5
    threshold = np.linspace(
        impostors["mean"] - reach * impostors["spread"],
        clients["mean"] + reach * clients["spread"],
        points,
    )
    of_impostors = (threshold - impostors["mean"]) / impostors["spread"]
    of_clients = (threshold - clients["mean"]) / clients["spread"]
    far, frr = ndtr(-of_impostors), ndtr(of_clients)
    for name, standard, spread in (
        ("impostors", of_impostors, impostors["spread"]),
        ("clients", of_clients, clients["spread"]),
    ):
        density = np.exp(-(standard**2) / 2) / (spread * np.sqrt(2 * np.pi))
        results.curve("density", {"people": name, "score": threshold, "density": density})
    accepted = float(ndtr((impostors["mean"] - accepted_above) / impostors["spread"]))
    rejected = float(ndtr((accepted_above - clients["mean"]) / clients["spread"]))
    results.number("figure-far", "shaded threshold", "FAR", accepted, unit="fraction")
    results.number("figure-far", "shaded threshold", "FRR", rejected, unit="fraction")
    results.curve("accepted", {"threshold": [accepted_above], "far": accepted, "frr": rejected})
    results.curve("rates", {"threshold": threshold, "far": far, "frr": frr})
    _equal(results, impostors, clients, far, frr)
    results.curve(
        "det", {"far": far, "frr": frr, "far deviate": ndtri(far), "frr deviate": ndtri(frr)}
    )
    results.curve("ticks", {"rate": deviate_ticks, "deviate": ndtri(np.array(deviate_ticks))})
    return results


def _equal(
    results: Results,
    impostors: dict[str, float],
    clients: dict[str, float],
    far: np.ndarray,
    frr: np.ndarray,
) -> None:
    total = impostors["spread"] + clients["spread"]
    exact = float(ndtr((impostors["mean"] - clients["mean"]) / total))
    at = (impostors["mean"] * clients["spread"] + clients["mean"] * impostors["spread"]) / total
    read = equal_error_rate(far, frr)
    results.number("figure-eer", "exact", "EER", exact, unit="fraction")
    results.number("figure-eer", "exact", "threshold", at, unit="score")
    results.number("figure-eer", "read from the curves", "EER", read, unit="fraction")
    results.curve("equal", {"threshold": [at], "rate": exact, "deviate": float(ndtri(exact))})
