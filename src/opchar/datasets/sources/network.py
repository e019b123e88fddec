"""Whether the network is there: asked once a run, remembered for a while."""

from __future__ import annotations

import hashlib
import socket
import threading
import time
from pathlib import Path
from urllib.parse import urlsplit

LIFETIME = 600.0


class NetworkDownError(Exception):
    """A server that cannot be reached; the message is a phrase for people."""


def check_reachable(
    url: str, *, timeout: float, state: Path, shared: bool, lifetime: float = LIFETIME
) -> None:
    """Raise `NetworkDownError` unless the server of `url` answers, and remember that it did not."""
    host, port = _peer(url)
    marker = _marker(url, state, shared)
    try:
        if 0 <= time.time() - marker.stat().st_mtime < lifetime:
            raise NetworkDownError(f"no network ({marker.read_text(encoding='utf-8').strip()})")
    except FileNotFoundError:
        pass
    reason = _fault(host, port, timeout)
    if reason is None:
        marker.unlink(missing_ok=True)
        return
    note_unreachable(url, reason, state=state, shared=shared)
    raise NetworkDownError(f"no network ({host} {reason})")


def note_unreachable(url: str, reason: str, *, state: Path, shared: bool) -> None:
    """Remember for the rest of the run that the server of `url` cannot be reached."""
    state.mkdir(parents=True, exist_ok=True)
    _marker(url, state, shared).write_text(f"{_peer(url)[0]} {reason}\n", encoding="utf-8")


def forget_unreachable(state: Path) -> None:
    """Remove the markers: to be called once when a run starts."""
    for marker in state.glob(".*-down"):
        marker.unlink(missing_ok=True)


def _marker(url: str, state: Path, shared: bool) -> Path:
    host, port = _peer(url)
    server = hashlib.sha256(f"{host}:{port}".encode()).hexdigest()[:12]
    return state / f".{'network' if shared else server}-down"


def _peer(url: str) -> tuple[str, int]:
    """Return host and port of the first machine that a request for `url` talks to."""
    from requests.utils import get_environ_proxies, select_proxy

    address = urlsplit(select_proxy(url, get_environ_proxies(url)) or url)
    return address.hostname or "", address.port or (443 if address.scheme == "https" else 80)


def _fault(host: str, port: int, timeout: float) -> str | None:
    """Return why `host` does not answer within `timeout`, or None; a name lookup counts too."""
    outcome: list[str | None] = []

    def connect() -> None:
        try:
            socket.create_connection((host, port), timeout=timeout).close()
            outcome.append(None)
        except OSError as error:
            outcome.append(f"cannot be reached: {error.strerror or error}")

    waiting = threading.Thread(target=connect, daemon=True)
    waiting.start()
    waiting.join(timeout)
    return outcome[0] if outcome else f"does not answer within {timeout:g} s"
