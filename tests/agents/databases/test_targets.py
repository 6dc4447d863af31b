"""From a name to a target, over loaded files and over the network."""

import json
from pathlib import Path

import pytest

from agents.databases import hgnc, mgi, protein_atlas
from agents.databases.memory import MemoryBulk
from agents.databases.naming import quoted
from agents.databases.ports import Reach, WebReply, WebRequest
from agents.databases.target import Target
from agents.databases.targets import Targets
from agents.errors import ToolFailed, ToolRetry
from tests.support.recorded_web import RecordedWeb
from tests.support.services import shared

COLUMNS = (
    "hgnc_id",
    "symbol",
    "name",
    "status",
    "alias_symbol",
    "prev_symbol",
    "ensembl_gene_id",
    "entrez_id",
    "uniprot_ids",
)
GENES = (
    "HGNC:1|ABC1|invented carrier 1|Approved|CAR1,XYZ|OLDA|ENSG00000000001|11|P00001,Q00002",
    "HGNC:2|ABC2|invented carrier 2|Approved|CAR2,XYZ||ENSG00000000002|12|P00002",
    "HGNC:3|CAR2|invented kinase|Approved|||ENSG00000000003|13|P00003",
    "HGNC:4|GONE1||Entry Withdrawn|||||",
)
ATLAS = (
    "Gene\tGene synonym\tEnsembl\tGene description\tProtein class",
    "OLDA\t\tENSG00000000001\tInvented carrier\tEnzymes",  # its name of years ago
    "XYZ\tZ9, FEW1\tENSG00000000009\tInvented channel\tChannels",
    "LONELY\tFEW1\tENSG00000000010\tInvented receptor\tReceptors",
)
MICE = ("LONELY\t77\tLonely\tMGI:77\tMP:0005385",)


def table(*genes: str) -> list[str]:
    """The file of HGNC; here cells are parted by | and the parts of one by commas."""
    return ["\t".join(COLUMNS), *(gene.replace("|", "\t").replace(",", "|") for gene in genes)]


@pytest.fixture
def bulk() -> MemoryBulk:
    loaded = MemoryBulk()
    loaded.load(hgnc.TSV, table(*GENES), "2026-01")
    loaded.load(protein_atlas.HPA.formats[0], ATLAS)
    loaded.load(mgi.MGI.formats[0], MICE)
    return loaded


@pytest.mark.parametrize(
    "name",
    ["ABC1", "abc1", " “Abc1” ", "ENSG00000000001", "ensg00000000001.7", "11", "HGNC:1", "P00001", "q00002"],
)
async def test_a_symbol_or_any_identifier_is_one_target(bulk: MemoryBulk, name: str) -> None:
    found = await Targets(Reach(bulk)).find(name)
    assert found.targets == (
        Target(
            "ABC1",
            "invented carrier 1",
            "ENSG00000000001",
            "11",
            "P00001",
            ("CAR1", "XYZ"),
            ("OLDA",),
        ),
    )


@pytest.mark.parametrize(
    ("name", "symbol", "note"),
    [
        ("abc1", "ABC1", ""),
        ("P00003", "CAR2", "P00003 is CAR2. "),
        ("car1", "ABC1", "car1 is another name of ABC1."),
        ("Car-1", "ABC1", "Car-1 is another name of ABC1."),
        ("OLDA", "ABC1", "OLDA is a former symbol of ABC1."),
        ("Invented carrier 2", "ABC2", "Invented carrier 2 is another name of ABC2."),
        ("CAR2", "CAR2", "CAR2 is also a name of another gene."),
        ("Z9", "XYZ", "Z9 is another name of XYZ."),
    ],
)
async def test_other_names_are_followed_and_told(bulk: MemoryBulk, name: str, symbol: str, note: str) -> None:
    found = await Targets(Reach(bulk)).find(name)
    assert [target.symbol for target in found.targets] == [symbol]
    assert note.strip() in found.note


async def test_a_symbol_that_was_given_up_is_not_brought_back_by_an_old_file(bulk: MemoryBulk) -> None:
    assert (await Targets(Reach(bulk)).find("OLDA")).targets[0].symbol == "ABC1"


