"""What a channel disputes counts as weak in a safety report, comes last, and is marked where it is cited."""

from dataclasses import replace

from agents.reports.disputed import Disputed
from agents.reports.values import Report
from agents.safety.kind import KIND
from agents.safety.order import SafetyOrder
from agents.safety.values import Assessment, Strength
from tests.agents.safety.kit import assessed

ORDER = SafetyOrder("ZORB1")
EVENT = "3 of 80 patients had rash"


def strength(made: Assessment, endpoint: str) -> Strength:
    return next(one.strength for one in made.risks if one.endpoint == endpoint)


def dispute_of(report: Report, words: str) -> Disputed:
    """Ada's dispute of the citation that holds some words."""
    cited = next(one for one in report.citations if words in one.quote)
    return Disputed(cited.doc_id, cited.start, cited.end, "Events, disputed by Ada: one site", "Ada")


async def test_a_disputed_event_is_weak_and_marked_and_one_of_the_same_record_is_not() -> None:
    before = await assessed(ORDER)
    report = KIND.report(before)
    (endpoint,) = {one.endpoint for one in before.risks if EVENT in str(one.findings)}
    dispute = dispute_of(report, EVENT)
    made = await assessed(replace(ORDER, disputed=(dispute,)))
    assert strength(before, endpoint) is Strength.STRONG
    assert strength(made, endpoint) is Strength.WEAK
    assert strength(made, "cardiovascular") is strength(before, "cardiovascular"), (
        "another line of the record"
    )
    after = KIND.report(made)
    marked = [one for one in after.citations if one.disputed]
    assert marked
    assert all(EVENT in one.quote and "disputed here by Ada" in one.place for one in marked)
    assert [note for note in after.notes if "disputed here by Ada" in note and "one site" in note]
    assert not any(one.disputed for one in report.citations)


async def test_what_is_no_longer_disputed_is_not_kept_by_the_thread() -> None:
    made = await assessed(replace(ORDER, disputed=(Disputed("x", 0, 1, "x"),)))
    assert KIND.remember(made, None) == ORDER
