"""The policy of a page names what the page holds, and nothing else."""

import re
from base64 import b64encode
from hashlib import sha256

import pytest

from opchar.pages.policy import BEGINNING, with_policy


def directives(page: str) -> dict[str, list[str]]:
    (said,) = re.findall(
        '<meta http-equiv="Content-Security-Policy" content="([^"]*)">', page.split("</head>")[0]
    )
    return {each.split()[0]: each.split()[1:] for each in said.split("; ")}


def source(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def page(head: str = "", body: str = "") -> str:
    return f"<!DOCTYPE html>\n<html><head>\n{BEGINNING}{head}</head><body>{body}</body></html>"


def test_a_page_that_holds_nothing_may_do_nothing() -> None:
    assert directives(with_policy(page())) == {
        "default-src": ["'none'"],
        "form-action": ["'none'"],
        "base-uri": ["'none'"],
    }


def test_what_a_page_holds_is_named() -> None:
    head = (
        '<link rel="icon" href="data:,"><link rel="stylesheet" href="a.css">'
        "<style>\np > a { color: red }\n</style><script src='a.js' defer></script>"
    )
    body = (
        '<form action="other.html"><p style="width:1px;content:&quot;&lt;&quot;">'
        '<script>\n1 < 2 && "&amp;";\n</script><img src="files/a.png">'
        '<script type="application/json">{"a": 1}</script>'
    )
    found = directives(with_policy(page(head, body)))
    assert found["script-src"] == ["'self'", source('\n1 < 2 && "&amp;";\n')]
    assert found["style-src"] == [
        "'self'",
        source("\np > a { color: red }\n"),
        "'unsafe-hashes'",
        source('width:1px;content:"<"'),
    ]
    assert found["img-src"] == ["data:", "'self'"]
    assert found["form-action"] == ["'self'"]


def test_the_policy_comes_before_all_that_it_governs() -> None:
    text = with_policy(page("<style>b { }</style>"))
    assert text.index("Content-Security-Policy") < text.index("<style>")
    assert text.replace(text.split("\n")[3] + "\n", "") == page("<style>b { }</style>")


def test_only_a_page_that_unpacks_a_script_may() -> None:
    plain, unpacking = (with_policy(page(), unpacks=each) for each in (False, True))
    assert "blob:" not in plain
    assert directives(unpacking)["script-src"] == ["blob:"]
    assert directives(unpacking)["style-src"] == ["'self'", "'unsafe-inline'"]


@pytest.mark.parametrize("text", [page(body='<p onclick="f()">'), "<html></html>"])
def test_what_a_policy_cannot_cover_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"listener|needs the line"):
        with_policy(text)
