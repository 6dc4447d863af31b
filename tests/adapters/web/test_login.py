"""The page where others can reach it: nobody gets past the log-in, and everybody leaves their name."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.cli.page import page
from adapters.errors import SettingsError
from adapters.sections import WebSettings
from adapters.settings import Settings
from adapters.web import login
from adapters.web.login import COOKIE
from adapters.web.passwords import hashed
from adapters.wiring import Runtime, runtime
from bot.accounts import Account
from tests.adapters.web.conftest import opened
from tests.adapters.web.test_hostile import FUZZ, JSON_VALUES
from tests.support.services import program

PASSWORD = "four small green pestles"
PAGE = {"x-pestle": "page"}
THREAD = {"channel": "archive", "thread": "0123456789ab"}


@pytest.fixture
async def built(archived: Path, tmp_path: Path) -> AsyncIterator[Runtime]:
    """A house of two people, with the archive of the demo."""
    (tmp_path / "archive.db").symlink_to(archived / "archive.db")
    async with runtime(Settings(home=tmp_path)) as built:
        for name in ("ada", "ben"):
            await built.storage.accounts.add(Account(name, hashed(PASSWORD)))
        yield built


@dataclass
class Visitor:
    """A browser without scripts."""

    client: httpx.AsyncClient
    csrf: str = ""

    async def enter(self, name: str = "ada", password: str = PASSWORD, **more: Any) -> httpx.Response:
        body = {"name": name, "password": password, **more}
        response = await self.client.post("/login", json=body, headers=PAGE)
        if response.status_code == 200:
            shown = (await self.client.get("/")).text
            self.csrf = re.findall(r'data-csrf="([0-9a-f]{64})"', shown)[0]
        return response

    async def post(self, address: str, **body: Any) -> httpx.Response:
        return await self.client.post(address, json=body, headers=PAGE | {"x-pestle-csrf": self.csrf})

    async def ask(self, text: str, event: str) -> httpx.Response:
        return await self.post("/ask", **THREAD, event=event, text=text)


@pytest.fixture
async def address(built: Runtime) -> AsyncIterator[str]:
    """The page's address, on all addresses of this machine."""
    home = built.settings.home
    async with page(Settings(home=home, web=WebSettings(host="0.0.0.0", port=0))) as (server, address):
        serving = asyncio.create_task(server.serve())
        assert server.in_the_clear
        yield address.replace("0.0.0.0", "127.0.0.1")
        server.stop()
        await serving


@pytest.fixture
async def visitor(address: str) -> AsyncIterator[Visitor]:
    async with httpx.AsyncClient(base_url=address, timeout=30) as client:
        yield Visitor(client)


async def test_a_page_that_others_reach_does_not_start_without_an_account(archived: Path) -> None:
    for web in (WebSettings(host="0.0.0.0", port=0), WebSettings(port=0, login="always")):
        with pytest.raises(SettingsError, match=r"pestle account add NAME.*PESTLE_WEB_HOST=127\.0\.0\.1"):
            async with page(Settings(home=archived, web=web)):
                raise AssertionError("it started")


@pytest.mark.parametrize(
    "path",
    [
        *("/", "/events?channel=archive", "/documents", "/documents/AF-TX-05-002", "/documents/x/page/1.png"),
        *("/runs/x", "/runs/x/export.md", "/artefacts/x"),
        *("//login", "/login/", "/LOGIN", "/static/../documents"),
    ],
)
async def test_nothing_is_shown_without_a_session(visitor: Visitor, path: str) -> None:
    for cookie in ({}, {"cookie": f"{COOKIE}=forged"}, {"cookie": f"{COOKIE}="}):
        response = await visitor.client.get(path, headers=cookie)
        assert response.status_code in (401, 404), response.text
        assert "AF-" not in response.text
        assert "Ask the archive" not in response.text


@pytest.mark.parametrize("path", ["/ask", "/act", "/documents", "/logout"])
async def test_nothing_is_changed_without_a_session(visitor: Visitor, path: str) -> None:
    response = await visitor.client.post(path, headers=PAGE, json={})
    assert response.status_code == 401


@FUZZ
@given(
    st.binary(max_size=200)
    | st.dictionaries(st.sampled_from(["name", "password", "next", "more"]), JSON_VALUES).map(
        lambda value: json.dumps(value).encode()
    ),
    st.binary(max_size=40).map(lambda value: re.sub(rb"[\x00-\x20\x7f]", b"", value)),
)
async def test_no_log_in_whatever_is_an_error_of_ours(visitor: Visitor, body: bytes, cookie: bytes) -> None:
    headers = [(b"x-pestle", b"page"), (b"cookie", COOKIE.encode() + b"=" + cookie)]
    for kind in (b"application/json", b"application/x-www-form-urlencoded", b"x"):
        answer = await visitor.client.post(
            "/login", content=body, headers=[*headers, (b"content-type", kind)]
        )
        assert 400 <= answer.status_code < 500
    assert (await visitor.client.get("/documents", headers=headers)).status_code in (400, 401)


