"""The first screens of analyses that people would make, to be looked at before a version.

Out-of-fold scores of five public problems (two models each) are analysed, and the page is drawn on
a wide screen, on a phone and as printed; axe's complaints are told. The pictures that were last
looked at are in ``docs/gallery``; `python tools/gallery.py` lists them.

    OMP_NUM_THREADS=1 python benchmarks/first_screens.py MIRROR FOLDER
"""

from __future__ import annotations

import argparse
import io
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
from decisions import MODELS, objects
from PIL import Image
from sklearn.datasets import load_digits
from sklearn.model_selection import StratifiedKFold, cross_val_predict

SIZES = {"wide": (1440, 900), "phone": (390, 844), "print": (794, 1123)}
# Problem: what is asked.
ASKED = {
    "breast_cancer": ["--prior", "0.02", "--cost", "1,5"],
    "digits": ["--resamples", "100"],
    "yeast3": ["--cost", "1,5", "--max-fnr", "0.1"],
    "vehicle1": ["--alerts", "50/500"],
    "page-blocks0": ["--prior", "0.05", "--cost", "1,20", "--rule", "search"],
}
USED = ("logistic", "forest")


def scored(title: str, mirror: Path) -> dict[str, pd.DataFrame]:
    """Return a table of out-of-fold scores; of more than two classes one for each model."""
    X, y = load_digits(return_X_y=True) if title == "digits" else objects(title, mirror)
    fold = np.empty(len(y), dtype=int)
    splits = list(StratifiedKFold(10, shuffle=True, random_state=0).split(X, y))
    for number, (_, test) in enumerate(splits):
        fold[test] = number
    found = {
        name: cross_val_predict(MODELS[name], X, y, cv=splits, method="predict_proba")
        for name in USED
    }
    own = pd.DataFrame({"y": y, "fold": fold})
    if found[USED[0]].shape[1] == 2:
        return {title: own.assign(**{name: part[:, 1] for name, part in found.items()})}
    return {name: own.join(pd.DataFrame(part)) for name, part in found.items()}


def analysed(title: str, mirror: Path, folder: Path) -> Path:
    """Analyse a problem by the command, and return its page."""
    place = folder / title
    place.mkdir(parents=True, exist_ok=True)
    files = []
    for name, table in scored(title, mirror).items():
        files.append(str(place / f"{name}.csv"))
        table.to_csv(files[-1], index=False)
    command = [sys.executable, "-m", "opchar", "analyse", *files, *ASKED[title]]
    subprocess.run([*command, "--output", str(place / "analysis"), "--quiet"], check=True)
    return place / "analysis/index.html"


def drawn(pages: dict[str, Path], folder: Path, browser: str | None) -> None:
    """Draw the first screen of each page in all sizes, and print what axe finds."""
    from axe_playwright_python.sync_playwright import Axe
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        window = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        for title, path in pages.items():
            for size, (width, height) in SIZES.items():
                page = window.new_page(viewport={"width": width, "height": height})
                page.emulate_media(media="print" if size == "print" else "screen")
                page.goto(path.as_uri())
                seen = Image.open(io.BytesIO(page.screenshot(animations="disabled")))
                # Few colours, so that pictures stay small.
                few = seen.convert("RGB").quantize(48, dither=Image.Dither.NONE)
                few.save(folder / f"analyse-{title}-{size}.png", optimize=True)
                if size != "print":
                    found = Axe().run(page, options={"resultTypes": ["violations"]})
                    said = [each["id"] for each in found.response["violations"]]
                    wide = page.evaluate("document.documentElement.scrollWidth") > width
                    print(f"{title}, {size}: axe {said or 'clean'}{', too wide' if wide else ''}")
                page.close()
        window.close()


def main() -> None:
    """Analyse and draw."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("mirror", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--browser", default=shutil.which("chromium"), help="an executable")
    chosen = parser.parse_args()
    folder = chosen.folder.resolve()
    pages = {title: analysed(title, chosen.mirror, folder) for title in ASKED}
    drawn(pages, folder, chosen.browser)


if __name__ == "__main__":
    main()
