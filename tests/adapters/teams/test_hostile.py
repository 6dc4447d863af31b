"""Activities that Teams would never send, with a good token: refused or acknowledged, never a failure."""

import json
from typing import Any

import httpx
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.applications import Starlette

from adapters.teams.app import teams_routes
from adapters.teams.connector import Connector, NoTokens
from adapters.teams.ear import Ear
from adapters.teams.exports import Exports, Permits
from adapters.teams.places import Places
from adapters.teams.platform import TeamsPlatform
from bot.values import Card
from tests.adapters.teams.sender import MENTION, chat, place, stamp
from tests.bot.world import World
from tests.support.drills import examples

TEXT = st.text(max_size=20) | st.sampled_from(
    [MENTION, "<at>", "\x00", "stop", "👍", "\ud800", "feedback up"]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
TYPES = ["message", "invoke", "messageReaction", "conversationUpdate", "messageUpdate", "messageDelete", "x"]
NAMES = [
    "adaptiveCard/action",
    "message/submitAction",
    "composeExtension/fetchTask",
    "fileConsent/invoke",
    "x",
]
PRESSED = {"action": {"data": {"action": "stop", "value": "r1"}}}
JUDGED = {"actionName": "feedback", "actionValue": {"reaction": "like", "feedback": "["}}
CLAIMED = {"commandId": "checkClaim", "messagePayload": {"body": {"content": "<p>\x00"}}}
FIELDS: dict[str, Any] = {
    "type": st.sampled_from(TYPES),
    "name": st.sampled_from(NAMES),
    "id": TEXT,
    "text": TEXT,
    "value": st.sampled_from([PRESSED, JUDGED, CLAIMED, PRESSED["action"]["data"]]) | JSON,
    "entities": st.just([{"type": "mention", "mentioned": {"id": "28:bot"}, "text": MENTION}]) | JSON,
    "attachments": JSON,
    "conversation": st.sampled_from([place(), chat(), chat("19:g", "groupChat")]) | JSON,
    "channelData": st.just({"tenant": {"id": "t1"}}) | JSON,
    "from": st.just({"id": "29:ada"}) | JSON,
    "replyToId": TEXT,
    "membersAdded": st.just([{"id": "28:bot"}]) | JSON,
    "reactionsAdded": st.just([{"type": "2705_whiteheavycheckmark"}, {"type": "ffffffff_x"}]) | JSON,
}


class Quiet(TeamsPlatform):
    """Says nothing."""

    def typing(self, thread: object) -> None:
        pass

    async def take_back(self, thread: object, message_id: str) -> None:
        pass


@settings(max_examples=examples(200), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.fixed_dictionaries({}, optional=FIELDS))
async def test_no_activity_is_a_failure(told: dict[str, Any]) -> None:
    world = World()
    places = Places(world.conversations)
    quiet = Quiet(Connector(NoTokens()), places, Exports(Permits("s")))
    ear = Ear(world.intake, world.outbox, places, quiet, "t1", None)
    sent = {"recipient": {"id": "28:bot"}, "timestamp": stamp(), "serviceUrl": "http://localhost:1/x"}
    transport = httpx.ASGITransport(app=Starlette(routes=teams_routes(ear)))
    async with httpx.AsyncClient(transport=transport, base_url="http://bot") as client:
        answer = await client.post("/api/messages", content=json.dumps(sent | told).encode())
    assert answer.status_code in (200, 400, 401, 501)
    item = await world.outbox.claim("pump", ("teams",), 1)
    assert item is None or isinstance(item.card, Card)
