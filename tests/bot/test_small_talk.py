"""Thanks, greetings and leave-taking get a short reply; questions never do."""

import pytest

from bot.intake import Intake
from bot.small_talk import is_farewell, small_talk
from bot.values import CardKind, CommandName, Incoming
from tests.bot.world import THREAD, World


@pytest.mark.parametrize(
    "text",
    [
        "thanks",
        "Thank you very much!",
        "ok, thanks",
        "Hello!",
        "good morning",
        "hi there :)",
        "bye",
        "exit",
        "who are you?",
        "hi, what can you do?",
        "Hello Pestle! What can I ask you?",
        "how does this work?",
        "great",
        "that was helpful",
        "danke",
        "Hallo, was kannst du?",
        "Bonjour, qu'est-ce que tu peux faire ?",
        "¿Qué puedes hacer?",
        "ciao, cosa puoi fare?",
        "o que você pode fazer?",
    ],
)
def test_small_talk_is_answered_at_once(text: str) -> None:
    assert small_talk(text)


@pytest.mark.parametrize(
    "text",
    [
        "Thanks to whom was the study finished?",
        "good laboratory practice: was it followed?",
        "what is the exit criterion?",
        "hello, what was the dose of VX-12?",
        "is it good?",
        "great apes were used in which study?",
        "who are the authors?",
        "hi, what can be done about nausea?",
        "what can you do about the nausea in dogs?",
        "",
    ],
)
def test_a_question_is_no_small_talk(text: str) -> None:
    assert small_talk(text) == ""


def test_leave_is_told_from_thanks() -> None:
    assert is_farewell("Goodbye!")
    assert not is_farewell("Thanks!")


async def test_who_greets_is_offered_questions_that_can_be_answered() -> None:
    world = World()

    async def starters() -> tuple[str, ...]:
        return ("What was the highest dose of QB-710?",)

    world.intake = Intake(world.rooms, starters=starters)
    for number, text in enumerate(("Hi, what can you do?", "thanks")):
        await world.intake.receive(Incoming(f"e-{number}", THREAD, "ada", text))
    greeted, thanked = await world.shown()
    assert [button.label for button in greeted.buttons] == ["What was the highest dose of QB-710?"]
    assert not thanked.buttons

    (button,) = greeted.buttons
    pressed = Incoming("e-press", THREAD, "ada", "", button.action, button.value)
    assert (await world.intake.receive(pressed)).run_id


async def test_thanks_start_no_run_and_are_answered_once() -> None:
    world = World()
    said = Incoming("e-thanks", THREAD, "ada", "thank you!")
    receipts = [await world.intake.receive(said) for _ in range(2)]
    assert [receipt.command for receipt in receipts] == [CommandName.TALK] * 2
    assert [receipt.duplicate for receipt in receipts] == [False, True]
    assert await world.ledger.runs() == []
    (card,) = await world.shown()
    assert (card.kind, card.text) == (CardKind.NOTICE, "You are welcome.")
