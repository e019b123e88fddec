"""RO-Crate metadata of a report: its runs, code, data and results.

The crate follows RO-Crate 1.1 and the profile Workflow Run Crate 0.5. It names no
machine and no time, so that the same run gives the same bytes. Its date is the date of release.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import quote

from opchar.files import write_json
from opchar_reproduction.report.content import Content, DataSet

METADATA = "ro-crate-metadata.json"
VOCABULARY = "https://w3id.org/ro/terms/workflow-run"
VERSION = "1.1"
# Not in the context of RO-Crate 1.1.
TERMS = {"sha256": f"{VOCABULARY}#sha256", "creditText": "http://schema.org/creditText"}
PROFILES = {
    "https://w3id.org/ro/wfrun/process/0.5": "Process Run Crate",
    "https://w3id.org/ro/wfrun/workflow/0.5": "Workflow Run Crate",
    "https://w3id.org/workflowhub/workflow-ro-crate/1.0": "Workflow RO-Crate",
}
ACTION, AUTHOR = "#run", "#developers"
_FORMATS = {
    ".smk": "text/plain",
    "": "text/plain",
    ".bib": "application/x-bibtex",
    ".cff": "application/yaml",
    ".yml": "application/yaml",
    ".md": "text/markdown",
    ".tex": "application/x-tex",
    ".csv": "text/csv",
    ".json": "application/json",
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".webp": "image/webp",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".pdf": "application/pdf",
}
_WORKS = {"article": "ScholarlyArticle", "conference-paper": "ScholarlyArticle", "thesis": "Thesis"}
Entity = dict[str, Any]


def write_crate(folder: Path, content: Content, files: Sequence[str], workflow: str) -> Path:
    """Write the metadata of a report."""
    from rocrate.rocrate import ROCrate

    crate = ROCrate(version=VERSION)
    crate.metadata.extra_contexts.append(f"{VOCABULARY}/context")
    crate.metadata.extra_terms |= TERMS
    for name in sorted(files):
        if name != workflow:
            crate.add_file(folder / name, name, properties=_file(folder, name, content))
    crate.add_workflow(
        folder / workflow,
        workflow,
        properties=_workflow(content),
        main=True,
        lang="snakemake",
        lang_version=content.run["snakemake"],
    )
    for name, value in _root(content).items():
        crate.root_dataset[name] = value
    for entity in _entities(content):
        crate.add_jsonld(entity)
    crate.add_jsonld(_action(content, files, workflow))
    path = folder / METADATA
    write_json(crate.metadata.generate(), path)
    return path


def _entities(content: Content) -> Iterator[Entity]:
    """Yield profiles, licence, author, software, parameters, data sets and publications."""
    yield from _profiles()
    yield _license(content)
    yield _author(content)
    yield from _software(content)
    yield from _parameters(content)
    for used in content.data:
        yield from _data_set(used)
    yield from _works(content)


def _root(content: Content) -> Entity:
    profile = content.run["profile"]
    return {
        "name": f"Report of OpChar {content.citation['version']}, profile {profile}",
        "description": f"{content.citation['title']}: figures, tables, and a ledger of "
        f"{len(content.ledger)} published values with a verdict each.",
        "datePublished": content.citation["date-released"],
        "license": _reference(_license_id(content)),
        "author": _reference(AUTHOR),
        "publisher": _reference(AUTHOR),
        "conformsTo": [_reference(name) for name in PROFILES],
        "mentions": [_reference(ACTION), *(_reference(_data_id(used)) for used in content.data)],
        "citation": [_reference(f"#work-{paper}") for paper in content.papers["paper"]],
    }


def _profiles() -> list[Entity]:
    return [
        {"@id": name, "@type": "CreativeWork", "name": title, "version": name.rpartition("/")[2]}
        for name, title in PROFILES.items()
    ]


def _license_id(content: Content) -> str:
    return f"https://spdx.org/licenses/{content.citation['license']}"


def _license(content: Content) -> Entity:
    name = content.citation["license"]
    return {
        "@id": _license_id(content),
        "@type": "CreativeWork",
        "name": f"{name} licence",
        "description": "Of the report and of the code; data sets have licences of their own.",
    }


def _author(content: Content) -> Entity:
    name = content.citation["authors"][0]["name"]
    return {"@id": AUTHOR, "@type": "Organization", "name": name}


def _versions(content: Content) -> dict[str, str]:
    """Return the programs that the workflow used, with versions."""
    return {name: text for name, text in content.run.items() if name not in ("profile", "seed")}


def _software(content: Content) -> list[Entity]:
    return [
        {
            "@id": f"#software-{name.lower()}",
            "@type": "SoftwareApplication",
            "name": name,
            "softwareVersion": text,
        }
        for name, text in _versions(content).items()
    ]


def _workflow(content: Content) -> Entity:
    return {
        "name": "Reproduction of the publications",
        "author": _reference(AUTHOR),
        "license": _reference(_license_id(content)),
        "version": content.citation["version"],
        "encodingFormat": "text/plain",
        "softwareRequirements": [
            _reference(f"#software-{name.lower()}") for name in _versions(content)
        ],
        "input": [_reference(f"#parameter-{name}") for name in ("profile", "seed")],
    }


def _parameters(content: Content) -> list[Entity]:
    """Return the profile and the seed: what the workflow takes, and what it was given."""
    entities: list[Entity] = []
    for name, kind in (("profile", "Text"), ("seed", "Integer")):
        entities += [
            {
                "@id": f"#parameter-{name}",
                "@type": "FormalParameter",
                "additionalType": kind,
                "name": name,
            },
            {
                "@id": f"#{name}",
                "@type": "PropertyValue",
                "exampleOfWork": _reference(f"#parameter-{name}"),
                "name": name,
                "value": content.run[name],
            },
        ]
    return entities


def _action(content: Content, files: Sequence[str], workflow: str) -> Entity:
    planned = workflow.rpartition("/")[0]
    made = [name for name in sorted(files) if not name.startswith(f"{planned}/")]
    plans = [name for name in sorted(files) if name.startswith(planned) and name != workflow]
    given = ["#profile", "#seed", *(quote(name) for name in plans)]
    return {
        "@id": ACTION,
        "@type": "CreateAction",
        "name": f"Run of the profile {content.run['profile']}",
        "description": f"opchar run --profile {content.run['profile']}",
        "instrument": _reference(quote(workflow)),
        "agent": _reference(AUTHOR),
        "object": [_reference(name) for name in (*given, *map(_data_id, content.data))],
        "result": [_reference(quote(name)) for name in made],
        "actionStatus": "http://schema.org/CompletedActionStatus",
    }


def _file(folder: Path, name: str, content: Content) -> Entity:
    data = (folder / name).read_bytes()
    entity: Entity = {
        "name": name,
        "encodingFormat": _FORMATS[Path(name).suffix],
        "contentSize": str(len(data)),
        "sha256": sha256(data).hexdigest(),
    }
    _, _, address = Path(name).with_suffix("").as_posix().partition("/")
    if shown := content.artefacts.get(address):
        entity["description"] = str(shown["title"])
        entity["isBasedOn"] = _reference(f"#work-{address.partition('/')[0]}")
    return entity


def _data_id(used: DataSet) -> str:
    return f"#data-{used.key}"


def _data_set(used: DataSet) -> Iterable[Entity]:
    """Return a data set and the checksums of the files that were read."""
    sums = [
        {
            "@id": f"{_data_id(used)}/{quote(name)}",
            "@type": "PropertyValue",
            "name": name,
            "propertyID": "sha256",
            "value": digest,
        }
        for name, digest in used.files.items()
    ]
    licence = f"{_data_id(used)}-licence"
    entity: Entity = {
        "@id": _data_id(used),
        "@type": "Dataset",
        "name": f"stand-in for {used.title}" if used.stand_in else used.title,
        "description": used.stand_in or used.title,
        "license": _reference(licence),
        "creditText": used.citation,
    }
    if used.page and not used.stand_in:
        entity["url"] = used.page
    if sums:
        entity["identifier"] = [_reference(each["@id"]) for each in sums]
    return [entity, {"@id": licence, "@type": "CreativeWork", "name": used.licence}, *sums]


def _works(content: Content) -> list[Entity]:
    kinds = {str(each["title"]): each["type"] for each in content.citation["references"]}
    works = content.papers.to_dict("records")
    return [_work(work, _WORKS.get(kinds.get(work["title"], ""), "CreativeWork")) for work in works]


def _work(work: Mapping[Any, Any], kind: str) -> Entity:
    entity = {
        "@id": f"#work-{work['paper']}",
        "@type": kind,
        "name": work["title"],
        "creditText": work["citation"],
        "datePublished": work["year"],
    }
    return entity | ({"identifier": f"https://doi.org/{work['doi']}"} if work["doi"] else {})


def _reference(name: str) -> dict[str, str]:
    return {"@id": name}
