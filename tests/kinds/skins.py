"""The skins as a person meets them: terminal, web page, Slack. Each is spoken to through its front door."""

import asyncio
import html
import io
import itertools
import re
import secrets
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any, Protocol

import httpx
from starlette.applications import Starlette

from adapters.cli.page import page
from adapters.cli.screen import Screen
from adapters.cli.session import ask, thread_named
from adapters.cli.terminal import Terminal
from adapters.sections import TeamsSettings, WebSettings
from adapters.settings import Settings
from adapters.slack.calls import slack_client
from adapters.slack.ear import Ear
from adapters.slack.files import SlackFiles
from adapters.slack.platform import SlackPlatform
from adapters.slack.serve import slack_routes
from adapters.teams.serve import PLAYGROUND_TENANT, teams_skin
from adapters.wiring import runtime
from agents.kinds import AnyKind
from bot.errors import BadRequest
from bot.replies import export_by_command
from tests.adapters.slack.far_end import BOT_USER, TOKEN, FarEnd, far_end
from tests.adapters.slack.sender import SECRET, Sender
from tests.adapters.teams.far_end import FarEnd as TeamsEnd
from tests.adapters.teams.far_end import far_end as teams_end
from tests.adapters.teams.sender import MENTION
from tests.adapters.teams.sender import Sender as TeamsSender

PATIENCE_S = 40.0
LOOK_S = 0.25
"""Seconds between two looks: drawing the page takes longer than what is waited for."""
LARGEST = 100_000
"""Bytes of a file in the fake Slack that is read."""


class Skin(Protocol):
    """A thread on some platform."""

    async def say(self, text: str) -> None:
        """Write a message."""
        ...

    async def shown(self) -> str:
        """Everything that can be read in the thread now."""
        ...


class TakesFiles(Skin, Protocol):
    """A thread that files can be put into."""

    async def give(self, section: str, name: str, content: bytes) -> str:
        """Give a section a file as a source; what the platform answers if it does not take it, else ""."""
        ...


async def reads(skin: Skin, *texts: str) -> str:
    """Wait until all of these can be read, emphasis aside; everything that can be."""
    found = ""
    for _ in range(int(PATIENCE_S / LOOK_S)):
        found = re.sub(r"[*`]", "", await skin.shown())
        if all(text in found for text in texts):
            return found
        await asyncio.sleep(LOOK_S)
    raise AssertionError(f"{texts} cannot be read in:\n{found}")


class TerminalSkin:
    """Each message is a command of its own, as `pestle ask --thread talk …` is."""

    def __init__(self, settings: Settings, kinds: Sequence[AnyKind]) -> None:
        self._settings, self._kinds = settings, kinds
        self._out = io.StringIO()
        self._tasks: list[asyncio.Task[None]] = []

    async def say(self, text: str) -> None:
        self._tasks.append(asyncio.create_task(self._command(text)))

    async def _command(self, text: str) -> None:
        terminal = Terminal(Screen(file=self._out, width=200), thread_named("talk"))
        async with runtime(self._settings, self._kinds) as built:
            try:
                await ask(built, terminal, text)
            except BadRequest as error:
                self._out.write(str(error))

    async def shown(self) -> str:
        return self._out.getvalue()

    async def close(self) -> None:
        await asyncio.gather(*self._tasks)


@asynccontextmanager
async def terminal(home: Path, kinds: Sequence[AnyKind]) -> AsyncIterator[TerminalSkin]:
    skin = TerminalSkin(Settings(home=home), kinds)
    yield skin
    await skin.close()


