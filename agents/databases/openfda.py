"""openFDA: US drug labels, asked and read. `openfda_safety` says what follows."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from pydantic import JsonValue

from agents.databases.database import database
from agents.databases.fields import json_of, list_of, text
from agents.databases.label_documents import LABELS
from agents.databases.ports import WebReply
from agents.databases.sheet import sentence
from agents.errors import ToolFailed
from retrieval.text.sentences import split_sentences

OPENFDA = database("openfda", LABELS)
API = "https://api.fda.gov/drug"
HEADING = re.compile(r"(?:\W*(?:BOXED\s+)?WARNINGS?\s*:\s*)+")
MARKER = re.compile(r"\s*\([A-Z]\)\s*|:|[(\[]\s*SEE\b")
"""What parts a heading: letters ("(A) BLEEDING (B) STROKE"), a colon ("TOXICITIES: HEPATIC"), "(SEE"."""
RISK_OF = re.compile(r"^(?:(?:potential|increased) )*risks? (?:of|for) ", re.IGNORECASE)
"""What stands before the name of a risk."""
NO_RISK = re.compile(
    r"(?:see )?(?:warnings?|precautions|information for patients|(?:pediatric|geriatric) use"
    r"|clinical worsening|behaviou?rs?)"
    r"|(?:(?:fatal|severe|serious|life-threatening|toxicit\w+|adverse|reactions?|events?|effects?) ?)+|for .*"
)
"""A part of a heading that names no risk ("FATAL AND SERIOUS TOXICITIES", "FOR HOSPITAL USE ONLY")."""
REASSURES = re.compile(
    r"\blow incidence\b|\brisk\b.{0,80}\bis low\b|\bunlikely\b|\bnot been (?:established|shown)\b",
    re.IGNORECASE,
)
"""What a sentence has that tells of no harm."""
AT_RISK = re.compile(
    r"\s+in\s+(?:\w+\s+){0,3}(?:patients|people|persons|adults|children|infants|women|men)\b[^;,]*",
    re.IGNORECASE,
)
"""Whom a heading names as at risk ("HEART FAILURE IN PATIENTS WITH …"), which is no reaction."""
ORGAN = re.compile(r"\w+(?:ic|al|ar)")
"""An organ alone, as in "TOXICITIES: HEPATIC"."""
BOXED, WARNS, COMMON_REACTION = "boxed warning", "label warning", "common adverse reaction"
COMBINED, COURSE = "label warning on a combination", "course of a warned effect"
CONTRAINDICATIONS, BARRED = "contraindications", "contraindication"
"""What a fact of a label measures. One on a combination with another medicine is no effect of the target."""
GOES = re.compile(
    r"\b(?:ir)?reversib(?:le|ility)\b(?! [a-z]*enceph| poster| seques| decrease)"
    r"|\b(?:resolve[ds]?|recover(?:ed|s|y)?|improve[ds]?|returned to (?:baseline|normal))\b.{0,60}"
    r"\b(?:discontinu|interrupt|stopp|withdraw|reduction)"
)
"""How a sentence tells whether an effect goes away."""
REPORT_IT = "To report SUSPECTED"
JOINING = frozenset(("after", "and", "by", "during", "for", "from", "in", "of", "or", "the", "to", "with"))
"""Words in small letters that a heading in capitals may have."""
HEADING_WORDS = 40
FIRST_WORDS = frozenset(
    ("based", "doses", "following", "patients", "prescribing", "since", "treatment", "use")
)
"""Words with which the first sentence of a section begins, and no heading ends."""
DISCUSSED = re.compile(
    r"(?P<term>[A-Z][A-Za-z0-9 ,/'()–-]{2,90}?)\s*"
    r"[\[(]\s*see\s*Warnings\s+and\s+Precautions\s*\(?\s*(?P<place>5(?:\.\d+)?)",
    re.IGNORECASE,
)
"""How a label names the adverse reactions that it discusses elsewhere."""
SECTION = re.compile(r"(?<![(,] )(?<![\d.(,])\b5\.(\d{1,2})\s+(?=[A-Z])")
"""The number of a section of the warnings and precautions, before its heading."""
NO_HAZARD = re.compile(
    r"^(?:not|use|lack|need|effects? (?:on ability|of)|decreased efficacy|patients|women|acute PE|avoid\w*"
    r"|(?:(?:renal|hepatic|or|and) )+impairment|alcohol$|acute attacks$|other .*|general$"
    r"|con(?:comitant|current))"
    r"|\b(?:same active|interact|interchang|macrovascular|laborator|monitoring"
    r"|factors affecting|preparation|contaminat|immuniz|vaccin|switching|counsel|lens"
    r"|imag|visualiz|radiation|resistant bacteria|REMS|use only|facial|albumin)"
    r"|^(?:geriatric|pediatric|combination with|drugs containing|cigarette|smoking|withdrawal of [A-Z]"
    r"|coexist|pre-?exist|controlled|end-stage|transferring|continuation|excessive use|errors )"
    r"|^(?:pregnancy|discontinuation)$|\b(?:use before|management|intake|aerosoliz|overestimat)"
    r"|\bother conditions$|\bwomen$|dehydrogenase deficiency$"
    r"|\b[\w-]*(?:blockers?|inhibitors?|agonists?)(?: withdrawal$| and other\b)",
    re.IGNORECASE,
)
"""Sections of the warnings that name no effect of the drug: how it is used and watched, who has to be
careful, what other drugs or measurements do.
"""
NO_NAME = re.compile(r"\b(?:have|has|been|should|was|were|is|are|however|treated)\b|\.", re.IGNORECASE)
"""What a sentence has, and no name of a risk."""
TOGETHER = re.compile(r"\b(?:when|if) .{0,60}\b(?:in combination|together) with\b", re.IGNORECASE)
ALONE = re.compile(r"\bsingle agent or\b|\bsimilar\b|\bmonotherapy\b", re.IGNORECASE)
"""Words by which a warning on a combination is one on the drug alone too."""
COMMON = re.compile(
    r"^(?!.*\b(?:discontinu|interrupt)).*?\bmost (?:common|frequent)\w*\b.{0,200}?"
    r"(?:adverse (?:reactions?|events?)|side effects).{0,200}?"
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
    r"(?:if|when|in|the|these|this|such|other|several|although|cases|it|they|an?|no|very|similar|severe cases"
    r"|however|careful|because|drug interactions|concomitant)\b|(?:injury|fatalities)$",
    re.IGNORECASE,
)
OTHERS = re.compile(r"\b(?:with|of|by) other\b|\bconcurrent|\bconcomitant|\bcombin", re.IGNORECASE)
"""What other drugs did, or the drug with another one."""
HARM = re.compile(r"\b(?:risks?|caus\w+|fatal\w*|deaths?|mortality|injury|suicid\w+)\b", re.IGNORECASE)
LONGEST_TOLD = 200
"""Characters of a sentence that is told whole; a longer one is not told."""
HEADED = re.compile(
    r"^.{0,60}?\b(?i:(\w{4,}(?: \w+){0,5}):? (?=\1\b))"
    r"|^(?:(?:[A-Z][\w/-]*,?|and|of|the|in|or) )+(?=[A-Z][a-z]+ (?:tablets,? )?(?:USP )?(?:can|may) cause)"
)
"""A heading before the sentence that repeats its last words, or that begins with a drug's name."""
LONGEST = 1500
"""Characters of a sentence that is read as a list."""
IN_LIST = re.compile(r"[,;](?:\s*(?:and|or)\b)?")
NO_TERM = re.compile(
    r"^(?:of|with|in|than|at)\b|\d|\b(?:patients?|subjects|placebo|respectively|treated|trials?)\b", re.I
)
"""Scraps of a sentence on how often something was seen."""


