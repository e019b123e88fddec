"""A job of the workflow, with all that makes it run again."""

import json
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from opchar_reproduction.project.checked import keep
from opchar_reproduction.project.closure import sources
from opchar_reproduction.project.configuration.model import pack_keys
from opchar_reproduction.project.libraries import versions


@dataclass(frozen=True)
class Task:
    """One job of a run."""

    rule: str
    name: str
    functions: tuple[str, ...]
    given: dict[str, Any]
    outputs: tuple[str, ...]
    inputs: tuple[str, ...] = ()
    unused: tuple[str, ...] = ()

    @property
    def job_name(self) -> str:
        """The name of its job in a run."""
        return f"{self.rule.replace('_', ' ')} {self.name}".strip()

    def __str__(self) -> str:
        """Return the parameter that makes a rule run again when it changes."""
        return "; ".join(f"{key} {value}" for key, value in self.parts().items())

    def parts(self) -> dict[str, str]:
        """Return the hashes of its code and configuration, and the versions of its libraries."""
        text = json.dumps(pack_keys(self.given), default=str)
        code = sources().code_hash(*self.functions)
        keep(code, sources().closure(*self.functions))
        libraries = versions(sources().outside(*self.functions), self.unused).items()
        return {
            "code": code,
            "libraries": ", ".join(f"{name} {version}" for name, version in libraries) or "none",
            "configuration": sha256(text.encode()).hexdigest()[:16],
        }
