"""Log-in by a provider of the company, personal tokens, and what the roles may."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest
from pydantic import SecretStr

from adapters.cli.page import page
from adapters.sections import OidcSettings, WebSettings
from adapters.settings import Settings
from adapters.web.login import BACK, BEGUN, COOKIE
from adapters.web.passwords import hashed
from adapters.wiring import Runtime, runtime
from bot.accounts import Account, token_key
from retrieval.collections import Collection
from tests.adapters.web.provider import CLIENT, OTHER_KEY, SECRET, Provider, provider, query_of

PAGE = {"x-pestle": "page"}
HTML = {"accept": "text/html"}
PASSWORD = "four small green pestles"


@pytest.fixture
async def built(archived: Path, tmp_path: Path) -> AsyncIterator[Runtime]:
    (tmp_path / "archive.db").symlink_to(archived / "archive.db")
    async with runtime(Settings(home=tmp_path)) as built:
        yield built


@pytest.fixture
async def company() -> AsyncIterator[Provider]:
    async with provider() as made:
        yield made


@pytest.fixture
async def visitor(built: Runtime, company: Provider) -> AsyncIterator[httpx.AsyncClient]:
    """A browser before a page that nobody has an account of."""
    oidc = OidcSettings(issuer=company.issuer, client_id=CLIENT, client_secret=SecretStr(SECRET))
    settings = Settings(home=built.settings.home, web=WebSettings(port=0, login="always"), oidc=oidc)
    async with page(settings) as (server, address):
        serving = asyncio.create_task(server.serve())
        async with httpx.AsyncClient(base_url=address, timeout=30) as client:
            yield client
        server.stop()
        await serving


async def begun(visitor: httpx.AsyncClient, then: str = "/") -> str:
    """The address at the provider to which the page sends a browser."""
    sent = await visitor.get("/login/company", params={"next": then})
    assert sent.status_code == 303, sent.text
    return sent.headers["location"]


async def brought_back(visitor: httpx.AsyncClient, place: str) -> str:
    """The address to which the provider sends it back."""
    async with httpx.AsyncClient() as client:
        return (await client.get(place)).headers["location"]


async def entered(visitor: httpx.AsyncClient, then: str = "/") -> httpx.Response:
    return await visitor.get(await brought_back(visitor, await begun(visitor, then)))


async def test_who_the_company_knows_comes_in_under_their_name(
    visitor: httpx.AsyncClient, built: Runtime, company: Provider
) -> None:
    assert "/login/company?next=" in (await visitor.get("/login")).text
    answer = await entered(visitor, "/?channel=archive")
    assert (answer.status_code, answer.headers["location"]) == (303, "/?channel=archive")
    assert "httponly" in answer.headers["set-cookie"].lower()
    assert "ada" in (await visitor.get("/")).text
    assert await built.storage.accounts.names() == ["ada"]
    await entered(visitor)
    company.claims = {"preferred_username": "renamed"}
    await entered(visitor)
    assert await built.storage.accounts.names() == ["ada"]


async def test_what_goes_out_has_a_challenge_and_no_secret(visitor: httpx.AsyncClient) -> None:
    place = await begun(visitor)
    asked = query_of(place)
    assert asked["redirect_uri"] == f"{visitor.base_url}".rstrip("/") + BACK
    assert len(asked["code_challenge"]) == 43
    assert "verifier" not in place
    assert SECRET not in place
    other = query_of(await begun(visitor))
    assert all(asked[name] != other[name] for name in ("state", "nonce", "code_challenge"))


LIES: dict[str, dict[str, Any]] = {
    "another audience": {"claims": {"aud": "another"}},
    "an audience beside us": {"claims": {"aud": [CLIENT, "another"]}},
    "another issuer": {"claims": {"iss": "https://evil.example"}},
    "over": {"claims": {"exp": 1}},
    "without an end": {"claims": {"exp": None}},
    "of tomorrow": {"claims": {"iat": 9_999_999_999}},
    "another nonce": {"claims": {"nonce": "another"}},
    "no nonce": {"claims": {"nonce": None}},
    "nobody": {"claims": {"sub": None}},
    "no name": {"claims": {"preferred_username": "<script>"}},
    "a reserved name": {"claims": {"preferred_username": "you"}},
    "unsigned": {"algorithm": "none"},
    "signed by a secret": {"algorithm": "HS256", "key": SECRET * 8},
    "another key": {"key": OTHER_KEY},
    "an unknown key": {"kid": "k2"},
    "a document of another": {"document": {"issuer": "https://evil.example"}},
    "no place for codes": {"document": {"token_endpoint": "file:///etc/passwd"}},
}


@pytest.mark.parametrize("lie", LIES)
async def test_a_reply_that_is_not_to_be_trusted_lets_nobody_in(
    visitor: httpx.AsyncClient, built: Runtime, company: Provider, lie: str
) -> None:
    for name, value in LIES[lie].items():
        setattr(company, name, value)
    answer = await visitor.get("/login/company")
    if answer.status_code == 303:
        answer = await visitor.get(await brought_back(visitor, answer.headers["location"]))
    assert answer.status_code == 401
    assert COOKIE not in visitor.cookies
    assert await built.storage.accounts.names() == []
    assert "evil" not in answer.text
    assert "<script>" not in answer.text.split('role="alert"')[1]
    assert len(await failed(built)) == (lie != "a document of another")


async def failed(built: Runtime) -> list[dict[str, str]]:
    """What the audit tells of log-ins that failed."""
    return [one.texts async for one in built.storage.audit.entries() if one.kind == "log-in failed"]


async def test_failed_log_ins_are_on_record_but_nobody_can_fill_it_with_them(
    visitor: httpx.AsyncClient, built: Runtime
) -> None:
    for _ in range(40):
        assert (await visitor.get(BACK)).status_code == 401
    assert await failed(built) == [{"text": "from 127.0.0.1"}] * 30


async def test_state_code_and_browser_are_each_good_once_and_together(
    visitor: httpx.AsyncClient, company: Provider
) -> None:
    for change in ({"state": "another"}, {"state": ""}, {"code": ""}, {"iss": "https://evil.example"}):
        told = query_of(await brought_back(visitor, await begun(visitor))) | change
        assert (await visitor.get(f"{BACK}?{urlencode(told)}")).status_code == 401
    assert company.exchanged == []
    place = await begun(visitor)
    back, again = await brought_back(visitor, place), await brought_back(visitor, place)
    async with httpx.AsyncClient() as stranger:
        assert (await stranger.get(back)).status_code == 401
    kept = visitor.cookies[BEGUN]
    assert (await visitor.get(back)).status_code == 303
    visitor.cookies.set(BEGUN, kept)
    assert (await visitor.get(again)).status_code == 401
    stolen = query_of(await brought_back(visitor, await begun(visitor)))
    mine = query_of(await begun(visitor)) | {"code": stolen["code"]}
    told = {name: mine[name] for name in ("code", "state")}
    assert (await visitor.get(f"{BACK}?{urlencode(told)}")).status_code == 401


@pytest.mark.parametrize("then", ["//evil.example", "https://evil.example", "/\\evil", "/%0d"])
async def test_the_log_in_leads_to_no_other_site(visitor: httpx.AsyncClient, then: str) -> None:
    assert (await entered(visitor, then)).headers["location"] == "/"


async def test_a_session_that_was_put_into_the_browser_is_not_taken_over(
    visitor: httpx.AsyncClient, built: Runtime
) -> None:
    await built.storage.accounts.add(Account("eve", hashed(PASSWORD)))
    await visitor.post("/login", json={"name": "eve", "password": PASSWORD}, headers=PAGE)
    planted = visitor.cookies[COOKIE]
    await entered(visitor)
    assert visitor.cookies[COOKIE] != planted
    async with httpx.AsyncClient(base_url=visitor.base_url, cookies={COOKIE: planted}) as eve:
        assert (await eve.get("/")).status_code == 401


async def test_an_account_of_somebody_else_is_not_taken_over(
    visitor: httpx.AsyncClient, built: Runtime, company: Provider
) -> None:
    await built.storage.accounts.add(Account("ada", hashed(PASSWORD)))
    answer = await entered(visitor)
    assert answer.status_code == 401
    assert "somebody else&#39;s" in answer.text
    assert COOKIE not in visitor.cookies
    for password in ("", PASSWORD):
        await built.storage.accounts.remove("ada")
        await entered(visitor)
        body = {"name": "ada", "password": password}
        assert (await visitor.post("/login", json=body, headers=PAGE)).status_code == 401


async def test_a_provider_that_is_away_or_a_host_of_another_is_told(
    visitor: httpx.AsyncClient, company: Provider
) -> None:
    assert (await visitor.get("/login/company", headers={"host": "evil.example"})).status_code == 403
    company.document = {"jwks_uri": f"{company.issuer}/nowhere"}
    answer = await visitor.get("/login/company")
    assert answer.status_code == 401
    assert "does not answer as it should" in answer.text
    company.document = {}
    assert (await entered(visitor)).status_code == 303


async def test_groups_of_the_log_in_give_rights_until_it_says_otherwise(
    visitor: httpx.AsyncClient, built: Runtime, company: Provider, caplog: pytest.LogCaptureFixture
) -> None:
    policies = built.storage.policies
    company.claims = {"groups": ["chemists", "bad\nname", 7]}
    await entered(visitor)
    policy = (await policies.current()).collected(Collection("tox", (), (), ("D-1",)))
    assert policy.claimed == {"chemists": ("web:ada",)}
    await policies.change(
        policy.granting("tox", "group:chemists").granting("expert", "group:chemists"), "bob"
    )
    policy = await policies.current()
    assert policy.granted("web:ada") == {"tox"}
    assert [policy.may("expert", f"web:{name}") for name in ("ada", "ben")] == [True, False]
    elsewhere = {"_claim_names": {"groups": "src1"}, "_claim_sources": {"src1": {"endpoint": "https://x"}}}
    for told in ({"groups": "chemists"}, elsewhere):
        company.claims = {"groups": ["chemists"]}
        await entered(visitor)
        assert (await policies.current()).granted("web:ada") == {"tox"}
        company.claims = told
        caplog.clear()
        await entered(visitor)
        policy = await policies.current()
        assert (policy.granted("web:ada"), policy.may("expert", "web:ada")) == (frozenset(), False)
        assert ("too many groups" in caplog.text) == ("groups" not in told)


async def test_a_personal_token_is_its_owner_without_a_browser(
    visitor: httpx.AsyncClient, built: Runtime
) -> None:
    accounts = built.storage.accounts
    await accounts.add(Account("ben", hashed(PASSWORD)))
    await accounts.open_session("ben", token_key("pestle_x"), 60)
    bears = PAGE | {"authorization": "Bearer pestle_x"}
    body = {"channel": "archive", "thread": "0123456789ab", "event": "e" * 8, "text": "help"}
    assert (await visitor.post("/ask", json=body, headers=bears)).status_code == 200
    assert (await visitor.get("/documents", headers=bears)).status_code == 200
    for token in ("pestle_y", "x", token_key("pestle_x")):
        wrong = {"authorization": f"Bearer {token}"}
        assert (await visitor.get("/documents", headers=wrong)).status_code == 401
    assert (await visitor.get("/documents", headers={"cookie": f"{COOKIE}=pestle_x"})).status_code == 401
    assert list(await accounts.tokens("ben")) == [token_key("pestle_x")]
    await accounts.close_session(token_key("pestle_x"))
    assert (await visitor.get("/documents", headers=bears)).status_code == 401
    told = [(one.kind, one.texts["by"]) async for one in built.storage.audit.entries()]
    assert told == [("account added", "web:ben"), ("token made", "web:ben"), ("token revoked", "web:ben")]


async def test_from_the_first_admin_on_only_admins_change_the_archive(
    visitor: httpx.AsyncClient, built: Runtime
) -> None:
    await built.storage.accounts.add(Account("ben", hashed(PASSWORD)))
    await built.storage.accounts.open_session("ben", token_key("t"), 60)
    bears = PAGE | {"authorization": "Bearer t"}
    assert (await visitor.delete("/documents/none", headers=bears)).status_code == 404
    policy = (await built.storage.policies.current()).granting("admin", "web:ada")
    await built.storage.policies.change(policy, "bob")
    for method, path in (("DELETE", "none"), ("POST", ""), ("POST", "none/taken"), ("POST", "none/record")):
        answer = await visitor.request(method, f"/documents/{path}".rstrip("/"), headers=bears)
        assert (answer.status_code, "pestle access grant admin web:ben" in answer.text) == (403, True)
    assert (await visitor.get("/documents", headers=bears)).status_code == 200
    policy = (await built.storage.policies.current()).granting("admin", "web:ben")
    await built.storage.policies.change(policy, "bob")
    assert (await visitor.delete("/documents/none", headers=bears)).status_code == 404