async def test_who_opens_the_page_is_led_to_the_form_and_back(visitor: Visitor) -> None:
    wanted = "/?channel=archive&thread=0123456789ab"
    response = await visitor.client.get(wanted, headers={"accept": "text/html"})
    assert response.status_code == 303
    form = await visitor.client.get(response.headers["location"])
    assert 'data-next="/?channel=archive&amp;thread=0123456789ab"' in form.text
    assert (await visitor.enter(next=wanted)).json() == {"address": wanted}


@pytest.mark.parametrize(
    "elsewhere", ["https://evil.example", "//evil.example", "/\\evil.example", "/?a\r\nb"]
)
async def test_the_form_leads_to_no_other_site(visitor: Visitor, elsewhere: str) -> None:
    assert (await visitor.enter(next=elsewhere)).json() == {"address": "/"}


async def test_who_asks_revises_and_signs_is_known_by_name(visitor: Visitor, built: Runtime) -> None:
    await visitor.enter("Ada")
    await visitor.client.get("/")
    receipt = (await visitor.ask("What was the first-in-human dose of AF-2107?", "event-01")).json()
    assert '<small class="by">ada</small>' in receipt["html"]
    await built.finished(receipt["run"])
    await visitor.enter("ben")
    for number, command in enumerate(("edit: The dose was 4 mg.", "accept")):
        await visitor.ask(command, f"event-1{number}")
    view = await built.views.by_id(receipt["run"])
    assert view.record.asked_by == "ada"
    assert view.history is not None
    assert [(line.action.value, line.by) for line in view.history.lines] == [
        ("edited", "ben"),
        ("accepted", "ben"),
    ]


async def test_the_cookie_is_kept_from_scripts_and_the_database_from_the_cookie(
    visitor: Visitor, built: Runtime
) -> None:
    response = await visitor.enter()
    kept = response.headers["set-cookie"].lower()
    assert "httponly" in kept
    assert "samesite=lax" in kept
    assert "max-age=43200" in kept
    token = visitor.client.cookies[COOKIE]
    raw = b"".join(file.read_bytes() for file in built.settings.home.glob("pestle.db*"))
    assert token.encode() not in raw
    assert PASSWORD.encode() not in raw
    assert visitor.csrf not in token


async def test_a_request_without_the_pages_own_token_changes_nothing(
    visitor: Visitor, built: Runtime
) -> None:
    await visitor.enter()
    own, visitor.csrf = visitor.csrf, ""
    for visitor.csrf in ("", "0" * 64, own.upper(), "\u00e9"):
        with_token = {"x-pestle-csrf": visitor.csrf.encode("latin-1")}
        body = {**THREAD, "event": "event-01", "text": "What?"}
        response = await visitor.client.post("/ask", json=body, headers=PAGE | with_token)  # type: ignore[arg-type]
        assert response.status_code == 403
    assert await built.ledger.runs() == []
    visitor.csrf = own
    assert (await visitor.ask("help", "event-02")).status_code == 200


