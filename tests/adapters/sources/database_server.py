"""A database on this machine that replies as real ones do on bad days."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

Reply = tuple[int, dict[str, str], bytes]


@dataclass
class Served:
    """`replies` by path: those in a list are given one after the other, the last one for good."""

    url: str = ""
    replies: dict[str, list[Reply]] = field(default_factory=dict)
    asked: list[tuple[str, str]] = field(default_factory=list)
    """Path with parameters, and body."""
    slow: float = 0.0

    def reply(self, path: str, *replies: Reply) -> None:
        self.replies[path] = list(replies)


@contextmanager
def serving() -> Iterator[Served]:
    served = Served()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._serve("")

        def do_POST(self) -> None:
            self._serve(self.rfile.read(int(self.headers["Content-Length"])).decode())

        def _serve(self, body: str) -> None:
            served.asked.append((self.path, body))
            path = urlsplit(self.path).path
            replies = served.replies.get(path, [(404, {}, b"no such thing")])
            status, headers, content = replies.pop(0) if len(replies) > 1 else replies[0]
            if path.startswith("/slow"):
                time.sleep(served.slow)
            if path == "/broken":
                self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nshort")
                self.close_connection = True
                return
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    served.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield served
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
