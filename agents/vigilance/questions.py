"""How people word a question on drugs and outcomes: "Do statins prevent stroke?", "tell me whether …".

A form is a pattern that names the drugs and the outcomes. In some forms the outcome is what a verb does to
something: "lower blood pressure" is a low blood pressure, "harm the liver" is a liver damage.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agents.vigilance.outcomes import is_known, plain

_LEAD = re.compile(
    r"^(?:please\s+)?(?:(?:can|could|would|will) you\s+)?(?:please\s+)?"
    r"(?:(?:tell me|say|check|find out|do you know|i (?:want|would like|'d like) to know|i wonder)"
    r"\s+(?:whether|if)"
    r"|(?:is|are) there (?:any |some )?(?:evidence|signs?) that)\s+",
    re.IGNORECASE,
)
"""What stands before the question itself."""
ASKING = re.compile(
    r"^(?:do|does|did|can|could|will|would|may|might|should|is|are|what|which|how|why|who|when|where|whether"
    r"|tell|say|if)\b",
    re.IGNORECASE,
)
"""How a question begins: no drug is called so."""
_UP, _DOWN = r"(?:raise|increase|elevate|heighten)s?", r"(?:lower|decrease|reduce)s?"
_OTHER = (
    r"(?:affect|change|alter|influence|modify|worsen|promote|prevent|prolong)s?|protects?\s+(?:against|from)"
)
_CHANGES = rf"(?:{_UP}|{_DOWN}|{_OTHER})(?:\s+or\s+(?:{_UP}|{_DOWN}))*"
_RISK = (
    r"(?:the\s+|a\s+|your\s+|my\s+)?(?:patient'?s?\s+)?"
    r"(?:risks?|rates?|incidence|chances?|likelihood|odds|frequency|number)\s+(?:of|for)"
)
_MAY = r"(?:do|does|can|could|will|may|might|how (?:often |much )?(?:do|does))"
_ALSO = r"(?:(?:can|could|may|might|will)\s+)?"
_CAUSES = (
    r"(?:(?:cause|induce|lead to|trigger|provoke|result in)s?"
    r"|gives?(?:\s+(?:me|you|us|people|patients|someone|women|men|children|kids))?)"
)
_HARMS = r"(?:harm|damage|injure|hurt)s?"
_LINKED = r"(?:associated with|linked (?:to|with)|a cause of|related to)"
_GREATER = r"(?:an?\s+)?(?:(?:increased|decreased|higher|lower)\s+)?"
_A = r"(?:an?\s+|any\s+|the\s+)?"
_DRUGS, _OUTCOMES = r"(?P<drugs>.+?)", r"(?P<outcomes>.+?)"


@dataclass(frozen=True, slots=True)
class Worded:
    """The drugs and the outcomes as they are written. `verb` is what is done to the outcomes, if that is part
    of their name: then only outcomes of the table can be meant.
    """

    drugs: str
    outcomes: str
    verb: str = ""


_NAMED = tuple(
    re.compile(rf"^{pattern}$", re.IGNORECASE)
    for pattern in (
        rf"{_MAY}\s+{_DRUGS}\s+{_ALSO}{_CHANGES}\s+{_RISK}\s+{_OUTCOMES}",
        rf"{_MAY}\s+{_DRUGS}\s+{_ALSO}{_CAUSES}\s+{_OUTCOMES}",
        rf"(?:is|are)\s+{_DRUGS}\s+{_LINKED}\s+{_GREATER}(?:{_RISK}\s+)?{_OUTCOMES}",
        rf"do\s+{_DRUGS}\s+(?:is|are)\s+{_LINKED}\s+{_GREATER}(?:{_RISK}\s+)?{_OUTCOMES}",
        rf"(?:what is\s+|how high is\s+)?{_RISK}\s+{_OUTCOMES}\s+(?:with|on|from|under)\s+{_DRUGS}",
        rf"(?:does\s+)?{_DRUGS}\s+and\s+{_RISK}\s+{_OUTCOMES}",
        rf"(?:is there\s+)?{_A}(?:link|association|connection)\s+between\s+{_DRUGS}\s+and\s+"
        rf"(?:{_RISK}\s+)?{_OUTCOMES}",
        rf"(?:what is\s+|is there\s+)?{_A}effects?\s+of\s+{_DRUGS}\s+on\s+{_RISK}\s+{_OUTCOMES}",
    )
)
_LITTLE = re.compile(r"an?|the|your|my|his|her|their|our|up", re.I)
_AROUND_DRUGS = re.compile(
    rf"{_LITTLE.pattern}|do|does|can|could|may|might|will|is|are|you|me|people|patients|of|for|on|with|under|from"
    r"|due|to|by|in|users|regarding|and|or|vs\.?|versus|compare|risks?|makes?|making|gives?|causes?|caused|get"
    r"|harm|damage|stain|kids'|children's|someone",
    re.I,
)
"""Words beside the names in a note or question: what is left is a name."""
_LONGEST = 12
"""Words of an outcome's name, at most."""
_EFFECTS = r"(?:side[- ]effects?|adverse (?:events?|effects?|(?:drug )?reactions?)|adrs?)"
_ALL_EFFECTS = (
    re.compile(
        r"^(?:(?:what|which) (?:are|is)\s+|list\s+|show\s+|tell me\s+)?(?:me\s+)?(?:all\s+)?(?:the\s+)?"
        rf"{_EFFECTS}\s+(?:of|with|from|for)\s+{_DRUGS}$",
        re.I,
    ),
    re.compile(rf"^(?:what|which)\s+{_EFFECTS}\s+(?:does|do|can)\s+{_DRUGS}\s+(?:have|cause)$", re.I),
    re.compile(rf"^(?!what|which|list|show|tell){_DRUGS}(?:['’]s|:)?\s+{_EFFECTS}$", re.I),
)
"""A question on all that a drug may do."""
_WHICH_OF = re.compile(r"^(?:which|what)\s+(?P<rest>.+)$", re.I)
_DONE = tuple(
    re.compile(rf"^{pattern}$", re.IGNORECASE)
    for pattern in (
        rf"{_MAY}\s+{_DRUGS}\s+{_ALSO}(?P<verb>{_HARMS}|{_CHANGES})\s+{_OUTCOMES}",
        rf"(?:is|are)\s+{_DRUGS}\s+(?:bad|(?P<verb>harmful)|toxic|dangerous)\s+(?:for|to)\s+{_OUTCOMES}",
    )
)
_SAFE = re.compile(
    r"^(?:is|are)\s+(?P<drugs>.+?)\s+(?:safe|ok|okay|dangerous|harmful|contraindicated|allowed)\b(?P<rest>.*)$",
    re.IGNORECASE,
)
_WHICH = re.compile(
    r"^(?:which|what|list|name)\s+(?:\w+\s+){0,2}?(?:drugs?|medicines?|medications?|classe?s?)\b", re.I
)
_UNBORN = re.compile(r"\bpregnan|\bunborn|\bfetus|\bfoetus", re.IGNORECASE)
_POPULATION = re.compile(
    r"(?:\s+(?:in|among))?\s+(?:(?P<who>(?:the\s+)?elderly(?:\s+(?:people|patients))?|children|kids|women|men"
    r"|old(?:er)?\s+(?:people|adults|patients))|people|adults|patients)(?=$|\s+(?:on|with|under)\b)",
    re.IGNORECASE,
)


