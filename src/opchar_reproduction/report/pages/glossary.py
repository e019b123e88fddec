"""The words of the report and of the documentation, explained once."""

import re

from opchar_reproduction.report.meanings import meanings

TERMS = meanings("term")


# Names that tables and captions explain where they first use them, with the term that has them.
_HINTS = {"AccSens": "AccSens", "PC(+)": "PC(+)", "P(+)": "P(+), prior", "VUS": "VUC, VUS"}
_HINTS |= {"VUC": "VUC, VUS", "SOCMC": "SOCMC", "TPR": "TPR, recall", "FPR": "FPR"}
_HINTS |= {"AUPREC": "AUPRC", "IAUPREC": "AUPRC", "AURPC": "AUPRC"}
_NAME = re.compile(rf"(?<![\w(])({'|'.join(map(re.escape, _HINTS))})(?![\w(])")
_HEADED = re.compile(r'<(caption|th|p) ?(?:class="caption"|scope="[^"]*")?>(?:(?!</\1>).)*', re.S)


def with_hints(page: str) -> str:
    """Return a page whose tables and captions explain a name where they first use it."""
    explained: set[str] = set()

    def explain(name: re.Match[str]) -> str:
        if name[1] in explained:
            return name[1]
        explained.add(name[1])
        meant = TERMS[_HINTS[name[1]]].split(". ")[0].rstrip(".")
        own = "the print's name of AUPRC: " if _HINTS[name[1]] == "AUPRC" else ""
        return f'<abbr title="{own}{meant}">{name[1]}</abbr>'

    def in_place(part: re.Match[str]) -> str:
        texts = re.split(r"(<[^>]*>)", part[0])
        return "".join(t if t.startswith("<") else _NAME.sub(explain, t) for t in texts)

    def of_item(item: str) -> str:
        explained.clear()
        return _HEADED.sub(in_place, item)

    return "".join(map(of_item, re.split(r"(?=<h2 )", page)))


def markdown() -> str:
    """Return the glossary as ``docs/glossary.md`` has it."""
    lines = [f"- **{term}**: {meaning}" for term, meaning in TERMS.items()]
    return "# Glossary\n\n" + "\n".join(lines) + "\n"
