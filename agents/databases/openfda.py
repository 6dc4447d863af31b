"""openFDA: US drug labels, asked and read. `openfda_safety` says what follows."""

import re
from dataclasses import dataclass

from pydantic import JsonValue

from agents.databases.database import Database
from agents.databases.drugs import Drug, plain_name
from agents.databases.fields import items, json_of, text, texts
from agents.databases.label_documents import LABELS
from agents.databases.ports import WebReply, WebRequest
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
ASKED = 5
HEADING = re.compile(r"\W*(?:BOXED\s+)?WARNINGS?\s*:\s*")
JOINING = frozenset(("and", "or", "of", "in", "with", "the", "to", "for"))
"""Words in small letters that a heading in capitals may have."""
HEADING_WORDS = 40
DISCUSSED = re.compile(
    r"(?P<term>[A-Z][A-Za-z0-9 ,/'()–-]{2,90}?)\s*"
    r"[\[(]\s*see\s+Warnings\s+and\s+Precautions\s*\(?\s*(?P<place>5(?:\.\d+)?)",
    re.IGNORECASE,
)
"""How a label names the adverse reactions that it discusses elsewhere."""
COMMON = re.compile(
    r"\bmost (?:common|frequent)\w*\b.{0,200}?(?:adverse (?:reactions?|events?)|side effects).{0,200}?"
    r"(?:\b(?:are|were|is|was|includ(?:e|es|ed|ing))\b|:)\s*(?P<terms>.+)",
    re.IGNORECASE,
)
LONGEST = 1500
"""Characters of a sentence that is read as a list."""


@dataclass(frozen=True, slots=True)
class Warned:
    """Something that a label says: the term, and the verbatim text that says it."""

    term: str
    verbatim: str


@dataclass(frozen=True, slots=True)
class Label:
    """What the label of a drug says. `effective` is the day of its text (ISO 8601), "" if it has none."""

    set_id: str
    brand: str
    effective: str
    boxed: tuple[Warned, ...]
    discussed: tuple[Warned, ...]
    common: tuple[Warned, ...]


def phrase(text: str) -> str:
    """A text as one phrase of a search: whatever it holds is looked for, and none of it is a command."""
    plain = " ".join(text.split()).replace("\\", r"\\").replace('"', r"\"")
    return f'"{plain}"'


def label_request(drug: Drug) -> WebRequest:
    """Asks for labels of a drug by its generic name, the newest first."""
    search = f"openfda.generic_name:{_name(drug)}"
    params = (("search", search), ("sort", "effective_time:desc"), ("limit", str(ASKED)))
    return WebRequest(OPENFDA.name, f"{API}/label.json", params)


def parse_label(reply: WebReply, drug: Drug) -> Label | None:
    """The newest label of the drug alone, not of a combination; None where there is none.

    Raises `ToolFailed` for labels of other drugs only, or a reply of another form.
    """
    rows = results(reply)
    named = [row for row in rows if texts(row, "openfda", "generic_name")]
    wanted = plain_name(drug.name).casefold()
    for row in named:
        names = texts(row, "openfda", "generic_name")
        if len(names) == 1 and plain_name(names[0]).casefold() == wanted:
            return _label(row)
    if named and not any(
        wanted in " ".join(texts(row, "openfda", "generic_name")).casefold() for row in named
    ):
        other = texts(named[0], "openfda", "generic_name")[0]
        raise ToolFailed(f"{OPENFDA.title} replied with {other} where {drug.name} was asked for; not used.")
    return None


def updated(reply: WebReply) -> str:
    """The day of the data, as a reply states it, or ""."""
    return text(json_of(reply, OPENFDA.title), "meta", "last_updated")


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


def _label(row: JsonValue) -> Label:
    effective = text(row, "effective_time")
    day = f"{effective[:4]}-{effective[4:6]}-{effective[6:8]}" if re.fullmatch(r"\d{8}", effective) else ""
    reactions = " ".join(texts(row, "adverse_reactions"))
    return Label(
        text(row, "set_id"),
        next(iter(texts(row, "openfda", "brand_name")), ""),
        day,
        boxed_in(" ".join(texts(row, "boxed_warning"))),
        discussed_in(reactions),
        common_in(reactions),
    )


def boxed_in(written: str) -> tuple[Warned, ...]:
    """The terms in the heading of a boxed warning; the first sentence where it has no heading."""
    if not written.strip():
        return ()
    if not (heading := _heading(written)):
        return (Warned("", split_sentences(written)[0][:400]),)
    terms = listed(heading.lower())
    return tuple(Warned(term, f"WARNING: {heading}") for term in terms)


def _heading(written: str) -> str:
    """What stands in capitals after "WARNING:"; "" where nothing does."""
    begin = HEADING.match(written)
    words: list[str] = []
    for word in written[begin.end() :].split(maxsplit=HEADING_WORDS)[:HEADING_WORDS] if begin else ():
        if not (word.isupper() or word in JOINING):
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


def common_in(reactions: str) -> tuple[Warned, ...]:
    """The adverse reactions that a label calls the most common ones."""
    for said in split_sentences(reactions):
        if len(said) <= LONGEST and (found := COMMON.search(said)) is not None:
            terms = listed(re.sub(r"\([^)]*\)", "", found["terms"]))
            return tuple(Warned(term, said.strip()) for term in terms if len(term) <= 60)
    return ()


def listed(written: str) -> tuple[str, ...]:
    """The parts of a list in a sentence ("rash, fatigue, and nausea")."""
    parts = re.split(r"[,;]|\band\b|\bor\b", written)
    return tuple(dict.fromkeys(part.strip(" .:") for part in parts if len(part.strip(" .:")) > 2))


def _name(drug: Drug) -> str:
    return phrase(plain_name(drug.name).lower())
