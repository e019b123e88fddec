"""Faces that stand in for COX Face: Extended Yale B in two lights, or generated ones."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from opchar.errors import DataError
from opchar.seeds import Spawn

SIZE = 64


@dataclass(frozen=True)
class Trajectories:
    """Face regions of one video, person after person, in the order of the frames.

    Shapes: `rois` (n, 64, 64); `person` (n,); `frame` (n,).
    """

    rois: np.ndarray
    person: np.ndarray
    frame: np.ndarray

    def first(self, persons: int | None, count: int) -> Trajectories:
        """Return the first `count` regions of the first `persons` persons (None: of all)."""
        chosen = np.unique(self.person)[:persons]
        keep = np.isin(self.person, chosen) & (self.frame < count)
        return Trajectories(self.rois[keep], self.person[keep], self.frame[keep])


def join_trajectories(trajectories: list[tuple[str, np.ndarray]]) -> Trajectories:
    """Join ``(person, regions)`` pairs into one video, ordered by person."""
    ordered = sorted(trajectories, key=lambda pair: pair[0])
    return Trajectories(
        np.concatenate([rois for _, rois in ordered]),
        np.concatenate([np.full(len(rois), person, dtype=object) for person, rois in ordered]),
        np.concatenate([np.arange(len(rois)) for _, rois in ordered]),
    )


def yale_b(path: Path, *, left: bool, count: int) -> Trajectories:
    """Let one half of the lights of Extended Yale B play a video."""
    try:
        with np.load(path, allow_pickle=False) as archive:
            X, subject = archive["X"], archive["subject"]
            azimuth = archive["azimuth"].astype(int)
            elevation = archive["elevation"].astype(int)
    except Exception as error:
        raise DataError(
            f"{path}: not the expected NumPy archive ({error}); fetch it again"
        ) from None
    half = np.flatnonzero(azimuth < 0 if left else azimuth > 0)
    pairs = []
    for person in np.unique(subject):
        mine = half[subject[half] == person]
        mild = mine[np.lexsort((elevation[mine], np.abs(elevation[mine]) + np.abs(azimuth[mine])))]
        mild = mild[:count]
        pairs.append((f"{person:02d}", X[mild[np.lexsort((elevation[mild], azimuth[mild]))]]))
    return join_trajectories(pairs)


@dataclass(frozen=True)
class _Person:
    """What does not change along a trajectory: blobs of brightness on a head."""

    height: float
    width: float
    skin: float
    blobs: np.ndarray  # columns: u, v, width, height, brightness


def _someone(rng: np.random.Generator) -> _Person:
    """Draw a person: a head, its features, and the marks of its skin."""
    eye_u, eye_v = rng.normal(0.36, 0.03), rng.normal(-0.2, 0.03)
    eye_w, eye_b = rng.normal(0.13, 0.015), rng.normal(-70, 12)
    brow, mouth = rng.normal(0.18, 0.03), rng.normal(0.55, 0.04)
    features = [
        (-eye_u, eye_v, eye_w, 0.06, eye_b),
        (eye_u, eye_v, eye_w, 0.06, eye_b),
        (-eye_u, eye_v - brow, rng.normal(0.2, 0.02), 0.04, rng.normal(-55, 15)),
        (eye_u, eye_v - brow, rng.normal(0.2, 0.02), 0.04, rng.normal(-55, 15)),
        (0.0, rng.normal(0.1, 0.03), 0.06, rng.normal(0.25, 0.03), rng.normal(28, 6)),
        (0.0, rng.normal(0.3, 0.02), rng.normal(0.15, 0.02), 0.04, rng.normal(-40, 8)),
        (0.0, mouth, rng.normal(0.28, 0.04), rng.normal(0.06, 0.01), rng.normal(-60, 12)),
        (0.0, rng.normal(-0.95, 0.08), 0.9, rng.normal(0.25, 0.05), rng.normal(-90, 25)),
        (0.0, rng.normal(0.9, 0.05), 0.25, 0.1, rng.normal(15, 10)),
    ]
    marks = int(rng.integers(20, 60))
    fine = rng.uniform(0.03, 0.09)
    skin = np.column_stack(
        [
            rng.uniform(-0.9, 0.9, marks),
            rng.uniform(-0.9, 0.9, marks),
            rng.gamma(6, fine / 6, marks) + 0.02,
            rng.gamma(6, fine / 6, marks) + 0.02,
            rng.normal(0, rng.uniform(6, 16), marks),
        ]
    )
    return _Person(
        height=rng.normal(0.98, 0.04),
        width=rng.normal(0.78, 0.05),
        skin=rng.normal(165, 15),
        blobs=np.concatenate([np.array(features), skin]),
    )


def _walk(frames: int, rng: np.random.Generator, size: float) -> np.ndarray:
    """Draw a smooth random path about 0 with standard deviation near `size`."""
    steps = np.linspace(0, 2 * np.pi, frames, endpoint=False) * rng.uniform(0.3, 0.9)
    phase = rng.uniform(0, 2 * np.pi)
    return size * (1.2 * np.sin(steps + phase) + 0.4 * np.sin(3 * steps + 2 * phase))


def _render(person: _Person, frames: int, rng: np.random.Generator, camera: float) -> np.ndarray:
    """Render a trajectory: pose, light, scale and blur vary smoothly, the sensor adds noise."""
    yaw = rng.normal(0, 0.12) + _walk(frames, rng, 0.12)
    pitch = rng.normal(0, 0.06) + _walk(frames, rng, 0.06)
    scale = 1 + np.linspace(-0.06, 0.06, frames) * rng.choice([-1, 1])
    light = rng.normal(camera, 0.15) + _walk(frames, rng, 0.12)
    blur = np.abs(rng.normal(0.03, 0.01) + _walk(frames, rng, 0.012)) + 0.01
    axis = (np.arange(SIZE) + 0.5) / (SIZE / 2) - 1
    u = axis / (person.width * scale[:, None] * np.cos(yaw)[:, None])
    v = axis / (person.height * scale[:, None])
    at_u, at_v, width, height, brightness = person.blobs.T
    depth = np.sqrt(np.clip(1 - at_u**2, 0, 1))
    centre_u = at_u + depth * np.tan(yaw)[:, None]
    centre_v = at_v + 0.7 * pitch[:, None]
    width_u, width_v = np.hypot(width, blur[:, None]), np.hypot(height, blur[:, None])
    strength = brightness * width * height / (width_u * width_v)
    along_u = np.exp(-0.5 * ((u[:, :, None] - centre_u[:, None]) / width_u[:, None]) ** 2)
    along_v = np.exp(-0.5 * ((v[:, :, None] - centre_v[:, None]) / width_v[:, None]) ** 2)
    face = person.skin + (along_v * strength[:, None]) @ along_u.transpose(0, 2, 1)
    face *= 1 + light[:, None, None] * u[:, None, :]
    radius = np.sqrt(u[:, None, :] ** 2 + v[:, :, None] ** 2)
    head = 1 / (1 + np.exp((radius - 1) / (0.03 + blur[:, None, None])))
    scene = 90 + 25 * camera + 10 * np.sin(3 * axis + 5 * camera)[None, None, :]
    image = head * face + (1 - head) * scene + rng.normal(0, 2.0, (frames, SIZE, SIZE))
    return np.clip(np.rint(image), 0, 255).astype(np.uint8)


def generated(spawn: Spawn, *, left: bool, persons: int, frames: int) -> Trajectories:
    """Generate one of two videos of the same persons.

    `left`: the first or the second video: another camera, with other light, pose and blur;
    `persons`, `frames`: how many persons, and face regions of each. Returns: 64 x 64 grey faces:
    head, features and skin marks make the person, and are the same in both videos.
    """
    camera = -0.25 if left else 0.25
    pairs = []
    for number in range(persons):
        person = _someone(spawn("person", number))
        rng = spawn("trajectory", number, "left" if left else "right")
        pairs.append((f"{number + 1:04d}", _render(person, frames, rng, camera)))
    return join_trajectories(pairs)
