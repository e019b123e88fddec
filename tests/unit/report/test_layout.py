import pandas as pd
import pytest

from opchar_reproduction.figures.notation import spoken_label
from opchar_reproduction.publication import folders
from opchar_reproduction.report.comparison.published_values import read_catalogue, read_lines
from opchar_reproduction.report.pages.layout import entries, natural

PAPERS = list(folders())


def catalogue(*rows):
    columns = ["artefact", "section"]
    frame = pd.DataFrame([dict(zip(columns, row, strict=True)) for row in rows], columns=columns)
    return frame.assign(paper="p", kind="figure", caption_in_own_words="caption")


def lay_out(listed, published, artefacts=None, sections=None):
    lines = pd.DataFrame({"artefact": published})
    return entries("p", listed, artefacts or {}, lines, sections or {})


def test_natural_order_counts():
    labels = ["figure-10", "figure-2", "figure-A.1", "figure-2.10", "figure-2.9"]
    assert sorted(labels, key=natural) == [
        "figure-2",
        "figure-2.9",
        "figure-2.10",
        "figure-10",
        "figure-A.1",
    ]


def test_sections_come_in_order_and_appendices_last():
    listed = catalogue(
        ("figure-A.1", "A.1"), ("figure-10", "10"), ("figure-2", "2.10"), ("t", "2.9")
    )
    assert [entry.label for entry in lay_out(listed, [])] == [
        "t",
        "figure-2",
        "figure-10",
        "figure-A.1",
    ]


def test_slides_sort_by_the_first_number():
    listed = catalogue(("b", "slides 13,15,18"), ("c", "slide 17"), ("a", "slides 7-32"))
    assert [entry.label for entry in lay_out(listed, [])] == ["a", "b", "c"]


def test_parts_stand_under_their_figure():
    listed = catalogue(("figure-4", "3"), ("theorem-1", "3"), ("figure-3", "3"))
    published = ["figure-4a", "figure-4", "theorem-1.2", "figure-3-left"]
    labels = {entry.label: entry.labels for entry in lay_out(listed, published)}
    assert labels == {
        "figure-3": ("figure-3-left",),
        "figure-4": ("figure-4a", "figure-4"),
        "theorem-1": ("theorem-1.2",),
    }


def test_labels_that_nothing_covers_get_a_place_after_their_kind():
    listed = catalogue(("eq-12", "3.3"), ("eq-14", "3.3"), ("figure-5", "3.3"))
    found = lay_out(listed, ["eq-13", "text-3.3"], sections={"eq-13": "3.3", "text-3.3": "3.3"})
    assert [entry.label for entry in found] == ["eq-12", "eq-13", "eq-14", "figure-5", "text-3.3"]


def test_config_decides_which_lines_an_artefact_shows():
    listed = catalogue(("figure-4", "3"), ("table-1", "2"))
    artefacts = {"p/figure-4": {"title": "Title", "lines": ["table-1", "text-3"]}, "q/table-1": {}}
    found = {entry.label: entry for entry in lay_out(listed, ["table-1", "text-3"], artefacts)}
    assert found["figure-4"].labels == ("table-1", "text-3")
    assert found["figure-4"].title == "Title"
    assert found["table-1"].labels == ("table-1",)
    assert found["table-1"].config is None
    assert set(found) == {"figure-4", "table-1"}


def test_built_artefacts_that_no_catalogue_lists_are_shown():
    found = lay_out(catalogue(), ["text-1.2"], {"p/text-1.2": {"section": "1.2"}})
    assert [(entry.label, entry.section, entry.labels) for entry in found] == [
        ("text-1.2", "1.2", ("text-1.2",))
    ]


def test_spoken_names():
    assert spoken_label("theorem-1") == "Theorem 1"
    assert spoken_label("text-3.2.5-confusion-1") == "Text 3.2.5 confusion 1"


@pytest.mark.parametrize("paper", PAPERS)
def test_every_artefact_and_every_line_of_a_work_has_a_place(paper):
    lines, listed = read_lines(folders(paper)), read_catalogue(folders(paper))
    sections = dict(zip(lines["artefact"], lines["where"], strict=True))
    found = entries(paper, listed, {}, lines, sections)
    labels = [entry.label for entry in found]
    assert len(labels) == len(set(labels))
    assert set(listed.loc[listed["paper"] == paper, "artefact"]) <= set(labels)
    assert {label for entry in found for label in entry.labels} == set(lines["artefact"])
    assert all(entry.section for entry in found)
