"""The bot's ear: `/api/messages` takes the activities of Teams.

What is not signed by the Bot Framework Service is answered 401, and nothing of it is read. A request is
answered once the intake has written it down, which is one short transaction. If that fails the answer is
500, and Teams sends the activity again.
"""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from adapters.door import Refused, read_body
from adapters.teams.consent import CONSENTED, Consents
from adapters.teams.departures import Departure, departed, parted
from adapters.teams.extension import (
    FETCHED,
    NOTHING,
    SUBMITTED,
    claim_of,
    question_of,
    told,
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
    activity_of,
)
from adapters.teams.incoming import (
    EXECUTED,
    JUDGED,
    changed,
    from_message,
    from_press,
    greeted,
    judged,
    reactions,
)
from adapters.teams.mentions import named_responsible
from adapters.teams.places import PLATFORM, Places, alone
from adapters.teams.platform import TeamsPlatform
from adapters.teams.private import Private
from adapters.teams.sign_in import KeysUnknown, SignIn, check_activity, check_time
from adapters.teams.whence import alone_with_us, met, person, reference_of, thread_of_activity
from bot.intake import Intake
from bot.ports import Outbox
from bot.values import Incoming, about

logger = logging.getLogger(__name__)

MESSAGES_PATH = "/api/messages"
HEARD = {"statusCode": 200, "type": "application/vnd.microsoft.activity.message", "value": "Heard."}
"""What a pressed button is answered with; what it does shows in the thread."""
_HERE = ("127.0.0.1", "::1", "localhost")


@dataclass(frozen=True, slots=True)
class Ear:
    """What the app hears with. `tenant` is that of the bot's own people.

    Without `sign_in` nobody is asked for a token: then only the playground of this machine is heard.
    """

    intake: Intake
    outbox: Outbox
    places: Places
    platform: TeamsPlatform
    consents: Consents
    tenant: str
    sign_in: SignIn | None

    async def meet(self, activity: Activity) -> None:
        """Remember how to write to who acts, alone. Of who only talks to others nothing is kept."""
        if activity.sender.id not in ("", activity.recipient.id):
            await self.places.meet(person(activity), met(activity))

    async def leave(self, gone: Departure) -> None:
        """Tell, each alone, who waits for something where the bot cannot write any more."""
        channels = await self.places.channels_of(gone.team) if gone.team else [gone.channel]
        for channel in channels:
            await self.intake.changes.left(PLATFORM, channel, gone.why, alone)

    @property
    def private(self) -> Private:
        """What is for one person alone."""
        return Private(self.intake, self.outbox, self.platform)

    async def hear(self, request: Request) -> Activity:
        """The activity of a request that comes from Teams. Raises `Refused`, `KeysUnknown`."""
        if self.sign_in is None:
            return _from_here(request, activity_of(await read_body(request)))
        claims = await self.sign_in.claims(request.headers.get("authorization", ""))
        activity = activity_of(await read_body(request))
        check_activity(claims, activity.service_url, activity.timestamp)
        if urlsplit(activity.service_url).scheme != "https":
            raise Refused(401, "The activity wants to be answered where others can read along.")
        return activity


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
    if activity.value is not None and (press := from_press(activity, ear.tenant)):
        await ear.private.press(press)
        return Response()
    heard = from_message(activity, ear.tenant)
    if heard is None:
        return Response()
    incoming = heard.incoming
    # Who may not ask is told so when they speak to the bot, not when they talk in a thread.
    takes_part = ear.intake.admits(incoming) and await ear.intake.takes_part(incoming.thread)
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
        if press := from_press(activity, ear.tenant):
            await ear.private.press(press)
            return JSONResponse(HEARD)
        return PlainTextResponse("This button is none of Pestle's.", 400)
    if activity.name == JUDGED:
        if given := await _judgement(ear, activity):
            await ear.intake.receive(given)
        return JSONResponse({})
    if activity.name in (FETCHED, SUBMITTED):
        return JSONResponse(told(await _asked_alone(ear, activity)))
    if activity.name == CONSENTED and await ear.consents.decided(activity):
        return JSONResponse({})
    return PlainTextResponse("Pestle has no answer to this.", 501)


async def _asked_alone(ear: Ear, activity: Activity) -> str:
    """Something for who asks alone, through the message extension; what they are told at once."""
    asked = (claim_of if activity.name == FETCHED else question_of)(activity, ear.tenant)
    return NOTHING if asked is None else await ear.private.ask(asked)


async def _judgement(ear: Ear, activity: Activity) -> Incoming | None:
    """A judgement of a message of ours, as one of the run that it shows."""
    place = thread_of_activity(activity)
    shown = await ear.outbox.showing(place, activity.reply_to_id or "")
    run_id = about(shown.slot)[0] if shown else ""
    return judged(activity, ear.tenant, run_id, shown.thread) if shown and run_id else None


async def _reacted(ear: Ear, activity: Activity) -> Response:
    for incoming in reactions(activity, ear.tenant):
        await ear.intake.receive(incoming)
    return Response()


async def _changed(ear: Ear, activity: Activity) -> Response:
    """Somebody edited or deleted what may have been a question."""
    question = changed(activity, ear.tenant)
    if activity.type == DELETED:
        await ear.intake.changes.deleted(question)
    elif ear.intake.admits(question):
        await ear.intake.changes.edited(question)
    return Response()


async def _came(ear: Ear, activity: Activity) -> Response:
    """Somebody began a chat with the bot: it says what it can do. Or it is out of a place: then who waits for
    something there is told.
    """
    if parted(activity):
        await ear.places.part(person(activity))
    elif gone := departed(activity):
        await ear.leave(gone)
    elif hello := greeted(activity, ear.tenant):
        await ear.intake.receive(hello)
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


def _from_here(request: Request, activity: Activity) -> Activity:
    """An activity of the playground on this machine, which has no directory: its ids stand for those of one.
    Raises `Refused`.
    """
    asked = request.client.host if request.client else ""
    if asked not in _HERE or urlsplit(activity.service_url).hostname not in _HERE:
        raise Refused(401, "Only the playground of this machine is heard without a token.")
    check_time(activity.timestamp)
    sender = activity.sender
    known = sender.model_copy(update={"aad_object_id": sender.aad_object_id or sender.id or None})
    return activity.model_copy(update={"sender": known})
