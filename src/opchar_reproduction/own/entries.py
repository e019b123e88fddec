"""The user's entries: reading, writing, and restoring them when they are refused."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from opchar.errors import OpcharError
from opchar.files import write_text
from opchar_reproduction.project.configuration.config import LISTS, OWN, read_yaml

FILE = Path("config/own.yaml")
HEAD = """# Yours: data sets, their analyses, protocols, extensions, publications, as 'opchar add'
# and 'opchar new' enter them.
# 'opchar run own/<data set>' runs its analyses; delete the entry to take it out.
"""
SETTINGS = Path("config/config.yaml")
TEMPLATES = Path(__file__).with_name("templates")


@contextmanager
def kept_unless(check: Callable[[], object]) -> Iterator[None]:
    """Restore the user's file and the settings when new entries are refused."""
    files = (FILE, SETTINGS)
    before = {file: file.read_text(encoding="utf-8") for file in files if file.exists()}
    try:
        yield
        check()
    except OpcharError:
        for file in files:
            if file in before:
                write_text(before[file], file)
            else:
                file.unlink(missing_ok=True)
        raise


def read_entries() -> dict[str, Any]:
    """Return the user's own entries by kind, empty where there are none."""
    found = read_yaml(FILE) or {} if FILE.exists() else {}
    entries = {kind: dict(found.get(kind) or {}) for kind in OWN}
    return entries | {kind: list(found.get(kind) or []) for kind in LISTS}


def write(user_entries: dict[str, Any]) -> None:
    """Write the user's entries; remove the file when there are none."""
    import yaml

    kept = {kind: entries for kind, entries in user_entries.items() if entries}
    if not kept:
        FILE.unlink(missing_ok=True)
        return
    write_text(HEAD + yaml.safe_dump(kept, sort_keys=False, allow_unicode=True, width=100), FILE)


def fill(template: str, **given: str) -> str:
    """Return the text of a template with what it names."""
    return (TEMPLATES / f"{template}.txt").read_text(encoding="utf-8").format(**given)
