"""axe-core (npm) finds none but minor faults of the page: desk and phone, light and dark."""

import os
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page

from tests.adapters.web.conftest import opened
from tests.adapters.web.test_browser import ask
from tests.support.drills import in_drills
from tests.support.services import missing

LOOKS = ((1440, "light"), (390, "dark"), (1440, "dark"), (390, "light"))
SERIOUS = ("moderate", "serious", "critical")
TABLED = "For which organs is toxicity of AF-2107 reported, and in which species?"


@pytest.fixture
def axe() -> str:
    packages = Path(os.environ.get("PESTLE_TEST_AXE_PACKAGES", "build/axe"))
    script = packages / "node_modules/axe-core/axe.min.js"
    if not script.is_file():
        missing(
            "axe", "run `npm install --prefix build/axe axe-core@4.14.1`, or set PESTLE_TEST_AXE_PACKAGES"
        )
    return script.read_text(encoding="utf-8")


async def faults(tab: Page, axe: str) -> list[str]:
    """What axe finds at least moderate in what is shown: the rule, and where."""
    await tab.evaluate(axe)
    found: dict[str, Any] = await tab.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{one['id']}: {node['html'][:160]} {node['failureSummary'][:200]}"
        for one in found["violations"]
        if one["impact"] in SERIOUS
        for node in one["nodes"]
    ]


@pytest.mark.parametrize("look", in_drills(LOOKS, 2))
async def test_no_serious_fault(served: str, axe: str, look: tuple[int, Any]) -> None:
    width, scheme = look
    async with opened(viewport={"width": width, "height": 844}, color_scheme=scheme) as tab:
        await tab.goto(served)
        await tab.locator("#welcome .choice").first.wait_for(timeout=30_000)
        assert await faults(tab, axe) == []
        await ask(tab, served, TABLED)
        for folded in await tab.locator("article.answer details").all():
            await folded.evaluate("one => one.open = true")
        assert await faults(tab, axe) == []
        for link in ("article.answer a.cite", "article.progress a[data-open]"):
            await tab.locator(link).first.evaluate("one => one.click()")
            await tab.locator("#drawer header").wait_for()
            assert await faults(tab, axe) == []
        for sheet in ("/documents", await tab.locator("article.answer a.cite").first.get_attribute("href")):
            await tab.goto(f"{served}{sheet}")
            assert await faults(tab, axe) == []
