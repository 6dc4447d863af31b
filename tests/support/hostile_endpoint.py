"""An endpoint of the OpenAI API that does what no endpoint should: on a real socket, one manner at a time.

python -m tests.support.hostile_endpoint drips      prints the address to set as PESTLE_MODEL_BASE_URL
"""

import gzip
import json
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

MEGABYTE = 1_000_000


class HostileEndpoint:
    """Answers every request in the manner of `manner`; counts requests and the bytes it got rid of.

    `head` and `body` are those of the last request.
    """

    def __init__(self) -> None:
        self.manner: Manner = stalls
        self.requests = 0
        self.sent = 0
        self.head, self.body = b"", b""
        self.ended = threading.Event()
        self.asked = threading.Event()
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}/v1"

    def behaves(self, manner: "Manner") -> "HostileEndpoint":
        """This endpoint, with another manner and its counts at zero."""
        self.manner, self.requests, self.sent = manner, 0, 0
        self.asked.clear()
        return self

    def serve(self) -> None:
        """Answer until the socket is closed."""
        with suppress(OSError):
            while True:
                peer, _ = self._socket.accept()
                threading.Thread(target=self._answer, args=(peer,), daemon=True).start()

    def close(self) -> None:
        """Let go of everybody."""
        self.ended.set()
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def send(self, peer: socket.socket, data: bytes) -> None:
        """Send some bytes. Raises `OSError` once the other side has gone."""
        peer.sendall(data)
        self.sent += len(data)

    def _answer(self, peer: socket.socket) -> None:
        with peer, suppress(OSError):
            self.head, self.body = _read_request(peer)
            self.requests += 1
            self.asked.set()
            self.manner(self, peer)


Manner = Callable[[HostileEndpoint, socket.socket], None]


def stalls(endpoint: HostileEndpoint, peer: socket.socket) -> None:
    """Takes the request and says nothing."""
    endpoint.ended.wait(600)


def drips(endpoint: HostileEndpoint, peer: socket.socket) -> None:
    """One byte of a long answer at a time, so that no read ever times out."""
    endpoint.send(peer, _head(200, length=MEGABYTE))
    while not endpoint.ended.wait(0.05):
        endpoint.send(peer, b" ")


def endless(endpoint: HostileEndpoint, peer: socket.socket) -> None:
    """A body without end."""
    _without_end(endpoint, peer, _head(200))


def endless_failure(endpoint: HostileEndpoint, peer: socket.socket) -> None:
    """A refusal whose explanation has no end."""
    _without_end(endpoint, peer, _head(400))


def endless_headers(endpoint: HostileEndpoint, peer: socket.socket) -> None:
    """Headers without end."""
    _without_end(endpoint, peer, b"HTTP/1.1 200 OK\r\nx: ")


def bomb(endpoint: HostileEndpoint, peer: socket.socket) -> None:
    """A small compressed body that unpacks to 500 MB."""
    body = b"".join(gzip.compress(b" " * MEGABYTE, compresslevel=1) for _ in range(2)) * 250
    endpoint.send(peer, _head(200, length=len(body), more="content-encoding: gzip\r\n") + body)


def hangs_up(endpoint: HostileEndpoint, peer: socket.socket) -> None:
    """Half an answer."""
    endpoint.send(peer, _head(200, length=1_000) + b'{"choices": [')


def wants_to_wait(told: str) -> Manner:
    """Says when to come again."""

    def manner(endpoint: HostileEndpoint, peer: socket.socket) -> None:
        endpoint.send(peer, _head(429, length=2, more=f"retry-after: {told}\r\n") + b"{}")

    return manner


def answers(body: bytes, status: int = 200) -> Manner:
    """Answers with exactly these bytes."""

    def manner(endpoint: HostileEndpoint, peer: socket.socket) -> None:
        endpoint.send(peer, _head(status, length=len(body)) + body)

    return manner


def writes(content: str) -> Manner:
    """A well-formed answer with this content."""
    message = {"role": "assistant", "content": content}
    return answers(json.dumps({"choices": [{"index": 0, "message": message}]}).encode())


MANNERS: dict[str, Manner] = {
    manner.__name__: manner
    for manner in (stalls, drips, endless, endless_failure, endless_headers, bomb, hangs_up)
} | {"wants_to_wait": wants_to_wait("3600")}
"""By name, for a trial by hand."""


@contextmanager
def hostile() -> Iterator[HostileEndpoint]:
    """The endpoint, in threads of its own."""
    endpoint = HostileEndpoint()
    serving = threading.Thread(target=endpoint.serve)
    serving.start()
    try:
        yield endpoint
    finally:
        endpoint.close()
        serving.join()


def _without_end(endpoint: HostileEndpoint, peer: socket.socket, head: bytes) -> None:
    endpoint.send(peer, head)
    while not endpoint.ended.is_set():
        endpoint.send(peer, b"x" * 65_536)


def _head(status: int, *, length: int | None = None, kind: str = "application/json", more: str = "") -> bytes:
    size = "" if length is None else f"content-length: {length}\r\n"
    return f"HTTP/1.1 {status} X\r\ncontent-type: {kind}\r\nconnection: close\r\n{size}{more}\r\n".encode()


def _read_request(peer: socket.socket) -> tuple[bytes, bytes]:
    data = b""
    while b"\r\n\r\n" not in data:
        data += peer.recv(65_536) or _gone()
    head, _, body = data.partition(b"\r\n\r\n")
    lengths = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
    length = int(lengths[0].split(b":")[1]) if lengths else 0
    while len(body) < length:
        body += peer.recv(65_536) or _gone()
    return head, body


def _gone() -> bytes:
    raise ConnectionError("the client has gone")


if __name__ == "__main__":
    with hostile() as started:
        started.behaves(MANNERS[sys.argv[1]])
        print(started.url, flush=True)
        time.sleep(86_400)
