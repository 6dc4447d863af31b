"""Slack, Redis, one database, the bot and the network between them; workers are started by the tests."""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest
import redis

from tests.journey.database import shared_database
from tests.journey.gate import Gate
from tests.journey.slack import LOCAL, Network, Workspace, served, workspace
from tests.journey.team import ROLES, Team, write_archive
from tests.journey.waiting import free_port
from tests.support.services import redis_url


@dataclass
class Place:
    """Everything a test of the journey touches."""

    slack: Workspace
    network: Network
    team: Team
    gate: Gate
    running: ExitStack
    """The bot's process."""

    def start_bot(self) -> None:
        self.running.enter_context(self.team.bot(self.network.bot))

    def end_bot(self, signal_number: int) -> None:
        self.team.bots[-1].send_signal(signal_number)
        self.running.close()


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    url, folder = redis_url(), tmp_path_factory.mktemp("team")
    with redis.Redis.from_url(url) as client:
        client.flushdb()
    between, bot, model = free_port(), free_port(), free_port()
    with ExitStack() as stack:
        slack = stack.enter_context(workspace(f"{LOCAL}:{between}/slack/events"))
        network, gate = Network(slack.url, f"{LOCAL}:{bot}"), Gate()
        stack.enter_context(served(network.app(), between))
        stack.enter_context(served(gate.app(), model))
        database = stack.enter_context(shared_database(folder))
        team = Team(folder, settings(folder, database, url, between, bot, model))
        write_archive(folder / "archive")
        team.pestle("ingest", str(folder / "archive"))
        place = Place(slack, network, team, gate, stack.enter_context(ExitStack()))
        place.start_bot()
        yield place
    assert network.faults == []


def settings(
    folder: Path, database: str, redis_at: str, between: int, bot: int, model: int
) -> dict[str, str]:
    return {
        "PESTLE_DATABASE_URL": database,
        "PESTLE_HOME": str(folder / "home"),
        "PESTLE_REDIS_URL": redis_at,
        "PESTLE_SLACK_BOT_TOKEN": "xoxb-bot",
        "PESTLE_SLACK_SIGNING_SECRET": "shhh",
        "PESTLE_SLACK_BASE_URL": f"{LOCAL}:{between}/api/",
        "PESTLE_SLACK_PORT": str(bot),
        "PESTLE_RUN_LEASE": "3",
        "PESTLE_MODEL_BASE_URL": f"{LOCAL}:{model}/v1",
        "PESTLE_MODEL_NAME": "any",
        "PESTLE_MODEL_ROLES": ",".join(f"{role}={role}" for role in ROLES),
    }


@pytest.fixture(autouse=True)
def quiet(place: Place) -> None:
    """Each test begins with a network that works and an open gate."""
    place.gate.open()
    place.network.busy.clear()
    place.network.lost.clear()
