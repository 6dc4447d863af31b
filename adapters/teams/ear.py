"""What hears Teams: who is let in, what is known of them, and where what they want goes."""

from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from starlette.requests import Request

from adapters.door import Refused, read_body
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
from adapters.teams.private import Private
from adapters.teams.sign_in import SignIn, check_activity, check_time
from adapters.teams.whence import met, person
from bot.intake import Intake
from bot.ports import Outbox
from bot.values import Incoming, Standing

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
