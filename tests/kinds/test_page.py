"""What a reader does on the page with reports of two toy kinds, in a real browser."""

import asyncio
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from playwright.async_api import Locator, Page, Route, expect

from adapters.cli.page import page
from adapters.kinds import KINDS
from adapters.sections import WebSettings
from adapters.settings import Settings
from adapters.storage import open_storage
from agents.kinds import AnyKind
from tests.adapters.web.conftest import opened
from tests.agents.safety import kit
from tests.kinds import three, toy

SETTINGS = WebSettings(port=0)
KNOWN = (*KINDS, toy.KIND, three.KIND)


@asynccontextmanager
async def serving(home: Path, kinds: Sequence[AnyKind] = KNOWN) -> AsyncIterator[str]:
    async with page(Settings(home=home, web=SETTINGS), kinds) as (server, address):
        task = asyncio.create_task(server.serve())
        yield address
        server.stop()
        await task


@pytest.fixture
async def address(tmp_path: Path) -> AsyncIterator[str]:
    async with serving(tmp_path) as found:
        yield found


@pytest.fixture
async def tab() -> AsyncIterator[Page]:
    async with opened() as found:
        yield found


async def say(tab: Page, text: str) -> None:
    await tab.get_by_label("Your question").fill(text)
    await tab.get_by_role("button", name="Ask", exact=True).click()


def section(tab: Page, title: str) -> Locator:
    return tab.locator("article.section").filter(has=tab.get_by_role("heading", name=title, exact=True))


async def released(tab: Page, address: str) -> None:
    await tab.goto(address)
    await say(tab, "brief Zorvatinib")
    await tab.get_by_role("button", name="approve").click(timeout=15_000)
    await expect(section(tab, "Advice")).to_contain_text("Watch for this", timeout=15_000)


async def press(tab: Page, title: str, button: str) -> None:
    await section(tab, title).get_by_role("button", name=button, exact=True).click()


async def wish(card: Locator, words: str) -> None:
    await card.get_by_text("Revise…", exact=True).click()
    await card.get_by_label("What to change").fill(words)
    await card.get_by_role("button", name="Revise", exact=True).click()


async def test_a_count_is_revised_in_words_undone_and_exported(address: str, tab: Page) -> None:
    await tab.goto(address)
    await say(tab, "count one two two")
    count = tab.locator("article.answer")
    await expect(count).to_contain_text("3 words", timeout=15_000)

    await wish(count, "two")

    await expect(count).to_contain_text("1 words without “two”", timeout=15_000)
    await expect(tab.locator(".question").last).to_contain_text("Revise count: two")
    await expect(tab.locator("article.notice").last).to_contain_text("Written anew: Count")
    await count.get_by_role("button", name="Undo").click()
    await expect(count).to_contain_text("3 words")
    await count.get_by_text("Export", exact=True).click()
    await expect(count.get_by_role("link", name="Word")).to_be_visible()


async def test_the_buttons_of_a_section_accept_refresh_undo_and_unlock_it(address: str, tab: Page) -> None:
    await released(tab, address)
    index, advice, liver = tab.locator("article.answer"), section(tab, "Advice"), section(tab, "Liver")

    await wish(liver, "short")

    await expect(advice).to_contain_text("changed since", timeout=15_000)
    await expect(index).to_contain_text("↻ Advice (stale)")
    await expect(liver).not_to_contain_text("They went away")
    await press(tab, "Liver", "Changes")
    await expect(tab.locator("article.notice").last).to_contain_text("They went away within 3 days.")
    await press(tab, "Advice", "Refresh")
    await tab.get_by_role("button", name="approve").click(timeout=15_000)
    await expect(index).to_contain_text("○ Advice (draft)", timeout=15_000)
    await press(tab, "Liver", "Undo")
    await expect(liver).to_contain_text("They went away")
    await press(tab, "Heart", "Accept")
    await expect(index).to_contain_text("✓ Heart (you, ")
    await say(tab, "lock heart")
    await press(tab, "Heart", "Unlock")
    await expect(index).to_contain_text("○ Heart (draft)")


async def test_sections_stand_in_order_below_their_report_also_after_a_restart(
    tmp_path: Path, tab: Page
) -> None:
    async with serving(tmp_path) as address:
        await released(tab, address)
        await wish(section(tab, "Liver"), "short")
        await expect(section(tab, "Advice")).to_contain_text("changed since", timeout=15_000)
        await expect(tab.locator("article.notice").last).to_contain_text("Written anew", timeout=15_000)
        thread = tab.url.removeprefix(address)
        live = await posts(tab)
        await tab.goto("about:blank")
    async with serving(tmp_path) as address:
        await tab.goto(address + thread)
        assert await posts(tab) == live
        await press(tab, "Liver", "Undo")
        await expect(section(tab, "Liver")).to_contain_text("They went away")
        await tab.goto("about:blank")


