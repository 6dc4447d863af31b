"""Hooks: citations are checked, and findings compressed."""

import pytest

from agents.evidence.memory import EvidenceMemory
from agents.minds.agent import run_agent
from agents.minds.compression import SENTENCE, SUMMARY, compress, shorten
from agents.minds.hooks import Hook, check_citations, compress_findings
from agents.minds.work import AgentResult, Ports, Sentence, Summary
from agents.runs.memory import trial_run
from agents.scripted import Call, ScriptedModel
from agents.trust.values import Claim, Verdict
from tests.agents.minds.agents import TASK, Labels, agent, look_up, says
from tests.agents.trust.builders import remember

ALPHA = "Angioedema occurred in 3 of 100 patients on alpha."


async def carried(played: ScriptedModel, *hooks: Hook) -> AgentResult:
    return await run_agent(
        await trial_run(), agent(Labels(), hooks=hooks), TASK, EvidenceMemory(), Ports(played)
    )


async def test_claims_are_held_to_what_they_cite() -> None:
    answer = says(
        (ALPHA, "E1"),
        ("Angioedema occurred in 3 of 100 patients at 40 mg.", "E1"),
        ("Alpha is safe.", "E77"),
    )
    played = ScriptedModel({"research": [look_up("alpha"), answer]})

    result = await carried(played, check_citations)

    assert [claim.verdict for claim in result.claims] == [
        Verdict.SUPPORTED,
        Verdict.UNSUPPORTED,
        Verdict.UNSUPPORTED,
    ]
    assert result.shown == result.claims[:1]
    assert result.notes == (
        "2 statement(s) of angioedema were left out: their evidence does not carry them.",
    )


CLAIMS = (
    Claim(ALPHA, ("E1",), verdict=Verdict.SUPPORTED),
    Claim("It is rare.", ("E2",), verdict=Verdict.PARTLY),
)
EVIDENCE = remember(ALPHA, "Angioedema is rare.").dump()
MANY = (*CLAIMS, *(Claim(f"{'Angioedema is rare. ' * 12}", ("E2",)) for _ in range(10)))
"""More than fits a summary."""


async def test_claims_that_are_short_together_are_their_own_summary_without_a_call() -> None:
    unasked = ScriptedModel({})

    made = await compress(unasked, CLAIMS, EVIDENCE)

    assert made.value == Summary(tuple(Sentence(claim.text, claim.keys) for claim in CLAIMS))
    assert not made.why_fallen_back
    assert not unasked.calls


async def test_a_model_writes_the_summary_and_every_sentence_keeps_its_keys() -> None:
    def shorter(call: Call) -> object:
        return {"sentences": [{"text": "3 of 100 on alpha had angioedema.", "keys": ["C1", "C99"]}]}

    made = await compress(ScriptedModel({"compress": shorter}), MANY, EVIDENCE)  # type: ignore[dict-item]

    assert made.value == Summary((Sentence("3 of 100 on alpha had angioedema.", ("E1",)),), "scripted")
    assert made.value.text == "- 3 of 100 on alpha had angioedema. [E1]"


@pytest.mark.parametrize(
    "sentence",
    [
        {"text": "Alpha is safe.", "keys": []},
        {"text": "Alpha is safe.", "keys": ["E1"]},
        {"text": "It occurred at 40 mg.", "keys": ["C1"]},
    ],
)
async def test_a_summary_that_its_evidence_does_not_carry_gives_way_to_the_claims(sentence: object) -> None:
    made = await compress(ScriptedModel({"compress": [{"sentences": [sentence]}]}), MANY, EVIDENCE)

    assert made.value == shorten(MANY)
    assert made.why_fallen_back


def test_claims_are_shortened_at_a_word_and_as_many_as_fit() -> None:
    long = Claim("word " * 200, ("E1",))
    summary = shorten([long, long, *(Claim(f"{n} {'x' * 250}", (f"E{n}",)) for n in range(2, 20))])

    assert summary.sentences[0].text.endswith("word…")
    assert all(len(sentence.text) <= SENTENCE for sentence in summary.sentences)
    assert SUMMARY - SENTENCE < sum(len(sentence.text) for sentence in summary.sentences) <= SUMMARY
    assert [sentence.keys for sentence in summary.sentences[:3]] == [("E1",), ("E2",), ("E3",)]


async def test_hooks_compose_only_what_was_checked_is_compressed() -> None:
    answer = says((ALPHA, "E1"), ("Alpha is safe.", "E77"))
    played = ScriptedModel({"research": [look_up("alpha"), answer]})

    result = await carried(played, check_citations, compress_findings)

    assert result.summary == Summary((Sentence(ALPHA, ("E1",)),))
