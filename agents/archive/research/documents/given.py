"""Whether a dose that a sentence names was given at all, and given as a dose level.

A dose may stand in a report although nobody got it: it was predicted, suggested or considered, its group was
never opened, or a step to it was refused. And somebody may have got it by mistake.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from agents.archive.research.documents.lines import Line, before
from agents.archive.research.patterns.amounts import dose_quantities
from agents.archive.research.patterns.clauses import clause
from agents.archive.research.vocabulary import any_of, wording
from agents.text.quantity import Quantity

_PEOPLE = r"(?:patient|subject|participant|volunteer|person|individual|m[ae]n|wom[ae]n|people|one|body)s?"
_NOBODY = rf"(?:nobody|no-?\s?one|none(?: of \w+(?: \w+)?)?|no (?:(?!{_PEOPLE}\b)\w+ ){{0,2}}{_PEOPLE})"
_DONE_TO = (
    r"(?:given|administered|received|dosed|treated|taken|tested|used|tried|attempted|reached|opened|started|begun"
    r"|initiated|activated|implemented|filled|recruited|enrol+ed|entered|assigned|allocated|randomi[sz]ed|included"
    r"|exposed|run|carried out|conducted|performed|carried through|done|escalated|pursued)"
)
_IT = (
    r"(?:it|them|this|that|these|those|either|(?:the|a|any|this|that) (?:[\w-]+ ){0,3}?"
    r"(?:dose|level|group|arm|cohort|step|stage|part)s?\b|(?:a |the |doses? of )?\d"
    r"|(?:in|at|on|to|into|for|with)\b)"
)
_STOP = (
    r"(?=\s*(?:[.;,:)]|$|to any|in (?:this|the) (?:study|trial)|because|as\b|since|due|owing|in view|by\b"
    r"|at all))"
)
DENIED = re.compile(
    rf"\b(?:not|never)\s(?:(?:yet|ever|actually|been|be|finally)\s)*{_DONE_TO}\b{_STOP}"
    rf"|\bnot (?:approved|permitted|allowed|authori[sz]ed|endorsed|supported) by\b"
    r"|\b(?:never|not) (?:open|start|began|begin|recruit|enrol+|take place|took place|happen|happened"
    r"|go ahead|went ahead|proceed|proceeded|materiali[sz]ed?|c[ao]me about|opened|started)\b"
    rf"|\bwhich (?:in the end )?{_NOBODY}\s"
    rf"|\b{_NOBODY}\s(?:(?:ever|has|have|had)\s)*(?:received|took|got|entered|reached|joined)\s{_IT}"
    rf"|\b{_NOBODY}\s(?:(?:ever|has|have|had|yet)\s)*(?:was|were|been)\s(?:(?:ever|been|yet)\s)*{_DONE_TO}\b"
    rf"(?=\s*(?:[.;,:)]|$|{_IT}))"
    rf"|\b(?:before|prior to) (?:any\s?(?:{_PEOPLE}\b|\w+ {_PEOPLE}\b)|recruit\w+|enrol\w+|opening"
    rf"|the first {_PEOPLE}\b)"
    rf"|\bwithout (?:(?:ever|any|a single) )*(?:recruit\w*|enrol\w*|being|having been|{_PEOPLE}\b)"
    r"|\b(?:was|were|been|is) (?:skipped|left out|struck out|cancel+ed)\b"
    r"(?! (?:by|in|for) (?:an?|one|two|\d))"
    r"|\b(?:ruled out|vetoed|rejected|turned down)\b"
    r"|\b(?:was|were|been) omitted\b(?! (?:in|by|on)\b)"
    r"|\bdecided against\b|\bfailed to (?:open|start|recruit|enrol+)\b"
    r"|\b(?:remained|stayed|(?:was|were)(?: left| still)) (?:empty|closed|unfilled|unused|unopened)\b",
    re.IGNORECASE,
)
"""What says that something foreseen did not happen."""
REFERS_BACK = re.compile(
    r"^\W*(?:however,? |but |yet |in the end,? |finally,? )?(?:(?:nobody|no-?\s?one|none|no \w+)\b"
    r"|(?:it|they|this|these|that|the (?:latter|last|group|arm|cohort|step|level|dose|highest)|recruitment"
    r"|enrol\w+)\b)",
    re.IGNORECASE,
)
"""The beginning of a sentence that goes on about the dose of the sentence before."""
GIVEN = any_of(
    [
        "received",
        "took",
        "got",
        "swallowed",
        r"(?:was|were|been) (?:\w+ )?(?:given|administered|dosed|treated)",
    ]
)
OTHER_VERB = re.compile(
    r"[,;]|\b(?:was|were|had|has|have|is|are|did|does|which|who|caused|showed|led|gave|received)\b",
    re.IGNORECASE,
)
LISTED = re.compile(r"\d[\d.,]*\s?(?:mg|g|µg|mcg)?(?:\s?,|\s(?:and|or|to)\b)\s?")
"""A dose that others follow in a list."""
IN_BRACKETS = re.compile(r"\([^()]*\)")
LINKED = re.compile(r"\s*(?:(?:,|and|or|to|-)\s*)+", re.IGNORECASE)
BREAK = re.compile(
    rf"{OTHER_VERB.pattern}|\b(?:and|but|or|after|on|of those|than|because|whereas|while)\b", re.IGNORECASE
)
"""What ends that which a denial denies."""
SAID_OF = re.compile(r"\s(?:was|were|is|are|had|has|gave|caused|showed|led)\b", re.IGNORECASE)
"""What begins another statement about a dose: "nobody got 80 mg, and 40 mg was the highest dose"."""
NEVER_CAME = re.compile(r"\b(?:would|should|could|might|to) have\b", re.IGNORECASE)
"""What makes of "received" a thing that did not happen."""
OF_AN_EFFECT = re.compile(
    r"\b(?:effects?|risks?|concerns?|hypothes[ie]s|signals?|toxicity|interactions?|prolongation|causality"
    r"|relation(?:ship)?|doubts?|claims?)\b",
    re.IGNORECASE,
)
RULED_OUT = re.compile(r"ruled out|rejected|turned down", re.IGNORECASE)
"""What is said of an effect of a dose as well as of a dose."""
CHANGED = re.compile(
    r"\b(?:lowered|reduced|raised|increased|changed|amended|adapted|corrected|moved|set)\b[^.;,]{0,30}\b(?:to|at)\s*\Z",
    re.IGNORECASE,
)
"""What makes of a dose the one that was then given: "lowered to 5 mg before the first subject was dosed"."""
BEFORE = re.compile(r"before|prior to", re.IGNORECASE)
AIM = re.compile(
    r"[\W\d]*(?:the )?(?:aims?|purpose|goals?|objectives?|targets?|target (?:product )?profile|intended use"
    r"|requirements?)\W*",
    re.IGNORECASE,
)
"""The heading of what something is to become."""
AIMED = any_of(
    [
        r"aim(?:s|ed|ing)? (?:at|for|to)",
        r"(?:the|our|its) aim (?:is|was)",
        r"target(?:ed)? (?:(?:human|clinical|daily|single|therapeutic) )*dos(?:e|es|age)",
        r"intended (?:(?:for|human|clinical|daily|single|therapeutic) )+dos(?:e|es|age)",
        r"(?:designed|meant|needed|required|enough|able|suited|intended|developed) to deliver",
        r"so as to deliver",
    ]
)
REACH = 60
"""Characters within which what is said of a dose begins behind it."""


def thought_of(text: str, place: int) -> bool:
    """Whether a sentence only predicts, foresees or considers what stands at a place.

    A model or a later study governs all that follows in its clause, but for a report of a dosing behind a
    comma. What somebody considers follows at once. What may be is said right before or right behind.
    """
    around = clause(text, place)
    ahead, behind = around[: place - text.find(around)], around[place - text.find(around) :]
    rests = [LISTED.sub("", ahead[found.end() :]) for found in wording("modelled").finditer(ahead)]
    if any("," not in rest or not GIVEN.search(rest) for rest in rests):
        return True
    said = [*wording("considered").finditer(ahead), *wording("foreseen").finditer(ahead)]
    if any("," not in LISTED.sub("", ahead[found.end() :]) for found in said):
        return True
    found_behind = wording("foreseen").search(behind)
    if found_behind is None or found_behind.start() > REACH:
        return False
    return not OTHER_VERB.search(IN_BRACKETS.sub("", behind[: found_behind.start()]))


def aimed_at(text: str, place: int, heading: str) -> bool:
    """Whether a sentence tells the dose for which something is made, as a memo on a formulation does."""
    around = clause(text, place)
    ahead = around[: place - text.find(around)]
    return AIM.fullmatch(heading) is not None or AIMED.search(ahead) is not None


def denied(lines: tuple[Line, ...], line: Line, place: int) -> bool:
    """Whether the sentence, or the next one, says that a dose was not given after all."""
    if any(place in places for places in denied_in(line.text)):
        return True
    following = lines[line.number + 1] if line.number + 1 < len(lines) else None
    if following is None or following.row or line not in before(lines, following, 1):
        return False
    text = following.text
    if not REFERS_BACK.match(text) or next(dose_quantities(text), None) or not DENIED.search(text):
        return False
    named = [dose.start for dose in dose_quantities(line.text)]
    return bool(named) and place >= named[-1]


@lru_cache(maxsize=256)
def denied_in(text: str) -> tuple[frozenset[int], ...]:
    """The places of the doses that each denial of a sentence is about. Kept, because each dose asks for them.

    Those are what it denies ("nobody received 80 mg"), or else the last doses before it, unless the sentence
    says that those were given ("8 men received 80 mg before any patient was dosed").
    """
    return tuple(_denied_in(text))


def _denied_in(text: str) -> Iterator[frozenset[int]]:
    """The places of the doses of each denial."""
    doses = list(dose_quantities(text))
    for found in DENIED.finditer(text):
        denied_next = [
            number
            for number, dose in enumerate(doses)
            if dose.start >= found.start() and not BREAK.search(text[found.end() : dose.start])
        ]
        earlier = [number for number, dose in enumerate(doses) if dose.end <= found.start()]
        if not denied_next and not earlier:
            continue
        number = denied_next[0] if denied_next else earlier[-1]
        if not denied_next and is_of_something_else(text, doses[number], found):
            continue
        first, last = number, number
        while first and LINKED.fullmatch(text[doses[first - 1].end : doses[first].start]):
            first -= 1
        while last + 1 < len(doses) and LINKED.fullmatch(text[doses[last].end : doses[last + 1].start]):
            if denied_next and SAID_OF.match(text, doses[last + 1].end):
                break
            last += 1
        yield frozenset(dose.start for dose in doses[first : last + 1])


def is_of_something_else(text: str, dose: Quantity, denial: re.Match[str]) -> bool:
    """Whether a denial behind a dose is not of the dose: the dose was given, or its effect is ruled out."""
    between = text[dose.end : denial.start()]
    if RULED_OUT.search(denial[0]) and OF_AN_EFFECT.search(clause(text, dose.start)):
        return True
    if BEFORE.match(denial[0]) and CHANGED.search(text[: dose.start]):
        return True
    if GIVEN.search(between):
        return not (NEVER_CAME.search(between) or DENIED.search(between))
    ahead = [one for one in GIVEN.finditer(text, 0, dose.start) if not NEVER_CAME.search(text[: one.start()])]
    return any(not BREAK.search(LISTED.sub("", text[one.end() : dose.start])) for one in ahead)


def says_dosed(text: str) -> bool:
    """Whether a sentence says that somebody got something, and denies nothing."""
    return GIVEN.search(text) is not None and not DENIED.search(text)


def by_mistake(line: Line, place: int) -> bool:
    """Whether a dose was an overdose or a slip, and no dose level of a study."""
    return wording("by_mistake").search(clause(line.text, place)) is not None
