"""The kinds of faulty input, with how many of each the fast tests and the soak take."""

from dataclasses import dataclass

from soak import commands, configurations, printed, tables
from soak.trials import Maker


@dataclass(frozen=True)
class Kind:
    """A kind of faulty input, its maker, and how many the fast tests and the soak take."""

    title: str
    make: Maker
    sample: int
    full: int


KINDS = {
    "configuration": Kind("a configuration with one damage", configurations.damaged, 4, 2000),
    "own": Kind("a damaged file of a user's own data and analyses", configurations.own, 3, 600),
    "extension": Kind("a damaged file of a user's own models", configurations.extension, 2, 400),
    "model": Kind("a right or a damaged name of a model", configurations.model_name, 25, 1500),
    "scores": Kind("a damaged score table of a user's own", tables.scores, 100, 2500),
    "kept": Kind("a damaged score table of the workflow", tables.kept_scores, 60, 1500),
    "analysed": Kind("a damaged score table, analysed to the page", tables.analysed, 1, 200),
    "data": Kind("a damaged file of a data set", tables.data_set, 100, 1500),
    "archive": Kind("a damaged archive", tables.archive, 60, 1000),
    "resolved": Kind("a damaged configuration kept for jobs", configurations.kept, 4, 400),
    "printed": Kind("a damaged printed table, checked", printed.printed, 20, 600),
    "command": Kind("a command line of any words", commands.line, 2, 500),
}
