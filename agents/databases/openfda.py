"""openFDA: US drug labels, asked and read. `openfda_safety` says what follows."""

import re
from dataclasses import dataclass

from pydantic import JsonValue

from agents.databases.database import Database
from agents.databases.fields import items, json_of, text
from agents.databases.label_documents import LABELS
from agents.databases.ports import WebReply
from agents.databases.sheet import sentence
from agents.errors import ToolFailed
from retrieval.text.sentences import split_sentences

OPENFDA = Database(
    name="openfda",
    title="openFDA",
    tells="boxed warnings, warnings and common adverse reactions of labels",
    licence="US government open data",
    page="https://open.fda.gov/",
    calls=3,
    formats=(LABELS,),
)
API = "https://api.fda.gov/drug"
HEADING = re.compile(r"(?:\W*(?:BOXED\s+)?WARNINGS?\s*:\s*)+")
MARKER = re.compile(r"\s*\([A-Z]\)\s*")
"""The letter of a part of a heading: "(A) BLEEDING (B) STROKE"."""
REPORT_IT = "To report SUSPECTED"
JOINING = frozenset(("and", "or", "of", "in", "with", "the", "to", "for"))
"""Words in small letters that a heading in capitals may have."""
HEADING_WORDS = 40
DISCUSSED = re.compile(
    r"(?P<term>[A-Z][A-Za-z0-9 ,/'()–-]{2,90}?)\s*"
    r"[\[(]\s*see\s*Warnings\s+and\s+Precautions\s*\(?\s*(?P<place>5(?:\.\d+)?)",
    re.IGNORECASE,
)
"""How a label names the adverse reactions that it discusses elsewhere."""
COMMON = re.compile(
    r"\bmost (?:common|frequent)\w*\b.{0,200}?(?:adverse (?:reactions?|events?)|side effects).{0,200}?"
    r"(?:\b(?:are|were|is|was|includ(?:e|es|ed|ing))\b|:)\s*(?P<terms>.+)",
    re.IGNORECASE,
)
REPORTED = re.compile(
    r"\b(?:can|may)\s+cause\s+(?P<caused>[a-z][^.;:()]{3,80}?)(?=[.;:(]|,?\s(?:which|that|when|if|in)\b)"
    r"|(?P<term>[A-Z](?:(?!\b(?:can|may)\s+cause\b)[^.;:()]){3,100}?),?\s+"
    r"(?:(?:has|have)\s+(?:also\s+)?(?:been\s+reported|occurred)|(?:can|may)\s+occur)\b"
)
"""How older labels warn, without numbers and headings."""
NO_EFFECT = re.compile(
    r"(?:if|when|in|the|these|this|such|other|several|although|cases|it|they)\b", re.IGNORECASE
)
LONGEST = 1500
"""Characters of a sentence that is read as a list."""


@dataclass(frozen=True, slots=True)
class Warned:
    """Something that a label says: the term, and the verbatim text that says it."""

    term: str
    verbatim: str


def phrase(text: str) -> str:
    """A text as one phrase of a search: whatever it holds is looked for, and none of it is a command."""
    plain = " ".join(text.split()).replace("\\", r"\\").replace('"', r"\"")
    return f'"{plain}"'


def results(reply: WebReply) -> list[JsonValue]:
    """The results of a reply; none if nothing was found.

    Raises `ToolFailed` for an error of the service, or a reply of another form.
    """
    value = json_of(reply, OPENFDA.title)
    if code := text(value, "error", "code"):
        if code == "NOT_FOUND":
            return []
        said = sentence(text(value, "error", "message")[:300] or code)
        raise ToolFailed(f"{OPENFDA.title} refused the question: {said}")
    if not isinstance(value, dict) or not isinstance(value.get("results"), list):
        raise ToolFailed(f"{OPENFDA.title} replied without results: its form has changed ({reply.url}).")
    return items(value, "results")


def boxed_in(written: str) -> tuple[Warned, ...]:
    """The terms in the heading of a boxed warning; the first sentence where it has no heading."""
    if not written.strip():
        return ()
    if not (heading := _heading(written)):
        return (Warned("", split_sentences(written)[0][:400]),)
    terms = listed(MARKER.sub(", ", heading).lower())
    return tuple(Warned(term, f"WARNING: {heading}") for term in terms)


def _heading(written: str) -> str:
    """What stands in capitals after "WARNING:"; "" where nothing does."""
    begin = HEADING.search(written)
    words: list[str] = []
    for word in written[begin.end() :].split(maxsplit=HEADING_WORDS)[:HEADING_WORDS] if begin else ():
        again = word.endswith(":") or word == next(iter(words), "")
        if again or not (word.isupper() or word in JOINING):
            break
        words.append(word)
    while words and (words[-1] in JOINING or len(words[-1]) == 1):
        words.pop()
    return " ".join(words)


def discussed_in(reactions: str) -> tuple[Warned, ...]:
    """The adverse reactions that a label discusses under its warnings."""
    seen: dict[str, Warned] = {}
    for found in DISCUSSED.finditer(reactions):
        term = re.split(r"[:;•]|\b(?:labeling|label|sections?)\b", found["term"])[-1].strip(" ,-–")
        if 3 <= len(term) <= 80:
            seen.setdefault(
                term.casefold(), Warned(term, f"{term} [see Warnings and Precautions ({found['place']})]")
            )
    return tuple(seen.values())


def reported_in(warnings: str) -> tuple[Warned, ...]:
    """What the warnings of a label say has been reported or may occur; a heading before it is passed over."""
    told: dict[str, Warned] = {}
    for found in REPORTED.finditer(warnings):
        words = (found["term"] or found["caused"]).split()
        first = max(place for place, word in enumerate(words) if word.casefold() == words[0].casefold())
        term = " ".join(words[first:])
        if not NO_EFFECT.match(term):
            told.setdefault(term.casefold(), Warned(term, found.group()))
    return tuple(told.values())


def common_in(reactions: str) -> tuple[Warned, ...]:
    """The adverse reactions that a label calls the most common ones."""
    for said in split_sentences(reactions):
        if len(said) <= LONGEST and (found := COMMON.search(said)) is not None:
            terms = listed(re.sub(r"\([^)]*\)", "", found["terms"].split(REPORT_IT)[0]))
            return tuple(Warned(term, said.strip()) for term in terms if len(term) <= 60)
    return ()


def listed(written: str) -> tuple[str, ...]:
    """The parts of a list in a sentence ("rash, fatigue, and nausea")."""
    parts = re.split(r"[,;]|\band\b|\bor\b", written)
    return tuple(dict.fromkeys(part.strip(" .:") for part in parts if len(part.strip(" .:")) > 2))
