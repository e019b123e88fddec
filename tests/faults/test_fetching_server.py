"""A local HTTP server plays the official site and the mirror, well and badly."""

import hashlib
import io
import socket
import threading
import time
import zipfile
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from opchar.datasets.inventory import require_real, states, verify
from opchar.datasets.sources.fetching import fetch
from opchar.errors import ConfigError, DataError
from opchar.files import read_json

RIGHT = b"".join(b"%d,%d,%s\n" % (i, i * i % 7, b"ab"[i % 2 : i % 2 + 1]) for i in range(400))
# A loaded machine is slow, not wrong: no limit is near but where a test is about it.
PATIENT = {"connect_timeout": 600.0, "read_timeout": 600.0, "patience": 600.0, "backoff": 0.01}
Answer = Callable[[BaseHTTPRequestHandler, int], None]


class Site:
    """Answers by path; `asked` holds every request with its Range header."""

    def __init__(self) -> None:
        self.answers: dict[str, Answer] = {}
        self.asked: list[tuple[str, str | None]] = []
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site.asked.append((self.path, self.headers.get("Range")))
                count = sum(path == self.path for path, _ in site.asked)
                answer = site.answers.get(self.path, status(404))
                with suppress(BrokenPipeError, ConnectionResetError):
                    answer(self, count)

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"


def give(
    handler: BaseHTTPRequestHandler, body: bytes, code: int = 200, length: int | None = None
) -> None:
    handler.send_response(code)
    handler.send_header("Content-Length", str(len(body) if length is None else length))
    handler.end_headers()
    handler.wfile.write(body)


def whole(body: bytes) -> Answer:
    return lambda handler, _: give(handler, body)


def status(code: int) -> Answer:
    return lambda handler, _: give(handler, b"sorry", code)


def zipped(members: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in members.items():
            archive.writestr(name, body)
    return stream.getvalue()


def entry(url: str | None = None, *, archive: bool = False) -> dict:
    made = {
        "title": "Toy",
        "files": {"toy.data": {"size": len(RIGHT), "sha256": hashlib.sha256(RIGHT).hexdigest()}},
        "licence": "none",
        "citation": "nobody",
        "page": "https://example.org/toy",
        "reader": "opchar.datasets.readers:uci_table",
        "shape": [400, 2],
        "classes": {"a": 200, "b": 200},
        "stand_in": {
            "generator": "opchar.datasets.standins:gaussian_mixtures",
            "options": {"error": 0.1},
        },
    }
    if url:
        made["official"] = {"url": url, "archive": archive}
    return made


def get(made: dict, folder: Path, policy: str = "real", **options: object) -> dict:
    options = {"mirrors": [], "user_folders": {}, "timing": PATIENT} | options
    return fetch("toy", made, policy=policy, folder=folder, **options)


def left_over(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder.parent)) for path in folder.parent.rglob("*"))


RAW = ["toy", "toy/PROVENANCE.json", "toy/toy.data"]


def assert_right(folder: Path) -> None:
    assert (folder / "toy.data").read_bytes() == RIGHT
    assert left_over(folder) == RAW
    assert read_json(folder / "PROVENANCE.json")["files"] == {
        "toy.data": hashlib.sha256(RIGHT).hexdigest()
    }


def assert_refused(made: dict, folder: Path, reason: str, **timing: float) -> None:
    """Policy real: one line with the reason and the cure; policy auto: a clean stand-in."""
    options = {"timing": PATIENT | timing}
    with pytest.raises(DataError) as error:
        get(made, folder, **options)
    line = str(error.value)
    assert reason in line
    assert "OPCHAR_MIRROR" in line and "\n" not in line
    assert left_over(folder) == []
    provenance = get(made, folder, "auto", **options)
    assert provenance["source"] == "stand-in" and reason in provenance["passed_over"][0]["reason"]
    assert left_over(folder) == ["toy", "toy/PROVENANCE.json"]


def test_right_file(site: Site, folder: Path) -> None:
    site.answers["/toy.data"] = whole(RIGHT)
    provenance = get(entry(f"{site.url}/toy.data"), folder)
    assert_right(folder)
    assert provenance["source"] == "official address" and provenance["stand_in"] is None
    assert provenance["licence"] == "none" and provenance["citation"] == "nobody"
    assert [item.fault for item in verify({"toy": entry()}, raw_root=folder.parent)] == [None]


