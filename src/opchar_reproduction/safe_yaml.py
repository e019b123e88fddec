"""YAML of a person's own, read so that no text of it can harm or hang the reader."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from opchar.errors import ConfigError

# Bytes, nested mappings and lists, and values after all aliases are written out.
LARGEST, DEEPEST, MOST = 10_000_000, 50, 1_000_000
LONGEST_NUMBER = 400
NUMBER = re.compile(r"[-+.:\w]+").fullmatch
# YAML reads 017 as 15 and 1:30 as 90.
OTHER_BASE = re.compile(r"[-+]?(0[0-9_]+|[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?)").fullmatch
BROKEN = "not YAML: "


def read_yaml(path: Path) -> Any:
    """Read a YAML file with plain values: mappings, lists, texts, numbers, dates."""
    import yaml

    text = _text(path)
    try:
        reader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        _measure(yaml.parse(text, Loader=reader), path)
        loader = reader(text)
        root = loader.get_single_node()
        _refuse_doubles(root, path)
        return None if root is None else loader.construct_document(root)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f" line {mark.line + 1}:" if mark else ""
        reason = getattr(error, "problem", None) or str(error).splitlines()[0]
        raise ConfigError(f"{path}:{line} {BROKEN}{reason}") from None
    except (ValueError, TypeError, KeyError, OverflowError, AttributeError) as error:
        raise ConfigError(f"{path}: {BROKEN}a value is not what its tag says: {error}") from None


def _text(path: Path) -> str:
    try:
        if path.exists() and not path.is_file():
            raise ConfigError(f"{path}: not a file; remove it")
        if path.stat().st_size > LARGEST:
            raise ConfigError(
                f"{path}: more than {LARGEST // 10**6} MB; no configuration is so long"
            )
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        if path.is_symlink():
            raise ConfigError(f"{path}: a link to nothing; mend or remove it") from None
        raise ConfigError(f"{path}: not found; run from the folder of the project") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: not UTF-8 text") from None


def _measure(events: Iterable[Any], path: Path) -> None:
    """Refuse what would be too deep or, with its aliases written out, too large to read.

    Events come one by one and nest nothing, however the text does.
    """
    sizes: dict[str, int] = {}
    inside: list[tuple[str | None, int]] = []
    count = 0
    for event in events:
        kind, line = type(event).__name__, event.start_mark.line + 1
        anchor = getattr(event, "anchor", None)
        if kind == "AliasEvent":
            if anchor in [name for name, _ in inside]:
                raise ConfigError(f"{path}: line {line}: '*{anchor}' contains itself")
            count += sizes.get(str(anchor), 0)
        elif kind in ("MappingStartEvent", "SequenceStartEvent"):
            inside.append((anchor, count))
            count += 1
        elif kind in ("MappingEndEvent", "SequenceEndEvent"):
            name, before = inside.pop()
            if name is not None:
                sizes[name] = count - before
        elif kind == "ScalarEvent":
            count += 1
            if anchor is not None:
                sizes[anchor] = 1
            if event.implicit[0] and len(event.value) > LONGEST_NUMBER and NUMBER(event.value):
                raise ConfigError(f"{path}: line {line}: a number of {len(event.value)} digits")
            if event.implicit[0] and OTHER_BASE(event.value):
                raise ConfigError(
                    f"{path}: line {line}: YAML takes {event.value} for another number; write it "
                    "without 0 in front or ':', or in quotes if it is a text"
                )
        if len(inside) > DEEPEST:
            raise ConfigError(f"{path}: line {line}: nested more than {DEEPEST} deep")
        if count > MOST:
            raise ConfigError(f"{path}: line {line}: aliases make it more than {MOST} values long")


def _refuse_doubles(root: Any, path: Path) -> None:
    """Refuse a key that stands twice in one mapping, where YAML lets the last one win.

    A key with white space at an end is refused, too: nobody sees that it is another name.
    """
    waiting, seen = [root], set()
    while waiting:
        node = waiting.pop()
        if id(node) in seen or not isinstance(getattr(node, "value", None), list):
            continue
        seen.add(id(node))
        keys: dict[str, int] = {}
        for part in node.value:
            pair = part if isinstance(part, tuple) else (part,)
            waiting.extend(pair)
            if len(pair) == 2 and isinstance(pair[0].value, str) and pair[0].value != "<<":
                key, line = pair[0].value, pair[0].start_mark.line + 1
                if key != key.strip():
                    raise ConfigError(f"{path}: line {line}: {key!r}: white space at its end")
                first = keys.setdefault(key, line)
                if first != line:
                    raise ConfigError(
                        f"{path}: line {line}: '{key}' is there already, on line {first}"
                    )
