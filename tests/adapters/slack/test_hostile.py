"""Whatever is sent to the bot: 401 without Slack's signature, 400 where no form fits, and never 500."""

import hashlib
import hmac
import json
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.applications import Starlette

from adapters.door import LARGEST_BODY, Refused
from adapters.slack.inbound import payload_of
from adapters.slack.serve import slack_routes
from tests.adapters.slack.ears import ear_of
from tests.adapters.slack.far_end import BOT_USER, far_end
from tests.adapters.slack.sender import SECRET, Sender
from tests.bot.world import World
from tests.support.drills import examples
from tests.support.hostile_payloads import (
    COMMAND,
    EVENT,
    FORM,
    JSON,
    PAYLOADS,
    PRESS,
    SHORTCUT,
    SUBMISSION,
    commanded,
    pressed,
    with_event,
)


@asynccontextmanager
async def slack(world: World | None = None) -> AsyncIterator[Sender]:
    async with far_end() as end:
        app = Starlette(routes=slack_routes(ear_of(end, world or World()), SECRET))
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://bot") as client:
            yield Sender(client)


def signature(body: bytes, stamp: str) -> str:
    digest = hmac.new(SECRET.encode(), f"v0:{stamp}:".encode() + body, hashlib.sha256)
    return f"v0={digest.hexdigest()}"


@pytest.mark.parametrize("name", PAYLOADS)
async def test_what_slack_never_sends_is_refused_with_a_line(
    name: str, caplog: pytest.LogCaptureFixture
) -> None:
    body, kind = PAYLOADS[name]
    world = World()
    async with slack(world) as sender:
        caplog.clear()
        answer = await sender.send(body, {"content-type": kind})
    assert answer.status_code == 400
    (record,) = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert len(record.getMessage()) < 200
    assert "\n" not in caplog.text.strip()
    assert await world.ledger.runs() == []


@pytest.mark.parametrize("name", PAYLOADS)
async def test_nothing_is_parsed_before_the_signature_is_checked(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(body: bytes) -> Any:
        raise AssertionError("parsed")

    monkeypatch.setattr("adapters.slack.serve.payload_of", never)
    body, kind = PAYLOADS[name]
    async with slack() as sender:
        assert (await sender.send(body, {"content-type": kind}, secret="another")).status_code == 401


@pytest.mark.parametrize(
    ("stamp", "signed"),
    [
        (b"", None),
        (b"now", None),
        (b"1e9", None),
        (b"-1", None),
        (b"9" * 5_000, None),
        ("١٢٣".encode(), None),
        (b"\xff", None),
        (None, b""),
        (None, b"v0="),
        (None, b"v0=" + b"z" * 64),
        (None, "v0=ä☃".encode()),
        (None, b"\xff\xfe"),
    ],
)
async def test_a_signature_header_of_any_kind_is_401(stamp: bytes | None, signed: bytes | None) -> None:
    body = json.dumps(EVENT).encode()
    now = str(int(time.time()))
    given_stamp = now.encode() if stamp is None else stamp
    headers = [
        (b"x-slack-request-timestamp", given_stamp),
        (b"x-slack-signature", signature(body, now).encode() if signed is None else signed),
    ]
    async with slack() as sender:
        answer = await sender.client.post("/slack/events", content=body, headers=headers)
    assert answer.status_code == 401


async def test_a_body_that_says_it_is_too_large_is_not_read() -> None:
    async def chunks() -> AsyncIterator[bytes]:
        raise AssertionError("read")
        yield b""

    async with slack() as sender:
        answer = await sender.client.post(
            "/slack/events", content=chunks(), headers={"content-length": str(LARGEST_BODY + 1)}
        )
        odd = await sender.client.post("/slack/events", content=b"", headers={"content-length": "9" * 5_000})
    assert (answer.status_code, odd.status_code) == (413, 413)


async def test_a_nul_in_a_question_does_not_reach_the_database() -> None:
    world = World()
    async with slack(world) as sender:
        assert (await sender.send(with_event(text=f"<@{BOT_USER}> What\x00?"))).status_code == 200
    (run,) = await world.ledger.runs()
    assert "\\u0000" not in run.inputs


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(exclude_categories=())),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@st.composite
def changed(draw: st.DrawFn, base: dict[str, Any]) -> dict[str, Any]:
    """A request of Slack's with some of its values replaced, at any depth."""
    made = {}
    for key, value in base.items():
        if draw(st.integers(0, 5)) == 0:
            made[key] = draw(JSON_VALUES)
        elif isinstance(value, dict):
            made[key] = draw(changed(value))
        else:
            made[key] = value
    return made


HOME: dict[str, Any] = {**PRESS, "view": {"id": "V1", "type": "home", "private_metadata": "{}"}}
BODIES = st.one_of(
    st.tuples(st.binary(max_size=300), st.sampled_from([JSON, FORM])),
    st.tuples(JSON_VALUES.map(lambda value: json.dumps(value).encode()), st.just(JSON)),
    st.tuples(changed(EVENT).map(lambda value: json.dumps(value).encode()), st.just(JSON)),
    st.tuples(
        st.sampled_from([PRESS, SHORTCUT, SUBMISSION, HOME]).flatmap(changed).map(pressed), st.just(FORM)
    ),
    st.tuples(changed(COMMAND).map(commanded), st.just(FORM)),
)
PATHS = st.sampled_from(["/slack/events", "/slack/interactive", "/slack/commands"])


@settings(max_examples=examples(40), deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.tuples(BODIES, PATHS), min_size=1, max_size=10))
async def test_no_body_whatever_is_an_error_of_ours(bodies: list[tuple[tuple[bytes, str], str]]) -> None:
    async with slack() as sender:
        for (body, kind), path in bodies:
            answer = await sender.send(body, {"content-type": kind}, path=path)
            assert answer.status_code in (200, 400)


@settings(max_examples=examples(40), deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(BODIES, min_size=1, max_size=5), PATHS)
async def test_no_forged_body_is_taken_anywhere(bodies: list[tuple[bytes, str]], path: str) -> None:
    world = World()
    async with slack(world) as sender:
        for body, kind in bodies:
            answer = await sender.send(body, {"content-type": kind}, path=path, secret="forged")
            assert answer.status_code == 401
    assert await world.ledger.runs() == []
    assert world.queue.run_ids == []


@settings(max_examples=examples(500), deadline=None)
@given(BODIES)
def test_what_is_let_in_holds_known_fields_only(body: tuple[bytes, str]) -> None:
    try:
        payload = payload_of(body[0])
    except Refused as refused:
        payload, status = {}, refused.status
        assert status == 400
    json.dumps(payload).encode()
    assert set(payload) <= {
        *("type", "team_id", "enterprise_id", "event_id", "is_ext_shared_channel", "event"),
        *("challenge", "team", "user", "channel", "message", "actions", "container", "view", "trigger_id"),
        *("callback_id", "command", "text", "user_id", "channel_id"),
    }
