"""Write environment.yml from requirements.lock: the conda way to the same versions.

python tools/environment.py
"""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HEAD = """\
# The conda way to the environment of requirements.lock, which is what the tests run on.
# Made by `make lock`; do not edit.
name: opchar
channels: [conda-forge]
dependencies:
  - python>=3.11
  - pip
  - pip:
"""


def environment(lock: str) -> str:
    """Return environment.yml for the text of a lock file."""
    pins = re.findall(r"^([\w.-]+==[^\s\\]+(?: ; [^\\\n]+)?)", lock, flags=re.MULTILINE)
    return HEAD + "".join(f"      - {pin.strip()}\n" for pin in pins)


if __name__ == "__main__":
    text = environment((ROOT / "requirements.lock").read_text(encoding="utf-8"))
    (ROOT / "environment.yml").write_text(text, encoding="utf-8")
