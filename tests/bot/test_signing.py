"""Who may sign: everybody while nobody is an expert, then experts alone, however it is said."""

from dataclasses import replace

import pytest

from bot.intake import Intake
from bot.rights import EXPERT, Policy, Readers
from bot.values import Incoming, ThreadRef, answer_slot
from tests.bot.test_editor import answered, shown
from tests.bot.world import THREAD, World


class Policies:
    """`bot.rights.Policies` in memory."""

    def __init__(self) -> None:
        self.policy = Policy()

    async def current(self) -> Policy:
        return self.policy

    async def change(self, policy: Policy, by: str) -> bool:
        self.policy = policy
        return True


async def signing() -> tuple[World, Policies, str]:
    """A world with an answer, in which only experts sign once there are any; the answer's message."""
    world, _, run_id = await answered()
    policies = Policies()
    readers = Readers(policies, world.conversations, {})
    world.intake = Intake(replace(world.rooms, may_sign=readers.may_sign))
    await world.shown()
    return world, policies, world.message_of(answer_slot(run_id))


async def accept(world: World, how: str, message: str, user: str = "ada") -> None:
    if how == "emoji":
        await world.react("white_check_mark", message, user=user)
    elif how == "button":
        run_id = (await world.ledger.runs())[0].run_id
        await world.intake.receive(Incoming(f"b{user}", THREAD, user, "", "accept", f"{run_id} answer"))
    else:
        await world.say(how, user=user)


@pytest.mark.parametrize("how", ["accept", "sign off", "emoji", "button"])
async def test_only_experts_sign_once_there_are_any(how: str) -> None:
    world, policies, message = await signing()
    policies.policy = Policy().granting(EXPERT, "wall:bea")
    await accept(world, how, message)
    assert "accepted" not in (await shown(world)).footer
    (told,) = [one for one in await world.shown() if "wall:ada" in one.text]
    assert "you, wall:ada, are none" in told.text
    assert "`pestle access grant expert wall:ada`" in told.text
    await accept(world, how, message, "bea")
    assert "accepted (bea" in (await shown(world)).footer


@pytest.mark.parametrize("who", ["wall:ada", "group:chemists", "everybody"])
async def test_an_expert_is_named_as_a_reader_is(who: str) -> None:
    world, policies, message = await signing()
    policies.policy = Policy().grouped("chemists", ("wall:ada",)).granting(EXPERT, who)
    await accept(world, "accept", message)
    assert "accepted (ada" in (await shown(world)).footer


async def test_who_may_not_sign_may_not_unlock_either_and_may_edit_what_is_open() -> None:
    world, policies, _ = await signing()
    await world.say("lock")
    policies.policy = Policy().granting(EXPERT, "wall:bea")
    await world.say("unlock")
    assert "locked (ada" in (await shown(world)).footer
    await world.say("unlock", user="bea")
    await world.say("edit: Other words.")
    assert "locked" not in (await shown(world)).footer
    assert "Other words." in (await shown(world)).text


async def test_who_has_the_files_at_hand_signs_whoever_else_may() -> None:
    policies = Policies()
    policies.policy = Policy().granting(EXPERT, "web:bea")
    readers = Readers(policies, World().conversations, {})
    assert await readers.may_sign(ThreadRef("cli-x", "terminal", "x"), "root")
    assert not await readers.may_sign(ThreadRef("web", "archive", "1"), "ada")
    assert not await readers.may_sign(ThreadRef("slack", "C1", "1"), "bea")
    assert not await readers.may_sign(ThreadRef("web", "archive", "1"), "")
