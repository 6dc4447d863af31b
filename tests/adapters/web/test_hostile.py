"""Whatever is sent to the page: 4xx, a body is read to its limit only, and pictures are drawn elsewhere."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapters.cli.page import page
from adapters.sections import WebSettings
from adapters.settings import Settings
from tests.support.drills import examples

PAGE = {"x-pestle": "page"}
FUZZ = settings(max_examples=examples(60), deadline=None, suppress_health_check=list(HealthCheck))


@pytest.fixture
async def web(archived: Any) -> AsyncIterator[httpx.AsyncClient]:
    given_settings = Settings(home=archived, web=WebSettings(port=0, upload_mb=3))
    async with page(given_settings) as (server, address):
        serving = asyncio.create_task(server.serve())
        async with httpx.AsyncClient(base_url=address, headers=PAGE, timeout=20) as client:
            yield client
        server.stop()
        await serving


async def raw(web: httpx.AsyncClient, request: bytes) -> bytes:
    """What the page answers to these bytes."""
    reader, writer = await asyncio.open_connection(web.base_url.host, web.base_url.port)
    writer.write(request)
    async with asyncio.timeout(10):
        answer = await reader.readline()
    writer.close()
    return answer


@pytest.mark.parametrize(
    "host", [b"", b"[", b"[::1", b"]", b"a b", b"\xff\xfe", b"127.0.0.1:port", b"x@127.0.0.1", b"h" * 5_000]
)
async def test_a_broken_host_is_refused(web: httpx.AsyncClient, host: bytes) -> None:
    answer = await raw(web, b"GET / HTTP/1.1\r\nHost: " + host + b"\r\n\r\n")
    assert answer.split()[1] in (b"400", b"403")


@pytest.mark.parametrize("origin", ["http://[", "http://[::1", "null", "]", "http://" + "x" * 5_000])
async def test_a_broken_origin_is_refused(web: httpx.AsyncClient, origin: str) -> None:
    assert (await web.post("/ask", content=b"{}", headers={"origin": origin})).status_code == 403


DOCUMENT = "AF-2107-CSR-001"


@pytest.mark.parametrize(
    ("address", "status"),
    [
        (f"/documents/{{}}/page/{'9' * 5_000}.png", 404),
        ("/documents/{}/page/0.png", 404),
        ("/documents/{}/page/-1.png", 404),
        ("/documents/{}/page/x.png", 404),
        (f"/documents/{{}}?start={'9' * 5_000}&end={'9' * 5_000}", 200),
        ("/documents/{}?start=²&end=x", 200),
        (f"/documents/{'n' * 300}", 404),
        (f"/static/{'n' * 300}", 404),
        ("/static/%00", 400),
        ("/documents/%00", 400),
        ("/runs/x%00y", 400),
        ("/?channel=%00&thread=0", 400),
        (f"/runs/{'n' * 300}", 404),
        (f"/?channel={'n' * 300}", 422),
        ("/?channel=%ED%A0%80", 422),
    ],
)
async def test_no_address_is_an_error_of_ours(web: httpx.AsyncClient, address: str, status: int) -> None:
    listed = (await web.get("/documents")).text
    doc_id = listed.split('href="/documents/')[1].split('"')[0].split("?")[0]
    assert (await web.get(address.format(doc_id))).status_code == status


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("{}", 200),
        ('{"fields": {"sha256": "0"}}', 422),
        ('{"fields": {"title": ""}}', 422),
        ('{"fields": {"date": "soon"}}', 422),
        ('{"fields": {"title": "%s"}}' % ("x" * 501), 422),
        ('{"fields": {"title": 5}}', 422),
        ('{"back": "all", "more": 1}', 422),
        ('{"back": "last"}', 422),
        ("[", 422),
    ],
)
async def test_a_bad_edit_of_a_record_is_refused(web: httpx.AsyncClient, body: str, status: int) -> None:
    listed = (await web.get("/documents")).text
    doc_id = listed.split('href="/documents/')[1].split('"')[0].split("?")[0]
    answer = await web.post(f"/documents/{doc_id}/record", content=body, headers={"x-pestle": "page"})
    assert answer.status_code == status
    assert (
        await web.post("/documents/nowhere/record", content="{}", headers={"x-pestle": "page"})
    ).status_code == 404


async def test_a_body_that_says_it_is_too_large_is_not_read(web: httpx.AsyncClient) -> None:
    head = b"POST %s HTTP/1.1\r\nHost: localhost\r\nX-Pestle: page\r\nContent-Length: %d\r\n\r\n"
    assert b"413" in await raw(web, head % (b"/ask", 600_000_000))
    assert b"413" in await raw(web, head % (b"/documents", 1_500_000_000))


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(exclude_categories=())),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
ASKED = st.fixed_dictionaries(
    {},
    optional={
        "channel": st.just("archive") | JSON_VALUES,
        "thread": st.just("0123456789ab") | JSON_VALUES,
        "event": st.just("x" * 10) | JSON_VALUES,
        "text": JSON_VALUES,
        "action": st.sampled_from(["stop", "resume", "trace", "more"]) | JSON_VALUES,
        "value": JSON_VALUES,
    },
)


@FUZZ
@given(
    st.sampled_from(["/ask", "/act", "/documents", "/documents/x/record"]),
    st.binary(max_size=200) | (JSON_VALUES | ASKED).map(lambda value: json.dumps(value).encode()),
)
async def test_no_body_whatever_is_an_error_of_ours(web: httpx.AsyncClient, path: str, body: bytes) -> None:
    for kind in ("application/json", "multipart/form-data; boundary=x", "multipart/form-data", "x"):
        answer = await web.post(path, content=body, headers={"content-type": kind})
        assert answer.status_code < 500


@FUZZ
@given(st.binary(max_size=120), st.binary(max_size=120), st.sampled_from([b"file", b"other", b"\xff"]))
async def test_no_form_whatever_is_an_error_of_ours(
    web: httpx.AsyncClient, head: bytes, body: bytes, name: bytes
) -> None:
    form = b'--x\r\nContent-Disposition: form-data; name="%b"\r\n%b\r\n\r\n%b\r\n--x--\r\n' % (
        name,
        head,
        body,
    )
    answer = await web.post(
        "/documents", content=form, headers={"content-type": "multipart/form-data; boundary=x"}
    )
    assert answer.status_code < 500


async def test_a_picture_is_drawn_in_another_process(
    web: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object) -> bytes:
        raise AssertionError("drawn here")

    monkeypatch.setattr("retrieval.parse.page_image.page_png", never)
    listed = (await web.get("/documents")).text
    names = [part.split('"')[0] for part in listed.split('href="/documents/')[1:]]
    shown = [await web.get(f"/documents/{name.split('?')[0]}/page/1.png") for name in names]
    assert [answer for answer in shown if answer.content.startswith(b"\x89PNG")]
    assert {answer.status_code for answer in shown} == {200, 404}
