"""A file for one person alone: Teams asks them (file consent), then the bot puts it into their OneDrive.

Who accepts, Teams tells the bot where to upload. That address is used only if it is one of Microsoft's own
hosts for files. What becomes of it is told in the chat.
"""

import asyncio
import logging
from typing import Any, Literal

import httpx
from pydantic import BaseModel, Field, ValidationError

from adapters.teams.exports import UPLOAD, Permits
from adapters.teams.files import of_teams
from adapters.teams.inbound import Activity
from adapters.teams.platform import TeamsPlatform
from adapters.teams.whence import key_of, thread_of_activity
from bot.cards import notice_card
from bot.ports import Conversations, FileMaker, Outbox
from bot.values import Export, OutgoingFile, ThreadRef

logger = logging.getLogger(__name__)

CONSENTED = "fileConsent/invoke"
INFO = "application/vnd.microsoft.teams.card.file.info"
UPLOAD_S = 120.0
"""Seconds in which a file must be there."""
DECLINED = "The file was not put into your OneDrive. `export` offers it again."
OVER = "This offer of a file is over. `export` makes a new one."
GONE = "The report of this file is not known here any more, so there is no file."
NOT_THERE = "The file did not get into your OneDrive ({why}). `export` offers it again."


class _Place(BaseModel):
    """Where Teams wants the file, and where it will be found."""

    uploadUrl: str = Field(max_length=8_000)  # noqa: N815 (as Teams writes it)
    contentUrl: str = Field(max_length=8_000)  # noqa: N815
    name: str = Field(max_length=500)
    uniqueId: str = Field(max_length=500)  # noqa: N815
    fileType: str = Field(default="", max_length=80)  # noqa: N815


class _Offer(BaseModel):
    permit: str = Field(max_length=2_000)


class _Decided(BaseModel):
    action: Literal["accept", "decline"]
    context: _Offer
    uploadInfo: _Place | None = None  # noqa: N815


class Refused(Exception):
    """A file that did not get to its place; the message says why."""


class Consents:
    """Acts on what people answer to an offered file. `here` also allows uploads to this machine."""

    def __init__(
        self,
        client: httpx.AsyncClient,
        permits: Permits,
        files: FileMaker,
        conversations: Conversations,
        outbox: Outbox,
        platform: TeamsPlatform,
        *,
        here: bool = False,
    ) -> None:
        self._client = client
        self.permits = permits
        self._files = files
        self._conversations = conversations
        self._outbox = outbox
        self._platform = platform
        self._here = here
        self._uploading: set[asyncio.Task[None]] = set()

    async def decided(self, activity: Activity) -> bool:
        """Take an answer in; False for what is none. The same answer again changes nothing."""
        try:
            decided = _Decided.model_validate(activity.value)
        except ValidationError:
            return False
        key, thread = f"teams:{key_of(activity)}", thread_of_activity(activity)
        if await self._conversations.seen(key):
            return True
        export = self.permits.read(decided.context.permit, UPLOAD, thread.channel)
        if decided.action == "decline" or decided.uploadInfo is None:
            await self._tell(thread, key, DECLINED)
        elif export is None:
            await self._tell(thread, key, OVER)
        else:
            self._begin(self._upload(export, decided.uploadInfo, thread, key))
        await self._platform.take_back(thread, activity.reply_to_id or "")
        return True

    async def settle(self) -> None:
        """Wait for what is being uploaded."""
        await asyncio.gather(*self._uploading)

    def _begin(self, upload: Any) -> None:
        """Upload while the answer is acknowledged: Teams waits for that some seconds alone."""
        task = asyncio.create_task(upload)
        self._uploading.add(task)
        task.add_done_callback(self._uploading.discard)

    async def _upload(self, export: Export, place: _Place, thread: ThreadRef, key: str) -> None:
        try:
            file = await self._files.made(export)
            if file is None:
                return await self._tell(thread, key, GONE, export.run_id)
            await self._put(file, place)
            return await self._platform.show_made(thread, file_info(place))
        except Exception as error:
            logger.warning("a file did not get into a person's OneDrive: %r", error)
            why = str(error) if isinstance(error, Refused) else "something went wrong"
            return await self._tell(thread, key, NOT_THERE.format(why=why), export.run_id)

    async def _put(self, file: OutgoingFile, place: _Place) -> None:
        """Bring a file to its place. Raises `Refused`."""
        if not all(of_teams(one, here=self._here) for one in (place.uploadUrl, place.contentUrl)):
            raise Refused("its place is none of Microsoft's")
        last = len(file.content) - 1
        headers = {"content-range": f"bytes 0-{last}/{last + 1}", "content-type": file.media_type}
        sending = self._client.put(
            place.uploadUrl, content=file.content, headers=headers, follow_redirects=False, timeout=UPLOAD_S
        )
        try:
            async with asyncio.timeout(UPLOAD_S):
                answer = await sending
        except (httpx.HTTPError, TimeoutError):
            raise Refused("OneDrive did not answer") from None
        if answer.status_code not in (200, 201):
            raise Refused(f"OneDrive refused it, {answer.status_code}")

    async def _tell(self, thread: ThreadRef, key: str, text: str, run_id: str = "") -> None:
        await self._outbox.put(thread, f"reply:{key}", notice_card(text, run_id))


def file_info(place: _Place) -> dict[str, Any]:
    """A message with a file that lies in OneDrive."""
    told = {"uniqueId": place.uniqueId, "fileType": place.fileType}
    card = {"contentType": INFO, "contentUrl": place.contentUrl, "name": place.name, "content": told}
    return {"type": "message", "summary": place.name, "attachments": [card]}
