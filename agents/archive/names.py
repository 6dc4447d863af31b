"""Which molecules a question is about, by the names that the archive knows."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz, process

from agents.archive.answer import Question
from agents.archive.classify import COMPARISON
from retrieval.molecules.lookup import is_lettered, mentions, resolve
from retrieval.values import Match, Molecule, Resolution

EVERY_MOLECULE = re.compile(
    r"\b(?:all|each|every|which|the)\b.{0,20}\b(?:molecules|compounds|drugs|candidates)\b", re.IGNORECASE
)
BACK_REFERENCE = re.compile(
    r"\b(?:it|its|this|that|these|they|them|their|both|the (?:drug|molecule|compound|substance))\b",
    re.IGNORECASE,
)
DEFINITE = re.compile(
    r"\bthe (?:[\w-]+ ){0,2}?(?:stud(?:y|ies)|trials?|reports?|director|investigator|author|patients|subjects"
    r"|volunteers|animals|rats|dogs|monkeys|mice|doses?|groups?|reason|decision|half-life|noael|liver|kidney|tablets?|capsules?)\b"
    r"|^\W*how many (?:patients|volunteers|subjects|animals|rats|dogs|monkeys|mice)\b",
    re.IGNORECASE,
)
"""What every study has: without a name it is that of the study or molecule spoken of."""
STUDY = re.compile(r"\b[A-Z]{2,}-[A-Z]+-?\d[\w-]*|\bNCT\d{8}\b")
PLACED = re.compile(r"\b[A-Z]{2,}[-A-Z]*-?\d|\b(?:archive|portfolio|company)\b")
PLURAL_REFERENCE = re.compile(r"\b(?:they|them|their|these|both|each of)\b", re.IGNORECASE)
MOST_MOLECULES = 12
NEAR_NAMES = 5


@dataclass(frozen=True, slots=True)
class ResolvedNames:
    """The molecules of a question, under their canonical names.

    `from_thread` is set where they come from the conversation and not from the question.

    `unclear` holds names that may stand for several molecules; `unknown` those the archive does not know.
    """

    molecules: tuple[str, ...] = ()
    from_thread: bool = False
    notes: tuple[str, ...] = ()
    unclear: tuple[Resolution, ...] = ()
    unknown: tuple[str, ...] = ()


def read_names(question: Question, registry: Sequence[Molecule]) -> ResolvedNames:
    """Names written in the question, or else those of the thread that it refers back to."""
    resolutions = resolve(question.text, registry)
    # a letter that stands for a digit is asked back
    lettered = [r for r in resolutions if r.match is Match.SPELLING and is_lettered(r.written)]
    unclear = tuple(r for r in resolutions if len(r.candidates) > 1 or r in lettered)
    clear = [r for r in resolutions if r not in unclear]
    found = tuple(dict.fromkeys(r.candidates[0].name for r in clear if r.candidates))
    names = ResolvedNames(
        molecules=found,
        notes=tuple(note for r in clear if (note := note_of(r))),
        unclear=unclear,
        unknown=tuple(r.written for r in resolutions if not r.candidates),
    )
    if found or names.unclear or names.unknown:
        return names
    if every := every_molecule(question.text, registry):
        return every
    return names_of_thread(question, registry)


def note_of(resolution: Resolution) -> str:
    """What the reader should know about an imperfect name."""
    if len(resolution.candidates) != 1:
        return ""
    name = resolution.candidates[0].name
    if resolution.match is Match.SPELLING:
        return f'"{resolution.written}" was read as {name}.'
    if resolution.match is Match.ALIAS:
        return f'"{resolution.written}" is another name of {name} in this archive.'
    return ""


def every_molecule(text: str, registry: Sequence[Molecule]) -> ResolvedNames | None:
    """The archive's molecules, those with most documents first, for a question about all of them."""
    if not (EVERY_MOLECULE.search(text) and COMPARISON.search(text)) or len(registry) < 2:
        return None
    ranked = sorted(registry, key=lambda molecule: (-molecule.documents, molecule.name))[:MOST_MOLECULES]
    left_out = len(registry) - len(ranked)
    note = (
        f"{left_out} molecules with fewer documents were left out; name them to have them compared."
        if left_out
        else ""
    )
    return ResolvedNames(tuple(sorted(molecule.name for molecule in ranked)), notes=(note,) if note else ())


def names_of_thread(question: Question, registry: Sequence[Molecule]) -> ResolvedNames:
    """The molecule discussed last, or all of them when the question says "both" or "they".

    A question that names a study or a document says itself where to look.
    """
    if STUDY.search(question.text):
        return ResolvedNames()
    known = {molecule.name for molecule in registry}
    spoken = [
        name
        for words in question.thread_molecules
        for name in ([words] if words in known else [found for _, _, found in mentions(words, registry)])
    ]
    discussed = tuple(dict.fromkeys(spoken))
    wanted = discussed if PLURAL_REFERENCE.search(question.text) else discussed[:1]
    return ResolvedNames(wanted, from_thread=bool(wanted))


def refers_back(text: str) -> bool:
    """Whether a question points at something said before, or at something definite that it does not place."""
    return bool(BACK_REFERENCE.search(text) or (DEFINITE.search(text) and not PLACED.search(text)))


def near_names(written: str, registry: Iterable[Molecule]) -> tuple[str, ...]:
    """Names of the registry most like the one written, best first."""
    spellings = {
        spelling: molecule.name for molecule in registry for spelling in (molecule.name, *molecule.aliases)
    }
    ranked = process.extract(
        written.lower(), {key: key.lower() for key in sorted(spellings)}, scorer=fuzz.ratio, limit=20
    )
    return tuple(dict.fromkeys(spellings[key] for _, _, key in ranked))[:NEAR_NAMES]
