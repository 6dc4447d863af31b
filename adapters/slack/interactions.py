"""What people press, choose, fill in and command in Slack. Whoever did it is told where something fails.

A modal has to be opened within three seconds of the press, so what it shows is read before the press is
acknowledged. Where it cannot be opened the press does what it does elsewhere: the reply is posted.
"""

import logging
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack import modals
from adapters.slack.incoming import from_command, from_press
from adapters.slack.mrkdwn import escape, to_plain
from adapters.slack.origin import home, origin_of_command, origin_of_press
from adapters.slack.people import People
from agents.errors import AgentError
from bot.claims import claim_question
from bot.errors import BadRequest, BotError, NotAllowed
from bot.intake import Intake
from bot.ports import Outbox
from bot.values import Incoming, Origin, ThreadRef, about

logger = logging.getLogger(__name__)

COMMAND_TOLD = (
    "Only you see what follows; an answer has a button to share it. If nothing follows, I am not in this "
    "channel: `/invite` me, or ask in our direct messages."
)
NOT_OURS = "This message shows no section of a report. Take the shortcut on a section that I posted."
LOST = "This window is too old. Close it, and press the button once more."
Press = Callable[[Incoming, dict[str, Any]], Awaitable[bool]]
Modal = Callable[[Mapping[str, str], str], dict[str, Any]]


