"""What pages of scores, of checked tables and of the report share."""

from importlib.resources import files


def shared_text(name: str) -> str:
    """Return the text of a shared style sheet or script."""
    return (files("opchar.pages") / name).read_text(encoding="utf-8")
