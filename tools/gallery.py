"""Write docs/gallery: six figures of a run at 150 dots an inch, and six pictures of its report.

python tools/gallery.py [results/quick] [--browser chromium]
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parents[1]
GALLERY = ROOT / "docs/gallery"
SHOWN = {
    "soleymani2020/figure-4": "Two classifiers in ROC, precision-recall, cost and F-measure space, "
    "and where they tie in each.",
    "soleymani2020/figure-A.12": "Boolean combination of two classifiers in ROC and F-measure "
    "space, from their scores and by the formulas for independence.",
    "landgrebe2007/figure-2.5": "One ROC curve and the precision-recall curves that it becomes at "
    "three priors.",
    "landgrebe2007/figure-4.8": "What one weight does to the confusion matrix of four classes.",
    "landgrebe2007/figure-5.8": "Classification against rejection: densities, three-dimensional "
    "ROC and mean performance at five rejection thresholds.",
    "tharwat2018/figure-roc-example": "The ROC curve of twenty samples, step by step.",
}
# The first minute of a reader: page, width, height, scheme, what it shows.
SCREENS = {
    "front": (
        "index.html",
        1400,
        1000,
        "light",
        "The first screen: what replicates, by publication.",
    ),
    "table": (
        "landgrebe2007-2.2.html#table-2.2",
        *(1400, 1000, "light"),
        "A table: published value and verdict in each cell, substitute data hatched.",
    ),
    "reason": (
        "landgrebe2007-2.2.html#landgrebe2007:0060",
        *(1400, 1000, "light"),
        "Why a value differs, three clicks from the first screen.",
    ),
    "deviations": (
        "summary.html",
        *(1400, 1000, "light"),
        "All deviations on one axis, and against what chance would give.",
    ),
    "dark": (
        "soleymani2020-3.html#figure-4",
        *(1400, 1000, "dark"),
        "A figure beside its values, in a dark window.",
    ),
    "explorer": (
        "explorer.html#table",
        *(1400, 1560, "light"),
        "The explorer: one operating point in every space.",
    ),
    "phone": ("soleymani2020-3.html#figure-4", 390, 844, "light", "The same figure on a phone."),
}
# All charts of a page's first section are there; at once on pages that have none.
DRAWN = """() => [...document.querySelectorAll("#two .chart-box")].every(
    (box) => box.querySelector(".main-svg"))"""
FINE, COARSE = 200, 150


def smaller(image: Image.Image, share: float) -> Image.Image:
    """Return `image` at a share of its size, in 256 colours."""
    size = round(image.width * share), round(image.height * share)
    scaled = image.convert("RGB").resize(size, Image.Resampling.LANCZOS)
    return scaled.quantize(256, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)


def figures(results: Path) -> None:
    """Copy the figures of a run, smaller."""
    for address in SHOWN:
        with Image.open(results / f"{address}.png") as image:
            smaller(image, COARSE / FINE).save(GALLERY / _file(address), optimize=True)


def screens(results: Path, browser: str) -> None:
    """Take pictures of report pages with a headless browser."""
    from playwright.sync_api import sync_playwright

    folder = (results / "report").resolve()
    options = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    with sync_playwright() as playwright:
        window = playwright.chromium.launch(executable_path=browser, args=options)
        for name, (where, width, height, scheme, _) in SCREENS.items():
            size = {"width": width, "height": height}
            page = window.new_page(viewport=size, color_scheme=scheme)
            page.goto(f"{folder.as_uri()}/{where}")
            page.wait_for_load_state("networkidle")
            page.wait_for_function(DRAWN)
            picture = GALLERY / f"report-{name}.png"
            page.screenshot(path=picture, animations="disabled")
            page.close()
            with Image.open(picture) as image:
                small = smaller(image, 1.0)
            small.save(picture, optimize=True)
        window.close()


def page() -> str:
    """Return the text of the gallery's page."""
    lines = [
        "# Gallery",
        "",
        "Made by `python tools/gallery.py` from a run of the profile `quick`.",
    ]
    lines += ["Numbers and captions of each figure are in the report.", ""]
    for address, text in SHOWN.items():
        lines += [f"**{address}.** {text}", "", f"![{address}]({_file(address)})", ""]
    lines += ["## The report", ""]
    for name, (*_, text) in SCREENS.items():
        lines += [text, "", f"![{text}](report-{name}.png)", ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def _file(address: str) -> str:
    return f"{address.replace('/', '-')}.png"


def main() -> int:
    """Write the pictures and their page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", nargs="?", type=Path, default=ROOT / "results/quick")
    parser.add_argument("--browser", help="take pictures of the report with this browser, too")
    chosen = parser.parse_args()
    GALLERY.mkdir(parents=True, exist_ok=True)
    figures(chosen.results)
    if chosen.browser:
        screens(chosen.results, chosen.browser)
    (GALLERY / "README.md").write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
