"""Invented classes with labels, and a model that takes its time: what tests of whole tables work over."""

import asyncio
import hashlib
import json
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from agents.databases.ndc import DIRECTORY
from agents.messages import Message, Turn
from tests.agents.vigilance.kit import HEAD, World, indexed
from tests.agents.vigilance.test_minds import judgement
from tests.support.scripted import Call, ScriptedModel

OUTCOMES = (
    *("gout", "stroke", "rash", "cough", "anemia", "depression", "angioedema", "bleeding"),
    *("renal failure", "hip fracture"),
)
NAMES = ("baba", "coco", "didi", "fofo", "gugu")
CLASSES = [f"{name}{end}" for name in NAMES for end in ("rilol", "solol")]
DRUGS = {one: [f"{one[:-3]}{end}" for end in ("pril", "mab", "tine")] for one in CLASSES}
KNOWN = sorted((*CLASSES, *(drug for drugs in DRUGS.values() for drug in drugs)), key=len)


def large_world() -> World:
    """Ten classes of three drugs, each with a label that warns of every outcome."""
    drugs = [(drug, name) for name, own in DRUGS.items() for drug in own]
    rows = [f"0-0\t{drug}\t{drug}\tTABLET\tORAL\t{drug}\t{name} [EPC]" for drug, name in drugs]
    warned = [
        {"drug": drug, "section": "warnings", "text": f"{drug} can cause {outcome}.", "id": drug + outcome}
        for drug, _ in drugs
        for outcome in OUTCOMES
    ]
    bulk = World()
    bulk.load(DIRECTORY, [HEAD, *rows])
    indexed(bulk.labels, "\n".join(map(json.dumps, warned)))
    return bulk


class Taking(ScriptedModel):
    """A model that takes 1 to 8 seconds for an answer, and whose critics send every third draft back once.

    `taken` has the seconds of each agent with its critic, by drug or class and outcome. `second` is how long
    a second is.
    """

    def __init__(self, second: float = 1.0) -> None:
        scripted: Any = {
            "vigilance_drug": judgement,
            "vigilance_category": judgement,
            "vigilance_critic": self._reviews,
        }
        super().__init__(scripted)
        self.taken: dict[tuple[str, str], float] = defaultdict(float)
        self._second = second

    async def converse(
        self, role: str, messages: Sequence[Message], tools: Any = (), form: Any = None
    ) -> Turn:
        """An answer after its time."""
        chance = hashlib.sha256(f"{role}{[one.text for one in messages]}".encode()).digest()[0]
        self.taken[_about(messages[0].text)] += 1 + chance % 8
        await asyncio.sleep((1 + chance % 8) * self._second)
        return await super().converse(role, messages, tools, form)

    def _reviews(self, call: Call) -> str:
        name, outcome = _about(call.system)
        again = "who=" not in call.user and (len(name) + len(outcome)) % 3 == 0
        return json.dumps({"verdict": "revise" if again else "accept", "points": ["Say how often."] * again})


def _about(system: str) -> tuple[str, str]:
    """The drug or class and the outcome that a prompt speaks of."""
    return next(one for one in KNOWN if one in system), next(one for one in OUTCOMES if one in system)
