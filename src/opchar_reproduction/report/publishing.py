"""A report as a folder that any static host can serve as it is."""

import csv
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import yaml

from opchar.errors import OpcharError
from opchar.files import replacing_folder, write_text
from opchar_reproduction.report.exports.certificate import CERTIFICATE, MANIFEST, stamp

LARGEST = 30_000_000
# Only trainings and experiments are timed.
COMMIT, HOURS = "commit", "hours of trainings and experiments"
TIME = "check_time"
PAGE = "index.html"
_LINKS = {"href", "src", "poster", "data"}
_TEXTS = {".html", ".css", ".js", ".csv", ".json", ".svg", ".yml", ".md", ".tex", ".txt"}
_IN_STYLE = re.compile(r"url\(\s*['\"]?([^'\")]+)")
# A file on a disk, as only a machine can resolve it.
_OF_A_MACHINE = re.compile(r"file://[\w/]|(?<![\w./:-])/(?:home|root|Users|tmp|work|var)/[\w.-]")


class _Links(HTMLParser):
    """The links and the ids of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in _LINKS and value:
                self.links.append(value)
            elif name == "id" and value:
                self.ids.add(value)


def certify(report: Path, logs: Path) -> None:
    """Write the certificate of a run that has ended, with its commit and hours, to the logs."""
    if (report / MANIFEST).is_file():
        text = (report / MANIFEST).read_text(encoding="utf-8")
        write_text(stamp(text, origin(logs), MANIFEST), logs / MANIFEST)


def recorded_origin(report: Path, logs: Path) -> dict[str, str]:
    """Return the origin of a report by the certificate of its run, or as it is now without one."""
    files = logs / MANIFEST, report / MANIFEST
    if all(file.is_file() for file in files):
        text, known = (file.read_text(encoding="utf-8") for file in files)
        if text.startswith(known):
            said = yaml.safe_load(text.removeprefix(known))
            return {str(name): str(value) for name, value in said.items()}
    return origin(logs)


def origin(logs: Path) -> dict[str, str]:
    """Return the time, the commit of the checkout, and the hours by the benchmarks in `logs`."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    found = {TIME: now, COMMIT: "unknown: no Git checkout"}
    if (commit := _git("rev-parse", "HEAD")) is not None:
        changed = ", with changes that are not committed" if _git("status", "--porcelain") else ""
        found[COMMIT] = commit + changed
    seconds = []
    for path in logs.rglob("*.tsv"):
        with path.open(encoding="utf-8", newline="") as file:
            seconds += [float(row["s"]) for row in csv.DictReader(file, delimiter="\t")]
    if seconds:
        found[HOURS] = f"{sum(seconds) / 3600:.2f} in {len(seconds)} jobs"
    return found


def _git(*arguments: str) -> str | None:
    """Return what Git says of the folder, or None without Git or a checkout."""
    try:
        said = subprocess.run(["git", *arguments], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return said.stdout.strip()


def publish(report: Path, folder: Path, of: Mapping[str, str]) -> list[Path]:
    """Copy a report into a folder, if it works there without anything else.

    `of`: What the certificate of the copy says besides: the `origin` of the report.
    """
    if not (report / PAGE).is_file():
        raise OpcharError(f"there is no report in {report}: opchar run")
    occupied = folder.exists() and (not folder.is_dir() or any(folder.iterdir()))
    if occupied and not all((folder / name).is_file() for name in (PAGE, "ledger.csv")):
        raise OpcharError(f"{folder} is not empty, and no report: name a new folder")
    inner, outer = report.resolve(), folder.resolve()
    if inner.is_relative_to(outer) or outer.is_relative_to(inner):
        raise OpcharError(f"{folder} lies in the report, or holds it: name another folder")
    found = list(faults(report))
    if found:
        more = f"; and {len(found) - 5} more faults" if len(found) > 5 else ""
        raise OpcharError(f"the report cannot be published: {'; '.join(found[:5])}{more}")
    with replacing_folder(outer) as made:
        shutil.copytree(report, made, dirs_exist_ok=True, copy_function=shutil.copyfile)
        for name in CERTIFICATE:
            if (made / name).is_file():
                text = (made / name).read_text(encoding="utf-8")
                (made / name).write_text(stamp(text, of, name), encoding="utf-8")
    return [path.relative_to(outer) for path in _files(outer)]


def faults(report: Path) -> Iterator[str]:
    """Yield what would not work on a static host.

    Returns: Links without a target, paths of a machine, links out of the folder, too many bytes.
    """
    report = report.resolve()
    files = _files(report)
    size = sum(path.stat().st_size for path in files)
    if size > LARGEST:
        yield f"{size / 1e6:.1f} MB, where {LARGEST // 10**6} MB are the limit"
    texts = {path: path.read_text(encoding="utf-8") for path in files if path.suffix in _TEXTS}
    pages = {path: _Links(text) for path, text in texts.items() if path.suffix == ".html"}
    for path, text in texts.items():
        name = path.relative_to(report)
        if on_a_machine := _OF_A_MACHINE.search(text):
            yield f"{name} names a path of this machine ({on_a_machine[0]}...)"
        links = pages[path].links if path in pages else []
        links = links + (_IN_STYLE.findall(text) if path.suffix == ".css" else [])
        for link in dict.fromkeys(links):
            if fault := _fault(link, path, report, pages):
                yield f"{name}: {fault} ({link})"


def _fault(link: str, page: Path, report: Path, pages: dict[Path, _Links]) -> str:
    """Return what is wrong with a link of a page, or nothing."""
    parts = urlsplit(link)
    if parts.scheme in ("http", "https", "mailto", "data", "blob"):
        return ""
    if parts.scheme or parts.netloc or parts.path.startswith("/"):
        return "a link that depends on the host"
    target = page if not parts.path else (page.parent / unquote(parts.path)).resolve()
    if not target.is_relative_to(report):
        return "a link out of the folder"
    if not target.is_file():
        return "a link without a target"
    # Anchors with "=" are settings that scripts read.
    anchor = unquote(parts.fragment)
    if anchor and "=" not in anchor and target in pages and anchor not in pages[target].ids:
        return "a link to a place that the page does not have"
    return ""


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())
