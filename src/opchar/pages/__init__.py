"""What pages of scores, of checked tables and of the report share."""

import os
import time
from pathlib import Path

from opchar.errors import DataError


def shared_text(name: str) -> str:
    """Return the text of a shared style sheet or script."""
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def day_made() -> str:
    """Return the day (UTC) on top of a page; ``SOURCE_DATE_EPOCH`` sets it, for equal bytes."""
    text = os.environ.get("SOURCE_DATE_EPOCH")
    try:
        seconds = time.time() if text is None else int(text)
        return time.strftime("%Y-%m-%d", time.gmtime(seconds))
    except (ValueError, OverflowError, OSError) as error:
        raise DataError(f"SOURCE_DATE_EPOCH: '{text}' is no whole number of seconds") from error
