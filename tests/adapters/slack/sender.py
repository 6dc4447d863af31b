"""Slack's side: sends requests to the app, signed as Slack signs them."""

import hashlib
import hmac
import itertools
import json
import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote_plus, urlencode

import httpx

SECRET = "shhh"
JSON = {"content-type": "application/json"}
FORM = {"content-type": "application/x-www-form-urlencoded"}
PERSON: dict[str, Any] = {
    "team": {"id": "T1"},
    "user": {"id": "U1", "team_id": "T1"},
    "channel": {"id": "C1"},
    "trigger_id": "12.34.abc",
}


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
        path: str = "/slack/events",
    ) -> httpx.Response:
        stamp = str(int(time.time()) - age)
        content = body.encode() if isinstance(body, str) else body
        digest = hmac.new(secret.encode(), b"v0:%b:%b" % (stamp.encode(), content), hashlib.sha256)
        signed = {
            "x-slack-request-timestamp": stamp,
            "x-slack-signature": f"v0={digest.hexdigest()}",
            **headers,
        }
        return await self.client.post(path, content=body, headers=signed)

    async def event(
        self, *, retry: int = 0, shared: bool = False, of: str = "T1", **event: Any
    ) -> httpx.Response:
        base = {"type": "message", "channel": "C1", "user": "U1", "text": "", "ts": "10.1", **event}
        event = {name: one for name, one in base.items() if one is not None}
        body = {"type": "event_callback", "team_id": of, "event_id": "Ev1", "event": event}
        body |= {"is_ext_shared_channel": shared}
        headers = {"x-slack-retry-num": str(retry)} if retry else {}
        return await self.send(json.dumps(body), JSON | headers)

    async def press(
        self, action_id: str, value: str, *, team: str = "T1", chosen: bool = False, **fields: Any
    ) -> httpx.Response:
        """Press a button, or choose an option of a menu."""
        button = {"type": "button", "block_id": "b", "action_ts": f"{next(self._presses)}.0"}
        given: dict[str, Any] = {"selected_option": {"value": value}} if chosen else {"value": value}
        payload = {
            "type": "block_actions",
            "team": {"id": "T1"},
            "user": {"id": "U1", "team_id": team},
            "channel": {"id": "C1"},
            "message": {"ts": "11.0", "thread_ts": "10.1"},
            "trigger_id": "12.34.abc",
            "actions": [{**button, "action_id": action_id, **given}],
        }
        return await self.interact({**payload, **fields})

    async def interact(self, payload: dict[str, Any]) -> httpx.Response:
        """Anything that people do to what is shown."""
        form = "payload=" + quote_plus(json.dumps({name: one for name, one in payload.items() if one}))
        return await self.send(form, FORM, path="/slack/interactive")

    async def shortcut(
        self, callback_id: str, text: str = "", ts: str = "11.0", **fields: Any
    ) -> httpx.Response:
        message = {"ts": ts, "thread_ts": "10.1", "text": text, "user": "U2", **fields}
        return await self.interact(
            {**PERSON, "type": "message_action", "callback_id": callback_id, "message": message}
        )

    async def submit(self, view: dict[str, Any], said: str, user: str = "U1") -> httpx.Response:
        """Fill a modal in that was opened, and send it."""
        values = {"said": {"said": {"type": "plain_text_input", "value": said}}}
        kept = {name: view.get(name, "") for name in ("callback_id", "private_metadata")}
        sent = {"id": f"V{next(self._presses)}", **kept, "type": "modal", "state": {"values": values}}
        person = {**PERSON, "user": {"id": user, "team_id": "T1"}}
        return await self.interact({**person, "type": "view_submission", "channel": None, "view": sent})

    async def command(
        self, text: str, *, channel: str = "C1", team: str = "T1", user: str = "U1"
    ) -> httpx.Response:
        fields = {"command": "/pestle", "text": text, "user_id": user, "team_id": team, "channel_id": channel}
        fields |= {
            "trigger_id": f"{next(self._presses)}.9",
            "response_url": "https://hooks.slack.com/x",
            "token": "t",
        }
        return await self.send(urlencode(fields), FORM, path="/slack/commands")
