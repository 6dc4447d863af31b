"""`pestle access`: shown, granted, taken back, explained and tried, in the terminal."""

import asyncio
from pathlib import Path

import pytest

from adapters.settings import load
from adapters.slack import members
from adapters.wiring import runtime
from tests.adapters.cli.conftest import Pestle
from tests.adapters.slack.far_end import BOT_USER, TOKEN, far_end

ALL_ARE_READ = "There is no collection, so everybody who may ask reads everything."


@pytest.fixture
def access(home: Path, pestle: Pestle) -> Pestle:
    return pestle


def lines(pestle: Pestle, *arguments: str) -> list[str]:
    """What a command says."""
    ended = pestle("access", *arguments)
    assert (ended.code, ended.err) == (0, "")
    return ended.out.splitlines()


def refused(pestle: Pestle, *arguments: str) -> str:
    """What a command says that changes nothing."""
    before = lines(pestle)
    ended = pestle("access", *arguments)
    assert (ended.code, ended.out) == (2, "")
    assert lines(pestle) == before
    return ended.err


def test_collections_groups_and_grants_are_made_shown_and_taken_back(access: Pestle, documents: Path) -> None:
    assert lines(access)[0].startswith(ALL_ARE_READ)
    assert lines(access, "collect", "board", "--where", "document_type=project closure minutes") == [
        "board: 1 documents, read by nobody",
        "everything: 1 documents, read by nobody",
    ]
    lines(access, "group", "chemists", "slack:U1", "web:ada")
    lines(access, "grant", "board", "group:chemists")
    assert lines(access, "grant", "everything", "everybody") == [
        "board: 1 documents, read by group:chemists",
        "everything: 1 documents, read by everybody",
        "group chemists: slack:U1, web:ada",
    ]
    assert lines(access, "collect", "board", "--folder", str(documents))[0].startswith("board: 2 documents")
    assert lines(access, "collect", "board", "--document", "KP-MIN-02")[0].startswith("board: 1 documents")
    assert "still granted board" in refused(access, "group", "chemists")
    assert lines(access, "revoke", "board", "group:chemists")[0] == "board: 1 documents, read by nobody"
    assert len(lines(access, "group", "chemists")) == 2
    assert lines(access, "drop", "board")[0].startswith(ALL_ARE_READ)


def test_why_somebody_may_read_a_document_or_not_is_told(access: Pestle) -> None:
    assert lines(access, "why", "web:ada", "KP-MIN-02")[0].startswith(ALL_ARE_READ)
    lines(access, "collect", "board", "--where", "document_type=project closure minutes")
    lines(access, "collect", "stopped", "--document", "KP-MIN-02")
    lines(access, "group", "chemists", "web:ada")
    lines(access, "grant", "board", "group:chemists")
    lines(access, "grant", "board", "web:ada")
    assert lines(access, "why", "web:ada", "KP-MIN-02") == [
        "web:ada may not read KP-MIN-02.",
        "It is in board, which is granted to group:chemists, web:ada.",
        "It is in stopped, which is not granted.",
    ]
    lines(access, "grant", "stopped", "everybody")
    assert lines(access, "why", "web:ada", "KP-MIN-02")[0] == "web:ada may read KP-MIN-02."
    assert lines(access, "why", "web:bea", "KP-CL-01") == [
        "web:bea may not read KP-CL-01.",
        "It is in everything, which is not granted.",
    ]
    assert "has no document 'KP-9'" in refused(access, "why", "web:ada", "KP-9")


def test_what_somebody_reads_and_finds_is_tried(access: Pestle) -> None:
    everything = lines(access, "try", "web:ada", "--search", "dose")
    assert everything[0] == "web:ada reads everything: 2 documents, 1 molecules; signs."
    lines(access, "collect", "board", "--document", "KP-MIN-02")
    lines(access, "grant", "expert", "web:bea")
    assert lines(access, "try", "web:ada", "--search", "dose") == [
        "web:ada reads no collection: 0 documents, 0 molecules; does not sign."
    ]
    lines(access, "grant", "board", "web:bea")
    (told, found) = lines(access, "try", "web:bea", "--search", "KP-100")
    assert told == "web:bea reads board: 1 documents, 1 molecules; signs."
    assert found.startswith("KP-MIN-02: ")


