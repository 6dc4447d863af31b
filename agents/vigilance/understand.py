"""A message as an order: "Do ACE inhibitors raise the risk of angioedema?", "warfarin, all outcomes".

vigilance ACE inhibitors, beta blockers x angioedema, bleeding
vigilance antibiotics (tetracyclines, sulfonamides): acute liver injury
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from agents.databases.ingredients import INVERTED, in_order
from agents.errors import WrongOrder
from agents.kinds import Certainty, ThreadContext, Understood, UserMessage, chosen
from agents.vigilance.classes import bare, class_of, edited, known_classes, plain
from agents.vigilance.outcomes import is_known, known_outcomes, near_outcomes, outcome_of
from agents.vigilance.questions import (
    ASKING,
    done_to,
    instead,
    named_within,
    of_all_effects,
    which_of,
    without_population,
    worded,
)
from agents.vigilance.unknown import AS_WRITTEN
from agents.vigilance.values import DrugClass, Order, Outcome

_TABLE = re.compile(r"^(?P<drugs>.+?)\s*(?:\s[x×]\s|:\s|\bby outcome\b)\s*(?P<outcomes>.+)$", re.IGNORECASE)
_ALL = re.compile(r"^(?P<drugs>.+?)[,:;]?\s+(?:and\s+)?all\s+(?:known\s+)?outcomes$", re.IGNORECASE)
_LIST = re.compile(r"\s*(?:;|,|\n)\s*(?:and\s+|or\s+)?|\s+(?:and|or|vs\.?|versus)\s+", re.IGNORECASE)
_WORDS = re.compile(r"[a-zβ][a-zβ' -]*[a-z]s?|[A-Z]{2,5}s?(?:\s[a-z]+)?|[A-Z][a-z]+(?:\s[a-z]+)*")
"""Names of drugs and classes as they are written in a sentence; a company's code is none."""
_NO_DRUG = frozenset(
    [
        *("it", "this", "that", "they", "them", "these", "those", "we", "you", "he", "she", "i"),
        *("drug", "compound", "molecule", "study", "trial", "treatment", "therapy", "placebo", "vehicle"),
        *("exposure", "dose", "doses", "duration", "time", "food", "fasting", "age", "sex", "weight", "race"),
        *("patients", "subjects", "animals", "rats", "mice", "dogs", "monkeys", "women", "men", "children"),
    ]
)
"""Words that stand for what was spoken about before, and name no drug."""
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
        unclear = next((one for one in before.outcomes if f"“{one.asked}”" in thread.last.ask_back), None)
        if unclear is not None:
            meant = replace(unclear, as_written=True) if choice.endswith(AS_WRITTEN) else outcome_of(choice)
            outcomes = (meant if one is unclear else one for one in before.outcomes)
            return replace(before, outcomes=tuple(outcomes))
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
    found = _asked(text) or _commanded(text)
    if found is None and (told := instead(_ended(text))):
        raise WrongOrder(told)
    if found is None and (table := _TABLE.match(_ended(text))):
        found = order_of(text, table["drugs"], table["outcomes"])
    if found is None:
        found = (None if ASKING.match(text) else _stated(text)) or _within(text)
    if found is None or not found.classes or not found.outcomes:
        raise WrongOrder(_refusal(text))
    if len(found.classes) > MOST:
        raise WrongOrder(f"{len(found.classes)} classes are more than the {MOST} that one table takes.")
    return found


def _commanded(text: str) -> Order | None:
    """What only a command may mean: all side effects of a drug, or which drugs of a class do something."""
    bare_text = _ended(text)
    if drugs := of_all_effects(bare_text):
        return Order(_classes(drugs), tuple(known_outcomes().values()), text)
    if (found := which_of(bare_text)) and not found.verb and plain(found.drugs) in known_classes():
        return order_of(text, found.drugs, found.outcomes)
    return None


def _refusal(text: str) -> str:
    """Why a command is no order, and what to write."""
    if (found := worded(_ended(text))) and found.verb:
        return (
            f"“{found.outcomes}” is no outcome that is known here. `vigilance {found.drugs}: OUTCOME` looks "
            f"for any outcome by its own words. {EXAMPLES}"
        )
    return f"“{text}” names no drug or no outcome. {EXAMPLES}" if text else EXAMPLES


def _asked(text: str) -> Order | None:
    """A question in a sentence, or "X, all outcomes"."""
    bare_text = _ended(text)
    if found := _ALL.match(bare_text):
        return Order(_classes(found["drugs"]), tuple(known_outcomes().values()), text)
    asked = worded(bare_text)
    if asked is None:
        found_within = _within(text)
        known = found_within and all(plain(one.asked) in known_classes() for one in found_within.classes)
        return found_within if known else None
    if not asked.verb:
        return order_of(text, asked.drugs, asked.outcomes)
    done = [done_to(asked.verb, part) for part in _listed(asked.outcomes)]
    return order_of(text, asked.drugs, "; ".join(done)) if all(done) else None


def _stated(text: str) -> Order | None:
    """ "statins reduce stroke": a question without its first word."""
    found = _asked(f"do {text}")
    return replace(found, asked=text) if found else None


def order_of(asked: str, drugs: str, outcomes: str) -> Order:
    """An order of lists as people write them."""
    named, population = without_population(outcomes)
    return Order(_classes(drugs), _outcomes(named), asked, population=population)


def _within(text: str) -> Order | None:
    """ "lisinopril angioedema", "hepatotoxicity of carbamazepine": an outcome and what is left beside it; in
    a question that is a known class or one word.
    """
    named, population = without_population(_ended(text))
    found = named_within(named)
    if found is None:
        return None
    if ASKING.match(text) and " " in found.drugs and plain(found.drugs) not in known_classes():
        return None
    return replace(order_of(text, found.drugs, found.outcomes), population=population)


def _plainly(order: Order) -> bool:
    """Whether every outcome is known, and every drug a known class or written like a drug's name. For known
    classes an outcome may be misspelt.
    """
    if not order.classes or not order.outcomes:
        return False
    known = all(plain(one.asked) in known_classes() for one in order.classes)
    named = known or all(
        plain(one.asked) in known_classes()
        or (_WORDS.fullmatch(one.name) and one.name.casefold().split()[-1] not in _NO_DRUG)
        for one in order.classes
    )
    asked = [one.asked or one.name for one in order.outcomes]
    return named and all(is_known(one) or (known and near_outcomes(one)) for one in asked)


def _classes(written: str) -> tuple[DrugClass, ...]:
    """The classes of a list; what stands in brackets belongs to the class before it."""
    if plain(written) in known_classes():
        return (class_of(written),)
    if INVERTED.match(" ".join(written.split())):
        return (class_of(in_order(written)),)
    return tuple(dict.fromkeys(class_of(part) for part in _split(written) if re.search(r"\w", bare(part))))


def _outcomes(written: str) -> tuple[Outcome, ...]:
    found = {one.name: one for one in (outcome_of(part) for part in _listed(written) if part.strip())}
    return tuple(found.values())


def _listed(written: str) -> Sequence[str]:
    """The outcomes of a list; one whose name is a list itself is one."""
    return [written] if is_known(written) else _split(written)


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
