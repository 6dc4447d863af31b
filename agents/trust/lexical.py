"""Entailment without a model: do the claim's words, numbers, names and polarity occur in the evidence?

It knows neither synonyms nor implication and finds only near-verbatim contradictions: a weaker check than an
NLI model, which every reason says. `python -m tests.bench.entailment FOLDER` measures it on SciFact.
"""

import re
from collections.abc import Sequence

from agents.evidence.values import Evidence
from agents.ports import Judged
from agents.text.frequencies import parse_frequencies
from agents.text.numbers import parse_numbers
from agents.text.polarity import OPPOSITE_STEMS, opposed
from agents.text.quantities import parse_quantities
from agents.text.rows import plain_head
from agents.text.words import content_words, stems
from agents.trust.values import BY_WORDS, Verdict
from retrieval.molecules.codes import code_key
from retrieval.text.sentences import split_sentences
from retrieval.text.species import species_in

SUPPORTED_AT, PARTLY_AT = 0.6, 0.25
"""Shares of the claim's content words that must occur in the evidence."""
DOUBTED_AT, CONTRADICTED_AT = 0.5, 0.9
"""Shares in one sentence from which its differing polarity casts doubt, or counts as contradiction."""

CODE = re.compile(r"\b[A-Z]{1,6}[ -]?\d{2,7}(?:[-/.]\d+)*[A-Z]?\b|\b[Pp]hase \d[ab]?\b")


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


def _readable(evidence: Evidence) -> str:
    heads = " ".join(plain for head in evidence.header if (plain := plain_head(head)) != head)
    told = (evidence.title, evidence.context, heads, evidence.text, evidence.document_type, evidence.date)
    return "\n".join(filter(None, told))


def _unstated_number(claim: str, text: str) -> str:
    """The first bare number of the claim that the evidence lacks: no "one", no name, phase, quantity or
    frequency.

    Quantities and frequencies are left to the number check, which knows their units.
    """
    plain = CODE.sub(blanked, claim)
    spans = [(quantity.start, quantity.end) for quantity in parse_quantities(plain)]
    spans += [(frequency.start, frequency.end) for frequency in parse_frequencies(plain)]
    stated = {number.value for number in parse_numbers(CODE.sub(blanked, text))}
    for number in parse_numbers(plain):
        measured = any(start <= number.start < end for start, end in spans)
        if not measured and number.value not in stated and number.text.lower() != "one":
            return number.text
    return ""


def blanked(match: re.Match[str]) -> str:
    """Blanks in place of a match."""
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
    codes = (code for code in CODE.findall(text) if not code.lower().startswith("phase"))
    return {code_key(code): code for code in codes}
