"""Runs handed over through Redis by name, and what happens when Redis is away."""

import subprocess
import sys

import pytest
from dramatiq.brokers.redis import RedisBroker

from bot.errors import QueueDown
from tests.support.services import redis_url
from workers.names import PIPELINE_QUEUE, RUN_ACTOR
from workers.queue import RedisQueue


async def test_redis_away_is_said_so() -> None:
    queue = RedisQueue.at("redis://127.0.0.1:1/0")
    with pytest.raises(QueueDown, match="Redis cannot be reached"):
        await queue.enqueue("r1")
    await queue.close()


@pytest.mark.service("redis")
async def test_a_message_names_queue_and_actor_and_carries_the_id_only() -> None:
    url, namespace = redis_url(), "pestle-test-queue"
    queue = RedisQueue.at(url, namespace)
    await queue.enqueue("r1")
    await queue.close()
    broker: RedisBroker = RedisBroker(url=url, namespace=namespace, middleware=[])  # type: ignore[no-untyped-call]
    consumer = broker.consume(PIPELINE_QUEUE, timeout=1000)
    message = next(consumer)
    assert message is not None
    assert (message.actor_name, message.args, message.kwargs) == (RUN_ACTOR, ("r1",), {})
    consumer.ack(message)
    consumer.close()
    broker.flush(PIPELINE_QUEUE)
    broker.client.connection_pool.disconnect()


@pytest.mark.service("redis")
async def test_each_queue_has_its_messages_and_tells_how_many_nobody_has_fetched() -> None:
    url, namespace = redis_url(), "pestle-test-queue"
    queue = RedisQueue.at(url, namespace)
    broker: RedisBroker = RedisBroker(url=url, namespace=namespace, middleware=[])  # type: ignore[no-untyped-call]
    for run_id in ("r1", "r2"):
        await queue.enqueue(run_id, "chat")
    assert (await queue.backlog("chat"), await queue.backlog()) == (2, 0)
    consumer = broker.consume("chat", timeout=1000)
    message = next(consumer)
    assert message is not None
    assert message.args == ("r1",)
    assert await queue.backlog("chat") == 1, "a message that a worker works on waits no more"
    consumer.ack(message)
    consumer.close()
    await queue.close()
    broker.flush("chat")
    broker.client.connection_pool.disconnect()


@pytest.mark.service("redis")
async def test_a_closed_queue_has_no_connection_left() -> None:
    broker: RedisBroker = RedisBroker(url=redis_url(), namespace="pestle-test-queue", middleware=[])  # type: ignore[no-untyped-call]
    queue = RedisQueue(broker)
    await queue.backlog()
    [connection] = broker.client.connection_pool._available_connections
    assert connection.is_connected
    await queue.close()
    assert not connection.is_connected


async def test_backlog_of_a_redis_that_is_away_is_said_so() -> None:
    queue = RedisQueue.at("redis://127.0.0.1:1/0")
    with pytest.raises(QueueDown):
        await queue.backlog()
    await queue.close()


def test_the_bot_process_needs_no_worker_code() -> None:
    code = (
        "import sys; import workers.queue, adapters.slack.serve, adapters.slack.serve; "
        "print({'workers.main', 'workers.actors', 'torch', 'numpy'} & {*sys.modules})"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "set()"
