"""Links to runs, shown with what was asked and what came out. Pure.

A link that stands in a channel is read by all who are there. So a run of another conversation in Slack gets
no preview, least of all a private one; a run of the web page does, as who posts its link was shown it.
"""

import re
from typing import Any

from adapters.slack.render import card_blocks
from agents.kinds import RunView
from bot.values import Card, CardKind, ThreadRef

LONGEST = 250
"""Characters of what was asked and of the answer."""
WEB = "web"
_RUN = re.compile(r"/runs/([0-9A-Za-z-]{6,40})(?:[/?#]|$)")


def run_of(url: str) -> str:
    """The id of the run that a link names, or ""."""
    found = _RUN.search(url)
    return found[1] if found else ""


def may_show(view: RunView, channel: str) -> bool:
    """Whether a run may have a preview in this channel."""
    if not view.record.thread_id:
        return False
    thread = ThreadRef.parse(view.record.thread_id)
    return thread.platform == WEB or (thread.channel == channel and not thread.only)


def preview(view: RunView) -> dict[str, Any]:
    """What a link shows."""
    report = view.report
    short = (report.short or report.outcome) if report else f"The run is {view.record.state}."
    text = f"**{_cut(view.asked)}**\n\n{_cut(short)}"
    card = Card(CardKind.NOTICE, text=text, footer=f"Run {view.record.run_id}")
    return {"blocks": card_blocks(card, plain=True)}


def _cut(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= LONGEST else f"{plain[: LONGEST - 1]}…"
