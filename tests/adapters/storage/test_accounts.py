"""What is kept of accounts and their sessions, in SQLite and in PostgreSQL."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from adapters.storage import open_storage
from adapters.storage.accounts import SqlAccounts
from bot.accounts import Account, token_key
from tests.adapters.storage.places import DATABASES, MovableClock, emptied

ADA = Account("ada", "hash one")


@pytest.fixture
def clock() -> MovableClock:
    return MovableClock()


@pytest.fixture(params=DATABASES)
async def accounts(
    request: pytest.FixtureRequest, tmp_path: Path, clock: MovableClock
) -> AsyncIterator[SqlAccounts]:
    storage = await open_storage(await emptied(request.param, tmp_path), clock)
    yield storage.accounts
    await storage.close()


async def test_account_is_kept_once(accounts: SqlAccounts) -> None:
    assert await accounts.add(ADA)
    assert not await accounts.add(Account("ada", "another"))
    assert await accounts.add(Account("ben", "hash two"))
    found = await accounts.get("ada")
    assert found is not None
    assert (found.secret, found.created[:10]) == ("hash one", "2026-03-01")
    assert await accounts.get("eve") is None
    assert await accounts.names() == ["ada", "ben"]


async def test_session_lasts_until_its_time_is_over(accounts: SqlAccounts, clock: MovableClock) -> None:
    await accounts.add(ADA)
    await accounts.open_session("ada", "k1", 60)
    assert await accounts.in_session("k1") == "ada"
    assert await accounts.in_session("k2") == ""
    clock.move(60)
    assert await accounts.in_session("k1") == ""


async def test_session_that_is_closed_is_over_and_others_go_on(accounts: SqlAccounts) -> None:
    await accounts.add(ADA)
    for key in ("k1", "k2"):
        await accounts.open_session("ada", key, 60)
    await accounts.close_session("k1")
    assert [await accounts.in_session(key) for key in ("k1", "k2")] == ["", "ada"]


async def test_new_password_ends_the_sessions_of_that_account_alone(accounts: SqlAccounts) -> None:
    for name in ("ada", "ben"):
        await accounts.add(Account(name, "hash"))
        await accounts.open_session(name, f"k-{name}", 60)
    assert await accounts.change("ada", "hash new")
    assert not await accounts.change("eve", "hash")
    assert await accounts.in_session("k-ada") == ""
    assert await accounts.in_session("k-ben") == "ben"
    changed = await accounts.get("ada")
    assert changed is not None
    assert changed.secret == "hash new"


async def test_removed_account_has_no_sessions_and_cannot_begin_one(accounts: SqlAccounts) -> None:
    await accounts.add(ADA)
    await accounts.open_session("ada", "k1", 60)
    assert await accounts.remove("ada")
    assert not await accounts.remove("ada")
    assert await accounts.in_session("k1") == ""
    await accounts.open_session("ada", "k2", 60)
    assert await accounts.in_session("k2") == ""


async def test_who_a_provider_knows_has_one_account_and_takes_nobodys(accounts: SqlAccounts) -> None:
    assert await accounts.enter("https://idp 7", "ada", ["chemists"]) == "ada"
    assert await accounts.enter("https://idp 7", "renamed", []) == "ada"
    assert await accounts.enter("https://idp 8", "ada", []) == ""
    assert await accounts.names() == ["ada"]
    found = await accounts.get("ada")
    assert found is not None
    assert found.secret == ""
    assert await accounts.remove("ada")
    assert await accounts.enter("https://idp 8", "ada", []) == "ada"


async def test_personal_tokens_are_sessions_that_are_listed(accounts: SqlAccounts) -> None:
    await accounts.add(ADA)
    await accounts.open_session("ada", "k1", 60)
    await accounts.open_session("ada", token_key("t"), 3_600)
    assert await accounts.tokens("ada") == {token_key("t"): "2026-03-01T13:00:00.000000+00:00"}
    assert await accounts.in_session(token_key("t")) == "ada"
    assert await accounts.change("ada", "hash two")
    assert await accounts.tokens("ada") == {}
