"""Draw the pictures of docs/gallery: figures of a run at 150 dots an inch, and its report.

python tools/gallery.py [results/quick] [--browser chromium]

The figures are those that docs/gallery/README.md shows; tools/gallery.csv has the pictures of the
report. A `look` is a scheme of colours, `pdf` for the first sheet as a browser prints it without
backgrounds, or `all` for what is looked at before a version: wide, dark, tablet, phone and paper.
"""

import argparse
import csv
import io
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).resolve().parents[1]
GALLERY = ROOT / "docs/gallery"
LOOKS = (
    ((1440, 900), "light", "screen"),
    ((1440, 900), "dark", "screen"),
    ((1024, 768), "light", "screen"),
    ((390, 844), "light", "screen"),
    ((688, 973), "light", "print"),
)
# All charts of a page's first section are there; at once on pages that have none.
DRAWN = """() => [...document.querySelectorAll("#two .chart-box")].every(
    (box) => box.querySelector(".main-svg"))"""
FINE, COARSE, GAP = 200, 150, 12


def smaller(image: Image.Image, share: float = 1.0, colours: int = 256) -> Image.Image:
    """Return `image` at a share of its size, in few colours, so that pictures stay small."""
    size = round(image.width * share), round(image.height * share)
    scaled = image.convert("RGB").resize(size, Image.Resampling.LANCZOS)
    return scaled.quantize(colours, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)


@contextmanager
def started(browser: str | None) -> Iterator["Browser"]:
    """Yield a headless browser."""
    from playwright.sync_api import sync_playwright

    options = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    with sync_playwright() as playwright:
        window = playwright.chromium.launch(executable_path=browser, args=options)
        yield window
        window.close()


@contextmanager
def opened(
    window: "Browser", address: str, size: tuple[int, int], scheme="light", media="screen"
) -> Iterator["Page"]:
    """Yield a page in a window of a size, with its charts drawn."""
    width, height = size
    page = window.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
    page.emulate_media(media=media)
    page.goto(address)
    page.wait_for_load_state("networkidle")
    page.wait_for_function(DRAWN)
    yield page
    page.close()


def screen(page: "Page") -> Image.Image:
    """Return what a page shows."""
    return Image.open(io.BytesIO(page.screenshot(animations="disabled")))


def first_sheet(page: "Page") -> Image.Image:
    """Return the first sheet of a page as PDF (needs pdftoppm of poppler)."""
    with tempfile.TemporaryDirectory() as folder:
        page.pdf(path=f"{folder}/page.pdf", format="A4")
        command = ["pdftoppm", "-png", "-r", "90", "-singlefile", "page.pdf", "page"]
        subprocess.run(command, cwd=folder, check=True)
        return Image.open(io.BytesIO((Path(folder) / "page.png").read_bytes()))


def figures(results: Path) -> None:
    """Copy the figures of a run that the page of the gallery shows, smaller."""
    page = (GALLERY / "README.md").read_text(encoding="utf-8")
    for address, name in re.findall(r"!\[(\w+/[^]]+)\]\(([^)]+)\)", page):
        with Image.open(next(results.glob(f"{address.replace('/', '/*/')}.png"))) as image:
            smaller(image, COARSE / FINE).save(GALLERY / name, optimize=True)


def analysis(folder: Path) -> Path:
    """Analyse the scores of the tour, and return the page."""
    tour = (ROOT / "docs/tour.md").read_text(encoding="utf-8")
    subprocess.run([sys.executable, "-c", tour.split("```python\n")[1].split("```")[0]], cwd=folder)
    asked = ["--positive", "malignant", "--prior", "0.02", "--cost", "1,20"]
    command = [sys.executable, "-m", "opchar", "analyse", "logistic.csv", *asked]
    subprocess.run(command, cwd=folder, check=True)
    return folder / "logistic-analysis/index.html"


def sheet(window: "Browser", address: str) -> Image.Image:
    """Return all looks of a page below and beside each other, at half size."""
    small = []
    for look in LOOKS:
        with opened(window, address, *look) as page:
            small.append(smaller(screen(page), 0.5).convert("RGB"))
    rows = [small[:2], small[2:]]
    width = max(sum(each.width + GAP for each in row) for row in rows)
    tops = [0, max(each.height for each in rows[0]) + GAP]
    whole = Image.new("RGB", (width, tops[1] + max(e.height for e in rows[1])), "#888888")
    for row, top in zip(rows, tops, strict=True):
        left = 0
        for each in row:
            whole.paste(each, (left, top))
            left += each.width + GAP
    return smaller(whole)


def screens(results: Path, browser: str) -> None:
    """Take the pictures of report pages."""
    report = (results / "report").resolve().as_uri()
    with (
        started(browser) as window,
        tempfile.TemporaryDirectory() as folder,
        (ROOT / "tools/gallery.csv").open(newline="", encoding="utf-8") as rows,
    ):
        for row in csv.DictReader(rows):
            address = f"{report}/{row['page']}" if row["page"] else analysis(Path(folder)).as_uri()
            if row["look"] == "all":
                seen = sheet(window, address)
            elif row["look"] == "pdf":
                with opened(window, address, (1280, 720), media="print") as page:
                    seen = smaller(first_sheet(page))
            else:
                size = int(row["width"]), int(row["height"])
                with opened(window, address, size, row["look"]) as page:
                    seen = smaller(screen(page))
            seen.save(GALLERY / f"{row['picture']}.png", optimize=True)


def main() -> int:
    """Draw the pictures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", nargs="?", type=Path, default=ROOT / "results/quick")
    parser.add_argument("--browser", help="take pictures of the report with this browser, too")
    chosen = parser.parse_args()
    figures(chosen.results)
    if chosen.browser:
        screens(chosen.results, chosen.browser)
    return 0


if __name__ == "__main__":
    sys.exit(main())
