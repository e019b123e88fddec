"""RO-Crate metadata of a report: its runs, code, data and results.

The crate follows RO-Crate 1.1 and the profile Workflow Run Crate 0.5. It names no
machine and no time, so that the same run gives the same bytes. Its date is the date of release.
"""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import quote

from opchar.files import write_json
from opchar_reproduction.report.content import Content, DataSet
from opchar_reproduction.report.meanings import meanings

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
# What the workflow takes: the facts of a run that name no program.
PARAMETERS = {"profile": "Text", "seed": "Integer"}
_FORMATS = meanings("ending")
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
    for entity in (*_surroundings(content), *_data_sets(content), *_works(content)):
        crate.add_jsonld(entity)
    crate.add_jsonld(_action(content, files, workflow))
    path = folder / METADATA
    write_json(crate.metadata.generate(), path)
    return path


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
        "conformsTo": _references(PROFILES),
        "mentions": _references([ACTION, *map(_data_id, content.data)]),
        "citation": _references(map(_work_id, content.papers["paper"])),
    }


def _surroundings(content: Content) -> Iterator[Entity]:
    """Yield profiles, licence, author, programs, and what the workflow was given."""
    for name, title in PROFILES.items():
        yield _entity(name, "CreativeWork", title, version=name.rpartition("/")[2])
    said = "Of the report and of the code; data sets have licences of their own."
    licence = f"{content.citation['license']} licence"
    yield _entity(_license_id(content), "CreativeWork", licence, description=said)
    yield _entity(AUTHOR, "Organization", content.citation["authors"][0]["name"])
    for name, text in content.run.items():
        if name not in PARAMETERS:
            yield _entity(_program_id(name), "SoftwareApplication", name, softwareVersion=text)
    for name, kind in PARAMETERS.items():
        parameter = f"#parameter-{name}"
        yield _entity(parameter, "FormalParameter", name, additionalType=kind)
        value = {"exampleOfWork": _reference(parameter), "value": content.run[name]}
        yield _entity(f"#{name}", "PropertyValue", name, **value)


def _workflow(content: Content) -> Entity:
    programs = [_program_id(name) for name in content.run if name not in PARAMETERS]
    return {
        "name": "Reproduction of the publications",
        "author": _reference(AUTHOR),
        "license": _reference(_license_id(content)),
        "version": content.citation["version"],
        "encodingFormat": "text/plain",
        "softwareRequirements": _references(programs),
        "input": _references(f"#parameter-{name}" for name in PARAMETERS),
    }


def _action(content: Content, files: Sequence[str], workflow: str) -> Entity:
    planned = workflow.rpartition("/")[0]
    made = [name for name in sorted(files) if not name.startswith(f"{planned}/")]
    plans = [name for name in sorted(files) if name.startswith(planned) and name != workflow]
    given = [*(f"#{name}" for name in PARAMETERS), *map(quote, plans)]
    return _entity(
        ACTION,
        "CreateAction",
        f"Run of the profile {content.run['profile']}",
        description=f"opchar run --profile {content.run['profile']}",
        instrument=_reference(quote(workflow)),
        agent=_reference(AUTHOR),
        object=_references([*given, *map(_data_id, content.data)]),
        result=_references(map(quote, made)),
        actionStatus="http://schema.org/CompletedActionStatus",
    )


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
        entity["isBasedOn"] = _reference(_work_id(address.partition("/")[0]))
    return entity


def _data_sets(content: Content) -> Iterator[Entity]:
    """Yield the data sets, their licences, and the checksums of the files that were read."""
    for used in content.data:
        own = _data_id(used)
        sums = [
            _entity(f"{own}/{quote(name)}", "PropertyValue", name, propertyID="sha256", value=sha)
            for name, sha in used.files.items()
        ]
        name = f"stand-in for {used.title}" if used.stand_in else used.title
        entity = _entity(own, "Dataset", name, description=used.stand_in or used.title)
        entity |= {"license": _reference(f"{own}-licence"), "creditText": used.citation}
        if used.page and not used.stand_in:
            entity["url"] = used.page
        if sums:
            entity["identifier"] = _references(each["@id"] for each in sums)
        yield from (entity, _entity(f"{own}-licence", "CreativeWork", used.licence), *sums)


def _works(content: Content) -> Iterator[Entity]:
    kinds = {str(each["title"]): each["type"] for each in content.citation["references"]}
    for work in content.papers.to_dict("records"):
        kind = _WORKS.get(kinds.get(work["title"], ""), "CreativeWork")
        said = {"creditText": work["citation"], "datePublished": work["year"]}
        if work["doi"]:
            said["identifier"] = f"https://doi.org/{work['doi']}"
        yield _entity(_work_id(work["paper"]), kind, work["title"], **said)


def _license_id(content: Content) -> str:
    return f"https://spdx.org/licenses/{content.citation['license']}"


def _program_id(name: str) -> str:
    return f"#software-{name.lower()}"


def _data_id(used: DataSet) -> str:
    return f"#data-{used.key}"


def _work_id(paper: str) -> str:
    return f"#work-{paper}"


def _entity(identifier: str, kind: str, name: str, /, **more: Any) -> Entity:
    return {"@id": identifier, "@type": kind, "name": name, **more}


def _reference(identifier: str) -> dict[str, str]:
    return {"@id": identifier}


def _references(identifiers: Iterable[str]) -> list[dict[str, str]]:
    return [_reference(identifier) for identifier in identifiers]
