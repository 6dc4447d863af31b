"""A remark that tells of the work alone passes the gate; a finding told as a remark does not."""

import pytest

from agents.reports.gate import gated
from agents.reports.values import Paragraph, Report, Section
from agents.text.identifiers import parse_identifiers

TEXT = "The Lisbon Atlas did not answer within 40 seconds (status 503)."


def shown(paragraph: Paragraph) -> list[str]:
    sections = (Section("one", "One", (paragraph,)),)
    report = Report("Target safety", "Report", "Written.", True, sections, about=("ZORB1", "Atlas One"))
    return [block.text for block in gated(report).sections[0].blocks if isinstance(block, Paragraph)]


def test_a_remark_is_shown_and_a_finding_without_a_source_is_not() -> None:
    assert shown(Paragraph(TEXT, remark=True)) == [TEXT]
    assert shown(Paragraph(TEXT)) == []


@pytest.mark.parametrize(
    ("remark", "kept"),
    [
        ("Atlas One replied with status 500.", "Atlas One replied with status 500."),
        ("Mice did not answer within 40 seconds.", "Mice did not answer within 40 seconds."),
        (
            "No reply within 0.2 s. It is asked again in 45 s.",
            "No reply within 0.2 s. It is asked again in 45 s.",
        ),
        ("Atlas One is asked again in 4 minutes.", "Atlas One is asked again in 4 minutes."),
        ("ALT rose for 4 hours and after 3 minutes.", ""),
        ("The server said: the NOAEL of ABC123 is 30 mg/kg.", ""),
        ("Atlas One was not asked. It gave 30 mg/kg on 3 May 2024.", "Atlas One was not asked."),
    ],
)
def test_a_remark_tells_of_the_work_and_states_no_finding(remark: str, kept: str) -> None:
    assert shown(Paragraph(remark, remark=True)) == ([kept] if kept else [])


def test_an_id_with_its_prefix_is_one_identifier() -> None:
    found = [
        word.text for word in parse_identifiers("decreased heart rate (MP:0005333), GO:0002027, at 10:30")
    ]
    assert found == ["MP:0005333", "GO:0002027"]
