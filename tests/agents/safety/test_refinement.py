"""What one request changed in a report, and where else."""

from dataclasses import replace

import pytest

from agents.evidence.values import Citation
from agents.reports.diff import Side
from agents.reports.values import Points, Report, Section, SectionState, Statement
from agents.safety.evaluate.refinement import refinement
from retrieval.errors import JudgementsError


def section(name: str, *sentences: str) -> Section:
    return Section(name, name.title(), (Points(tuple(Statement(text) for text in sentences)),))


def report(*sections: Section) -> Report:
    return Report("t", "o", "s", True, sections)


BEFORE = report(
    section("clinical", "Dizziness was seen in 3 of 20 patients.", "No death occurred.", "It was short."),
    section("risks", "The heart is at risk."),
    section("summary", "One risk was found."),
)
REVISED = replace(
    section(
        "clinical",
        "Dizziness was seen in 4 of 20 patients.",
        "No death occurred.",
        "Syncope was seen once, on the second day.",
    ),
    revision=1,
)


def test_each_changed_sentence_is_told_with_its_counterpart():
    found = refinement(BEFORE, replace(BEFORE, sections=(REVISED, *BEFORE.sections[1:])))
    assert found.asked == "clinical"
    assert [(one.side, one.text) for one in found.changes["clinical"]] == [
        (Side.BEFORE, "Dizziness was seen in 3 of 20 patients."),
        (Side.AFTER, "Dizziness was seen in 4 of 20 patients."),
        (Side.BEFORE, "It was short."),
        (Side.AFTER, "Syncope was seen once, on the second day."),
    ]
    assert found.identical == ("risks", "summary")
    assert found.collateral == ()


def test_a_change_elsewhere_is_collateral():
    sections = (REVISED, section("risks", "The liver is at risk."), BEFORE.sections[2])
    found = refinement(BEFORE, replace(BEFORE, sections=sections), "clinical")
    assert found.collateral == ("risks",)
    assert [len(found.changes[name]) for name in ("clinical", "risks", "summary")] == [4, 2, 0]


def test_a_citation_that_changes_is_collateral_and_a_stale_mark_is_not():
    cited = replace(BEFORE.sections[1], citations=(Citation(1, "E1", "d", "t", "q", 0, 1),))
    stale = replace(BEFORE.sections[2], state=SectionState.STALE)
    found = refinement(BEFORE, replace(BEFORE, sections=(REVISED, cited, stale)), "clinical")
    assert (found.identical, found.collateral) == (("summary",), ("risks",))


def test_an_unknown_section_is_refused():
    with pytest.raises(JudgementsError, match="clinical, risks, summary"):
        refinement(BEFORE, BEFORE, "toes")
