"""`Literature`: a folder, and NCBI's databases over recorded replies."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from agents.databases.pubmed import EUTILS
from agents.errors import ToolFailed
from agents.protocol.archive import ArchiveLiterature
from agents.protocol.entrez import GeoLive, PmcLive, PubMedLive, live_literature
from agents.protocol.literature import Literature, dataset_source
from agents.protocol.tables import datasets_of
from agents.protocol.values import DataFile
from retrieval.errors import IndexDamaged
from tests.agents.protocol.kit import ABSTRACT, PUBMED, TITLE, article, literature
from tests.support.recorded_web import RecordedWeb

QUERY = 'dexamethasone AND "airway smooth muscle"'
IDS = f"{EUTILS}/esearch.fcgi"
FETCH, SUMMARY = f"{EUTILS}/efetch.fcgi", f"{EUTILS}/esummary.fcgi"
GEO = {
    "accession": "GSE99999",
    "title": "Airway cells (invented)",
    "gdstype": "Expression profiling by high throughput sequencing",
    "n_samples": 8,
    "taxon": "Homo sapiens",
    "gpl": "1",
}


def found(*ids: str) -> str:
    return json.dumps({"esearchresult": {"idlist": ids}})


def pubmed(folder: Path) -> Literature:
    return PubMedLive(
        RecordedWeb(
            {IDS: found("7"), FETCH: PUBMED.format(pmid="7", title=TITLE, abstract=ABSTRACT, kinds="")}
        )
    )


def pmc(folder: Path) -> Literature:
    given = article().replace("<article-id", '<article-id pub-id-type="pmc">8</article-id><article-id', 1)
    return PmcLive(
        RecordedWeb({IDS: found("8"), FETCH: f"<pmc-articleset>{given.partition('?>')[2]}</pmc-articleset>"})
    )


@pytest.mark.parametrize("make", [literature, pubmed, pmc])
async def test_an_article_is_found_and_its_text_read(
    make: Callable[[Path], Literature], tmp_path: Path
) -> None:
    place = make(tmp_path / "lit")
    (first, *_) = await place.articles(QUERY, 10)
    assert (first.title, first.abstract, first.source) == (TITLE, ABSTRACT, place.name)
    paper = await place.paper(first)
    assert paper is not None
    assert paper.source is not None
    assert ABSTRACT in paper.document.text == paper.source.text
    assert await place.dataset("GSE1") is None


async def test_an_article_of_another_place_is_not_read(tmp_path: Path) -> None:
    (one, *_) = await literature(tmp_path).articles(QUERY, 1)
    assert await pubmed(tmp_path).paper(one) is None


async def test_a_retraction_marks_the_article_that_it_withdraws(tmp_path: Path) -> None:
    found = {one.doi: one for one in await literature(tmp_path).articles("dexamethasone OR cells", 10)}
    assert found["10.9/wrong"].retracted
    assert found["10.9/notice"].retracted
    assert not found["10.9/airway"].notice


async def test_what_cannot_be_read_is_logged_and_the_rest_is_there(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert await literature(tmp_path).at_hand()
    told = [one.getMessage() for one in caplog.records if one.name == "agents.protocol.folder"]
    assert [one.partition(" ")[0] for one in told] == ["broken.xml"]


async def test_tables_at_hand_are_datasets_with_their_groups(tmp_path: Path) -> None:
    place = literature(tmp_path)
    held = {one.accession: one for one in await place.at_hand()}
    assert {name: one.samples for name, one in held.items()} == {"airway": 8, "GDS77": 6}
    assert held["airway"].files[1].levels[0] == ("dex", ("control", "treated"))
    assert ("disease_state", ("normal", "tumour")) in held["GDS77"].files[1].levels
    content = await place.content("GDS77_expression.csv")
    assert content is not None
    assert content.splitlines()[0] == b"ID_REF,GSM1,GSM2,GSM3,GSM4,GSM5,GSM6"
    assert await place.content("airway.xml") is None, "only tables are given to programs"
    assert await place.content("../kit.py") is None


def test_a_wide_table_without_its_samples_has_cells_in_its_columns() -> None:
    columns = tuple(f"c{n}" for n in range(600))
    (cells,) = datasets_of([DataFile("pbmc.csv", "expression", columns, 900)])
    assert [one.kind for one in cells.files] == ["cells"]


async def test_a_folder_is_read_again_when_a_file_changes(tmp_path: Path) -> None:
    place = literature(tmp_path)
    assert not await place.articles("bronchiole", 5)
    (tmp_path / "new.xml").write_text(article("A bronchiole", doi="10.9/new"))
    assert [one.doi for one in await place.articles("bronchiole", 5)] == ["10.9/new"]


async def test_geo_describes_series() -> None:
    web = RecordedWeb({IDS: found("1"), SUMMARY: json.dumps({"result": {"uids": ["1"], "1": GEO}})})
    (one,) = await GeoLive(web).datasets("dexamethasone", 10)
    assert (one.accession, one.samples, one.platform) == ("GSE99999", 8, "GPL1")
    assert "Airway cells (invented)" in dataset_source(one).text
    assert await GeoLive(web).dataset("PRJNA1") is None
    assert ("term", "(dexamethasone) AND gse[ETYP]") in web.asked[0].params


@pytest.mark.parametrize("reply", ["<html>", '{"error": "limit"}', '{"esearchresult": {"ERROR": "x"}}'])
async def test_a_database_that_replies_something_else_says_so(reply: str) -> None:
    with pytest.raises(ToolFailed):
        await PubMedLive(RecordedWeb({IDS: reply})).articles("a", 1)


def test_without_the_network_no_database_is_asked() -> None:
    assert live_literature(None) == ()


async def test_an_archive_that_cannot_be_read_is_a_sentence() -> None:
    def broken() -> object:
        raise IndexDamaged("damaged")

    with pytest.raises(ToolFailed):
        await ArchiveLiterature(broken, broken).articles("a", 1)  # type: ignore[arg-type]
