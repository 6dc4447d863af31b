"""A chat platform, Redis, a database, the bot and the network between them; tests start the workers."""

from collections.abc import Generator, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest
import redis

from tests.journey.database import shared_database
from tests.journey.gate import Gate
from tests.journey.slack import LOCAL, Network, Workspace, served, workspace
from tests.journey.team import PESTLE, ROLES, Team, write_archive
from tests.journey.teams import Playground, TeamsNetwork, playground
from tests.journey.waiting import free_port
from tests.support.drills import in_drills
from tests.support.services import redis_url

SHOWN = 4000
"""Characters of each log that a failed journey shows."""


@dataclass
class Place:
    """Everything a test of the journey touches. `peer` is where people write, `network` what is between."""

    peer: Workspace | Playground
    network: Network | TeamsNetwork
    team: Team
    gate: Gate
    running: ExitStack
    """The bot's process."""
    worker: ExitStack | None = None
    """The process of the worker that serves one journey after another, while one runs."""

    def start_bot(self) -> None:
        self.running.enter_context(self.team.bot(self.network.bot))

    def end_bot(self, signal_number: int) -> None:
        self.team.bots[-1].send_signal(signal_number)
        self.running.close()

    def start_worker(self) -> None:
        if not self.worker:
            self.worker = ExitStack()
            self.worker.enter_context(self.team.process("worker"))

    def end_worker(self) -> None:
        if self.worker:
            self.worker.close()
            self.worker = None


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A journey is made in the skins that it names, in the second one by drills; in Slack alone where it
    names none.
    """
    if "place" in metafunc.fixturenames:
        named = metafunc.definition.get_closest_marker("skins")
        skins = in_drills(named.args if named else ("slack",), 1)
        metafunc.parametrize("place", skins, indirect=True, scope="module")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Function, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A journey that fails shows the last lines of what the team's processes logged."""
    report = yield
    place = item.funcargs.get("place")
    if report.failed and isinstance(place, Place):
        for log in sorted(place.team.folder.glob("**/*.log")):
            report.sections.append((log.name, log.read_text("utf-8", "replace")[-SHOWN:]))
    return report


@pytest.fixture(scope="module")
def place(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    url, folder = redis_url(), tmp_path_factory.mktemp("team")
    with redis.Redis.from_url(url) as client:
        client.flushdb()
    between, bot, model = free_port(), free_port(), free_port()
    with ExitStack() as stack:
        peer, network = _met(request.param, stack, folder, between, f"{LOCAL}:{bot}")
        gate = Gate()
        stack.enter_context(served(gate.app(), model))
        database = stack.enter_context(shared_database(folder))
        skin = _slack(between) if request.param == "slack" else {"PESTLE_TEAMS_PLAYGROUND": "true"}
        command = getattr(request.module, "COMMAND", (PESTLE,))
        team = Team(folder, settings(folder, database, url, bot, model) | skin, command)
        write_archive(folder / "archive")
        team.pestle("ingest", str(folder / "archive"))
        place = Place(peer, network, team, gate, stack.enter_context(ExitStack()))
        place.start_bot()
        yield place
        place.end_worker()
    assert network.faults == []


def _met(
    skin: str, stack: ExitStack, folder: Path, between: int, bot: str
) -> tuple[Workspace | Playground, Network | TeamsNetwork]:
    """The peer of a skin, and the network between it and the bot."""
    if skin == "teams":
        led = TeamsNetwork(bot, f"{LOCAL}:{between}")
        stack.enter_context(served(led.app(), between))
        return stack.enter_context(playground(led, folder / "playground")), led
    slack = stack.enter_context(workspace(f"{LOCAL}:{between}/slack/events"))
    network = Network(slack.url, bot)
    stack.enter_context(served(network.app(), between))
    return slack, network


def settings(folder: Path, database: str, redis_at: str, bot: int, model: int) -> dict[str, str]:
    return {
        "PESTLE_DATABASE_URL": database,
        "PESTLE_HOME": str(folder / "home"),
        "PESTLE_REDIS_URL": redis_at,
        "PESTLE_SLACK_PORT": str(bot),
        "PESTLE_RUN_LEASE": "3",
        "PESTLE_RUN_NICE": "5",  # with 15 it gives way to all other tests, and may begin minutes later
        "PESTLE_MODEL_BASE_URL": f"{LOCAL}:{model}/v1",
        "PESTLE_MODEL_NAME": "any",
        "PESTLE_MODEL_ROLES": ",".join(f"{role}={role}" for role in ROLES),
    }


def _slack(between: int) -> dict[str, str]:
    return {
        "PESTLE_SLACK_BOT_TOKEN": "xoxb-bot",
        "PESTLE_SLACK_SIGNING_SECRET": "shhh",
        "PESTLE_SLACK_BASE_URL": f"{LOCAL}:{between}/api/",
    }


@pytest.fixture
def worker() -> None:
    """A worker, the same one for all journeys that end none; `quiet` starts it."""


@pytest.fixture(autouse=True)
def quiet(request: pytest.FixtureRequest, place: Place) -> None:
    """Each test begins with a network that works, an open gate, and a worker if it asked for one."""
    place.gate.open()
    place.network.busy.clear()
    place.network.lost.clear()
    if "worker" in request.fixturenames:
        place.start_worker()
    else:
        place.end_worker()
