"""What one person alone asks and is shown. In a thread Teams shows everything to everybody, so such an answer
comes into the person's chat with the bot, and from there before everybody if they share it.
"""

from dataclasses import dataclass, replace

from adapters.teams.extension import TOLD, UNREACHED
from adapters.teams.platform import TeamsPlatform
from agents.errors import AgentError
from bot.cards import notice_card
from bot.errors import BotError, DeliveryFailed
from bot.intake import Intake
from bot.ports import Outbox
from bot.values import Incoming, ThreadRef

SHARE = "share"
NOT_IN = (
    "I am no member of that conversation, so I cannot show it there, and it was not shared. Have me added to "
    "the team or the chat, then share it."
)
NOT_HERE = "You may not ask Pestle here, so nothing was looked up. Who runs it decides who may, and where."
NOT_BEGUN = "No thread could be begun in that channel, so it was not shared. Try again in a while."


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
