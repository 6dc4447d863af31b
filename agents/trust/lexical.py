"""Entailment without a model: do the claim's words, numbers, names and polarity occur in the evidence?

It knows neither synonyms nor implication and finds only near-verbatim contradictions: a weaker check than an
NLI model, which every reason says. `python -m tests.bench.entailment FOLDER` measures it on SciFact.
"""

import re
import tomllib
from collections.abc import Sequence
from importlib.resources import files
from itertools import chain

from agents.evidence.values import Evidence
from agents.trust.frequencies import parse_frequencies
from agents.trust.heads import plain_head
from agents.trust.quantities import parse_quantities
from agents.trust.values import Verdict
from agents.trust.written_numbers import parse_numbers
from retrieval.text.sentences import split_sentences

_LISTS = tomllib.loads(files("agents.trust").joinpath("words.toml").read_text(encoding="utf-8"))
NEGATIONS = frozenset(_LISTS["negation"].split())
EMPTY_WORDS = NEGATIONS.union(_LISTS["function"].split(), _LISTS["reporting"].split())
OPPOSITES = tuple(tuple(pair.split("/")) for pair in _LISTS["opposites"].split())
SUPPORTED_AT, PARTLY_AT = 0.6, 0.25
"""Shares of the claim's content words that must occur in the evidence."""
DOUBTED_AT, CONTRADICTED_AT = 0.5, 0.9
"""Shares in one sentence from which its differing polarity casts doubt, or counts as contradiction."""

_WORD = re.compile(r"[A-Za-zÀ-ÿΑ-ω][A-Za-zÀ-ÿΑ-ω0-9]*(?:'t)?")
_PLAN = re.compile(
    r"(?i)\b(?:plan\w*|propos\w+|will|would|should|intend\w*|expect\w*|project\w*|may|to be)\b"
)
_DOUBT = re.compile(
    r"\b(?:nobody|no one|hardly|barely|no longer|if|unless|whether|except|den(?:y|ied|ies)|doubt\w*|"
    r"suspect\w*|claim\w*|alleg\w*|hypothes\w*|presum\w*|wrong\w*|incorrect\w*|error|unlike\w*|"
    r"exclud\w*|rule[ds]? out|instead of|rather than|other than)\b",
    re.IGNORECASE,
)
_CODE = re.compile(r"\b[A-Z]{1,6}[ -]?\d{2,7}(?:[-/.]\d+)*[A-Z]?\b|\b[Pp]hase \d[ab]?\b")


class LexicalEntailment:
    """Content-word coverage, numbers, negation and molecule names."""

    name = "word and number overlap (weaker than a language model)"

    async def judge(self, claim: str, evidence: Sequence[Evidence]) -> tuple[Verdict, str]:
        """The verdict and what it rests on; every reason names the check as one of words."""
        if not evidence:
            return Verdict.UNSUPPORTED, "By words alone: there is no evidence."
        verdict, reason = _judge(claim, evidence)
        return verdict, f"By words alone: {reason}"

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
    near, nearest = _nearest(words, evidence)
    if near >= DOUBTED_AT and (doubt := opposed(claim, nearest)):
        verdict = Verdict.CONTRADICTED if near >= CONTRADICTED_AT else Verdict.PARTLY
        return verdict, f"{found}, but {doubt}."
    if other := _other_name(claim, text):
        return Verdict.PARTLY, f"{found}, but the evidence names {other}."
    return (Verdict.SUPPORTED if share >= SUPPORTED_AT else Verdict.PARTLY), f"{found}."


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
    turned = any(bool(turn.search(said)) != bool(turn.search(claim)) for turn in (_PLAN, _DOUBT))
    if turned or opposed(claim, said) or _names(claim).keys() - _names(place).keys():
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
    words = [(match.start(), match[0].lower()) for match in _WORD.finditer(text)]
    placed: list[tuple[int, str | float]] = [
        (at, stem(word)) for at, word in words if word not in EMPTY_WORDS
    ]
    placed += [(number.start, float(number.value)) for number in parse_numbers(_CODE.sub(_blank, text))]
    return [step for _, step in sorted(placed, key=lambda one: one[0])]


def content_words(text: str) -> frozenset[str]:
    """Stems of the words that carry meaning: no function or reporting words, negations, or numbers."""
    words = {word.lower() for word in _WORD.findall(text)}
    return frozenset(map(stem, words - EMPTY_WORDS))


def stems(text: str) -> frozenset[str]:
    """Stems of all words."""
    return frozenset(stem(word.lower()) for word in _WORD.findall(text))


def stem(word: str) -> str:
    """A word without its inflection: "doses", "dosed", "dosing" -> "dos".

    Not `retrieval.text.stems`: with Porter's, which join more words, macro-F1 on SciFact falls from 0.390
    to 0.383, since more claims seem to be stated (`python -m tests.bench.entailment`).
    """
    for ending in (
        "ations",
        "ation",
        "ingly",
        "edly",
        "ies",
        "ing",
        "ions",
        "ion",
        "es",
        "ed",
        "ly",
        "s",
        "e",
        "y",
    ):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


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


def opposed(claim: str, sentence: str) -> str:
    """Why a sentence says the opposite of the claim; an empty string if it does not."""
    if negated(claim) != negated(sentence):
        return "one of claim and evidence is negated"
    here, there = stems(claim), stems(sentence)
    for pair in OPPOSITES:
        for said, opposite in (pair, pair[::-1]):
            a, b = stem(said), stem(opposite)
            if a in here and b in there and a not in there and b not in here:
                return f"the claim says {said!r} where the evidence says {opposite!r}"
    return ""


def negated(text: str) -> bool:
    """Whether a text holds an odd number of negations."""
    words = [word.lower() for word in _WORD.findall(text)]
    return bool(sum(word in NEGATIONS or word.endswith("n't") for word in words) % 2)


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


OPPOSITE_STEMS = frozenset(stem(word) for pair in OPPOSITES for word in pair)
