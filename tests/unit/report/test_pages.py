import re
from dataclasses import replace
from urllib.parse import quote, unquote

import pandas as pd
import pytest
import yaml

from opchar.errors import OpcharError
from opchar.metrics.registry import INDICES
from opchar_reproduction.report.comparison import totals
from opchar_reproduction.report.comparison.outcomes import (
    OUTCOMES,
    TESTED,
    count_outcomes,
    details,
    tally,
)
from opchar_reproduction.report.comparison.published_values import short_title
from opchar_reproduction.report.comparison.verdicts import COMPARED, MEANINGS
from opchar_reproduction.report.exports.certificate import certificate
from opchar_reproduction.report.marks import shown_verdict
from opchar_reproduction.report.pages import writing as pages
from opchar_reproduction.report.pages.glossary import with_hints
from opchar_reproduction.report.pages.overview import BARS
from opchar_reproduction.report.pages.parts.lines import _no_test
from reports import RENDERER, STAND_IN, SVG, of_works

OTHERS = (
    *("index", "ledger", "summary", "errata", "leads", "data", "indices", "cite", "glossary"),
    "certificate",
)


def chapters(folder, paper):
    """Return the pages of the parts of a publication."""
    paths = [path for path in folder.glob(f"{paper}-*.html") if not path.stem.endswith("-method")]
    return {path.stem: path.read_text(encoding="utf-8") for path in paths}


def test_there_is_a_page_for_each_work_and_each_of_its_chapters(parsed, given):
    names = {f"{paper}.html" for paper in given.papers["paper"]}
    listed = given.chapters["paper"] + "-" + given.chapters["chapter"].str.replace(" ", "-")
    names |= {f"{name}.html" for name in listed}
    others = {f"{name}.html" for name in (*OTHERS, "explorer", "statements", "proofs")}
    assert set(parsed) == names | others | {"soleymani2020-method.html"}


def test_pages_are_well_formed(parsed):
    for name, page in parsed.items():
        assert page.wrong == [], name
        assert page.open == [], name
        assert len(page.ids) == len(set(page.ids)), name


def test_a_page_may_do_no_more_than_it_holds(folder):
    charts = 'src="assets/explorer/charts.js"'
    for path in folder.glob("*.html"):
        text = path.read_text(encoding="utf-8")
        (policy,) = re.findall('http-equiv="Content-Security-Policy" content="([^"]*)"', text)
        assert policy.startswith("default-src 'none'; script-src 'self'"), path.name
        assert ("blob:" in policy) == (charts in text), path.name
        assert policy.count("unsafe-inline") == (charts in text), path.name
        assert not re.search(r"unsafe-eval|https?:|\*", policy), path.name
        assert text.index(policy) < text.index("<title>"), path.name


def test_every_artefact_has_its_place_in_the_contents_and_on_one_page(parsed, given, folder):
    pages_of = {paper: chapters(folder, paper) for paper in given.papers["paper"]}
    for row in given.catalogue.to_dict("records"):
        assert row["artefact"] in parsed[f"{row['paper']}.html"].ids
        found = [
            name for name in pages_of[row["paper"]] if row["artefact"] in parsed[f"{name}.html"].ids
        ]
        assert len(found) == 1, row


def test_every_line_is_on_its_page_and_in_the_ledger(parsed, given, folder):
    whole = set("".join(parsed["ledger.html"].text).split())
    for paper, lines in given.ledger.groupby("paper"):
        words = {word for name in chapters(folder, paper) for word in parsed[f"{name}.html"].ids}
        assert set(lines["id"]) <= words
        assert set(lines["id"]) <= whole
    rows = [row for row in parsed["ledger.html"].all("tr") if "data-verdict" in row]
    found = pd.Series([row["data-verdict"] for row in rows]).value_counts().to_dict()
    assert found == given.ledger["verdict"].value_counts().to_dict()


