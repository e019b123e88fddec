"""The report before independent tools: each is left out by name where it is not installed."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
import rocrate

from checkout import ROOT
from nu import html_complaints

# https://w3id.org/ro/terms/workflow-run/context as published; the rest is the context of 1.1.
RUN_TERMS = ("ParameterConnection", "connection", "sourceParameter", "targetParameter")
RUN_TERMS += ("md5", "sha1", "sha256", "sha512")
LATER = {"creditText"}
BIOSCHEMAS = {
    "ComputationalWorkflow": "ComputationalWorkflow",
    "FormalParameter": "FormalParameter",
    "input": "ComputationalWorkflow#input",
    "output": "ComputationalWorkflow#output",
}
BOOK = (
    r"\documentclass{article}\usepackage{array,booktabs,siunitx}\usepackage[table]{xcolor}"
    r"\begin{document}%s\end{document}"
)
# What a tabular wider than a column of 345 pt leaves in the log.
MEASURED = (
    (r"\begin{tabular}", r"\setbox0=\hbox{\begin{tabular}"),
    (r"\end{tabular}", r"\end{tabular}}\ifdim\wd0>345pt\errmessage{\the\wd0}\fi\box0"),
)


def test_the_pages_are_valid_html(folder):
    assert html_complaints(folder) == []


def test_the_checker_would_notice(folder, tmp_path):
    text = (folder / "cite.html").read_text(encoding="utf-8")
    wrong = text.replace('role="region" aria-label="BibTeX', 'aria-label="BibTeX', 1)
    assert wrong != text
    (tmp_path / "cite.html").write_text(wrong, encoding="utf-8")
    assert len(html_complaints(tmp_path)) == 1


def crate_issues(folder: Path) -> list[str]:
    """Return the unmet requirements of the profile Workflow Run Crate, without a network."""
    models = pytest.importorskip(
        "rocrate_validator.models", reason="no RO-Crate validator: pip install roc-validator"
    )
    import requests
    from rocrate_validator import services
    from rocrate_validator.utils.http import HttpRequester

    terms = Path(rocrate.__file__).parent / "data/ro-crate.jsonld"
    base = json.loads(terms.read_text(encoding="utf-8"))["@context"]
    # The installed context is a later one than that of 1.1.
    base = {name: said for name, said in base.items() if name not in LATER}
    base |= {name: f"https://bioschemas.org/{place}" for name, place in BIOSCHEMAS.items()}
    vocabulary = "https://w3id.org/ro/terms/workflow-run"
    run = {name: f"{vocabulary}#{name}" for name in RUN_TERMS}
    known = {"https://w3id.org/ro/crate/1.1/context": base, f"{vocabulary}/context": run}

    def answer(_: object, url: str, **__: object) -> requests.Response:
        response = requests.Response()
        response.status_code, response.url = 200, url
        response.headers["Content-Type"] = "application/ld+json"
        response._content = json.dumps({"@context": known[url]}).encode()
        return response

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(HttpRequester, "get", answer, raising=False)
        found = services.validate(
            services.ValidationSettings(
                rocrate_uri=str(folder),
                profile_identifier="workflow-run-crate",
                requirement_severity=models.Severity.REQUIRED,
            )
        )
    return [f"{issue.check.identifier}: {issue.message}" for issue in found.get_issues()]


def test_the_crate_meets_its_profile(folder):
    assert crate_issues(folder) == []


def test_the_validator_would_notice(folder, tmp_path):
    text = (folder / "ro-crate-metadata.json").read_text(encoding="utf-8")
    said = json.loads(text)
    for entity in said["@graph"]:
        if entity["@id"] == "./":
            del entity["mainEntity"]
    shutil.copytree(folder, tmp_path / "crate")
    (tmp_path / "crate/ro-crate-metadata.json").write_text(json.dumps(said), encoding="utf-8")
    assert crate_issues(tmp_path / "crate")


def test_the_citation_file_is_valid():
    cffconvert = pytest.importorskip("cffconvert", reason="no cffconvert: pip install cffconvert")
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert cffconvert.Citation(text).validate() is None
    with pytest.raises(Exception, match="titel"):  # the check would notice
        cffconvert.Citation(text.replace("title:", "titel:", 1)).validate()


def test_the_bibliography_is_read_and_formatted(folder, given):
    database = pytest.importorskip("pybtex.database", reason="no pybtex: pip install pybtex")
    import pybtex

    text = (folder / "citations.bib").read_text(encoding="utf-8")
    entries = database.parse_string(text, "bibtex").entries
    keys = {"opchar", *given.papers["paper"]}
    keys |= {f"data-{used.key}" for used in given.data}
    assert set(entries) == keys
    assert all(entry.fields["title"] for entry in entries.values())
    formatted = pybtex.format_from_string(text, style="plain", output_backend="plaintext")
    assert formatted.count("\n[") + formatted.startswith("[") == len(keys)


def test_tables_compile(folder, tmp_path):
    command = next(filter(None, map(shutil.which, ("tectonic", "pdflatex"))), None)
    if command is None:
        pytest.skip("no LaTeX: install tectonic or pdflatex")
    found = shutil.which("kpsewhich")
    if found and not subprocess.run([found, "siunitx.sty"], capture_output=True).stdout:
        pytest.skip("LaTeX without siunitx: install texlive-science")
    tables = sorted((folder / "files").rglob("*.tex"))
    assert tables
    body = "".join(table.read_text(encoding="utf-8") for table in tables)
    for old, new in MEASURED:
        body = body.replace(old, new)
    (tmp_path / "tables.tex").write_text(BOOK % body, encoding="utf-8")
    more = ["-interaction=nonstopmode", "-halt-on-error"] if "pdflatex" in command else []
    done = subprocess.run(
        [command, *more, "tables.tex"], cwd=tmp_path, capture_output=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stdout[-2000:]
    assert (tmp_path / "tables.pdf").stat().st_size > 5_000