LOSES_QUESTIONS = """
const Whole = window.EventSource;
window.EventSource = class extends Whole {
  addEventListener(name, heard) {
    super.addEventListener(name, (event) => event.data?.includes("question-") || heard(event));
  }
};
"""
"""A page that hears of a run's progress and not of its question, as one that begins to listen in between."""


async def test_a_question_that_comes_after_its_progress_stands_above_it(address: str, tab: Page) -> None:
    async def late(route: Route) -> None:
        answered = await route.fetch()
        await expect(tab.locator("[id^=progress-]")).to_be_visible(timeout=15_000)
        await route.fulfill(response=answered)

    await tab.add_init_script(LOSES_QUESTIONS)
    await tab.route("**/ask", late)
    await released(tab, address)

    ids = [one.split(":")[0].split("-")[0] for one in await posts(tab)]
    assert ids[:2] == ["question", "progress"]


async def posts(tab: Page) -> list[str]:
    """Ids and texts of the posts, top to bottom, without the seconds that they took."""
    found: list[str] = await tab.evaluate(
        "[...document.getElementById('thread').children].map(post => `${post.id}: ${post.innerText}`)"
    )
    return [re.sub(r" · [\d.]+ s$", "", text, flags=re.MULTILINE) for text in found]


async def test_what_is_being_written_survives_a_newer_card(address: str, tab: Page) -> None:
    await released(tab, address)
    liver = section(tab, "Liver")
    await liver.get_by_text("Revise…", exact=True).click()
    await liver.get_by_label("What to change").fill("Name the species")
    await press(tab, "Liver", "Accept")
    await expect(liver).to_contain_text("accepted (you")
    await expect(liver.get_by_label("What to change")).to_have_value("Name the species")


async def test_a_picture_of_a_run_is_shown(address: str, tab: Page) -> None:
    await released(tab, address)
    picture = section(tab, "Liver").get_by_role("img", name="Findings in the liver over time.")
    width = "image => image.decode().then(() => image.naturalWidth)"
    assert await picture.evaluate(width) == 90


async def test_a_doubt_is_asked_back_and_its_button_starts_the_kind(address: str, tab: Page) -> None:
    await tab.goto(address)
    await say(tab, "these words")
    await tab.get_by_role("button", name="Counting words").click(timeout=15_000)
    await expect(tab.locator("article.answer").last).to_contain_text("2 words", timeout=15_000)
    above_the_doubt_and_the_answer = ["Question: these words"] * 2
    await expect(tab.locator(".question")).to_have_text(above_the_doubt_and_the_answer)


@pytest.mark.parametrize(
    ("media_type", "status"), [("image/png", 200), ("image/svg+xml", 200), ("text/html", 404)]
)
async def test_only_pictures_are_served_and_they_can_do_nothing(
    tmp_path: Path, media_type: str, status: int
) -> None:
    storage = await open_storage(Settings(home=tmp_path).database_url)
    kept = await storage.artefacts.put(b"<svg/>", media_type, "x")
    await storage.close()
    async with serving(tmp_path) as address, httpx.AsyncClient(base_url=address) as client:
        answer = await client.get(f"/artefacts/{kept.sha256}")
        missing = [await client.get(f"/artefacts/{name}") for name in ("0" * 64, "x", "..%2Fx")]
    assert answer.status_code == status
    assert {one.status_code for one in missing} == {404}
    assert answer.headers["x-content-type-options"] == "nosniff"
    if status == 200:
        assert answer.headers["content-type"] == media_type
        assert answer.content == b"<svg/>"
        policy = answer.headers["content-security-policy"]
        assert policy == "default-src 'none'; style-src 'unsafe-inline'; sandbox"


async def test_a_file_is_added_to_the_sources_of_a_section(tmp_path: Path) -> None:
    async with serving(tmp_path, (kit.kind(),)) as address, opened() as tab:
        await tab.goto(address)
        await say(tab, "safety ZORB1, inhibition")
        card = section(tab, "Clinical safety")
        await card.get_by_text("Add a source…", exact=True).click(timeout=30_000)
        told = b"Study 9 of ZORB1 was stopped after 2 of 40 patients fainted."
        await card.get_by_label("File that becomes a source of this section").set_input_files(
            {"name": "study-9.txt", "mimeType": "text/plain", "buffer": told}
        )
        await card.get_by_role("button", name="Add", exact=True).click()
        await expect(card).to_contain_text("2 of 40 patients fainted", timeout=30_000)
        await expect(card).to_contain_text("study-9.txt")
        await expect(section(tab, "Integrated risk assessment").get_by_text("Add a source…")).to_have_count(0)
