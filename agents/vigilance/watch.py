"""What a watch on a class and an outcome compares from one day to the next: the labels and their words.

    before = await watched(finder, labels, class_of("ACE inhibitors"), outcome_of("angioedema"))
    …
    changes(before, await watched(…))      # sentences; empty where nothing is new

A label has changed for an outcome where the passages that mention it have: other words elsewhere in the
label, and a new date alone, are no change.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agents.databases.labels import LabelPassage, Labels
from agents.vigilance.finder.find import Finder
from agents.vigilance.reading.mentions import mentions
from agents.vigilance.values import DrugClass, Outcome


@dataclass(frozen=True, slots=True, order=True)
class WatchedLabel:
    """A label as it stands. `set_id` is its title where the file tells none; `effective` is ISO 8601 or "".

    `digest` is that of the passages that mention the outcome, "" where none does.
    """

    ingredient: str
    set_id: str
    effective: str
    digest: str


@dataclass(frozen=True, slots=True)
class Watched:
    """The labels of a class's representatives, in order. `unread` are ingredients without a label."""

    category: str
    outcome: str
    labels: tuple[WatchedLabel, ...] = ()
    unread: tuple[str, ...] = ()


async def watched(finder: Finder, labels: Labels, one: DrugClass, outcome: Outcome) -> Watched:
    """The labels of a class's representatives as they stand now.

    Nothing is watched of a class that is not known. Raises `ToolFailed` where labels cannot be read: that is
    no change.
    """
    states: list[WatchedLabel] = []
    unread: list[str] = []
    for found in await finder.find(one):
        for ingredient in found.chosen:
            passages = await labels.passages(ingredient.names)
            states += label_states(ingredient.name, outcome, passages)
            unread += [] if passages else [ingredient.name]
    return Watched(one.name, outcome.name, tuple(sorted(set(states))), tuple(dict.fromkeys(unread)))


def label_states(
    ingredient: str, outcome: Outcome, passages: Iterable[LabelPassage]
) -> tuple[WatchedLabel, ...]:
    """Each label of some passages, as it stands."""
    by_label: dict[tuple[str, str], list[LabelPassage]] = {}
    for passage in passages:
        by_label.setdefault((passage.set_id or passage.title, passage.effective), []).append(passage)
    return tuple(
        WatchedLabel(ingredient, set_id, effective, _digest(own, outcome))
        for (set_id, effective), own in by_label.items()
    )


def changes(before: Watched, now: Watched) -> tuple[str, ...]:
    """What is new for the outcome, a sentence for each drug; nothing for a new date with the same words."""
    drugs = dict.fromkeys((*_by_drug(before), *_by_drug(now)))
    return tuple(filter(None, (_change(one, before, now) for one in drugs)))


def _change(drug: str, before: Watched, now: Watched) -> str:
    old, new = _by_drug(before).get(drug, ()), _by_drug(now).get(drug, ())
    if {one.digest for one in old} == {one.digest for one in new}:
        return ""
    if not old:
        return f"A label of {drug} is read for the first time."
    if not new:
        return f"The label of {drug} is no longer read for {now.category}."
    newest = max(one.effective for one in new)
    of = f" of {newest}" if newest else ""
    return f"The label{of} of {drug} says something else of {now.outcome} than before."


def _by_drug(one: Watched) -> dict[str, tuple[WatchedLabel, ...]]:
    return {
        label.ingredient: tuple(x for x in one.labels if x.ingredient == label.ingredient)
        for label in one.labels
    }


def _digest(passages: Sequence[LabelPassage], outcome: Outcome) -> str:
    """Of the sections and words of the passages that mention the outcome, in the label's order."""
    said = [
        f"{one.section}\x00{' '.join(one.text.split())}"
        for one in passages
        if any(mentions(one.text, outcome))
    ]
    return hashlib.sha256("\x00\x00".join(said).encode()).hexdigest() if said else ""
