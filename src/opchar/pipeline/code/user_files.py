"""Code in files of a user's own, named as ``"file.py:name"``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from opchar.errors import ConfigError, nearest
from opchar.pipeline.code.syntax import Definition, summary

FILE = re.compile(r"^[\w./-]+\.[a-z0-9]+$")


def is_file(reference: str) -> bool:
    """Whether a reference is ``"file.py:name"``, a function of a user's own."""
    return reference.split(":")[0].endswith(".py")


def definition_in_file(reference: str) -> Definition:
    """Return the definition that a reference to a user's file names."""
    file, _, name = reference.partition(":")
    if not Path(file).is_file():
        raise ConfigError(f"'{reference}': no file '{file}'; give a path from the project's folder")
    try:
        definitions = summary(file, Path(file)).definitions
    except SyntaxError as error:
        raise ConfigError(f"{file}: line {error.lineno}: not Python: {error.msg}") from None
    if name not in definitions:
        raise ConfigError(f"'{file}' has no function '{name}'{nearest(name, list(definitions))}")
    return definitions[name]


def parts_of_file(file: str) -> list[Definition]:
    """Return all that a user's file defines and does; none where there is no such file."""
    module = summary(file, Path(file))
    itself = file.split(".")[0]
    return [
        replace(part, libraries=tuple(name for name in part.libraries if name != itself))
        for part in (module.effects, *module.definitions.values())
    ]


def named_files(parts: Iterable[Definition], *folders: Path) -> list[Path]:
    """Return the files of some folders that code names, such as tables that it reads."""
    texts = sorted({text for part in parts for text in part.written if FILE.search(text)})
    paths = dict.fromkeys((folder / text).resolve() for folder in folders for text in texts)
    made = Path("results").resolve(), Path("data").resolve()
    return [
        path
        for path in paths
        if path.is_file() and not any(path.is_relative_to(each) for each in made)
    ]


def digest_of(file: Path) -> str:
    """Return the hash of the bytes of a file."""
    return sha256(file.read_bytes()).hexdigest()


def refuse_neighbours(file: str) -> None:
    """Refuse what a user's file imports from a folder of theirs: its changes would not be seen."""
    for part in parts_of_file(file):
        for name in part.libraries:
            for folder in (Path(), Path(file).parent):
                if (folder / f"{name}.py").is_file() or (folder / name / "__init__.py").is_file():
                    raise ConfigError(
                        f"{file}: imports '{name}' from {folder.resolve()}: its changes would not "
                        "be seen; put it into this file, or install it"
                    )
