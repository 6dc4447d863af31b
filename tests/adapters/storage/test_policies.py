"""What every store of policies must do."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from adapters.storage import open_storage
from adapters.storage.policies import SqlPolicies
from bot.errors import BadRequest
from bot.rights import EVERYBODY, Policy
from retrieval.collections import REST, Collection

SECRET = Collection("secret", ("/archive/secret",), (("phase", "II"),), ("D-1",))


@pytest.fixture
async def policies(tmp_path: Path) -> AsyncIterator[SqlPolicies]:
    storage = await open_storage(f"sqlite:///{tmp_path}/pestle.db")
    yield storage.policies
    await storage.close()


async def test_a_policy_is_kept_whole_and_the_last_one_is_in_force(policies: SqlPolicies) -> None:
    assert await policies.current() == Policy()
    policy = Policy().collected(SECRET).grouped("chemists", ("slack:U1", "web:anna"))
    assert await policies.change(policy.granting("secret", "group:chemists"), "somebody")
    kept = await policies.current()
    assert (kept.number, kept.collections, kept.granted("web:anna")) == (1, (SECRET,), {"secret"})
    assert await policies.change(kept.revoking("secret", "group:chemists"), "somebody")
    assert (await policies.current()).granted("web:anna") == frozenset()


async def test_of_two_changes_at_once_one_is_told_to_look_again(policies: SqlPolicies) -> None:
    policy = Policy().collected(SECRET)
    told = await asyncio.gather(*(policies.change(policy, name) for name in "ab"))
    assert sorted(told) == [False, True]


def test_nothing_is_read_that_was_not_granted_from_the_first_collection_on() -> None:
    assert Policy().granted("web:anna") is None
    policy = Policy().collected(SECRET)
    assert policy.granted("web:anna") == frozenset()
    assert policy.granting(REST, EVERYBODY).granted("web:anna") == {REST}
    assert policy.granting(REST, EVERYBODY).granting("secret", "web:anna").granted("web:anna") is None
    assert policy.granting("secret", "web:anna").without("secret").granted("web:bea") is None


@pytest.mark.parametrize("who", ["anna", "group:nobody", "", "web:", "Slack:U1", "everybody "])
def test_a_grant_to_nobody_that_can_be_meant_is_refused(who: str) -> None:
    with pytest.raises(BadRequest):
        Policy().granting(REST, who)


@pytest.mark.parametrize("name", [REST, "", " secret", "a\nb", "x" * 61, "../secret"])
def test_a_collection_has_a_plain_name_of_its_own(name: str) -> None:
    with pytest.raises(BadRequest):
        Policy().collected(Collection(name))
