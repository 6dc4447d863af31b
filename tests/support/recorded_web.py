"""The network of databases, from replies that were recorded."""

from collections.abc import Mapping

from agents.databases.memory import DAY, address
from agents.databases.ports import WebReply, WebRequest
from agents.errors import ToolFailed


class RecordedWeb:
    """`Web` that serves given replies and no others.

    `replies` are looked up by whole address (`address`), followed for a POST by a blank and its body; then by
    address alone, then by address without parameters. A value is the text of the reply, None for "there is
    no such thing", or the error to raise. `asked` lists what was asked, in order.
    """

    def __init__(
        self, replies: Mapping[str, str | ToolFailed | None], *, date: str = DAY, release: str = ""
    ) -> None:
        self._replies = replies
        self._date = date
        self._release = release
        self.asked: list[WebRequest] = []

    async def fetch(self, request: WebRequest) -> WebReply | None:
        """See `Web`."""
        self.asked.append(request)
        whole = address(request)
        names = (f"{whole} {request.body}", whole, request.url)
        name = next((name for name in names if name in self._replies), None)
        if name is None:
            raise ToolFailed(f"There is no recorded reply of {request.source} to {whole}.")
        reply = self._replies[name]
        if isinstance(reply, ToolFailed):
            raise reply
        return None if reply is None else WebReply(reply, whole, self._date, self._release)
