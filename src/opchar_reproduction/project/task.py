"""A job of the workflow, with all that makes it run again."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from opchar.files import write_text
from opchar_reproduction.project.checked import keep
from opchar_reproduction.project.closure import sources
from opchar_reproduction.project.configuration.model import pack_keys
from opchar_reproduction.project.libraries import versions

# Characters of one word of a command; the system refuses twice as many.
LONGEST = 60_000


@dataclass(frozen=True)
class Task:
    """One job of a run; the files that it reads stand by the option that names them."""

    rule: str
    name: str
    functions: tuple[str, ...]
    given: dict[str, Any]
    outputs: tuple[str, ...]
    read: Mapping[str, Sequence[str]] = field(default_factory=dict)
    unused: tuple[str, ...] = ()

    @property
    def inputs(self) -> list[str]:
        """The files that it reads of other jobs, or that are given."""
        return list(dict.fromkeys(file for files in self.read.values() for file in files))

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

    def words(self) -> list[str]:
        """Return the words of a command that name its dependencies and its arguments."""
        if "artefacts" in self.read:  # the pages, which are given the whole configuration
            return ["--job", str(self), "--artefacts", *self.read["artefacts"]]
        said = json.dumps(pack_keys(self.given), default=str, ensure_ascii=False)
        if len(said) > LONGEST:
            place = f".opchar/given/{sha256(said.encode()).hexdigest()[:16]}.json"
            write_text(said, place)
            said = f"@{place}"
        return ["--job", str(self), "--given", said]
