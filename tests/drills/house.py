"""The house of the drills, what is done to it, and what is counted afterwards."""

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from adapters.kinds import KINDS
from adapters.settings import load
from adapters.wiring import Runtime, runtime
from agents.runs.records import RunRecord, RunState
from bot.values import Card, Incoming, ThreadRef
from tests.bot.world import Wall
from tests.drills.work import KIND
from tests.journey.waiting import free_port, wait_for
from tests.support.services import ROOT, listening, missing, program

COUNTS = ROOT / "build/drills"
LEASE_S = 3
ENDED_S = 400.0
"""How long the runs of a drill may take, on cores that much else uses."""


class OwnRedis:
    """A Redis of the drill's own; `keeps` what it was told when it is killed."""

    def __init__(self, folder: Path, *, keeps: bool = True) -> None:
        self._folder, self._keeps, self._port = folder, keeps, free_port()
        self.url = f"redis://127.0.0.1:{self._port}/0"

    def start(self) -> None:
        kept = "yes" if self._keeps else "no"
        places = ["--port", str(self._port), "--dir", str(self._folder), "--save", ""]
        command = [program("redis-server"), *places, "--appendonly", kept, "--appendfsync", "always"]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        wait_for(lambda: listening(self._port), 10, "Redis to listen")

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()


class OwnPostgres:
    """A PostgreSQL of the drill's own, in /tmp: it does not run as root, whom pytest's folders belong to."""

    def __init__(self) -> None:
        homes = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"))
        found = homes[-1] if homes else shutil.which("pg_ctl")
        if not found:
            missing("postgresql", "install it")
        self._control, self._port = Path(str(found)), free_port()
        self._data = Path(tempfile.mkdtemp(prefix="pestle-postgres-", dir="/tmp"))
        self._as: dict[str, str] = {"user": "postgres", "cwd": "/"} if os.geteuid() == 0 else {}
        if self._as:
            shutil.chown(self._data, "postgres")
        self._run(self._control.with_name("initdb"), "-D", self._data, "-A", "trust", "-U", "pestle", "-N")
        self.url = f"postgresql://pestle@127.0.0.1:{self._port}/postgres"

    def _run(self, *command: str | Path) -> None:
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, **self._as)  # type: ignore[call-overload]

    def start(self) -> None:
        options = f"-p {self._port} -k {self._data} -c fsync=off"
        self._run(self._control, "-D", self._data, "-o", options, "-l", self._data / "log", "-w", "start")

    def kill(self) -> None:
        """End it as a crash would, without a word to its clients."""
        self._run(self._control, "-D", self._data, "-m", "immediate", "stop")

    def remove(self) -> None:
        """Kill it, with all it holds."""
        self.kill()
        shutil.rmtree(self._data)


class CountingWall(Wall):
    """Counts the messages that each slot of each thread has got."""

    def __init__(self) -> None:
        super().__init__()
        self.posted: Counter[tuple[str, str]] = Counter()

    async def post(self, thread: ThreadRef, card: Card) -> str:
        self.posted[thread.thread_id, card.mark] += 1
        return await super().post(thread, card)


@dataclass(frozen=True)
class Counts:
    """What a drill is judged by: all but the first three have to be 0."""

    what: str
    runs: int
    answered: int
    explained: int
    """Failed or stopped, with a reason that the thread was told."""
    lost: int
    doubled: int
    """Messages that fill the same place twice."""
    redone: int
    """Steps begun again although they were finished."""
    taken: int
    """Runs worked on by a second process while the first one lived and worked on them."""

    def keep(self, name: str) -> None:
        """Write the counts where `python -m tests.drills` finds them."""
        COUNTS.mkdir(parents=True, exist_ok=True)
        (COUNTS / f"{name}.json").write_text(json.dumps(asdict(self)))

    def check(self, name: str) -> None:
        self.keep(name)
        assert (self.lost, self.doubled, self.redone, self.taken) == (0, 0, 0, 0), self


