"""Sections as they stand: what one that is written anew builds on, with all that people changed in them."""

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from agents.evidence.memory import MemoryDump, evidence_uid
from agents.evidence.values import Citation, Evidence
from agents.minds.compression import SUMMARY
from agents.minds.sections import Written
from agents.minds.work import AgentResult, Sentence, Summary
from agents.reports.marked import TYPED
from agents.reports.values import Paragraph, Section
from agents.safety.material import Material
from retrieval.values import Passage

FIRST_KEY, BLOCK = 100_001, 1000
"""Keys of what standing sections cite, a block each."""


def needed_as_they_stand(material: Material) -> Iterator[tuple[str, Written]]:
    """The sections that a revision is written from, as if they had just been written."""
    for place, section in enumerate(material.order.standing):
        if section.id != material.order.section:
            yield section.id, _written(section, FIRST_KEY + place * BLOCK)


def _written(section: Section, first: int) -> Written:
    evidence = {one.number: evidence_of(one, f"E{first + one.number}") for one in section.citations}
    sentences: list[Sentence] = []
    room = SUMMARY
    for text, numbers in _statements_of(section):
        keys = tuple(evidence[number].key for number in numbers if number in evidence)
        if keys and (room := room - len(text)) > 0:
            sentences.append(Sentence(text, keys))
    result = AgentResult(section.id, "", summary=Summary(tuple(sentences)))
    return Written(section.id, section.title, result, MemoryDump(tuple(evidence.values())))


def _statements_of(section: Section) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Statements, and what a person wrote, with the numbers of their citations; a person first."""
    for block in section.blocks:
        if isinstance(block, Paragraph) and block.cites:
            numbers = tuple(int(number) for number in TYPED.findall(block.text))
            yield " ".join(TYPED.sub("", block.text).split()), numbers
    for one in section.statements:
        yield one.text, one.citations


def evidence_of(one: Citation, key: str) -> Evidence:
    """A citation as evidence: the passage that it quotes, at its place."""
    shared = {each.name for each in fields(Evidence)} & {each.name for each in fields(Citation)}
    values: dict[str, Any] = {name: getattr(one, name) for name in shared}
    uid = evidence_uid("", Passage(one.doc_id, one.start, one.end, one.quote))
    return Evidence(**values | {"key": key, "uid": uid, "text": one.quote})
