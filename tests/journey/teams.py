"""Teams on this machine: the Agents Playground's process, people who write in it, and the network to the bot.

The playground (npm `@microsoft/m365agentsplayground`) is the peer: it keeps conversations, sends activities
and takes what the bot shows. What it cannot do is the project's own, in `TeamsNetwork`: every activity is
delivered three times, a call of the bot can be asked to wait (429), and all messages that the playground
took are kept and validated. A reply without a mention, which Teams delivers with the permission
`ChannelMessage.Read.Group` and the playground never, is sent through the playground as an activity.
"""

import asyncio
import json
import os
import re
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count, takewhile
from pathlib import Path
from time import monotonic
from typing import Any

import httpx
from jsonschema import ValidationError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tests.adapters.teams.test_render import words as words_of
from tests.adapters.teams.valid import check_message
from tests.journey.waiting import free_port, wait_for
from tests.support.services import missing, program

DELIVERIES = 3
LOCAL = "http://127.0.0.1"
BOT, BOT_NAME = "00000000-0000-0000-0000-00000000000011", "Test Bot"
CHANNEL = "team-id"
PROGRESS = ("Waiting for a free worker", "Working on it", "Done", "Stopped", "Waiting for a decision")
DIGEST = re.compile(r"Digest \d+(?:: |$)")
PEOPLE = {"alice": "user-id-0", "bob": "user-id-1"}


@dataclass
class TeamsNetwork:
    """Stands between the playground and the bot, in both directions."""

    bot: str
    address: str
    playground: str = ""
    acknowledged: list[tuple[int, float]] = field(default_factory=list)
    """HTTP status and seconds of every delivery of an activity that the bot answered."""
    busy: list[float] = field(default_factory=list)
    """Seconds to ask for before the next calls that show something, one call each."""
    lost: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    """What the bot sent that Teams would not take: none at the end."""
    updates: int = 0
    messages: dict[str, tuple[str, dict[str, Any]]] = field(default_factory=dict)
    """What the playground took: conversation and message as it stands, by the message's id."""
    typing: int = 0

    def app(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/api/messages", self._activity, methods=["POST"]),
                Route("/_connector/{path:path}", self._call, methods=["POST", "PUT", "DELETE"]),
            ]
        )

    async def _activity(self, request: Request) -> Response:
        """Deliver an activity three times at once, as Teams does when it sees no answer."""
        told = await request.json() | {"serviceUrl": f"{self.address}/_connector"}
        answers = await asyncio.gather(*(self._deliver(told) for _ in range(DELIVERIES)))
        first = answers[0]
        return Response(first.content, first.status_code, {"content-type": "application/json"})

    async def _deliver(self, told: dict[str, Any]) -> httpx.Response:
        began = monotonic()
        async with httpx.AsyncClient(timeout=20) as client:
            answer = await client.post(f"{self.bot}/api/messages", json=told)
        self.acknowledged.append((answer.status_code, monotonic() - began))
        return answer

    async def _call(self, request: Request) -> Response:
        told = await request.json() if request.method != "DELETE" else {}
        shows = told.get("type") == "message"
        if shows:
            self._check(told)
            if self.busy:
                return Response(status_code=429, headers={"Retry-After": str(int(self.busy.pop(0)) or 1)})
        async with httpx.AsyncClient(timeout=20) as client:
            answer = await client.request(request.method, f"{self.playground}{request.url.path}", json=told)
        if answer.is_success:
            self._took(request, told, answer)
        kind = answer.headers.get("content-type", "application/json")
        return Response(answer.content, answer.status_code, {"content-type": kind})

    def _check(self, told: dict[str, Any]) -> None:
        try:
            check_message(told)
        except (AssertionError, ValidationError) as error:
            self.faults.append(str(error))

    def _took(self, request: Request, told: dict[str, Any], answer: httpx.Response) -> None:
        parts = request.path_params["path"].split("/")
        if told.get("type") == "typing":
            self.typing += 1
        elif request.method == "PUT":
            self.messages[parts[-1]] = (parts[2], told)
            self.updates += 1
        elif request.method == "POST":
            self.messages[str(answer.json()["id"])] = (parts[2], told)


