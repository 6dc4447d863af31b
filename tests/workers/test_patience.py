"""A worker whose queue is away says so once, and once that it is back."""

import logging
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from adapters.slack.serve import health_routes
from tests.journey.waiting import free_port, wait_for
from tests.support.memory.ledger import MemoryLedger
from tests.support.services import program
from workers.broker import WorkerLoop, worker_broker
from workers.names import PIPELINE_QUEUE
from workers.queue import RedisQueue

Start = Callable[[], "subprocess.Popen[bytes]"]


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[tuple[int, Start]]:
    """A port, and what starts a Redis there."""
    port, started = free_port(), []

    def start() -> "subprocess.Popen[bytes]":
        command = [program("redis-server"), "--port", str(port), "--save", "", "--dir", str(tmp_path)]
        started.append(subprocess.Popen(command, stdout=subprocess.DEVNULL))
        return started[-1]

    yield port, start
    for one in started:
        one.kill()
        one.wait()


def test_one_line_when_the_queue_is_away_and_one_when_it_is_back(
    redis: tuple[int, Start], caplog: pytest.LogCaptureFixture
) -> None:
    port, start = redis
    broker = worker_broker(f"redis://127.0.0.1:{port}/0", WorkerLoop())
    consumers = [broker.consume(PIPELINE_QUEUE, timeout=100), broker.consume("chat", timeout=100)]
    with caplog.at_level(logging.INFO):
        until = time.monotonic() + 4
        while time.monotonic() < until:
            assert [next(one) for one in consumers] == [None, None]
        assert [line.getMessage().partition(" (")[0] for line in caplog.records] == ["The queue is away"]
        assert broker.pause >= 4
        start()
        broker.asked_again = 0.0
        wait_for(lambda: [next(one) for one in consumers] and not broker.pause, 10, "the queue to be back")
    assert [line.getMessage() for line in caplog.records][1:] == ["The queue is back."]


def test_the_health_of_a_bot_says_that_its_queue_is_away(redis: tuple[int, Start]) -> None:
    port, start = redis
    page = TestClient(
        Starlette(routes=[*health_routes(RedisQueue.at(f"redis://127.0.0.1:{port}/0"), MemoryLedger())])
    )
    away = page.get("/healthz")
    assert (away.status_code, "queue is away" in away.text) == (200, True)
    start()
    wait_for(lambda: page.get("/healthz").text == "ok", 10, "the queue to be back")
