"""An answer that Slack does not take: kept, told in `pestle runs`, and posted after all."""

import asyncio
import json
from pathlib import Path

from starlette.responses import JSONResponse, Response

from adapters.settings import load
from adapters.slack.calls import slack_client
from adapters.slack.platform import SlackPlatform
from adapters.wiring import runtime
from bot.values import Incoming, ThreadRef
from tests.adapters.cli.conftest import QUESTION, Pestle
from tests.adapters.slack.far_end import far_end

THREAD = ThreadRef("slack", "C1", "10.1")


async def asked() -> str:
    """The id of a run that was asked in Slack and is done."""
    async with runtime(load()) as built:
        receipt = await built.intake.receive(Incoming("C1.10.1", THREAD, "U1", QUESTION))
        await built.finished(receipt.run_id)
        return receipt.run_id


async def delivered(*answers: Response) -> list[str]:
    """What stands in Slack after it gave these answers first."""
    async with far_end() as slack, runtime(load()) as built:
        slack.answers = list(answers)
        await built.pump(SlackPlatform(slack_client("xoxb-test", slack.url))).drain()
        return [message["text"] for message in slack.messages.values()]


def test_an_answer_that_could_not_be_posted_is_told_and_can_be_posted(pestle: Pestle, home: Path) -> None:
    run_id = asyncio.run(asked())
    forbidden = [Response("forbidden", 403, media_type="text/plain") for _ in range(9)]
    assert asyncio.run(delivered(*forbidden)) == []
    told = " ".join(pestle("runs").out.split())
    assert f"{run_id}: 1 card not posted. Slack refused chat.postMessage: 403." in told
    assert f"pestle run post {run_id}" in told
    (listed,) = json.loads(pestle("runs", "--json").out)
    assert [(one["slot"], one["given_up"]) for one in listed["unposted"]] == [(f"progress:{run_id}", False)]
    ended = pestle("run", "post", run_id)
    assert (ended.code, ended.err) == (0, "")
    shown = asyncio.run(delivered())
    assert any("4 mg" in text for text in shown)
    assert "not posted" not in pestle("runs").out
    (listed,) = json.loads(pestle("runs", "--json").out)
    assert listed["unposted"] == []


def test_a_card_refused_for_good_is_kept_and_the_next_is_shown(pestle: Pestle, home: Path) -> None:
    run_id = asyncio.run(asked())
    refused = [JSONResponse({"ok": True}), JSONResponse({"ok": False, "error": "msg_too_long"})]
    assert any("4 mg" in text for text in asyncio.run(delivered(*refused)))
    told = " ".join(pestle("runs").out.split())
    assert f"{run_id}: 1 card not posted. Slack refused chat.postMessage: msg_too_long." in told
    assert "not tried again by itself" in told


def test_a_run_of_the_terminal_has_no_thread_to_post_in(pestle: Pestle, home: Path) -> None:
    pestle("ask", QUESTION)
    (listed,) = json.loads(pestle("runs", "--json").out)
    ended = pestle("run", "post", listed["run_id"])
    assert (ended.code, "no chat" in ended.err) == (2, True)
    assert pestle("run", "post", "nonsense").code == 3
