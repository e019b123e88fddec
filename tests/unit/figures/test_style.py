import re

import matplotlib.colors as colours
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from PIL import Image

from opchar.figures import style


def drawn():
    figure, (panel,) = style.panels(width=style.ONE_COLUMN)
    for number in range(7):
        panel.plot(
            [0, 1],
            [number, number],
            label=style.series_label(f"C_{number}"),
            **style.series(number),
        )
    panel.set(xlabel=style.PRIOR)
    panel.legend()
    return figure


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("figure")
    with style.figure_style():
        style.save(drawn(), {kind: folder / f"f.{kind}" for kind in ("svg", "png")}, "n")
    return folder


def turned():
    figure = Figure(figsize=(style.ONE_COLUMN, 2))
    panel = figure.add_subplot(projection="3d")
    x, y = np.meshgrid([0, 1, 2], [0, 1, 2])
    panel.plot_surface(x, y, x * y, cmap="viridis")
    return figure


def shaded():
    figure, panels = style.panels(1, 2, height=2)
    image = panels[0].imshow([[0, 1], [2, 3]])
    figure.colorbar(image, ax=panels[0])
    style.unit_square(panels[1], "FPR", "TPR")
    panels[1].plot([0, 1], [0, 1], label="a line")
    style.label_ends(panels[1], [(1, "$\\alpha$", "black"), (0.99, "end", "red")])
    figure.legend(loc="outside lower center")
    return figure


FIGURES = {"drawn": drawn, "turned": turned, "shaded": shaded}


def written(folder, names, note=""):
    """Write figures one after the other and return their bytes by name and format."""
    found = {}
    for name in names:
        paths = {kind: folder / f"{name}.{kind}" for kind in ("svg", "pdf", "png")}
        with style.figure_style():
            style.save(FIGURES[name](), paths, note)
        found |= {(name, kind): path.read_bytes() for kind, path in paths.items()}
    return found


def test_a_figure_has_the_same_bytes_whatever_was_drawn_before_it(tmp_path):
    note = "stand-in data"
    assert written(tmp_path, FIGURES, note) == written(tmp_path, [*FIGURES][::-1], note)


@pytest.mark.parametrize("note", ["", "stand-in data"])
def test_all_formats_have_the_one_layout_that_is_found_once(tmp_path, note, monkeypatch):
    found, places = [], []
    lay_out, savefig = ConstrainedLayoutEngine.execute, Figure.savefig
    monkeypatch.setattr(
        ConstrainedLayoutEngine, "execute", lambda own, figure: found.append(lay_out(own, figure))
    )

    def saved(figure, *given, **options):
        savefig(figure, *given, **options)
        places.append([panel.get_position().bounds for panel in figure.axes])

    monkeypatch.setattr(Figure, "savefig", saved)
    written(tmp_path, ["drawn"], note)
    assert len(found) == 1
    assert places[0] == places[1] == places[2]


def test_text_of_a_vector_file_is_text_with_fonts_to_fall_back_on(files):
    text = (files / "f.svg").read_text(encoding="utf-8")
    families = re.findall(r"font-family: ([^;\"]*)", text)
    assert families
    assert all(family.endswith("sans-serif") for family in families)


def test_a_png_has_the_colours_of_its_lines(files):
    with Image.open(files / "f.png") as image:
        assert image.mode == "RGB"
        assert image.width == round(200 * style.ONE_COLUMN)
        found = {pixel for _, pixel in image.getcolors(100_000)}
    for colour in style.COLOURS:
        assert tuple(round(255 * part) for part in colours.to_rgb(colour)) in found, colour


@pytest.mark.parametrize("colour", [*style.COLOURS, style.GREY])
def test_every_line_colour_stands_out_from_white(colour):
    assert style.contrast(colour) >= 3


def test_contrast_of_black_and_white_is_twenty_one():
    assert style.contrast("black") == pytest.approx(21)
    assert style.contrast("white") == pytest.approx(1)


@given(st.tuples(*[st.floats(0, 1)] * 3))
def test_ink_is_the_better_of_black_and_white(background):
    other = {"black": "white", "white": "black"}[style.ink(background)]
    chosen = style.contrast(style.ink(background), background)
    assert chosen >= style.contrast(other, background)
    assert chosen >= 4.5


def outside_figure(width, note):
    """Return the note's extent and the page, in inches."""
    with style.figure_style():
        figure, (panel,) = style.panels(width=width, height=2)
        panel.plot([0, 1], label="line")
        figure.legend(loc="outside lower center")
        page = style._with_note(figure, note)
        figure.draw_without_rendering()
        written = figure.texts[-1].get_window_extent()
        legend = figure.legends[0].get_window_extent()
    scale = figure.dpi
    return written, legend, page, scale


@pytest.mark.parametrize("width", [style.ONE_COLUMN, style.TWO_COLUMNS])
@pytest.mark.parametrize("words", [3, 40])
def test_a_note_is_broken_to_the_width_and_stands_below_everything(width, words):
    written, legend, page, scale = outside_figure(width, "stand-in data " * words)
    assert written.x0 >= 0
    assert written.x1 <= width * scale
    assert written.y1 <= legend.y0
    assert page.y0 * scale <= written.y0


@given(st.lists(st.floats(0, 1), min_size=1, max_size=9))
def test_names_at_line_ends_keep_their_order_and_distance(places):
    moved = style._spread_apart(np.array(places), 0.1)
    order = np.argsort(places, kind="stable")
    assert (np.diff(moved[order]) >= 0.1 - 1e-9).all()
    if (np.diff(np.sort(places)) >= 0.1).all():
        assert moved == pytest.approx(places)


def test_series_differ_without_colour():
    looks = [style.series(number) for number in range(len(style.COLOURS))]
    assert len({str(look["linestyle"]) for look in looks}) == len(looks)
    assert len(set(style.MARKERS)) == len(looks)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("C1: TPR 0.5", "$C_{1}$: TPR 0.5"),
        ("C_2", "$C_{2}$"),
        ("α = 0.5", r"$\alpha$ = 0.5"),
        ("m = 1", "$m$ = 1"),
        ("FPR = 0.01", "FPR = 0.01"),
    ],
)
def test_series_are_named_in_the_notation_of_the_works(name, expected):
    assert style.series_label(name) == expected


@given(st.lists(st.floats(-2000, 2000), min_size=2, max_size=8))
def test_places_in_an_svg_keep_a_hundredth_of_a_point(values):
    path = " ".join(f"{value:.6f}" for value in values)
    svg = f'<g>\n    <path d="M {path} \nL 1e-05 0" style="stroke-width: 0.123456"/>\n</g>'
    small = style.compact(svg)
    found = [float(word) for word in re.findall(r'd="M ([^\nL]*)', small)[0].split()]
    assert found == pytest.approx(values, abs=0.005001)
    assert "stroke-width: 0.123456" in small and "L 1e-05 0" in small and "\n " not in small


def test_what_is_no_place_in_an_svg_stays():
    kept = '<text transform="translate(1.234567 2) rotate(-0.123456)">1.23456</text>'
    image = '<image xlink:href="data:image/png;base64,d=1.23456x" width="1.23456"/>'
    moved = '<use xlink:href="#m1.2345" x="80.086844" y="-0.001"/>'
    small = style.compact(kept + image + moved)
    assert kept in small and image in small
    assert '<use xlink:href="#m1.2345" x="80.09" y="0"/>' in small
