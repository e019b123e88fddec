"""The first screens of analyses and checks, to be looked at before a version.

Out-of-fold scores of six public problems (two models each) are analysed, and two printed tables
are checked. Each page is drawn on a wide screen, on a phone, as printed and as the first page of a
PDF without backgrounds; axe's complaints are told. The pictures that were last
looked at are in ``docs/gallery``.

    OMP_NUM_THREADS=1 python benchmarks/first_screens.py MIRROR FOLDER
"""

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
from decisions import MODELS, SETS, objects
from sklearn.datasets import load_digits
from sklearn.model_selection import StratifiedKFold, cross_val_predict

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from gallery import first_sheet, opened, screen, smaller, started

SIZES = {"wide": (1440, 900), "phone": (390, 844), "print": (794, 1123), "pdf": (794, 1123)}
# Problem: what is asked.
ASKED = {
    "breast_cancer": ["--prior", "0.02", "--cost", "1,5"],
    "digits": ["--resamples", "100"],
    "yeast3": ["--cost", "1,5", "--max-fnr", "0.1"],
    "vehicle1": ["--alerts", "50/500"],
    "page-blocks0": ["--prior", "0.05", "--cost", "1,20", "--rule", "search"],
}
SETS["abalone19"] = ("keel-imbalanced", ())
ASKED["abalone19"] = ["--cost", "1,50", "--max-fpr", "0.05"]
# A table that cannot be, whatever the sizes, and one that states them.
CHECKED = {
    "rates": ("model,accuracy,sensitivity,specificity\nA,0.895,0.88,0.87\nB,0.91,0.90,0.92\n", []),
    "counts": (
        "model,TP,TN,FP,FN,precision,F1\nA,36,658,297,9,0.108,0.191\nB,40,700,255,5,0.136,0.235\n",
        ["--positives", "45", "--negatives", "955"],
    ),
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


def checked(title: str, folder: Path) -> Path:
    """Check a printed table by the command, and return its page."""
    text, options = CHECKED[title]
    place = folder / title
    place.mkdir(parents=True, exist_ok=True)
    (place / "table.csv").write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "opchar", "check", "table.csv", *options]
    subprocess.run([*command, "--page", "page.html"], check=True, cwd=place)
    return place / "page.html"


def drawn(pages: dict[str, Path], folder: Path, browser: str | None) -> None:
    """Draw the first screen of each page in all sizes, and print what axe finds."""
    from axe_playwright_python.sync_playwright import Axe

    with started(browser) as window:
        for title, path in pages.items():
            for name, size in SIZES.items():
                media = "print" if name in ("print", "pdf") else "screen"
                with opened(window, path.as_uri(), size, media=media) as page:
                    seen = first_sheet(page) if name == "pdf" else screen(page)
                    smaller(seen, colours=128).save(folder / f"{title}-{name}.png", optimize=True)
                    if media == "screen":
                        found = Axe().run(page, options={"resultTypes": ["violations"]})
                        said = [each["id"] for each in found.response["violations"]] or "clean"
                        wide = page.evaluate("document.documentElement.scrollWidth") > size[0]
                        print(f"{title}, {name}: axe {said}{', too wide' if wide else ''}")


def main() -> None:
    """Analyse and draw."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("mirror", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--browser", default=shutil.which("chromium"), help="an executable")
    parser.add_argument("--only", nargs="*", default=[*ASKED, *CHECKED], help="problems or tables")
    chosen = parser.parse_args()
    folder = chosen.folder.resolve()
    pages = {
        f"analyse-{title}": analysed(title, chosen.mirror, folder)
        for title in ASKED
        if title in chosen.only
    }
    pages |= {f"check-{title}": checked(title, folder) for title in CHECKED if title in chosen.only}
    drawn(pages, folder, chosen.browser)


if __name__ == "__main__":
    main()
