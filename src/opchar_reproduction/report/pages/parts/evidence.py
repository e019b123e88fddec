"""Long reasons, printed once for each artefact."""

from collections.abc import Sequence
from typing import Any

LONG = 160
FIRST = 90


def condense_reasons(lines: Sequence[dict[Any, Any]]) -> list[dict[str, Any]]:
    """Move a reason that several values of an artefact share out of them."""
    holders: dict[str, list[int]] = {}
    for index, line in enumerate(lines):
        for part in dict.fromkeys(_parts(line["reason"])):
            if len(part) >= FIRST:
                holders.setdefault(part, []).append(index)
    shared = {part: indices for part, indices in holders.items() if len(indices) > 1}
    letters = {part: _letter(number) for number, part in enumerate(shared)}
    for line in lines:
        parts = _parts(line["reason"])
        line["told"] = "; ".join(part for part in parts if part not in shared)
        line["shared"] = [letters[part] for part in dict.fromkeys(parts) if part in shared]
    return [
        {"letter": letters[part], "text": part, "values": len(indices)}
        for part, indices in shared.items()
    ]


def _parts(reason: str) -> list[str]:
    return [part for part in reason.split("; ") if part]


def _letter(number: int) -> str:
    """Return A, B, ..., Z, AA, AB, ..."""
    first, last = divmod(number, 26)
    return (chr(64 + first) if first else "") + chr(65 + last)
