"""The status of a thread that Slack shows beside it, with a Stop button of its own while a run is carried.

Slack has it for apps that are agents (`agent_view` in the manifest). Where it is missing nothing is lost: the
run's card says the same, and has a Stop button too.
"""

import logging

from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.calls import reason_of
from agents.runs.records import RunState
from bot.values import Card, ThreadRef
from retrieval.compute.cache import Lru

logger = logging.getLogger(__name__)

METHOD = "agents.sessions.setStatus"
LONGEST_TITLE = 200
REMEMBERED = 1_000
"""Threads whose status is known, so that it is not told twice."""
_NO_AGENT = {"unknown_method", "missing_scope", "not_allowed_token_type", "not_an_agent", "no_permission"}
_STATUSES = {
    RunState.QUEUED: "processing",
    RunState.RUNNING: "processing",
    RunState.WAITING: "suspended",
    RunState.DONE: "active",
    RunState.STOPPED: "active",
    RunState.FAILED: "active",
}


class Sessions:
    """Tells Slack where the run of a thread stands. What fails here is logged and never holds up a card."""

    def __init__(self, client: AsyncWebClient) -> None:
        self._client = client
        self._told = Lru[ThreadRef, str](REMEMBERED)
        self._offered = True

    async def tell(self, thread: ThreadRef, card: Card) -> None:
        """Set the status of a thread by its progress card."""
        status = _STATUSES[card.state] if card.state else ""
        if not self._offered or not status or not thread.thread or self._told.get(thread) == status:
            return
        told = {"channel_id": thread.channel, "thread_ts": thread.thread, "status": status}
        title = card.text.lstrip("> ")[:LONGEST_TITLE]
        try:
            await self._client.api_call(METHOD, json=told | ({"title": title} if title else {}))
        except SlackApiError as error:
            self._refused(reason_of(error))
        except Exception as error:
            logger.warning("the status of a thread was not set: %s", type(error).__name__)
        else:
            self._told.put(thread, status)

    def _refused(self, error: str) -> None:
        """An app that is no agent asks no more; after anything else the next card tells the status."""
        logger.info("Slack shows no status for this app (%s): its cards say the same", error)
        self._offered = error not in _NO_AGENT
