"""Shares as text, spelt one way on all pages."""


def per_cent(share: float, digits: int = 0) -> str:
    """Return a share as text with a blank before its sign, as in ``95 %``."""
    return f"{100 * share:.{digits}f} %"