async def test_what_a_channel_reads_is_tried_as_slack_says_who_is_in_it(
    access: Pestle, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def told(*arguments: str) -> list[str]:
        return await asyncio.to_thread(lines, access, *arguments)

    async with far_end() as end:
        monkeypatch.setattr(members, "PATIENCE_S", 30.0)
        monkeypatch.setenv("PESTLE_SLACK_BOT_TOKEN", TOKEN)
        monkeypatch.setenv("PESTLE_SLACK_BASE_URL", end.url)
        end.channels = {"C1": ["U1", "U2", BOT_USER], "C2": ["U1", BOT_USER]}
        await told("collect", "board", "--document", "KP-MIN-02")
        for person in ("U1", "U2"):
            await told("grant", "everything", f"slack:{person}")
        await told("grant", "board", "slack:U1")
        reads = "1 documents, 1 molecules; signs."
        assert await told("try", "slack:U1") == [
            "slack:U1 reads everything: 2 documents, 1 molecules; signs."
        ]
        assert await told("try", "slack:U1", "--in", "C1") == [f"slack:U1 in C1 reads everything: {reads}"]
        (all_of_it,) = await told("try", "slack:U1", "--in", "C2")
        assert "2 documents" in all_of_it
        (by_a_stranger,) = await told("try", "slack:U9", "--in", "C2")
        assert "reads no collection: 0 documents" in by_a_stranger
        end.groups["S0614TZR7"] = []
        await told("grant", "board", "group:slack:S0614TZR7")
        assert (await told())[-1] == "group slack:S0614TZR7, as told: nobody"
        end.groups["S0614TZR7"] = ["U2"]
        assert (await told())[-1] == "group slack:S0614TZR7, as told: slack:U2"
        assert "granted to group:slack:S0614TZR7" in (await told("why", "slack:U2", "KP-MIN-02"))[1]
        assert "2 documents" in (await told("try", "slack:U2", "--in", "C1"))[0]
        end.refused["conversations.members"] = "channel_not_found"
        (not_known,) = await told("try", "slack:U1", "--in", "C9")
        assert "reads no collection: 0 documents" in not_known


def test_signing_is_granted_to_experts_and_to_all_only_when_that_is_said(access: Pestle) -> None:
    assert lines(access, "grant", "expert", "web:bea")[1] == "expert, who alone signs: web:bea"
    assert "web:bea is the last expert" in refused(access, "revoke", "expert", "web:bea")
    lines(access, "grant", "expert", "web:ada")
    assert lines(access, "revoke", "expert", "web:bea")[1] == "expert, who alone signs: web:ada"
    assert len(lines(access, "drop", "expert")) == 1
    assert "no collection 'expert'" in refused(access, "drop", "expert")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("collect", "board"), "--folder, --where or --document"),
        (("collect", "everything", "--document", "A"), "cannot be made a collection"),
        (("collect", "expert", "--document", "A"), "cannot be made a collection"),
        (("collect", "../x", "--document", "A"), "cannot be taken"),
        (("collect", "board", "--where", "colour=red"), "is no condition"),
        (("collect", "board", "--where", "phase="), "is no condition"),
        (("drop", "board"), "no collection 'board'"),
        (("grant", "board", "everybody"), "cannot be granted, only everything, expert, admin"),
        (("grant", "everything", "group:chemists"), "There is no group:chemists"),
        (("grant", "everything", "ada"), "A person is such as"),
        (("group", "chemists", "group:others"), "A person is such as"),
        (("revoke", "everything", "everybody"), "was not granted everything"),
        (("why", "ada", "KP-CL-01"), "A person is such as"),
        (("try", "ada"), "A person is such as"),
    ],
)
def test_what_cannot_be_meant_is_refused_and_changes_nothing(
    access: Pestle, arguments: tuple[str, ...], told: str
) -> None:
    assert told in " ".join(refused(access, *arguments).split())


def test_each_change_is_kept_with_who_made_it(access: Pestle) -> None:
    for name in ("one", "two"):
        lines(access, "collect", name, "--document", "KP-MIN-02")

    async def changes() -> int:
        async with runtime(load()) as built:
            return (await built.storage.policies.current()).number

    assert asyncio.run(changes()) == 2
