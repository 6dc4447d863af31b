"""What a channel disputes among the facts of a report: told last, and worth no more than a weak line."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from agents.evidence.values import Evidence
from agents.reports.disputed import Disputed, doubters
from agents.safety.values import CitedFact, Collected, Finding, Strength
from agents.trust.citations import find_quote


def disputed_facts(
    facts: Iterable[CitedFact], collected: Sequence[Collected], disputed: Sequence[Disputed]
) -> tuple[CitedFact, ...]:
    """The facts whose lines of a record somebody disputes; a fact without quotes rests on all of it."""
    if not disputed:
        return ()
    records = {item.key: item for one in collected for item in one.evidence}
    return tuple(one for one in facts if one.key in records and _is(one, records[one.key], disputed))


def lowered(findings: Iterable[Finding], doubted: Collection[CitedFact]) -> tuple[Finding, ...]:
    """The findings, those on disputed facts weak at most."""
    return tuple(
        replace(one, strength=min(one.strength, Strength.WEAK)) if one.cited in doubted else one
        for one in findings
    )


def _is(one: CitedFact, record: Evidence, disputed: Sequence[Disputed]) -> bool:
    found = [span for quote in one.fact.quotes if (span := find_quote(quote, record))]
    spans = found or [(record.start, record.end)]
    return any(doubters(disputed, record.doc_id, *span) for span in spans)
