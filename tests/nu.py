"""What the Nu HTML checker says of pages."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest


def _checker() -> list[str]:
    """Return the command of the Nu HTML checker."""
    if command := shutil.which("vnu"):
        return [command]
    places = [os.environ.get("OPCHAR_VNU", "")]
    if npm := shutil.which("npm"):
        root = subprocess.run([npm, "root", "-g"], capture_output=True, text=True, check=False)
        places.append(f"{root.stdout.strip()}/vnu-jar/build/dist/vnu.jar")
    jar = next((place for place in places if place and Path(place).is_file()), None)
    java = shutil.which("java")
    if jar is None or java is None:
        pytest.skip("no Nu HTML checker: npm install -g vnu-jar, and java")
    return [java, "-jar", jar]


# It takes every file for an origin of its own and hashes no script: browsers are asked in
# tests/browser. Some names of style are younger than its list.
_APART = re.compile(
    r"(Resource|Inline (script|style)) violates Content Security"
    r"|CSS: (“(math-style|container-type)”: Property|Unrecognized at-rule “@container”)"
)


def html_complaints(folder: Path) -> list[str]:
    """Return what the Nu HTML checker says of the pages of a folder."""
    command = [*_checker(), "--format", "json", "--skip-non-html", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    said = [each["message"] for each in json.loads(done.stderr)["messages"]]
    return [each for each in said if not _APART.match(each)]
