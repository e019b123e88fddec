"""Write docs/gallery: six figures of a run at 150 dots an inch, and a picture of its report.

python tools/gallery.py [results/quick] [--browser chromium]
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
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
REPORT = "The report's page of a work: figures beside their ledger lines, each with a verdict."
PAGE = "soleymani2018.html"
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


def report(results: Path, browser: str) -> None:
    """Take a picture of the top of a report page with a headless browser."""
    with tempfile.TemporaryDirectory() as folder:
        picture = Path(folder) / "page.png"
        options = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        options += ["--no-first-run", "--hide-scrollbars", "--window-size=1280,1800"]
        options += [f"--user-data-dir={folder}/profile", f"--screenshot={picture}"]
        page = (results / "report" / PAGE).resolve().as_uri()
        subprocess.run([browser, *options, page], check=True, capture_output=True, timeout=120)
        with Image.open(picture) as image:
            smaller(image, 0.6).save(GALLERY / "report.png", optimize=True)


def page() -> str:
    """Return the text of the gallery's page."""
    lines = [
        "# Gallery",
        "",
        "Made by `python tools/gallery.py` from a run of the profile `quick`.",
    ]
    lines += ["Numbers and captions of each figure are on the report's page of its work.", ""]
    for address, text in SHOWN.items():
        lines += [f"**{address}.** {text}", "", f"![{address}]({_file(address)})", ""]
    lines += [f"**The report.** {REPORT}", "", "![A page of the report](report.png)"]
    return "\n".join(lines) + "\n"


def _file(address: str) -> str:
    return f"{address.replace('/', '-')}.png"


def main() -> int:
    """Write the pictures and their page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", nargs="?", type=Path, default=ROOT / "results/quick")
    parser.add_argument("--browser", help="take the picture of the report with this browser, too")
    chosen = parser.parse_args()
    GALLERY.mkdir(parents=True, exist_ok=True)
    figures(chosen.results)
    if chosen.browser:
        report(chosen.results, chosen.browser)
    (GALLERY / "README.md").write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
