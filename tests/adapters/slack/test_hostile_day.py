"""A bot and workers as real processes on a bad day: Slack forbids every post, and runs wait for long."""

import asyncio
import json
import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
import redis
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from tests.adapters.slack.far_end import BOT_USER, FarEnd
from tests.adapters.slack.sender import SECRET, Sender
from tests.journey.database import shared_database
from tests.journey.gate import Gate
from tests.journey.slack import LOCAL, served
from tests.journey.team import PESTLE, ROLES, Team, write_archive
from tests.journey.waiting import free_port, wait_for
from tests.support.services import redis_url

pytestmark = [pytest.mark.service("redis"), pytest.mark.timeout(300)]

QUESTION = "What was the NOAEL of QX-201 in rats?"
PATIENCE_S = 120.0
MESSAGES = "dramatiq:pipeline.msgs"
"""Where the queue keeps each message that nobody has finished."""
RUNS = 8
NEGLECTED_S = 26
"""Longer than a run may wait before a sweeper looks after it."""


class Forbidding(FarEnd):
    """Slack that may refuse what is posted."""

    forbids = False

    async def call(self, request: Request) -> Response:
        if self.forbids and request.path_params["method"].startswith("chat."):
            return PlainTextResponse("forbidden", 403)
        return await super().call(request)


@dataclass
class Day:
    """Everything that a test of the day touches."""

    slack: Forbidding
    gate: Gate
    team: Team
    environment: dict[str, str]
    bot: str
    queue: "redis.Redis[bytes]"

    def ask(self, *stamps: str) -> None:
        """Ask the question as these messages; each is acknowledged."""

        async def send() -> None:
            async with httpx.AsyncClient(base_url=self.bot, timeout=30) as client:
                for stamp in stamps:
                    text = f"<@{BOT_USER}> {QUESTION}"
                    answer = await Sender(client).event(type="app_mention", ts=stamp, text=text)
                    assert answer.status_code == 200

        asyncio.run(send())

    def pestle(self, *arguments: str) -> str:
        """What a command prints."""
        environment = {**os.environ, **self.environment}
        return subprocess.run(
            [PESTLE, *arguments], env=environment, check=True, capture_output=True, text=True, timeout=120
        ).stdout

    def runs(self) -> list[dict[str, Any]]:
        listed: list[dict[str, Any]] = json.loads(self.pestle("runs", "--json"))
        return listed

    def shown(self) -> list[str]:
        return [str(message["text"]) for message in list(self.slack.messages.values())]


@pytest.fixture
def day(tmp_path: Path) -> Iterator[Day]:
    url = redis_url()
    client = redis.Redis.from_url(url)
    client.flushdb()
    slack, gate = Forbidding(), Gate()
    far, model, bot = free_port(), free_port(), free_port()
    with ExitStack() as stack:
        stack.callback(client.close)
        app = Starlette(routes=[Route("/api/{method}", slack.call, methods=["POST"])])
        stack.enter_context(served(app, far))
        stack.enter_context(served(gate.app(), model))
        environment = {
            "PESTLE_DATABASE_URL": stack.enter_context(shared_database(tmp_path)),
            "PESTLE_HOME": str(tmp_path / "home"),
            "PESTLE_REDIS_URL": url,
            "PESTLE_SLACK_BOT_TOKEN": "xoxb-bot",
            "PESTLE_SLACK_SIGNING_SECRET": SECRET,
            "PESTLE_SLACK_BASE_URL": f"{LOCAL}:{far}/api/",
            "PESTLE_SLACK_PORT": str(bot),
            "PESTLE_MODEL_BASE_URL": f"{LOCAL}:{model}/v1",
            "PESTLE_MODEL_NAME": "any",
            "PESTLE_MODEL_ROLES": ",".join(f"{role}={role}" for role in ROLES),
        }
        team = Team(tmp_path, environment)
        write_archive(tmp_path / "archive")
        team.pestle("ingest", str(tmp_path / "archive"))
        stack.callback(gate.open)
        stack.enter_context(team.bot(f"{LOCAL}:{bot}"))
        yield Day(slack, gate, team, environment, f"{LOCAL}:{bot}", client)


@pytest.mark.drill
def test_an_answer_that_slack_forbids_is_kept_told_and_posted_on_command(day: Day) -> None:
    day.slack.forbids = True
    day.ask("10.1")
    with day.team.process("worker"):
        wait_for(lambda: all(run["state"] == "done" for run in day.runs()), PATIENCE_S, "the run to end")
        [run] = wait_for(lambda: [one for one in day.runs() if one["unposted"]], 30, "a refusal to be told")
    assert day.shown() == []

    def told() -> str:
        """What `pestle runs` prints; while a card is tried again it is not called refused."""
        return " ".join(day.pestle("runs").split())

    wait_for(lambda: "not posted. Slack refused chat.postMessage: 403." in told(), 30, "a refusal in `runs`")
    assert f"pestle run post {run['run_id']}" in told()
    day.slack.forbids = False
    day.pestle("run", "post", run["run_id"])
    wait_for(lambda: any("15 mg/kg" in text for text in day.shown()), 30, "the answer to be posted")
    assert sum("15 mg/kg" in text for text in day.shown()) == 1
    assert [one["unposted"] for one in day.runs()] == [[]]


@pytest.mark.drill
def test_a_run_that_waits_for_long_has_one_message_in_the_queue(day: Day) -> None:
    day.gate.shut(*ROLES)
    with day.team.process("worker", "--threads", "1"), day.team.process("worker", "--threads", "1"):
        wait_for(lambda: day.queue.hlen(MESSAGES) == 0, 30, "an empty queue")
        day.ask(*(f"{number}.1" for number in range(1, RUNS + 1)))
        most, until = 0, time.monotonic() + NEGLECTED_S
        while time.monotonic() < until:
            most = max(most, int(day.queue.hlen(MESSAGES)))
            time.sleep(0.2)
        assert most == RUNS
        day.gate.open()
        wait_for(lambda: day.queue.hlen(MESSAGES) == 0, PATIENCE_S, "all runs to end")
    assert [run["state"] for run in day.runs()] == ["done"] * RUNS
