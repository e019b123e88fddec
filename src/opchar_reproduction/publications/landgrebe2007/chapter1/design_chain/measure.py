"""The stages of designing a recognition system, and where operating characteristics serve (1.2)."""

from opchar_reproduction.results import Results
from opchar_reproduction.study import settings, study

STAGES = settings(__file__, "stages.csv")


@study("design-chain", basis="illustration")
def design_chain(*, stages: list[list[str]] = STAGES) -> Results:
    """Lay out the stages of designing a recognition system.

    `stages`: In order; the last may be empty.

    landgrebe2007, Sec. 1.2 and Fig. 1.2, in our own words and drawing.
    """
    results = Results()
    names, done, uses = zip(*stages, strict=True)
    results.add_frame("stages", {"name": names, "done": done, "use": uses})
    for number, (name, what, use) in enumerate(stages, start=1):
        row = f"{number}. {name}"
        results.text("figure-1.2", row, "what is done", what)
        results.text("figure-1.2", row, "operating characteristics", use or "-")
    return results
