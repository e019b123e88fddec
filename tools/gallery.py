"""Write docs/gallery: six figures of a run at 150 dots an inch, and pictures of its report.

python tools/gallery.py [results/quick] [--browser chromium]
"""

import argparse
import io
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parents[1]
GALLERY = ROOT / "docs/gallery"
SHOWN = {
    "soleymani2020/figure-4": "Two classifiers in four spaces, and where they tie in each.",
    "soleymani2020/figure-A.12": "Boolean combination of two classifiers in ROC and F-measure "
    "space, from their scores and by the formulas for independence.",
    "landgrebe2007/figure-2.5": "One ROC curve and the precision-recall curves that it becomes at "
    "three priors.",
    "landgrebe2007/figure-4.8": "What one weight does to the confusion matrix of four classes.",
    "landgrebe2007/figure-5.8": "Classification against rejection: densities, three-dimensional "
    "ROC and mean performance at five rejection thresholds.",
    "tharwat2018/figure-roc-example": "The ROC curve of twenty samples, step by step.",
}
ANALYSES = (
    "First screens of `opchar analyse` and `opchar check` on a phone, in print, as PDF and wide "
    "(`python benchmarks/first_screens.py MIRROR FOLDER`)."
)
# The first minute of a reader: page, width, height, scheme, what it shows.
SCREENS = {
    "front": (
        "index.html",
        1400,
        1000,
        "light",
        "The first screen: the question, the result, the gravest errors.",
    ),
    "table": (
        "landgrebe2007-2.2.html#table-2.2",
        *(1400, 1000, "light"),
        "A table: published value and verdict in each cell, stand-in data hatched.",
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
    "row": (
        "landgrebe2007-2.2.html#landgrebe2007:0060",
        *(390, 844, "light"),
        "A line of the ledger on a phone, with its verdict.",
    ),
}
# Pages whose first sheet is shown as a browser prints it, without backgrounds.
PRINTED = {
    "front": ("index.html", "The front page as PDF, printed without backgrounds."),
    "section": ("landgrebe2007-2.2.html", "A section as PDF, printed without backgrounds."),
}
# Pages that are looked at in every size before a version.
LOOKED = {
    "first": ("index.html", "The front page."),
    "section": ("landgrebe2007-2.2.html", "A section."),
    "explorer": ("explorer.html", "The explorer."),
    "analyse": ("", "A page of `opchar analyse`."),
}
WIDE, TABLET, PHONE, PAPER = (1440, 900), (1024, 768), (390, 844), (688, 973)
# All charts of a page's first section are there; at once on pages that have none.
DRAWN = """() => [...document.querySelectorAll("#two .chart-box")].every(
    (box) => box.querySelector(".main-svg"))"""
FINE, COARSE, GAP = 200, 150, 12


def smaller(image: Image.Image, share: float) -> Image.Image:
    """Return `image` at a share of its size, in 256 colours."""
    size = round(image.width * share), round(image.height * share)
    scaled = image.convert("RGB").resize(size, Image.Resampling.LANCZOS)
    return scaled.quantize(256, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)


def figures(results: Path) -> None:
    """Copy the figures of a run, smaller."""
    for address in SHOWN:
        with Image.open(next(results.glob(f"{address.replace('/', '/*/')}.png"))) as image:
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
        for name, (where, _) in PRINTED.items():
            page = window.new_page()
            page.goto(f"{folder.as_uri()}/{where}")
            _first_sheet(page.pdf(format="A4"), GALLERY / f"report-{name}-pdf.png")
            page.close()
        window.close()


def _first_sheet(pdf: bytes, picture: Path) -> None:
    """Draw the first sheet of a PDF (needs pdftoppm of poppler)."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "page.pdf").write_bytes(pdf)
        command = ["pdftoppm", "-png", "-r", "90", "-singlefile", "page.pdf", "page"]
        subprocess.run(command, cwd=folder, check=True)
        with Image.open(Path(folder) / "page.png") as image:
            smaller(image, 1.0).save(picture, optimize=True)


def analysis(folder: Path) -> Path:
    """Analyse the scores of the tour, and return the page."""
    tour = (ROOT / "docs/tour.md").read_text(encoding="utf-8")
    subprocess.run([sys.executable, "-c", tour.split("```python\n")[1].split("```")[0]], cwd=folder)
    asked = ["--positive", "malignant", "--prior", "0.02", "--cost", "1,20"]
    subprocess.run(
        [sys.executable, "-m", "opchar", "analyse", "logistic.csv", *asked], cwd=folder, check=True
    )
    return folder / "logistic-analysis/index.html"


def looks(results: Path, browser: str) -> None:
    """Draw each page that is looked at in all its sizes, on one sheet."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        window = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        for name, (where, _) in LOOKED.items():
            path = results.resolve() / "report" / where if where else analysis(Path(folder))
            seen = []
            for (width, height), scheme, media in (
                (WIDE, "light", "screen"),
                (WIDE, "dark", "screen"),
                (TABLET, "light", "screen"),
                (PHONE, "light", "screen"),
                (PAPER, "light", "print"),
            ):
                page = window.new_page(
                    viewport={"width": width, "height": height}, color_scheme=scheme
                )
                page.emulate_media(media=media)
                page.goto(path.as_uri())
                page.wait_for_load_state("networkidle")
                page.wait_for_function(DRAWN)
                shot = page.screenshot(animations="disabled")
                seen.append(Image.open(io.BytesIO(shot)).convert("RGB"))
                page.close()
            _sheet(seen).save(GALLERY / f"sizes-{name}.png", optimize=True)
        window.close()


def _sheet(seen: list[Image.Image]) -> Image.Image:
    """Return pictures of a page below and beside each other, at half size."""
    small = [smaller(each, 0.5).convert("RGB") for each in seen]
    rows = [small[:2], small[2:]]
    width = max(sum(each.width + GAP for each in row) for row in rows)
    tops = [0, max(each.height for each in rows[0]) + GAP]
    sheet = Image.new("RGB", (width, tops[1] + max(e.height for e in rows[1])), "#888888")
    for row, top in zip(rows, tops, strict=True):
        left = 0
        for each in row:
            sheet.paste(each, (left, top))
            left += each.width + GAP
    return smaller(sheet, 1.0)


def page() -> str:
    """Return the text of the gallery's page."""
    lines = [
        "# Gallery",
        "",
        "Made by `python tools/gallery.py` from a run of the profile `quick`.",
        "",
    ]
    for address, text in SHOWN.items():
        lines += [f"**{address}.** {text}", "", f"![{address}]({_file(address)})", ""]
    lines += ["## The report", ""]
    for name, (*_, text) in SCREENS.items():
        lines += [text, "", f"![{name}](report-{name}.png)", ""]
    for name, (_, text) in PRINTED.items():
        if (GALLERY / f"report-{name}-pdf.png").exists():
            lines += [text, "", f"![{name}](report-{name}-pdf.png)", ""]
    lines += ["## In all sizes", "", "Wide, dark, tablet, phone, paper.", ""]
    for name, (_, text) in LOOKED.items():
        lines += [text, "", f"![{name}](sizes-{name}.png)", ""]
    lines += ["## Analyses", "", ANALYSES, ""]
    pictures = sorted(GALLERY.glob("analyse-*.png")) + sorted(GALLERY.glob("check-*.png"))
    for picture in pictures:
        lines += [f"![{picture.stem}]({picture.name})", ""]
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
        looks(chosen.results, chosen.browser)
    (GALLERY / "README.md").write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
