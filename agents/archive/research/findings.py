"""The parts of a sentence on toxicity: clauses, the organs and species they name, the words for findings."""

import re
from collections.abc import Iterator

from agents.archive.research.context import species_in
from agents.archive.research.vocabulary import Term, terms, wording

CLAUSE_END = re.compile(
    r";|,\s(?=but\b|while\b|whereas\b|although\b)|\.\s|\bbut\b|\bwhereas\b|,\sand\s(?=(?:in|at|no)\s)",
    re.IGNORECASE,
)
IN_ONE_AND = re.compile(
    r"\bin (?:the |an? )?(?:\w+ )?\w+(?P<joint>,? and )(?=(?:the |an? )?[^,;]{3,60}? in )", re.IGNORECASE
)
"""Where an enumeration goes on to the next species: "in the monkey and |the adrenal cortex in the rat"."""
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
MOST_FINDINGS = 4


def clauses(text: str) -> Iterator[tuple[int, str]]:
    """Clauses of a sentence with their places; what stands in brackets belongs to its clause."""
    start = 0
    depth_text = re.sub(r"\([^)]*\)", lambda m: m[0].replace(";", ",").replace(".", " "), text)
    for end in CLAUSE_END.finditer(depth_text):
        yield start, depth_text[start : end.start()]
        start = end.end()
    yield start, depth_text[start:]


def illness(clause: str, organ: re.Match[str]) -> str:
    """Why an organ stands for what is treated, and not for toxicity; "" if it does not."""
    ahead, behind = clause[: organ.start()], clause[organ.end() :]
    if TREATED_OF.search(ahead) or (SICK_WITH.search(ahead) and WAS_TREATED.search(behind)):
        return "it is the illness of the study"
    return ""


def species_named(clause: str, place: int) -> str:
    """The species that a clause names nearest to an organ; "the lung in A and the adrenal in B" is read as
    two parts.
    """
    parts = list(IN_ONE_AND.finditer(clause))
    start = max((part.end() for part in parts if part.end() <= place), default=0)
    end = min((part.start("joint") for part in parts if part.start("joint") > place), default=len(clause))
    if named := species_nearest(clause[start:end], place - start):
        return named
    return species_nearest(clause, place)


def species_nearest(clause: str, place: int) -> str:
    """The species named nearest to a place."""
    named = [(abs(at - place), name) for at, name in species_in(clause) if name != "animal"]
    return min(named)[1] if named else ""


def findings_in(clause: str, organ: Term) -> tuple[str, ...]:
    """The words for the toxicity in a clause."""
    vague = {
        "toxicities",
        "serious adverse",
        "severe adverse",
        "adverse reaction",
        "adverse reactions",
        "affected",
        "toxic",
        "toxicity",
        "lesion",
        "lesions",
        "target organ",
        "target organs",
        "concern",
        "concerns",
    }
    found = list(dict.fromkeys(match[0].lower() for match in wording("strongly_toxic").finditer(clause)))
    found = [word for word in found if not belongs_elsewhere(word, organ)]
    exact = [word for word in found if word not in vague]
    return tuple(exact[:MOST_FINDINGS])


def belongs_elsewhere(word: str, organ: Term) -> bool:
    """Whether a finding is one of another organ only ("hepatitis" beside the kidney)."""
    owners = [term.name for term in terms("organs") if term.words.fullmatch(word)]
    return bool(owners) and organ.name not in owners
