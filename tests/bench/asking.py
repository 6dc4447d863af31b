"""Questions as Slack and Teams send them: each the first message of a thread, named by a number."""

import json
from collections.abc import Awaitable, Callable

import httpx

from adapters.teams.serve import PLAYGROUND_TENANT
from tests.adapters.slack.far_end import BOT_USER
from tests.adapters.slack.sender import Sender
from tests.adapters.teams.far_end import FarEnd
from tests.adapters.teams.sender import BOT, MENTION, place
from tests.adapters.teams.sender import Sender as TeamsSender

Ask = Callable[[int, str], Awaitable[httpx.Response]]
"""Sends a question under a number."""
Asking = Callable[[httpx.AsyncClient], Ask]


def in_slack(client: httpx.AsyncClient) -> Ask:
    """Signed events."""
    slack = Sender(client)

    async def ask(number: int, text: str) -> httpx.Response:
        fields = {"type": "app_mention", "channel": "C1", "user": "U1", "ts": f"{number}.1"}
        event = {**fields, "text": f"<@{BOT_USER}> {text}"}
        body = {"type": "event_callback", "team_id": "T1", "event_id": f"Ev{number}", "event": event}
        return await slack.send(json.dumps(body))

    return ask


def in_teams(end: FarEnd) -> Asking:
    """Activities without a token, answered at the far end."""

    def asking(client: httpx.AsyncClient) -> Ask:
        teams = TeamsSender(client, end, end.url)

        async def ask(number: int, text: str) -> httpx.Response:
            mention = {"type": "mention", "mentioned": {"id": BOT, "name": "Pestle"}, "text": MENTION}
            told = teams.activity(
                text=f"{MENTION} {text}",
                entities=[mention],
                conversation=place(str(number)) | {"tenantId": PLAYGROUND_TENANT},
                channelData={"tenant": {"id": PLAYGROUND_TENANT}},
            )
            return await teams.send(told, token="")

        return ask

    return asking