def test_right_archive_with_the_file_in_a_folder(site: Site, folder: Path) -> None:
    site.answers["/toy.zip"] = whole(zipped({"README": b"hello", "deep/toy.data": RIGHT}))
    get(entry(f"{site.url}/toy.zip", archive=True), folder)
    assert_right(folder)


def test_what_is_there_is_kept_and_not_asked_for_again(site: Site, folder: Path) -> None:
    site.answers["/toy.data"] = whole(RIGHT)
    first = get(entry(f"{site.url}/toy.data"), folder)
    assert get(entry(f"{site.url}/toy.data"), folder) == first
    (folder / "PROVENANCE.json").unlink()
    assert get(entry(f"{site.url}/toy.data"), folder)["source"] == "kept"
    assert len(site.asked) == 1
    assert_right(folder)


ZIP = zipped({"toy.data": RIGHT})
# What a server answers, where the set is looked for, and what is said.
WRONG: dict[str, tuple[Answer, bool, str]] = {
    "hash": (whole(RIGHT[:-2] + b"x\n"), False, "wrong checksum"),
    "hash in the archive": (
        whole(zipped({"toy.data": RIGHT[:-2] + b"x\n"})),
        True,
        "'toy.data' in the archive is wrong (wrong checksum)",
    ),
    "file": (whole(zipped({"other.data": RIGHT})), True, "'toy.data' is not in the archive"),
    "length": (whole(RIGHT[:100]), False, f"100 bytes of {len(RIGHT)}"),
    "end": (
        lambda handler, _: give(handler, RIGHT[:100], length=len(RIGHT)),
        False,
        "the connection broke",
    ),
    "end of the archive": (whole(ZIP[:-40]), True, "a broken zip archive"),
    "member": (whole(ZIP[:60] + bytes(30) + ZIP[90:]), True, "a broken zip archive"),
    "size": (
        whole(zipped({"toy.data": bytes(30_000_000)})),
        True,
        f"'toy.data' unpacks to more than {len(RIGHT)} bytes",
    ),
    "page": (whole(b"<!DOCTYPE html><html>We are down</html>"), False, "a web page, not data"),
    "page for an archive": (
        whole(b"<!DOCTYPE html><html>We are down</html>"),
        True,
        "a web page, not a zip archive",
    ),
    "status": (status(500), False, "HTTP 500, 4 times"),
    **{
        f"place {evil}": (whole(zipped({evil: b"x", "toy.data": RIGHT})), True, "unsafe member")
        for evil in ("../evil", "a/../../evil", "/etc/evil", "..\\evil", "C:/evil")
    },
}


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_answer_is_refused_with_its_reason(site: Site, folder: Path, what: str) -> None:
    site.answers["/toy"], archive, reason = WRONG[what]
    assert_refused(entry(f"{site.url}/toy", archive=archive), folder, reason)


@pytest.mark.parametrize("again", ["goes on", "starts anew", "refuses ranges"])
def test_a_dropped_connection_is_taken_up_again(site: Site, folder: Path, again: str) -> None:
    def answer(handler: BaseHTTPRequestHandler, count: int) -> None:
        if count == 1:
            give(handler, RIGHT[:1000], length=len(RIGHT))
        elif again == "goes on":
            give(handler, RIGHT[1000:], 206)
        elif again == "refuses ranges" and handler.headers["Range"]:
            give(handler, b"", 416)
        else:
            give(handler, RIGHT)

    site.answers["/toy.data"] = answer
    get(entry(f"{site.url}/toy.data"), folder)
    assert_right(folder)
    assert site.asked[:2] == [("/toy.data", None), ("/toy.data", "bytes=1000-")]
    assert len(site.asked) == (3 if again == "refuses ranges" else 2)


def test_404_is_not_asked_twice(site: Site, folder: Path) -> None:
    with pytest.raises(DataError, match="HTTP 404"):
        get(entry(f"{site.url}/toy.data"), folder)
    assert len(site.asked) == 1
    assert_refused(entry(f"{site.url}/toy.data"), folder, "HTTP 404")


def test_500_twice_then_right(site: Site, folder: Path) -> None:
    site.answers["/toy.data"] = lambda handler, count: (
        give(handler, b"oops", 500) if count < 3 else give(handler, RIGHT)
    )
    get(entry(f"{site.url}/toy.data"), folder)
    assert_right(folder)
    assert len(site.asked) == 3


