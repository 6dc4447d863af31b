"""The bot's ear: `/api/messages` takes the activities of Teams.

What is not signed by the Bot Framework Service is answered 401, and nothing of it is read. A request is
answered once the intake has written it down, which is one short transaction. If that fails the answer is
500, and Teams sends the activity again.
"""

import logging
from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from adapters.door import Refused
from adapters.openid import KeysUnknown
from adapters.teams.ear import Ear
from adapters.teams.extension import (
    FETCHED,
    NOTHING,
    SUBMITTED,
    claim_of,
    message_task,
    question_of,
)
from adapters.teams.inbound import (
    CONVERSATION,
    DELETED,
    EDITED,
    INSTALLED,
    INVOKE,
    MESSAGE,
    REACTION,
    Activity,
)
from adapters.teams.incoming import (
    EXECUTED,
    JUDGED,
    changed,
    from_message,
    greeted,
    judged,
    parted,
    reactions,
    welcomed,
)
from adapters.teams.mentions import named_responsible
from adapters.teams.whence import alone_with_us, person, reference_of, thread_of_activity
from bot.cards import notice_card
from bot.values import Incoming, about

logger = logging.getLogger(__name__)

MESSAGES_PATH = "/api/messages"
HELLO = (
    "Hello, I am Pestle: mention me and ask, and I answer with verbatim passages; `help` tells what else. "
    "In a channel's thread where I was asked, replies need no mention if the owner of the team granted "
    "`ChannelMessage.Read.Group`; without it, and in groups, mention me each time."
)
"""What the bot says where it was added, once."""
HEARD = {"statusCode": 200, "type": "application/vnd.microsoft.activity.message", "value": "Heard."}
"""What a pressed button is answered with; what it does shows in the thread."""


def teams_routes(ear: Ear) -> list[BaseRoute]:
    """The route `POST /api/messages`."""

    async def messages(request: Request) -> Response:
        try:
            activity = await ear.hear(request)
        except Refused as refused:
            logger.warning("a request to %s is refused: %s", MESSAGES_PATH, refused)
            return PlainTextResponse(str(refused), refused.status)
        except KeysUnknown as error:
            logger.error("no request of Teams can be checked: %s", error)
            return PlainTextResponse("Nobody can be let in now. Try again.", 503)
        if activity.conversation.id and activity.service_url:
            await ear.places.keep(thread_of_activity(activity), reference_of(activity))
            if activity.type == INVOKE or alone_with_us(activity):
                await ear.meet(activity)
        answer = _ANSWERS.get(activity.type)
        return await answer(ear, activity) if answer else Response()

    return [Route(MESSAGES_PATH, messages, methods=["POST"])]


Answer = Callable[[Ear, Activity], Awaitable[Response]]


async def _said(ear: Ear, activity: Activity) -> Response:
    """A message, or a button of a client that knows no `Action.Execute`."""
    if activity.value is not None and await ear.press(activity):
        return Response()
    heard = from_message(activity, ear.tenant)
    if heard is None:
        return Response()
    incoming = heard.incoming
    # Who may not ask is told so when they speak to the bot, not when they talk in a thread.
    takes_part = ear.intake.admits(incoming) and await ear.intake.takes_part(incoming.thread)
    if heard.addressed or takes_part:
        incoming = await ear.vetted(activity, incoming)
        takes_part = ear.intake.admits(incoming)
    if heard.addressed or takes_part:
        await ear.meet(activity)
        if ear.intake.admits(incoming) and (people := named_responsible(activity)):
            await ear.places.name(incoming.thread, people)
        receipt = await ear.intake.receive(incoming)
        if receipt.run_id and not receipt.duplicate:
            ear.platform.typing(incoming.thread)
    return Response()


async def _invoked(ear: Ear, activity: Activity) -> Response:
    """Something that Teams shows an answer to: a button, a judgement."""
    if activity.name == EXECUTED:
        if await ear.press(activity):
            return JSONResponse(HEARD)
        return PlainTextResponse("This button is none of Pestle's.", 400)
    if activity.name == JUDGED:
        if given := await _judgement(ear, activity):
            await ear.intake.receive(await ear.vetted(activity, given))
        return JSONResponse({})
    if activity.name in (FETCHED, SUBMITTED):
        return JSONResponse(message_task(await _asked_alone(ear, activity)))
    return PlainTextResponse("Pestle has no answer to this.", 501)


async def _asked_alone(ear: Ear, activity: Activity) -> str:
    """Something for who asks alone, through the message extension; what they are told at once."""
    asked = (claim_of if activity.name == FETCHED else question_of)(activity, ear.tenant)
    return NOTHING if asked is None else await ear.private.ask(await ear.vetted(activity, asked))


async def _judgement(ear: Ear, activity: Activity) -> Incoming | None:
    """A judgement of a message of ours, as one of the run that it shows."""
    place = thread_of_activity(activity)
    shown = await ear.outbox.showing(place, activity.reply_to_id or "")
    run_id = about(shown.slot)[0] if shown else ""
    return judged(activity, ear.tenant, run_id, shown.thread) if shown and run_id else None


async def _reacted(ear: Ear, activity: Activity) -> Response:
    for incoming in reactions(activity, ear.tenant):
        await ear.intake.receive(await ear.vetted(activity, incoming))
    return Response()


async def _changed(ear: Ear, activity: Activity) -> Response:
    """Somebody edited or deleted what may have been a question."""
    question = changed(activity, ear.tenant)
    if activity.type == DELETED:
        await ear.intake.changes.deleted(question)
    elif ear.intake.admits(await ear.vetted(activity, question)):
        await ear.intake.changes.edited(question)
    return Response()


async def _came(ear: Ear, activity: Activity) -> Response:
    """Somebody began a chat with the bot: it says what it can do. Or they took it away from themselves."""
    if parted(activity):
        await ear.places.part(person(activity))
    elif hello := greeted(activity, ear.tenant):
        await ear.intake.receive(await ear.vetted(activity, hello))
    elif (added := welcomed(activity, ear.tenant)) and ear.intake.admits(added):
        await ear.outbox.put(added.thread, f"hello:{added.key}", notice_card(HELLO))
    return Response()


_ANSWERS: dict[str, Answer] = {
    MESSAGE: _said,
    INVOKE: _invoked,
    REACTION: _reacted,
    CONVERSATION: _came,
    INSTALLED: _came,
    EDITED: _changed,
    DELETED: _changed,
}
