import re
import tomllib

import pytest

from checkout import ROOT
from opchar import __version__
from opchar.errors import DataError
from opchar_reproduction.publication import folders
from opchar_reproduction.report.comparison.published_values import read_papers
from opchar_reproduction.report.content import DataSet
from opchar_reproduction.report.exports import citations

PAPERS = read_papers(folders())
CITATION = citations.read_citation(ROOT / "CITATION.cff")


def parse(text):
    """Return the entries of a BibTeX file: kind and fields by key. Braces must balance."""
    found = {}
    for kind, key, body in re.findall(r"@(\w+)\{([\w.-]+),\n(.*?)\n\}\n", text, flags=re.DOTALL):
        fields = {}
        for line in body.split("\n"):
            name, value = re.fullmatch(r"  (\w+) = \{(.*)\},", line).groups()
            bare = re.sub(r"\\[{}]", "", value)
            depth = 0
            for letter in bare:
                depth += {"{": 1, "}": -1}.get(letter, 0)
                assert depth >= 0, line
            assert depth == 0, line
            fields[name] = value
        assert key not in found
        found[key] = (kind, fields)
    assert len(found) == text.count("@")
    return found


def test_the_file_has_software_works_and_data():
    data = [
        DataSet(
            "sat", "Sat", "CC BY 4.0", "A. B. Sat & C. UCI, 1991; 1993.", page="https://x.org/a_b"
        ),
        DataSet("made", "Made", "none, made up", "none, made up", stand_in="Gaussians"),
        DataSet("clusters", "Clusters", "synthetic", "landgrebe2007"),
        DataSet("cox", "COX", "research", "Yale, 2001.", stand_in="Yale faces", page="https://cox"),
    ]
    found = parse(citations.bibliography(PAPERS, CITATION, data))
    assert set(found) == {"opchar", *PAPERS["paper"], "data-sat", "data-cox"}
    kind, fields = found["data-sat"]
    assert (kind, fields["year"], fields["url"]) == ("misc", "1993", "https://x.org/a_b")
    assert fields["note"] == r"A. B. Sat \& C. UCI, 1991; 1993."
    assert found["data-cox"][1]["title"] == "{Yale faces}"
    assert "url" not in found["data-cox"][1]


def test_works_have_authors_year_and_address_as_listed():
    found = {key: parse(text)[key] for key, text in citations.works(PAPERS, CITATION).items()}
    for paper in PAPERS.to_dict("records"):
        kind, fields = found[paper["paper"]]
        assert fields["title"] == f"{{{paper['title']}}}"
        assert fields["year"] == paper["year"]
        families = [name.split()[-1] for name in paper["authors"].split("; ")]
        assert [a.split(",")[0] for a in fields["author"].split(" and ")] == families
        if kind != "misc":
            assert fields.get("doi", "") == paper["doi"]
    kinds = {key: kind for key, (kind, _) in found.items()}
    assert kinds == {
        "soleymani2020": "article",
        "soleymani2018": "inproceedings",
        "mullick2020": "article",
        "landgrebe2007": "phdthesis",
        "tharwat2018": "misc",
    }
    assert found["soleymani2018"][1]["pages"] == "165--177"
    assert found["landgrebe2007"][1]["school"] == "Delft University of Technology"


def test_the_software_is_cited_with_its_own_version():
    assert CITATION["version"] == __version__
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert CITATION["license"] == project["license"]
    assert "version" in project["dynamic"]
    kind, fields = parse(citations.software(CITATION))["opchar"]
    assert kind == "software"
    assert fields["author"] == "{OpChar developers}"
    assert fields["year"] == CITATION["date-released"][:4]


def test_what_latex_acts_upon_is_escaped():
    assert r"title = {{50 \% of a\_b \& \$c \{x\}}}" in citations.entry(
        "misc", "k", {"title": "50 % of a_b & $c {x}"}
    )


def test_a_work_without_reference_is_cited_as_it_asks_for_it():
    other = PAPERS[PAPERS["paper"] == "soleymani2018"].assign(title="Another title")
    kind, fields = parse(citations.works(other, CITATION)["soleymani2018"])["soleymani2018"]
    assert (kind, fields["title"]) == ("misc", "{Another title}")
    assert fields["author"] == "Roghayeh Soleymani and Eric Granger and Giorgio Fumera"
    assert fields["note"] == other["citation"].item()


def test_the_works_of_the_package_are_references():
    assert set(PAPERS["title"]) <= {each["title"] for each in CITATION["references"]}


def test_a_broken_file_is_said_in_one_line(tmp_path):
    with pytest.raises(DataError, match="not there; restore it"):
        citations.read_citation(tmp_path / "CITATION.cff")
    (tmp_path / "CITATION.cff").write_text("title: x\n")
    with pytest.raises(DataError, match="'authors' is missing"):
        citations.read_citation(tmp_path / "CITATION.cff")