class PageSkin:
    """A browser tab without its script."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self.client = client
        self.place = {"channel": "archive", "thread": secrets.token_hex(6)}

    async def say(self, text: str) -> None:
        await self._post("/ask", text=text)

    async def press(self, label: str) -> None:
        pattern = rf'data-action="([^"]*)" data-value="([^"]*)">{re.escape(html.escape(label))}<'
        found = re.findall(pattern, (await self.client.get("/", params=self.place)).text)
        assert found, f"there is no button {label!r}"
        action, value = map(html.unescape, found[-1])
        await self._post("/act", action=action, value=value)

    async def shown(self) -> str:
        text = (await self.client.get("/", params=self.place)).text
        return html.unescape(re.sub(r"<[^>]*>", "", text))

    async def give(self, section: str, name: str, content: bytes) -> str:
        value: list[str] = []
        while not value:  # cards come one after the other
            page = (await self.client.get("/", params=self.place)).text
            value = re.findall(rf'data-give="(\w+ {section})"', page)
        fields = {**self.place, "event": secrets.token_hex(8), "value": value[0]}
        answer = await self.client.post("/give", data=fields, files={"file": (name, content)})
        return "" if answer.is_success else answer.text

    async def attach(self, text: str, name: str, content: bytes) -> None:
        fields = {**self.place, "event": secrets.token_hex(8), "text": text}
        answer = await self.client.post("/give", data=fields, files={"file": (name, content)})
        assert answer.is_success, answer.text

    async def _post(self, address: str, **fields: str) -> None:
        body = {**self.place, "event": secrets.token_hex(8), **fields}
        (await self.client.post(address, json=body)).raise_for_status()


@asynccontextmanager
async def web(home: Path, kinds: Sequence[AnyKind]) -> AsyncIterator[PageSkin]:
    async with page(Settings(home=home, web=WebSettings(port=0)), kinds) as (server, address):
        serving = asyncio.create_task(server.serve())
        headers = {"x-pestle": "page"}
        async with httpx.AsyncClient(base_url=address, headers=headers, timeout=PATIENCE_S) as client:
            yield PageSkin(client)
        server.stop()
        await serving


class SlackSkin:
    """A thread in a channel of the fake Slack."""

    def __init__(self, sender: Sender, end: FarEnd) -> None:
        self._sender, self._messages, self._end = sender, end.messages, end
        self._stamps = (f"10.{number}" for number in itertools.count(1))

    async def give(self, section: str, name: str, content: bytes) -> str:
        key = f"F{len(self._end.files)}"
        self._end.files[key] = (name, content)
        about = {"subtype": "file_share", "files": [{"id": key, "name": name, "mode": "hosted"}]}
        stamp = next(self._stamps)
        answer = await self._sender.event(text=f"source {section}", ts=stamp, thread_ts="10.1", **about)
        return "" if answer.status_code == 200 else answer.text

    async def attach(self, text: str, name: str, content: bytes) -> None:
        key = f"F{len(self._end.files)}"
        self._end.files[key] = (name, content)
        files = [{"id": key, "name": name, "mode": "hosted"}]
        await self.say(text, subtype="file_share", files=files)

    async def say(self, text: str, by: str = "U1", **about: Any) -> None:
        stamp = next(self._stamps)
        thread = {} if stamp == "10.1" else {"thread_ts": "10.1"}
        mention = "" if thread else f"<@{BOT_USER}> "
        answer = await self._sender.event(text=mention + text, ts=stamp, user=by, **thread, **about)
        assert answer.status_code == 200

    async def press(self, label: str) -> None:
        buttons = [one for one in self._elements() if "action_id" in one]
        (*_, last) = [button for button in buttons if button.get("text", {}).get("text") == label]
        assert (await self._sender.press(last["action_id"], last["value"])).status_code == 200

    async def shown(self) -> str:
        texts = [
            one.get("text") or one["title"] for one in self._elements() if one.keys() & {"text", "title"}
        ]
        return html.unescape("\n".join(one["text"] if isinstance(one, dict) else one for one in texts))

    def files(self) -> list[bytes]:
        """The contents of all files that were put into the thread."""
        return [*self._end.uploads.values()]

    def _elements(self) -> Iterator[dict[str, Any]]:
        """Blocks of all messages and windows, each followed by what is in it."""
        windows = (opened["view"] for opened in self._end.views)
        for message in (*self._messages.values(), *windows):
            yield from ({"text": file["name"]} for file in message.get("files", ()))
            for block in message.get("blocks", ()):
                yield from (block, *block.get("elements", ()), *block.get("tasks", ()))
                for pair in block.get("elements", ()):
                    judged = (pair.get("positive_button"), pair.get("negative_button"))
                    yield from ({**one, "action_id": pair["action_id"]} for one in judged if one)


@asynccontextmanager
async def slack(home: Path, kinds: Sequence[AnyKind]) -> AsyncIterator[SlackSkin]:
    async with far_end() as end, runtime(Settings(home=home), kinds) as built:
        client = slack_client(TOKEN, end.url)
        files = SlackFiles(client, built.parsers, largest=LARGEST)
        ear = Ear(client, built.intake_with(export_by_command, files), built.storage.outbox, built.desk)
        app = Starlette(routes=slack_routes(ear, SECRET))
        transport = httpx.ASGITransport(app=app)
        async with (
            built.delivering(SlackPlatform(client)),
            httpx.AsyncClient(transport=transport, base_url="http://bot") as http,
        ):
            yield SlackSkin(Sender(http), end)


class Playground(TeamsSender):
    """Everybody is of the playground's own tenant there."""

    def activity(self, type_: str = "message", **told: Any) -> dict[str, Any]:
        base = super().activity(type_, **told)
        place = {**base["conversation"], "tenantId": PLAYGROUND_TENANT}
        channel = {**base["channelData"], "tenant": {"id": PLAYGROUND_TENANT}}
        return base | {"conversation": place, "channelData": channel}


