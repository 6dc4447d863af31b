"""The parts of a question that asks for several things, in the order asked and each as it was written.

A part begins where a question begins: a question word with its verb ("and who led", "; how long was"), a verb
before its subject ("and was it"), or a bare question word at the end ("and why?"). "Rats and dogs" and
"between 5 and 10 mg" begin none.
"""

import re

from agents.archive.phrases import AUXILIARY

PLACES = r"(?:by|in|at|on|for|from|to|of|with|after|under|during|since|until)"
PLACED = rf"(?:{PLACES} )?"
BARE = (
    r"(?:(?:by |from |with |to |for )?whom|who|when|where|why|how"
    rf"|{PLACES} (?:how long"
    rf"|(?:which|what|how many)(?: (?!{AUXILIARY}\b)[\w-]+){{1,3}}))"
)
SUBJECT = (
    r"(?:it|they|he|she|there|the|this|that|these|those|its|their|his|her|any|all|an?|some|every|each"
    r"|(?-i:[A-Z])[\w-]*)"
)
DEGREE = (
    rf"how (?:many(?=[^?,;]*\b(?:{AUXILIARY}|took|got|\w+ed)\b)"
    r"|much|long|often|old|high|low|large|big|far|fast|soon|frequently|heavy|severe|well)"
)
ASKED_ANEW = (
    rf"(?:{PLACED}(?:what|which|whose)(?: (?!{AUXILIARY}\b)[\w-]+){{1,4}} (?:{AUXILIARY}|\w+ed)\b"
    rf"|{PLACED}(?:what|whom?|when|where|why|how) {AUXILIARY}\b|{PLACED}{DEGREE}\b"
    rf"|which (?:ones|of (?:them|these|those)) |(?:who|what) (?!{AUXILIARY}\b)\w+\b|{AUXILIARY} {SUBJECT}\b)"
)
INDIRECT = r"(?:who|whom|whose|what|which|when|where|why|how)\b"
LED = re.compile(
    r"^\W*(?:please )?(?:(?:can|could|would) you )?(?:please )?(?:(?:tell|show) (?:me|us)"
    rf"|(?:i|we)(?: would|['’]d)? (?:want|like|need) to know|do you know)[ ,:]+(?={PLACED}{INDIRECT})",
    re.IGNORECASE,
)
"""What may stand before questions in the order of a statement: "tell me who led it and when it was"."""
JOINS = r"\s*(?:[?;](?:\s*(?:and|or|also|then)\b)?|,?\s*\b(?:and|but)(?: also| then)?\b|,(?!\s*\d))[,\s]+"
DIRECT_JOINT = re.compile(
    rf"(?:\?\s+(?=\w)|(?<=in the archive){JOINS}(?=which {AUXILIARY}\b)"
    rf"|{JOINS}(?={ASKED_ANEW})|{JOINS}(?={BARE}\s*(?:[?,;]|and\b|$)))",
    re.IGNORECASE,
)
INDIRECT_JOINT = re.compile(rf"(?:\?\s+(?=\w)|{JOINS}(?={PLACED}{INDIRECT}))", re.IGNORECASE)
SHARED = rf"(?:{AUXILIARY}|took|got|received|completed|died|showed|withdrew|dropped)"
ASKING = rf"{PLACED}(?:whom?|when|where|why|how(?: many| much| long| often)?|which|what)"
THING = rf"(?: (?!{SHARED}\b|and\b)[\w-]+){{0,3}}"
PAIRED = re.compile(
    rf"^\W*(?P<one>{ASKING}{THING})(?:,? and|,| or) (?P<other>{ASKING}{THING})(?P<rest> {SHARED}\b.+)$",
    re.IGNORECASE,
)
"""Two question words with one verb: "when and why was it stopped?", "in which study and at which dose"."""
VERBLESS = re.compile(
    rf"^\W*{PLACED}(?:(?:whom?|when|where|why|how)|(?:which|what|how many|how much)"
    rf"(?: (?!{AUXILIARY}\b)(?![\w-]+ed\b)[\w-]+){{1,3}})\W*$",
    re.IGNORECASE,
)
"""A part that leaves its verb to the next one."""
OPENS = re.compile(rf"^\W*(?:{AUXILIARY}\b|(?:\w+\W+){{0,4}}?{INDIRECT})", re.IGNORECASE)
RELATIVE = re.compile(r"\w (?:who|which|that) ", re.IGNORECASE)
MOST = 5


def parts_of(question: str) -> tuple[str, ...]:
    """The parts in the order asked; the question alone where it has one. "How old were they and who led it?"
    has two.
    """
    led = LED.match(question)
    asked = question[led.end() :] if led else question
    parts = [part.strip(" ?;,.") for part in _cut(asked, INDIRECT_JOINT if led else DIRECT_JOINT)]
    whole = [one for part in parts if part for one in _paired(part)]
    if not 2 <= len(whole) <= MOST or not OPENS.match(whole[0]):
        return (question,)
    return tuple(f"{part}?" for part in whole)


def _cut(asked: str, joint: re.Pattern[str]) -> list[str]:
    """The question between its joints.

    A relative clause that goes on is no new part; words without a verb or a question stay with what follows.
    """
    parts, start = list[str](), 0
    for found in joint.finditer(asked):
        before, behind = asked[start : found.start()], asked[found.end() :]
        goes_on = re.match(r"(?:who|which) ", behind, re.IGNORECASE) and RELATIVE.search(before)
        incomplete = not parts and (VERBLESS.match(before) or not OPENS.match(before))
        if (goes_on or incomplete) and "?" not in found[0]:
            continue
        parts.append(before)
        start = found.end()
    return [*parts, asked[start:]]


def _paired(part: str) -> list[str]:
    """A part with two question words, as two."""
    found = PAIRED.match(part)
    return [f"{found['one']}{found['rest']}", f"{found['other']}{found['rest']}"] if found else [part]
