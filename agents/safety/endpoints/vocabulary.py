"""The vocabulary of `vocabulary.toml`: which words name which effect, endpoint and organ system.

A text is read in clauses. A phrase counts at word boundaries, and not where its clause denies it ("normal
heart rate", "no seizures"). British and American spellings are read alike.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from agents.safety.endpoints.values import Endpoint, OrganSystem

_FILE = tomllib.loads(Path(__file__).with_name("vocabulary.toml").read_text(encoding="utf-8"))
_CLAUSE = re.compile(r"[;.:,](?:\s|$)|\b(?:but|whereas|although|however)\b")
_SEPARATORS = re.compile(r"[\s/_\-]+")
_WORD_DOTS = re.compile(r"(?<=[a-z])\.(?=[a-z(])")


@dataclass(frozen=True, slots=True)
class Concept:
    """A class of the vocabulary. What is `alone` is told of no other endpoint. `mechanism` marks a signalling
    system; its `systems` are those that it governs or also acts on.
    """

    name: str
    title: str
    endpoints: tuple[Endpoint, ...]
    systems: tuple[OrganSystem, ...]
    mechanism: bool
    pattern: re.Pattern[str]
    alone: bool = False


Found = tuple[Concept, str]
_Match = tuple[Concept, re.Match[str]]


def folded(text: str) -> str:
    """A text as phrases are compared: lower case, one spelling of "ae", "oe", "-our", no hyphens."""
    low = _WORD_DOTS.sub(" ", text.casefold()).replace("ae", "e").replace("oe", "e")
    return _SEPARATORS.sub(" ", re.sub(r"our\b", "or", low)).strip()


def _pattern(phrases: Iterable[str]) -> re.Pattern[str]:
    """Any of the phrases; `*` stands for the rest of a word. Without any, what nothing has."""
    each = [re.escape(folded(phrase)).replace(r"\*", r"\w*") for phrase in phrases]
    return re.compile(rf"(?<!\w)(?:{'|'.join(sorted(each, key=len, reverse=True)) or '(?!)'})(?!\w)")


def _concepts(table: str) -> tuple[Concept, ...]:
    return tuple(_concept(name, entry) for name, entry in _FILE[table].items())


def _concept(name: str, entry: dict[str, list[str]]) -> Concept:
    return Concept(
        name,
        str(entry.get("title", name.replace("_", " "))),
        tuple(Endpoint[one.upper()] for one in entry["endpoints"]),
        tuple(OrganSystem(one) for one in entry["systems"]),
        bool(entry.get("mechanism", False)),
        _pattern(entry["words"]),
        bool(entry.get("alone", False)),
    )


def _any(words: str) -> str:
    return "|".join(re.escape(folded(one)) for one in _FILE["negation"][words])


EFFECTS = _concepts("effect")
TISSUES = _concepts("tissue")
_DENIED_BEFORE = re.compile(
    rf"(?<!\w)(?:(?:{_any('before')})(?: [\w']+){{0,4}}|(?:{_any('close')})(?: [\w']+)?) ?$"
)
"""A denial up to four words before, a "normal" up to one."""
_DENIED_AFTER = re.compile(rf"^(?: [\w']+){{0,3}} (?:{_any('after')})(?!\w)")
_NO_FINDING = _pattern([*_FILE["negation"]["nothing"], *_FILE["ignored"]["words"]])
_APART = tuple(
    (name, _pattern(_FILE["apart"][name]["words"]), _pattern(_FILE["apart"][name]["not"]))
    for name in ("tumour", "viability", "wanted", "molecule")
)
TUMOUR = Concept("tumour", "tumours", (Endpoint.TUMOUR,), (), False, re.compile("(?!)"))
"""What a tumour speaks for, whatever organ its name has."""
SYSTEMIC = replace(TUMOUR, name="systemic", title="disease of the whole body", endpoints=(Endpoint.SYSTEMIC,))
"""What a disease speaks for whose name has no organ."""
_OF_AREA = tuple((_pattern(one["area"]), _pattern(one["words"])) for one in _FILE["of_area"])
_SUSCEPTIBLE = _pattern(_FILE["apart"]["susceptibility"]["words"])
_ALSO = re.compile(r"\bwith(?:out)?\b")


PROCESSES = tuple((_pattern(one["words"]), one) for one in _FILE["process"])
"""Processes by their words, with the harm that less, more, or killed cells of each bring, by endpoint."""


@lru_cache(maxsize=20_000)
def concepts_in(text: str) -> tuple[Found, ...]:
    """The effects that a text names, and the words that name each."""
    return tuple(_found(EFFECTS, text))


@lru_cache(maxsize=2_000)
def tissue_concepts(text: str) -> tuple[Found, ...]:
    """The systems of a tissue or organ in which a target is expressed."""
    return tuple(_found(TISSUES, text))


@lru_cache(maxsize=20_000)
def apart_in(text: str) -> str:
    """What a text names that is no toxicity of an organ: "tumour", "viability", "wanted", "molecule", or "".

    What a disease comes with does not count: "Noonan syndrome with leukemia" is no tumour.
    """
    low = _ALSO.split(folded(text))[0]
    for name, words, others in _APART:
        if words.search(others.sub(" ", low)):
            return name
    return ""


def of_patients(text: str, area: str) -> bool:
    """Whether patients of a therapeutic area have something anyway, or are treated to get it."""
    said, low = folded(text), folded(area)
    return any(own.search(low) and words.search(said) for own, words in _OF_AREA)


def is_susceptibility(text: str) -> bool:
    """Whether a disease's name only says that a variant shifts how likely or severe it is."""
    return bool(_SUSCEPTIBLE.search(folded(text)))


def _found(concepts: Iterable[Concept], text: str) -> Iterator[Found]:
    for clause in _CLAUSE.split(folded(text)):
        seen = set()
        for concept, match in _matches(concepts, clause):
            if concept.name not in seen:
                seen.add(concept.name)
                yield concept, match.group()


def _matches(concepts: Iterable[Concept], clause: str) -> Iterator[_Match]:
    """Each phrase of a clause that names a concept and is no part of a longer one; an event that stands alone
    counts inside one that does not, as the haemorrhage of "cerebral haemorrhage".
    """
    if _NO_FINDING.search(clause):
        return
    said = [(concept, match) for concept in concepts for match in _said(concept, clause)]
    for concept, match in said:
        if not _inside(match.span(), [each.span() for other, each in said if other.alone >= concept.alone]):
            yield concept, match


def _said(concept: Concept, clause: str) -> Iterator[re.Match[str]]:
    """Where a clause names the concept and does not deny it."""
    for match in concept.pattern.finditer(clause):
        if not (
            _DENIED_BEFORE.search(clause[: match.start()]) or _DENIED_AFTER.search(clause[match.end() :])
        ):
            yield match


def _inside(span: tuple[int, int], others: Iterable[tuple[int, int]]) -> bool:
    """Whether a phrase is a part of a longer one ("heart" in "heart rate"), which then speaks for it."""
    return any(start <= span[0] and span[1] <= end and (start, end) != span for start, end in others)