def test_endless_slow_body(site: Site, folder: Path) -> None:
    """The body has no end: only a client that gives up comes back."""

    def answer(handler: BaseHTTPRequestHandler, _: int) -> None:
        handler.send_response(200)
        handler.end_headers()
        while True:
            handler.wfile.write(b"1,1,a\n")
            handler.wfile.flush()
            time.sleep(0.02)

    site.answers["/toy.zip"] = answer
    made = entry(f"{site.url}/toy.zip", archive=True)
    assert_refused(made, folder, "too slow", patience=0.4, slowest=100_000.0)


def test_silent_server(site: Site, folder: Path) -> None:
    """The server says nothing until the client has given up every time."""
    given_up = threading.Event()
    site.answers["/toy.data"] = lambda _handler, _count: given_up.wait()
    made = entry(f"{site.url}/toy.data")
    try:
        with pytest.raises(DataError, match="the connection broke"):
            get(made, folder, timing=PATIENT | {"read_timeout": 0.1})
    finally:
        given_up.set()
    assert left_over(folder) == []
    assert len(site.asked) == 4


def test_endless_body(site: Site, folder: Path) -> None:
    def answer(handler: BaseHTTPRequestHandler, _: int) -> None:
        handler.send_response(200)
        handler.end_headers()
        while True:
            handler.wfile.write(RIGHT)

    site.answers["/toy.data"] = answer
    made = entry(f"{site.url}/toy.data")
    assert_refused(made, folder, f"more than {len(RIGHT)} bytes")


def test_chunked_body(site: Site, folder: Path) -> None:
    def answer(handler: BaseHTTPRequestHandler, _: int) -> None:
        handler.protocol_version = "HTTP/1.1"
        handler.send_response(200)
        handler.send_header("Transfer-Encoding", "chunked")
        handler.end_headers()
        for start in range(0, len(RIGHT), 700):
            chunk = RIGHT[start : start + 700]
            handler.wfile.write(b"%x\r\n%s\r\n" % (len(chunk), chunk))
        handler.wfile.write(b"0\r\n\r\n")
        handler.close_connection = True

    site.answers["/toy.data"] = answer
    get(entry(f"{site.url}/toy.data"), folder)
    assert_right(folder)


def test_redirect(site: Site, folder: Path) -> None:
    def answer(handler: BaseHTTPRequestHandler, _: int) -> None:
        handler.send_response(302)
        handler.send_header("Location", "/moved/toy.data")
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    site.answers["/toy.data"] = answer
    site.answers["/moved/toy.data"] = whole(RIGHT)
    get(entry(f"{site.url}/toy.data"), folder)
    assert_right(folder)


def test_the_next_source_is_taken_and_the_first_remembered(site: Site, folder: Path) -> None:
    site.answers["/mirror/toy/toy.data"] = whole(b"<html>")
    site.answers["/toy.data"] = whole(RIGHT)
    made = entry(f"{site.url}/toy.data")
    provenance = get(made, folder, mirrors=["/nowhere", f"{site.url}/mirror/"])
    assert_right(folder)
    assert [item["source"] for item in provenance["passed_over"]] == ["mirror", "mirror address"]


def test_mirror_address(site: Site, folder: Path) -> None:
    site.answers["/mirror/toy/toy.data"] = whole(RIGHT)
    assert get(entry(), folder, mirrors=[f"{site.url}/mirror"])["source"] == "mirror address"
    assert_right(folder)


def test_user_folder_comes_first(site: Site, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "toy.data").write_bytes(RIGHT)
    provenance = get(
        entry(f"{site.url}/toy.data"),
        folder,
        mirrors=[f"{site.url}/mirror"],
        user_folders={"toy": str(tmp_path / "mine")},
    )
    assert provenance["source"] == "user folder" and site.asked == []
    assert_right(folder)


