"""Whether rules answered the very question that was asked, or only one of its type.

A question type knows its own words and a molecule. "How high did ALT get in females on the highest dose?" is
of the type "highest dose" by its words, and asks for something else: what a question names besides must stand
in the passages that answer it, and a species that it names all the more.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from agents.archive.classify import ASIDE, COMPARISON
from agents.archive.general.ranking import is_about_other
from agents.archive.general.words import LIGHT_STEMS, stems
from agents.archive.investigate import TypedDraft
from agents.archive.library import Library
from agents.archive.research.patterns.species import HUMAN, species_in
from agents.archive.values import Draft, DraftClaim
from agents.minds.minded import RULES
from agents.text.identifiers import codes
from retrieval.values import DocumentRecord, Molecule, Passage

SEVERAL = 2
"""A single word may be the asker's own way to put it ("planned", "oral")."""


def drop_off_topic(
    library: Library,
    text: str,
    drafts: Sequence[TypedDraft],
    molecules: Sequence[Molecule],
    records: Sequence[DocumentRecord],
) -> tuple[TypedDraft, ...]:
    """The rules' drafts without those of parts that lack several words of what the question names, or whose
    passages speak of another molecule. Drafts of a model stay: it read the question.

    Beside an answer on another molecule, such a part is kept as what comes closest, and never as answered.
    """
    named = [name for molecule in molecules for name in (molecule.name, *molecule.aliases)]
    besides = named_besides(library, {draft.question_type for draft in drafts}, text, named)
    by_id = {record.doc_id: record for record in records}
    aside = set[tuple[str, str]]()
    for draft in drafts:
        said, claims = draft.draft, draft.draft.claims
        of_others = claims and not any(speaks_of(draft.molecule, one, molecules, by_id) for one in claims)
        told = [field.value for field in said.fields if field.field == "species"]  # no passage may name it
        told += [text for one in claims for text in texts_of_claim(one, by_id)]
        if draft.mind == RULES and (of_others or lacks(text, besides, told)):
            aside.add(draft.part)
    if any(draft.draft.present and draft.part not in aside for draft in drafts):
        return tuple(uncertain(draft) if draft.part in aside else draft for draft in drafts)
    return tuple(draft for draft in drafts if not draft.draft.present or draft.part not in aside)


def uncertain(draft: TypedDraft) -> TypedDraft:
    """A draft that was set aside, as what comes closest; one that says nothing as it is."""
    said = draft.draft
    if not said.present:
        return draft
    return replace(draft, draft=Draft(False, "", "", said.claims, rejected=said.rejected, closest=True))


def speaks_of(
    name: str, claim: DraftClaim, molecules: Sequence[Molecule], records: dict[str, DocumentRecord]
) -> bool:
    """Whether a claim has a passage on the molecule, or in a document about it alone."""
    for passage in claim.passages:
        whole = replace(passage, text=" | ".join((*over_row(passage), passage.text)))
        record = records.get(passage.doc_id)
        main = record.main_molecules if record else ()
        if main == (name,) or not is_about_other(whole, (name,), molecules, main):
            return True
    return False


def over_row(passage: Passage) -> tuple[str, ...]:
    """What stands over a row of a table: caption, heads and sub-heads; nothing over other passages."""
    row = passage.row
    return (row.caption, *row.header, *row.group) if row else ()


def lacks(text: str, besides: frozenset[str], told: Sequence[str]) -> bool:
    """Whether what is told lacks several words of a question, or every animal species that it names."""
    animals = animals_in([text])
    if animals and not animals & animals_in(told):
        return True
    held = {word for one in told for word in stems(one)}
    return len(besides - held) >= SEVERAL


def animals_in(texts: Iterable[str]) -> set[str]:
    """The animal species that are named."""
    return {name for text in texts for _, name in species_in(text)} - {HUMAN, "animal"}


def named_besides(library: Library, types: set[str], text: str, names: Sequence[str]) -> frozenset[str]:
    """Stems of what a question names beside its types and molecules."""
    rest = ASIDE.sub(" ", text).strip() or text
    for name in sorted((*names, *codes(rest)), key=len, reverse=True):
        rest = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", " ", rest, flags=re.IGNORECASE)
    asking = [expression for kind in types for expression in library[kind].routing.expressions]
    for expression in (*asking, COMPARISON):
        rest = re.sub(rf"(?:{expression.pattern})\w*", " ", rest, flags=expression.flags)
    own = {word for kind in types for word in stems(f"{library[kind].name} {library[kind].description}")}
    return frozenset(stems(rest)) - LIGHT_STEMS - own


def texts_of_claim(claim: DraftClaim, records: dict[str, DocumentRecord]) -> list[str]:
    """A claim and its passages, with what tells what they speak of."""
    told = [claim.text]
    for passage in claim.passages:
        record = records.get(passage.doc_id)
        title = (record.title, record.study_id, record.document_type, *record.species) if record else ()
        told += [passage.text, passage.lead, *passage.section, *over_row(passage), *title]
    return told
