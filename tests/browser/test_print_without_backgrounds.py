"""Pages printed with backgrounds off, as browsers do by default: every mark is in the PDF."""

import re
import zlib
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Page

from opchar.analysis.asking import Asked
from opchar.analysis.run import analyse
from opchar.analysis.tables.scored_sample import ScoredSample
from opchar.analysis.writing import write_answers
from opchar.cli import main
from opchar_reproduction.report.pages import writing
from reports import inputs

pytestmark = pytest.mark.browser

TABLE = "model,precision,recall,F1\nA,0.92,0.80,0.95\nB,0.92,0.80,0.85\n"
# The colour of each filled mark that is seen on paper, as the page computes it.
MARKS = """[...document.querySelectorAll('main *')].map((it) => [it, getComputedStyle(it)])
    .filter(([it, style]) => it.checkVisibility() && it.getBoundingClientRect().width > 0
        && /^rgb\\(/.test(style.backgroundColor)
        && it.matches('.segment, .dot, .mark, .badge, .replaced, .replaced > *'))
    .map(([it, style]) => style.backgroundColor)"""
HATCHED = """[...document.querySelectorAll('*')]
    .filter((it) => getComputedStyle(it).backgroundImage !== 'none').length"""
ECONOMY = (
    """for (const it of document.querySelectorAll('*')) it.style.printColorAdjust = 'economy'"""
)
# What sets a colour or uses it, in the content of a PDF: filled areas, and lines.
DRAWN = re.compile(r"([\d.]+ [\d.]+ [\d.]+) (rg|RG)\b|(?<![\w.])(f\*?|S|q|Q)\s")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The small report, an analysis of two classes and one of ten, and a checked table."""
    place = tmp_path_factory.mktemp("printed")
    writing.write(place / "report", inputs(tmp_path_factory.mktemp("inputs")))
    names = ("index", "soleymani2020", "soleymani2020-2", "soleymani2020-4", "ledger", "summary")
    found = {name: place / f"report/{name}.html" for name in names}
    rng = np.random.default_rng(0)
    y = np.arange(400) % 4 // 3
    scores = {"m": (rng.normal(size=400) + 2 * (y == 0))[:, None]}
    sample = ScoredSample(("sick", "well"), y, scores, 0)
    write_answers(analyse(sample, Asked(resamples=50)), place / "two")
    y = np.arange(400) % 10
    many = rng.normal(size=(400, 10)) + 2 * np.eye(10)[y]
    sample = ScoredSample(tuple("0123456789"), y, {"m": many}, None)
    write_answers(analyse(sample, Asked(resamples=50)), place / "ten")
    (place / "t.csv").write_text(TABLE, encoding="utf-8")
    main(["check", str(place / "t.csv"), "--page", str(place / "check.html")])
    analyses = {name: place / name / "index.html" for name in ("two", "ten")}
    return found | analyses | {"check": place / "check.html"}


@pytest.fixture
def page(browser: Browser) -> Page:
    context = browser.new_context()
    yield context.new_page()
    context.close()


def content(page: Page, backgrounds: bool) -> list[bytes]:
    """Return the content of the PDF of a page, uncompressed."""
    printed = page.pdf(format="A4", print_background=backgrounds)
    found = []
    for stream in re.findall(rb"stream\r?\n(.*?)endstream", printed, re.DOTALL):
        try:
            found.append(zlib.decompressobj().decompress(stream))
        except zlib.error:
            continue  # an image
    return found


def drawn(streams: list[bytes]) -> Counter[tuple[str, tuple[int, ...]]]:
    """Count filled areas and lines by their colour."""
    found: Counter[tuple[str, tuple[int, ...]]] = Counter()
    for stream in filter(bytes.isascii, streams):  # no fonts and colour profiles
        colours, kept = {"rg": (), "RG": ()}, []
        for numbers, sets, paints in DRAWN.findall(stream.decode("latin-1")):
            if paints == "q":
                kept.append(dict(colours))
            elif paints == "Q":
                colours = kept.pop()
            elif sets:
                colours[sets] = tuple(round(255 * float(one)) for one in numbers.split())
            else:
                found[paints[0], colours["RG" if paints == "S" else "rg"]] += 1
    return found


NAMES = ("index", "soleymani2020", "soleymani2020-2", "soleymani2020-4", "ledger", "summary")


@pytest.mark.parametrize("name", [*NAMES, "check"])
def test_every_mark_is_printed_though_backgrounds_are_off(
    page: Page, pages: dict[str, Path], name: str
) -> None:
    page.goto(pages[name].as_uri())
    page.emulate_media(media="print")
    page.evaluate("document.querySelectorAll('details').forEach((it) => { it.open = true })")
    wanted = Counter(
        tuple(int(n) for n in re.findall(r"\d+", colour)[:3]) for colour in page.evaluate(MARKS)
    )
    found = drawn(content(page, backgrounds=False))
    assert sum(wanted.values()) > 1
    assert {c: n for c, n in wanted.items() if found["f", c] < n} == {}
    # The same page that asks for nothing loses them: this test would see it.
    page.evaluate(ECONOMY)
    fewer = drawn(content(page, backgrounds=False))
    assert any(fewer["f", colour] < found["f", colour] for colour in wanted)


@pytest.mark.parametrize("name", ["two", "ten"])
def test_an_analysis_has_its_dots_bars_and_shades_on_paper(
    page: Page, pages: dict[str, Path], name: str
) -> None:
    page.goto(pages[name].as_uri())
    without, with_them = (content(page, backgrounds=each) for each in (False, True))
    assert without == with_them
    inked = {colour for (way, colour) in drawn(without) if way == "S"}
    blue, orange, purple = (11, 92, 148), (163, 59, 0), (122, 46, 99)
    assert blue in inked
    assert name == "ten" or {orange, purple} <= inked


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_hatched_on_paper(page: Page, pages: dict[str, Path], name: str) -> None:
    """A hatched cell takes two kilobytes of a PDF: a section of 2,000 cells took 21 megabytes."""
    page.goto(pages[name].as_uri())
    page.emulate_media(media="print")
    assert page.evaluate(HATCHED) == 0


def test_stand_in_rows_are_shaded_on_paper(page: Page, pages: dict[str, Path]) -> None:
    page.goto(pages["soleymani2020-4"].as_uri())
    page.emulate_media(media="print")
    page.evaluate("document.querySelectorAll('details').forEach((it) => { it.open = true })")
    assert page.locator("tr.replaced").count() > 0
    assert drawn(content(page, backgrounds=False))["f", (232, 232, 232)] > 0
