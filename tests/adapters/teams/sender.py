"""Teams' side: sends activities to the app, signed as the Bot Framework Service signs them."""

import itertools
import json
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx

from tests.adapters.teams.far_end import TENANT, FarEnd, signed

BOT, PERSON = "28:bot", "29:ada"
CHANNEL = "19:abc@thread.tacv2"
MENTION = "<at>Pestle</at>"
QUESTION = f"{MENTION} What was the NOAEL?"


def stamp(seconds: float = 0) -> str:
    """The time of an activity, so many seconds ago."""
    return (datetime.now(UTC) - timedelta(seconds=seconds)).isoformat().replace("+00:00", "Z")


class Sender:
    def __init__(self, client: httpx.AsyncClient, end: FarEnd, service_url: str = "") -> None:
        self.client = client
        self.end = end
        self.service_url = service_url or "https://smba.trafficmanager.net/emea"
        self._ids = itertools.count(1_700)

    def activity(self, type_: str = "message", **told: Any) -> dict[str, Any]:
        """An activity in a thread of a channel; what is told takes the place of what stands there."""
        base: dict[str, Any] = {
            "type": type_,
            "id": str(next(self._ids)),
            "timestamp": stamp(),
            "serviceUrl": self.service_url,
            "channelId": "msteams",
            "from": {"id": PERSON, "name": "Ada", "aadObjectId": "ada-1"},
            "recipient": {"id": BOT, "name": "Pestle"},
            "conversation": place(),
            "channelData": {"tenant": {"id": TENANT}, "channel": {"id": CHANNEL}},
        }
        return base | told

    async def send(
        self, body: dict[str, Any] | bytes, token: str | None = None, **headers: str
    ) -> httpx.Response:
        """Send a body with a token of the service, or another one; "" for none."""
        token = signed(self.service_url) if token is None else token
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        sent = {"content-type": "application/json", **headers}
        if token:
            sent["authorization"] = f"Bearer {token}"
        return await self.client.post("/api/messages", content=content, headers=sent)

    async def say(self, text: str = QUESTION, **told: Any) -> httpx.Response:
        """A message; a mention of the bot in it is one."""
        mention = {"type": "mention", "mentioned": {"id": BOT, "name": "Pestle"}, "text": MENTION}
        entities = [mention] if MENTION in text else []
        return await self.send(self.activity(text=text, entities=entities, **told))

    async def press(self, action: str, value: str, *, submit: bool = False, **data: str) -> httpx.Response:
        """A button, as `Action.Execute` or `Action.Submit`."""
        given = {"action": action, "value": value, **data}
        if submit:
            return await self.send(self.activity(value=given))
        pressed = {"action": {"type": "Action.Execute", "verb": action, "data": given}}
        return await self.send(self.activity("invoke", name="adaptiveCard/action", value=pressed))


def place(thread: str = "100", channel: str = CHANNEL) -> dict[str, Any]:
    """The conversation of a thread in a channel."""
    told = {"id": f"{channel};messageid={thread}", "conversationType": "channel", "isGroup": True}
    return told | {"tenantId": TENANT}


def chat(name: str = "a:1", kind: str = "personal") -> dict[str, Any]:
    """The conversation of a chat."""
    return {"id": name, "conversationType": kind, "tenantId": TENANT}
