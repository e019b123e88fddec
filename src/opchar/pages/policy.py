"""What a browser lets a page do: run, load and look like what the page itself holds, no more."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser

# Behind this line: a policy governs only what follows it.
BEGINNING = '<meta charset="utf-8">\n'
PROGRAMS = ("", "text/javascript", "module")


def with_policy(page: str, *, unpacks: bool = False) -> str:
    """Return a page with a Content-Security-Policy that forbids all but what it holds.

    Inline scripts, style sheets and style attributes are named by their hashes; files of the page's
    own folder and images inside the page are allowed where it has any; nothing else is loaded,
    run or sent.
    """
    if BEGINNING not in page:
        raise ValueError(f"a page needs the line {BEGINNING.strip()}")
    held = _Held()
    held.feed(page)
    held.close()
    allowed = {
        "default-src": ["'none'"],
        "script-src": [*held.scripts, *(["blob:"] if unpacks else [])],
        "style-src": ["'self'", "'unsafe-inline'"] if unpacks else _styles(held),
        "img-src": [*held.images],
        "form-action": [*held.forms] or ["'none'"],
        "base-uri": ["'none'"],
    }
    policy = "; ".join(f"{name} {' '.join(each)}" for name, each in allowed.items() if each)
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
    return page.replace(BEGINNING, BEGINNING + meta, 1)


def _styles(held: _Held) -> list[str]:
    return [*held.styles, *(["'unsafe-hashes'"] if held.looks else []), *held.looks]


def inline_source(text: str) -> str:
    """Return the source by which a policy allows an inline text."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


class _Held(HTMLParser):
    """What a page holds, each kind as sources of a policy in the order of the page."""

    def __init__(self) -> None:
        super().__init__()
        # As keys of dicts, which keep their order and hold each once.
        self.scripts: dict[str, None] = {}
        self.styles: dict[str, None] = {}
        self.looks: dict[str, None] = {}
        self.images: dict[str, None] = {}
        self.forms: dict[str, None] = {}
        self._inline: list[str] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if called := [name for name in given if name.startswith("on")]:
            raise ValueError(f"a page calls a script from {called[0]} of <{tag}>: use a listener")
        if "style" in given:
            self.looks[inline_source(given["style"])] = None
        if tag == "script" and given.get("src"):
            self.scripts["'self'"] = None
        elif tag == "style" or (tag == "script" and given.get("type", "") in PROGRAMS):
            self._inline = []
        elif tag == "link" and "icon" in given.get("rel", ""):
            self.images[_origin(given["href"])] = None
        elif tag == "link" and "stylesheet" in given.get("rel", ""):
            self.styles["'self'"] = None
        elif tag in ("img", "image"):
            source = given.get("src") or given.get("href") or given.get("xlink:href", "")
            self.images[_origin(source)] = None
        elif tag == "form" and given.get("method") != "dialog":
            self.forms["'self'"] = None

    def handle_data(self, data: str) -> None:
        if self._inline is not None:
            self._inline.append(data)

    def handle_endtag(self, tag: str) -> None:
        if self._inline is not None:
            kind = self.styles if tag == "style" else self.scripts
            kind[inline_source("".join(self._inline))] = None
            self._inline = None


def _origin(address: str) -> str:
    return "data:" if address.startswith("data:") else "'self'"
