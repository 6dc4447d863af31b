"""The sample that ships with Pestle: read on a bare machine alone, marked, and within its terms and size."""

import csv
from pathlib import Path

import pytest

from adapters.data_sections import SourcesSettings
from adapters.names import genes_in
from adapters.sample import FOLDER
from adapters.settings import Settings
from adapters.sources.bulk import BulkFolder
from adapters.sources.reach import open_reach
from adapters.sources.sample import SampledBulk, SampledLabels, labels, rows_of, shipped
from adapters.wiring import runtime
from agents.databases.facts import Change
from agents.databases.gene2phenotype import G2P, diseases
from agents.databases.hgnc import TSV
from agents.databases.labels import LabelPassage, MemoryLabels
from agents.databases.ndc import Ndc
from agents.databases.openfda_safety import labels_of
from agents.databases.ports import SAMPLE, Reach
from agents.databases.target import Target
from agents.databases.targets import Targets
from tests.support.sample import CHOSEN, write_sample

HGNC = "hgnc_id\tsymbol\tname\talias_symbol\tprev_symbol\nHGNC:1\tABC1\tinvented gene 1\t\t\n"


async def test_it_is_read_until_a_file_is_loaded_and_not_after(tmp_path: Path) -> None:
    own = BulkFolder(tmp_path / "databases")
    bulk = SampledBulk(own)
    sampled = bulk.release("hgnc")
    assert sampled is not None
    assert (SAMPLE in sampled.release, sampled.rows) == (True, len(CHOSEN["targets"]))
    assert [row["symbol"] for row in await bulk.rows("hgnc", "kcnh2")] == ["KCNH2"]
    (tmp_path / "databases").mkdir()
    (tmp_path / "databases" / "labels.db").touch()  # an index of labels that was opened and is empty
    assert bulk.release("gnomad")
    (tmp_path / "hgnc.txt").write_text(HGNC)
    own.load(TSV, [tmp_path / "hgnc.txt"])
    assert bulk.release("gnomad") is None  # no part of it stands beside the house's own files
    assert not await bulk.rows("hgnc", "KCNH2")
    assert list(await bulk.keys("hgnc"))[:1] == ["ABC1"]


async def test_its_labels_give_way_to_loaded_ones_at_once(tmp_path: Path) -> None:
    own = MemoryLabels((LabelPassage("1", "LISINOPRIL", "warnings", "Ours.", ingredients=("lisinopril",)),))
    read = SampledLabels(lambda: own, folder := BulkFolder(tmp_path))
    passages = await read.passages(("lisinopril",))
    assert any("angioedema" in one.text.casefold() for one in passages)
    assert {one.release for one in passages} == {SAMPLE}
    assert await read.known(("warfarin",))
    folder.note(("openfda-labels", "x.json", "", "2026-01-01"), 1)
    assert [one.text for one in await read.passages(("lisinopril",))] == ["Ours."]
    assert not await read.known(("warfarin",))
    assert [one.text for one in await read.search((), "ours")] == ["Ours."]


@pytest.mark.parametrize(
    "sources",
    [
        SourcesSettings(sample=False),
        SourcesSettings(live=True),
        SourcesSettings(mode="replay", snapshot="x"),
    ],
)
async def test_it_is_not_read_where_it_is_off_or_the_network_is_asked(
    tmp_path: Path, sources: SourcesSettings
) -> None:
    opened = open_reach(Settings(home=tmp_path, sources=sources))
    assert opened.reach.bulk.release("hgnc") is None
    await opened.close()


async def test_a_bare_house_lends_it_and_a_gene_that_it_lacks_is_not_denied(tmp_path: Path) -> None:
    async with runtime(Settings(home=tmp_path)) as built:
        found = await Targets(built.house.reach).find("TP53")
        assert (f"({SAMPLE})" in found.note, found.targets) == (True, ())
        assert built.house.reach.labels is built.house.labels
    assert BulkFolder(tmp_path / "databases").bare


async def test_of_a_channel_lost_and_gained_in_disease_it_knows_which_is_which() -> None:
    reach = Reach(SampledBulk(BulkFolder(Path("nowhere"))))
    for name, disease in (("KCNH2", "long QT syndrome"), ("SCN5A", "Brugada syndrome")):
        found = await diseases(G2P, reach, Target(name))
        assert disease in [one.term for one in found.facts if one.change is Change.LOSS]
        assert "short QT syndrome" not in [one.term for one in found.facts if one.change is Change.LOSS]


@pytest.mark.parametrize(
    "name", ["ACE", "ADRB1", "AGTR1", "DPP4", "DRD2", "EGFR", "F10", "KDR", "PDE5A", "TNF", "VKORC1"]
)
async def test_the_label_of_a_medicine_is_read_of_its_target(name: str) -> None:
    reach = Reach(SampledBulk(BulkFolder(Path("nowhere"))), None, labels())
    found = await labels_of(reach, Target(name))
    assert {one.change for one in found.facts} == {Change.INHIBITION}


async def test_a_word_that_it_does_not_know_may_still_be_a_gene(tmp_path: Path) -> None:
    bulk = SampledBulk(BulkFolder(tmp_path))
    assert await genes_in("What are the liabilities of inhibiting PCSK9?", bulk) == {"pcsk9"}
    assert await genes_in("And of TP53?", bulk) is None


async def test_every_part_is_read_by_its_reader_and_holds_what_its_contents_say() -> None:
    assert shipped().keys() == CHOSEN["sources"].keys()
    for source, told in shipped().items():
        loaded = rows_of(source).release(source) if source != "openfda-labels" else None
        assert loaded is None or loaded.rows >= told.rows > 0, source
    for name in CHOSEN["targets"]:
        assert len((await Targets(Reach(rows_of("hgnc"))).find(name)).targets) == 1, name
        assert await rows_of("gnomad").rows("gnomad", name), name
    directory = Ndc(rows_of("ndc"))
    assert set(CHOSEN["classes"]) <= set(await directory.classes())
    known = [name for name in CHOSEN["labels"] if await labels().known((name,))]
    assert known == CHOSEN["labels"]
    assert len(known) >= 40


def test_it_is_small_and_its_terms_stand_beside_it() -> None:
    assert sum(one.stat().st_size for one in FOLDER.iterdir()) < 5_000_000
    told = (FOLDER / "README.md").read_text(encoding="utf-8")
    with (FOLDER / "contents.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            release, terms = CHOSEN["sources"][row["source"]]
            assert (row["release"], row["terms"]) == (release, terms)
            assert not any(word in terms for word in ("SA", "NC", "ODbL"))
            facts = (row["source"], release or "not stated", terms, f"{int(row['rows']):,}", row["page"])
            assert f"| {' | '.join(facts)} |" in told


def test_a_folder_without_all_files_makes_no_sample(tmp_path: Path) -> None:
    (tmp_path / "hgnc.txt").write_text(HGNC)
    with pytest.raises(SystemExit, match="has no file of clingen, clingen-dosage, gene2phenotype"):
        write_sample(tmp_path)
