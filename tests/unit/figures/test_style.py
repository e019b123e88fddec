import re

import matplotlib.colors as colours
import pytest
from PIL import Image

from opchar.figures import style


def drawn():
    figure, (panel,) = style.panels(width=style.ONE_COLUMN)
    for number in range(7):
        panel.plot(
            [0, 1], [number, number], label=style.named(f"C_{number}"), **style.series(number)
        )
    panel.set(xlabel=style.PRIOR)
    panel.legend()
    return figure


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folders = [tmp_path_factory.mktemp("figure") for _ in range(2)]
    for folder in folders:
        with style.styled():
            style.save(drawn(), {kind: folder / f"f.{kind}" for kind in ("svg", "pdf", "png")}, "n")
    return folders


def test_the_same_figure_gives_the_same_bytes(files):
    first, again = files
    for kind in ("svg", "pdf", "png"):
        assert (first / f"f.{kind}").read_bytes() == (again / f"f.{kind}").read_bytes()


def test_text_of_a_vector_file_is_text_with_fonts_to_fall_back_on(files):
    text = (files[0] / "f.svg").read_text(encoding="utf-8")
    families = re.findall(r"font-family: ([^;\"]*)", text)
    assert families
    assert all(family.endswith("sans-serif") for family in families)


def test_a_png_keeps_the_colours_of_its_lines(files):
    with Image.open(files[0] / "f.png") as image:
        assert image.mode == "P"
        assert image.width == round(200 * style.ONE_COLUMN)
        found = {pixel for _, pixel in image.convert("RGB").getcolors(100_000)}
    for colour in style.COLOURS:
        wanted = [round(255 * part) for part in colours.to_rgb(colour)]
        nearest = min(max(abs(a - b) for a, b in zip(wanted, p, strict=True)) for p in found)
        assert nearest <= 12, colour


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
    assert style.named(name) == expected
