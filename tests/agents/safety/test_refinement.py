"""What one request changed in a report, and the figures of an expert's labels."""

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest

from agents.evidence.values import Citation
from agents.reports.values import Points, Report, Section, SectionState, Statement
from agents.safety.evaluate.refinement import labelled, refinement
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
    assert [(one.change, one.before, one.after) for one in found.changes] == [
        (
            "reworded",
            "Dizziness was seen in 3 of 20 patients.",
            "Dizziness was seen in 4 of 20 patients.",
        ),
        ("removed", "It was short.", ""),
        ("added", "", "Syncope was seen once, on the second day."),
    ]
    assert found.identical == ("risks", "summary")
    assert found.collateral == ()


def test_a_change_elsewhere_is_collateral():
    sections = (REVISED, section("risks", "The liver is at risk."), BEFORE.sections[2])
    found = refinement(BEFORE, replace(BEFORE, sections=sections), "clinical")
    assert found.collateral == ("risks",)
    told = json.loads(found.as_json())
    assert (told["changed_in_section"], told["changed_elsewhere"], told["responded"]) == (3, 1, True)


def test_a_citation_that_changes_is_collateral_and_a_stale_mark_is_not():
    cited = replace(BEFORE.sections[1], citations=(Citation(1, "E1", "d", "t", "q", 0, 1),))
    stale = replace(BEFORE.sections[2], state=SectionState.STALE)
    found = refinement(BEFORE, replace(BEFORE, sections=(REVISED, cited, stale)), "clinical")
    assert (found.identical, found.collateral) == (("summary",), ("risks",))


def test_an_unknown_section_is_refused():
    with pytest.raises(JudgementsError, match="clinical, risks, summary"):
        refinement(BEFORE, BEFORE, "toes")


def sheet(path: Path, request: str, labels: str, after: Report) -> Path:
    text = refinement(BEFORE, after, "clinical").sheet(request)
    rows = list(csv.reader(text.splitlines()))
    for row, label in zip(rows[1:], labels, strict=False):
        row[rows[0].index("label")] = label
    with path.open("w", newline="") as lines:
        csv.writer(lines).writerows(rows)
    return path


def test_labels_give_benefit_harm_net_and_response(tmp_path: Path):
    after = replace(BEFORE, sections=(REVISED, *BEFORE.sections[1:]))
    first = sheet(tmp_path / "1.csv", "one", "BbH", after)
    second = sheet(tmp_path / "2.csv", "two", "", BEFORE)
    found = labelled([first, second]).as_fields()
    assert (found["labelled"], found["unlabelled"], found["requests"], found["responded"]) == (3, 0, 2, 1)
    assert found["benefit_rate"] == pytest.approx(2 / 3, abs=1e-4)
    assert found["harm_rate"] == pytest.approx(1 / 3, abs=1e-4)
    assert found["net_improvement"] == pytest.approx(1 / 3, abs=1e-4)
    assert found["response_rate"] == 0.5


def test_an_empty_label_is_counted_as_such_and_a_wrong_one_refused(tmp_path: Path):
    after = replace(BEFORE, sections=(REVISED, *BEFORE.sections[1:]))
    assert labelled([sheet(tmp_path / "1.csv", "one", "B", after)]).unlabelled == 2
    with pytest.raises(JudgementsError, match="write B, N or H"):
        labelled([sheet(tmp_path / "2.csv", "one", "x", after)])
    (tmp_path / "3.csv").write_text("a,b\n1,2\n")
    with pytest.raises(JudgementsError, match="no labelling sheet"):
        labelled([tmp_path / "3.csv"])


def test_a_cell_of_the_sheet_is_no_formula():
    after = replace(BEFORE, sections=(section("clinical", "=HYPERLINK(1)"), *BEFORE.sections[1:]))
    assert "'=HYPERLINK(1)" in refinement(BEFORE, after, "clinical").sheet("one")
