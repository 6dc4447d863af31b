"""With a model: agents with critics judge; what they cite stands in the labels; rules where they fail."""

import json
import re
from dataclasses import replace

import pytest

from agents.errors import ModelUnavailable
from agents.kinds import UNFOLLOWED, Guidance
from agents.reports.gate import gated
from agents.vigilance.kind import KIND
from agents.vigilance.values import Effect, Strength
from tests.agents.vigilance.kit import LABELLED, assessed, desk, ordered, world
from tests.support.scripted import Answer, Call, ScriptedModel, calls

KEYED = re.compile(r'<data key="(E\d+)"[^>]*>\n([^\n]+)')
QUESTION = "warfarin: bleeding"
CLASS = "ACE inhibitors: angioedema"


def judgement(call: Call, **more: object) -> str:
    """Cites the first passage that it was given, and makes a number up."""
    given = [found for message in call.messages for found in KEYED.findall(message.text)]
    key, text = given[0] if given else ("E77", "nothing")
    stated = {"text": text, "keys": [key], "quotes": [text]}
    made_up = {"text": "It killed 777 patients.", "keys": [key]}
    return json.dumps(
        {"statements": [stated, made_up], "label": "increase", "confidence": 0.9, "p_harm": 0.95}
        | {"p_benefit": 0.01, "evidence": "strong", "frequency": "common"}
        | more
    )


def accepts(call: Call) -> str:
    return json.dumps({"verdict": "accept"})


def model(**answers: object) -> ScriptedModel:
    default: dict[str, object] = {
        "vigilance_drug": judgement,
        "vigilance_category": judgement,
        "vigilance_critic": accepts,
        "check": lambda call: json.dumps({"verdicts": []}),
    }
    return ScriptedModel(default | answers)  # type: ignore[arg-type]


async def test_agents_judge_and_only_what_stands_is_shown() -> None:
    made = await assessed(replace(ordered(QUESTION), critics=True), desk(model=model()))
    (cell,) = made.cells
    assert (cell.effect, cell.confidence, cell.strength, cell.by) == (
        Effect.INCREASE,
        0.9,
        Strength.STRONG,
        "scripted",
    )
    shown = KIND.report(made)
    told = [one.text for one in shown.sections[0].statements]
    assert told == ["Warfarin sodium can cause major or fatal bleeding."]
    assert "777" not in str(shown)
    assert "Judged by the language model scripted, whose numbers are not calibrated." in str(shown)
    assert [said.who for said in cell.drugs[0].dialog] == ["DrugAgent/warfarin/bleeding", "critic"]
    assert all(one.citations for one in shown.sections[0].statements)


@pytest.mark.parametrize("number", ["７７７", "⑦⑦⑦", "٧٧٧", "seven hundred and seventy-seven", "7\u200b77"])
async def test_a_made_up_number_is_not_shown_in_any_writing(number: str) -> None:
    def lies(call: Call) -> str:
        return judgement(call).replace("777", number)

    made = await assessed(QUESTION, desk(model=model(vigilance_drug=lies, vigilance_category=lies)))
    assert "killed" not in str(KIND.report(made))


async def test_agents_read_what_the_channel_wants_and_rules_say_that_they_do_not() -> None:
    wishes = (Guidance("", "Name the incidence first."),)
    order, mind = replace(ordered(CLASS), guidance=wishes), model()
    await assessed(order, desk(model=mind))
    read = [call for call in mind.calls if call.role in ("vigilance_drug", "vigilance_category")]
    assert read
    assert all("<instructions>\nName the incidence first." in call.messages[1].text for call in read)
    assert UNFOLLOWED in KIND.report(await assessed(order)).notes
    assert UNFOLLOWED not in KIND.report(await assessed(CLASS)).notes


async def test_a_critic_is_heard_and_after_five_rounds_its_points_become_a_note() -> None:
    points = json.dumps({"verdict": "revise", "points": ["Say how often."]})
    order = replace(ordered(CLASS), critics=True)
    made = await assessed(order, desk(model=model(vigilance_critic=lambda call: points)))
    (cell,) = made.cells
    assert sum(said.who == "critic" for said in cell.dialog) == 5
    assert any("Say how often." in note for note in cell.notes)


async def test_nobody_reviews_unless_critics_are_asked_for() -> None:
    asked = model()
    made = await assessed(QUESTION, desk(model=asked))
    assert not any(call.role == "vigilance_critic" for call in asked.calls)
    assert made.cells[0].effect is Effect.INCREASE


@pytest.mark.parametrize(("critics", "answers"), [(False, 4), (True, 8)])
async def test_critics_double_the_answers_that_a_class_takes(critics: bool, answers: int) -> None:
    """`docs/results.md` tells these counts."""
    asked = model()
    await assessed(replace(ordered(CLASS), critics=critics), desk(model=asked))
    assert len(asked.calls) == answers