def test_offline_opens_no_socket(site: Site, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    made = entry(f"{site.url}/toy.data")
    provenance = get(made, folder, "offline", mirrors=[f"{site.url}/mirror"])
    assert provenance["source"] == "stand-in" and provenance["passed_over"] == []


def unused_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def test_the_first_failure_to_connect_holds_for_the_run(
    site: Site, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dead = entry(f"http://127.0.0.1:{unused_port()}/toy.data")
    site.answers["/toy.data"] = whole(RIGHT)
    living = entry(f"{site.url}/toy.data")
    with pytest.raises(DataError, match="no network"):
        get(dead, folder)
    monkeypatch.setattr(socket.socket, "connect", lambda *_: pytest.fail("asked again"))
    with pytest.raises(DataError, match="no network"):
        get(living, folder)
    monkeypatch.undo()
    for marker in folder.parent.glob(".*-down"):
        marker.unlink()
    get(living, folder)
    assert_right(folder)


def test_a_dead_mirror_does_not_hide_the_official_address(site: Site, folder: Path) -> None:
    site.answers["/toy.data"] = whole(RIGHT)
    made = entry(f"{site.url}/toy.data")
    provenance = get(made, folder, mirrors=[f"http://127.0.0.1:{unused_port()}"])
    assert provenance["source"] == "official address"
    assert "no network" in provenance["passed_over"][0]["reason"]


def test_a_failed_fetch_leaves_the_old_stand_in(site: Site, folder: Path) -> None:
    get(entry(), folder, "auto")
    before = (folder / "PROVENANCE.json").read_bytes()
    with pytest.raises(DataError):
        get(entry(f"{site.url}/toy.data"), folder)
    assert (folder / "PROVENANCE.json").read_bytes() == before
    site.answers["/toy.data"] = whole(RIGHT)
    get(entry(f"{site.url}/toy.data"), folder, "auto")
    assert_right(folder)


def test_unknown_policy(folder: Path) -> None:
    with pytest.raises(ConfigError, match="did you mean 'offline'"):
        get(entry(), folder, "ofline")


def test_real_refuses_before_the_run_and_lists_all(site: Site, folder: Path) -> None:
    unpublished = {key: value for key, value in entry().items() if key != "files"}
    view = {"view_of": "far"}
    registry = {"far": entry(), "near": entry(f"{site.url}/toy.data"), "never": unpublished}
    registry["seen"] = view
    with pytest.raises(DataError) as error:
        require_real(
            ["near", "never", "seen"],
            registry,
            raw_root=folder.parent,
            mirrors=[],
            user_folders={},
            timeout=1.0,
        )
    line = str(error.value)
    assert "2 data set(s) missing" in line and "\n" not in line
    assert "far: get toy.data from https://example.org/toy" in line
    assert "never: the set was never published" in line and "near:" not in line


def test_real_is_content_with_what_can_be_had(site: Site, folder: Path) -> None:
    registry = {"toy": entry(f"{site.url}/toy.data")}
    require_real(["toy"], registry, raw_root=folder.parent, mirrors=[], user_folders={})
    assert (
        states(registry, raw_root=folder.parent, policy="auto", mirrors=[], user_folders={})[
            0
        ].state
        == "can fetch"
    )


def test_a_killed_run_leaves_nothing_that_counts(
    site: Site, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.answers["/toy.data"] = whole(RIGHT)

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("opchar.datasets.sources.fetching.fault", interrupt)
    with pytest.raises(KeyboardInterrupt):
        get(entry(f"{site.url}/toy.data"), folder)
    assert left_over(folder) == []
    monkeypatch.undo()
    (folder.parent / ".toy~killed").mkdir()
    (folder.parent / ".toy~killed" / "toy.data").write_bytes(RIGHT[:50])
    get(entry(f"{site.url}/toy.data"), folder)
    assert_right(folder)


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "raw").write_text("a file", encoding="utf-8")
    with pytest.raises(DataError, match="raw: cannot be written"):
        get(entry(), tmp_path / "raw" / "toy", "auto")


def test_a_bar_for_large_files_only(
    site: Site, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site.answers["/toy.data"] = whole(RIGHT)
    get(entry(f"{site.url}/toy.data"), folder, progress=True)
    assert capsys.readouterr().err == ""
    large = RIGHT * 700
    site.answers["/large.data"] = whole(large)
    made = entry(f"{site.url}/large.data")
    made["files"] = {"toy.data": {"size": len(large), "sha256": hashlib.sha256(large).hexdigest()}}
    get(made, folder, progress=True)
    assert "B/s" in capsys.readouterr().err


def test_a_mirror_that_is_not_there(folder: Path) -> None:
    provenance = get(entry(), folder, "offline", mirrors=["/nowhere/mirror"])
    assert provenance["passed_over"] == [
        {"source": "mirror", "address": "/nowhere/mirror/toy", "reason": "no such folder"}
    ]
