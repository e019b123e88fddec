"""A certificate of one page: what was attempted, on which data, with which outcome."""

from collections.abc import Mapping
from html import escape
from typing import Any

import yaml

from opchar_reproduction.report.comparison.outcomes import OUTCOMES, count_outcomes, details
from opchar_reproduction.report.content import Content

MANIFEST = "codecheck.yml"
FORMAT = "https://codecheck.org.uk/spec/config/1.0"
CERTIFICATE = (MANIFEST, "certificate.html")
# In the template, at the end of the list of versions.
PLACE = "<!-- the origin of a published copy -->"


def certificate(content: Content) -> dict[str, Any]:
    """Return what the page of the certificate shows."""
    table = content.counts
    works = []
    for paper in content.papers["paper"]:
        lines = content.ledger[content.ledger["paper"] == paper]
        listed = content.catalogue.loc[content.catalogue["paper"] == paper, "artefact"]
        works.append(
            {
                "paper": paper,
                "listed": len(listed),
                "missing": sum(f"{paper}/{label}" not in content.artefacts for label in listed),
                "found": count_outcomes(table, paper),
                "why_not": details(lines, "not testable"),
            }
        )
    return {
        "works": works,
        "substitutes": [used for used in content.data if used.stand_in],
        "digests": dict(sorted(content.versions.items())),
    }


def manifest(content: Content) -> str:
    """Return the certificate as the configuration of a CODECHECK, in YAML.

    It has neither commit nor hours, which that of the logs has: the same run gives the same bytes.
    """
    found = count_outcomes(content.counts, "all")
    outcomes = ", ".join(f"{found[name]} {name}" for name in OUTCOMES)
    return yaml.safe_dump(
        {
            "version": FORMAT,
            "paper": [
                {
                    "title": work["title"],
                    "authors": [{"name": name} for name in work["authors"].split("; ")],
                    "reference": f"https://doi.org/{work['doi']}" if work["doi"] else "",
                }
                for work in content.papers.to_dict("records")
            ],
            "manifest": [
                {"file": "ledger.csv", "comment": "each published value beside the reproduced one"},
                {"file": "index.html", "comment": "the report"},
                {"file": "certificate.html", "comment": "digests of the code that ran"},
                {"file": "ro-crate-metadata.json", "comment": "inputs, versions and every file"},
            ],
            "codechecker": [{"name": "OpChar, by its own run; no person has signed it"}],
            "summary": f"{len(content.ledger)} published values and claims: {outcomes}.",
            "software": dict(content.run),
        },
        sort_keys=False,
        allow_unicode=True,
    )


def stamp(text: str, origin: Mapping[str, str], name: str) -> str:
    """Return a file of the certificate with the origin of the report."""
    if name == MANIFEST:
        return text + "".join(yaml.safe_dump({k: v}) for k, v in origin.items())
    named = ((name.replace("_", " "), said) for name, said in origin.items())
    lines = (f"<div><dt>{escape(k)}</dt><dd>{escape(v)}</dd></div>" for k, v in named)
    return text.replace(PLACE, "\n".join([*lines, PLACE]))
