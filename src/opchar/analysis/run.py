"""All questions asked of one set of scores, and the answers written into a folder."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from opchar.analysis.answered import Answered
from opchar.analysis.answers.areas import area_table
from opchar.analysis.answers.cautions import cautions, needed_table, saturation, too_few
from opchar.analysis.answers.comparison import area_differences, cost_differences
from opchar.analysis.answers.decision import decision, decision_findings
from opchar.analysis.answers.in_use import group_table, in_use_findings, in_use_table
from opchar.analysis.answers.judging import Judged, one_against_rest, sizes_of
from opchar.analysis.answers.limits import limit_table, promised_of
from opchar.analysis.answers.object_costs import object_cost_tables, with_mean_costs
from opchar.analysis.answers.percent import turn_to_percent
from opchar.analysis.answers.prior_in_use import with_prior_in_use
from opchar.analysis.answers.probabilities import calibration_table, reject_table
from opchar.analysis.answers.promises import promise_table
from opchar.analysis.answers.rules import rule_table, spread_table
from opchar.analysis.answers.thresholds import (
    envelope_table,
    every_threshold,
    point_table,
    threshold_table,
    with_printed,
)
from opchar.analysis.asking import Asked
from opchar.analysis.findings import Finding
from opchar.analysis.progress import Progress
from opchar.analysis.tables.files import model_name
from opchar.analysis.tables.many import in_cells
from opchar.analysis.tables.scored_sample import ScoredSample

# Answers whose thresholds are among the points of the curve.
WITH_THRESHOLDS = ("thresholds", "limits", "promises", "rules", "in-use", "object-costs")
# Of a result in Python.
MOST_LINES = 18


class Answers(Answered):
    """What the scores say, which can save itself."""

    def __repr__(self) -> str:
        """Return findings, decision and main answers, at most twenty lines."""
        from opchar.analysis.first_screen import answer_lines

        lines = answer_lines(self)
        more = [f"... and {len(lines) - MOST_LINES} lines more"] if len(lines) > MOST_LINES else []
        tables = f"tables: {', '.join(self.tables)}; see to_frame(name), save(folder)"
        return "\n".join([*lines[:MOST_LINES], *more, tables])

    def _repr_html_(self) -> str:
        """Return the first screen for a notebook, in a frame of its own."""
        from opchar.analysis.page import page

        framed = escape(page(self, {}, whole=False), quote=True)
        return f'<iframe srcdoc="{framed}" style="width:100%;height:46rem;border:0"></iframe>'

    def save(self, folder: Path | str, figures: Sequence[str] = ("svg",)) -> list[Path]:
        """Write the page, figures, a CSV for each question and ``answers.json`` into a folder."""
        from opchar.analysis.writing import write_answers

        return write_answers(self, Path(folder), figures)


def analyse(
    scored: ScoredSample,
    asked: Asked | None = None,
    *,
    positive: str | None = None,
    costs: NDArray[np.float64] | None = None,
    progress: Progress | None = None,
) -> Answers:
    """Ask all questions of scores.

    Two classes are judged one against the other. Of more, each class is set against the rest for
    its areas; one that is named as positive is judged like one of two.

    `scored`: from `opchar.analysis.tables.reading.read_models`.
    `positive`: of more than two classes the one that is set against the rest.
    `costs`: for more than two classes, that of taking a class (row) for another (column), (C, C).
    `progress`: told what is done.

    A `ScoresError` is raised if there is too little to be said.
    """
    rows = scored.with_weight()
    scored = in_cells(rows, asked or Asked())
    answers = Answers(scored, asked or Asked())
    shown = progress or Progress()
    binary = len(scored.classes) == 2 or positive is not None
    answers.find(_not_asked(answers.asked, binary, scored, costs))
    answers.class_costs = costs is not None and not binary
    shown.expect(_work(scored, binary))
    per_model = len(scored.y) * len(scored.models)
    if binary:
        _one_class(answers, rows, shown, per_model)
    else:
        sizes = sizes_of(scored)
        answers.find(too_few(scored, sizes))
        for column in np.flatnonzero(sizes > 1):
            shown.step(f"areas of {scored.classes[column]}", per_model if column else 0)
            _areas_only(answers, int(column))
        for model, scores in scored.models.items():
            answers.find(saturation(model, scores.ravel()))
    if len(scored.classes) > 2:
        _many_classes(answers, costs, shown, per_model)
    shown.step("rejecting", per_model)
    answers.add("rejecting", reject_table(scored, answers.asked.level))
    turn_to_percent(answers)
    shown.close()
    return answers


def _not_asked(
    asked: Asked, binary: bool, scored: ScoredSample, costs: NDArray[np.float64] | None
) -> list[Finding]:
    """Return which questions have no answer here."""
    if not binary:
        plain = Asked()
        options = {each: each.removesuffix("s") for each in ("priors", "cost", "alphas", "limits")}
        options |= {
            each: each.replace("_", "-") for each in ("max_fpr", "max_fnr", "min_precision")
        }
        options |= {"max_alert_rate": "alerts", "rule": "rule"}
        changed = [f"--{o}" for n, o in options.items() if getattr(asked, n) != getattr(plain, n)]
        more: list[tuple[str, object]] = [("--unlabelled", scored.unlabelled)]
        more += [("columns of costs", scored.costs), ("--threshold", asked.thresholds)]
        changed += [name for name, given in (*more, ("--by", scored.by)) if given]
        if changed:
            number = len(scored.classes)
            return [
                Finding(
                    "OPC001",
                    f"{', '.join(changed)}: asked of one class against the rest, and there are "
                    f"{number} classes and no --positive. Not answered.",
                )
            ]
    elif len(scored.classes) == 2 and costs is not None:
        return [Finding("OPC001", "--costs is for more than two classes; give --cost instead.")]
    return []


def _work(scored: ScoredSample, binary: bool) -> float:
    steps = 10 if binary else len(scored.classes) + 1
    return len(scored.y) * len(scored.models) * (steps + 12 * (len(scored.classes) > 2))


def _one_class(answers: Answers, rows: ScoredSample, shown: Progress, work: float) -> None:
    """Answer what is asked of one class against the rest; guarantees are of single `rows`."""
    shown.step("sorting the scores")
    data, means = with_mean_costs(
        one_against_rest(answers.scored, rows.positive, answers.asked), answers.scored
    )
    answers.find(means)
    if answers.scored.unlabelled and _one_row_each(answers, data, "--unlabelled"):
        data, priors, findings = with_prior_in_use(data, answers.scored)
        answers.add("priors", priors)
        answers.find(findings)
    shown.step("areas", work)
    areas, found = area_table(data)
    answers.add("areas", areas)
    shown.step("thresholds chosen on some folds and judged on the others", work)
    thresholds = threshold_table(data)
    answers.add("thresholds", thresholds)
    shown.step("envelopes", 3 * work)
    answers.add("envelopes", envelope_table(data))
    answers.add("every-threshold", every_threshold(data))
    shown.step("limits on errors", work)
    answers.add("limits", with_printed(data, limit_table(data, answers.scored.fold)))
    limits = "--max-fpr, --max-fnr, --min-precision, --alerts"
    if answers.asked.promises and _one_row_each(answers, data, limits):
        single = (
            data if rows is answers.scored else one_against_rest(rows, rows.positive, data.asked)
        )
        answers.add("promises", promise_table(single, promised_of(single, rows.fold)))
    if len(data.names) > 1:
        shown.step("models against each other", work)
        answers.add("area-differences", area_differences(data, found))
        curves, better = cost_differences(data, found)
        answers.add("cost-differences", curves)
        answers.tables["better"] = better
    shown.step("model and threshold", work)
    answers.decision = decision(data, answers.tables.get("cost-differences"))
    answers.add("rules", rule_table(data))
    answers.add(
        "threshold-costs", spread_table(data, answers.decision.best.model, answers.decision.prior)
    )
    if answers.scored.costs:
        tables, answers.decision = object_cost_tables(data, answers.scored, answers.decision)
        for name, table in tables.items():
            answers.add(name, table)
    in_use = in_use_table(data, answers.scored, answers.decision)
    answers.add("in-use", in_use)
    answers.add("by-group", group_table(data, answers.scored, answers.decision))
    held = [answers.tables[name] for name in WITH_THRESHOLDS if name in answers.tables]
    answers.add("points", point_table(data, held))
    answers.find(in_use_findings(in_use, data, answers.scored))
    shown.step("calibration", work)
    calibration = calibration_table(data)
    answers.add("calibration", calibration)
    answers.add("needed", needed_table(data, areas, thresholds))
    answers.find(decision_findings(answers.decision, areas, data))
    answers.find(cautions(answers.scored, data, areas, calibration))


def _one_row_each(answers: Answers, data: Judged, asked: str) -> bool:
    """Return whether each object has one row; else add a finding that the question needs it."""
    guarantee = data.draws_folds and asked.startswith("--")
    if data.unit is None and not guarantee:
        return True
    reason = f"{asked}: objects have several rows. Give one row per object."
    if guarantee:
        reason = f"{asked}: rows of a fold are alike, and a guarantee needs rows that are not."
    answers.find([Finding("OPC001", reason)])
    return False


def _areas_only(answers: Answers, column: int) -> None:
    """Answer how well one class of many is told from the rest."""
    data = one_against_rest(answers.scored, column, answers.asked)
    areas, found = area_table(data)
    answers.add("areas", areas)
    answers.add("points", point_table(data))
    if len(data.names) > 1:
        answers.add("area-differences", area_differences(data, found))
    calibration = calibration_table(data)
    answers.add("calibration", calibration)
    answers.find(cautions(answers.scored, data, areas, calibration, in_turn=True))


def _many_classes(
    answers: Answers, costs: NDArray[np.float64] | None, shown: Progress, work: float
) -> None:
    """Answer what is asked of more than two classes at once."""
    from opchar.analysis.answers.multiclass import (
        confusion_table,
        error_table,
        usable,
        volume_tables,
        weight_findings,
        weight_table,
    )

    scored = answers.scored
    answers.add("errors", error_table(scored, answers.asked))
    answers.add("confusion", confusion_table(scored))
    left_out = [name for name in scored.models if name not in usable(scored)]
    if left_out:
        names = ", ".join(left_out)
        answers.find(
            [Finding("OPC034", f"Scores of {names} are negative somewhere. Give probabilities.")]
        )
    if scored.weight is not None:
        answers.find([Finding("OPC014", "Volumes and class weights count every object once.")])
    shown.step("volume under the surface", work)
    volumes, surfaces = volume_tables(scored, answers.asked)
    answers.add("volumes", volumes)
    answers.add("surfaces", surfaces)
    shown.step("class weights with a proof", 6 * work)
    weights = weight_table(scored, costs, answers.asked)
    answers.add("weights", weights)
    if answers.decision is None:  # else the advice is of one class against the rest
        answers.find(weight_findings(volumes, weights))
    shown.step("", 5 * work)


def default_folder(paths: list[Path]) -> Path:
    """Return where answers go: a folder beside the first file, called after all of them."""
    names = [model_name(path) for path in paths]
    together = "-and-".join(dict.fromkeys(names))
    if len(together) > 60:
        together = f"{names[0]}-and-{len(names) - 1}-others"
    return paths[0].resolve().parent / f"{together}-analysis"
