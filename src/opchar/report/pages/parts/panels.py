"""The panels of a figure, so that a narrow screen can show them one below the other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree import ElementTree

_SVG = "{http://www.w3.org/2000/svg}"
_NUMBERS = re.compile(r"-?\d+\.?\d*(?:e-?\d+)?")
_SIZE = re.compile(r"(?:font-size:\s*|font:\s*(?:[a-z]+\s+)*)([\d.]+)px")
_MOVED = re.compile(r"translate\(([-\d.]+)[ ,]+([-\d.]+)\)")
_TURNED = re.compile(r"rotate\((-?[\d.]+)")
# Width of a letter of DejaVu Sans, in its size.
_LETTER = 0.58
_GAP = 3.0


@dataclass
class Box:
    """A rectangle in the units of a drawing."""

    left: float
    top: float
    right: float
    bottom: float

    def union(self, other: Box) -> Box:
        """Return the smallest box around both."""
        return Box(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
        )

    @property
    def width(self) -> float:
        """Its extent across."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """Its extent down."""
        return self.bottom - self.top

    def overlap(self, other: Box) -> float:
        """Return the area that two boxes share, over that of the smaller one."""
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.bottom, other.bottom) - max(self.top, other.top)
        least = min(self.width * self.height, other.width * other.height)
        return across * down / least if across > 0 and down > 0 and least > 0 else 0.0


def panels(svg: bytes) -> list[dict[str, float]]:
    """Return where the panels of a figure are."""
    root = ElementTree.fromstring(svg)
    view = [float(part) for part in root.get("viewBox", "0 0 1 1").split()]
    whole = Box(0.0, 0.0, view[2], view[3])
    axes = [group for group in root.iter(f"{_SVG}g") if re.match(r"axes_\d+$", group.get("id", ""))]
    frames = [(group, frame) for group in axes if (frame := _frame(group)) is not None]
    boxes = _merge_boxes([_with_texts(group, frame) for group, frame in frames], frames)
    if len(boxes) < 2:
        return []
    inside = {text for group in axes for text in group.iter()}
    loose = [box for text, box in _texts(root) if text not in inside]
    for box in loose:
        nearest = min(boxes, key=lambda other: _distance(box, other))
        if box.top > max(other.bottom for other in boxes) - 1 or box.width > 0.6 * whole.width:
            continue
        index = boxes.index(nearest)
        boxes[index] = nearest.union(box)
    feet = [box for box in loose if box.top > max(other.bottom for other in boxes) - 1]
    if feet:
        foot = feet[0]
        for box in feet[1:]:
            foot = foot.union(box)
        boxes.append(Box(0.0, foot.top, whole.right, foot.bottom))
    return [_share(box, whole) for box in boxes]


def _share(box: Box, whole: Box) -> dict[str, float]:
    left, top = max(box.left - _GAP, 0.0), max(box.top - _GAP, 0.0)
    right, bottom = min(box.right + _GAP, whole.right), min(box.bottom + _GAP, whole.bottom)
    return {
        "left": left / whole.width,
        "top": top / whole.height,
        "width": (right - left) / whole.width,
        "height": (bottom - top) / whole.height,
        "aspect": (right - left) / (bottom - top),
        "pixels": (right - left) * 4 / 3,
    }


def _merge_boxes(boxes: list[Box], frames: list[tuple[ElementTree.Element, Box]]) -> list[Box]:
    """Join what lies over another panel (an inset, a second axis) or is a colour bar beside it."""
    widest = max((frame.width for _, frame in frames), default=0.0)
    found: list[Box] = []
    for box, (_, frame) in zip(boxes, frames, strict=True):
        over = [other for other in found if other.overlap(box) > 0.5]
        narrow = frame.width < 0.2 * widest
        near = min(found, key=lambda other: _distance(box, other)) if narrow and found else None
        target = over[0] if over else near
        if target is None:
            found.append(box)
        else:
            found[found.index(target)] = target.union(box)
    return found


def _distance(box: Box, other: Box) -> float:
    across = max(other.left - box.right, box.left - other.right, 0.0)
    down = max(other.top - box.bottom, box.top - other.bottom, 0.0)
    return across + down


def _frame(group: ElementTree.Element) -> Box | None:
    """Return the background of a panel, the first path that it draws."""
    for part in group:
        if part.get("id", "").startswith("patch_"):
            path = part.find(f"{_SVG}path")
            if path is not None:
                return _around(path.get("d", ""))
    return None


def _around(path: str) -> Box | None:
    numbers = [float(number) for number in _NUMBERS.findall(path)]
    if len(numbers) < 4:
        return None
    xs, ys = numbers[::2], numbers[1::2]
    return Box(min(xs), min(ys), max(xs), max(ys))


def _with_texts(group: ElementTree.Element, frame: Box) -> Box:
    whole = frame
    for _, box in _texts(group):
        # A text that begins inside, such as a legend, stays inside: its length is only estimated.
        inside = frame.left < box.left < frame.right and frame.top < box.bottom < frame.bottom
        whole = whole if inside else whole.union(box)
    return whole


def _texts(group: ElementTree.Element) -> Iterator[tuple[ElementTree.Element, Box]]:
    """Yield the texts of a group with about the room that they take."""
    parents = {child: parent for parent in group.iter() for child in parent}
    for text in group.iter(f"{_SVG}text"):
        content = "".join(text.itertext())
        style = text.get("style", "") + "".join(part.get("style", "") for part in text)
        sizes = [float(size) for size in _SIZE.findall(style)]
        if not content.strip() or not sizes:
            continue
        turned = _TURNED.search(text.get("transform", ""))
        if text.get("x") is not None:
            x, y = float(text.get("x", "0")), float(text.get("y", "0"))
        else:
            outer = parents.get(text, text).get("transform", "") + text.get("transform", "")
            moved = _MOVED.search(outer)
            if moved is None:
                continue
            x, y = float(moved[1]), float(moved[2])
            turned = _TURNED.search(outer)
        length, size = len(content) * _LETTER * max(sizes), max(sizes)
        anchor = re.search(r"text-anchor:\s*(\w+)", style)
        start = {"middle": length / 2, "end": length}.get(anchor[1] if anchor else "", 0.0)
        if turned is not None and abs(abs(float(turned[1])) - 90) < 10:
            yield text, Box(x - size, y - (length - start), x + size * 0.3, y + start)
        else:
            yield text, Box(x - start, y - size, x - start + length, y + size * 0.3)