class TeamsSkin:
    """A thread in a channel, as the Agents Playground has it."""

    def __init__(self, sender: Playground, end: TeamsEnd) -> None:
        self._sender, self._end = sender, end
        self._mention = f"{MENTION} "

    async def say(self, text: str, by: str = "ada", **told: Any) -> None:
        told["from"] = {"id": f"29:{by}", "name": by, "aadObjectId": f"{by}-1"}
        answer = await self._sender.say(self._mention + text, **told)
        assert answer.is_success, answer.text
        self._mention = ""

    async def attach(self, text: str, name: str, content: bytes) -> None:
        self._end.files[name] = content
        kind = "application/vnd.microsoft.teams.file.download.info"
        there = {"downloadUrl": f"{self._end.url}/files/{name}", "uniqueId": "1", "fileType": "sdf"}
        await self.say(text, attachments=[{"contentType": kind, "name": name, "content": there}])

    async def press(self, label: str) -> None:
        found = [one for one in _inside(self._end.shown()) if one.get("title") == label and "verb" in one]
        assert found, f"there is no button {label!r}"
        answer = await self._sender.press(found[-1]["verb"], found[-1]["data"]["value"])
        assert answer.is_success, answer.text

    async def shown(self) -> str:
        told = (one.get(name) for one in _inside(self._end.shown()) for name in ("text", "title", "altText"))
        return "\n".join(one for one in told if isinstance(one, str))


def _inside(value: Any) -> Iterator[dict[str, Any]]:
    """All objects in a JSON value, from the outside in."""
    if isinstance(value, dict):
        yield value
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _inside(one)


@asynccontextmanager
async def teams(home: Path, kinds: Sequence[AnyKind]) -> AsyncIterator[TeamsSkin]:
    settings = Settings(home=home, teams=TeamsSettings(playground=True))
    async with teams_end() as end, runtime(settings, kinds) as built, teams_skin(built) as (routes, platform):
        transport = httpx.ASGITransport(app=Starlette(routes=routes))
        async with (
            built.delivering(platform),
            httpx.AsyncClient(transport=transport, base_url="http://bot") as http,
        ):
            yield TeamsSkin(Playground(http, end, end.url), end)


Opened = Callable[[Path, Sequence[AnyKind]], AbstractAsyncContextManager[Skin]]
SKINS: dict[str, Opened] = {"terminal": terminal, "page": web, "slack": slack}
CHATS: dict[str, Opened] = {"page": web, "slack": slack, "teams": teams}
"""Where people can send files and press buttons."""
