"""Elements of SVG. Places across are per cent of the width, so that a drawing fits every screen."""

from collections.abc import Iterable

from markupsafe import Markup, escape

# What stands inside must not touch the border.
MARGIN = 2.0


def element(name: str, *inside: str, **attributes: object) -> str:
    """Return an element; a name with a trailing underscore or with underscores is HTML's own."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    content = "".join(inside)
    return f"<{name}{written}>{content}</{name}>" if content else f"<{name}{written}/>"


def text(content: str, **attributes: object) -> str:
    """Return a text, escaped."""
    return element("text", str(escape(content)), **attributes)


def title(content: str) -> str:
    """Return the SVG element that a browser shows as a tooltip."""
    return element("title", str(escape(content)))


def svg_drawing(
    parts: Iterable[str], height: float, label: str, kind: str, width: float | None = None
) -> Markup:
    """Return a drawing as wide as its place, or of one width."""
    role = {"role": "img", "aria_label": label} if label else {"aria_hidden": "true"}
    size = {"width": "100%", "height": f"{height:g}"}
    if width is not None:
        size |= {"width": f"{width:g}", "viewBox": f"0 0 {width:g} {height:g}"}
    return Markup(element("svg", *parts, class_=kind, **size, **role))


def across(value: float, low: float, high: float) -> float:
    """Return the place of a value between two ends, in per cent of the width."""
    share = (value - low) / (high - low) if high > low else 0.5
    return MARGIN + (100 - 2 * MARGIN) * min(max(share, 0.0), 1.0)


def per_cent(position: float) -> str:
    """Write a place."""
    return f"{position:.4g}%"
