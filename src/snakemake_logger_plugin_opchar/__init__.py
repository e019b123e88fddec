"""What Snakemake does, as events that a program can read: one JSON object per line.

``snakemake --logger opchar --logger-opchar-events FILE`` writes them, beside what Snakemake says to
people. `opchar run` reads them to show progress; nothing reads Snakemake's human log.
"""

import json
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from logging import LogRecord
from pathlib import Path
from typing import Any, Optional

from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.settings import LogHandlerSettingsBase

JOB = ("jobid", "rule_name", "wildcards", "reason", "log", "output")


@dataclass
class LogHandlerSettings(LogHandlerSettingsBase):
    """Options of the plugin on Snakemake's command line."""

    events: Optional[Path] = field(  # noqa: UP045  Snakemake reads the type
        default=None,
        metadata={"help": "File, or pipe, that events are written to.", "required": True},
    )


class LogHandler(LogHandlerBase):
    """Writes events as they come, and also what people are spared."""

    # Snakemake goes on speaking to people itself.
    writes_to_stream = needs_rulegraph = False
    writes_to_file = has_filter = has_formatter = True

    def __post_init__(self) -> None:
        """Open the file of the events."""
        settings: Any = self.settings
        self._file = Path(settings.events).open("a", encoding="utf-8")  # noqa: SIM115

    @property
    def baseFilename(self) -> str:  # noqa: N802
        """Where Snakemake says that the events are."""
        return self._file.name

    def emit(self, record: LogRecord) -> None:
        """Write an event as one line; other messages only if they are errors.

        When the reader is gone nobody misses it.
        """
        event = getattr(record, "event", None)
        if event is None and record.levelname not in ("ERROR", "CRITICAL"):
            return
        said = _event(str(event) if event else "message", record)
        if said:
            with suppress(BrokenPipeError):
                self._file.write(json.dumps(said, default=str) + "\n")
                self._file.flush()

    def close(self) -> None:
        """Close the file, and let Snakemake end at once.

        It waits for the timers that its limit of jobs in a time span has started, and which would
        make it look for jobs again (`opchar_reproduction.runs.running.LOOKS`).
        """
        for thread in threading.enumerate():
            if isinstance(thread, threading.Timer):
                thread.cancel()
        with suppress(BrokenPipeError):
            self._file.close()
        super().close()


def _event(event: str, record: LogRecord) -> dict[str, Any] | None:
    """Return what an event says, or None for those that nobody asks for."""
    match event:
        case "job_info" | "job_error":
            found = {key: getattr(record, key, None) for key in JOB}
            return {"event": event} | found
        case "job_started":
            return {"event": event, "jobs": list(record.jobs)}  # type: ignore[attr-defined]
        case "job_finished":
            return {"event": event, "jobid": record.job_id}  # type: ignore[attr-defined]
        case "run_info":
            return {"event": event, "stats": record.stats}  # type: ignore[attr-defined]
        case "error" | "message":
            name = getattr(record, "exception", "")
            return {"event": "error", "exception": name, "message": record.getMessage()}
    return None
