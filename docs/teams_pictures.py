"""Takes the pictures of Teams for the docs: `make teamspictures`. Chromium has to be on the path.

A question goes to the demo archive through the house's own intake and pump. What the bot would send to Teams
is drawn by Microsoft's own renderer of Adaptive Cards (npm `adaptivecards`, in the folder PACKAGES): a run
with its steps, an answer with an opened citation, a table, a digest.
"""

import json
import secrets
import shutil
import sys
from functools import partial
from pathlib import Path
from typing import Any

from digest_told import ordered
from markdown_it import MarkdownIt
from pictures import FLAGS, photographed
from playwright.async_api import Browser, async_playwright

from adapters.cli.demo import ARCHIVE, QUESTION
from adapters.settings import Settings
from adapters.teams.activities import activity
from adapters.teams.render import picture, render
from adapters.wiring import Runtime, runtime
from bot.values import Card, CardKind, Incoming, OutgoingFile, ThreadRef
from retrieval.ingest.folder import Folder
from tests.support.memory import MemoryPlatform

INTO = Path(__file__).parent / "images" / "teams"
TABLE = "Compare the molecules of the archive: which were stopped, and why?"
SIZE = {"width": 760, "height": 300}
SENSITIVITY = "Confidential: for the project team"
STYLE = """
body { margin: 0; padding: 16px; background: #f5f5f5; color: #242424;
  font: 14px/1.43 "Segoe UI", Carlito, sans-serif }
article { background: #fff; border: 1px solid #e0e0e0; border-radius: 6px; padding: 10px 16px;
  margin: 0 0 8px; box-shadow: 0 1px 2px #0002 }
.ac-pushButton { font: 600 14px/1.43 "Segoe UI", Carlito, sans-serif; color: #242424; background: #fff;
  border: 1px solid #d1d1d1; border-radius: 4px; padding: 4px 11px }
.ac-pushButton.style-destructive { color: #c4314b }
small { background: #ebebeb; border-radius: 3px; padding: 1px 6px; margin-right: 6px }
"""
HOST = {
    "fontFamily": "Segoe UI, Carlito, sans-serif",
    "supportsInteractivity": True,
    "actions": {"maxActions": 6, "actionsOrientation": "horizontal", "actionAlignment": "left"},
    "containerStyles": {
        "default": {"backgroundColor": "#ffffff"},
        "emphasis": {"backgroundColor": "#f0f0f0"},
    },
}


class Shown(MemoryPlatform):
    """What Teams would show. It remembers how the progress looked half-way."""

    half: Card | None = None

    async def update(self, thread: ThreadRef, message_id: str, card: Card) -> None:
        """See the port."""
        if card.kind is CardKind.PROGRESS and any(step.state == "running" for step in card.steps):
            self.half = card
        await super().update(thread, message_id, card)


def main() -> None:
    """All pictures. The argument is the folder that holds node_modules."""
    photographed(INTO, partial(_shot, script_in(Path(sys.argv[1]))))


def script_in(packages: Path) -> str:
    """Microsoft's renderer of Adaptive Cards."""
    return (packages / "node_modules/adaptivecards/dist/adaptivecards.min.js").read_text("utf-8")


async def _shot(script: str, folder: Path) -> None:
    async with runtime(Settings(home=folder)) as built, async_playwright() as playwright:
        await built.files.ingest(Folder(ARCHIVE))
        browser = await playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        shown = await _asked(built, QUESTION)
        answer = _last(shown)
        await _taken(browser, "run", script, shown.half or _last(shown, CardKind.PROGRESS))
        await _taken(browser, "citation", script, answer, press="[1]")
        await _taken(browser, "table", script, _last(await _asked(built, TABLE)))
        await _taken(browser, "digest", script, await ordered(built, "teams"))
        await browser.close()


async def _asked(built: Runtime, question: str) -> Shown:
    """What Teams would show of a question."""
    shown, thread = Shown("teams"), ThreadRef("teams", "19:a", secrets.token_hex(6))
    async with built.delivering(shown) as pump:
        incoming = Incoming(secrets.token_hex(6), thread, "ada", question, opens=True)
        receipt = await built.intake.receive(incoming)
        await built.finished(receipt.run_id)
        await pump.drain()
    return shown


def _last(shown: Shown, kind: CardKind = CardKind.ANSWER) -> Card:
    return next(one.card for one in reversed(shown.messages) if one.card.kind is kind)


async def _taken(browser: Browser, name: str, script: str, card: Card, press: str = "") -> None:
    """A picture of a card's messages, as high as they are."""
    tab = await browser.new_page(viewport=SIZE, color_scheme="light")
    await tab.set_content(drawn(card, script))
    if press:
        await tab.get_by_role("button", name=press, exact=True).first.click()
    await tab.screenshot(path=INTO / f"{name}.png", full_page=True, timeout=60_000)
    await tab.close()


def drawn(card: Card, script: str, *files: OutgoingFile) -> str:
    """The messages of a card and of pictures as Teams lays them out: labels above, then a text or a card."""
    pages = (*render(card), *(picture(file, file.content) for file in files))
    messages = [activity(page, SENSITIVITY) for page in pages]
    told = "".join(_article(number, one) for number, one in enumerate(messages))
    with_card = [(number, one) for number, one in enumerate(messages) if "text" not in one]
    cards = {f"c{number}": one["attachments"][0]["content"] for number, one in with_card}
    data = json.dumps([HOST, cards]).replace("</", "<\\/")
    return (
        f"<!doctype html><meta charset=utf-8><style>{STYLE}</style>{told}<script>{script}</script>"
        f"<script>const [host, cards] = {data};"
        "for (const [place, content] of Object.entries(cards)) {"
        "const made = new AdaptiveCards.AdaptiveCard();"
        "made.hostConfig = new AdaptiveCards.HostConfig(host); made.parse(content);"
        "document.getElementById(place).appendChild(made.render()) }</script>"
    )


def _article(number: int, told: dict[str, Any]) -> str:
    named = [entity["usageInfo"]["name"] for entity in told.get("entities", ())]
    labels = ["AI generated", *named] if named else []
    shown = "".join(f"<small>{label}</small>" for label in labels)
    text = MarkdownIt("commonmark", {"html": False}).render(told["text"]) if "text" in told else ""
    return f"<article>{shown}{text}<div id=c{number}></div></article>"


if __name__ == "__main__":
    main()