@pytest.mark.parametrize(
    ("name", "choices"),
    [("FEW1", ["XYZ", "LONELY"])],
)
async def test_a_name_of_several_genes_is_a_choice(bulk: MemoryBulk, name: str, choices: list[str]) -> None:
    targets = Targets(Reach(bulk))
    assert [target.symbol for target in (await targets.find(name)).targets] == choices
    with pytest.raises(ToolRetry, match=rf"2 genes. Name one of them: {choices[0]} \("):
        await targets.one(name)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("ABC11", r"No human gene is called 'ABC11' in HGNC 2026-01 with 4 rows, .*Did you mean ABC1"),
        ("CARR1", r"Did you mean ABC1 \(called CAR1\)"),
        ("GONE1", "No human gene is called 'GONE1'"),
        ("ENSG00000999999", "No human gene is called 'ENSG00000999999'"),
        ("  ", "No name was given"),
    ],
)
async def test_an_unknown_name_is_told_with_close_spellings(bulk: MemoryBulk, name: str, told: str) -> None:
    with pytest.raises(ToolRetry, match=told):
        await Targets(Reach(bulk)).one(name)


async def test_close_spellings_of_an_unknown_name_are_offered_and_each_source_is_named_once(
    bulk: MemoryBulk,
) -> None:
    found = await Targets(Reach(bulk)).find("CARR1")
    assert found.near[0] == "ABC1 (called CAR1)"
    asked = found.note.partition(" in ")[2].partition(".")[0].split(", ")
    assert len(asked) == len(set(asked))


async def test_files_without_symbols_of_hgnc_are_joined_to_one_target() -> None:
    bulk = MemoryBulk()
    bulk.load(protein_atlas.HPA.formats[0], ATLAS)
    bulk.load(mgi.MGI.formats[0], MICE)
    target, _ = await Targets(Reach(bulk)).one("lonely")
    assert (target.ensembl, target.entrez) == ("ENSG00000000010", "77")
    assert (await Targets(Reach(bulk)).one("77"))[0].symbol == "LONELY"


async def test_a_synonym_with_a_hyphen_is_found_without_it() -> None:
    bulk = MemoryBulk()
    bulk.load(protein_atlas.HPA.formats[0], [ATLAS[0], "LONELY\tFEW-1\tENSG00000000010\tInvented\tEnzymes"])
    assert (await Targets(Reach(bulk)).one("few1"))[0].symbol == "LONELY"


async def test_a_newly_loaded_file_counts_at_once(bulk: MemoryBulk) -> None:
    targets = Targets(Reach(bulk))
    assert (await targets.find("NEW1")).targets == ()
    bulk.load(hgnc.TSV, table("HGNC:5|NEW1|new|Approved|||ENSG00000000005|15|P00005"), "2026-02")
    assert (await targets.find("NEW1")).targets[0].entrez == "15"


async def test_without_any_file_and_network_it_says_what_to_do() -> None:
    with pytest.raises(ToolFailed, match="pestle sources load hgnc FILE"):
        await Targets(Reach(MemoryBulk())).find("ABC1")


async def test_identifiers_that_are_none_are_left_out() -> None:
    loaded = MemoryBulk()
    odd = table("HGNC:5|NEW1|new|Approved|||ENSG05|15;DROP|../../etc", "HGNC:6|A B|new|Approved||NEW2|||")
    loaded.load(hgnc.TSV, odd, "2026-01")
    targets = Targets(Reach(loaded))
    assert (await targets.one("NEW1"))[0] == Target("NEW1", name="new")
    assert (await targets.find("NEW2")).targets == ()


@pytest.mark.parametrize("name", ["NARC1", "NARC-1", "narc 1", "Narc-1"])
@pytest.mark.parametrize("alias", ["NARC-1", "NARC1"])
async def test_an_alias_is_known_with_and_without_its_hyphen(name: str, alias: str) -> None:
    loaded = MemoryBulk()
    loaded.load(hgnc.TSV, table(f"HGNC:5|PROT9|proprotein 9|Approved|{alias}||ENSG00000000005|15|P00005"))
    assert [one.symbol for one in (await Targets(Reach(loaded)).find(name)).targets] == ["PROT9"]


class Flaky:
    """`Web` whose first request fails."""

    def __init__(self) -> None:
        self.asked = 0

    async def fetch(self, request: WebRequest) -> WebReply | None:
        self.asked += 1
        if self.asked == 1:
            raise ToolFailed("mygene.info could not be asked.")
        hit = {"symbol": "LONELY", "entrezgene": "77", "uniprot": {"Swiss-Prot": "P00077"}}
        return WebReply(json.dumps({"hits": [hit]}), request.url, "2026-01-01")


