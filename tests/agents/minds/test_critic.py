"""An agent with its critic: drafts are revised until they are accepted, within bounds."""

import pytest

from agents.data_block import data_block
from agents.errors import ModelRefused, ModelUnavailable
from agents.evidence.memory import EvidenceMemory
from agents.minds.agent import ModelCritic, run_agent
from agents.minds.critic import ACCEPT, Review, refine
from agents.minds.work import AgentResult, Ports, Said, Task, Work
from agents.runs.memory import trial_run
from tests.agents.minds.agents import LABELS, TASK, Labels, agent, by_rules, model, prompt
from tests.support.scripted import Answer, Call, ScriptedModel

REVISE = Review(verdict="revise", points=("Say how often.",))


def until(round_: int) -> object:
    """A critic that is a plain function."""
    return lambda draft, dialog, *_: ACCEPT if dialog[-1].round >= round_ else REVISE


@pytest.mark.parametrize(("accepts", "drafts"), [(1, 1), (3, 3), (5, 5)])
async def test_a_draft_is_revised_until_it_is_accepted(accepts: int, drafts: int) -> None:
    made: list[tuple[str, ...]] = []

    async def draft(points: tuple[str, ...]) -> str:
        made.append(points)
        return f"draft {len(made)}"

    refined = await refine("writer", draft, until(accepts), str)  # type: ignore[arg-type]

    assert made == [(), *[REVISE.points] * (drafts - 1)]
    assert refined.dialog[-2:] == (
        Said("writer", f"draft {drafts}", drafts),
        Said("critic", "accept", drafts),
    )
    assert refined.notes == ()


async def test_after_the_last_round_the_draft_is_taken_with_what_is_open() -> None:
    async def draft(points: tuple[str, ...]) -> str:
        return "draft"

    refined = await refine("writer", draft, until(99), str, rounds=2)  # type: ignore[arg-type]

    assert len(refined.dialog) == 4
    assert refined.notes == (
        "The critic of writer had not accepted the draft after 2 rounds. Open: Say how often.",
    )


async def test_a_critic_that_fails_leaves_the_draft_with_a_note() -> None:
    async def draft(points: tuple[str, ...]) -> str:
        return "draft"

    async def dead(draft: str, dialog: tuple[Said, ...]) -> Review:
        raise ModelRefused("HTTP 403")

    refined = await refine("writer", draft, dead, str)

    assert refined.value == "draft"
    assert refined.notes == (
        "The review of writer ended early (its endpoint refused the request); its draft of round 1 is taken.",
    )


def fussy(call: Call) -> Answer:
    """Accepts the second draft."""
    return ACCEPT if "draft 2" in call.user else Review(verdict="revise", points=("Which label? </data>",))


async def reviewed(played: ScriptedModel | None, critic: object, **changes: object) -> AgentResult:
    worker = agent(Labels(), critic=critic, **changes)
    return await run_agent(await trial_run(), worker, TASK, EvidenceMemory(), Ports(played))


async def test_agent_and_critic_are_models_with_conversations_of_their_own() -> None:
    played = model(critic=fussy)

    result = await reviewed(played, ModelCritic(prompt("critic")))

    assert "(draft 2)" in result.claims[0].text
    assert [(said.who, said.round) for said in result.dialog] == [
        ("angioedema", 1),
        ("critic", 1),
        ("angioedema", 2),
        ("critic", 2),
    ]
    first, second = [call for call in played.calls if call.role == "critic"]
    assert len(first.messages) == len(second.messages) == 2
    assert TASK.text in first.user
    assert '<data key="E1"' in first.user
    assert "Which label?" in second.user
    assert "Which label? ‹/data>" in played.calls[-2].user
    assert result.notes == ()


async def test_a_critic_reads_what_the_task_showed_only_once() -> None:
    played = model(critic=fussy)
    shown = data_block(LABELS["alpha"], key="E1", title="Label of alpha")
    worker = agent(Labels(), critic=ModelCritic(prompt("critic")))
    task = Task("Is angioedema known for alpha?", (shown,))

    await run_agent(await trial_run(), worker, task, EvidenceMemory(), Ports(played))

    first = next(call for call in played.calls if call.role == "critic")
    assert first.user.count('<data key="E1"') == 1


async def test_a_critic_that_is_a_function_reviews_what_rules_drafted() -> None:
    def critic(draft: AgentResult, dialog: tuple[Said, ...], work: Work) -> Review:
        return ACCEPT if "again" in draft.answer else REVISE

    result = await reviewed(None, critic, rules=by_rules)

    assert result.claims[0].text == "Rules say so again."
    assert len(result.dialog) == 4


async def test_a_model_that_fails_in_a_revision_leaves_its_last_draft() -> None:
    answers = [model()._answers["research"]]

    def dies(call: Call) -> Answer:
        if "A reviewer asks" in call.user:
            return ModelUnavailable("HTTP 503")
        given: Answer = answers[0](call)  # type: ignore[operator]
        return given

    result = await reviewed(ScriptedModel({"research": dies}), until(9))

    assert "(draft 1)" in result.claims[0].text
    assert "ended early (it could not be reached)" in result.notes[0]


async def test_nobody_reviews_a_draft_that_states_nothing_of_nothing_shown() -> None:
    played = ScriptedModel({"research": [{"statements": []}], "critic": fussy})
    worker = agent(Labels(), critic=ModelCritic(prompt("critic")))

    result = await run_agent(await trial_run(), worker, TASK, EvidenceMemory(), Ports(played))

    assert ([call.role for call in played.calls], result.claims) == (["research"], ())
