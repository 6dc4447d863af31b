"""A message as an order: "Do ACE inhibitors raise the risk of angioedema?", "warfarin, all outcomes".

vigilance ACE inhibitors, beta blockers x angioedema, bleeding
vigilance antibiotics (tetracyclines, sulfonamides): acute liver injury
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from agents.errors import WrongOrder
from agents.kinds import Certainty, ThreadContext, Understood, UserMessage, chosen
from agents.vigilance.classes import bare, class_of, edited, known_classes, plain
from agents.vigilance.outcomes import is_known, known_outcomes, outcome_of
from agents.vigilance.values import DrugClass, Order, Outcome

_CHANGES = (
    r"(?:raise|increase|elevate|heighten|lower|decrease|reduce|affect|change|alter|influence|prevent|modify)s?"
    r"(?:\s+or\s+(?:raise|increase|lower|decrease|reduce)s?)*"
)
_RISK = (
    r"(?:the\s+|a\s+)?(?:patient'?s?\s+)?"
    r"(?:risks?|rates?|incidence|chances?|likelihood|odds|frequency)\s+(?:of|for)"
)
_MAY = r"(?:do|does|can|could|will|may|might|how does|how do)"
_CAUSES = r"(?:cause|induce|lead to|trigger|provoke|result in)s?"
_LINKED = r"(?:associated with|linked (?:to|with)|a cause of|related to)"
_GREATER = r"(?:an?\s+)?(?:(?:increased|decreased|higher|lower)\s+)?"
_DRUGS, _OUTCOMES = r"(?P<drugs>.+?)", r"(?P<outcomes>.+?)"
_QUESTIONS = tuple(
    re.compile(rf"^{pattern}$", re.IGNORECASE)
    for pattern in (
        rf"{_MAY}\s+{_DRUGS}\s+{_CHANGES}\s+{_RISK}\s+{_OUTCOMES}",
        rf"{_MAY}\s+{_DRUGS}\s+{_CAUSES}\s+{_OUTCOMES}",
        rf"(?:is|are)\s+{_DRUGS}\s+{_LINKED}\s+{_GREATER}(?:{_RISK}\s+)?{_OUTCOMES}",
        rf"(?:what is\s+|how high is\s+)?{_RISK}\s+{_OUTCOMES}\s+(?:with|on|from|under)\s+{_DRUGS}",
        rf"(?:does\s+)?{_DRUGS}\s+and\s+{_RISK}\s+{_OUTCOMES}",
    )
)
_TABLE = re.compile(
    r"^(?P<drugs>.+?)\s*(?:\s[x×]\s|\bversus\b|:\s|\bby outcome\b)\s*(?P<outcomes>.+)$", re.IGNORECASE
)
_ALL = re.compile(r"^(?P<drugs>.+?)[,:;]?\s+(?:and\s+)?all\s+(?:known\s+)?outcomes$", re.IGNORECASE)
_LIST = re.compile(r"\s*(?:;|,|\n)\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+", re.IGNORECASE)
_WORDS = re.compile(r"[a-zβ][a-zβ' -]*[a-z]s?|[A-Z]{2,5}s?(?:\s[a-z]+)?|[A-Z][a-z]+(?:\s[a-z]+)*")
"""Names of drugs and classes as they are written in a sentence; a company's code is none."""
MOST = 40
"""Classes, and outcomes of a table; "all outcomes" may be more."""
EXAMPLES = (
    "Ask for drugs and outcomes, as `vigilance ACE inhibitors: angioedema`, `vigilance warfarin, all "
    "outcomes` or `vigilance ACE inhibitors, beta blockers x angioedema, bleeding`."
)


def understand(message: UserMessage, thread: ThreadContext[Order, Order]) -> Understood[Order] | None:
    """The order, where a message is one. A reply that picks a choice, or edits a class, asks again with it.

    Raises `WrongOrder` for a command that names no drug or no outcome.
    """
    text = " ".join(message.text.split()).strip()
    before = thread.remembered or next(iter(thread.earlier), None)
    if before is not None and (again := _again(text, before, thread)) is not None:
        return Understood(again, Certainty.SURE)
    if message.asked_for:
        return Understood(ordered(text), Certainty.SURE)
    asked = _asked(text)
    return Understood(asked, Certainty.LIKELY) if asked and _plainly(asked) else None


