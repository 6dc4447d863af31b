"""The page answers its own tab on this machine, and nobody else."""

from collections.abc import Iterator

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from adapters.web.guard import LARGEST_BODY, Guard

PAGE = {"host": "127.0.0.1:8321", "x-pestle": "page"}


@pytest.fixture
def client() -> TestClient:
    async def hello(request: Request) -> Response:
        return PlainTextResponse("hello" if len(await request.body()) < LARGEST_BODY else "large")

    routes = [Route(path, hello, methods=["GET", "POST"]) for path in ("/", "/documents")]
    app = Starlette(routes=routes)
    app.add_middleware(Guard, hosts=("pestle.lab",), largest_upload=3_000_000)
    return TestClient(app)


@pytest.mark.parametrize("host", ["127.0.0.1:8321", "localhost:8321", "[::1]:8321", "pestle.lab"])
def test_a_request_to_this_host_is_answered(client: TestClient, host: str) -> None:
    assert client.get("/", headers={"host": host}).text == "hello"


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", ""])
def test_a_request_to_another_name_is_refused(client: TestClient, host: str) -> None:
    response = client.get("/", headers={"host": host})

    assert response.status_code == 403
    assert "pestle up" in response.text


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "127.0.0.1:8321"},
        {**PAGE, "origin": "http://evil.example"},
        {**PAGE, "origin": "http://127.0.0.1:9999"},
        {**PAGE, "origin": "null"},
    ],
)
def test_another_site_cannot_change_anything(client: TestClient, headers: dict[str, str]) -> None:
    assert client.post("/", headers=headers).status_code == 403


def test_the_page_itself_can(client: TestClient) -> None:
    assert client.post("/", headers={**PAGE, "origin": "http://127.0.0.1:8321"}).text == "hello"


def test_the_browser_is_told_to_run_nothing_else(client: TestClient) -> None:
    policy = client.get("/", headers={"host": "localhost"}).headers["content-security-policy"]

    assert "script-src 'self'" in policy
    assert "unsafe" not in policy


@pytest.mark.parametrize(("path", "limit"), [("/", LARGEST_BODY), ("/documents", 3_000_000)])
def test_a_body_without_a_length_is_read_to_its_limit(client: TestClient, path: str, limit: int) -> None:
    def chunks(most: int) -> Iterator[bytes]:
        for _ in range(most // 50_000):
            yield b"x" * 50_000

    assert client.post(path, headers=PAGE, content=chunks(limit)).status_code == 200
    assert client.post(path, headers=PAGE, content=chunks(limit + 50_000)).status_code == 413


@pytest.mark.parametrize("length", ["2000001", "9" * 5_000, "-1", "x", "1e3"])
def test_a_length_over_the_limit_or_that_is_none_is_refused(client: TestClient, length: str) -> None:
    response = client.post("/", headers={**PAGE, "content-length": length}, content=b"x")
    assert response.status_code == 413
