"""Checks of configuration entries by their JSON schemas, with faults in one line."""

import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from opchar.errors import ConfigError, nearest

LONGEST = 150
# What messages call the types of a schema.
TYPES = {
    "object": "a mapping",
    "array": "a list",
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "null": "nothing",
}


def against_schema(
    value: Any, root: Path, schema: str, file: str, places: Mapping[str, str] = MappingProxyType({})
) -> None:
    """Raise ConfigError, in one line with its place, where entries break the rules of a schema."""
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match
    from jsonschema.validators import extend

    if wrong := _key_that_is_no_text(value):
        place = f" of '{wrong[0]}'" if wrong[0] else ""
        raise ConfigError(f"config/{file}: the key {wrong[1]!r}{place} is no text; quote it")
    rules = json.loads((root / f"config/schemas/{schema}.schema.json").read_text(encoding="utf-8"))
    # JSON takes 1.0 for a whole number; what asks for one does not.
    types = Draft202012Validator.TYPE_CHECKER.redefine(
        "integer", lambda _, found: isinstance(found, int) and not isinstance(found, bool)
    )
    validator = extend(Draft202012Validator, type_checker=types)
    error = best_match(validator(rules).iter_errors(value))
    if error is None:
        return
    place = ".".join(map(str, error.absolute_path))
    where = places.get(str(next(iter(error.absolute_path), "")), f"config/{file}")
    raise ConfigError(f"{where}: {place + ': ' if place else ''}{_message(error)}")


def _message(error: Any) -> str:
    """Return what is wrong in words of at most a line, without the entry itself."""
    if error.validator == "additionalProperties":
        allowed = sorted(error.schema.get("properties", {}))
        wrong = [key for key in error.instance if key not in allowed]
        return f"unknown key '{wrong[0]}'{nearest(str(wrong[0]), allowed)}"
    if error.validator == "enum":
        allowed = [str(choice) for choice in error.validator_value]
        hint = nearest(str(error.instance), allowed)
        return f"{_in_words(error.instance)} is none of {', '.join(allowed)}{hint}"
    if error.validator == "type":
        wanted = error.validator_value
        names = [TYPES[name] for name in ([wanted] if isinstance(wanted, str) else wanted)]
        return f"{_in_words(error.instance)} is not {' or '.join(names)}"
    if error.validator == "uniqueItems":
        twice = next(one for n, one in enumerate(error.instance) if one in error.instance[:n])
        return f"{_in_words(twice)} stands there twice"
    if error.validator == "minProperties":
        least = error.validator_value
        return f"has {len(error.instance)} entries, and needs {least} or more"
    if error.validator == "required":
        missing = next(name for name in error.validator_value if name not in error.instance)
        return f"needs '{missing}'"
    if error.validator in ("oneOf", "anyOf"):
        kinds = [sorted(part.get("required", [])) for part in error.validator_value]
        given = set(error.instance) if isinstance(error.instance, dict) else set()
        missing = min((sorted(set(kind) - given) for kind in kinds), key=len, default=[])
        if missing:
            return f"needs {', '.join(repr(name) for name in missing)}"
        return "does not fit any of the kinds of entry that the schema knows"
    if error.validator == "pattern" and "description" in error.schema:
        return f"{_in_words(error.instance)} is not {error.schema['description']}"
    if len(error.message) > LONGEST:
        return f"{str(error.instance)[:40]}...: breaks the rule '{error.validator}' of its schema"
    return str(error.message)


def _in_words(value: Any) -> str:
    """Return an entry as a reader of the file knows it, shortened."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return f"{str(value).lower()} (quote no, off, yes and on to have a text)"
    shown = f"'{value}'" if isinstance(value, str) else str(value)
    return shown if len(shown) <= LONGEST // 2 else f"{shown[:40]}..."


def _key_that_is_no_text(value: Any, place: str = "") -> tuple[str, Any] | None:
    """Return where a mapping has a key other than a text, and that key.

    Below ``parameters``, ``profiles``, ``options`` and the ``values`` and ``with`` of variants the
    functions themselves say what they take.
    """
    if isinstance(value, list):
        found = (_key_that_is_no_text(part, place) for part in value)
        return next((wrong for wrong in found if wrong), None)
    if not isinstance(value, dict):
        return None
    for key, part in value.items():
        if not isinstance(key, str):
            return place, key
        if key not in ("parameters", "profiles", "options", "values", "with"):
            inside = _key_that_is_no_text(part, f"{place}.{key}".strip("."))
            if inside:
                return inside
    return None
