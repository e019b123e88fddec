"""The explorer and the figures that can be turned, in a real browser and from disk."""

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from opchar.spaces import lower_envelope, operating_points, upper_envelope
from opchar_reproduction.report.pages.writing import write
from reports import inputs, score_tables
from watching import BRIEF, Watched, focused, until

pytestmark = pytest.mark.browser
# Slow machines are slow, not wrong.
SLOW = 300_000
DRAWN = "window.Plotly && document.querySelectorAll('.charts .main-svg').length >= 12"
SOLID = "document.querySelector('{} canvas') !== null"


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("report")
    write(place, inputs(tmp_path_factory.mktemp("inputs")))
    return place


@pytest.fixture(scope="module")
def watched(browser: Browser, report: Path) -> Iterator[Watched]:
    """One page for all tests: what each of them needs it sets."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    found = Watched(context.new_page(), report)
    yield found
    context.close()
    assert found.complaints == []
    assert found.away == []
    assert found.failed == []


def explorer(watched: Watched) -> Page:
    page = watched.page if "explorer.html" in watched.page.url else watched.open("explorer")
    until(page, DRAWN, timeout=SLOW)
    return page


def accessible(watched: Watched) -> None:
    """Axe finds nothing, in light and in dark; what its own requests bring up is not counted."""
    said = list(watched.complaints), list(watched.failed)
    for scheme in ("light", "dark"):
        watched.page.emulate_media(color_scheme=scheme)
        results = Axe().run(watched.page, options=BRIEF)
        assert results.violations_count == 0, results.generate_report()
    watched.complaints, watched.failed = said


def test_the_best_threshold_for_two_percent_is_that_of_the_library(watched: Watched) -> None:
    page = explorer(watched)
    page.get_by_label("Score table of this run").first.select_option("two (small)")
    page.get_by_label("Share of positives, P(+), as a number").fill("0.02")
    page.get_by_label("Weight of precision in F, as a number").fill("0.3")
    points = operating_points(*score_tables()["two (small)"].binary("sick"))
    cheap, high = lower_envelope(points), upper_envelope(points, 0.3)
    expect(page.locator("#best-cost")).to_contain_text("With 2 % positives")
    cells = [float(text) for text in page.locator("#numbers td").all_inner_texts()[1:]]
    right, wrong = (float(rate) for rate in cheap.rates(0.02))
    assert cells[:2] == pytest.approx([right, wrong], rel=1e-3)
    assert cells[3] == cells[4] == pytest.approx(float(cheap(0.02)), rel=1e-3)
    page.get_by_label("maximises F").check()
    cells = [float(text) for text in page.locator("#numbers td").all_inner_texts()[1:]]
    assert cells[5] == cells[6] == pytest.approx(float(high(0.02)), rel=1e-3)
    told = page.locator("#best-f").inner_text()
    threshold = float(re.search(r"at or above ([\d.]+);", told)[1])
    exact = float(high.threshold(0.02))
    assert threshold == pytest.approx(exact, abs=2e-4)
    assert threshold <= exact


def test_each_setting_has_an_address_that_brings_it_back(watched: Watched) -> None:
    page = explorer(watched)
    page.get_by_label("Score table of this run").first.select_option("two (large)")
    page.get_by_label("Share of positives, P(+), as a number").fill("0.07")
    page.get_by_label("A miss costs … times a false alarm, as a number").fill("12")
    page.locator("#threshold").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    until(page, "location.hash.includes('aim=hand')")
    shown = "[...document.querySelectorAll('#numbers td')].map((cell) => cell.innerText).join()"
    wanted, address = page.evaluate(shown), page.url
    page.goto("about:blank")
    page.goto(address)
    until(page, DRAWN, timeout=SLOW)
    assert page.evaluate(shown) == wanted
    assert page.locator("#prior-number").input_value() == "0.07"
    assert page.locator("#m-number").input_value() == "12"
    # Another address in the same page is another setting; one that names no table changes nothing.
    page.evaluate("location.hash = location.hash.replace('prior=0.07', 'prior=0.2')")
    expect(page.locator("#best-cost")).to_contain_text("With 20 % positives")
    page.evaluate("location.hash = '#table'")
    expect(page.locator("#best-cost")).to_contain_text("With 20 % positives")
    # A wrong number is said in words.
    page.get_by_label("Share of positives, P(+), as a number").fill("2")
    expect(page.locator("#charts-said")).to_contain_text("a number from 0.0001 to 0.9999")
    page.get_by_label("Share of positives, P(+), as a number").fill("0.2")
    expect(page.locator("#charts-said")).to_have_text("")
    page.get_by_label("A miss costs … times a false alarm, as a number").fill("1")
    page.get_by_label("costs least").check()


def test_one_point_moves_through_all_spaces(watched: Watched) -> None:
    page = explorer(watched)
    names = ["roc", "pr", "p-roc", "cost", "brier", "f"]
    script = """(names) => names.map((name) => {
      const point = document.getElementById(name).data.find((trace) => trace.mode === "markers");
      return [point.x[0], point.y[0]];
    })"""
    before = page.evaluate(script, names)
    page.get_by_label("Weight of precision in F, as a number").fill("0.5")
    page.locator("#threshold").focus()
    for _ in range(12):
        page.keyboard.press("ArrowRight")
    expect(page.locator("#aim-hand")).to_be_checked()
    # While a key repeats, only the charts in sight are drawn: the rest once it rests.
    settled = f"""(old) => {{
      const shown = document.querySelectorAll("#numbers td");
      const cells = [...shown].map((cell) => Number(cell.innerText));
      const told = [cells[1], cells[3], cells[3], cells[4], cells[4], cells[6]];
      return ({script})({names}).every(
        ([, y], k) => y !== old[k][1] && Math.abs(y - told[k]) < 1e-3 * told[k]);
    }}"""
    until(page, settled, before)
    (fpr, tpr), (recall, precision), *_, (_, f) = page.evaluate(script, names)
    assert recall == tpr
    prior = float(page.locator("#prior-number").input_value())
    expected = prior * tpr / (prior * tpr + (1 - prior) * fpr)
    assert precision == pytest.approx(expected, rel=1e-3)
    assert f == pytest.approx(2 / (1 / precision + 1 / recall), rel=1e-6)


def test_what_is_kept_of_a_large_table_has_the_same_envelope(watched: Watched) -> None:
    page = explorer(watched)
    page.get_by_label("Score table of this run").first.select_option("two (large)")
    expect(page.locator("#told")).to_contain_text("thresholds are kept")
    page.get_by_label("Share of positives, P(+), as a number").fill("0.3")
    points = operating_points(*score_tables()["two (large)"].binary("sick"))
    cost = float(page.locator("#numbers td").nth(5).inner_text())
    assert cost == pytest.approx(float(lower_envelope(points)(0.3)), rel=1e-3)


def test_the_weights_of_three_classes_follow_the_costs(watched: Watched) -> None:
    page = explorer(watched)
    table = score_tables()["three"]
    page.locator("#table-three").select_option("three")
    cells = page.locator("[id^=count-]")
    before = np.array([int(text) for text in cells.all_inner_texts()]).reshape(3, 3)
    assert before.sum() == len(table.y)
    assert before.sum(axis=1).tolist() == np.bincount(table.y).tolist()
    page.get_by_label("Cost of taking unknown for sick").fill("50")
    page.get_by_label("Cost of taking unknown for well").fill("50")
    after = np.array([int(text) for text in cells.all_inner_texts()]).reshape(3, 3)
    assert after[2, 2] > before[2, 2]
    assert after[2, 2] > 0.97 * after[2].sum()
    page.get_by_label("Cost of taking unknown for sick").fill("-1")
    expect(page.get_by_label("Cost of taking unknown for sick")).to_have_attribute(
        "aria-invalid", "true"
    )


@pytest.mark.check
def test_axe_and_the_keyboard(watched: Watched) -> None:
    page = explorer(watched)
    page.locator("#surface").scroll_into_view_if_needed()
    until(page, SOLID.format("#surface"), timeout=SLOW)
    accessible(watched)
    wanted = {"table", "prior", "prior-number", "m", "alpha", "threshold"}
    wanted |= {"table-three", "cost-01", "cost-21"}
    page.locator("#table").focus()
    seen = set()
    for _ in range(60):
        seen.add(focused(page, "id"))
        page.keyboard.press("Tab")
    assert wanted <= seen
    assert len([name for name in seen if name.startswith("aim-")]) == 1
    turn = page.get_by_label("Turn")
    turn.focus()
    eye = "() => document.getElementById('surface').layout.scene.camera.eye.x"
    before = page.evaluate(eye)
    page.keyboard.press("ArrowRight")
    assert page.evaluate(eye) != before


@pytest.mark.check
def test_a_figure_is_turned_when_asked(watched: Watched) -> None:
    page = watched.open("soleymani2020-3")
    assert page.evaluate("window.Plotly === undefined && window.OPCHAR_PLOTLY === undefined")
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    button = page.get_by_role("button", name="Turn Figure 4 in three dimensions")
    button.focus()
    page.keyboard.press("Enter")
    until(page, SOLID.format(".view"), timeout=SLOW)
    expect(page.locator(".views figcaption")).to_have_text("A bowl & a line.")
    expect(page.get_by_label("Turn")).to_be_focused()
    kinds = page.evaluate("document.querySelector('.view').data.map((trace) => trace.type)")
    assert kinds == ["surface", "scatter3d", "scatter3d"]
    heights = np.array(page.evaluate("document.querySelector('.view').data[0].z"))
    x, y = np.meshgrid(np.linspace(0, 1, 9), np.linspace(0, 1, 7), indexing="ij")
    np.testing.assert_allclose(heights, 1 - x * y, atol=5e-5)
    accessible(watched)


def test_no_control_is_wider_than_its_column(watched: Watched) -> None:
    """Margins of sliders put a bar under the controls, by which they could be scrolled."""
    wider = "[...document.querySelectorAll('.controls')].map(it => it.scrollWidth - it.clientWidth)"
    assert max(explorer(watched).evaluate(wider)) == 0


def test_nothing_is_wider_than_a_phone(watched: Watched) -> None:
    watched.page.set_viewport_size({"width": 390, "height": 844})
    page = explorer(watched)
    until(page, "document.documentElement.scrollWidth <= 390")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_lost_library_is_told_and_the_answers_stay(
    browser: Browser, tmp_path: Path, report: Path
) -> None:
    for name in ("explorer.html", *(p.relative_to(report) for p in report.rglob("assets/**/*.*"))):
        if Path(name).name != "plotly.js":
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_bytes((report / name).read_bytes())
    page = browser.new_page()
    page.goto((tmp_path / "explorer.html").as_uri())
    expect(page.locator("#charts-said")).to_contain_text("assets/plotly.js cannot be read")
    expect(page.locator("#best-cost")).to_contain_text("the cheapest is to")
    page.close()
