"""A folder of a user's own, which uses the workflow as a module."""

import shutil
from pathlib import Path

from opchar.errors import ConfigError
from opchar.files import write_text
from opchar_reproduction.own.entries import FILE, TEMPLATES, fill, read_entries, write
from opchar_reproduction.publication import file, refuse_key, refuse_path
from opchar_reproduction.report.comparison.expected_verdicts import COLUMNS as EXPECTED
from opchar_reproduction.report.comparison.published_values import (
    APART,
    CATALOGUE,
    CAUSES,
    ERRATA,
    LEADS,
    LINES,
)

HEADS = {
    "values": LINES,
    "errata": ERRATA,
    "leads": LEADS,
    "causes": CAUSES,
    "apart": APART,
    "expected": EXPECTED,
    "catalogue": CATALOGUE,
}


def new_publication(folder_text: str) -> list[str]:
    """Lay out the folder of a publication, without a line or a study, and list it."""
    folder, user_entries = Path(folder_text), read_entries()
    refuse_path(folder_text, folder_text)
    refuse_key(folder.name, {Path(each).name for each in user_entries["publications"]}, folder_text)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ConfigError(f"{folder}: there is something; give a new folder")
    write_text(fill("about", key=folder.name), file(folder, "about"))
    for name, columns in HEADS.items():
        write_text(",".join(columns) + "\n", file(folder, name))
    user_entries["publications"].append(folder_text)
    write(user_entries)
    return [
        f"laid out: {folder}; say in about.yaml what it is, enter what it prints in values.csv",
        f"written: {FILE}; its studies go to {folder}/<section>/<study>.py",
    ]


def new_project(folder: Path, home: Path) -> list[str]:
    """Lay out a folder that uses the workflow of the project as a module."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ConfigError(f"{folder}: there is something; give a new folder")
    settings = (home / "config/config.yaml").read_text(encoding="utf-8")
    settings = settings.replace("extensions: []", "extensions: [mine.py]")
    write_text(fill("Snakefile", home=home.resolve().as_posix()), folder / "Snakefile")
    write_text(settings, folder / "config/config.yaml")
    write_text(fill("README", name=folder.name), folder / "README.md")
    shutil.copyfile(TEMPLATES / "mine.txt", folder / "mine.py")
    shutil.copytree(home / "workflow/profiles", folder / "profiles")
    return [f"laid out: {folder}; its README.md says how to go on"]