async def test_what_the_network_failed_to_tell_is_asked_again() -> None:
    loaded, web = MemoryBulk(), Flaky()
    loaded.load(mgi.MGI.formats[0], MICE)
    targets = Targets(Reach(loaded, web))
    assert (await targets.one("LONELY"))[0].uniprot == ""
    assert (await targets.one("LONELY"))[0].uniprot == "P00077"
    asked = web.asked
    assert (await targets.one("LONELY"))[0].uniprot == "P00077"
    assert web.asked == asked


@pytest.mark.parametrize("name", ['A" OR gene:"B', "A\\", "A\nB"])
def test_a_name_cannot_end_its_phrase(name: str) -> None:
    phrase = quoted(name)
    assert phrase.count('"') == 2
    assert phrase[0] + phrase[-1] == '""'
    assert not {"\\", "\n"} & set(phrase)


class TestLive:
    URL = "https://mygene.info/v3/query"

    async def test_a_recorded_reply_gives_all_identifiers(self) -> None:
        captured = shared("data/tsa/api_captures/mygene/get_egfr_20260811.json").read_text()
        web = RecordedWeb({self.URL: captured}, date="2026-08-11")
        for name in ("egfr", "ENSG00000146648", "1956", "P00533"):
            target, _ = await Targets(Reach(MemoryBulk(), web)).one(name)
            assert (target.symbol, target.ensembl, target.entrez) == ("EGFR", "ENSG00000146648", "1956")
            assert target.uniprot == "P00533"
        found = await Targets(Reach(MemoryBulk(), web)).find("HER1")
        assert found.note == "HER1 is another name of EGFR."

    async def test_an_alias_with_a_hyphen_is_found(self) -> None:
        captured = shared("data/tsa/api_captures/mygene/search_pdl1_20260811.json").read_text()
        web = RecordedWeb({self.URL: captured})
        assert (await Targets(Reach(MemoryBulk(), web)).one("PD-L1"))[0].symbol == "CD274"
        assert dict(web.asked[0].params)["q"] == r'symbol:"PD\-L1" OR alias:"PD\-L1"'

    async def test_another_gene_in_the_reply_is_not_taken(self) -> None:
        captured = shared("data/tsa/api_captures/mygene/get_egfr_20260811.json").read_text()
        for name in ("BRAF", "673", "P15056", "ENSG00000157764"):
            web = RecordedWeb({self.URL: captured})
            with pytest.raises(ToolRetry, match="No human gene is called"):
                await Targets(Reach(MemoryBulk(), web)).one(name)

    async def test_an_accession_that_no_file_holds_is_asked_for(self) -> None:
        bulk = MemoryBulk()
        bulk.load(protein_atlas.HPA.formats[0], [ATLAS[0], "EGFR\t\tENSG00000146648\tReceptor\tEnzymes"])
        captured = shared("data/tsa/api_captures/mygene/get_egfr_20260811.json").read_text()
        target, _ = await Targets(Reach(bulk, RecordedWeb({self.URL: captured}))).one("EGFR")
        assert target.uniprot == "P00533"
        away = RecordedWeb({})
        assert (await Targets(Reach(bulk, away)).one("EGFR"))[0].uniprot == ""


async def test_all_development_targets_are_known_from_public_files_alone() -> None:
    curated = shared("data/tsa/safety_curation/targets.tsv").read_text().splitlines()[1:]
    bulk = MemoryBulk()
    bulk.load(protein_atlas.HPA.formats[0], zipped(shared("data/tsa/hpa/proteinatlas.tsv.zip")))
    bulk.load(mgi.MGI.formats[0], shared("data/tsa/mgi/HMD_HumanPhenotype.rpt").read_text().splitlines())
    targets = Targets(Reach(bulk))
    for line in curated:
        ensembl, symbol, _ = line.split("\t")
        by_symbol, by_id = await targets.one(symbol), await targets.one(ensembl)
        assert by_symbol[0] == by_id[0]
        assert (by_symbol[0].ensembl, bool(by_symbol[0].entrez)) == (ensembl, True)


def zipped(path: Path) -> list[str]:
    from adapters.sources.lines import lines

    return list(lines(path))


async def test_a_former_symbol_that_is_now_that_of_another_gene_is_none() -> None:
    bulk = MemoryBulk()
    other = "HGNC:2|OLDB|other carrier|Approved|||ENSG00000000002|12|"
    bulk.load(hgnc.TSV, table("HGNC:1|NEWA|carrier|Approved||OLDB|ENSG00000000001|11|", other))
    assert (await Targets(Reach(bulk)).find("NEWA")).targets[0].previous == ()