def test_figures_precede_later_ones(folder):
    text = (folder / "soleymani2020.html").read_text(encoding="utf-8")
    places = [text.index(f'<li id="figure-{n}"') for n in ("1", "2", "4", "9", "10", "A.12")]
    assert places == sorted(places)
    text = (folder / "soleymani2020-3.html").read_text(encoding="utf-8")
    places = [text.index(f'<article id="figure-{n}"') for n in ("2", "4", "6")]
    assert places == sorted(places)


def test_links_and_images_resolve(parsed, folder):
    for name, page in parsed.items():
        for link in [a["href"] for a in page.all("a")] + [i["src"] for i in page.all("img")]:
            if link.startswith("https://"):
                continue
            path, _, anchor = link.partition("#")
            assert not path.startswith(("/", "..")), (name, link)
            target = path or name
            assert (folder / target).is_file(), (name, link)
            if target == "ledger.html" and "=" in anchor:
                asked = dict(part.split("=") for part in unquote(anchor).split("&"))
                assert set(asked) <= {"work", "verdict", "evidence", "outcome"}
                assert asked.get("verdict", "agrees") in MEANINGS
                assert asked.get("evidence", "formula claims") in map(" ".join, BARS)
                assert asked.get("outcome", "matches") in OUTCOMES
            elif anchor:
                assert unquote(anchor) in parsed[target].ids, (name, link)


