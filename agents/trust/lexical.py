"""Entailment without a model: do the claim's words, numbers, names and polarity occur in the evidence?

It knows neither synonyms nor implication and finds only near-verbatim contradictions: a weaker check than an
NLI model, which every reason says. `python -m tests.bench.entailment FOLDER` measures it on SciFact.
"""

import re
from collections.abc import Sequence
from itertools import chain

from agents.evidence.values import Evidence
from agents.ports import Judged
from agents.text.frequencies import parse_frequencies
from agents.text.numbers import parse_numbers
from agents.text.polarity import OPPOSITE_STEMS, is_doubted, is_planned, opposed
from agents.text.quantities import parse_quantities
from agents.text.words import EMPTY_WORDS, WORD, content_words, stem, stems
from agents.trust.heads import plain_head
from agents.trust.values import BY_WORDS, Verdict
from retrieval.text.sentences import split_sentences
from retrieval.text.species import species_in

SUPPORTED_AT, PARTLY_AT = 0.6, 0.25
"""Shares of the claim's content words that must occur in the evidence."""
DOUBTED_AT, CONTRADICTED_AT = 0.5, 0.9
"""Shares in one sentence from which its differing polarity casts doubt, or counts as contradiction."""

_CODE = re.compile(r"\b[A-Z]{1,6}[ -]?\d{2,7}(?:[-/.]\d+)*[A-Z]?\b|\b[Pp]hase \d[ab]?\b")


class LexicalEntailment:
    """Content-word coverage, numbers, negation and molecule names."""

    name = "word and number overlap (weaker than a language model)"

    async def judge(self, claim: str, evidence: Sequence[Evidence]) -> tuple[Verdict, str]:
        """The verdict and what it rests on; every reason names the check as one of words."""
        if not evidence:
            return Verdict.UNSUPPORTED, f"{BY_WORDS}: there is no evidence."
        verdict, reason = _judge(claim, evidence)
        return verdict, f"{BY_WORDS}: {reason}"

    async def judge_all(self, pairs: Sequence[tuple[str, Sequence[Evidence]]]) -> list[tuple[Verdict, str]]:
        """The verdicts and what they rest on."""
        return [await self.judge(claim, evidence) for claim, evidence in pairs]


def _judge(claim: str, evidence: Sequence[Evidence]) -> tuple[Verdict, str]:
    text = "\n".join(_readable(item) for item in evidence)
    words = content_words(claim)
    missing = words - stems(text)
    share = 1 - len(missing) / len(words) if words else 1.0
    found = f"{len(words) - len(missing)} of {len(words)} content words occur in the evidence"
    around = "\n".join(item.around for item in evidence)
    if number := _unstated_number(claim, f"{text}\n{around}"):
        return Verdict.UNSUPPORTED, f"the number {number} does not occur in the evidence."
    if share < PARTLY_AT:
        return Verdict.UNSUPPORTED, f"{found}."
    if denied := contradicted(claim, evidence):
        return denied[0], f"{found}, but {denied[1]}."
    if other := _other_name(claim, text):
        return Verdict.PARTLY, f"{found}, but the evidence names {other}."
    return (Verdict.SUPPORTED if share >= SUPPORTED_AT else Verdict.PARTLY), f"{found}."


def contradicted(claim: str, evidence: Sequence[Evidence]) -> Judged | None:
    """The verdict on a claim that the nearest sentence denies, or that tells of other species alone than its
    evidence; None for any other.
    """
    near, nearest = _nearest(content_words(claim), evidence)
    if near >= DOUBTED_AT and (doubt := opposed(claim, nearest)):
        return (Verdict.CONTRADICTED if near >= CONTRADICTED_AT else Verdict.PARTLY), doubt
    told = "\n".join("\n".join((_readable(one), one.around, one.study, *one.subjects)) for one in evidence)
    named, others = ({name for _, name in species_in(text)} for text in (told, claim))
    if named and others and not named & others:
        return Verdict.UNSUPPORTED, f"the evidence speaks of {min(named)} and not of {min(others)}"
    return None


