"""Which drug the words of a line belong to: the nearest one that applies, or else what the text is about."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from agents.archive.research.documents.document import AnnotatedDocument, MoleculeRole
from agents.archive.research.documents.lines import DrugMention, Line, Referent, before
from agents.text.english import is_english
from retrieval.molecules.beside import is_partner
from retrieval.molecules.codes import may_be_generic
from retrieval.molecules.lexicon import SALTS

_FILLER = (
    r"(?:/\s?(?:day|d)|daily|once|twice|three times|a|per|day|b\.?i\.?d\.?|t\.?i\.?d\.?|q\.?d\.?|o\.?d\.?|"
    r"bd|od|qw|weekly|every|"
    r"\d+|hours?|weeks?|dos(?:e|es|ing)|levels?|oral(?:ly)?|intravenous(?:ly)?|iv|sc|po|by mouth|of|the|"
    r"with|at|in|an?|on|for|"
    r"tablets?|capsules?|milled|enteric-coated|coated|film|single|multiple|study|fixed|blinded|open-label|"
    r"given|administered|"
    r"hydrochloride|sodium|mesylate|maleate|retard|slow-release|and|or|to|up|mg|µg|mcg|g|kg|m2|arms?|"
    r"groups?|is|was|were|are|be|will|"
    r"reduced|escalated|increased|matching|radiolabel+ed)"
)
BEHIND = re.compile(
    rf"[\s,(\[:/+=-]*(?:{_FILLER}\b[\s,(\[:./+=-]*|[\d.,]+\s?|[()]\s?){{0,12}}", re.IGNORECASE
)
AHEAD = re.compile(
    r"[\s)\]]*(?:(?:/\s?(?:day|d|kg|m2)|daily|b\.?i\.?d\.?|t\.?i\.?d\.?|q\.?d\.?|o\.?d\.?|bd|od|per|day|"
    r"oral|intravenous|intramuscular|subcutaneous|iv|sc|po|"
    r"doses?|tablets?|capsules?|single|milled|enteric-coated|film coated|of|the|an?|study|once|twice|"
    r"infusions?|injections?|solution|administration)\b\.?\s*"
    r"|\([^()]{0,30}\)\s*|(?:(?:,|and|or|to|/)\s*)?[\d.,]+\s?(?:mg|µg|mcg|g|kg|/|m2|day|ml)+\b\s*)*",
    re.IGNORECASE,
)  # fmt: skip
IN_SOMEBODY = re.compile(
    r"\s(?:in|of)\s(?:(?!patients?|subjects?)[\w-]+\s){0,4}(?:patients?|subjects?|volunteers?|m[ae]n|"
    r"participants?)\s(?:\w+\s)?(?:on|receiving|treated with|given|taking|under)\s",
    re.IGNORECASE,
)
ALTERNATIVE = re.compile(r"\bor\s(?:with\s|to\s|the\s|an?\s|matching\s)*$", re.IGNORECASE)
ADDED = re.compile(
    r"(?:\+|\b(?:plus|in combination with|combined with|together with|on top of))\s?"
    r"(?P<name>(?!\d)[^\d+;.|]{3,50}?)\s?(?:\(\s?)?(?:at\s|of\s)?$",
    re.IGNORECASE,
)
"""A partner right before its dose, also where its name is unknown: "X 60 mg + standard of care |1200 mg"."""
NAME_LIKE = re.compile(r"(?<![\w-])[A-Za-z][a-z]{4,19}(?![\w-])")
SALT = re.compile(SALTS, re.IGNORECASE)
JOINED = re.compile(r"\b(?:and|or)\b", re.IGNORECASE)
AS_ACCOMPANYING = re.compile(r"\bas (?:an? |the )?(?:\w+ )?$", re.IGNORECASE)
TIGHT = re.compile(r"\s?[(,:]?\s?|\s\([^()]{0,30}\)\s")
ANAPHORA = re.compile(
    r"^(?:there|it|its|they|their|these|this (?:compound|drug|substance|molecule|dose)|the (?:latter|"
    r"compound|substance|same))\b",
    re.IGNORECASE,
)


def attributed_drug(document: AnnotatedDocument, line: Line, start: int, end: int) -> DrugMention | None:
    """The drug that the words from `start` to `end` of a line belong to; None where nothing tells.

    In order: the drug right after ("10 mg of X") unless one stands right before ("X 10 mg"), the nearest
    before in the sentence, the molecule or "the drug" after, and what the sentence is about. Placebo never
    owns a dose.
    """
    drugs = [drug for drug in line.drugs if drug.referent is not Referent.PLACEBO]
    earlier = [drug for drug in drugs if drug.end <= start]
    later = [drug for drug in drugs if drug.start >= end]
    if (partner := added_partner(drugs, line.text[:start])) is not None:
        return partner
    if (unknown := unknown_drug(line.text, line.drugs, start, end)) is not None:
        return unknown
    if later and IN_SOMEBODY.fullmatch(line.text[end : later[0].start]):
        return resolved(document, later[0])
    if (
        later
        and AHEAD.fullmatch(line.text[end : later[0].start])
        and not (earlier and TIGHT.fullmatch(line.text[earlier[-1].end : start]))
    ):
        return resolved(document, later[0])
    if earlier:
        return resolved(document, earlier[-1])
    if later and (later[0].may_be_this or AS_ACCOMPANYING.search(line.text[end : later[0].start])):
        return resolved(document, later[0])
    return topic(document, line)


def added_partner(drugs: Sequence[DrugMention], ahead: str) -> DrugMention | None:
    """The partner named between "+" and a dose, where the text knows no drug by that name."""
    found = ADDED.search(ahead)
    if found is None:
        return None
    if any(drug.start < found.end("name") and drug.end > found.start("name") for drug in drugs):
        return None
    return DrugMention(found.start("name"), found.end("name"), found["name"].strip().lower(), Referent.DRUG)


def unknown_drug(text: str, drugs: Sequence[DrugMention], start: int, end: int) -> DrugMention | None:
    """A drug beside a dose that no list knows: "Fexurone 800 mg", "800 mg of fexurone", "fexurone at 800 mg".

    Its form tells it, which is no word of English. A word right behind a known name (a salt, a form of
    tablets) is part of that name.
    """
    ahead = [word for word in NAME_LIKE.finditer(text, 0, start) if adjoins_dose(text[word.end() : start])]
    behind = [word for word in NAME_LIKE.finditer(text, end) if AHEAD.fullmatch(text[end : word.start()])]
    tight = any(drug.end <= start and TIGHT.fullmatch(text[drug.end : start]) for drug in drugs)
    for word in (*ahead[-1:], *([] if tight else behind[:1])):
        part_of_name = any(drug.start < word.end() and word.start() <= drug.end + 1 for drug in drugs)
        may_be_drug = may_be_generic(word[0]) and not is_english(word[0]) and not SALT.fullmatch(word[0])
        if may_be_drug and not part_of_name:
            return DrugMention(*word.span(), word[0].lower(), Referent.DRUG)
    return None


def adjoins_dose(between: str) -> bool:
    """Whether words only lead from a name to its dose; "and" and "or" lead to something else."""
    return len(between) < 60 and BEHIND.fullmatch(between) is not None and not JOINED.search(between)


def shares(document: AnnotatedDocument, line: Line, start: int) -> bool:
    """Whether words behind "A 10 mg or B 20 mg" concern A too, where A is the molecule.

    Both are then alternatives of one trial.
    """
    earlier = [drug for drug in line.drugs if drug.end <= start]
    for position, drug in enumerate(earlier):
        own = resolved(document, drug) if drug.may_be_this else None
        rest = earlier[position + 1 :]
        if own is None or not own.is_this or not rest:
            continue
        joints = [line.text[a.end : b.start] for a, b in zip([drug, *rest], rest, strict=False)]
        if ALTERNATIVE.search(joints[-1]) and adjoins_dose(line.text[rest[-1].end : start]):
            return True
    return False


def resolved(document: AnnotatedDocument, drug: DrugMention) -> DrugMention | None:
    """The agent itself; "the study drug" stands for the study's subject."""
    if drug.referent is Referent.STUDY_DRUG:
        return subject_drug(document)
    return drug


