"""Adverse events where nothing was learnt: items of lists and tables that look like one.

The phrases are as the label writes them, not preferred terms; what they look like is our own short list.
"""

import re
from collections.abc import Iterator, Sequence

from agents.databases.spelling import british
from agents.text.polarity import DENIAL
from agents.vigilance.extraction.values import Event, SectionKind, kind_of
from agents.vigilance.extraction.words import LIGHT, LISTS, WORD, Words, words_of

NOUNS, REPORTING = LISTS["nouns"], LISTS["reporting"]
ENDINGS = tuple(LISTS["endings"])
DENIED = re.compile(
    rf"\b(?:{DENIAL}|negative for|absence of|history of|treat(?:ment of|ed for|ing)?|"
    r"indicated for|diagnosis of|prevent(?:ion of|ing)?|prior|pre-?existing|patients with)\s+"
    r"(?:\w+\s+){0,3}$",
    re.I,
)
"""What denies an event right before it, or says that it is the illness treated or there before."""
LONG_ENOUGH = 5
LONGEST_ITEM = 5
JOINTS = LISTS["joints"]


def is_event_like(words: Sequence[str]) -> bool:
    """Whether a phrase in small letters looks like the name of an adverse event."""
    american = [word.replace("aem", "em").replace("oe", "e") for word in words]
    if any(word in NOUNS for word in (american[0], american[-1])):
        return True
    return any(len(word) > LONG_ENOUGH and word.endswith(ENDINGS) for word in american)


def by_rule(text: str, section: str) -> list[Event]:
    """The events of a text by the generic rule, in their order; each phrase once.

    Outside sections on adverse reactions, warnings and boxed warnings nothing is taken.
    """
    if kind_of(section) is SectionKind.OTHER:
        return []
    words = words_of(text)
    found: dict[str, Event] = {}
    for start, end in stretches(words):
        mention = words.span(start, end)
        if is_event_like(words.words[start:end]) and _is_told(words, start, mention):
            term = " ".join(british(word) for word in WORD.findall(mention.lower())).capitalize()
            found.setdefault(term, Event(term, mention, words.starts[start]))
    return list(found.values())


def stretches(words: Words) -> Iterator[tuple[int, int]]:
    """Stretches of one to five words between marks and joining words, without light words at the ends."""
    start = 0
    for index in range(len(words.words) + 1):
        ends = index == len(words.words) or words.breaks[index] or words.words[index] in JOINTS
        if not ends:
            continue
        first, last = start, index
        while first < last and (words.words[first] in LIGHT or words.words[first] in JOINTS):
            first += 1
        while last > first and words.words[last - 1] in LIGHT:
            last -= 1
        if 1 <= last - first <= LONGEST_ITEM:
            yield first, last
        start = index


def _is_told(words: Words, start: int, mention: str) -> bool:
    """Whether a phrase is told of the drug: not denied, and not the wording of a study."""
    if REPORTING & set(WORD.findall(mention.lower())) or any(char.isdigit() for char in mention):
        return False
    first, _ = words.sentence_of(start)
    return not DENIED.search(words.text[words.starts[first] : words.starts[start]])
