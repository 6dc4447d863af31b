"""What hears Teams: who is let in, what is known of them, and where what they want goes."""

from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from starlette.requests import Request

from adapters.door import Refused, read_body
from adapters.teams.extension import TOLD, UNREACHED
from adapters.teams.guests import Guests
from adapters.teams.inbound import (
    Activity,
    activity_of,
)
from adapters.teams.incoming import (
    from_press,
)
from adapters.teams.places import Places
from adapters.teams.platform import TeamsPlatform
from adapters.teams.sign_in import SignIn, check_activity, check_time
from adapters.teams.whence import met, person
from agents.errors import AgentError
from bot.cards import notice_card
from bot.errors import BotError, DeliveryFailed
from bot.intake import Intake
from bot.ports import Outbox
from bot.values import Incoming, Standing, ThreadRef

SHARE = "share"
NOT_IN = (
    "I am no member of that conversation, so I cannot show it there, and it was not shared. Have me added to "
    "the team or the chat, then share it."
)
NOT_HERE = "You may not ask Pestle here, so nothing was looked up. Who runs it decides who may, and where."
NOT_BEGUN = "No thread could be begun in that channel, so it was not shared. Try again in a while."
_HERE = ("127.0.0.1", "::1", "localhost")


@dataclass(frozen=True, slots=True)
class Private:
    """Private conversations beside threads (`ThreadRef.only`), as Teams can have them."""

    intake: Intake
    outbox: Outbox
    platform: TeamsPlatform

    async def ask(self, incoming: Incoming) -> str:
        """Take in what somebody wants to know alone; what they are told at once. Nothing is done for who may
        not ask, or cannot be written to alone.
        """
        if not self.intake.admits(incoming):
            return NOT_HERE
        if incoming.origin.direct:  # nobody else reads along as it is
            await self.intake.receive(incoming)
            return TOLD
        if not await self.platform.where.reaches(incoming.user):
            return UNREACHED
        thread = incoming.thread.seen_only_by(incoming.user)
        await self.intake.receive(replace(incoming, thread=thread))
        return TOLD

    async def press(self, press: Incoming) -> None:
        """Take in a button. One of a card that was shown to this person alone is of its private conversation,
        though it is pressed in their chat.
        """
        press = await self.intake.sharing.belonging(press)
        if press.action != SHARE:
            await self.intake.receive(press)
        elif self.intake.admits(press):
            await self.outbox.put(press.thread, f"reply:{press.key}", notice_card(await self._share(press)))

    async def _share(self, press: Incoming) -> str:
        """Show a private answer to everybody; what became of it."""
        channel = press.thread.channel

        async def opened(asked: str) -> ThreadRef:
            return await self.platform.begin(channel, f"Asked: {asked}")

        if not await self.platform.where.admitted(press.thread.everybody):
            return NOT_IN
        try:
            return (await self.intake.sharing.share(press, press.value, opened)).text
        except (BotError, AgentError) as error:
            return NOT_BEGUN if isinstance(error, DeliveryFailed) else str(error)


@dataclass(frozen=True, slots=True)
class Ear:
    """What the app hears with. `tenant` is that of the bot's own people.

    Without `sign_in` nobody is asked for a token: then only the playground of this machine is heard.
    """

    intake: Intake
    outbox: Outbox
    places: Places
    platform: TeamsPlatform
    tenant: str
    sign_in: SignIn | None
    guests: Guests | None = None
    """None where guests may ask."""

    async def vetted(self, activity: Activity, incoming: Incoming) -> Incoming:
        """What somebody wants, as that of a guest if Teams says that they are one."""
        if self.guests is None or incoming.origin.foreign or not await self.guests.has(activity):
            return incoming
        return replace(incoming, origin=replace(incoming.origin, standing=Standing.GUEST))

    async def press(self, activity: Activity) -> bool:
        """Take in a button; False for one that is none of ours."""
        if press := from_press(activity, self.tenant):
            await self.private.press(await self.vetted(activity, press))
        return press is not None

    async def meet(self, activity: Activity) -> None:
        """Remember how to write to who acts, alone. Of who only talks to others nothing is kept."""
        if activity.sender.id not in ("", activity.recipient.id):
            await self.places.meet(person(activity), met(activity))

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
