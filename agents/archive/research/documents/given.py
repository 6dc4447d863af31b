"""Whether a dose that a sentence names was given at all, and given as a dose level.

A dose may stand in a report although nobody got it: it was predicted, suggested or considered, its group was
never opened, or a step to it was refused. And somebody may have got it by mistake.
"""

import re

from agents.archive.research.documents.lines import Line, before
from agents.archive.research.patterns.amounts import dose_quantities
from agents.archive.research.patterns.clauses import clause_span
from agents.archive.research.vocabulary import any_of, wording

_PEOPLE = r"(?:patient|subject|participant|volunteer|person|individual|m[ae]n|wom[ae]n|people|one)s?"
_NOBODY = rf"(?:nobody|no-?\s?one|none|no (?:\w+ ){{0,2}}?{_PEOPLE})"
_DONE = (
    r"(?:given|administered|received|dosed|treated|tested|used|reached|opened|open|started|start|begun|began"
    r"|begin|filled|recruited|recruit|enrol+ed|enrol+|entered|carried out|performed|approved|permitted"
    r"|authori[sz]ed|take place|took place)"
)
DENIED = re.compile(
    rf"\b(?:not|never)\s(?:(?:yet|ever|actually|been|be|finally)\s)*{_DONE}\b"
    rf"|\b{_NOBODY}\s(?:(?:ever|has|have|had)\s)*(?:received|took|got|entered|reached|joined)\b"
    rf"|\b{_NOBODY}\s(?:(?:ever|has|have|had|yet)\s)*(?:was|were|been)\s(?:(?:ever|been|yet)\s)*{_DONE}\b"
    rf"|\b(?:before|prior to) (?:any|the first) (?:\w+ )?{_PEOPLE}\b[^;,]*"
    r"|\bwithout (?:ever |any )*(?:recruit\w*|enrol\w*)"
    r"|\b(?:was|were|been) (?:skipped|omitted|left out|struck out|cancel+ed)\b(?! (?:by|in|for|on)\b)"
    r"|\b(?:vetoed|rejected|turned down|decided against|failed to (?:open|start|recruit|enrol+))\b"
    r"|\b(?:remained|stayed|(?:was|were) still) (?:empty|closed|unfilled|unopened)\b",
    re.IGNORECASE,
)
"""What says that something foreseen did not happen."""
REFERS_BACK = re.compile(
    r"^\W*(?:however,? |but |yet |in the end,? |finally,? )?(?:nobody|no-?\s?one|none|no|it|they|this|these"
    r"|that|the|recruitment|enrol\w+)\b",
    re.IGNORECASE,
)
"""The beginning of a sentence that may go on about the dose before it."""
GIVEN = any_of(
    [
        "(?<!have )received",
        "took",
        "got",
        "swallowed",
        r"(?:was|were|been) (?:\w+ )?(?:given|administered|dosed|treated)",
    ]
)
CHANGED = re.compile(
    r"\b(?:lowered|reduced|raised|increased|changed|amended)\b[^.;,]{0,30}\bto\s*\Z", re.IGNORECASE
)
"""What makes of a dose the one that was then given: "lowered to 5 mg before the first subject was dosed"."""
BREAK = re.compile(r"[,;]|\b(?:because|due|owing|since|after|than|and|but)\b", re.IGNORECASE)
"""What ends that which a denial before a dose denies."""
LINKED = re.compile(r"\s*(?:(?:,|and|or|to|-)\s*)+", re.IGNORECASE)
AIMED = any_of(
    [
        r"aim(?:s|ed|ing)? (?:at|for|to)",
        r"(?:target(?:ed)?|intended) (?:(?:for|human|clinical|daily|single|therapeutic) )*dos(?:e|es|age)",
        r"(?:designed|meant|intended|developed|so as) to deliver",
    ]
)
REACH = 60
"""Characters within which what is said of a dose begins behind it."""


def thought_of(text: str, place: int) -> bool:
    """Whether a sentence only predicts, foresees or considers what stands at a place: ahead of it in its
    clause, or right behind it.
    """
    start, end = clause_span(text, place)
    ahead, behind = text[start:place], text[place : min(end, place + REACH)]
    thoughts = (wording("modelled"), wording("considered"), wording("foreseen"))
    thought = any(words.search(ahead) for words in thoughts) and not GIVEN.search(ahead)
    return thought or wording("foreseen").search(behind) is not None


def aimed_at(text: str, place: int) -> bool:
    """Whether a sentence tells the dose for which something is made, as a memo on a formulation does."""
    ahead = text[clause_span(text, place)[0] : place]
    return AIMED.search(ahead) is not None


def denied(lines: tuple[Line, ...], line: Line, place: int) -> bool:
    """Whether the sentence, or what goes on about its last dose behind it, says that a dose was not given."""
    if denied_in(line.text, place):
        return True
    end = clause_span(line.text, place)[1]
    behind = line.text[end:]
    if not behind.strip(". ") and line.number + 1 < len(lines):
        following = lines[line.number + 1]
        goes_on = (
            not following.row and line in before(lines, following, 1) and REFERS_BACK.match(following.text)
        )
        behind = following.text if goes_on else ""
    last = max((dose.start for dose in dose_quantities(line.text[:end])), default=0)
    return place >= last and DENIED.search(behind) is not None and not any(dose_quantities(behind))


def denied_in(text: str, place: int) -> bool:
    """Whether the clause of a dose says that it was not given: no verb of giving is nearer to the dose, or to
    the list that it is a member of.
    """
    start, end = clause_span(text, place)
    found = DENIED.search(text, start, end)
    if found is None or CHANGED.search(text[start:place]):
        return False
    for dose in reversed([one for one in dose_quantities(text) if start <= one.start < place]):
        if not LINKED.fullmatch(text[dose.end : place]):
            start = dose.end
            break
        place = dose.start
    if BREAK.search(text, found.end(), max(place, found.end())):
        return False
    said = text[start : max(place, found.start())].replace(found[0], "")
    return GIVEN.search(said) is None


def says_dosed(text: str) -> bool:
    """Whether a sentence says that somebody got something, and denies nothing."""
    return GIVEN.search(text) is not None and not DENIED.search(text)


def by_mistake(line: Line, place: int) -> bool:
    """Whether a dose was an overdose or a slip, and no dose level of a study."""
    start, end = clause_span(line.text, place)
    return wording("by_mistake").search(line.text[start:end]) is not None
