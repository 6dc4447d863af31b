"""axe-core (npm) finds none but minor faults of all that the page shows: desk and phone, light and dark."""

import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.async_api import Page

from adapters.settings import Settings
from adapters.wiring import runtime
from bot.values import Button, Card, CardKind, Step, Table, ThreadRef
from tests.adapters.web.conftest import opened
from tests.adapters.web.test_digest import serving
from tests.support.drills import in_drills
from tests.support.services import missing

Look = tuple[int, Any]
LOOKS: tuple[Look, ...] = ((1440, "light"), (390, "dark"), (1440, "dark"), (390, "light"))
SERIOUS = ("moderate", "serious", "critical")
SAID = {
    "records": "The archive holds",
    'digest "every day 08:30 Europe/Zurich" about AF-2107': "comes every day",
    "digest preview": "Preview of digest 1",
    "safety KCNH2": "Executive summary",
    "recods": "Did you mean",
    "For which organs is toxicity of AF-2107 reported, and in which species?": "Ask next",
}
"""What is written, one after the other, and what stands there then."""
STEPS = (Step("Reading", "done", 0.2), Step("Searching", "running"), Step("Telling", "waiting"))
GOALS = Table("Goals", ("Goal", "At least"), (("Binding", "7"),))
CARDS = (
    Card(CardKind.PROGRESS, "Working on it", steps=STEPS, buttons=(Button("Stop", "stop", "r1", "danger"),)),
    Card(CardKind.REQUEST, "A decision", "Go on?", buttons=(Button("Yes", "answer", "r1 yes", "primary"),)),
    Card(CardKind.ANSWER, "Partial answer: stopped", "A *part*.", notes=("A note.",), not_found=("A dose.",)),
    Card(CardKind.ANSWER, "Goals", parts=(GOALS,)),
    Card(CardKind.ANSWER, "Goals again", parts=(GOALS,)),
    Card(CardKind.ERROR, "This could not be done", "It failed.", steps=(Step("Searching", "failed"),)),
)
"""Cards that no run ends with in a test."""
DETAILS = {
    "#menu-button": "#threads",
    "article.answer a.cite": "#drawer mark",
    "article.progress a[data-open]": "#drawer table",
    "#archive-size a": "#drawer input",
    "nav a[href='/settings']": "#drawer dl",
    "#models button": "#models p",
    "#threads [data-rename]": "dialog[open]",
}
"""What opens beside the thread or above it, by what opens it."""


@pytest.fixture
def axe() -> str:
    packages = Path(os.environ.get("PESTLE_TEST_AXE_PACKAGES", "build/axe"))
    script = packages / "node_modules/axe-core/axe.min.js"
    if not script.is_file():
        missing(
            "axe", "run `npm install --prefix build/axe axe-core@4.14.1`, or set PESTLE_TEST_AXE_PACKAGES"
        )
    return script.read_text(encoding="utf-8")


async def faults(tab: Page, axe: str, looks: Sequence[Look]) -> list[str]:
    """What axe finds at least moderate in what is shown, in any look: the look, the rule, and where."""
    told: list[str] = []
    await tab.evaluate(axe)
    for width, scheme in looks:
        await tab.set_viewport_size({"width": width, "height": 844})
        await tab.emulate_media(color_scheme=scheme)
        found: dict[str, Any] = await tab.evaluate("axe.run(document, {resultTypes: ['violations']})")
        told += [
            f"{width} {scheme} {one['id']}: {node['html'][:160]} {node['failureSummary'][:200]}"
            for one in found["violations"]
            if one["impact"] in SERIOUS
            for node in one["nodes"]
        ]
    return told


async def opens(tab: Page, link: str, shown: str) -> None:
    """Follow a link or press a button, wherever it stands, and wait for what it shows."""
    await tab.locator(link).first.evaluate("one => one.click()")
    await tab.locator(shown).first.wait_for()


@pytest.mark.timeout(400)
@pytest.mark.parametrize("looks", in_drills((LOOKS[:2], LOOKS[2:]), 1))
async def test_no_serious_fault(archived: Path, tmp_path: Path, axe: str, looks: Sequence[Look]) -> None:
    """One thread holds a card of each kind."""
    home = shutil.copytree(archived, tmp_path / "home")
    async with serving(home) as served, opened() as tab:
        await tab.goto(served)
        await tab.locator("#welcome .choice").first.wait_for(timeout=30_000)
        assert await faults(tab, axe, looks) == []
        for text, told in SAID.items():
            await tab.get_by_label("Your question").fill(text)
            await tab.get_by_role("button", name="Ask", exact=True).click()
            await tab.locator("article", has_text=told).last.wait_for(timeout=60_000)
        here = ThreadRef("web", "archive", parse_qs(urlsplit(tab.url).query)["thread"][0])
        async with runtime(Settings(home=home)) as built:
            for card in CARDS:
                await built.storage.outbox.put(here, f"{card.kind}:{card.title}", card)
        await tab.locator("article", has_text=CARDS[-1].text).wait_for(timeout=30_000)
        await tab.evaluate("for (const one of document.querySelectorAll('#thread details')) one.open = true")
        assert await faults(tab, axe, looks) == []
        for link, shown in DETAILS.items():
            await opens(tab, link, shown)
            assert await faults(tab, axe, looks) == [], link
        for sheet in (
            "/documents",
            "/settings",
            await tab.locator("article.answer a.cite").first.get_attribute("href"),
        ):
            await tab.goto(f"{served}{sheet}")
            assert await faults(tab, axe, looks) == [], sheet
        await tab.goto("about:blank")  # the page listens to its server
