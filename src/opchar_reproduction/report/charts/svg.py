"""Places of SVG across: per cent of the width, so that a drawing fits every screen."""

# What stands inside must not touch the border.
MARGIN = 2.0


def across(value: float, low: float, high: float) -> float:
    """Return the place of a value between two ends, in per cent of the width."""
    share = (value - low) / (high - low) if high > low else 0.5
    return MARGIN + (100 - 2 * MARGIN) * min(max(share, 0.0), 1.0)


def per_cent(position: float) -> str:
    """Write a place."""
    return f"{position:.4g}%"
