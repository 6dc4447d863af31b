"""What a question takes for granted, checked against all documents of its molecule.

Somebody who asks for the human dose of a molecule that no human received, or for a study in a species that no
document speaks of, is told so in the first words. Only what the documents decide is corrected.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from agents.archive.answer import Outcome
from agents.archive.claim_checker import ClaimChecker
from agents.archive.library import GENERAL
from agents.archive.research.guards.humans import never_dosed, says_never_dosed
from agents.archive.research.vocabulary import terms, wording
from agents.archive.research_input import read_for
from agents.archive.tools import ArchiveTools, LoadedDocument
from agents.archive.values import AnswerPart, DraftClaim, Merged
from agents.evidence.values import Provenance
from agents.trust.check import shown
from retrieval.molecules.lookup import mentions
from retrieval.values import Filters, Molecule, Passage, SearchRequest

MOST_DOCUMENTS = 150
ASIDE = re.compile(r"\([^()]*\)")
MOST_FOUND = 20
DENIED = re.compile(r"\b(?:no|not|without|unremarkable|normal)\b", re.IGNORECASE)
HUMAN = re.compile(
    r"\b(?:in|to|by|for|among|on) (?:healthy |human |the )?"
    r"(?:humans?|man|patients|volunteers|people|women|men|subjects|children|adults)\b"
    r"|\bhuman (?:dose|exposure|study|studies)|\bclinical (?:dose|study|studies|trial)"
    r"|\bfirst[- ]in[- ](?:human|man)\b",
    re.IGNORECASE,
)
OPEN = re.compile(
    r"\b(?:plan\w*|project\w*|propos\w*|predict\w*|expect\w*|foreseen|intend\w*|would|never|not|without|margin|protocol)\b",
    re.IGNORECASE,
)
"""Words of a question that takes nothing of the kind for granted."""
YES_NO = re.compile(r"^\W*(?:is|are|was|were|did|does|do|has|have|had)\b", re.IGNORECASE)
STOPPED = re.compile(
    r"\b(?:discontinu|terminat|abandon|stopp|halt|cancel|ended\b|withdr[ae]wn?)", re.IGNORECASE
)
ONGOING = re.compile(
    r"\b(?:is|are|remains?) (?:still )?(?:ongoing|under ?way|continued|continuing|recruiting|in progress)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Term:
    """Something a question may speak of: how it is asked for, how documents write it, and its class."""

    asked: re.Pattern[str]
    written: re.Pattern[str]
    name: str
    group: str


def _term(group: str, name: str, asked: str, written: str) -> Term:
    return Term(
        re.compile(rf"\b(?:{asked})\b", re.IGNORECASE), re.compile(written, re.IGNORECASE), name, group
    )


TERMS = (
    _term("animals", "rats", "rats?", r"\brats?\b|rodent|sprague|wistar"),
    _term("animals", "mice", "mouse|mice", r"\bmouse\b|\bmice\b|murine|rodent"),
    _term("animals", "dogs", "dogs?|beagles?", r"\bdogs?\b|beagle|canine"),
    _term("animals", "monkeys", "monkeys?|macaques?", r"monkey|macaque|cynomolgus|primate|marmoset"),
    _term("animals", "rabbits", "rabbits?", r"rabbit"),
    _term("animals", "guinea pigs", "guinea pigs?", r"guinea[- ]pig"),
    _term("animals", "pigs", r"(?<!guinea )(?:mini)?pigs?", r"(?<!guinea )(?<!guinea-)pigs?\b|swine|porcine"),
    _term("animals", "hamsters", "hamsters?", r"hamster"),
    _term("animals", "ferrets", "ferrets?", r"ferret"),
    _term("animals", "cats", "cats", r"\bcats?\b|feline"),
    _term("people", "women", "women|woman", r"wom[ae]n|female|pregnan|lactat|menopaus"),
    _term("people", "children", "children|infants", r"child|p(?:a)?ediatr|infant|adolescen|\bage"),
    _term("phases", "Phase III", "phase (?:iii|3)", r"phase[ -](?:[i1/]*)?(?:iii|3)"),
    _term("routes", "oral use", "oral(?:ly)?|by mouth", r"\boral|mouth|\bp\.o\.|tablet|capsule|gavage"),
    _term("routes", "intravenous use", "intravenous(?:ly)?", r"intraven|infus|\bi\.?v\.?\b|inject|bolus"),
    _term("routes", "inhalation", "inhal(?:ed|ation)", r"inhal|aerosol|nebuli"),
    _term("routes", "subcutaneous use", "subcutaneous(?:ly)?", r"subcutan|\bs\.?c\.?\b|inject"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Premise:
    """What the documents say against a question. Where none speaks of what is asked, `passages` say what they
    speak of instead.
    """

    molecule: str
    short: str
    line: str
    passages: tuple[Passage, ...] = ()


def may_be_wrong(text: str) -> bool:
    """Whether a question takes something for granted that is worth checking."""
    asked = ASIDE.sub(" ", text)
    return not OPEN.search(asked) and (
        bool(HUMAN.search(asked))
        or any(term.asked.search(asked) for term in TERMS)
        or bool(organs_blamed(asked))
    )


def organs_blamed(asked: str) -> list[tuple[str, re.Pattern[str]]]:
    """The organs of which a question takes a finding for granted, each as written, with all its words."""
    if YES_NO.match(asked) or not wording("toxic").search(asked):
        return []
    return [(found[0], organ.words) for organ in terms("organs") if (found := organ.words.search(asked))]


async def wrong_premise(tools: ArchiveTools, text: str, molecule: str) -> Premise | None:
    """What the molecule's documents say against the question, if they decide it."""
    asked = ASIDE.sub(" ", text)
    documents = await documents_of(tools, molecule)
    if not documents:
        return None
    registry = await tools.index.molecules()
    never = await never_in_humans(documents, molecule, registry) if HUMAN.search(asked) else None
    unlinked = await unlinked_documents(tools)
    unheard = never or unheard_of(asked, molecule, documents, unlinked)
    if unheard or unlinked is None:
        return unheard
    return await found_with_another(tools, asked, molecule, (*documents, *unlinked))