def without_population(outcomes: str) -> tuple[str, str]:
    """The outcomes without the people beside them, and these people ("the elderly"), or ""."""
    found = None if is_known(outcomes) else _POPULATION.search(outcomes)
    if found is None:
        return outcomes, ""
    return outcomes[: found.start()] + outcomes[found.end() :], found["who"] or ""


def worded(text: str) -> Worded | None:
    """What a question names; None for a text of another form."""
    asked = _LEAD.sub("do ", text)
    for pattern in _NAMED:
        if found := pattern.match(asked):
            return Worded(found["drugs"], found["outcomes"])
    for pattern in _DONE:
        if found := pattern.match(asked):
            return Worded(found["drugs"], found["outcomes"], found["verb"] or "harm")
    return None


def named_within(text: str) -> Worded | None:
    """What a text of any form names: its longest run of words that is a known outcome, and the drugs before
    or after it ("QT prolongation with haloperidol", "can water pills slow the heart"). None where none is
    left, or other words on both sides.
    """
    words = re.findall(r"[^\s,;:?!]+", text)
    runs = ((to - at, at, to) for at in range(len(words)) for to in range(at + 1, len(words) + 1))
    for size, at, to in sorted(runs, reverse=True):
        named = " ".join(word for word in words[at:to] if not _LITTLE.fullmatch(word))
        if size <= _LONGEST and is_known(named):
            drugs = [side for side in map(_name_of, (words[:at], words[to:])) if side]
            return Worded(drugs[0], named) if len(drugs) == 1 else None
    return None


def _name_of(words: Sequence[str]) -> str:
    """What is left without the words around names."""
    named = [place for place, word in enumerate(words) if not _AROUND_DRUGS.fullmatch(word)]
    return " ".join(words[named[0] : named[-1] + 1]) if named else ""


def which_of(text: str) -> Worded | None:
    """What a question names that asks which drugs of a class do something: "Which statins cause gout"."""
    asked = _WHICH_OF.match(text)
    return worded(f"do {asked['rest']}") if asked else None


def of_all_effects(text: str) -> str:
    """The drugs of a question on all side effects; "" for another text."""
    drugs = next((found["drugs"] for one in _ALL_EFFECTS if (found := one.match(text))), "")
    return "" if re.search(r"\son\s", drugs) else drugs


def done_to(verb: str, what: str) -> str:
    """The outcome that a verb makes of something: "low blood pressure" of "lower" and "blood pressure".

    An outcome of the table stays as it is ("reduce stroke"); "" for what makes none.
    """
    if not re.fullmatch(rf"{_HARMS}|harmful", verb, re.IGNORECASE) and is_known(what):
        return what
    return next(filter(is_known, _forms(verb, plain(what))), "")


def _forms(verb: str, what: str) -> Iterator[str]:
    """Names that an outcome may have after what is done."""
    if re.fullmatch(rf"{_HARMS}|harmful", verb, re.IGNORECASE):
        yield from (f"{what} damage", f"{what.removesuffix('s')} damage")
    elif re.fullmatch(_UP, verb, re.IGNORECASE):
        yield from (f"{said} {what}" for said in ("increased", "high", "elevated"))
        yield f"{what} increased"
    elif re.fullmatch(_DOWN, verb, re.IGNORECASE):
        yield from (f"{said} {what}" for said in ("decreased", "low"))
        yield f"{what} decreased"


def instead(text: str) -> str:
    """What to ask instead of a question that Pestle does not answer; "" for another text."""
    if _WHICH.match(text):
        return (
            "Pestle judges drugs and classes that are named, and does not look for all drugs that have an "
            "outcome. Name them, as `vigilance ACE inhibitors, beta blockers x angioedema`; `pestle labels "
            "search` shows passages of all loaded labels."
        )
    if found := _SAFE.match(text):
        drugs = found["drugs"]
        asked = f"{drugs}: birth defects" if _UNBORN.search(found["rest"]) else f"{drugs}, all outcomes"
        return (
            "Pestle does not say whether a drug is safe. It tells what labels say of a drug and an outcome: "
            f"ask `vigilance {asked}`."
        )
    return ""