def test_nothing_is_asked_of_any_server(folder):
    for path in folder.glob("*.html"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(
            r'\b(src|srcset|action|data|poster)="(?!files/|assets/|ledger.html")',
            text.replace("&#34;", ""),
        )
        links = re.findall(r'<link\b[^>]*href="([^"]*)"', text)
        assert links == ["data:,", "assets/style.css"]
    for path in [*folder.glob("*.html"), *(folder / "assets").rglob("*.*")]:
        text = path.read_text(encoding="utf-8")
        assert "@import" not in text
        assert "url(" not in text
        assert not re.search(r"fetch\(|XMLHttpRequest|WebSocket|import\(", text)


def test_names_are_escaped(folder):
    for path in folder.glob("*.html"):
        text = path.read_text(encoding="utf-8")
        for raw in ("<b>", "<B>", "<soft>", "<0.5>"):
            assert raw not in text, path.name
    assert "1 &amp; 2" in (folder / "index.html").read_text(encoding="utf-8")
    tutorial = "".join(chapters(folder, "tharwat2018").values())
    assert "t₁ = ∞" in tutorial
    assert r"\infty" not in tutorial


def test_a_small_vector_file_is_shown_and_a_large_one_is_not(parsed, folder):
    small, large = (
        [image for image in parsed[name].all("img") if image.get("class") != "thumb"]
        for name in ("soleymani2020-3.html", "soleymani2020-4.html")
    )
    assert {image["src"] for image in small} == {"files/soleymani2020/figure-4.svg"}
    assert {image["src"] for image in large} == {"files/soleymani2020/figure-9.png"}
    assert (small[0]["width"], small[0]["height"]) == ("336", "252")
    assert (large[0]["width"], large[0]["height"]) == ("192", "144")
    assert len(small) == len(large) == 1 and small[0]["alt"] and large[0]["alt"]
    copied = {path.name for path in (folder / "files" / "soleymani2020").iterdir()}
    assert {"figure-4.svg", "figure-9.png", "figure-9.svg", "table-1.csv"} <= copied
    assert not {"figure-4.pdf", "figure-4.png"} & copied


def test_a_publication_shows_its_figures_small_and_lists_its_tables_with_marks(parsed, folder):
    """Small pictures of their own: a page of thirty figures does not hold them twice."""
    images = [image["src"] for image in parsed["soleymani2020.html"].all("img")]
    names = ("figure-4", "figure-9")
    assert images == [f"files/thumbnails/soleymani2020-{name}-small.webp" for name in names]
    assert all((folder / image).stat().st_size < 20_000 for image in images)
    thumbs = [i for i in parsed["soleymani2020-3.html"].all("img") if i.get("class") == "thumb"]
    assert [image["src"] for image in thumbs] == images[:1]
    text = (folder / "soleymani2020.html").read_text(encoding="utf-8")
    listed = re.search(r'<li id="table-1">.*?</li>', text, re.DOTALL)[0]
    assert re.search(r'class="dot [\w-]+"', listed) and "F-measure" in listed
    assert "no mark: nothing published to compare" in text


def test_totals_and_stand_ins_are_on_the_first_page(parsed, given):
    text = " ".join("".join(parsed["index.html"].text).split())
    row = totals.totals(given.ledger).loc["all"]
    shown = [*(name for name in MEANINGS if row[name]), "lines"]
    assert "all " + " ".join(str(row[name]) for name in shown) in text
    count = int((given.ledger["verdict"] == "not comparable").sum())
    assert f"{STAND_IN}: {count} values" in text
    assert all(meaning in text for meaning in MEANINGS.values())


def test_accessible_structure(parsed):
    for name, page in parsed.items():
        assert page.all("html") == [{"lang": "en"}]
        assert len(page.all("h1")) == 1, name
        assert len(page.all("main")) == 1
        assert page.all("a")[0] == {"class": "skip", "href": "#content"}
        assert len(page.all("caption")) == len(page.all("table")), name
        assert all("scope" in head for head in page.all("th"))
        labels = {label["for"] for label in page.all("label")}
        assert labels == {field["id"] for tag in ("select", "input") for field in page.all(tag)}
        regions = [box for box in page.all("div") if box.get("class", "").startswith("scroll")]
        assert all(box["tabindex"] == "0" and box["aria-label"] for box in regions)


def test_errata_have_a_page(folder):
    text = (folder / "errata.html").read_text(encoding="utf-8")
    assert 'href="soleymani2020-2.html#soleymani2020:0016"' in text
    assert 'href="mullick2020.html"' in text
    assert "eq 9 gives &lt;0.87&gt;" in text


def test_unbuilt_artefacts_say_so(folder):
    text = "".join(chapters(folder, "soleymani2020").values())
    article = text[text.index('<article id="figure-11"') :].partition("</article>")[0]
    assert "Not built in this run; 3 published values" in article
    built = text[text.index('<article id="figure-4"') :].partition("</article>")[0]
    assert "Not built" not in built
    assert f'href="soleymani2020-method.html#{RENDERER}"' in built
    assert 'href="soleymani2020-method.html#spaces"' in built


@pytest.mark.check
def test_the_same_input_gives_the_same_bytes_and_leaves_nothing_stale(given, folder, tmp_path):
    stale = tmp_path / "files" / "old" / "figure-0.svg"
    stale.parent.mkdir(parents=True)
    stale.write_bytes(SVG)
    pages.write(tmp_path, given)
    assert not stale.exists()
    first = {path.relative_to(folder): path for path in folder.rglob("*") if path.is_file()}
    again = {path.relative_to(tmp_path): path for path in tmp_path.rglob("*") if path.is_file()}
    assert set(first) == set(again)
    for name, path in first.items():
        assert path.read_bytes() == again[name].read_bytes(), name


def test_the_pages_are_small(folder):
    sizes = [path.stat().st_size for path in folder.glob("*.html")]
    assert sum(sizes) < 5_000_000
    assert (folder / "index.html").stat().st_size < 60_000
    assert max(path.stat().st_size for path in folder.glob("*-*.html")) < 700_000


def test_each_line_has_one_address_and_the_ledger_leads_to_it(parsed, given, folder):
    links = {a["href"] for a in parsed["ledger.html"].all("a")}
    for paper, lines in given.ledger.groupby("paper"):
        ids = {name: parsed[f"{name}.html"].ids for name in chapters(folder, paper)}
        for line in lines["id"]:
            found = [name for name, own in ids.items() if line in own]
            assert len(found) == 1
            assert f"{found[0]}.html#{line}" in links


def test_every_page_but_the_ledger_asks_the_ledger(parsed):
    for name, page in parsed.items():
        asked = [form for form in page.all("form") if form.get("action") == "ledger.html"]
        assert len(asked) == (name != "ledger.html"), name
        fields = [field for field in page.all("input") if field.get("name") == "text"]
        assert len(fields) == 1, name


def test_methods_show_code_parameters_and_versions(folder):
    text = (folder / "soleymani2020-method.html").read_text(encoding="utf-8")
    assert "def table_1(" in text
    assert "alphas: [0.25, &lt;0.5&gt;]" in text
    assert "code 1 config 2" in text
    assert "src/opchar_reproduction/publications/soleymani2020/section2/worked_examples.py" in text
    assert "def grid(" in text


def test_leads_are_all_there_with_their_decisions(parsed, given):
    words = " ".join("".join(parsed["leads.html"].text).split())
    for lead in given.leads.to_dict("records"):
        assert lead["lead"] in words
    for decision, count in given.leads["decision"].value_counts().items():
        assert f"{count} {decision}" in words


def test_statements_stand_with_criterion_control_and_support(parsed, given):
    words = " ".join("".join(parsed["statements.html"].text).split())
    said = given.statements.iloc[0]
    assert said["criterion"] in words
    assert "exchanged: fails, as it must" in words
    assert "200 resamples over fold" in words


def test_no_two_numbers_of_the_report_contradict_each_other(folder, parsed, given):
    """A card says what its bars show, bars add up to the table, the table to all values."""
    table = tally(given.ledger)
    text = (folder / "index.html").read_text(encoding="utf-8")
    address = r'href="ledger.html#work={}&amp;evidence={}&amp;outcome=([^"]*)" title="[^"]*: (\d+) '
    for paper in given.papers["paper"]:
        for pair, said in BARS.items():
            drawn = re.findall(address.format(paper, quote(" ".join(pair))), text)
            found = count_outcomes(table, paper, *pair)
            shown = {unquote(name): int(count) for name, count in drawn}
            assert shown == {name: found[name] for name in TESTED if found[name]}, (paper, pair)
            if found["tested"]:
                assert f'{said} <span class="number">{found["tested"]}</span>' in text
    words = " ".join("".join(parsed["index.html"].text).split())
    every = count_outcomes(table, "all")
    assert sum(every[name] for name in OUTCOMES) == len(given.ledger)
    for name in OUTCOMES:
        assert f"{name} {every[name]}. " in words


def test_the_certificate_says_scope_outcome_and_what_was_not_possible(folder, parsed, given):
    words = " ".join("".join(parsed["certificate.html"].text).split())
    found = count_outcomes(tally(given.ledger), "all")
    file = yaml.safe_load((folder / "codecheck.yml").read_text(encoding="utf-8"))
    assert [paper["title"] for paper in file["paper"]] == list(given.papers["title"])
    for name in OUTCOMES:
        assert f"{found[name]} {name}" in file["summary"]
    assert given.run["opchar"] in words
    assert f"it writes logs/{given.run['profile']}/codecheck.yml: the same file with time" in words
    listed = {each["file"] for each in file["manifest"]}
    assert "certificate.html" in listed
    assert all((folder / name).is_file() for name in listed - {"ledger.csv"})
    for paper in given.papers["paper"]:
        lines = given.ledger[given.ledger["paper"] == paper]
        for why, count in details(lines, "not testable").items():
            assert f"{why} ({count})" in words
    for work in certificate(given)["works"]:
        assert 0 <= work["missing"] <= work["listed"]


def test_each_publication_has_title_bars_result_and_pictures(folder, parsed, given):
    text = (folder / "index.html").read_text(encoding="utf-8")
    for title in given.papers["title"]:
        assert title in text
    assert text.count('<section class="card') == len(given.papers) + 1
    longest, table = 0, tally(given.ledger)
    for paper in given.papers["paper"]:
        address = (
            rf'style="width:([\d.]+)%" href="ledger.html#work={paper}&amp;evidence=[^"]*" '
            r'title="[^"]*: (\d+) '
        )
        drawn = re.findall(address, text)
        # One scale: as many percent for each value, in every bar of every publication.
        scales = {round(float(width) / int(count), 1) for width, count in drawn}
        longest = longest or scales
        assert scales == longest
        assert sum(int(count) for _, count in drawn) == count_outcomes(table, paper)["tested"]
    assert (folder / "files/thumbnails/soleymani2020-figure-4.webp").stat().st_size > 0


def test_cells_of_tables_have_the_mark_of_their_verdict(folder, given):
    text = (folder / "soleymani2020-2.html").read_text(encoding="utf-8")
    table = text[text.index('<article id="table-1"') :].partition("</table>")[0]
    lines = given.ledger[
        (given.ledger["paper"] == "soleymani2020") & (given.ledger["artefact"] == "table-1")
    ]
    for line in lines.to_dict("records"):
        cell = re.search(rf'<td class="v ([\w-]+)[^>]*>.*?#{line["id"]}" data-say="([^"]*)"', table)
        assert f"{line['id']}" in table
        assert cell is not None
        said = re.search(rf'class="mark ([\w-]+)" href="[^"]*#{line["id"]}"', table)
        assert said[1] == shown_verdict(line).replace(" ", "-")


def test_the_deviations_are_on_one_axis_and_against_chance(folder, given):
    text = (folder / "summary.html").read_text(encoding="utf-8")
    chart = text[text.index('class="deviations"') :].partition("</svg>")[0]
    judged = given.ledger[(given.ledger["z"] != "") & given.ledger["verdict"].isin(COMPARED)]
    judged = judged[judged["outcome"] != "not testable"]
    assert len(judged) > 50
    assert chart.count("<circle") == len(judged)
    assert chart.count("<a ") == (judged["outcome"] == "differs").sum()
    plot = text[text.index('class="quantiles"') :].partition("</svg>")[0]
    assert plot.count("<circle") == len(judged)


def test_steps_lead_over_all_that_does_not_confirm(folder, given):
    """Following the pages' own links visits every chapter that has a difference."""
    for paper in given.papers["paper"]:
        found = {
            name: re.search(r'data-before="([^"]*)" data-after="([^"]*)"', text).groups()
            for name, text in chapters(folder, paper).items()
        }
        lines = given.ledger[(given.ledger["paper"] == paper)]
        wrong = set(lines.loc[lines["outcome"].isin(("differs", "wrong or contradictory")), "id"])
        pages_with = {
            name
            for name, text in chapters(folder, paper).items()
            if wrong & set(re.findall(r'<tr id="([^"]+)"', text))
        }
        front = (folder / f"{paper}.html").read_text(encoding="utf-8")
        here = re.search(r'href="([^"]*)">First mismatch', front)
        seen = []
        target = here[1] if here else ""
        while target:
            name, _, line = target.partition(".html#")
            assert line in wrong
            seen.append(name)
            target = found[name][1]
        assert set(seen) == pages_with
        assert len(seen) == len(set(seen))


def test_the_summary_counts_verdicts_by_artefact(parsed, given):
    words = " ".join("".join(parsed["summary.html"].text).split())
    pending = 0
    for (paper, artefact), lines in given.ledger.groupby(["paper", "artefact"]):
        found = lines["verdict"].value_counts()
        counted = " ".join(str(found.get(verdict, "·")) for verdict in MEANINGS)
        short = short_title(given.papers.set_index("paper").loc[paper].to_dict())
        row = rf"{re.escape(short)}, .{{1,80}}? {len(lines)} {counted}"
        assert re.search(row, words), artefact
        pending += found.get("pending", 0)
    assert pending > 0
    assert f"{pending} values and claims are pending" in " ".join(
        "".join(parsed["index.html"].text).split()
    )


def test_data_sets_have_licence_citation_and_checksums(folder):
    text = (folder / "data.html").read_text(encoding="utf-8")
    assert "Yale &lt;B&gt;" in text
    assert "CC BY 4.0" in text
    assert "e8" * 32 in text
    assert 'href="soleymani2020-3.html#figure-4"' in text


def test_all_indices_have_a_formula(parsed):
    page = parsed["indices.html"]
    assert len(page.all("math")) == len(INDICES)
    assert {index.name for index in INDICES} <= set(page.ids)


def test_how_to_cite_has_software_works_and_data(folder, given):
    text = (folder / "cite.html").read_text(encoding="utf-8")
    keys = ["opchar", *given.papers["paper"], "data-cox", "data-sat"]
    bibliography = (folder / "citations.bib").read_text(encoding="utf-8")
    for key in keys:
        assert f"{{{key}," in text
        assert bibliography.count(f"{{{key},") == 1


def test_pages_without_content_are_left_out(given, tmp_path):
    missing = ("errata", "leads", "statements")
    none = {name: getattr(given, name).iloc[:0] for name in missing}
    (tmp_path / "errata.html").write_text("stale")
    pages.write(tmp_path, replace(given, **none, data=[]))
    assert not [name for name in missing if (tmp_path / f"{name}.html").exists()]
    for path in tmp_path.glob("*.html"):
        text = path.read_text(encoding="utf-8")
        assert not [name for name in missing if f'href="{name}.html"' in text], path.name


def test_a_report_of_one_work_has_only_its_pages(given, tmp_path):
    paper = "tharwat2018"
    without = {"explored": {}, "surfaces": {}, "proofs": {}, "data": []}
    pages.write(tmp_path, of_works(replace(given, **without), [paper]))
    names = {path.stem for path in tmp_path.glob("*.html")}
    assert names == {paper, *chapters(tmp_path, paper), *OTHERS, "statements"} - {"errata"}
    assert len(chapters(tmp_path, paper)) == 6
    for path in tmp_path.glob("*.html"):
        assert "landgrebe2007.html" not in path.read_text(encoding="utf-8"), path.name


def test_a_page_asked_for_is_there_before_all_others_and_changes_none(
    given, folder, tmp_path, capsys, monkeypatch
):
    with pytest.raises(OpcharError, match=r"'soleymani' .did you mean 'soleymani2020'"):
        pages.write(tmp_path, given, first="soleymani")
    assert not list(tmp_path.iterdir())

    def stop(content):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(pages, "manifest", stop)
        with pytest.raises(KeyboardInterrupt):
            pages.write(tmp_path, given, first="soleymani2020")
    assert [path.name for path in tmp_path.glob("*.html")] == ["soleymani2020.html"]
    assert capsys.readouterr().out == f"{tmp_path / 'soleymani2020.html'}\n"
    pages.write(tmp_path, given, first="soleymani2020-3")
    for path in folder.glob("*.html"):
        assert (tmp_path / path.name).read_bytes() == path.read_bytes(), path.name


def test_tables_and_captions_explain_a_name_once_where_an_item_first_uses_it():
    item = (
        '<h2 id="a">AccSens</h2><p class="caption">AccSens, and again AccSens.</p><table>'
        '<caption>PC(+)</caption><tr><th scope="col">AUPREC (0.5)</th><td>AUPREC</td></tr></table>'
    )
    told = re.findall(r'<abbr title="([^"]+)">([^<]+)</abbr>', with_hints(item + item))
    assert [name for _, name in told] == 2 * ["AccSens", "PC(+)", "AUPREC"]
    assert "the print's name of AUPRC" in told[2][0] and "<td>AUPREC</td>" in with_hints(item)
    assert re.sub(r"</?abbr[^>]*>", "", with_hints(item)) == item


def test_a_claim_that_is_no_test_has_one_sentence_on_what_was_found():
    said = "an illustration: the publication does not state its parameters; there it holds; AUC 0.9"
    told = _no_test(said, "holds in 51 % of resamples")
    assert told == (
        "the publication does not state parameters; with ours it holds, in 51 % of resamples; "
        "AUC 0.9"
    )
    other = _no_test("computed from stand-in for x; there it holds; 1", "holds in 9 % of resamples")
    assert other == "computed from stand-in for x; there it holds, in 9 % of resamples; 1"