class House:
    """Runs of a team: asked here, shown on a wall here, carried by workers as processes."""

    def __init__(self, folder: Path, settings: Mapping[str, str], *, clock: bool = False) -> None:
        self.apart = False
        self.folder, self.log, self.clock = folder, folder / "work.log", folder / "clock"
        folder.mkdir(exist_ok=True)
        self.log.touch()
        self.settings = {
            "PESTLE_HOME": str(folder / "home"),
            "PESTLE_RUN_LEASE": str(LEASE_S),
            **settings,
        }
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PESTLE_")}
        self._environment = kept | self.settings | {"PESTLE_TEST_LOG": str(self.log)}
        if clock:
            self._environment["PESTLE_TEST_CLOCK"] = str(self.clock)
        self.workers: list[subprocess.Popen[bytes]] = []
        self.killed: dict[int, float] = {}
        self.wall = CountingWall()
        self._files = ExitStack()

    def pestle(self, *arguments: str) -> None:
        """Run a command to its end."""
        subprocess.run(self._command(*arguments), env=self._environment, cwd=ROOT, check=True)

    def start_worker(self) -> None:
        self.start_process("worker")

    def start_process(self, command: str) -> None:
        number = len(self.killed) + len(self.workers) + 1
        log = self._files.enter_context((self.folder / f"worker-{number}.log").open("wb"))
        environment = self._environment
        if self.apart:  # each on a machine of its own
            own = {
                "PESTLE_HOME": f"{self.folder}/home-{number}",
                "PESTLE_TEST_CLOCK": f"{self.clock}-{number}",
            }
            environment = environment | own
        whole = self._command(command)
        self.workers.append(subprocess.Popen(whole, env=environment, cwd=ROOT, stdout=log, stderr=log))

    def kill_worker(self, number: int) -> None:
        """As a machine that is switched off, and another one that is switched on."""
        worker = self.workers.pop(number)
        worker.kill()
        worker.wait()
        self.killed[worker.pid] = time.monotonic()
        self.start_worker()

    async def at_work(self) -> None:
        """Wait until the first steps are done."""
        await asyncio.to_thread(wait_for, lambda: '"end"' in self.log.read_text(), ENDED_S, "the first steps")

    def has_worked(self, pid: int) -> bool:
        """Whether a process has begun a step."""
        return f", {pid}, " in self.log.read_text()

    def mend(self) -> None:
        """Start workers that ended by themselves anew, as Compose and Kubernetes do."""
        for number, worker in enumerate(self.workers):
            if worker.poll() is not None:
                self.kill_worker(number)

    def signal_workers(self, number: int) -> None:
        for worker in self.workers:
            worker.send_signal(number)

    @asynccontextmanager
    async def opened(self, workers: int) -> AsyncIterator[Runtime]:
        """The house with so many workers, and what asks it and shows what it answers."""
        async with runtime(load(self.settings), (*KINDS, KIND)) as built, built.delivering(self.wall):
            try:
                for _ in range(workers):
                    self.start_worker()
                yield built
            finally:
                self.signal_workers(signal.SIGCONT)
                for worker in self.workers:
                    worker.kill()
                    worker.wait()
                self._files.close()

    async def asked(self, built: Runtime, questions: Sequence[str], times: int = 1, first: int = 0) -> None:
        """Each question in a thread of its own; each event comes so many times at once."""
        for number, text in enumerate(questions, first):
            event = Incoming(f"e{number}", ThreadRef("wall", "general", str(number)), f"user{number}", text)
            await asyncio.gather(*(built.intake.receive(event) for _ in range(times)))

    async def ended(self, built: Runtime, runs: int) -> list[RunRecord]:
        """The runs, once all are over and told, or after a time in which they should be."""
        deadline = time.monotonic() + ENDED_S
        while True:
            self.mend()
            try:
                found = await built.ledger.runs(limit=runs + 1)
                if len(found) >= runs and all(run.state.over and run.handed_over for run in found):
                    await asyncio.sleep(3)  # till the last card is shown
                    return found
            except Exception:  # the database may be away
                if time.monotonic() > deadline:
                    raise
            if time.monotonic() > deadline:
                return found
            await asyncio.sleep(0.5)

    async def counts(self, built: Runtime, what: str, runs: int) -> Counts:
        """Wait until all is over, and count."""
        found = await self.ended(built, runs)
        states = Counter(run.state for run in found)
        told = Counter(thread for thread, mark in self.wall.posted if mark.startswith("answer"))
        answered = [run for run in found if run.state is RunState.DONE and told[run.thread_id]]
        early = [run for run in found if run.state in (RunState.FAILED, RunState.STOPPED)]
        explained = [run for run in early if run.error and told[run.thread_id]]
        print(states, [run.error for run in early][:3])
        redone = sum([await _redone(built, run) for run in found])
        twice = sum(max(0, count - 1) for count in self.wall.posted.values())
        twice += max(0, len(found) - runs)
        lost = runs - len(answered) - len(explained)
        return Counts(what, runs, len(answered), len(explained), lost, twice, redone, self._taken())

    def _taken(self) -> int:
        """Runs that two living processes worked on at a time."""
        begun: dict[str, dict[tuple[int, int], float]] = defaultdict(dict)
        taken = set()
        for line in self.log.read_text().splitlines():
            at, pid, run_id, step, what = json.loads(line)
            if what == "end":
                begun[run_id].pop((pid, step), None)
                continue
            living = [one for one, _ in begun[run_id] if one != pid and self.killed.get(one, at) >= at]
            if living:
                taken.add(run_id)
            begun[run_id][pid, step] = at
        return len(taken)

    @staticmethod
    def _command(*arguments: str) -> list[str]:
        return [sys.executable, "-m", "tests.drills.work", *arguments]


async def _redone(built: Runtime, run: RunRecord) -> int:
    """Steps that were begun after they had ended well."""
    finished, redone = set(), 0
    for event in await built.ledger.events(run.run_id):
        detail = json.loads(event.detail or "{}")
        step = (detail.get("step"), detail.get("inputs"), detail.get("parent"))
        if event.kind == "step.finished":
            finished.add(step)
        elif event.kind == "step.started" and step in finished:
            redone += 1
    return redone
