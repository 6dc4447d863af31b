"""Reading page images through the endpoint."""

import asyncio
import base64
from pathlib import Path

import pytest
from PIL import Image

from adapters.errors import SettingsError
from adapters.llm.vision import VisionOcr
from adapters.model_sections import ModelSettings
from retrieval.errors import DocumentError
from retrieval.parse.pool import ParserPool
from tests.adapters.llm.fake_endpoint import FakeEndpoint, fails, says

PAGE = b"\x89PNG page"


def settings(url: str, vision: str = "seeing") -> ModelSettings:
    return ModelSettings(base_url=url, vision=vision, retries=0)


async def test_a_page_is_sent_as_an_image_and_comes_back_as_markdown(endpoint: FakeEndpoint) -> None:
    endpoint.script(says("```markdown\n# Report\n\n| a | b |\n```"))
    text = await asyncio.to_thread(VisionOcr(settings(endpoint.url), prompt="Read the page.").read, PAGE)
    assert text == "# Report\n\n| a | b |"
    words, image = endpoint.asked[0]["messages"][1]["content"]
    assert words["text"] == "Read the page."
    assert base64.b64decode(image["image_url"]["url"].partition(",")[2]) == PAGE


async def test_a_failing_model_says_so(endpoint: FakeEndpoint) -> None:
    endpoint.script(fails(401))
    with pytest.raises(DocumentError, match=r"could not be read.*model\.api_key"):
        await asyncio.to_thread(VisionOcr(settings(endpoint.url), prompt="Read.").read, PAGE)


def test_a_vision_model_must_be_named() -> None:
    with pytest.raises(SettingsError, match=r"model\.vision"):
        VisionOcr(settings("http://127.0.0.1:1/v1", vision=""))


async def test_it_reads_in_the_process_that_parses(endpoint: FakeEndpoint, tmp_path: Path) -> None:
    endpoint.script(says("# Seen"))
    Image.new("L", (40, 40), 200).save(tmp_path / "scan.png")
    pool = ParserPool(VisionOcr(settings(endpoint.url), prompt="Read the page."), workers=1)
    document = await pool.parse(tmp_path / "scan.png", "scan.png", "0" * 64)
    await pool.close()
    assert document.text.strip() == "# Seen"
