"""Decisions on a molecule that differ: to end it and to go on, all told with their days, the latest first.

A molecule that was stopped and taken up again, or taken forward and stopped, is not told by either decision
alone. Where a decision has no whole day of its own, or none differs, nothing is told here.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agents.archive.answer import Outcome
from agents.archive.claim_checker import ClaimChecker
from agents.archive.decision import (
    DECIDED,
    ENDED,
    OWN_WORDS,
    TITLE,
    UNDECIDED,
    Decision,
    asks_for_decision,
    decision_at,
    decisions_in,
)
from agents.archive.general.words import LIGHT_STEMS, stems
from agents.archive.library import GENERAL
from agents.archive.premises import documents_of
from agents.archive.research.documents.attribution import about_this
from agents.archive.research.documents.document import AnnotatedDocument, DocumentKind
from agents.archive.research.documents.terminations import names_other
from agents.archive.research.drafting import claims_of
from agents.archive.research_input import read_for
from agents.archive.tools import ArchiveTools
from agents.archive.values import AnswerPart, Merged
from agents.evidence.values import Provenance
from agents.trust.check import shown
from agents.trust.dates import Reading
from retrieval.molecules.lookup import without_names
from retrieval.values import Molecule

ASKED = re.compile(
    rf"\b(?:decid\w+|decision\w*|resolved?|agreed?|{ENDED}\w*|status|still|alive|dead|ongoing|active|happened"
    r"|continu\w+|go(?:es|ing)? on)\b",
    re.IGNORECASE,
)
WORDS = OWN_WORDS | frozenset(
    stems("why reason status still alive dead ongoing active happened continue continued going goes go on")
)
"""Words of a question that is about the end or the going on of a molecule, and nothing else."""
FORWARD = r"(?:continu\w*|resum\w*|proceed\w*|go(?:es)? (?:on|ahead)|re-?start\w*|re-?open\w*|revive\w*)"
GOES_ON = re.compile(
    r"\b(?:deci(?:ded|des)|resolve[sd]|agree[sd]|voted)\b[^.;]{0,40}?\b(?:to|that)\b"
    rf"[^.;]{{0,60}}?\b{FORWARD}\b"
    r"|\b(?:is|are|shall be|to be|will be) (?:hereby |therefore )?"
    r"(?:continued|resumed|re-?started|re-?opened)\b",
    re.IGNORECASE,
)
OF_A_PART = re.compile(
    r"\b(?:stud(?:y|ies)|trials?|patients?|volunteers?|subjects|animals?|follow-?up|monitoring)\b",
    re.IGNORECASE,
)
WHY = re.compile(r"\b(?:why|reasons?)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Ruling:
    """A decision with its whole day, and whether it ends the molecule's development."""

    decision: Decision
    day: Reading
    ends: bool

    @property
    def told(self) -> str:
        """ "on 17 June 2020 to end it"."""
        day = self.decision.day
        return f"on {day.text if day else ''} {'to end it' if self.ends else 'to go on'}"


def asks_for_decisions(text: str, registry: Sequence[Molecule]) -> bool:
    """Whether a question asks what was decided on a molecule, or for its end, and for nothing else."""
    rest = re.sub(r"['’]s\b", " ", without_names(text, registry))
    return bool(ASKED.search(rest)) and not set(stems(rest)) - WORDS - LIGHT_STEMS


async def differing_decisions(tools: ArchiveTools, text: str, molecule: str) -> Merged:
    """Decisions to end and to go on as one part, the latest first.

    No part is made where all are of one kind, or where the latest ends it and its reason or day is asked.
    """
    registry = await tools.index.molecules()
    documents = read_for(molecule, await documents_of(tools, molecule), registry)
    found = {(one.day, one.ends): one for document in documents for one in rulings_in(document)}
    rulings = sorted(found.values(), key=lambda one: one.day, reverse=True)
    of_end = bool(WHY.search(text)) or asks_for_decision(text, registry)
    if len({one.ends for one in rulings}) < 2 or (of_end and rulings[0].ends):
        return Merged((), ())
    short = "; before, ".join(one.told for one in rulings)
    line = f"The decisions on {molecule} differ: {short}."
    lines = [
        line for one in rulings for line in (one.decision.line, one.decision.day_line) if line is not None
    ]
    checker = ClaimChecker(tools, {record.doc_id: record for record in await tools.index.records()})
    provenance = Provenance("decision", "rules", line, "research/decision")
    claims = shown(await checker.claims(claims_of(lines), provenance))
    if len(claims) < len(set(map(id, lines))):
        return Merged((), ())
    part = AnswerPart(GENERAL, molecule, Outcome.ANSWERED, short, line, claims)
    return Merged((part,), checker.memory.all())


def rulings_in(document: AnnotatedDocument) -> Iterator[Ruling]:
    """The decisions of a document that have a whole day."""
    for ends, decisions in ((True, decisions_in(document)), (False, goings_on(document))):
        for one in decisions:
            readings = one.day.readings if one.day else ()
            if len(readings) == 1 and all(readings[0]):
                yield Ruling(one, readings[0], ends)


def goings_on(document: AnnotatedDocument) -> Iterator[Decision]:
    """The sentences of a document that decide to go on with the molecule as a whole."""
    minutes = document.kind is DocumentKind.MINUTES
    for line in document.lines:
        if line.is_heading or line.row is not None or TITLE.search(line.text):
            continue
        said = DECIDED.search(line.text)
        whole = GOES_ON.search(line.text) and not OF_A_PART.search(line.text)
        own = about_this(document, line) and not names_other(line)
        if whole and own and not UNDECIDED.search(line.text) and (said or minutes):
            yield decision_at(document, line)
