"""Servers that mean harm or are badly set up: encryption, lengths, heads, redirects, versions."""

import shutil
import ssl
import subprocess
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from faults.test_fetching_server import (
    RIGHT,
    Answer,
    Site,
    assert_refused,
    assert_right,
    entry,
    get,
    give,
    unused_port,
    whole,
    zipped,
)
from opchar.errors import DataError


def test_plain_text_where_encryption_was_asked_for(site: Site, folder: Path) -> None:
    address = site.url.replace("http://", "https://") + "/toy.data"
    assert_refused(entry(address), folder, "certificate or encryption is not right")


def test_a_certificate_that_nobody_vouches_for(site: Site, folder: Path, tmp_path: Path) -> None:
    if shutil.which("openssl") is None:
        pytest.skip("no openssl to make a certificate with")
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    words = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    words += ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    subprocess.run([*words, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    site.answers["/toy.data"] = whole(RIGHT)
    server = ThreadingHTTPServer(("127.0.0.1", 0), site.server.RequestHandlerClass)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        address = f"https://127.0.0.1:{server.server_port}/toy.data"
        assert_refused(entry(address), folder, "certificate or encryption is not right")
        assert site.asked == []
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize("length", [0, 7, len(RIGHT) - 1])
def test_a_content_length_that_is_too_small(site: Site, folder: Path, length: int) -> None:
    site.answers["/toy.data"] = lambda handler, _: give(handler, RIGHT, length=length)
    assert_refused(entry(f"{site.url}/toy.data"), folder, "toy.data")


@pytest.mark.parametrize("length", ["many", "-5", "1e3", "9" * 400])
def test_a_content_length_that_is_no_number(site: Site, folder: Path, length: str) -> None:
    def answer(handler: BaseHTTPRequestHandler, _: int) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", length)
        handler.end_headers()
        handler.wfile.write(RIGHT)

    site.answers["/toy.data"] = answer
    try:
        get(entry(f"{site.url}/toy.data"), folder)
    except DataError as error:
        assert "\n" not in str(error)
        assert not folder.exists()
    else:
        assert_right(folder)


@pytest.mark.check
def test_a_head_that_comes_letter_by_letter(site: Site, folder: Path) -> None:
    ended = threading.Event()

    def answer(handler: BaseHTTPRequestHandler, _: int) -> None:
        while not ended.wait(0.05):
            handler.wfile.write(b"x")
            handler.wfile.flush()

    site.answers["/toy.data"] = answer
    began = time.monotonic()
    try:
        assert_refused(
            entry(f"{site.url}/toy.data"),
            folder,
            "too slow",
            patience=0.5,
            read_timeout=0.5,
            connect_timeout=5.0,
        )
    finally:
        ended.set()
    assert time.monotonic() - began < 300  # it ends at all


def redirected(to: str) -> Answer:
    def answer(handler: BaseHTTPRequestHandler, _: int) -> None:
        handler.send_response(302)
        handler.send_header("Location", to)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    return answer


@pytest.mark.parametrize("to", ["/toy.data", "/other"])
def test_redirects_without_end(site: Site, folder: Path, to: str) -> None:
    site.answers |= {"/toy.data": redirected(to), to: redirected(to)}
    assert_refused(entry(f"{site.url}/toy.data"), folder, "redirects for ever")
    assert len(site.asked) < 70, "it was tried again"


@pytest.mark.parametrize("to", ["file:///etc/passwd", "ftp://127.0.0.1/x", "gopher:x", "http://["])
def test_redirects_to_what_is_no_address_of_the_web(site: Site, folder: Path, to: str) -> None:
    site.answers["/toy.data"] = redirected(to)
    assert_refused(entry(f"{site.url}/toy.data"), folder, "the connection broke")


def test_a_redirect_to_a_port_where_nobody_is(site: Site, folder: Path) -> None:
    site.answers["/toy.data"] = redirected(f"http://127.0.0.1:{unused_port()}/toy.data")
    assert_refused(entry(f"{site.url}/toy.data"), folder, "the connection broke")


def test_a_mirror_with_another_version_of_a_file(site: Site, folder: Path, tmp_path: Path) -> None:
    other = RIGHT.replace(b"a\n", b"b\n", 1)
    assert len(other) == len(RIGHT)
    mirror = tmp_path / "mirror"
    (mirror / "toy").mkdir(parents=True)
    (mirror / "toy/toy.data").write_bytes(other)
    site.answers["/m/toy/toy.data"] = whole(other)
    site.answers["/toy.zip"] = whole(zipped({"toy.data": RIGHT}))
    made = entry(f"{site.url}/toy.zip", archive=True)
    found = get(made, folder, mirrors=[str(mirror), f"{site.url}/m"])
    assert_right(folder)
    assert found["stand_in"] is None
    assert str(found).count("toy.data") >= 1
    shutil.rmtree(folder)
    site.answers["/toy.zip"] = whole(zipped({"toy.data": other}))
    with pytest.raises(DataError) as caught:
        get(made, folder, mirrors=[str(mirror), f"{site.url}/m"])
    assert "\n" not in str(caught.value)
    assert not folder.exists()


def test_heads_without_end(site: Site, folder: Path) -> None:
    def answer(handler: BaseHTTPRequestHandler, _: int) -> None:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
        for number in range(100_000):
            handler.wfile.write(b"X-%d: y\r\n" % number)

    site.answers["/toy.data"] = answer
    assert_refused(entry(f"{site.url}/toy.data"), folder, "the connection broke")
