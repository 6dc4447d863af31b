"""What is known of a candidate in its text, as named numbers."""

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agents.vigilance.extraction.candidates import Candidate, How
from agents.vigilance.extraction.values import LabelSection, kind_of
from agents.vigilance.extraction.words import Words

Features = dict[str, float]
BEFORE, AFTER, BESIDE = 12, 8, 3
"""So many words before and after a mention count, and so many right beside it with their distance."""


@dataclass(frozen=True, slots=True)
class Habit:
    """How often a term was a candidate in a section, and how often experts had marked it there."""

    marked: int = 0
    seen: int = 0

    def __sub__(self, other: "Habit") -> "Habit":
        return Habit(self.marked - other.marked, self.seen - other.seen)

    def __add__(self, other: "Habit") -> "Habit":
        return Habit(self.marked + other.marked, self.seen + other.seen)


def features_of(
    section: LabelSection,
    words: Words,
    found: Sequence[Candidate],
    habits: Mapping[str, Habit],
    own: Mapping[str, Habit] | None = None,
) -> dict[str, Features]:
    """The features of each candidate term of a section, over all its mentions.

    `own` are the habits that the section's own label taught; they are left out.
    """
    groups: dict[str, list[Candidate]] = defaultdict(list)
    for one in found:
        groups[one.term].append(one)
    runs = [(one.start, one.end) for one in found if one.how is How.RUN]
    kind = kind_of(section.name).value
    result = {}
    for term, mentions in groups.items():
        habit = habits.get(term, Habit()) - (own or {}).get(term, Habit())
        features = {**_of_term(term, mentions, habit), **_of_ways(mentions, runs, kind)}
        for one in mentions:
            features.update(_around(words, one))
        result[term] = features
    return result


def _of_term(term: str, mentions: Sequence[Candidate], habit: Habit) -> Features:
    share = (habit.marked + 1.2) / (habit.seen + 2)
    return {
        f"mentions={min(len(mentions), 4)}": 1,
        f"term={term}": 1,
        "habit": math.log(share / (1 - share)),
        "seen": math.log1p(habit.seen),
        "new": float(habit.seen == 0),
    }


def _of_ways(mentions: Sequence[Candidate], runs: Sequence[tuple[int, int]], kind: str) -> Features:
    features: Features = {f"section={kind}": 1}
    for how, count in Counter(one.how for one in mentions).items():
        features[f"how={how.value}"] = 1
        features[f"{kind}:{how.value}"] = 1
        features[f"{how.value}:{min(count, 3)}"] = 1
    gaps = [one for one in mentions if one.how is How.GAP]
    if len(gaps) == len(mentions):
        features[f"between={min(one.between for one in gaps)}"] = 1
        inside = all(any(start <= one.start and one.end <= end for start, end in runs) for one in gaps)
        features["inside"] = float(inside)
    return features


def _around(words: Words, one: Candidate) -> Features:
    """The words beside a mention, and those further off in its sentence."""
    first, last = words.sentence_of(one.start)
    features: Features = {f"length={min(len(one.key), 4)}": 1, f"break={words.breaks[one.start]}": 1}
    if one.end < len(words.words):
        features[f"end={words.breaks[one.end]}"] = 1
    for away in range(1, BESIDE + 1):
        if one.start - away >= first:
            features[f"before{away}={words.stems[one.start - away]}"] = 1
        if one.end + away <= last:
            features[f"after{away}={words.stems[one.end + away - 1]}"] = 1
    for stem in words.stems[max(first, one.start - BEFORE) : one.start]:
        features[f"left={stem}"] = 1
    for stem in words.stems[one.end : min(last, one.end + AFTER)]:
        features[f"right={stem}"] = 1
    return features
