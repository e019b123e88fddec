"""Whether the scores of a row are possible: with a witness, or impossible with a proof."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import replace
from fractions import Fraction
from typing import Any

from opchar.printed.averages import filled_folds, folds_of_any_size, matrices_of
from opchar.printed.certificates import Certificate, cells_known_to, is_outside
from opchar.printed.duals import (
    class_parts,
    class_witness,
    nearest_of,
    of_classes,
    refute_folds,
    refuted_parts,
)
from opchar.printed.exact_indices import COUNTS
from opchar.printed.formulas import mean_ends
from opchar.printed.headings import ERRORS
from opchar.printed.matrices import Demand, contradiction, witness
from opchar.printed.mean_proofs import Score, least_sum
from opchar.printed.numbers import from_to, printed_as
from opchar.printed.one_set import decide_one_set
from opchar.printed.protocol import Answer
from opchar.printed.reported_values import UndecidedError
from opchar.printed.row import CURVES, OF_CLASS, Row, score_of

OF_CLASSES = ("macro_", "weighted_")
AVERAGES = ("macro", "weighted", "micro", "samples", "mean")
_NO_SCORES = "no column of the row is a score that a matrix, curve or prediction has"
_NO_KIND = "its label names no average: macro avg, weighted avg or micro avg would"
_NOT_ASKED = "no witness was searched"
_NO_PROOF = "no matrices were found, without a proof that there are none"


def decide(row: Row, kind: str) -> Answer:
    """Search a witness or a proof among matrices, folds, sizes, classes or averages."""
    protocol = row.protocol
    if kind == "micro" and protocol.pooled and not protocol.classes:
        # They are scores of the sums of the counts of all classes.
        own = {h: n for h, n in row.names.items() if n in ("precision", "tpr", "f1", "jaccard")}
        row.unchecked += [h for h in row.names if h not in own]
        row.names, row.protocol = own, replace(protocol, negatives=None, objects=None)
        if own:
            return decide_one_set(row, row.demands())
    if kind in AVERAGES and not protocol.classes:
        return _decide_averages(row, kind)
    if protocol.classes:
        return _decide_classes(row)
    demands = row.demands()
    curves = [h for h, name in row.names.items() if name in (*CURVES, *ERRORS)]
    row.unchecked += [h for h in row.names if h not in demands and h not in curves]
    if not demands:
        if 0 < len(curves) <= 2:
            return Answer("possible")
        none = _NO_KIND if kind == "overall" else _NO_SCORES
        return Answer("not decided", reason=_areas(row, curves) if curves else none)
    add_up = row.counts.get("tp", 0) + row.counts.get("fn", 0) == protocol.positives
    add_up &= row.counts.get("fp", 0) + row.counts.get("tn", 0) == protocol.negatives
    if len(row.counts) == len(COUNTS) and protocol.tested == 1 and add_up:
        return _of_counts(row, demands)
    if 1 < len(row.counts) < len(COUNTS) and protocol.tested == 1 and protocol.pooled:
        of_counts = _of_counts(row, demands)
        if of_counts.refutes:
            return of_counts
    if protocol.pooled:
        answer = decide_one_set(row, demands)
        left = [h for h in curves if h not in row.area()]
        if answer.status == "possible" and left:
            return Answer("not decided", answer.witness, reason=_areas(row, left))
        refuted = _refuted_means(row) if answer.status == "not decided" else None
        return refuted or answer
    return _decide_folds(row, demands, curves)


def _areas(row: Row, headings: Sequence[str]) -> str:
    """Return why a row with areas or errors is not decided."""
    return f"{', '.join(headings)}: only bounds are known between this and the other scores"


def _of_counts(row: Row, demands: Mapping[str, Demand]) -> Answer:
    """Compare scores of a row with the values of its printed counts, on which they depend."""
    printed = tuple(row.counts.get(name) for name in COUNTS)
    cells = tuple(count or 0 for count in printed)
    own = dict(demands) | (row.area() if None not in printed else {})
    asked = {h: d for h, d in own.items() if row.names[h] not in COUNTS}
    asked = {h: d for h, d in asked.items() if cells_known_to(score_of(d)[0], printed)}
    wrong = {h: d for h, d in asked.items() if is_outside(score_of(d), cells)}
    halves = tuple(2 * count + 1 for count in cells)
    witness = {name: row.counts[name] for name in COUNTS if name in row.counts}
    if not wrong:
        return Answer("possible", witness)
    if not any(is_outside(score_of(demand), halves) for demand in wrong.values()):
        names = ", ".join(wrong)
        hint = f"{names}: with half an object added to each count, as meta-analyses do"
        return Answer("possible", witness, hints=(hint,))
    scores = tuple(score_of(demand) for demand in wrong.values())
    counts = ", ".join(f"{name.upper()} {count}" for name, count in witness.items())
    values = [
        f"{heading} of these counts is {_value(demand, cells)}; "
        + printed_as(demand.text, demand.limits)
        for heading, demand in wrong.items()
    ]
    lines = (f"the row has {counts}", "; ".join(values))
    return row.refutation(Certificate("counts", scores, row.sizes, printed), tuple(wrong), lines)


def _value(demand: Demand, cells: Sequence[int]) -> str:
    name, value = demand.index.name, demand.index.quick(*cells)
    if name == "auc":
        return "that of no curve through their point"
    above, below = demand.index.formula(*cells)
    ratio = f"{above}/{below} = " if name in ("tpr", "tnr", "accuracy", "precision", "npv") else ""
    return f"{ratio}{value:.7g}"


def _decide_averages(row: Row, kind: str) -> Answer:
    """Decide a row of averages over parts of which nothing is known."""
    if answer := _refuted_means(row):
        return answer
    known = [h for h, name in row.names.items() if name in ("tpr", "precision", "f1", "tnr")]
    row.unchecked += [h for h in row.names if h not in known]
    if not known:
        return Answer("not decided", reason=_NO_SCORES)
    where = "over any parts" if kind in ("mean", "samples") else f"({kind}) over any classes"
    return Answer("possible", hints=(f"averages {where}: bounds of averages alone were asked",))


def _refuted_means(row: Row) -> Answer | None:
    """Return the proof that means over any parts do not have the scores of a row, if any."""
    kinds = {n.partition("_")[0] for n in row.names.values() if n.startswith(OF_CLASSES)}
    names = row.names
    if len(kinds) == 1:
        start = f"{kinds.pop()}_"
        names = {h: n.removeprefix(start) for h, n in names.items() if n.startswith(start)}
        names = {h: "tpr" if n == "recall" else n for h, n in names.items()}
    known = {n: h for h, n in names.items() if n in ("tpr", "tnr", "precision")}
    for heading, target in names.items():
        of = (
            ("tpr", "precision")
            if target == "f1" or target.startswith("f_beta")
            else ("tpr", "tnr")
        )
        used = {n: known[n] for n in of if n in known}
        limits = {n: row.rate_limits(h) for n, h in used.items()}
        low, high = mean_ends(limits, target)
        if names[heading] in known or not (used or target == "f1"):
            continue
        least, most = row.limits[heading]
        if most < low or least > high:
            headings = (*used.values(), heading)
            scores = (*((n, *limits[n]) for n in used), (target, least, most))
            ends = from_to(float(low), float(high), ".6f")
            why = f"averages of any parts have {heading} {ends}"
            first = "; ".join([row.in_words(*used.values()), why] if used else [why])
            lines = (first, row.in_words(heading))
            return row.refutation(Certificate("means", scores), headings, lines)
    return None


def _decide_folds(row: Row, demands: Mapping[str, Demand], curves: Sequence[str]) -> Answer:
    """Decide scores that are means over folds or data sets."""
    protocol, of_means = row.protocol, row.protocol.f == "F of means"
    refuted = None if of_means else _refuted_means(row)
    if refuted and refuted.refutes:
        return refuted
    f = row.heading("f1") if of_means else None
    if f and not (row.heading("precision") and row.heading("tpr")):
        return Answer("not decided", reason=f"{f} is F of means that the row does not have")
    left = {h: demand for h, demand in demands.items() if h != f}
    p, n, folds = protocol.positives, protocol.negatives, protocol.tested
    if not row.search and (p is None or n is None):
        return Answer("not decided", reason=_NOT_ASKED)
    if p is None or n is None:
        return _open_folds(row, left, f, curves)
    equal = protocol.folding == "stratified" and not protocol.parts
    equal = equal and p % folds == n % folds == 0
    linear = {h: d for h, d in left.items() if d.index.linear and d.index.name not in COUNTS}
    if equal and linear and witness(list(linear.values()), p, n) is None:
        headings, why = contradiction(linear, p, n) if row.explain else (tuple(linear), ("", ""))
        scores = tuple(score_of(linear[h]) for h in headings)
        lines = (f"sums over {folds} equal folds: {why[0]}", *why[1:])
        return row.refutation(Certificate("boxes", scores, row.sizes), headings, lines)
    if not protocol.parts and protocol.folding == "stratified":
        filled_folds((p, n), folds)
    if protocol.parts or protocol.folding == "stratified":
        asked = [score_of(demand) for demand in left.values()]
        proof = refute_folds(asked, p, n, folds, protocol.parts)
        if proof is not None:
            return _refuted_parts(row, [*left], asked, proof, _folds_in_words(row))
    if not row.search:
        return Answer("not decided", reason=_NOT_ASKED)
    matrices = matrices_of(list(left.values()), p, n, protocol) if left else None
    if matrices is None and left:
        return Answer("not decided", reason=f"{_NO_PROOF}: the solver finds no folds")
    return _with_witness(row, matrices, f, curves)


def _folds_in_words(row: Row) -> str:
    """Return how many folds or data sets there are, and of how many objects."""
    p, n, folds = row.protocol.positives or 0, row.protocol.negatives or 0, row.protocol.tested
    if row.protocol.parts:
        return f"the {folds} parts of {p} positives and {n} negatives"
    some = [
        f"{size // folds}" + (f" or {size // folds + 1}" if size % folds else "") for size in (p, n)
    ]
    return f"{folds} folds of {some[0]} positives and {some[1]} negatives each"


def _refuted_parts(
    row: Row,
    headings: Sequence[str],
    scores: Sequence[Score],
    proof: tuple[list[int], Any],
    where: str,
) -> Answer:
    """Return the answer of a proof that no parts have the means, with its words."""
    chosen, deals = proof
    used = [scores[at] for at in chosen]
    named = [headings[at] for at in chosen if at < len(headings)]
    if deals[0][1] is None:
        low, high = nearest_of(used[0], deals)
        ends = ([f"at most {float(low):.7g}"] if low > -math.inf else []) + (
            [f"at least {float(high):.7g}"] if high < math.inf else []
        )
        lines = (f"{where}: the mean of {named[0]} is {' or '.join(ends)}", row.in_words(*named))
    else:
        sums = {least_sum(used, *deal) for deal in deals}
        scale = 1 / max(abs(m) for m in deals[0][1][: len(named)])
        parts = zip(deals[0][1], named, strict=False)
        formula = " + ".join(f"{float(m * scale):.4g} x {h}" for m, h in parts if m)
        least, most = (float(end * scale) for end in min(sums))
        lines = (
            f"{where}: {formula.replace('+ -', '- ')} is at least {least:.7g} in any matrices",
            f"the printed values allow at most {most:.7g}: {row.in_words(*named)}",
        )
    certificate = Certificate("parts", tuple(used), row.sizes, deals)
    return row.refutation(certificate, tuple(named), lines)


def _open_folds(
    row: Row, demands: Mapping[str, Demand], f: str | None, curves: Sequence[str]
) -> Answer:
    """Decide means over folds of sizes that are not stated: each fold may be one matrix."""
    brief = copy(row)
    brief.explain = False
    one = decide_one_set(brief, demands, areas=False)
    if one.status == "possible" and one.witness and row.sizes == (None, None, None):
        return _with_witness(row, [one.witness] * row.protocol.tested, f, curves)
    try:
        matrices = folds_of_any_size(list(demands.values()), row.protocol)
    except UndecidedError:
        matrices = None
    if matrices is None:
        return Answer("not decided", reason=f"{_NO_PROOF}: state positives and negatives")
    return _with_witness(row, matrices, f, curves)


def _with_witness(row: Row, matrices: Any, f: str | None, curves: Sequence[str]) -> Answer:
    """Return the answer for matrices of folds that have all scores but F of means and areas."""
    if f and not f_of_means(row, matrices):
        return Answer("not decided", matrices, reason=f"{f} is F of means, which folds decide")
    if curves:
        return Answer("not decided", matrices, reason=_areas(row, curves))
    return Answer("possible", matrices)


def f_of_means(row: Row, folds: Sequence[Mapping[str, int]]) -> bool:
    """Tell whether F of the mean precision and recall of folds is as printed."""
    low, high = row.limits[row.heading("f1") or ""]
    demands, means = row.demands(), []
    for name in ("precision", "tpr"):
        index = demands[row.heading(name) or ""].index
        values = [Fraction(*index.ratio(**fold)) for fold in folds]
        means.append(sum(values, Fraction(0)) / len(folds))
    return low <= (2 * means[0] * means[1] / sum(means) if sum(means) else 0) <= high


def _decide_classes(row: Row) -> Answer:
    """Search counts of C classes that have averages over classes."""
    protocol = row.protocol
    kind = "macro" if protocol.average == "class" else protocol.average
    full = {h: f"{kind}_{OF_CLASS[n]}" if n in OF_CLASS else n for h, n in row.names.items()}
    row.unchecked += [h for h, name in full.items() if not of_classes(name)]
    names = [h for h, name in full.items() if of_classes(name)]
    if not names:
        return Answer("not decided", reason=_NO_SCORES)
    if (answer := _refuted_means(row)) and answer.refutes:
        return answer
    classes, folds = protocol.classes, protocol.folds
    sizes = [classes] if protocol.pooled else filled_folds(classes, folds)
    if not row.search:
        return Answer("not decided", reason=_NOT_ASKED)
    if protocol.pooled:
        scores, parts = class_parts({full[h]: row.limits[h] for h in names}, classes)
        if (proof := refuted_parts(scores, [parts])) is not None:
            where = f"classes of {', '.join(map(str, classes))} objects"
            return _refuted_parts(row, names, scores, proof, where)
    matrices = class_witness({full[h]: row.limits[h] for h in names}, sizes, protocol.seconds)
    if matrices:
        return Answer("possible", matrices)
    return Answer("not decided", reason=f"{_NO_PROOF}: the solver finds no counts of the classes")
