"""Model words in the package are those of the configuration."""

import runpy

from checkout import ROOT

TOOL = runpy.run_path(str(ROOT / "tools/models.py"))


def test_the_words_in_the_package_are_current():
    shipped = (ROOT / "src/opchar/models/vocabulary.json").read_text(encoding="utf-8")
    assert shipped == TOOL["words"](), "run: tools/models.py"
