"""Slack's side: sends requests to the app, signed as Slack signs them."""

import hashlib
import hmac
import itertools
import json
import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote_plus

import httpx

SECRET = "shhh"
JSON = {"content-type": "application/json"}


class Sender:
    def __init__(self, client: httpx.AsyncClient) -> None:
        self.client = client
        self._presses = itertools.count(12)

    async def send(
        self,
        body: str | bytes,
        headers: Mapping[str, str] = JSON,
        *,
        secret: str = SECRET,
        age: int = 0,
    ) -> httpx.Response:
        stamp = str(int(time.time()) - age)
        content = body.encode() if isinstance(body, str) else body
        digest = hmac.new(secret.encode(), b"v0:%b:%b" % (stamp.encode(), content), hashlib.sha256)
        signed = {
            "x-slack-request-timestamp": stamp,
            "x-slack-signature": f"v0={digest.hexdigest()}",
            **headers,
        }
        return await self.client.post("/slack/events", content=body, headers=signed)

    async def event(
        self, *, retry: int = 0, shared: bool = False, of: str = "T1", **event: Any
    ) -> httpx.Response:
        base = {"type": "message", "channel": "C1", "user": "U1", "text": "", "ts": "10.1"}
        body = {"type": "event_callback", "team_id": of, "event_id": "Ev1", "event": {**base, **event}}
        body |= {"is_ext_shared_channel": shared}
        headers = {"x-slack-retry-num": str(retry)} if retry else {}
        return await self.send(json.dumps(body), JSON | headers)

    async def press(self, action_id: str, value: str, *, team: str = "T1") -> httpx.Response:
        button = {"type": "button", "block_id": "b", "action_ts": f"{next(self._presses)}.0"}
        payload = {
            "type": "block_actions",
            "team": {"id": "T1"},
            "user": {"id": "U1", "team_id": team},
            "channel": {"id": "C1"},
            "message": {"ts": "11.0", "thread_ts": "10.1"},
            "actions": [{**button, "action_id": action_id, "value": value}],
        }
        form = "payload=" + quote_plus(json.dumps(payload))
        return await self.send(form, {"content-type": "application/x-www-form-urlencoded"})
