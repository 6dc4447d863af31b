"""A narrative names claims, and rests on their evidence."""

from pathlib import Path

from agents.minds.narrative import sentences
from agents.minds.prompts import load_prompt
from agents.scripted import Call, ScriptedModel
from agents.trust.values import Claim


async def test_two_claims_over_one_passage_are_told_apart() -> None:
    def written(call: Call) -> object:
        assert 'key="C2"' in call.user
        told = {"text": "Both went away.", "keys": ["C2", "C3", "E1"]}
        return {"sentences": [told, {"text": "It was mild.", "keys": ["E1"]}]}

    claims = [Claim("Mild.", ("E1",)), Claim("Transient.", ("E1",)), Claim("Gone in a week.", ("E4",))]
    prompt = load_prompt("compress", Path("agents/minds"))
    made = await sentences(ScriptedModel({"compress": written}), prompt, claims)  # type: ignore[dict-item]

    assert made == [Claim("Both went away.", ("E1", "E4")), Claim("It was mild.", ())]
