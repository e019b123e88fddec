"""Numbers as people type them: what Python alone reads as one, such as ``1_0``, is none."""

from __future__ import annotations

import argparse


def typed_number(text: str) -> float:
    """Return the number that a text is.

    Parameters
    ----------
    text : str
        As typed on a command line, or a cell of a table.

    Returns
    -------
    float
        NaN and infinity among others.

    Raises
    ------
    argparse.ArgumentTypeError
        If it is no number, or is one to Python only: with underscores or other digits than 0 to 9.

    Examples
    --------
    >>> typed_number("1e3")
    1000.0
    """
    try:
        if "_" in text or not text.strip().isascii():
            raise ValueError
        return float(text)
    except ValueError:
        share = text.removesuffix("%")
        percent = share != text and is_number(share)
        hint = f"; write {typed_number(share) / 100:g}" if percent else ""
        raise argparse.ArgumentTypeError(f"'{text}' is not a number{hint}") from None


def typed_whole(text: str) -> int:
    """Return the whole number that a text is.

    Parameters
    ----------
    text : str
        As typed on a command line.

    Returns
    -------
    int
        Of any sign.

    Raises
    ------
    argparse.ArgumentTypeError
        If it is no whole number, or is one to Python only: with underscores or other digits than 0
        to 9.

    Examples
    --------
    >>> typed_whole("-3")
    -3
    """
    try:
        if "_" in text or not text.strip().isascii():
            raise ValueError
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number") from None


def is_number(text: str) -> bool:
    """Tell whether a text is a number as people type it.

    Parameters
    ----------
    text : str
        Such as a cell of a table.

    Returns
    -------
    bool
        True for NaN and infinity, too.

    Examples
    --------
    >>> is_number("0.5"), is_number("1_0"), is_number("a")
    (True, False, False)
    """
    try:
        typed_number(text)
    except argparse.ArgumentTypeError:
        return False
    return True
