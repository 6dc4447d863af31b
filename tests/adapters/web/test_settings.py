"""The settings as the page tells them, and bold words of a document that opens."""

from pathlib import Path

import pytest
from playwright.async_api import Page

from adapters.model_sections import ModelSettings
from adapters.web.canonical import canonical_html
from tests.adapters.web.test_digest import serving


async def test_the_settings_are_told_and_lead_to_the_archive(served: str, tab: Page) -> None:
    await tab.goto(served)
    await tab.get_by_role("link", name="Settings").click()
    drawer = tab.locator("#drawer")

    await drawer.get_by_text("none: rules answer").wait_for()
    assert "the sample that comes with Pestle" in await drawer.inner_text()
    await drawer.get_by_role("link", name="documents").click()
    await drawer.get_by_role("heading", name="The archive").wait_for()


async def test_a_model_is_looked_for_again_whenever_the_settings_open(
    archived: Path, tab: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = iter(["`pestle model` connects one.", "A model answers: `pestle model` sets it."])

    async def looked(_: ModelSettings) -> str:
        return next(told)

    monkeypatch.setattr("adapters.cli.page.told_of_model", looked)
    async with serving(archived) as served:
        await tab.goto(served)
        await tab.get_by_role("link", name="Settings").click()
        await tab.locator("#drawer").get_by_text("A model answers:").wait_for()
        assert await tab.locator("#drawer p.notes code").all_inner_texts() == ["pestle model"]
        assert await tab.locator("#welcome code").all_inner_texts() == ["pestle model"]
        await tab.goto("about:blank")  # the page listens to its server


def test_bold_words_are_bold_and_a_sign_of_significance_stays() -> None:
    text = "**Outcome:** lower\n\n| 46** b | 33** |\n"

    html = canonical_html(text, 0, len(text), 13, 18)

    assert "<strong>Outcome:</strong>" in html
    assert "46** b" in html
    assert "33**" in html
