"""Numbers as people type them: what Python alone reads as one, such as ``1_0``, is none."""

from __future__ import annotations

import argparse


def typed_number(text: str) -> float:
    """Return the number that a text is."""
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
    """Return the whole number that a text is."""
    try:
        if "_" in text or not text.strip().isascii():
            raise ValueError
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number") from None


def is_number(text: str) -> bool:
    """Tell whether a text is a number as people type it."""
    try:
        typed_number(text)
    except argparse.ArgumentTypeError:
        return False
    return True
