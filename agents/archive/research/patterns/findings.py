"""The words of a text for toxicity and adverse events."""

import re

from agents.archive.research.vocabulary import Term, any_term, terms, wording
from agents.text.numbers import COUNTING_WORDS

HAD = re.compile(
    rf"\b(?:\d+|{COUNTING_WORDS}|all|both)\b(?:\s\w+){{0,4}}?\s"
    r"(?:patients?|subjects?|participants?|volunteers?)\b(?:[^.;]|\.\d){0,40}\s"
    r"(?:had|developed|suffered|experienced)\b",
    re.IGNORECASE,
)
"""A sentence that counts the people who had an event; eligibility ("patients who had") counts none."""
SICK_WITH = re.compile(
    r"\b(?:patients?|subjects?|men|women|adults|children|outpatients?|participants?) "
    r"(?:\w+ ){0,2}with\b[^.;]{0,60}$",
    re.IGNORECASE,
)
WAS_TREATED = re.compile(
    r"\b(?:(?:was|were) (?:\w+ )?(?:treated|randomi[sz]ed|enrol+ed|included|studied|given|"
    r"allocated|recruited)|received|took|entered)\b",
    re.IGNORECASE,
)
TREATED_OF = re.compile(
    r"\b(?:healing|treatment|therapy|relief|prevention|prophylaxis|cure|history|diagnosis|"
    r"indication) (?:of|for|in)\b"
    r"[^.;,]{0,40}$",
    re.IGNORECASE,
)
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
NOT_IN = re.compile(
    r"\b(?:no(?: (?!recover|revers|because)[\w-]+){1,3}|not|neither) in (?P<list>[^.;]*)$", re.IGNORECASE
)
BETWEEN = re.compile(r"(?:\W|\b(?:the|or|and|nor|in)\b)*", re.IGNORECASE)
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


def is_denied(clause: str, organ: re.Match[str]) -> bool:
    """Whether an organ stands in a list behind "no … in": "no correlate in bone marrow or spleen"."""
    found = NOT_IN.search(clause[: organ.start()])
    return found is not None and BETWEEN.fullmatch(any_term("organs").sub("", found["list"])) is not None


def is_illness(clause: str, organ: re.Match[str]) -> bool:
    """Whether an organ stands for the illness that is treated, and not for toxicity."""
    ahead, behind = clause[: organ.start()], clause[organ.end() :]
    return bool(TREATED_OF.search(ahead) or (SICK_WITH.search(ahead) and WAS_TREATED.search(behind)))


def findings_in(clause: str, organ: Term) -> tuple[str, ...]:
    """The words for the toxicity in a clause."""
    found = dict.fromkeys(match[0].lower() for match in wording("strongly_toxic").finditer(clause))
    exact = [word for word in found if not VAGUE.fullmatch(word) and not belongs_elsewhere(word, organ)]
    return tuple(exact[:MOST_FINDINGS])


def belongs_elsewhere(word: str, organ: Term) -> bool:
    """Whether a finding is one of another organ only ("hepatitis" beside the kidney)."""
    owners = [term.name for term in terms("organs") if term.words.fullmatch(word)]
    return bool(owners) and organ.name not in owners
