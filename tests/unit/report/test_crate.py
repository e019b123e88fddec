import json
from hashlib import sha256
from urllib.parse import unquote

import pytest

from opchar_reproduction.report.exports import crate
from opchar_reproduction.report.exports.citations import read_citation
from reports import ROOT

OUTSIDE = "https://"
REQUIRED = ("name", "description", "datePublished", "license")


@pytest.fixture(scope="module")
def graph(folder):
    said = json.loads((folder / crate.METADATA).read_text(encoding="utf-8"))
    assert said["@context"][0] == "https://w3id.org/ro/crate/1.1/context"
    return said["@graph"]


@pytest.fixture(scope="module")
def entities(graph):
    found = {entity["@id"]: entity for entity in graph}
    assert len(found) == len(graph)
    return found


def kinds(entity):
    kind = entity["@type"]
    return {kind} if isinstance(kind, str) else set(kind)


def references(value):
    """Yield every ``@id`` that a value refers to."""
    if isinstance(value, dict):
        if set(value) == {"@id"}:
            yield value["@id"]
        else:
            for each in value.values():
                yield from references(each)
    elif isinstance(value, list):
        for each in value:
            yield from references(each)


def ids(value):
    return [each["@id"] for each in (value if isinstance(value, list) else [value])]


def test_every_entity_has_a_type_and_every_reference_an_entity(graph, entities):
    for entity in graph:
        assert entity["@type"], entity["@id"]
        named = {key: value for key, value in entity.items() if key != "@id"}
        for name in references(named):
            assert name in entities or name.startswith(OUTSIDE), (entity["@id"], name)


def test_every_entity_is_reached_from_the_root(graph, entities):
    reached, waiting = set(), [crate.METADATA]
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            entity = entities.get(name, {})
            waiting.extend(references({k: v for k, v in entity.items() if k != "@id"}))
    assert {name for name in reached if name in entities} == set(entities)


def test_the_descriptor_and_the_root_have_what_the_standard_asks_for(entities):
    descriptor = entities["ro-crate-metadata.json"]
    assert descriptor["@type"] == "CreativeWork"
    assert descriptor["about"] == {"@id": "./"}
    assert "https://w3id.org/ro/crate/1.1" in ids(descriptor["conformsTo"])
    root = entities["./"]
    assert root["@type"] == "Dataset"
    assert all(root[key] for key in REQUIRED)
    assert root["datePublished"] == read_citation(ROOT / "CITATION.cff")["date-released"]
    assert "https://w3id.org/ro/wfrun/workflow/0.5" in ids(root["conformsTo"])


def test_the_run_has_workflow_inputs_and_outputs(entities, given):
    root = entities["./"]
    (main,) = ids(root["mainEntity"])
    assert {"File", "SoftwareSourceCode", "ComputationalWorkflow"} <= kinds(entities[main])
    assert entities[main]["programmingLanguage"]["@id"] in entities
    action = entities["#run"]
    assert action["@type"] == "CreateAction"
    assert action["instrument"] == {"@id": main}
    taken, made = set(ids(action["object"])), set(ids(action["result"]))
    assert {"#seed", "#profile", "files/workflow/config.json"} <= taken
    assert {f"#data-{used.key}" for used in given.data} <= taken
    assert {"index.html", "citations.bib", "files/soleymani2020/figure-4.svg"} <= made
    assert not taken & made
    assert main not in taken | made
    assert entities["#seed"]["value"] == given.run["seed"]
    parameter = entities[entities["#seed"]["exampleOfWork"]["@id"]]
    assert parameter["@type"] == "FormalParameter"
    assert parameter["additionalType"]


def test_files_are_there_with_their_size_and_checksum(entities, folder):
    parts = ids(entities["./"]["hasPart"])
    assert len(parts) > 20
    for name in parts:
        content = (folder / unquote(name)).read_bytes()
        entity = entities[name]
        assert "File" in kinds(entity)
        if "sha256" in entity:
            assert entity["sha256"] == sha256(content).hexdigest()
            assert entity["contentSize"] == str(len(content))
    present = {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()}
    assert present - {crate.METADATA} == {unquote(name) for name in parts}


def test_data_sets_have_licence_and_checksums(entities):
    sat = entities["#data-sat"]
    assert entities[sat["license"]["@id"]]["name"] == "CC BY 4.0"
    assert sat["url"] == "https://example.org/sat"
    (checksum,) = ids(sat["identifier"])
    assert (entities[checksum]["name"], entities[checksum]["value"]) == ("sat.trn", "e8" * 32)
    cox = entities["#data-cox"]
    assert cox["name"] == "stand-in for COX"
    assert "url" not in cox


def test_works_are_of_their_kind(entities):
    works = {name: entity["@type"] for name, entity in entities.items() if "#work-" in name}
    assert works == {
        "#work-soleymani2020": "ScholarlyArticle",
        "#work-soleymani2018": "ScholarlyArticle",
        "#work-mullick2020": "ScholarlyArticle",
        "#work-landgrebe2007": "Thesis",
        "#work-tharwat2018": "CreativeWork",
    }


def test_no_clock_and_no_machine(folder):
    text = (folder / crate.METADATA).read_text(encoding="utf-8")
    assert "endTime" not in text
    assert str(folder) not in text
    assert "file:" not in text
