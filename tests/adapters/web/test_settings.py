"""The settings as the page tells them, and bold words of a document that opens."""

import tomllib
from pathlib import Path

import httpx
import pytest
from playwright.async_api import Page

from adapters.model_sections import ModelSettings
from adapters.web.canonical import canonical_html
from tests.adapters.cli.test_model import capable
from tests.adapters.llm.fake_endpoint import serving as endpoint
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


async def test_a_model_is_found_tried_and_set_on_the_page(
    archived: Path, tab: Page, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PESTLE_HOME", str(tmp_path))
    monkeypatch.delenv("PESTLE_CONFIG", raising=False)
    drawer = tab.locator("#drawer")
    with endpoint() as fake, monkeypatch.context() as ports:
        fake.script(capable)
        ports.setattr("adapters.llm.choosing.LOCAL", (fake.url,))
        async with serving(archived) as served:
            await tab.goto(served)
            await tab.get_by_role("link", name="Settings").click()
            await drawer.get_by_role("button", name="Look for a language model").click()
            await drawer.get_by_role("button", name="Try second").click()
            await drawer.get_by_text("reads 16,000 tokens: found").wait_for()
            assert not (tmp_path / "pestle.toml").exists(), "nothing is set without a yes"
            await drawer.get_by_role("button", name="Use second from now on").click()
            await drawer.get_by_text("It answers once Pestle is started again").wait_for()
            await tab.goto("about:blank")  # the page listens to its server
    assert tomllib.loads((tmp_path / "pestle.toml").read_text())["model"] == {
        "base_url": fake.url,
        "name": "second",
    }


async def test_only_a_model_that_is_listed_is_tried_or_set(served: str) -> None:
    async with httpx.AsyncClient(base_url=served, headers={"x-pestle": "page"}) as client:
        for step in ("try", "use"):
            told = await client.post(f"/models/{step}", json={"url": "http://10.0.0.1/v1", "name": "m"})
            assert (told.status_code, "does not answer" in told.text) == (409, True)
