"""A real `pestle up`, and requests that nobody sends who means well: memory stays flat, the end is quick."""

import re
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from tests.journey.waiting import wait_for
from tests.retrieval.parse import build

Start = Callable[..., subprocess.Popen[str]]
UPLOAD_MB = 40
GROWTH_MB = 30
"""What the page may take more of memory, whatever is sent."""
PIECE = b"x" * 65_536
OPEN = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n'
CLOSE = b"\r\n--b--\r\n"


class Up:
    """The page's process, and its address."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        told = re.search(r"http://127\.0\.0\.1:(\d+)", process.stdout.readline())
        assert told, process.communicate()[1]
        self.process, self.port = process, int(told[1])
        self.url = told[0]

    def most_memory_mb(self) -> float:
        """The most that it ever had in memory."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.findall(r"VmHWM:\s+(\d+)", status)[0]) / 1024

    def send(self, path: str, head: str, pieces: Iterator[bytes]) -> bytes:
        """A request that is written as long as the other side reads it; the answer's first line."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=60) as connection:
            begin = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nX-Pestle: page\r\n"
            connection.sendall(f"{begin}{head}\r\n\r\n".encode())
            with suppress(ConnectionError):
                for piece in pieces:
                    connection.sendall(piece)
            with suppress(ConnectionError):
                return connection.recv(4096).partition(b"\r\n")[0]
        return b""

    def get(self, path: str) -> httpx.Response:
        return httpx.get(f"{self.url}{path}", trust_env=False)

    def end(self) -> tuple[int, str, float]:
        """Interrupt it: its exit code, what it wrote of errors, and the seconds that its end took."""
        began = time.monotonic()
        self.process.send_signal(signal.SIGINT)
        _, errors = self.process.communicate(timeout=60)
        return self.process.returncode, errors, time.monotonic() - began


@pytest.fixture
def up(home: Path, monkeypatch: pytest.MonkeyPatch, start: Start) -> Up:
    monkeypatch.setenv("PESTLE_WEB_PORT", "0")
    monkeypatch.setenv("PESTLE_WEB_UPLOAD_MB", str(UPLOAD_MB))
    return Up(start("up", "--no-open"))


def form(megabytes: int) -> Iterator[bytes]:
    """An upload of this size."""
    yield OPEN
    for _ in range(megabytes * 1_000_000 // len(PIECE)):
        yield PIECE
    yield CLOSE


def chunked(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """A body whose size nobody says."""
    return (b"%x\r\n%b\r\n" % (len(piece), piece) for piece in pieces)


FORM = "Content-Type: multipart/form-data; boundary=b"
LENGTH, CHUNKED = "Content-Length: {}", "Transfer-Encoding: chunked"


def test_no_request_whatever_its_size_costs_memory(up: Up, home: Path) -> None:
    assert up.get("/health").status_code == 200
    before = up.most_memory_mb()
    said = f"{FORM}\r\n{LENGTH.format(1_500_000_000)}"
    assert b"413" in up.send("/documents", said, form(1_500)), "an upload that says its size"
    assert b"413" in up.send("/ask", LENGTH.format(600_000_000), form(600)), "a question that says its size"
    for path in ("/ask", "/act", "/documents"):
        answer = up.send(path, f"{FORM}\r\n{CHUNKED}", chunked(form(2 * UPLOAD_MB)))
        assert answer == b"" or b"413" in answer, path
    whole = sum(map(len, form(UPLOAD_MB - 1)))
    taken = up.send("/documents", f"{FORM}\r\n{LENGTH.format(whole)}", form(UPLOAD_MB - 1))
    assert b"200" in taken, "an upload within the limit, which is no PDF"
    assert up.most_memory_mb() - before < GROWTH_MB
    assert not list((home / "uploads").rglob("*"))
    assert up.get("/").status_code == 200
    code, errors, _ = up.end()
    assert (code, errors) == (0, "")


def slow_page(path: Path) -> Path:
    """A PDF whose page takes minutes to draw."""
    canvas = build.sheet(path)
    build.write(canvas, "The NOAEL was 5 mg/kg.", 700)
    canvas.setLineWidth(40)
    for number in range(60_000):
        canvas.bezier(0, number % 800, 600, 800, -600, 0, 590, 800 - number % 800)
    canvas.save()
    return path


def test_the_end_waits_for_no_page_that_is_being_drawn(
    documents: Path, tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch, start: Start, up: Up
) -> None:
    quick = build.report(tmp_path / "tox.pdf")
    sent = httpx.post(
        f"{up.url}/documents",
        files={"file": ("tox.pdf", quick.read_bytes())},
        headers={"x-pestle": "page"},
        timeout=60,
        trust_env=False,
    )
    assert "is in the archive" in sent.text
    [original] = (home / "originals").iterdir()
    slow_page(original)
    [name] = {
        found
        for found in re.findall(r'href="/documents/([^"?]+)', up.get("/documents").text)
        if "tox" in found
    }
    with pytest.raises(httpx.ReadTimeout):
        httpx.get(f"{up.url}/documents/{name}/page/1.png", timeout=3, trust_env=False)
    answered = time.monotonic()
    assert up.get("/").status_code == 200
    assert time.monotonic() - answered < 3, "the page answers others meanwhile"
    code, _, seconds = up.end()
    assert code == 0
    assert seconds < 15, "a page may be drawn for 20 s"


@pytest.mark.drill
def test_what_a_killed_page_left_of_an_upload_is_cleared_away_at_the_next_start(
    up: Up, home: Path, start: Start
) -> None:
    uploads = home / "uploads"
    text = b"# QX-1001 in the rat\n\n" + b"".join(
        b"Animal %d of the group was given QX-1001 at 10 mg/kg and gained weight.\n\n" % number
        for number in range(60_000)
    )
    head = b'--b\r\nContent-Disposition: form-data; name="file"; filename="large.md"\r\n\r\n'
    whole = head + text + CLOSE
    with socket.create_connection(("127.0.0.1", up.port), timeout=60) as connection:
        begin = f"POST /documents HTTP/1.1\r\nHost: 127.0.0.1:{up.port}\r\nX-Pestle: page\r\n"
        connection.sendall(f"{begin}{FORM}\r\n{LENGTH.format(len(whole))}\r\n\r\n".encode() + whole)
        wait_for(lambda: list(uploads.glob(".arriving-*/large.md")), 60, "the upload to arrive")
        beside = Up(start("up", "--no-open"))
        assert beside.get("/health").status_code == 200
        assert list(uploads.glob(".arriving-*/large.md")), "another process starts beside it"
        up.process.kill()
        up.process.wait()
    assert list(uploads.glob(".arriving-*"))
    beside.end()
    after = Up(start("up", "--no-open"))
    assert not list(uploads.iterdir())
    assert after.get("/health").status_code == 200
    assert after.end()[0] == 0
