"""What Sec. 2.3.1 says of accuracy and precision as classes become skewed (Fig. 2.4)."""

from opchar_reproduction.statements.measurements import Finding, Measurements, conjunction
from opchar_reproduction.study import statement


@statement("0091")
def accuracy_forgets_the_minority(
    measured: Measurements, *, negligible: float = 0.01, reacts: float = 0.75
) -> Finding:
    """Tell whether accuracy goes to TN_r and only precision would notice that positives are lost.

    At the largest skew accuracy must be within `negligible` of TN_r; were half of the recognised
    positives lost, accuracy must fall by less than that, and precision to less than `reacts` of
    what it was.
    """
    tpr, tnr = (
        measured.value("figure-2.4", "linear discriminant", rate) for rate in ("TP_r", "TN_r")
    )
    curve = measured.frame("skew")
    last = curve.iloc[int(curve["skew"].argmax())]
    accuracy, precision, skew = (float(last[name]) for name in ("accuracy", "precision", "skew"))
    halved = (tpr / 2 + skew * tnr) / (1 + skew)
    lowered = tpr / 2 / (tpr / 2 + skew * (1 - tnr))
    gap, lost = abs(accuracy - tnr), accuracy - halved
    return conjunction(
        {
            "accuracy comes near to TN_r": gap < negligible,
            "accuracy hardly falls with lost positives": abs(lost) < negligible,
            "precision falls with them": lowered < reacts * precision,
        },
        f"at a skew of {skew:g} accuracy is {gap:.4f} from TN_r {tnr:.3f}; with half of the "
        f"recognised positives lost accuracy falls by {lost:.4f}, precision from {precision:.3f} "
        f"to {lowered:.3f}",
    )
