"""The words of model names as the package ships them, for use outside a project."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any


def packaged_vocabulary() -> dict[str, dict[str, Any]]:
    """Return the words of model names, as ``config/models.yaml`` of the project has them."""
    text = files("opchar.models").joinpath("vocabulary.json").read_text(encoding="utf-8")
    return dict(json.loads(text))
