"""The words of a text for toxicity and adverse events."""

import re

from agents.archive.research.vocabulary import Term, terms, wording
from agents.text.numbers import COUNTING_WORDS

HAD = re.compile(
    rf"\b(?:\d+|{COUNTING_WORDS}|all|both)\b(?:\s\w+){{0,4}}?\s"
    r"(?:patients?|subjects?|participants?|volunteers?)\b(?:[^.;]|\.\d){0,40}\s"
    r"(?:had|developed|suffered|experienced)\b",
    re.IGNORECASE,
)
"""A sentence that counts the people who had an event; eligibility ("patients who had") counts none."""
COUNTED = re.compile(r"\b(?P<n>\d+)\s?(?:/|of|out of)\s?(?:the |all )?\d+\b")
IN_NONE = re.compile(
    r"\b(?:in|of|by|was|were|seen|found)\s(?:none of (?!the controls?|the vehicle)|no (?:\w+ ){0,2}"
    r"(?:animals?|males?|females?|dogs?|rats?|monkeys?|mice|rabbits?|patients?|subjects?|volunteers?|wom[ae]n|m[ae]n)\b)",
    re.IGNORECASE,
)
DENIED = re.compile(
    r"\b(?:no|without|neither|nor|absence of|free of)\s"
    r"(?:(?:evidence|signs?|indications?|cases?|incidence) of\s)?"
    r"(?:(?!of\b|in\b|from\b|on\b|at\b|and\b|but\b)[\w-]+\s){0,4}$"
    r"|(?<!\bif )\b(?:not|never)\s(?:(?:considered|found|shown|judged|thought)\s(?:to be\s)?)?$"
    r"|\b(?:did|does|do|has|have|had) (?:not|never) (?:caused?|induced?|produced?|show(?:ed|n)?"
    r"|exhibit(?:ed)?|lead to|led to|result(?:ed)? in) (?:(?:any|signs?|evidence|an?|of) )*(?:\w+ )?$",
    re.IGNORECASE,
)
VAGUE = re.compile(
    r"toxic(?:ity|ities)?|(?:serious|severe) adverse|adverse reactions?|affected|lesions?|target organs?|"
    r"concerns?|decreases? (?:in|of)"
)
"""Words for toxicity that name no finding."""
MOST_FINDINGS = 4


def nobody_had(clause: str) -> bool:
    """Whether a clause counts nobody ("0 of 8", "in none of the dogs"), or denies all findings it names."""
    counts = [int(found["n"]) for found in COUNTED.finditer(clause)]
    if counts:
        return not any(counts)
    if IN_NONE.search(clause):
        return True
    named = list(wording("strongly_toxic").finditer(clause))
    return bool(named) and all(DENIED.search(clause[: found.start()]) for found in named)


def findings_in(clause: str, organ: Term) -> tuple[str, ...]:
    """The words for the toxicity in a clause."""
    found = dict.fromkeys(match[0].lower() for match in wording("strongly_toxic").finditer(clause))
    exact = [word for word in found if not VAGUE.fullmatch(word) and not belongs_elsewhere(word, organ)]
    return tuple(exact[:MOST_FINDINGS])


def belongs_elsewhere(word: str, organ: Term) -> bool:
    """Whether a finding is one of another organ only ("hepatitis" beside the kidney)."""
    owners = [term.name for term in terms("organs") if term.words.fullmatch(word)]
    return bool(owners) and organ.name not in owners
