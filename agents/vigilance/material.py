"""What a DrugAgent gets to read: the passages it begins with, what was looked through, and a search."""

import json
from collections.abc import Collection, Mapping, Sequence
from hashlib import sha256

from pydantic import Field

from agents.databases.labels import LabelPassage, Labels, ranked
from agents.evidence.values import Evidence
from agents.tools.reply import ToolRecord, ToolReply
from agents.tools.tool import Arguments, Tool
from agents.vigilance.reading.mentions import mentions, quote_of
from agents.vigilance.records import source_of
from agents.vigilance.values import DrugVerdict, Outcome

GIVEN, BESIDE, FOUND = 8, 2, 5
"""Passages with the outcome's terms that an agent is given, others beside them, and those of a search."""


class LabelSearch(Arguments):
    """A search in the labels of the drug."""

    query: str = Field(description="words to look for, such as the outcome and what leads to it")
    section: str = Field("", description="openFDA's name of one section, as boxed_warning; empty for all")


def first_passages(
    passages: Sequence[LabelPassage], outcome: Outcome, verdict: DrugVerdict
) -> tuple[LabelPassage, ...]:
    """The passages that a DrugAgent begins with: those that the rules read, and the best others."""
    known = {one.id for one in passages}
    read = {one.passage.id: one.passage for one in verdict.extracts if one.passage.id in known}
    for one in passages:
        if one.id not in read and _says_more(one, outcome, read.values()):
            read[one.id] = one
    words = " ".join((outcome.name, *outcome.terms, *outcome.narrower))
    beside = [one for one in ranked(passages, words) if one.id not in read][:BESIDE]
    return (*tuple(read.values())[:GIVEN], *beside)


def _says_more(passage: LabelPassage, outcome: Outcome, shown: Collection[LabelPassage]) -> bool:
    """Whether a passage mentions the outcome in a sentence that none of those shown has."""
    quotes = [quote_of(passage.text, mention) for mention in mentions(passage.text, outcome)]
    return any(all(quote not in one.text for one in shown) for quote in quotes)


def survey_of(
    drug: str, outcome: Outcome, passages: Sequence[LabelPassage], given: Mapping[str, Evidence]
) -> str:
    """What was looked through, and where the outcome's terms stand: so nobody searches for them again."""
    if not passages:
        return "No passages of labels can be read."
    labels = len({one.set_id or one.title for one in passages})
    sections = ", ".join(dict.fromkeys(one.section.replace("_", " ") for one in passages))
    hits = [one.id for one in passages if any(mentions(one.text, outcome))]
    there = ", ".join(given[one].key for one in given if one in hits)
    more = len([one for one in hits if one not in given])
    forms = f", with forms and signs of it ({', '.join(outcome.narrower)})," if outcome.narrower else ""
    found = f"{outcome.name} and its terms{forms} stand in {len(hits) or 'none'} of them"
    keys = f": {there}" if there else ""
    rest = f"; the other {more} repeat them or can be found by searching" if more else ""
    return (
        f"All {len(passages)} passages of {labels} label(s) of {drug} were looked through "
        f"(sections: {sections}). {found}{keys}{rest}."
    )


def search_tool(
    drug: str, labels: Labels, names: Sequence[str], given: Sequence[LabelPassage], state: str
) -> Tool[LabelSearch]:
    """What finds passages in the labels of one drug, by all its names (MALADE's FDAHandler, by code).

    Those that the agent was given are not repeated. `state` tells what is searched apart from other states.
    """
    known = {one.id for one in given}

    async def work(asked: LabelSearch) -> ToolReply:
        sections = (asked.section,) if asked.section else ()
        found = await labels.search(names, asked.query, len(known) + FOUND, sections)
        new = [one for one in found if one.id not in known][:FOUND]
        if not found:
            return ToolReply(note=f"NO_ANSWER: no passage of the labels of {drug} is about this.")
        if not new:
            return ToolReply(note="Only passages that you were given are about this.")
        told = f"{len(new)} passages of {drug} beside those that you were given"
        return ToolReply(tuple(ToolRecord(source_of(one)) for one in new), told)

    return Tool(
        name="search_labels",
        description=f"Find passages in the FDA labels of {drug} by words, in all sections or in one.",
        inputs=LabelSearch,
        work=work,
        source="labels",
        release=state,
    )


def state_of(drug: str, passages: Sequence[LabelPassage], given: Sequence[LabelPassage]) -> str:
    """What a search would go through: 16 hexadecimal digits for the drug, its passages and those given."""
    told = json.dumps([drug, [one.id for one in passages], [one.id for one in given]])
    return sha256(told.encode()).hexdigest()[:16]