def _again(text: str, before: Order, thread: ThreadContext[Order, Order]) -> Order | None:
    """The order before with a choice that was offered, or with a class edited."""
    if thread.last is not None and (choice := chosen(text, thread.last.options)):
        asked_back = next((one for one in before.classes if f"“{one.name}”" in thread.last.ask_back), None)
        classes = tuple(
            replace(class_of(choice), asked=one.asked) if one is asked_back else one for one in before.classes
        )
        return replace(before, classes=classes)
    changed = [_edited(one, text, only=len(before.classes) == 1) for one in before.classes]
    return replace(before, classes=tuple(changed)) if tuple(changed) != before.classes else None


def _edited(one: DrugClass, text: str, *, only: bool) -> DrugClass:
    """The class after a wish, if it is meant: the only one, or the one that the wish names behind "to"."""
    named = re.search(r"\s(?:to|from)\s+(?P<name>.+)$", text)
    if not only and (named is None or plain(named["name"]) != plain(one.name)):
        return one
    return edited(one, text) or one


def ordered(text: str) -> Order:
    """The order behind the command word, in any of the forms. Raises `WrongOrder`."""
    found = _asked(text)
    if found is None and (table := _TABLE.match(_ended(text))):
        found = order_of(text, table["drugs"], table["outcomes"])
    if found is None:
        found = _trailing(text)
    if found is None or not found.classes or not found.outcomes:
        raise WrongOrder(f"“{text}” names no drug or no outcome. {EXAMPLES}" if text else EXAMPLES)
    if len(found.classes) > MOST:
        raise WrongOrder(f"{len(found.classes)} classes are more than the {MOST} that one table takes.")
    return found


def _asked(text: str) -> Order | None:
    """A question in a sentence, or "X, all outcomes"."""
    bare_text = _ended(text)
    if found := _ALL.match(bare_text):
        return Order(_classes(found["drugs"]), tuple(known_outcomes().values()), text)
    for pattern in _QUESTIONS:
        if found := pattern.match(bare_text):
            return order_of(text, found["drugs"], found["outcomes"])
    return None


def order_of(asked: str, drugs: str, outcomes: str) -> Order:
    """An order of lists as people write them."""
    return Order(_classes(drugs), _outcomes(outcomes), asked)


def _trailing(text: str) -> Order | None:
    """ "lisinopril angioedema": the longest end that is a known outcome."""
    words = _ended(text).replace(",", " ").split()
    for place in range(1, len(words)):
        if is_known(outcome := " ".join(words[place:])):
            return order_of(text, " ".join(words[:place]), outcome)
    return None


def _plainly(order: Order) -> bool:
    """Whether every outcome is known, and every drug a known class or written like a drug's name."""
    outcomes = all(is_known(one.asked or one.name) for one in order.outcomes)
    named = all(plain(one.asked) in known_classes() or _WORDS.fullmatch(one.name) for one in order.classes)
    return bool(order.classes and order.outcomes) and outcomes and named


def _classes(written: str) -> tuple[DrugClass, ...]:
    """The classes of a list; what stands in brackets belongs to the class before it."""
    if plain(written) in known_classes():
        return (class_of(written),)
    return tuple(dict.fromkeys(class_of(part) for part in _split(written) if re.search(r"\w", bare(part))))


def _outcomes(written: str) -> tuple[Outcome, ...]:
    parts = [written] if is_known(written) else _split(written)
    found = {one.name: one for one in (outcome_of(part) for part in parts if part.strip())}
    return tuple(found.values())


def _split(written: str) -> Sequence[str]:
    """A list's items, without splitting inside brackets."""
    brackets = re.findall(r"\([^()]*\)", written)
    held = re.sub(r"\([^()]*\)", "\x00", written)
    filled = iter(brackets)
    return [
        re.sub("\x00", lambda _: next(filled), part).strip() for part in _LIST.split(held) if part.strip()
    ]


def _ended(text: str) -> str:
    return text.strip().rstrip("?.! ")