def topic(document: AnnotatedDocument, line: Line) -> DrugMention | None:
    """What a sentence without a name is about.

    That is what its "it" refers to, or else the molecule of the line that leads its list, or of the heading,
    or else that of the document.
    """
    own = [drug for drug in line.drugs if drug.is_of_archive]
    if own:
        return own[0]
    if line.row is None and (referred := antecedent(document.lines, line)):
        return referred
    led = list(
        {
            drug.name: drug for drug in document.names.drugs_in(line.passage.lead) if drug.is_of_archive
        }.values()
    )
    if len(led) == 1:
        return led[0]
    if (heading := section_drug(document, line)) is not None:
        return heading
    if document.subject:
        return subject_drug(document)
    return next(molecules(before(document.lines, line, 8)), None)


def antecedent(lines: Sequence[Line], line: Line) -> DrugMention | None:
    """What "it", "there" or "this compound" refers to: the one molecule of the sentence before."""
    if not ANAPHORA.match(line.text):
        return None
    for earlier in before(lines, line, 2):
        found = list(molecules([earlier]))
        if len({drug.name for drug in found}) == 1:
            return found[0]
    return None


def molecules(lines: Iterator[Line] | Sequence[Line]) -> Iterator[DrugMention]:
    """Molecules of the archive named in lines."""
    return (drug for line in lines for drug in line.drugs if drug.is_of_archive)


