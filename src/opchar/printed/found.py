"""What `opchar check` found of a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from opchar.printed.averaged import IF_OF_ONE_CLASS
from opchar.printed.inference import Inference
from opchar.printed.protocol import Answer, Protocol
from opchar.printed.sizes import SharedSizes
from opchar.printed.stated import NOT_AVERAGED, stated_and_assumed
from opchar.printed.tables import Table
from opchar.printed.words import verdict

_OR_AVERAGED = "of one class; a row that is possible for averages over classes is not decided"


@dataclass(frozen=True)
class Found:
    """A table, its protocol with what of it was stated, and the answers."""

    table: Table
    protocol: Protocol
    stated: Mapping[str, Any]
    answers: dict[str, Answer]
    shared: SharedSizes
    inferred: Inference | None = None

    def stated_and_assumed(self) -> tuple[list[str], list[str]]:
        """Return what was stated and what is assumed, in words."""
        stated, assumed = stated_and_assumed(self.table, self.protocol, self.stated)
        if any(IF_OF_ONE_CLASS in answer.hints for answer in self.answers.values()):
            assumed = [line.replace(NOT_AVERAGED, _OR_AVERAGED) for line in assumed]
        return stated, assumed

    def as_json(self) -> dict[str, Any]:
        """Return everything that was found, for `json.dumps`."""
        answers = self.answers
        stated, assumed = self.stated_and_assumed()
        return {
            "verdict": verdict(self.table, answers, self.protocol),
            "stated": stated,
            "assumed": assumed,
            "protocol": asdict(self.protocol),
            "not checked": sorted({h for answer in answers.values() for h in answer.unchecked}),
            "taken": dict(self.table.taken),
            "units": dict(self.table.units),
            "rows": {label: asdict(answer) for label, answer in answers.items()},
            "sizes": asdict(self.shared),
            "inference": asdict(self.inferred) if self.inferred else None,
        }