def says_in_its_words(claim: str, evidence: Sequence[Evidence]) -> bool:
    """Whether evidence has every word, number and name of a claim, in what it says and where it stands,
    denies and doubts nothing of it, and tells no plan that the claim tells as done. One of its sentences must
    have the claim's words in the same order and no other numbers: which value belongs to what, a bag of words
    does not tell ("97 in males and 188 in females").

    Numbers with units are left to the number check. What stands around a passage counts for words alone.
    """
    place = "\n".join(f"{_readable(item)}\n{item.study}\n{' '.join(item.subjects)}" for item in evidence)
    around = "\n".join(f"{item.notes}\n{item.around}" for item in evidence)
    words = content_words(claim)
    if not words or words - stems(f"{place}\n{around}") or _unstated_number(claim, place):
        return False
    said = "\n".join(item.text for item in evidence)
    if is_planned(said) != is_planned(claim) or is_doubted(said) != is_doubted(claim):
        return False
    if opposed(claim, said) or _names(claim).keys() - _names(place).keys():
        return False
    labels = (
        (one.title, one.context, one.study, one.document_type, one.date, *one.subjects) for one in evidence
    )
    known = stems("\n".join(chain.from_iterable(labels)))
    return any(_in_order(claim, sentence, known) for sentence in split_sentences(said))


def _in_order(claim: str, sentence: str, known: frozenset[str]) -> bool:
    """Whether a sentence has the words and numbers of a claim in its order, and no other number.

    Words that are `known` of the place where it stands, such as the molecule and the species, it may lack.
    """
    told, steps = _steps(sentence), _steps(claim)
    if [one for one in told if isinstance(one, float)] != [one for one in steps if isinstance(one, float)]:
        return False
    needed = [step for step in steps if step in told or step not in known]
    rest = iter(told)
    return bool(needed) and all(step in rest for step in needed)


def _steps(text: str) -> list[str | float]:
    """The words and numbers of a text in their order: words as stems, without empty ones."""
    words = [(match.start(), match[0].lower()) for match in WORD.finditer(text)]
    placed: list[tuple[int, str | float]] = [
        (at, stem(word)) for at, word in words if word not in EMPTY_WORDS
    ]
    placed += [(number.start, float(number.value)) for number in parse_numbers(_CODE.sub(_blank, text))]
    return [step for _, step in sorted(placed, key=lambda one: one[0])]


def _readable(evidence: Evidence) -> str:
    heads = " ".join(plain for head in evidence.header if (plain := plain_head(head)) != head)
    told = (evidence.title, evidence.context, heads, evidence.text, evidence.document_type, evidence.date)
    return "\n".join(filter(None, told))


def _unstated_number(claim: str, text: str) -> str:
    """The first bare number of the claim that the evidence lacks: no "one", no name, phase, quantity or
    frequency.

    Quantities and frequencies are left to the number check, which knows their units.
    """
    plain = _CODE.sub(_blank, claim)
    spans = [(quantity.start, quantity.end) for quantity in parse_quantities(plain)]
    spans += [(frequency.start, frequency.end) for frequency in parse_frequencies(plain)]
    stated = {number.value for number in parse_numbers(_CODE.sub(_blank, text))}
    for number in parse_numbers(plain):
        measured = any(start <= number.start < end for start, end in spans)
        if not measured and number.value not in stated and number.text.lower() != "one":
            return number.text
    return ""


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _nearest(words: frozenset[str], evidence: Sequence[Evidence]) -> tuple[float, str]:
    """The share of the claim's words in the sentence that shares most, opposites aside; and the sentence."""
    sentences = [sentence for item in evidence for sentence in split_sentences(item.text)]
    nearest = max(sentences, key=lambda sentence: len(words & content_words(sentence)))
    counted = words - OPPOSITE_STEMS
    return (len(counted & content_words(nearest)) / len(counted) if counted else 0.0), nearest


def _other_name(claim: str, text: str) -> str:
    """A code in the evidence, where the claim's own codes do not occur in it at all."""
    claimed, named = _names(claim), _names(text)
    if not claimed or claimed.keys() & named.keys():
        return ""
    return next(iter(named.values()), "")


def _names(text: str) -> dict[str, str]:
    """Codes by their spelling without case, blanks and hyphens; a phase is no name."""
    codes = (code for code in _CODE.findall(text) if not code.lower().startswith("phase"))
    return {re.sub(r"[^a-z0-9]", "", code.lower()): code for code in codes}