@dataclass(frozen=True, slots=True)
class Warned:
    """Something that a label says: the term, and the verbatim text that says it. `together`: it is said of
    the drug in combination with another one only. `course`: a verbatim sentence on whether it goes away.
    """

    term: str
    verbatim: str
    together: bool = False
    course: str = ""


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
    return list_of(value, OPENFDA.title, "results")


def boxed_in(written: str) -> tuple[Warned, ...]:
    """The terms in the heading of a boxed warning; where it has none, its first sentence that says what was
    reported or may occur, else its first one on harm.
    """
    if not written.strip():
        return ()
    if not (heading := _heading(written)):
        harm = [one for one in split_sentences(written) if not REASSURES.search(one)]
        stated = next(filter(HARM.search, harm), "".join(harm[:1]))
        first = next(filter(REPORTED.search, harm), stated)
        return (Warned(first, first),) if first else ()
    written = RISK_OF.sub("", AT_RISK.sub(",", MARKER.sub(", ", heading)).lower())
    parts = (RISK_OF.sub("", re.sub(r"\s*\(\w*$", "", part)).strip(" ()[]") for part in listed(written))
    toxic = " toxicity" * ("toxicit" in written)
    parts = (f"{part}{toxic}" if ORGAN.fullmatch(part) else part for part in parts)
    terms = dict.fromkeys(part for part in parts if part and not NO_RISK.fullmatch(part))
    return tuple(Warned(term, f"WARNING: {heading}") for term in terms)


def _heading(written: str) -> str:
    """What stands in capitals after "WARNING:"; "" where nothing does."""
    begin = HEADING.search(written)
    words: list[str] = []
    every = written[begin.end() :].split(maxsplit=HEADING_WORDS)[:HEADING_WORDS] if begin else []
    for place, word in enumerate(every):
        pair = every[place : place + 2]
        again = words[:2] == pair != ["RISK", "OF"] or word.rstrip(":") in ("WARNING", "WARNINGS", "EXCERPT")
        if again or not (word.isupper() or word in JOINING):
            break
        words.append(word)
    while words and (words[-1] in JOINING or len(words[-1]) == 1):
        words.pop()
    return " ".join(words)