async def not_stopped(tools: ArchiveTools, molecules: tuple[str, ...]) -> Premise | None:
    """What says that a molecule is still worked on, where no document says that it was stopped."""
    if not molecules:
        return None
    molecule = molecules[0]
    registry = await tools.index.molecules()
    ongoing: list[tuple[str, Passage]] = []
    for read in await documents_of(tools, molecule):
        only = read.document.record.molecules == (molecule,)
        for passage in read.passages:
            about = only or molecule in {name for _, _, name in mentions(passage.text, registry)}
            if about and STOPPED.search(passage.text) and not ONGOING.search(passage.text):
                return None
            if about and ONGOING.search(passage.text):
                ongoing.append((read.document.record.date, passage))
    if not ongoing:
        return None
    _, passage = max(ongoing, key=lambda pair: pair[0])
    line = f"No document says that {molecule} was discontinued; one says that work goes on."
    return Premise(molecule, "not discontinued, as far as the archive says", line, (passage,))


async def premise_part(tools: ArchiveTools, premise: Premise, yes_no: bool) -> Merged:
    """The correction as the one part of an answer."""
    answered = premise.line.startswith(("No ", "No: ", "Yes: "))
    line = f"No: {premise.line}" if yes_no and not answered else premise.line
    outcome = Outcome.ANSWERED if premise.passages else Outcome.NOTHING
    records = {record.doc_id: record for record in await tools.index.records()}
    checker = ClaimChecker(tools, records)
    drafted = [DraftClaim(" ".join(passage.text.split()), (passage,)) for passage in premise.passages]
    claims = shown(await checker.claims(drafted, Provenance("premise", "rules", line, "premise")))
    part = AnswerPart(GENERAL, premise.molecule, outcome, premise.short, line, claims)
    return Merged((part,), checker.memory.all())


