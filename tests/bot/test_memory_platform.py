"""The platform in memory keeps what it is shown."""

import pytest

from bot.errors import DeliveryDelayed
from bot.values import Card, CardKind, ThreadRef
from tests.support.memory import MemoryPlatform, Posted

THREAD = ThreadRef("memory", "general", "1")


async def test_update_replaces_the_message_in_its_place() -> None:
    platform = MemoryPlatform()
    first = await platform.post(THREAD, Card(CardKind.PROGRESS))
    second = await platform.post(THREAD, Card(CardKind.ANSWER))
    await platform.update(THREAD, first, Card(CardKind.NOTICE))
    assert platform.messages == [
        Posted(first, THREAD, Card(CardKind.NOTICE)),
        Posted(second, THREAD, Card(CardKind.ANSWER)),
    ]


async def test_failure_is_raised_once_and_nothing_is_shown() -> None:
    platform = MemoryPlatform()
    platform.failures.append(DeliveryDelayed("wait", 3))
    with pytest.raises(DeliveryDelayed):
        await platform.post(THREAD, Card(CardKind.ANSWER))
    assert platform.messages == []
    assert await platform.post(THREAD, Card(CardKind.ANSWER))
