"""The report in a real browser: from disk, without a network, by mouse, keyboard and ear."""

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from nu import html_complaints
from opchar_reproduction.report.comparison.outcomes import evidence
from opchar_reproduction.report.marks import shown_verdict
from watching import BRIEF, Watched, focused

pytestmark = [pytest.mark.browser, pytest.mark.workflow]

PAGES = ("index", "tharwat2018", "soleymani2018", "soleymani2020", "mullick2020", "landgrebe2007")
PAGES += ("tharwat2018-slides-42-59", "soleymani2018-3", "soleymani2020-4", "mullick2020-5")
PAGES += ("landgrebe2007-2.2", "landgrebe2007-3.3", "landgrebe2007-5.3", "landgrebe2007-method")
PAGES += (
    "ledger",
    "explorer",
    "statements",
    "summary",
    "errata",
    "leads",
    "data",
    "indices",
    "cite",
    "glossary",
)
TELLING = ("index", "landgrebe2007-2.2", "ledger", "explorer")
FEWER = """
for (const table of document.querySelectorAll('table')) {
  const seen = new Map();
  for (const row of table.querySelectorAll('tbody tr')) {
    const badge = row.querySelector('.badge, .mark');
    const kind = badge ? badge.className : '';
    seen.set(kind, (seen.get(kind) || 0) + 1);
    if (seen.get(kind) > 5) row.remove();
  }
}
document.querySelectorAll('article').forEach((article, place) => {
  if (place >= 25) article.remove();
});
const dots = document.querySelectorAll('svg.deviations a');
dots.forEach((dot, place) => { if (place >= 20) dot.remove(); });
"""


# What these look at is no part of the sample that the tiny profile makes.
of_a_quick_run = pytest.mark.skipif(
    "OPCHAR_REPORT" not in os.environ,
    reason="needs the report of a quick run: OPCHAR_REPORT=results/quick/report",
)


