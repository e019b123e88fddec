"""Downloads with resuming, retries and a time limit; a failure has one reason."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

import pooch
import requests

from opchar.datasets.sources.network import NetworkDownError, check_reachable, note_unreachable

RETRIED = {408, 425, 429, 500, 502, 503, 504}
LARGE = 2_000_000
# What another attempt cannot mend.
_FINAL: dict[type[Exception], str] = {
    requests.exceptions.SSLError: "its certificate or encryption is not right",
    requests.TooManyRedirects: "it redirects for ever",
}


class DownloadError(Exception):
    """A download that did not work; the message is a phrase for people."""


class NoConnectionError(DownloadError):
    """A server to which no connection could be made."""


@dataclass
class Downloader:
    """What `pooch.retrieve` calls to download: resumes, retries, and gives up in time."""

    limit: int
    connect_timeout: float = 5.0
    read_timeout: float = 20.0
    patience: float = 30.0
    slowest: float = 2048.0
    attempts: int = 4
    backoff: float = 0.5
    progress: bool = False
    sleep: Callable[[float], None] = field(default=time.sleep)

    def __call__(self, url: str, output_file: Any, _pooch: Any) -> None:
        """Download `url` into `output_file`, or raise `DownloadError`."""
        path = Path(output_file)
        path.unlink(missing_ok=True)
        reason = ""
        for attempt in range(self.attempts):
            if attempt:
                self.sleep(self.backoff * 2 ** (attempt - 1))
            reason = self._attempt(url, path)
            if not reason:
                return
        raise DownloadError(f"{reason}, {self.attempts} times")

    def _attempt(self, url: str, path: Path) -> str:
        """Try once; return why it should be tried again, or an empty string when done."""
        have = path.stat().st_size if path.exists() else 0
        headers = {"Accept-Encoding": "identity"}
        if have:
            headers["Range"] = f"bytes={have}-"
        try:
            with self._request(url, headers) as response:
                if response.status_code == 416:
                    path.unlink()
                    return "the server could not resume"
                if response.status_code in RETRIED:
                    return f"HTTP {response.status_code}"
                if not response.ok:
                    raise DownloadError(f"HTTP {response.status_code}")
                resumed = response.status_code == 206
                self._receive(response, path, have if resumed else 0)
        except (requests.ConnectTimeout, requests.exceptions.ProxyError) as error:
            raise NoConnectionError(f"cannot be reached ({type(error).__name__})") from None
        except (requests.exceptions.SSLError, requests.TooManyRedirects) as error:
            raise DownloadError(_FINAL[type(error)]) from None
        except (requests.RequestException, OSError, ValueError) as error:
            return f"the connection broke ({type(error).__name__})"
        except Exception as error:
            if type(error).__module__.startswith("urllib3"):
                return f"the connection broke ({type(error).__name__})"
            raise
        return ""

    def _request(self, url: str, headers: dict[str, str]) -> requests.Response:
        """Return the answer to a request once its head has come, or give up.

        The time limits of sockets are for single reads: a server that sends its head letter by
        letter would hold a download for days. A request that is given up ends with the process.
        """
        found: Queue[requests.Response | BaseException] = Queue()
        timeout = (self.connect_timeout, self.read_timeout)

        def ask() -> None:
            try:
                found.put(requests.get(url, headers=headers, stream=True, timeout=timeout))
            except BaseException as error:
                found.put(error)

        Thread(target=ask, daemon=True).start()
        try:
            answer = found.get(timeout=self.connect_timeout + self.read_timeout + self.patience)
        except Empty:
            raise DownloadError("too slow") from None
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def _receive(self, response: requests.Response, path: Path, have: int) -> None:
        """Append the body to the first `have` bytes of `path`, within all limits."""
        start = time.monotonic()
        length = response.headers.get("Content-Length", "")
        announced = int(length) if length.isdecimal() else 0
        bar = _bar(path.name, have + announced) if self.progress else None
        received = have
        try:
            with path.open("r+b" if have else "wb") as sink:
                sink.seek(have)
                sink.truncate()
                while block := response.raw.read1(65536):
                    received += len(block)
                    if received > self.limit:
                        raise DownloadError(f"more than {self.limit} bytes")
                    sink.write(block)
                    if bar is not None:
                        bar.update(len(block))
                    lasted = time.monotonic() - start
                    if lasted > self.patience and (received - have) / lasted < self.slowest:
                        raise DownloadError("too slow")
        finally:
            if bar is not None:
                bar.close()
        if announced and received - have < announced:
            raise requests.ConnectionError("the body ended early")


def _bar(name: str, total: int) -> Any:
    """Return a progress bar for a large file, else None."""
    if total < LARGE:
        return None
    from tqdm import tqdm

    return tqdm(total=total, unit="B", unit_scale=True, desc=name, leave=False)


def download(url: str, path: Path, *, downloader: Downloader, state: Path, shared: bool) -> None:
    """Download one file with pooch; its bytes are for the caller to check."""
    if urlsplit(url).scheme not in {"http", "https"}:
        raise DownloadError("not an http address")
    try:
        check_reachable(url, timeout=downloader.connect_timeout, state=state, shared=shared)
    except NetworkDownError as down:
        raise DownloadError(str(down)) from None
    pooch.get_logger().setLevel("ERROR")
    try:
        pooch.retrieve(url, None, fname=path.name, path=path.parent, downloader=downloader)
    except NoConnectionError as error:
        note_unreachable(url, str(error), state=state, shared=shared)
        raise