class Interactions:
    """Hands presses, shortcuts, modals and commands to the intake."""

    def __init__(self, client: AsyncWebClient, intake: Intake, outbox: Outbox, people: People) -> None:
        self._client = client
        self._intake = intake
        self._outbox = outbox
        self._people = people
        self._own: dict[str, Press] = {
            "cite": self._read,
            "sources": self._read,
            "revise": partial(self._asked, modals.wish),
            "give": partial(self._asked, modals.source),
            "share": self._share,
        }

    async def pressed(self, body: dict[str, Any], context: Mapping[str, Any]) -> None:
        """A button, or an option of a menu."""
        if body["actions"][0]["action_id"].startswith("home_ask"):
            await self._opened(body, modals.question({}, body["actions"][0].get("value", "")))
            return
        if (press := from_press(body)) is None:
            return
        press = await self._from(press, origin_of_press(body, home(context)))
        own = self._own.get(press.action)
        if own is None or not self._intake.admits(press) or not await own(press, body):
            await self._intake.receive(replace(press, action="sources") if press.action == "cite" else press)

    async def _from(self, incoming: Incoming, origin: Origin) -> Incoming:
        """What was done, with where it comes from."""
        return await self._people.known(replace(incoming, origin=origin))

    async def _read(self, press: Incoming, body: dict[str, Any]) -> bool:
        """The verbatim passage behind a citation, or all of them."""
        try:
            card = await self._intake.look(replace(press, action="sources"))
        except (BotError, AgentError) as error:
            return await self._opened(body, modals.notice("Sources", str(error)))
        return card is not None and modals.fits(card) and await self._opened(body, modals.shown(card))

    async def _asked(self, modal: Modal, press: Incoming, body: dict[str, Any]) -> bool:
        """A text about a section, in the field of a modal: a wish, or what becomes a source."""
        run_id, _, section = press.value.partition(" ")
        kept = _kept(press.thread, run=run_id, section=section)
        return await self._opened(body, modal(kept, f"Section: {section}"))

    async def _share(self, press: Incoming, body: dict[str, Any]) -> bool:
        """A private answer for everybody."""

        async def opened(asked: str) -> ThreadRef:
            told = f"<@{press.user}> asked: {escape(asked)}"
            begun = await self._client.chat_postMessage(channel=press.thread.channel, text=told)
            return ThreadRef("slack", press.thread.channel, str(begun["ts"]))

        try:
            told = (await self._intake.sharing.share(press, press.value, opened)).text
        except (BotError, AgentError) as error:
            told = str(error)
        await self._tell(press.thread, press.user, told)
        return True

    async def shortcut(self, body: dict[str, Any], context: Mapping[str, Any]) -> None:
        """A shortcut on a message: check a claim of it, or refine the section that it shows."""
        message, channel = body["message"], body["channel"]["id"]
        thread = ThreadRef("slack", channel, message.get("thread_ts") or message["ts"])
        incoming = Incoming("shortcut", thread, body["user"]["id"], "")
        incoming = await self._from(incoming, origin_of_press(body, home(context)))
        if not self._intake.admits(incoming):
            await self._opened(body, modals.notice("Not here", "You may not ask Pestle in this channel."))
        elif body["callback_id"] == "check_claim":
            claim = to_plain(message.get("text", ""), context["bot_user_id"])
            await self._opened(body, modals.claim(_kept(thread), claim))
        else:
            await self._opened(body, await self._refined(thread, message["ts"]))

    async def _refined(self, thread: ThreadRef, stamp: str) -> dict[str, Any]:
        """The modal for a wish about the section that a message shows."""
        shown = await self._outbox.showing(thread, stamp)
        run_id, section = about(shown.slot) if shown else ("", "")
        if shown is None or not run_id:
            return modals.notice("Refine this section", NOT_OURS)
        named = f"Section: {section}" if section else "The answer as a whole"
        return modals.wish(_kept(shown.thread, run=run_id, section=section), named)

    async def submitted(self, body: dict[str, Any], context: Mapping[str, Any]) -> dict[str, str]:
        """A modal was sent. Returns what is wrong with its field, {} where nothing is."""
        text, kept = modals.said(body), modals.about_of(body)
        if not text:
            return {modals.FIELD: "Write something here."}
        try:
            await self._admit(body, kept, origin := _of_modal(body, home(context)))
            incoming = await self._from(await self._sent(body, text, kept), origin)
            await self._intake.receive(incoming)
        except (BotError, AgentError) as error:
            return {modals.FIELD: str(error)[:150]}
        return {}

    async def _admit(self, body: Mapping[str, Any], kept: Mapping[str, str], origin: Origin) -> None:
        """Raises `NotAllowed` for who may not ask where a modal was opened, before anything is begun."""
        user = body["user"]["id"]
        thread = ThreadRef("slack", kept.get("channel") or user, "")
        if refused := self._intake.refusal(await self._from(Incoming("view", thread, user, ""), origin)):
            raise NotAllowed(refused)

    async def _sent(self, body: dict[str, Any], text: str, kept: Mapping[str, str]) -> Incoming:
        """What a modal asks for, as a message or a press. Raises `BadRequest`."""
        user, kind = body["user"]["id"], body["view"].get("callback_id")
        key = f"view.{body['view'].get('id', '')}.{user}"
        if kind == "ask":
            thread = await self._thread_with(user, text)
            return Incoming(key, thread, user, text)
        if not kept.get("channel"):
            raise BadRequest(LOST)
        thread = ThreadRef("slack", kept["channel"], kept.get("thread", ""))
        if kind == "check":
            return Incoming(key, thread.seen_only_by(user), user, claim_question(text))
        value = f"{kept.get('run', '')} {kept.get('section', '')}: {text}"
        return Incoming(key, thread, user, "", str(kind), value)

    async def _thread_with(self, user: str, text: str) -> ThreadRef:
        """A new thread in the direct messages with a person. Raises `BadRequest`."""
        try:
            begun = await self._client.chat_postMessage(channel=user, text=f"You asked: {escape(text)}")
        except SlackApiError as error:
            raise BadRequest("I cannot write you direct messages. Ask in a channel.") from error
        return ThreadRef("slack", str(begun["channel"]), str(begun["ts"]))

    async def commanded(self, body: dict[str, Any], context: Mapping[str, Any]) -> str:
        """A slash command. Returns what only who wrote it is told at once."""
        incoming = from_command(body, context["bot_user_id"])
        incoming = await self._from(incoming, origin_of_command(body, home(context)))
        if refused := self._intake.refusal(incoming):
            return refused
        await self._intake.receive(incoming)
        return COMMAND_TOLD

    async def _opened(self, body: Mapping[str, Any], view: dict[str, Any]) -> bool:
        """Open a modal; False where Slack does not, as for a press that is too old."""
        trigger = body.get("trigger_id")
        if not trigger:
            return False
        try:
            await self._client.views_open(trigger_id=trigger, view=view)
        except SlackApiError as error:
            logger.warning("a modal was not opened: %s", error.response.get("error"))
            return False
        return True

    async def _tell(self, thread: ThreadRef, user: str, text: str) -> None:
        """Say something to one person; where that fails too, the log has it."""
        beside = thread.everybody.thread or None
        try:
            await self._client.chat_postEphemeral(
                channel=thread.channel, user=user, text=escape(text), thread_ts=beside
            )
        except SlackApiError as error:
            logger.warning("%s was not told: %s", user, error.response.get("error"))


def _of_modal(body: Mapping[str, Any], home: Collection[str]) -> Origin:
    """Where a modal comes from; that for a question is answered in direct messages."""
    origin = origin_of_press(body, home)
    return replace(origin, direct=True) if body["view"].get("callback_id") == "ask" else origin


def _kept(thread: ThreadRef, **about: str) -> dict[str, str]:
    """What a modal remembers of where it was opened."""
    return {"channel": thread.channel, "thread": thread.thread, **about}