def section_drug(document: AnnotatedDocument, line: Line) -> DrugMention | None:
    """The one molecule that the nearest heading above names, if the heading names just one.

    What another molecule was given with to see their interaction is not what a heading is about.
    """
    caption = [line.row.caption] if line.row else []
    for heading in (*caption, *reversed(line.passage.section)):
        found = [
            drug
            for drug in document.names.drugs_in(heading)
            if drug.is_of_archive and not is_partner(heading, drug.start, drug.end)
        ]
        if len({drug.name for drug in found}) == 1:
            return found[0]
        if found:
            return None if not document.subject else subject_drug(document)
    return None


def subject_drug(document: AnnotatedDocument) -> DrugMention | None:
    """The document's subject as an agent."""
    if not document.subject:
        return None
    return DrugMention(0, 0, document.subject, Referent.THIS if document.is_about_this else Referent.MOLECULE)


def guard_of_drug(document: AnnotatedDocument, line: Line, drug: DrugMention) -> str:
    """Under which guard a value of another drug is refused."""
    if drug.referent is Referent.MOLECULE:
        return "other molecule"
    around = f"{line.text} {document.title}".lower()
    if any(
        word in around
        for word in ("versus", " vs", "compar", "control", "reference", "than", drug.name + " group")
    ):
        return "comparator"
    return "comparator" if document.role is MoleculeRole.COMPARATOR else "partner"


def table_drug(document: AnnotatedDocument, line: Line) -> DrugMention | None:
    """What a table is about, whatever its cells name."""
    return topic(document, replace(line, drugs=()))


def said_of_this(
    documents: Iterable[AnnotatedDocument], wanted: re.Pattern[str], unless: re.Pattern[str] | None = None
) -> Iterator[tuple[AnnotatedDocument, Line]]:
    """The lines about the molecule that have one wording and not another, with their documents."""
    for document in documents:
        for line in document.lines:
            said = not line.is_heading and wanted.search(line.text)
            if said and not (unless and unless.search(line.text)) and about_this(document, line):
                yield document, line


def about_this(document: AnnotatedDocument, line: Line) -> bool:
    """Whether a sentence is about the molecule asked about."""
    found = topic(document, line)
    return found is not None and found.is_this