@pytest.fixture(scope="module")
def report(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report moved elsewhere: it must stand on its own.

    That of the tiny profile, or the one that OPCHAR_REPORT names.
    """
    source = os.environ.get("OPCHAR_REPORT")
    if source is None:
        made = request.getfixturevalue("made")
        source = made.folder / "results/tiny/report"
    place = tmp_path_factory.mktemp("moved") / "a report"
    return Path(shutil.copytree(source, place))


@pytest.fixture
def watched(browser: Browser, report: Path) -> Iterator[Watched]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    yield Watched(context.new_page(), report)
    context.close()


def visible(page: Page) -> list[str]:
    """Return the ids of the ledger lines that are shown."""
    rows = "rows => rows.map(row => row.querySelector('.id').textContent)"
    return page.locator("#ledger tbody tr:not([hidden])").evaluate_all(rows)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_opens_from_disk_and_asks_nobody(watched: Watched, name: str) -> None:
    page = watched.open(name)
    expect(page.locator("h1")).to_be_visible()
    page.evaluate("document.querySelectorAll('img').forEach(image => image.loading = 'eager')")
    broken = page.evaluate(
        "Promise.all([...document.images].map(i => i.decode().then(() => null, () => i.src)))"
    )
    assert [source for source in broken if source] == []
    sizes = page.locator("img").evaluate_all("images => images.map(image => image.naturalWidth)")
    assert all(width > 50 for width in sizes)
    assert watched.complaints == []
    assert watched.away == []
    assert watched.failed == []


@of_a_quick_run
def test_no_page_complains_or_is_too_long_to_read(watched: Watched) -> None:
    watched.page.set_viewport_size({"width": 1440, "height": 900})
    for path in sorted(watched.report.glob("*.html")):
        page = watched.open(path.stem)
        assert page.evaluate("document.documentElement.scrollHeight") <= 15 * 900, path.name
        assert watched.complaints == [], path.name


@of_a_quick_run
def test_images_are_there(watched: Watched) -> None:
    assert watched.open("index").locator(".tiles img").count() == 5
    assert watched.open("soleymani2018-3").locator("img").count() >= 1
    assert watched.open("landgrebe2007-3.3").locator("img").count() >= 1


ELSEWHERE = "https://example.org/x.png"
ATTEMPTS = (
    f"new Image().src = '{ELSEWHERE}'",
    f"fetch('{ELSEWHERE}').catch(() => null)",
    f"navigator.sendBeacon('{ELSEWHERE}')",
    "document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"window.ran = 1\">')",
    "const s = document.createElement('script'); s.text = 'ran = 1'; document.body.append(s)",
)


def test_a_request_would_be_noticed(browser: Browser, report: Path) -> None:
    context = browser.new_context(bypass_csp=True)
    watched = Watched(context.new_page(), report)
    page = watched.open("index")
    with page.expect_request(ELSEWHERE):
        page.evaluate(f"new Image().src = '{ELSEWHERE}'")
    assert watched.away == [ELSEWHERE]
    context.close()


@pytest.mark.parametrize("name", ["index", "ledger", "explorer"])
def test_a_page_cannot_ask_anybody(watched: Watched, name: str) -> None:
    page = watched.open(name)
    for attempt in ATTEMPTS:
        page.evaluate(attempt)
    page.wait_for_timeout(300)
    assert page.evaluate("window.ran") is None
    assert watched.away == []
    assert any("Content Security Policy" in said for said in watched.complaints)


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.check] * (n not in TELLING)) for n in PAGES]
)
def test_axe_finds_nothing(watched: Watched, name: str) -> None:
    page = watched.open(name)
    # The rows of a table look alike, and so do the artefacts of a work.
    page.evaluate(FEWER)
    results = Axe().run(page, options=BRIEF)
    assert results.violations_count == 0, results.generate_report()
    assert len(results.response["passes"]) > 10
    page.emulate_media(color_scheme="dark")
    results = Axe().run(page, options=BRIEF | {"runOnly": ["color-contrast"]})
    assert results.violations_count == 0, results.generate_report()
    assert [rule["id"] for rule in results.response["passes"]] == ["color-contrast"]


@of_a_quick_run
def test_axe_and_the_nu_checker_find_nothing_on_any_page(watched: Watched) -> None:
    watched.page.set_viewport_size({"width": 1440, "height": 900})
    for path in sorted(watched.report.glob("*.html")):
        page = watched.open(path.stem)
        page.evaluate(FEWER)
        for scheme, rules in (("light", {}), ("dark", {"runOnly": ["color-contrast"]})):
            page.emulate_media(color_scheme=scheme)
            results = Axe().run(page, options=BRIEF | rules)
            assert results.violations_count == 0, f"{path.name}: {results.generate_report()}"
    assert html_complaints(watched.report) == []


def test_axe_would_find_something(watched: Watched) -> None:
    page = watched.open("cite")
    page.evaluate("document.querySelector('#find').labels[0].remove()")
    page.evaluate("document.querySelector('#find').placeholder = ''")
    page.evaluate("document.querySelectorAll('p').forEach(each => { each.style.color = '#999' })")
    found = {rule["id"] for rule in Axe().run(page, options=BRIEF).response["violations"]}
    assert {"label", "color-contrast"} <= found


def test_dark_is_dark(watched: Watched) -> None:
    shades = []
    for scheme in ("light", "dark"):
        watched.page.emulate_media(color_scheme=scheme)
        watched.open("index")
        shade = watched.page.evaluate("getComputedStyle(document.body).backgroundColor")
        shades.append(sum(map(int, re.findall(r"\d+", shade))))
    assert shades[0] > 700
    assert shades[1] < 120


@pytest.mark.parametrize(
    ("words", "label"),
    [
        ("table 2.3", "table-2.3"),
        ("Fig. 4", "figure-4"),
        ("eq 3.17 c=6", "eq-3.17"),
        ("landgrebe2007 table-2.2 sonar", "table-2.2"),
    ],
)
def test_words_find_lines_from_any_page(watched: Watched, words: str, label: str) -> None:
    page = watched.open("soleymani2020")
    page.get_by_role("searchbox", name="Find a value").fill(words)
    page.keyboard.press("Enter")
    page.wait_for_url("**/ledger.html?text=*")
    rows = page.locator("#ledger tbody tr:not([hidden])")
    labels = set(rows.evaluate_all("rows => rows.map(row => row.dataset.label)"))
    assert any(found.startswith(label) for found in labels)
    assert all(re.fullmatch(re.escape(label) + r"([a-z-].*)?", found) for found in labels)
    assert page.locator("#shown").inner_text().startswith(f"{rows.count()} of 1,577 values")
    assert page.get_by_role("searchbox").input_value() == words
    assert watched.complaints == []
    assert watched.away == []


def test_the_filter_narrows_remembers_and_forgets(watched: Watched) -> None:
    page = watched.open("ledger")
    expect(page.get_by_label("Outcome")).to_have_value("tested")
    page.get_by_role("button", name="Show all").click()
    expect(page.locator("#shown")).to_have_text("1,577 of 1,577 values")
    rows = page.locator("#ledger tbody tr[data-label='table-roc-thresholds']")
    line = rows.filter(has_text="TPR").first
    verdict = line.get_attribute("data-verdict")
    page.get_by_label("Publication").select_option("tharwat2018")
    page.get_by_label("Verdict").select_option(verdict)
    many = visible(page)
    assert all(name.startswith("tharwat2018:") for name in many)
    page.get_by_role("searchbox").fill("t1 TPR")
    found = visible(page)
    assert 0 < len(found) < len(many)
    page.reload()
    assert visible(page) == found
    page.get_by_role("searchbox").fill("TPR xyzzy")
    expect(page.locator("#shown")).to_contain_text("none has all words, these have 1 of 2")
    assert set(found) <= set(visible(page))
    page.get_by_role("searchbox").fill("xyzzy")
    assert visible(page) == []
    page.get_by_role("button", name="Show all").click()
    expect(page.locator("#shown")).to_have_text("1,577 of 1,577 values")
    page.reload()
    expect(page.locator("#shown")).to_have_text("1,577 of 1,577 values")


def test_showing_all_forgets_the_search_that_led_here(watched: Watched) -> None:
    page = watched.open("ledger?text=table+2.3")
    assert len(visible(page)) < 60
    page.get_by_role("button", name="Show all").click()
    expect(page.locator("#shown")).to_have_text("1,577 of 1,577 values")
    page.reload()
    expect(page.locator("#shown")).to_have_text("1,577 of 1,577 values")


def test_a_count_leads_to_its_lines(watched: Watched) -> None:
    page = watched.open("index")
    link = page.locator("section[aria-labelledby=totals] tbody tr").first.locator("td a").first
    count = int(link.inner_text())
    link.click()
    expect(page.locator("#shown")).to_have_text(f"{count:,} of 1,577 values")
    page = watched.open("index")
    link = page.locator(".scaled .segment").first
    count = int(re.findall(r"\d+", link.get_attribute("title").rpartition(":")[2])[0])
    link.press("Enter")  # a bar of few values may be too short for a pointer
    expect(page.locator("#shown")).to_have_text(f"{count:,} of 1,577 values")


def test_an_address_of_a_line_opens_what_hides_it(watched: Watched) -> None:
    page = watched.open("ledger?text=table-2.3")
    name = visible(page)[0]
    page.get_by_role("link", name=name, exact=True).click()
    line = page.locator(f'[id="{name}"]')
    expect(line).to_be_visible()
    expect(line).to_be_in_viewport()


def test_the_keyboard_reaches_content_and_search(watched: Watched) -> None:
    page = watched.open("landgrebe2007-2.2")
    page.keyboard.press("Tab")
    assert focused(page, "class") == "skip"
    expect(page.locator(".skip")).to_be_in_viewport()
    page.keyboard.press("Enter")
    assert focused(page, "id") == "content"
    page.keyboard.press("Shift+Tab")
    for _ in range(20):
        if focused(page, "id") == "find":
            break
        page.keyboard.press("Shift+Tab")
    assert focused(page, "id") == "find"
    page.keyboard.type("table 2.3")
    page.keyboard.press("Enter")
    page.wait_for_url("**/ledger.html?text=*")
    for _ in range(25):
        page.keyboard.press("Tab")
        if focused(page, "id") == "text":
            break
    assert focused(page, "id") == "text"
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
    page.keyboard.press("Tab")
    assert focused(page, "id") == "work"


NARROW = ["index", "soleymani2018", "soleymani2020-3", "landgrebe2007-2.2", "ledger", "summary"]


@pytest.mark.parametrize("name", [*NARROW, "explorer", "statements", "data"])
def test_a_narrow_window_does_not_scroll_sideways(watched: Watched, name: str) -> None:
    watched.page.set_viewport_size({"width": 360, "height": 700})
    page = watched.open(name)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.parametrize(
    "name", ["landgrebe2007-2.2", "soleymani2020-3", "mullick2020-4", "ledger"]
)
def test_a_phone_shows_the_verdict_of_every_line(watched: Watched, name: str) -> None:
    watched.page.set_viewport_size({"width": 390, "height": 844})
    page = watched.open(name)
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true })")
    edges = page.evaluate(
        "[...document.querySelectorAll('.ledger tr .badge')].filter((it) => it.checkVisibility())"
        ".map((it) => it.getBoundingClientRect()).map((box) => [box.left, box.right])"
    )
    assert len(edges) > 5
    assert all(0 <= left < right <= 390 for left, right in edges)
    labels = page.evaluate(
        "[...document.querySelector('.ledger tbody tr').querySelectorAll('td')]"
        ".map((cell) => getComputedStyle(cell, '::before').content).filter((it) => it != 'none')"
    )
    assert labels == ['"published"', '"reproduced"']


def test_print_shows_what_is_folded_and_leaves_out_what_is_for_clicking(watched: Watched) -> None:
    page = watched.open("soleymani2018-3")
    folded = page.locator("details:not([open])").count()
    assert folded > 0
    page.emulate_media(media="print")
    expect(page.locator("header.site")).to_be_hidden()
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert page.locator("details:not([open])").count() == 0
    width = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    assert width <= 0
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert page.locator("details:not([open])").count() == folded
    assert len(page.pdf(format="A4")) > 20_000


@pytest.mark.parametrize("name", ["index", "summary", "ledger", "soleymani2018-3"])
def test_print_keeps_the_colours_of_all_marks(watched: Watched, name: str) -> None:
    """Browsers print no backgrounds unless a page asks for them: bars and dots vanish."""
    page = watched.open(name)
    page.emulate_media(media="print")
    lost = page.evaluate("""() => [...document.querySelectorAll("main *")].filter((each) => {
        const style = getComputedStyle(each)
        return style.printColorAdjust !== "exact"
    }).length""")
    marks = page.locator(".segment, .dot, .mark, .badge").count()
    assert (marks > 0, lost) == (True, 0)


def ledger_of(report: Path) -> pd.DataFrame:
    return pd.read_csv(report / "ledger.csv", dtype=str, keep_default_na=False)


@of_a_quick_run
def test_three_clicks_from_the_front_to_why_a_value_differs(watched: Watched) -> None:
    """Why does Sonar, model 3, Sens differ?"""
    lines = ledger_of(watched.report)
    asked = lines["row"].str.startswith("Sonar / 3)") & (lines["column"] == "Sens")
    line = lines[asked & (lines["artefact"] == "table-2.2")].iloc[0]
    page = watched.open("index")
    page.locator(".card h2").get_by_role("link", name="Operating characteristics").click()
    page.locator(".chapters").get_by_role("link", name=re.compile("^Table 2.2 ")).first.click()
    row = page.locator("table.numbers tr", has_text="Sonar / 3)").first
    row.locator("td").nth(1).locator("a.mark").click()
    told = page.locator(f'[id="{line["id"]}"]')
    expect(told).to_be_in_viewport()
    expect(told.locator(".badge")).to_have_text(shown_verdict(line))
    side = "above" if float(line["z"]) > 0 else "below"
    assert f"standard errors {side}" in (told.text_content() or "")


def test_two_clicks_from_the_front_to_the_claims_that_failed(watched: Watched) -> None:
    """Which claims of landgrebe2007 failed in experiments?"""
    lines = ledger_of(watched.report)
    own = lines[(lines["paper"] == "landgrebe2007") & (lines["outcome"] == "differs")]
    failed = own[(own["kind"] == "claim") & (evidence(own) == "experiment")]
    page = watched.open("index")
    page.locator(".card h2").get_by_role("link", name="Operating characteristics").click()
    page.get_by_role("link", name=f"Claims that fail in experiments ({len(failed)})").click()
    expect(page.locator("#shown")).to_have_text(f"{len(failed)} of 1,577 values")
    assert visible(page) == list(failed["id"])


def test_keys_lead_from_difference_to_difference(watched: Watched) -> None:
    page = watched.open("soleymani2020-2")
    rows = page.locator("tr.line[id]").filter(has=page.locator(".badge.erratum"))
    wanted = rows.evaluate_all("rows => rows.map(row => row.id)")
    assert len(wanted) > 2
    page.keyboard.press("n")
    assert focused(page, "id") == wanted[0]
    page.keyboard.press("n")
    assert focused(page, "id") == wanted[1]
    expect(page.locator(f'[id="{wanted[1]}"]')).to_be_in_viewport()
    page.keyboard.press("p")
    assert focused(page, "id") == wanted[0]
    page.get_by_role("checkbox", name="keys n and p").uncheck()
    page.keyboard.press("n")
    assert page.locator("tr:target").get_attribute("id") == wanted[0]
    for _ in wanted:
        page.get_by_role("button", name="Next mismatch").click()
    page.wait_for_url("**/soleymani2020-3.html#*")
    assert watched.complaints == []


@of_a_quick_run
def test_a_mark_tells_its_deviation_on_hover_and_on_focus(watched: Watched) -> None:
    page = watched.open("landgrebe2007-2.2")
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    table = page.locator("#table-2\\.2 table.numbers").first
    marks = table.locator("a.mark")
    marks.nth(1).hover()
    note = page.get_by_role("tooltip")
    expect(note).to_have_text(marks.nth(1).get_attribute("data-say"))
    page.keyboard.press("Escape")
    expect(note).to_be_hidden()
    marks.first.focus()
    expect(note).to_have_text(marks.first.get_attribute("data-say"))
    assert re.search("standard errors|stand-in data", note.inner_text())
    page.keyboard.press("ArrowRight")
    expect(marks.nth(1)).to_be_focused()
    expect(note).to_have_text(marks.nth(1).get_attribute("data-say"))
    page.keyboard.press("ArrowDown")
    assert marks.nth(1).evaluate("mark => mark.tabIndex") == -1
    # One stop for the tabulator in the whole table.
    assert table.locator("a.mark[tabindex='0']").count() == 1


def test_only_what_differs(watched: Watched) -> None:
    page = watched.open("soleymani2020-2")
    articles = page.locator("article.artefact")
    everything = articles.evaluate_all("all => all.filter(a => a.checkVisibility()).length")
    page.get_by_role("checkbox", name="only mismatches").check()
    left = articles.evaluate_all("all => all.filter(a => a.checkVisibility()).length")
    assert 0 < left < everything
    assert page.locator("tr.line.matches").first.is_hidden()


def test_a_figure_is_enlarged_and_put_back(watched: Watched) -> None:
    page = watched.open("soleymani2020-3")
    page.get_by_role("checkbox", name="open all").check()
    link = page.locator("a.enlarge").first
    link.focus()
    page.keyboard.press("Enter")
    box = page.locator("dialog.large")
    expect(box).to_be_visible()
    wide = box.locator("img").evaluate("image => image.decode().then(() => image.clientWidth)")
    assert wide > link.locator("img").evaluate("image => image.clientWidth")
    page.keyboard.press("Escape")
    expect(box).to_be_hidden()
    expect(link).to_be_focused()


@of_a_quick_run
@pytest.mark.parametrize("name", ["soleymani2020-3", "landgrebe2007-3.3", "soleymani2018-4"])
def test_figures_scroll_on_a_phone_with_labels_that_can_be_read(
    watched: Watched, name: str
) -> None:
    watched.page.set_viewport_size({"width": 390, "height": 844})
    page = watched.open(name)
    page.get_by_role("checkbox", name="open all").check()
    page.evaluate("document.querySelectorAll('img').forEach(image => image.loading = 'eager')")
    page.evaluate("Promise.all([...document.images].map(image => image.decode()))")
    scales = page.locator("figure img").evaluate_all(
        # Images of points are drawn at 200 dots an inch, a pixel of the page is 1/96 of one.
        "images => images.filter(i => i.checkVisibility()).map(i => i.clientWidth"
        " / i.naturalWidth / (i.src.endsWith('.svg') ? 1 : 0.48))"
    )
    # Labels are of seven points, that is 9.3 pixels, at the size in which figures are drawn.
    assert len(scales) >= 1
    assert min(scales) > 0.97
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_without_scripts_everything_is_readable(browser: Browser, report: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((report / "ledger.html").as_uri())
    expect(page.locator("#filter")).to_be_hidden()
    expect(page.locator("#ledger tbody tr").last).to_be_attached()
    expect(page.locator("#ledger tbody tr").first).to_be_visible()
    page.goto((report / "soleymani2020-2.html").as_uri())
    expect(page.locator(".steps")).to_be_hidden()
    expect(page.locator("table.numbers a.mark").first).to_be_visible()
    context.close()
