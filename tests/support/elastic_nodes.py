"""Elasticsearch processes of a test's own, which it may kill and start again."""

import os
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.support.services import shared

READY_S = 120.0
HEAP = "400m"


class Node:
    """One process with ports and a data folder of its own, alone or in a cluster."""

    def __init__(self, folder: Path, name: str = "a") -> None:
        self._serve = shared("tools/elasticsearch/serve")
        self._folder = folder / name
        self._process: subprocess.Popen[bytes] | None = None
        self.name = name
        self.port, self.transport = _free_port(), _free_port()
        self.settings: tuple[str, ...] = (f"node.name={name}",)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start the process; see `wait`."""
        self._folder.mkdir(parents=True, exist_ok=True)
        places = ("--port", str(self.port), "--transport", str(self.transport), "--data", str(self._folder))
        with (self._folder / "log.txt").open("ab") as log:
            self._process = subprocess.Popen(
                [str(self._serve), *places, "--heap", HEAP, *self.settings],
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def wait(self, path: str = "/") -> None:
        """Until it answers a request with success."""
        give_up = time.monotonic() + READY_S
        while not _answers(self.url + path):
            assert time.monotonic() < give_up, (self._folder / "log.txt").read_text()[-2000:]
            time.sleep(0.3)

    def kill(self, number: int = signal.SIGKILL) -> None:
        """End the server; without a chance to tidy up, by default."""
        if self._process is not None:
            os.killpg(self._process.pid, number)
            self._process.wait()
            self._process = None


@contextmanager
def running_node(folder: Path) -> Iterator[Node]:
    """One node that answers, ended afterwards."""
    node = Node(folder)
    node.start()
    try:
        node.wait()
        yield node
    finally:
        node.kill()


@contextmanager
def running_cluster(folder: Path, names: Sequence[str] = ("a", "b", "c")) -> Iterator[list[Node]]:
    """Nodes of one cluster, all there, ended afterwards."""
    nodes = [Node(folder, name) for name in names]
    seeds = ",".join(f"127.0.0.1:{node.transport}" for node in nodes)
    for node in nodes:
        node.settings += (
            f"cluster.name=drill-{nodes[0].port}",
            f"discovery.seed_hosts={seeds}",
            f"cluster.initial_master_nodes={','.join(names)}",
        )
    with ExitStack() as stack:
        for node in nodes:
            stack.callback(node.kill)
            node.start()
        for node in nodes:
            node.wait(f"/_cluster/health?wait_for_nodes={len(nodes)}&timeout=1s")
        yield nodes


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False
