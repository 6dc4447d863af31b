"""A watch on labels as channels keep it: "ACE inhibitors for angioedema", looked at again for each digest."""

import json
import re
from collections.abc import Callable

from agents.databases.labels import Labels
from agents.kinds import Watch
from agents.runs.encoding import decode, encode
from agents.vigilance.classes import class_of
from agents.vigilance.finder.find import Finder
from agents.vigilance.outcomes import is_known, outcome_of
from agents.vigilance.watch import Watched, changes, watched

JOINS = re.compile(r"\s+(?P<word>for|and|on|about)\s+", re.IGNORECASE)
AROUND = re.compile(r"^(?:the\s+)?(?:labels?\s+(?:of|for)\s+)?", re.IGNORECASE)


def watch_on(opened: Callable[[], tuple[Finder, Labels]]) -> Watch:
    """Watches over labels that are opened when they are looked at."""

    async def look(key: str) -> str:
        drugs, outcome = json.loads(key)
        finder, labels = opened()
        return encode(Watched, await watched(finder, labels, class_of(drugs), outcome_of(outcome)))[0]

    return Watch(key_of, look, news)


def key_of(words: str) -> str:
    """Drugs and outcome of a person's words, as they are kept; "" where they name no outcome.

    They are parted where an outcome that is known begins, else at the first "for".
    """
    said = AROUND.sub("", " ".join(words.split()).strip(" .!?"))
    readings = [(said[: found.start()], said[found.end() :], found["word"]) for found in JOINS.finditer(said)]
    known = [one for one in readings if is_known(one[1])]
    parted = known or [one for one in readings if one[2].casefold() == "for"]
    if not parted:
        return ""
    drugs, outcome, _ = parted[0]
    return json.dumps([class_of(drugs).name, outcome_of(outcome).name], ensure_ascii=False)


def news(before: str, now: str) -> tuple[str, ...]:
    """What differs between two looks, in sentences."""
    return changes(decode(Watched, before, "look before"), decode(Watched, now, "look now"))