async def test_a_log_out_ends_the_session_and_its_streams(
    visitor: Visitor, built: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(login, "LOOK_AGAIN_S", 0.0)
    await visitor.enter()
    place = "&".join(f"{key}={value}" for key, value in THREAD.items())
    async with visitor.client.stream("GET", f"/events?{place}") as events:
        lines = events.aiter_lines()
        assert await anext(lines) == ": watching"
        token = visitor.client.cookies[COOKIE]
        assert (await visitor.post("/logout")).json() == {"address": "/login"}
        other = Visitor(httpx.AsyncClient(base_url=visitor.client.base_url))
        await other.enter("ben")
        await other.ask("help", "event-01")
        assert [line async for line in lines if line] == []
        await other.client.aclose()
    assert (await visitor.client.get("/", headers={"cookie": f"{COOKIE}={token}"})).status_code == 401


async def test_a_new_password_and_a_removed_account_end_sessions(visitor: Visitor, built: Runtime) -> None:
    await visitor.enter()
    await built.storage.accounts.change("ada", hashed(PASSWORD + "!"))
    assert (await visitor.client.get("/documents")).status_code == 401
    await visitor.enter("ada", PASSWORD + "!")
    assert (await visitor.client.get("/documents")).status_code == 200
    await built.storage.accounts.remove("ada")
    assert (await visitor.client.get("/documents")).status_code == 401


async def test_guessing_is_slowed_and_told_to_the_audit_alone(visitor: Visitor, built: Runtime) -> None:
    told = {(await visitor.enter(name, "wrong password")).text for name in ("ada", "eve", "../x", "")}
    assert told == {login.WRONG}
    answers = [(await visitor.enter("ada", f"wrong {n}")).status_code for n in range(5)]
    assert answers == [401, 401, 401, 401, 429]
    locked = await visitor.enter()
    assert (locked.status_code, int(locked.headers["retry-after"]) > 60) == (429, True)
    assert (await visitor.enter("ben")).status_code == 200, "others are not locked out"
    failed = [one.texts async for one in built.storage.audit.entries() if one.kind == "log-in failed"]
    of_ada = {"by": "web:ada", "text": "from 127.0.0.1"}
    assert failed == [of_ada, *[{"text": "from 127.0.0.1"}] * 3, *[of_ada] * 4]


async def test_an_attempt_that_succeeds_is_forgotten(visitor: Visitor) -> None:
    for _ in range(8):
        assert (await visitor.enter()).status_code == 200


@pytest.mark.drill
async def test_one_person_cannot_flood_the_page(visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    await visitor.enter()
    answers = [(await visitor.post("/act")).status_code for _ in range(242)]
    assert (answers[0], answers.count(429)) == (422, 2)


async def test_what_is_no_log_in_is_refused(visitor: Visitor) -> None:
    post = visitor.client.post
    assert (await post("/login", headers=PAGE, content=b"x" * 20_000)).status_code == 413
    assert (await post("/login", headers=PAGE, content=b"not json")).status_code == 422
    assert (await post("/login", headers=PAGE, json={"name": ["ada"], "password": 1})).status_code == 422
    assert (await post("/login", json={"name": "ada", "password": PASSWORD})).status_code == 403
    evil = PAGE | {"origin": "https://evil.example"}
    assert (await post("/login", headers=evil, json={"name": "ada", "password": PASSWORD})).status_code == 403


async def test_on_this_machine_alone_nobody_logs_in(served: str) -> None:
    async with httpx.AsyncClient(base_url=served) as client:
        shown = await client.get("/")
        assert (shown.status_code, "data-csrf" in shown.text) == (200, False)
        assert (await client.get("/login")).status_code == 404


async def test_with_a_certificate_the_page_and_its_cookie_are_protected(
    built: Runtime, tmp_path: Path
) -> None:
    key, certificate = str(tmp_path / "key.pem"), str(tmp_path / "certificate.pem")
    made = f"req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=pestle.lab -keyout {key} -out {certificate}"
    quiet = asyncio.subprocess.DEVNULL
    maker = await asyncio.create_subprocess_exec(program("openssl"), *made.split(), stderr=quiet)
    assert await maker.wait() == 0
    web = WebSettings(port=0, login="always", names=("Pestle.lab",), certificate=certificate, key=key)
    async with page(Settings(home=built.settings.home, web=web)) as (server, address):
        assert not server.in_the_clear
        serving = asyncio.create_task(server.serve())
        async with httpx.AsyncClient(base_url=address, verify=False, timeout=30) as client:
            visitor = Visitor(client)
            assert "secure" in (await visitor.enter()).headers["set-cookie"].lower()
            assert (await client.get("/documents", headers={"host": "pestle.lab"})).status_code == 200
            assert (await client.get("/documents", headers={"host": "evil.example"})).status_code == 403
        server.stop()
        await serving


async def test_a_certificate_that_cannot_be_read_is_named(built: Runtime, tmp_path: Path) -> None:
    (tmp_path / "broken.pem").write_text("nonsense")
    for name in ("missing.pem", "broken.pem"):
        web = WebSettings(port=0, certificate=str(tmp_path / name))
        with pytest.raises(SettingsError, match=name):
            async with page(Settings(home=built.settings.home, web=web)):
                raise AssertionError("it started")


async def test_a_person_logs_in_asks_and_logs_out_in_a_browser(address: str, built: Runtime) -> None:
    async with opened() as tab:
        await tab.goto(address)
        await tab.fill("#name", "ada")
        await tab.fill("#password", PASSWORD)
        await tab.click("text=Log in")
        await tab.fill("#ask-text", "What was the first-in-human dose of AF-2107?")
        await tab.click("form.ask button")
        await tab.wait_for_selector("article.card.answer", timeout=30_000)
        assert (await built.ledger.runs())[0].asked_by == "ada"
        await tab.click("text=Log out")
        await tab.wait_for_selector("#login")
        await tab.goto(address)
        assert "/login" in tab.url
