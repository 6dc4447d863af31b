"""A citation of a tool's reply opens on the page at its place, and its text can do nothing there."""

from pathlib import Path
from urllib.parse import quote

import httpx
import pytest
from bs4 import BeautifulSoup
from starlette.applications import Starlette

from adapters.files import ArchiveFiles
from adapters.web.documents import SHOWN, documents_routes
from adapters.web.render import environment
from agents.evidence.sources import Source, tool_source, upload_source
from tests.agents.archive.world import DOCUMENTS, archive, markdown
from tests.retrieval.minilm import minilm
from tests.support.memory.sources import MemorySources
from tests.support.parsing import InThread

NASTY = '<script>alert("x")</script>'


class Web:
    """The documents' routes over a small archive and some sources."""

    def __init__(self, app: Starlette, sources: MemorySources) -> None:
        self.transport = httpx.ASGITransport(app)
        self._client = httpx.AsyncClient(transport=self.transport, base_url="http://127.0.0.1")
        self._client.headers["x-pestle"] = "page"
        self._sources = sources

    async def show(self, source: Source, cited: str = "") -> BeautifulSoup:
        await self._sources.put(source)
        start = source.text.index(cited)
        response = await self.get(source.id, start, start + len(cited))
        assert response.status_code == 200
        return BeautifulSoup(response.text, "lxml")

    async def get(self, key: str, start: int = 0, end: int = 0) -> httpx.Response:
        return await self._client.get(f"/documents/{quote(key, safe='')}?start={start}&end={end}")


@pytest.fixture
async def web(tmp_path: Path) -> Web:
    tools = await archive(tmp_path / "docs", DOCUMENTS)
    files = ArchiveFiles(tmp_path / "home", tools.index, minilm(), InThread(markdown))
    sources = MemorySources()
    routes = documents_routes(tools.index, files, sources, environment())
    return Web(Starlette(routes=routes), sources)


async def test_a_reply_opens_at_the_quote_with_all_that_is_known_of_its_fetch(web: Web) -> None:
    label = tool_source(
        "openFDA drug labels",
        "Label of zorvatinib",
        "# Warnings\n\nFirst. Liver failure was seen. Last.",
        query="zorvatinib",
        release="2026-06",
        date="2026-07-01",
        link="https://example.org/label?id=1&x=2",
    )
    html = await web.show(label, "Liver failure was seen.")
    assert html.mark is not None
    assert html.mark.text == "Liver failure was seen."
    assert [part.text for part in html.select(".page > *")] == [
        "Warnings",
        "First. Liver failure was seen. Last.",
    ]
    known = {dt.text: dt.find_next("dd").text for dt in html.find_all("dt")}  # type: ignore[union-attr]
    assert known == {
        "Source": "openFDA drug labels",
        "Query": "zorvatinib",
        "Release": "2026-06",
        "Date": "2026-07-01",
        "Link": "https://example.org/label?id=1&x=2",
    }
    (link,) = html.select("a[href]")
    assert link["href"] == link.text == label.link
    assert "noopener" in link["rel"]


@pytest.mark.parametrize(
    "link", ["javascript:alert(1)", "data:text/html,x", "//example.org", "https://", "http://[", "ftp://a/b"]
)
async def test_a_link_that_is_no_web_address_is_shown_and_cannot_be_clicked(web: Web, link: str) -> None:
    html = await web.show(tool_source("x", "y", "text", link=link))
    assert html.select("a[href]") == []
    assert link in html.text


async def test_everything_in_a_source_is_escaped(web: Web) -> None:
    source = tool_source(
        NASTY, NASTY, f"{NASTY} quote {NASTY}", query=NASTY, release=NASTY, date=NASTY, link=NASTY
    )
    html = await web.show(source, "quote")
    assert html.find("script") is None
    assert html.text.count(NASTY) == 8


async def test_an_upload_is_said_to_be_a_persons(web: Web) -> None:
    html = await web.show(upload_source("ada", "A note", "The dose was 3 mg."))
    assert "A person gave this text." in html.text
    assert html.mark is None


async def test_of_a_long_reply_the_surroundings_are_shown(web: Web) -> None:
    text = "a" * 10_000 + " here " + "b" * 10_000
    html = await web.show(tool_source("x", "y", text), "here")
    assert html.select_one(".page").text == "a" * (SHOWN - 1) + " here " + "b" * (SHOWN - 1)  # type: ignore[union-attr]


async def test_opened_in_a_tab_of_its_own_a_passage_is_a_whole_styled_page(web: Web) -> None:
    html = (await web.get("ZK-CL-01", 0, 10)).text
    assert "style.css" not in html
    alone = await httpx.AsyncClient(transport=web.transport, base_url="http://127.0.0.1").get(
        "/documents/ZK-CL-01?start=0&end=10"
    )
    page = BeautifulSoup(alone.text, "lxml")
    assert page.select_one("link[href='/static/style.css']") is not None
    assert page.select_one("main mark#passage") is not None


async def test_documents_open_as_before_and_unknown_ids_do_not(web: Web) -> None:
    assert "<mark" in (await web.get("ZK-CL-01", 0, 10)).text
    assert (await web.get("tool-0")).status_code == 404
