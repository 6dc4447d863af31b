"""A remark on the work passes the gate as it is; the same words as a finding do not."""

from agents.reports.gate import gated
from agents.reports.values import Paragraph, Report, Section
from agents.trust.identifiers import parse_identifiers

TEXT = "The Lisbon Atlas did not answer within 40 seconds (status 503)."


def shown(paragraph: Paragraph) -> list[str]:
    report = Report("Target safety", "Report", "Written.", True, (Section("one", "One", (paragraph,)),))
    return [block.text for block in gated(report).sections[0].blocks if isinstance(block, Paragraph)]


def test_a_remark_is_shown_and_a_finding_without_a_source_is_not() -> None:
    assert shown(Paragraph(TEXT, remark=True)) == [TEXT]
    assert shown(Paragraph(TEXT)) == []


def test_an_id_with_its_prefix_is_one_identifier() -> None:
    found = [
        word.text for word in parse_identifiers("decreased heart rate (MP:0005333), GO:0002027, at 10:30")
    ]
    assert found == ["MP:0005333", "GO:0002027"]
