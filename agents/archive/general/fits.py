"""Whether a short answer is of the thing asked for: a count of it, or a cell of its field.

A number beside the right words may still count something else. What fails here is shown, and not stated.
"""

import re
from collections.abc import Iterable

from agents.archive.general.extract import LABELLED, Extracted, shares_word
from agents.archive.general.question import AnswerType, FactualQuestion
from agents.archive.general.spans import PATTERNS, REFERENCE, WHOLE_NUMBER
from agents.archive.general.tables import LabelledRow
from agents.archive.general.words import stems, synonyms
from agents.archive.research.patterns.deeds import deeds_in

EMPHASIS = frozenset(stems("actually altogether approximately exactly finally overall really together total"))
"""Words of a question that no answer needs to repeat."""
GOT = frozenset(stems("dosed exposed get got receive received take taken took treated"))
"""Words for having had a drug, of which one stands for the others."""
MEASURED = (AnswerType.COUNT, AnswerType.QUANTITY)
WHICH = re.compile(
    r"\W*(?:and )?(?:which|what) (?P<noun>(?:[\w-]+ ){1,4}?)"
    r"(?:was|were|is|are|did|do|does|has|have|had|can|could|should|may|might|will|would)\b",
    re.IGNORECASE,
)
"""A question for things of a kind: the last word before its verb is their noun."""
ADVERB = re.compile(r"\W*(?:and |so )?(?P<adverb>where|why|how)\b", re.IGNORECASE)
"""A question for a place, a reason or a manner, which no field tells but one of a place."""
PLACE = re.compile(
    r"\b(?:address|archive|cent(?:er|re)|city|country|facilit|laborator|location|origin|place|room|site|source|"
    r"storage|supplier|vendor)",
    re.IGNORECASE,
)
NUMBERED = re.compile(
    r"\b(?:lane|group|cohort|arm|part|phase|grade|stage|day|week|visit|patient|subject|animal|study|trial|site)s?\s$",
    re.IGNORECASE,
)
"""What stands before a number that names one of several, and counts nothing."""
LABEL_AND_VALUE = 2
"""So many filled cells of a row are a label and its value."""


def is_asked_for(
    question: FactualQuestion, told: Extracted, text: str, row: LabelledRow | None, around: Iterable[str]
) -> bool:
    """Whether a short answer out of a passage of that text surely is what its question asks for.

    `around` stands about the passage: its headings, and the title of its document.
    """
    counted = question.answer_type is AnswerType.COUNT
    if row is not None:
        return (not counted or (is_number(told.short) and is_of_deed(question, told))) and (
            question.answer_type not in MEASURED or is_of_field(question, told, row)
        )
    labelled = LABELLED.match(text)
    if not counted:
        return (
            labelled is None
            or question.answer_type not in (AnswerType.TEXT, AnswerType.PLACE)
            or is_of_noun(question, labelled["label"])
        )
    if labelled and shares_word(question, labelled["label"]):
        return is_number(told.short)
    return is_number(told.short) and is_only_count(question, text, around)


def is_of_deed(question: FactualQuestion, told: Extracted) -> bool:
    """Whether a cell counts those with whom was done what is asked: the subjects of a study that is
    "completed" did not all complete it.
    """
    asked = set(deeds_in(question.text))
    return not asked or not asked.isdisjoint(deeds_in(f"{told.row} {told.column}"))


def is_of_noun(question: FactualQuestion, label: str) -> bool:
    """Whether what stands before a colon names the things that a question "which …" or "where …" asks for.

    "The search had four concepts: a, b" tells no databases, although it speaks of a search.
    """
    if adverb := ADVERB.match(question.text):
        return adverb["adverb"].lower() == "where" and PLACE.search(label) is not None
    asked = WHICH.match(question.text)
    nouns = stems(asked["noun"]) if asked else []
    return not nouns or not synonyms(nouns[-1]).isdisjoint(stems(label))


def is_number(short: str) -> bool:
    """Whether a short answer is a number, with what it is out of, and nothing else."""
    bare = short.strip(" .,;")
    return bool(WHOLE_NUMBER.fullmatch(bare) or PATTERNS[AnswerType.COUNT].fullmatch(bare))


def is_of_field(question: FactualQuestion, told: Extracted, row: LabelledRow) -> bool:
    """Whether row and column of a cell are of what is asked; in a list of labels and values the label is.

    The head "Cmax (ng/mL)" answers nothing about what is bioavailable.
    """
    if told.column and len([cell for cell in row.cells if cell]) > LABEL_AND_VALUE:
        return all(shares_word(question, name) for name in (told.row, told.column) if name)
    return shares_word(question, f"{told.row} {told.column}")


def is_only_count(question: FactualQuestion, sentence: str, around: Iterable[str]) -> bool:
    """Whether a sentence counts one thing alone, and says with its headings all that the question asks of it.

    "Of 90 women 12 were dosed" does not say how many joined.
    """
    counts = [
        found
        for found in PATTERNS[AnswerType.COUNT].finditer(sentence)
        if not any(place.search(sentence, 0, found.start()) for place in (REFERENCE, NUMBERED))
        and not says(question.text, found[0])
    ]
    said = set(stems(" ".join((sentence, *around))))
    asked = [term for term in question.terms if term not in EMPHASIS]
    return len(counts) == 1 and all(not alike(term).isdisjoint(said) for term in asked)


def says(text: str, number: str) -> bool:
    """Whether a text says a number itself."""
    return re.search(rf"(?<![\w.]){re.escape(number)}(?!\w)", text, re.IGNORECASE) is not None


def alike(term: str) -> frozenset[str]:
    """Stems that say the same as a word of a question."""
    return GOT if term in GOT else synonyms(term)
