"""What pages of scores, of checked tables and of the report share."""

import os
import time
from importlib.resources import files

from opchar import __version__


def shared_text(name: str) -> str:
    """Return the text of a shared style sheet or script."""
    return (files("opchar.pages") / name).read_text(encoding="utf-8")


def made_by() -> str:
    """Return version and day (UTC); ``SOURCE_DATE_EPOCH`` sets the day, for equal bytes."""
    seconds = float(os.environ.get("SOURCE_DATE_EPOCH") or time.time())
    day = time.strftime("%Y-%m-%d", time.gmtime(seconds))
    return f"OpChar {__version__}, {day}"
