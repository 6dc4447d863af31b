"""Which kind of run a message is for."""

import asyncio
from collections.abc import Sequence

from agents.house import House
from agents.kinds import (
    AnyKind,
    Certainty,
    Kinds,
    RunKind,
    ThreadContext,
    Understood,
    UserMessage,
    Work,
)
from agents.reports.values import Report
from agents.runs.pipeline import new_run
from agents.runs.records import RunRecord
from bot.routing import Doubt, Routed, Router


def kind(name: str, **certain: Certainty) -> AnyKind:
    """A kind that is this certain of messages with these words; any other message is not for it."""

    def understand(message: UserMessage, thread: ThreadContext[str, str]) -> Understood[str] | None:
        found = [certainty for word, certainty in certain.items() if word in message.text]
        if message.asked_for:
            return Understood(message.text, Certainty.SURE)
        return Understood(message.text, max(found)) if found else None

    def never(house: House) -> "type[Work[str, str]]":
        raise AssertionError("no run is started here")

    return RunKind(
        name,
        name.title(),
        str,
        str,
        understand,
        asked=str,
        report=lambda text: Report(text, "Done", text, True),
        open=never,
        commands=(f"{name}-please",),
    )


POSSIBLE, LIKELY, SURE = Certainty.POSSIBLE, Certainty.LIKELY, Certainty.SURE
ARCHIVE = kind("archive", what=POSSIBLE, report=LIKELY)
SAFETY = kind("safety", target=SURE, report=LIKELY)
KINDS = Kinds([ARCHIVE, SAFETY])


async def routed(
    text: str, *earlier: str, router: Router | None = None, named: str = ""
) -> Routed | Doubt | None:
    records: list[RunRecord] = [new_run(name, "earlier") for name in earlier]
    return await (router or Router(KINDS)).route(text, "ada", {}, records, named=named)


async def name_of(text: str, *earlier: str, router: Router | None = None) -> str:
    found = await routed(text, *earlier, router=router)
    assert isinstance(found, Routed)
    return found.kind.name


async def test_a_command_word_decides_and_is_taken_off() -> None:
    found = await routed("/safety-please: what is known", "archive")
    assert found == Routed(SAFETY, "what is known")


async def test_the_threads_kind_goes_on() -> None:
    assert await name_of("what of the report", "safety") == "safety"
    assert await name_of("what of the report", "archive") == "archive"


async def test_a_sure_kind_takes_over_from_one_that_takes_anything() -> None:
    assert await name_of("what is the target", "archive") == "safety"


async def test_the_surest_kind_is_taken_in_a_new_thread() -> None:
    assert await name_of("what is the target") == "safety"
    assert await name_of("what is it") == "archive"


async def test_nobody_understands() -> None:
    assert await routed("good morning") is None


async def test_two_equally_sure_kinds_are_a_doubt() -> None:
    assert await routed("the report") == Doubt((ARCHIVE, SAFETY))


async def test_who_was_asked_decides() -> None:
    assert await routed("the report", named="safety") == Routed(SAFETY, "the report")


async def test_a_chooser_decides_a_doubt_and_nothing_else() -> None:
    asked = []

    async def safety(text: str, kinds: Sequence[AnyKind]) -> str:
        asked.append(text)
        return "safety"

    router = Router(KINDS, safety)
    assert await name_of("the report", router=router) == "safety"
    assert await name_of("what is it", router=router) == "archive"
    assert asked == ["the report"]


async def test_a_chooser_that_fails_or_is_slow_leaves_the_doubt_to_the_user() -> None:
    async def broken(text: str, kinds: Sequence[AnyKind]) -> str:
        raise ConnectionError("away")

    async def slow(text: str, kinds: Sequence[AnyKind]) -> str:
        await asyncio.sleep(60)
        return "safety"

    for chooser in (broken, slow):
        router = Router(KINDS, chooser, seconds=0.05)
        assert isinstance(await routed("the report", router=router), Doubt)


def test_an_unknown_kind_of_an_earlier_version_is_passed_over() -> None:
    assert asyncio.run(name_of("what is it", "long-gone")) == "archive"
