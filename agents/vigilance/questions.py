"""How people word a question on drugs and outcomes: "Do statins prevent stroke?", "tell me whether …".

A form is a pattern that names the drugs and the outcomes. In some forms the outcome is what a verb does to
something: "lower blood pressure" is a low blood pressure, "harm the liver" is a liver damage.
"""

import re
from collections.abc import Iterator
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
    r"|gives?(?:\s+(?:me|you|us|people|patients|someone))?)"
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
_WITH = re.compile(
    rf"^{_OUTCOMES}(?:\s+risks?)?\s+(?:with|on|under|from|due to|caused by|in users of)\s+{_DRUGS}$", re.I
)
"""An outcome before its drugs, as a note has it: "QT prolongation with haloperidol"."""
_COMPARE = re.compile(rf"^compare\s+{_DRUGS}\s+(?:for|on|regarding|with regard to)\s+{_OUTCOMES}$", re.I)
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


_TOXIC = {
    "nephrotoxic": "renal failure",
    "hepatotoxic": "acute liver injury",
    "ototoxic": "hearing loss",
    "cardiotoxic": "heart failure",
    "teratogenic": "birth defects",
}
_EVERYDAY = (
    (re.compile(r"\bsaves?\s+lives\b", re.I), "reduce mortality"),
    (re.compile(r"\bkills?\s+(?:people|patients)\b", re.I), "cause death"),
    (re.compile(r"\b(?:make\s+\w+\s+)?break\s+(?:an?|the|your|my)\s+hip\b", re.I), "cause hip fracture"),
    (re.compile(r"\bmake\s+(?:you|me|people|patients)\s+bleed\b", re.I), "cause bleeding"),
    *(
        (re.compile(rf"^(?:is|are)\s+(.+?)\s+{word}$", re.I), rf"do \1 cause {outcome}")
        for word, outcome in _TOXIC.items()
    ),
)
"""Everyday and learned words, and the question that they mean."""
_POPULATION = re.compile(
    r"\s+(?:in|among)\s+(?:(?:the\s+)?elderly|(?:old(?:er)?\s+)?(?:people|adults|patients)|children|women|men)$",
    re.IGNORECASE,
)


def without_population(outcomes: str) -> tuple[str, str]:
    """The outcomes without the people at their end, and these people ("the elderly"), or ""."""
    found = None if is_known(outcomes) else _POPULATION.search(outcomes)
    return (outcomes[: found.start()], found.group().split(maxsplit=1)[1]) if found else (outcomes, "")


def worded(text: str) -> Worded | None:
    """What a question names; None for a text of another form."""
    asked = _LEAD.sub("do ", text)
    for pattern, meant in _EVERYDAY:
        asked = pattern.sub(meant, asked)
    for pattern in _NAMED:
        if found := pattern.match(asked):
            return Worded(found["drugs"], found["outcomes"])
    for pattern in _DONE:
        if found := pattern.match(asked):
            return Worded(found["drugs"], found["outcomes"], found["verb"] or "harm")
    return None


def noted(text: str) -> Worded | None:
    """What a note or a command names that is no question: "QT prolongation with haloperidol", "compare
    lisinopril and captopril for rash". None for a text of another form, and for an unknown outcome.
    """
    for pattern in (_COMPARE, _WITH):
        if (found := pattern.match(text)) and is_known(found["outcomes"]):
            return Worded(found["drugs"], found["outcomes"])
    return None


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