async def test_an_agent_searches_the_labels_and_not_in_the_label_is_an_answer() -> None:
    def searches(call: Call) -> Answer:
        if not any(message.tool_call_id for message in call.messages):
            return calls(("search_labels", {"query": "gout arthritis"}))
        assert "NO_ANSWER" in call.user
        return judgement(
            call, in_label=False, label="no-effect", evidence="none", frequency="none", statements=[]
        )

    made = await assessed(
        "warfarin: gout", desk(model=model(vigilance_drug=searches, vigilance_category=searches_not))
    )
    (cell,) = made.cells
    assert cell.drugs[0].effect is Effect.NO_EFFECT
    assert cell.drugs[0].reasons == ()
    assert cell.drugs[0].by == "scripted"


def searches_not(call: Call) -> str:
    return judgement(
        call, in_label=False, label="no-effect", evidence="none", frequency="none", statements=[]
    )


@pytest.mark.parametrize("role", ["vigilance_drug", "vigilance_category"])
async def test_where_the_model_fails_the_verdict_of_the_rules_stands_with_a_note(role: str) -> None:
    fails = [ModelUnavailable("away")] * 9
    made = await assessed(CLASS, desk(model=model(**{role: fails})))
    by_rules = await assessed(CLASS)
    (cell,), (ruled,) = made.cells, by_rules.cells
    failed = cell if role == "vigilance_category" else cell.drugs[0]
    assert failed.by == "rules"
    assert any("rules were used" in note for note in failed.notes)
    assert cell.effect is ruled.effect


async def test_the_same_question_twice_has_the_same_answer_with_a_model() -> None:
    first, second = [KIND.report(await assessed(QUESTION, desk(model=model()))) for _ in range(2)]
    assert first == second


async def test_a_class_agent_weighs_only_what_several_drugs_with_labels_leave_open() -> None:
    def roles(asked: ScriptedModel) -> list[str]:
        return [call.role for call in asked.calls if call.role == "vigilance_category"]

    one, none, several = model(), model(vigilance_drug=searches_not), model()
    single = await assessed(QUESTION, desk(model=one))
    silent = await assessed("ACE inhibitors: gout", desk(model=none))
    await assessed(CLASS, desk(model=several))

    assert (roles(one), roles(none)) == ([], [])
    assert len(roles(several)) == 1
    (cell,) = single.cells
    assert (cell.reasons, cell.confidence) == (cell.drugs[0].reasons, cell.drugs[0].confidence)
    assert [(cell.effect, cell.strength) for cell in silent.cells] == [(Effect.NO_EFFECT, Strength.NONE)]


async def test_an_agent_knows_where_the_outcome_stands_and_finds_only_what_it_was_not_given() -> None:
    def searches(call: Call) -> Answer:
        if not any(message.tool_call_id for message in call.messages):
            assert (
                "All 1 passages of 1 label(s) of warfarin were looked through (sections: boxed warning)"
                in (call.user)
            )
            assert "stand in 1 of them: E1." in call.user
            return calls(("search_labels", {"query": "fatal bleeding"}))
        replies = [message.text for message in call.messages if message.tool_call_id]
        assert "Only passages that you were given" in replies[0]
        assert "can cause major" not in replies[0]
        return judgement(call)

    made = await assessed(QUESTION, desk(model=model(vigilance_drug=searches)))
    assert made.cells[0].effect is Effect.INCREASE
    assert made.cells[0].by == "scripted"


async def test_a_model_begins_with_the_weightiest_passages() -> None:
    warned = {"drug": "WARFARIN SODIUM", "section": "warnings"}
    more = ("Bleeding is more likely within the first month of treatment.", "Bleeding gums were reported.")
    told = [*LABELLED, *(warned | {"text": f"{text} Tell your doctor of it at once."} for text in more)]
    played = ScriptedModel({"vigilance_drug": judgement, "vigilance_critic": accepts})

    made = await assessed(QUESTION, desk(world(told), played))

    (asked,) = (call for call in played.calls if call.role == "vigilance_drug")
    texts = [text for _, text in KEYED.findall(asked.user)]
    assert len(texts) == 3
    assert texts[0] == "Warfarin sodium can cause major or fatal bleeding."
    assert made.cells[0].by == "scripted"


async def test_a_reader_learns_that_a_models_confidence_is_not_calibrated_whatever_its_name() -> None:
    played = model()
    played.name = "coder-0.5b"
    shown = gated(KIND.report(await assessed(QUESTION, desk(model=played))))
    assert "coder-0.5b, whose numbers are not calibrated." in str(shown.sections[0])
