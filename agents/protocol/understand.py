"""A message as an order: "protocol OBJECTIVE; conditions: …; requirements: …; queries: …"."""

import re
from collections.abc import Iterator

from agents.errors import WrongOrder
from agents.kinds import Certainty, ThreadContext, Understood, UserMessage
from agents.protocol.values import Objective, Order

_NATURAL = re.compile(
    r"\b(?:design|write|draft|plan|propose|give me|make)\b[^.?!]{0,40}?\bprotocol\b(?:\s+(?:for|to|on|that))?"
    r"\s+(?P<what>.+)",
    re.IGNORECASE | re.DOTALL,
)
_LABEL = re.compile(
    r"(?:^|[;\n.])\s*(?P<label>conditions?|requirements?|queries|query)\s*:\s*", re.IGNORECASE
)
_REVIEW = re.compile(r"[;,.]?\s*\bask (?:me )?(?:first|before)\b[^;.\n]*", re.IGNORECASE)
EXAMPLE = (
    "Say what is to be found out, as `protocol find the genes that dexamethasone changes in airway cells; "
    "conditions: counts of 8 samples; requirements: pathway analysis`."
)


def understand(message: UserMessage, thread: ThreadContext[Order, Order]) -> Understood[Order] | None:
    """The order, where a message is one. Raises `WrongOrder` for a command without an objective."""
    if message.asked_for:
        return Understood(ordered(message.text), Certainty.SURE)
    found = _NATURAL.search(message.text)
    return Understood(ordered(found["what"]), Certainty.LIKELY) if found else None


def ordered(text: str) -> Order:
    """The order that a text is. Raises `WrongOrder`."""
    review = True if _REVIEW.search(text) else None
    first, *rest = list(_labelled(_REVIEW.sub("", text)))
    objective = first[1].strip(" ;.\n")
    if len(re.findall(r"\w+", objective)) < 2:
        raise WrongOrder(EXAMPLE)
    told: dict[str, list[str]] = {"c": [], "r": [], "q": []}
    for label, value in rest:
        parts = re.split(r";(?![^()\n]*\))|\n", value)
        told[label[0].lower()] += [one.strip() for one in parts if one.strip()]
    return Order(
        objective=Objective(objective, tuple(told["c"]), tuple(told["r"])),
        queries=tuple(told["q"]),
        review=review,
    )


def _labelled(text: str) -> Iterator[tuple[str, str]]:
    """The parts of a text, each with its label; the first has none."""
    at, label = 0, ""
    for found in _LABEL.finditer(text):
        yield label, text[at : found.start()]
        at, label = found.end(), found["label"]
    yield label, text[at:]
