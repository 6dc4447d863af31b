"""A text that a person gives to a section as a source: its sentences on the target, as facts that cite it.

What is written from that section weighs the lines of it that the section cites.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from typing import Any

from agents.databases.facts import Fact, Response, Topic
from agents.databases.target import Target
from agents.evidence.memory import EvidenceMemory, evidence_uid
from agents.evidence.sources import Origin, Source, upload_source
from agents.evidence.values import Citation, Evidence
from agents.kinds import Given
from agents.reports.marked import TYPED
from agents.reports.values import Paragraph, Report
from agents.safety.archive import names_of
from agents.safety.outline import RESEARCH
from agents.safety.values import CitedFact, Collected
from retrieval.text.sentences import split_sentences
from retrieval.values import Passage

TOOL = "given_source"
FIRST_SEQUENCE, FIRST_KEY, FIRST_LINE = 85_001, 95_001, 96_000
WEIGHED = (*RESEARCH, "risks")
"""Sections of which what people gave is weighed again whenever risks are."""
MOST, LONGEST = 12, 600
"""Sentences of one source that a section tells, and characters of the longest of them."""


def is_fasta(text: str) -> bool:
    """Whether a text holds sequences."""
    return text.lstrip("\ufeff \n").startswith(">")


def source_of(given: Given) -> Source:
    """The text as a source that can be cited and opened."""
    return upload_source(given.by, given.title, given.text, date=given.date)


def collected_of_given(given: Iterable[Given], topic: Topic, target: Target) -> list[Collected]:
    """What given texts say of the target; where none of their sentences names it, their first sentences."""
    memory, found = EvidenceMemory(FIRST_KEY), []
    for one in given:
        source = source_of(one)
        evidence = memory.add_whole(source)
        facts = tuple(
            CitedFact(Fact(topic=topic, text=text, quotes=(text,), species=""), evidence.key, TOOL, one.title)
            for text in _sentences_on(source.text, names_of(target))
        )
        nothing = () if facts else (f"The source “{one.title}” holds no sentence that can be told.",)
        answer = Response.FOUND if facts else Response.NO_ROW
        found.append(Collected(TOOL, one.title, facts, (evidence,), nothing, (topic,), answer))
    return found


def words_in(report: Report) -> tuple[Given, ...]:
    """What people wrote into sections with evidence themselves, as a text of each section."""
    found = []
    for section in filter(None, map(report.section, WEIGHED)):
        own = [one.text for one in section.blocks if isinstance(one, Paragraph) and one.cites]
        if text := TYPED.sub("", "\n\n".join(own)).strip():
            found.append(Given(f"An expert's words in “{section.title}”", text, "an expert"))
    return tuple(found)


def uploads_in(report: Report, words: Iterable[Given]) -> tuple[Citation, ...]:
    """The lines of given texts that sections with evidence cite, each once, without those of `words`."""
    told = "\n".join(one.text for one in words)
    cited = {
        (one.doc_id, one.start, one.end): one
        for section in filter(None, map(report.section, WEIGHED))
        for one in section.citations
        if one.doc_id.startswith(f"{Origin.UPLOAD}-") and one.quote not in told
    }
    return tuple(cited.values())


def collected_of_uploads(uploads: Iterable[Citation]) -> list[Collected]:
    """Lines of given texts as facts of their own line of evidence, for which the giver alone vouches."""
    made = []
    for one in uploads:
        evidence = _evidence_of(one, f"E{FIRST_LINE + one.number}")
        fact = Fact(topic=Topic.GIVEN, text=one.quote, quotes=(one.quote,), species="")
        facts = (CitedFact(fact, evidence.key, TOOL, one.title),)
        made.append(Collected(TOOL, one.title, facts, (evidence,), topics=(Topic.GIVEN,)))
    return made


def _sentences_on(text: str, names: Sequence[str]) -> Iterator[str]:
    sentences = [one for one in split_sentences(text) if len(one) <= LONGEST]
    named = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, names))})(?![\w-])", re.IGNORECASE)
    on_target = [one for one in sentences if named.search(one)]
    yield from list(dict.fromkeys(on_target or sentences))[:MOST]


def _evidence_of(one: Citation, key: str) -> Evidence:
    """A citation as evidence: the passage that it quotes, at its place."""
    shared = {each.name for each in fields(Evidence)} & {each.name for each in fields(Citation)}
    values: dict[str, Any] = {name: getattr(one, name) for name in shared}
    uid = evidence_uid("", Passage(one.doc_id, one.start, one.end, one.quote))
    return Evidence(**values | {"key": key, "uid": uid, "text": one.quote})
