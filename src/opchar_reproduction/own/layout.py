"""A folder of a user's own, which uses the workflow as a module."""

import shutil
from pathlib import Path

from opchar.errors import ConfigError
from opchar.files import write_text
from opchar_reproduction.own.entries import FILE, read_entries, write
from opchar_reproduction.publication import file, refuse_key, refuse_path
from opchar_reproduction.report.comparison.expected_verdicts import COLUMNS as EXPECTED
from opchar_reproduction.report.comparison.published_values import (
    APART,
    CATALOGUE,
    CAUSES,
    ERRATA,
    LEADS,
    LINES,
)

SNAKEFILE = """# Your project: the rules of OpChar as a module, and yours beside them.
module opchar:
    snakefile: "{home}/workflow/Snakefile"
    config: config


configfile: "config/config.yaml"


use rule * from opchar as opchar_*


rule mine:
    default_target: True
    input:
        f"results/{{config['profile']}}/own/first",
"""
README = """# {name}

A project on OpChar. Enter a table of yours and put it through every analysis:

    opchar add data table.csv --target class --models "sc ldc, sc mine"
    opchar run own/table-spaces own/table-summary

`mine.py` has a model of yours, which can be named as `sc mine`; a metric, which is a column of
every analysis of your data; and an experiment with its figure, `opchar run own/first-bars`. It is
listed under `extensions:` in `config/config.yaml`, which has the settings; `config/own.yaml` has
your data sets and their analyses: delete an entry there to take it out, and what was made of it
from `data` and `results`. Name what you want made in the rule `mine` of the
`Snakefile`; then `snakemake --cores 2` makes it.
"""
MINE = '''"""A model, a metric, and an experiment with its figure, to be changed into your own."""

from opchar_reproduction.extend import figure, metric, study, word


@word("mine", summary="a model of your own")
def mine():
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(max_iter=1000)


@metric("the smallest share of a class that is taken for it")
def worst_recall(matrix):
    return (matrix.diagonal() / matrix.sum(axis=1)).min()


@study(
    "first",
    scores=[{"data": "sonar", "protocol": "holdout-10", "models": ["sc mine", "sc ldc"]}],
    parameters={"prior": 0.1},
)
def first(*, scores, prior):
    """Area under precision and recall at a prior, of each fold."""
    from opchar import pr_auc
    from opchar_reproduction.results import Results

    results = Results()
    for (data, model), table in scores.items():
        for number, fold in table.folds():
            value = pr_auc(*fold.binary("mine"), prior=prior)
            row = f"{model}, fold {number}"
            results.number("first", row, "AUPREC", float(value), data=table.data)
    return results


@figure("first-bars", study="first", title="First", caption="Two models on sonar, by fold.")
def bars(results, curves):
    from matplotlib import pyplot as plt

    drawn, axes = plt.subplots(layout="constrained")
    axes.barh(results["row"], results["value"])
    axes.set_xlabel("area under precision and recall, P(+) = 0.1")
    return drawn
'''


ABOUT = """# What the pages say of the publication.
title: {key}
authors: [Name of the first author]
year: 2000
# doi: 10.1000/1
citation: A. Author. Title. Journal 1, 1-2, 2000.
description: What it asks and what it finds, in a sentence.
# front: figure-1                  the figure that the first page of the report shows
# chapters: {{"1": Introduction}}    a page each; keys as sections of the catalogue begin
"""
HEADS = {
    "values": LINES,
    "errata": ERRATA,
    "leads": LEADS,
    "causes": CAUSES,
    "apart": APART,
    "expected": EXPECTED,
    "catalogue": CATALOGUE,
}


def new_publication(folder_text: str) -> list[str]:
    """Lay out the folder of a publication, without a line or a study, and list it."""
    folder, user_entries = Path(folder_text), read_entries()
    refuse_path(folder_text, folder_text)
    refuse_key(folder.name, {Path(each).name for each in user_entries["publications"]}, folder_text)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ConfigError(f"{folder}: there is something; give a new folder")
    write_text(ABOUT.format(key=folder.name), file(folder, "about"))
    for name, columns in HEADS.items():
        write_text(",".join(columns) + "\n", file(folder, name))
    user_entries["publications"].append(folder_text)
    write(user_entries)
    return [
        f"laid out: {folder}; say in about.yaml what it is, enter what it prints in values.csv",
        f"written: {FILE}; its studies go to {folder}/<section>/<study>.py",
    ]


def new_project(folder: Path, home: Path) -> list[str]:
    """Lay out a folder that uses the workflow of the project as a module."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ConfigError(f"{folder}: there is something; give a new folder")
    settings = (home / "config/config.yaml").read_text(encoding="utf-8")
    settings = settings.replace("extensions: []", "extensions: [mine.py]")
    write_text(SNAKEFILE.format(home=home.resolve().as_posix()), folder / "Snakefile")
    write_text(settings, folder / "config/config.yaml")
    write_text(README.format(name=folder.name), folder / "README.md")
    write_text(MINE, folder / "mine.py")
    shutil.copytree(home / "workflow/profiles", folder / "profiles")
    return [f"laid out: {folder}; its README.md says how to go on"]
