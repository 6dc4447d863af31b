"""`docker/pin` writes the digests that a registry tells, all of them or none."""

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.docker.test_compose import DOCKER

TAGS = {
    "library/debian": "12.12-slim",
    "library/postgres": "17.6-bookworm",
    "library/redis": "7.4.5-bookworm",
    "library/elasticsearch": "9.2.2",
}


def digest(name: str, day: int = 1) -> str:
    return f"sha256:{day}{name.encode().hex():0<63}"[:71]


@contextmanager
def registry(tags: dict[str, str], day: int = 1) -> Iterator[str]:
    """A registry that asks for a token first, as public ones do."""

    class Registry(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked = parse_qs(urlsplit(self.path).query)
            body = json.dumps({"token": f"for {asked['scope'][0]}"}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_HEAD(self) -> None:
            _, _, *name, _, tag = self.path.split("/")
            scope, known = f"repository:{'/'.join(name)}:pull", tags.get("/".join(name)) == tag
            may = self.headers.get("Authorization") == f"Bearer for {scope}"
            self.send_response(401 if not may else 200 if known else 404)
            self.send_header(
                "WWW-Authenticate", f'Bearer realm="{self.server_url()}/token",service="r",scope="{scope}"'
            )
            if may and known and "index" in self.headers["Accept"]:
                self.send_header("Docker-Content-Digest", digest("/".join(name), day))
            self.end_headers()

        def server_url(self) -> str:
            return f"http://127.0.0.1:{self.server.server_address[1]}"

        def log_message(self, *told: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Registry)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("pin", "Dockerfile", "compose.yaml"):
        (tmp_path / name).write_bytes((DOCKER / name).read_bytes())
    return tmp_path


def pinned(folder: Path, address: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, folder / "pin", address], text=True, capture_output=True)


def test_every_image_of_others_gets_its_digest_and_the_next_time_the_one_of_that_day(folder: Path) -> None:
    for day in (1, 2):
        with registry(TAGS, day) as address:
            assert pinned(folder, address).returncode == 0
        texts = "".join((folder / name).read_text() for name in ("Dockerfile", "compose.yaml"))
        for name, tag in TAGS.items():
            assert texts.count(f"{name.removeprefix('library/')}:{tag}@{digest(name, day)}\n") == 1
    plain = (folder / "compose.yaml").read_text()
    for name in TAGS:
        plain = plain.replace(f"@{digest(name, 2)}", "")
    assert plain == (DOCKER / "compose.yaml").read_text()


@pytest.mark.parametrize("missing", TAGS)
def test_where_one_is_not_told_nothing_is_changed(folder: Path, missing: str) -> None:
    with registry({name: tag for name, tag in TAGS.items() if name != missing}) as address:
        done = pinned(folder, address)
    assert done.returncode == 1
    assert missing in done.stderr
    assert "Nothing was changed" in done.stderr
    assert (folder / "Dockerfile").read_text() == (DOCKER / "Dockerfile").read_text()


def test_without_a_registry_it_says_so(folder: Path) -> None:
    done = pinned(folder, "http://127.0.0.1:1")
    assert done.returncode == 1
    assert "Nothing was changed" in done.stderr
