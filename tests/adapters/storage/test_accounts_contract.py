"""What every keeper of accounts does: in memory, in SQLite, in PostgreSQL."""

from bot.accounts import Account, token_key
from tests.adapters.storage.places import Place

ADA = Account("ada", "hash one")


async def test_account_is_kept_once(place: Place) -> None:
    assert await place.accounts.add(ADA)
    assert not await place.accounts.add(Account("ada", "another"))
    assert await place.accounts.add(Account("ben", "hash two"))
    found = await place.accounts.get("ada")
    assert found is not None
    assert (found.secret, found.created[:10]) == ("hash one", "2026-03-01")
    assert await place.accounts.get("eve") is None
    assert await place.accounts.names() == ["ada", "ben"]


async def test_session_lasts_until_its_time_is_over(place: Place) -> None:
    await place.accounts.add(ADA)
    await place.accounts.open_session("ada", "k1", 60)
    assert await place.accounts.in_session("k1") == "ada"
    assert await place.accounts.in_session("k2") == ""
    place.clock.move(60)
    assert await place.accounts.in_session("k1") == ""


async def test_session_that_is_closed_is_over_and_others_go_on(place: Place) -> None:
    await place.accounts.add(ADA)
    for key in ("k1", "k2"):
        await place.accounts.open_session("ada", key, 60)
    await place.accounts.close_session("k1")
    assert [await place.accounts.in_session(key) for key in ("k1", "k2")] == ["", "ada"]


async def test_new_password_ends_the_sessions_of_that_account_alone(place: Place) -> None:
    for name in ("ada", "ben"):
        await place.accounts.add(Account(name, "hash"))
        await place.accounts.open_session(name, f"k-{name}", 60)
    assert await place.accounts.change("ada", "hash new")
    assert not await place.accounts.change("eve", "hash")
    assert await place.accounts.in_session("k-ada") == ""
    assert await place.accounts.in_session("k-ben") == "ben"
    changed = await place.accounts.get("ada")
    assert changed is not None
    assert changed.secret == "hash new"


async def test_removed_account_has_no_sessions_and_cannot_begin_one(place: Place) -> None:
    await place.accounts.add(ADA)
    await place.accounts.open_session("ada", "k1", 60)
    assert await place.accounts.remove("ada")
    assert not await place.accounts.remove("ada")
    assert await place.accounts.in_session("k1") == ""
    await place.accounts.open_session("ada", "k2", 60)
    assert await place.accounts.in_session("k2") == ""


async def test_who_a_provider_knows_has_one_account_and_takes_nobodys(place: Place) -> None:
    assert await place.accounts.enter("https://idp 7", "ada", ["chemists"]) == "ada"
    assert await place.accounts.enter("https://idp 7", "renamed", []) == "ada"
    assert await place.accounts.enter("https://idp 8", "ada", []) == ""
    assert await place.accounts.names() == ["ada"]
    found = await place.accounts.get("ada")
    assert found is not None
    assert found.secret == ""
    assert await place.accounts.remove("ada")
    assert await place.accounts.enter("https://idp 8", "ada", []) == "ada"


async def test_personal_tokens_are_sessions_that_are_listed(place: Place) -> None:
    await place.accounts.add(ADA)
    await place.accounts.open_session("ada", "k1", 60)
    await place.accounts.open_session("ada", token_key("t"), 3_600)
    assert await place.accounts.tokens("ada") == {token_key("t"): "2026-03-01T13:00:00.000000+00:00"}
    assert await place.accounts.in_session(token_key("t")) == "ada"
    assert await place.accounts.change("ada", "hash two")
    assert await place.accounts.tokens("ada") == {}