def warned_in(reactions: str, warnings: str) -> tuple[Warned, ...]:
    """What a label warns of in its numbered sections, in their order: each by the name under which the
    adverse reactions refer to it, else by its heading.
    """
    headed = _sections(warnings)
    told: dict[str, Warned] = {}
    for found in DISCUSSED.finditer(reactions):
        term = re.split(r"[:;•*]|\b(?:labeling|label|sections?)\b", found["term"])[-1].strip(" ,-–")
        place = found["place"]
        said = f"{term} [see Warnings and Precautions ({place})]"
        if 3 <= len(term) <= 80 and not NO_NAME.search(term):
            told.setdefault(place, replace(headed.get(place, Warned("", "")), term=term, verbatim=said))
    kept = {**headed, **told}
    named = [
        replace(kept[place], term=RISK_OF.sub("", kept[place].term))
        for place in sorted(kept, key=lambda place: int(place.partition(".")[2] or 0))
    ]
    terms = {one.term.casefold(): one for one in reversed(named) if not NO_HAZARD.search(one.term)}
    return tuple(one for term, one in reversed(terms.items()) if not NO_RISK.fullmatch(term))


def _sections(warnings: str) -> dict[str, Warned]:
    """The numbered sections of the warnings; a heading ends before the first word of its first sentence."""
    parts = SECTION.split(warnings)[1:]
    found: dict[str, Warned] = {}
    for number, written in zip(parts[::2], parts[1::2], strict=True):
        heading = _heading_of(written.split()[:HEADING_WORDS])
        if 3 <= len(heading) <= 80 and not NO_NAME.search(heading):
            said = split_sentences(written)
            together = bool(TOGETHER.search(said[0]) and not ALONE.search(written))
            course = (one.strip() for one in said[1:] if GOES.search(one) and len(one) <= LONGEST_TOLD)
            warned = Warned(heading, f"5.{number} {heading}", together, next(course, ""))
            found.setdefault(f"5.{number}", warned)
    return found


def _heading_of(every: Sequence[str]) -> str:
    """What of the first words of a section is its heading; names in capitals begin the first sentence."""
    words = list(takewhile(lambda word: word[0].isupper() or word in JOINING, every))
    runs_on = every[len(words) : len(words) + 1]
    while words and words[-1].islower():
        words.pop()
    if runs_on and runs_on[0][0].islower():
        words = words[:-1]
    while words and (words[-1].casefold() in JOINING | FIRST_WORDS or (words[-1].isupper() and words[1:])):
        words.pop()
    return " ".join(words).strip(" ,:")


def reported_in(warnings: str) -> tuple[Warned, ...]:
    """The short sentences in the warnings of a label that say what has been reported or may occur, whole; a
    heading that a sentence repeats is passed over.
    """
    told: dict[str, Warned] = {}
    for said in split_sentences(warnings):
        whole = HEADED.sub("", said.strip())
        if len(whole) <= LONGEST_TOLD and (found := REPORTED.search(whole)) is not None:
            term = found["term"] or found["caused"]
            told_of_it = not (OTHERS.search(whole) or REASSURES.search(whole))
            if told_of_it and not (NO_EFFECT.match(term) or NO_HAZARD.search(term)):
                told.setdefault(whole.casefold(), Warned(whole, whole))
    return tuple(told.values())


def contraindicated_in(written: str) -> tuple[str, ...]:
    """Who shall not have a drug, in the words of a label without heading and places; none if it says so."""
    plain = re.sub(r"^[\d.\W]*CONTRAINDICATIONS\b\W*|\s*\[[^\]]*\]|\s*\([\d\s.,]+\)", "", written)
    plain = " ".join(plain.split())
    return () if re.fullmatch(r"(?:none(?: known)?)?\W*", plain, re.IGNORECASE) else (plain,)


def common_in(reactions: str) -> tuple[Warned, ...]:
    """The adverse reactions that a label calls the most common ones."""
    for said in split_sentences(reactions):
        if len(said) <= LONGEST and (found := COMMON.search(said)) is not None:
            plain = re.sub(
                r"\([^)]*\)|\[[^]]*\]|EXCERPT.*|\bincluding\b", "", found["terms"].split(REPORT_IT)[0]
            )
            terms = (
                term
                for term in (one.strip(" .:") for one in IN_LIST.split(plain))
                if 2 < len(term) <= 60 and not NO_TERM.search(term) and not (term.isupper() and len(term) > 4)
            )
            return tuple(Warned(term, said.strip()) for term in terms)
    return ()


def listed(written: str) -> tuple[str, ...]:
    """The parts of a list in a sentence ("rash, fatigue, and nausea")."""
    parts = re.split(r"[,;]|\band\b|\bor\b", written)
    return tuple(dict.fromkeys(part.strip(" .:") for part in parts if len(part.strip(" .:")) > 2))
