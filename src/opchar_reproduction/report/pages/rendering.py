"""Rendering of pages: templates, their filters, and the files of a report."""

from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from jinja2 import Environment
from PIL import Image

from opchar.files import write_text
from opchar.pages import shared_text
from opchar.pages.policy import with_policy
from opchar_reproduction.report.drawing import TEMPLATES, environment
from opchar_reproduction.report.pages.glossary import with_hints
from opchar_reproduction.report.pages.parts.items import FILES, THUMBNAILS, write_small
from opchar_reproduction.report.pages.parts.lines import names
from opchar_reproduction.report.pages.parts.mathml import mathml

# Made before the pages, beside them.
NUMBERS = ("ledger.csv", "multiple-comparisons.csv", "by-artefact.csv", "by-cause.csv")
EXPLORER = "explorer"
DRAWING = f"assets/{EXPLORER}/charts.js"


@dataclass
class Report:
    """A report that is being written: its folder, and the pages and files that it has so far."""

    folder: Path
    environment: Environment
    common: dict[str, Any]
    written: list[str] = field(default_factory=list)
    pictures: list[Future[None]] = field(default_factory=list)
    beside: Executor = field(default_factory=partial(ThreadPoolExecutor, 2))

    def page(self, name: str, template: str = "", **values: Any) -> None:
        """Write ``<name>.html`` from a template, by default that of its name."""
        template = template or name
        text = self.environment.get_template(f"{template}.html").render(
            self.common, here=name, kind=template, **values
        )
        text = with_hints(text) if template in ("chapter", "paper") else text
        self.file(f"{name}.html", with_policy(text, unpacks=f'"{DRAWING}"' in text))

    def picture(self, png: Path, name: str, width: int) -> dict[str, Any]:
        """Let a thread write a small picture meanwhile; return its address and size."""
        with Image.open(png) as image:
            height = max(1, round(image.height * width / image.width))
        path, size = f"{THUMBNAILS}/{name}.webp", (width, height)
        file = self.folder / path
        # One that is newer than the figure is there while a page is written before the others.
        if not file.is_file() or file.stat().st_mtime_ns < png.stat().st_mtime_ns:
            self.pictures.append(self.beside.submit(write_small, png, file, size))
        return {"src": path, "width": width, "height": height}

    def wait(self) -> None:
        """Return when all pictures are written, or raise what was wrong with one."""
        while self.pictures:
            self.pictures.pop().result()

    def script(self, name: str) -> str:
        """Write a script of the explorer; return its address."""
        path = f"assets/{EXPLORER}/{name}"
        self.file(path, asset_text(name, TEMPLATES / EXPLORER))
        return path

    def file(self, name: str, text: str) -> None:
        """Write a text file of the report."""
        write_text(text, self.folder / name)
        self.written.append(name)

    def files(self) -> list[str]:
        """Return every file of the report, figures, tables and an existing ledger included."""
        copied = (self.folder / FILES).rglob("*")
        found = {path.relative_to(self.folder).as_posix() for path in copied if path.is_file()}
        found |= {name for name in NUMBERS if (self.folder / name).is_file()}
        return sorted(found | set(self.written))


def asset_text(name: str, folder: Path = TEMPLATES) -> str:
    """Return the text of a style sheet or script: of the report, or shared with other pages."""
    own = folder / name
    return own.read_text(encoding="utf-8") if own.exists() else shared_text(name)


def page_templates() -> Environment:
    """Return the environment of the templates of pages."""
    made = environment()
    made.filters |= {"names": names, "mathml": mathml}
    return made