async def documents_of(tools: ArchiveTools, molecule: str) -> list[LoadedDocument]:
    """The documents of a molecule; none where they are too many to be read."""
    records = await tools.index.records(Filters(molecules=(molecule,)))
    if len(records) > MOST_DOCUMENTS:
        return []
    return await tools.documents.open_all(tools.index, [record.doc_id for record in records])


async def unlinked_documents(tools: ArchiveTools) -> list[LoadedDocument] | None:
    """The documents of no known molecule, which may be any one's; None where they are too many to be read.

    So may one whose only molecule begins its own name and stands in no other document: a study's number.
    """
    everything = await tools.index.records()
    held = Counter(chain.from_iterable(record.molecules for record in everything))
    records = [
        record
        for record in everything
        if all(held[one] == 1 and record.doc_id.startswith(one) for one in record.molecules)
        and len(record.molecules) <= 1
    ]
    if len(records) > MOST_DOCUMENTS:
        return None
    return await tools.documents.open_all(tools.index, [record.doc_id for record in records])


async def never_in_humans(
    documents: Sequence[LoadedDocument], name: str, registry: Sequence[Molecule]
) -> Premise | None:
    """The sentence that says that no human received the molecule, if no study says otherwise."""
    read = read_for(name, documents, registry)
    said = says_never_dosed(read)
    if never_dosed(read) is None or said is None:
        return None
    document, number = said
    line = f"{name} was never given to humans."
    return Premise(
        name, f"never given to humans ({document.doc_id})", line, (document.lines[number].passage,)
    )


def unheard_of(
    asked: str, molecule: str, documents: Sequence[LoadedDocument], unlinked: Sequence[LoadedDocument] | None
) -> Premise | None:
    """That no document of the molecule speaks of what is asked about, and what they do speak of instead.

    A document of no known molecule that speaks of it leaves this open.
    """
    if unlinked is None:
        return None
    texts = [one.document.text for one in (*documents, *unlinked)]
    terms = [term for term in TERMS if term.asked.search(asked)]
    missing = [term for term in terms if not any(term.written.search(text) for text in texts)]
    if not missing or len(missing) < len(terms):
        return None
    first = missing[0]
    named = {
        term.name: passage
        for term in TERMS
        if term.group == first.group and (passage := first_passage(documents, term)) is not None
    }
    instead = f"; {first.group} named there: {', '.join(named)}" if named else ""
    line = f"No document of {molecule} speaks of {' or '.join(term.name for term in missing)}{instead}."
    return Premise(molecule, line, line, tuple(dict.fromkeys(named.values())))


async def found_with_another(
    tools: ArchiveTools, asked: str, molecule: str, documents: Sequence[LoadedDocument]
) -> Premise | None:
    """That no document of the molecule speaks of the organ of a finding, and which other molecule's does."""
    blamed = organs_blamed(asked)
    if not blamed or any(words.search(one.document.text) for one in documents for _, words in blamed):
        return None
    organ, words = blamed[0]
    found = await tools.index.lexical(SearchRequest(organ, Filters(), MOST_FOUND))
    ids = dict.fromkeys(chunk.doc_id for chunk in await tools.index.chunks([one for one, _ in found]))
    for one in await tools.documents.open_all(tools.index, ids):
        for passage in one.passages:
            whole = passage.row is None and passage.text.rstrip().endswith(".")
            told = words.search(passage.text) and wording("toxic").search(passage.text)
            other = one.document.record.main_molecules
            if whole and told and not DENIED.search(passage.text) and len(other) == 1:
                line = f"No document of {molecule} speaks of {organ.lower()}; one of {other[0]} does."
                return Premise(molecule, line, line, (passage,))
    return None


def first_passage(documents: Iterable[LoadedDocument], term: Term) -> Passage | None:
    """The first sentence that speaks of something; else the first passage that does."""
    found = [passage for one in documents for passage in one.passages if term.written.search(passage.text)]
    sentences = [passage for passage in found if passage.text.rstrip().endswith(".")]
    return next(iter((*sentences, *found)), None)
