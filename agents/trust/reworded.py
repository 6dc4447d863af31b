"""The strict check, which no verdict of a model replaces: one sentence of a passage says a claim in the same
words, in the same order.

Subject, finding, direction and cause stand in that sentence, or the words of the passage do not confirm the
claim. `pestle eval claims` measures it.
"""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import chain

from agents.evidence.values import Evidence
from agents.text.numbers import parse_numbers
from agents.text.polarity import DENIAL, is_doubted, is_planned, opposed
from agents.text.words import EMPTY_WORDS, WORD, stem
from agents.trust.lexical import CODE, blanked
from retrieval.molecules.codes import code_key
from retrieval.text.sentences import split_sentences
from retrieval.text.species import species_in

Step = str | float
Placed = tuple[int, int, Step]
"""A word, name or number, and from where to where it stands in its text."""
_FREE = re.compile(r"an?|the|is|are|was|were|be|been|being|also|that|these|those|this", re.IGNORECASE)
"""Words that a claim and its sentence need not share."""
_NAMED = re.compile(rf"{CODE.pattern}|\b[A-Z]+[a-z]?-\d\w*")
"""Codes, and proteins and germs with one figure: PAR-2 is not PAR-5."""
_LINKS = frozenset(map(stem, ["in", "of", "with", "for", "to"]))
"""Words with which a claim adds what its sentence is about."""
_CONDITION = re.compile(
    rf"\b(?:{DENIAL}|if|unless|except|only|when|until|than|can|could|might|must|thought|believ\w*|assum\w*"
    r"|fear\w*|hope\w*|false\w*|contrary|rumou?r\w*|suggest\w*|seem\w*|appear\w*)\b",
    re.IGNORECASE,
)
"""What a claim may not leave out wherever it stands."""
_OPENING = re.compile(r"(?i:(?:[,:;)]|\bthat)\s*(?:the|a|an)?)\s*\Z|\b(?:The|An?|This|These)\s*\Z")
_CLOSING = re.compile(
    r"\s*(?:[,;:.(]|(?:in|at|during|after|following|by|for|on|with|and|who|which|while|whereas|because|due|as"
    r"|to|from|of)\b)",
    re.IGNORECASE,
)


def says_in_its_words(claim: str, evidence: Sequence[Evidence]) -> bool:
    """Whether one sentence of the evidence has every word, number and name of a claim, in the same order, and
    denies, doubts and plans as the claim does.

    A claim may leave out what stands before a comma or "that" or is a heading before the sentence, and what
    follows a comma or a preposition; nothing between, and never a condition or a denial. It may add the
    molecule and the species that the place of the sentence names, if it names one, where the sentence has
    nothing else instead.
    """
    labels = "\n".join(chain.from_iterable((one.title, one.context, one.study) for one in evidence))
    subjects = {name for one in evidence for name in one.subjects} or set(CODE.findall(labels))
    species = {name: stem(labels[at:].split()[0].lower()) for at, name in species_in(labels)}
    known: set[Step] = {step for _, _, step in _steps(" ".join(subjects))} if len(subjects) == 1 else set()
    known |= set(species.values()) if len(species) == 1 else set()
    return any(
        _rewords(claim, sentence, known) for item in evidence for sentence in split_sentences(item.text)
    )


def _rewords(claim: str, sentence: str, known: set[Step]) -> bool:
    """Whether a sentence says a claim by the rules of `says_in_its_words`; steps that are `known` of its
    place may be added.
    """
    differs = is_planned(claim) != is_planned(sentence) or is_doubted(claim) != is_doubted(sentence)
    if differs or opposed(claim, sentence):
        return False
    told, said = _steps(sentence), _steps(claim)
    there, here = [step for _, _, step in told], [step for _, _, step in said]
    changes = SequenceMatcher(None, there, here, autojunk=False).get_opcodes()
    added = [step for tag, _, _, i, j in changes if tag == "insert" for step in here[i:j]]
    left_out = [_left_out(sentence, told, i, j) for tag, i, j, _, _ in changes if tag == "delete"]
    kinds = {tag for tag, *_ in changes}
    return "equal" in kinds and "replace" not in kinds and all(left_out) and known >= {*added} - _LINKS


def _left_out(sentence: str, told: Sequence[Placed], first: int, end: int) -> bool:
    """Whether a claim may leave out these words of a sentence."""
    before = told[first - 1][1] if first else 0
    text = sentence[before : told[end][0] if end < len(told) else len(sentence)]
    if _CONDITION.search(text):
        return False
    if not first:
        begun = sentence[told[end][0] : told[end][1]]
        return bool(_OPENING.search(text)) or (begun.istitle() and begun.lower() in EMPTY_WORDS)
    return end == len(told) and bool(_CLOSING.match(text))


def _steps(text: str) -> list[Placed]:
    """The words, names and numbers of a text in their order: words as stems, without articles and forms of
    "be".
    """
    named = [(match.start(), match.end(), code_key(match[0])) for match in _NAMED.finditer(text)]
    rest = _NAMED.sub(blanked, text)
    words = (match for match in WORD.finditer(rest) if not _FREE.fullmatch(match[0]))
    placed: list[Placed] = [*named, *((one.start(), one.end(), stem(one[0].lower())) for one in words)]
    placed += [(one.start, one.end, float(one.value)) for one in parse_numbers(rest)]
    return sorted(placed, key=lambda one: one[0])