class Playground:
    """The playground as its people see it. Threads are named as Teams names their conversations."""

    name = "teams"

    def __init__(self, url: str, network: TeamsNetwork) -> None:
        self.url = url
        self.network = network
        self._ids = count(1)

    def ask(self, text: str, *, user: str = "alice") -> str:
        """Begin a thread with a message that mentions the bot; returns the thread."""
        mention = f"<at>{BOT_NAME}</at>"
        body = {
            "from": {"id": PEOPLE[user]},
            "text": f"{mention} {text}",
            "textFormat": "xml",
            "mentions": [{"mentioned": {"id": BOT}, "text": mention}],
        }
        answer = self._post(f"_conversation/v1/conversations/{CHANNEL}/messages", body)
        return str(answer.json()["postConversationId"])

    def say(self, text: str, *, thread: str, user: str = "alice") -> None:
        """Reply in a thread, without a mention."""
        self._send(thread, user, type="message", text=text, textFormat="plain")

    def judge(self, thread: str, verdict: str, comment: str) -> None:
        """Press a feedback button of the thread's last answer, and say why.

        Nobody does so within a second, in which the bot notes which message shows what.
        """
        time.sleep(1)
        message_id, _ = self._of_slot(thread, "answer")[-1]
        given = {"reaction": "like" if verdict == "up" else "dislike"}
        given["feedback"] = json.dumps({"feedbackText": comment})
        judged = {"type": "invoke", "name": "message/submitAction", "replyToId": message_id}
        self._send(thread, "alice", value={"actionName": "feedback", "actionValue": given}, **judged)

    def press(self, thread: str, action: str) -> None:
        """Press a button of the thread's messages."""
        for message_id, told in reversed(self._in_thread(thread)):
            for pressed in _actions(told):
                if pressed["verb"] == action:
                    body = {
                        "name": "adaptiveCard/action",
                        "value": {"action": pressed, "trigger": "manual"},
                        "from": {"id": PEOPLE["alice"]},
                        "conversation": {"id": thread},
                        "replyToId": message_id,
                    }
                    self._post("_conversation/v1/invoke", body)
                    return
        raise AssertionError(f"no button {action} in {thread}")

    def of_slot(self, thread: str, slot: str) -> list[dict[str, Any]]:
        """The bot's messages that fill a kind of slot ("progress", "answer", "digest", "reply").

        A message goes on in those behind it which say the same in a notification: they are its `pages`. A page that is
        not needed any more says "(Nothing more.)" and nothing in a notification.
        """
        shown = [told for _, told in self._in_thread(thread)]
        found = []
        for number, told in enumerate(shown):
            if _slot(told) == slot:
                after = takewhile(lambda one, of=told: one.get("summary") == of["summary"], shown[number + 1 :])
                found.append(told | {"pages": list(after)})
        return found

    def words(self, message: dict[str, Any]) -> str:
        """Everything that a message shows."""
        return words_of([message]) + str(message.get("entities", ""))

    def _of_slot(self, thread: str, slot: str) -> list[tuple[str, dict[str, Any]]]:
        shown = self._in_thread(thread)
        return [(key, told) for key, told in shown if _slot(told) == slot]

    def _in_thread(self, thread: str) -> list[tuple[str, dict[str, Any]]]:
        return [(key, told) for key, (place, told) in list(self.network.messages.items()) if place == thread]

    def _send(self, thread: str, user: str, **told: Any) -> None:
        """An activity of somebody in a thread, as Teams would send it."""
        now = datetime.now(UTC).isoformat().replace("+00:00", "Z")
        tenant = "00000000-0000-0000-0000-0000000000001"
        place = {"id": thread, "conversationType": "channel", "isGroup": True, "tenantId": tenant}
        activity = {
            "id": f"own-{next(self._ids)}",
            "timestamp": now,
            "channelId": "msteams",
            "serviceUrl": f"{self.url}/_connector",
            "from": {"id": PEOPLE[user], "name": user},
            "recipient": {"id": BOT, "name": BOT_NAME},
            "conversation": place,
            "channelData": {"tenant": {"id": tenant}, "channel": {"id": CHANNEL}},
        }
        self._post("_internal/v1/customActivities", activity | told)

    def _post(self, path: str, body: dict[str, Any]) -> httpx.Response:
        answer = httpx.post(f"{self.url}/{path}", json=body, timeout=30)
        assert answer.is_success, answer.text
        return answer


def _slot(told: dict[str, Any]) -> str:
    """Which kind of card a message shows; a judgement is asked of answers alone."""
    if "feedbackLoop" in told.get("channelData", {}):
        return "answer"
    said = str(told.get("summary", ""))
    if DIGEST.match(said):
        return "digest"
    return "progress" if said.startswith(PROGRESS) else "reply"


def _actions(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, list):
        for one in node:
            yield from _actions(one)
    elif isinstance(node, dict):
        if node.get("type") == "Action.Execute":
            yield node
        for one in node.values():
            yield from _actions(one)


@contextmanager
def playground(network: TeamsNetwork, folder: Path) -> Iterator[Playground]:
    """A running playground that sends its activities to the network."""
    packages = Path(os.environ.get("PESTLE_TEST_TEAMS_PACKAGES", "build/teams")).resolve()
    if not (packages / "node_modules/@microsoft/m365agentsplayground").is_dir():
        missing(
            "teams",
            "run `npm install --prefix build/teams @microsoft/m365agentsplayground@0.2.28`, or set "
            "PESTLE_TEST_TEAMS_PACKAGES",
        )
    node = os.environ.get("PESTLE_TEST_NODE") or program("node")
    port = free_port()
    network.playground = f"{LOCAL}:{port}"
    folder.mkdir(parents=True, exist_ok=True)
    started = packages / "node_modules/.bin/agentsplayground"
    endpoint = f"{network.address}/api/messages"
    command = [node, started, "-e", endpoint, "-c", "msteams", "-p", str(port), "--dt"]
    with (folder / "playground.log").open("wb") as output:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, "TEAMSAPPTESTER_BROWSER": "none"},
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        wait_for(lambda: _up(network.playground), 60, "the playground")
        yield Playground(network.playground, network)
    finally:
        process.kill()
        process.communicate()


def _up(url: str) -> bool:
    try:
        return httpx.get(f"{url}/_internal/v1/config").is_success
    except httpx.TransportError:
        return False
