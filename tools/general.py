"""Write the general claims of the statements' marks where the package ships them.

    python tools/general.py

``opchar ask`` reads them in any folder, with nothing of the project but the wheel.
"""

from __future__ import annotations

from pathlib import Path

from opchar.analysis.claims.listing import text_of
from opchar.files import write_text
from opchar.pipeline.configuration.config import load
from opchar.statements.general import general_of

ROOT = Path(__file__).resolve().parents[1]
SHIPPED = ROOT / "src/opchar/analysis/claims/general.json"


def main() -> None:
    """Write the file."""
    write_text(text_of(general_of(load(ROOT).statements)), SHIPPED)


if __name__ == "__main__":
    main()
