"""No question takes more than forty calls of a model, whatever the model does."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agents.archive.pipeline import MOST_CALLS
from agents.minds.talk import LAST_WORDS
from agents.trust.entail import ModelEntailment
from tests.agents.archive.world import archive, ask
from tests.support.scripted import Call, ScriptedModel, calls

MANY = {
    f"M{number}": f"# MX-{number}{number}{number}: multiple dose study\n\nPhase I clinical study report.\n"
    f"Volunteers received {number + 1}0 mg MX-{number}{number}{number} orally twice daily for 14 days.\n"
    f"A serious adverse event occurred at {number + 1}0 mg MX-{number}{number}{number}.\n"
    for number in range(1, 10)
}
TYPES = ["regimen", "highest_dose", "highest_dose_with_sae", "route"]
COMPARED = (
    "Compare the treatment regimen, the highest dose in Phase I, the highest dose with serious adverse "
    f"events and the route of administration of {', '.join(f'MX-{n}{n}{n}' for n in range(1, 10))}."
)


def judged_unreadably(call: Call) -> dict[str, object]:
    """A judge that leaves out every claim, so that each is judged alone."""
    if "judgements" in call.schema.lower():
        return {"judgements": []}
    return {"verdict": "supported", "quote": "", "reason": "so"}


def reads(call: Call) -> dict[str, object]:
    """Answers every type with statements that no passage says word for word."""
    key = re.findall(r'key="(E\d+)"', call.messages[1].text)[0]
    told = [
        {"text": f"It was given, {n}.", "keys": [key], "quotes": ["orally twice daily"]} for n in range(8)
    ]
    return {
        "answers": [
            {"type": t, "outcome": "answered", "short": "twice daily", "statements": told} for t in TYPES
        ]
    }


def never_done(call: Call) -> Any:
    """Searches for ever."""
    return calls(*(("look", {"keep": [], "query": f"dose {len(call.messages)} {n}"}) for n in range(4)))


@pytest.mark.parametrize("research", [reads, never_done, "nonsense"])
@pytest.mark.parametrize("question", [COMPARED, "Who wrote the reports of MX-111, MX-222 and MX-333?"])
async def test_forty_calls_are_the_most(tmp_path: Path, research: Any, question: str) -> None:
    model = ScriptedModel(
        {
            "classify": lambda call: {"domains": ["clinical"], "question_types": TYPES},
            "research": (lambda call: research) if isinstance(research, str) else research,
            "entail": judged_unreadably,
        }
    )
    tools = await archive(tmp_path / "docs", MANY, model)

    answer = await ask(replace(tools, entailment=ModelEntailment(model)), question)

    assert 0 < len(model.calls) <= MOST_CALLS
    assert answer.short


async def test_a_comparison_reads_each_molecule_in_one_call(tmp_path: Path) -> None:
    model = ScriptedModel(
        {
            "classify": lambda call: {"domains": ["clinical"], "question_types": TYPES},
            "research": reads,
        }
    )
    tools = await archive(tmp_path / "docs", MANY, model)

    await ask(tools, COMPARED)

    asked = [call for call in model.calls if call.role == "research"]
    assert len(asked) == len(MANY)
    assert not any("look" in call.messages[0].text or LAST_WORDS in call.messages[-1].text for call in asked)
