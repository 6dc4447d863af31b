"""What the words of a message name, in memory and as the house knows, and which kind of run that decides."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast

import pytest

from adapters.kinds import KINDS
from adapters.names import HouseNames
from agents.databases import hgnc
from agents.databases.memory import MemoryBulk
from agents.databases.ports import Reach
from agents.house import House
from agents.kinds import Kinds, Named
from bot.ports import Names
from bot.routing import Doubt, Routed, Router
from retrieval.values import Molecule
from tests.support.memory import MemoryNames

HGNC = "hgnc_id\tsymbol\tname\tstatus\talias_symbol\tprev_symbol\tensembl_gene_id\tentrez_id\tuniprot_ids"
ADRB2 = "HGNC:1\tADRB2\tadrenoceptor\tApproved\tB2AR\t\tENSG00000000001\t154\tP07550"
ACE = "HGNC:2\tACE\tconverting enzyme\tApproved\t\t\tENSG00000000002\t1636\tP12821"


class Archive:
    async def molecules(self) -> Sequence[Molecule]:
        return [Molecule("AF-2107", ("ralotinib",))]


def in_memory(genes: bool = True) -> Names:
    listed = ("ADRB2", "B2AR", "ACE") if genes else None
    return MemoryNames(("AF-2107", "ralotinib"), listed, ("ACE inhibitors", "statins"))


def of_house(genes: bool = True) -> Names:
    bulk = MemoryBulk()
    if genes:
        bulk.load(hgnc.TSV, [HGNC, ADRB2, ACE], "2026-01")
    return HouseNames(cast(House, SimpleNamespace(index=Archive(), reach=Reach(bulk))), Kinds(KINDS))


both = pytest.mark.parametrize("names", [in_memory, of_house])


@both
async def test_words_are_known_for_what_they_name(names: Any) -> None:
    told = await names().named("Is Ralotinib, or AF-2107, safer on ADRB2 (b2ar) than ACE inhibitors? AF-210")
    assert told.molecules == {"af-2107", "ralotinib"}
    assert {"adrb2"} <= told.genes
    assert "ace inhibitors" in told.classes


@both
async def test_without_a_list_of_genes_none_is_said_to_be_unknown(names: Any) -> None:
    assert (await names(genes=False).named("safety profile of ADRB2")).genes is None


async def test_an_archive_that_is_away_names_nothing() -> None:
    assert await HouseNames(cast(House, SimpleNamespace()), Kinds(())).named("AF-2107") == Named()


async def routed(text: str, names: Names | None) -> Routed | Doubt | None:
    return await Router(Kinds(KINDS), names=names).route(text, "ada", {}, ())


@both
@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("What is the safety profile of AF-2107?", "archive"),
        ("What is the safety profile of ADRB2?", "safety"),
        ("What are the liabilities of ralotinib?", "archive"),
        ("What are the risks of inhibiting ADRB2?", "safety"),
    ],
)
async def test_a_name_decides_whose_question_it_is(names: Any, text: str, kind: str) -> None:
    found = await routed(text, names())
    assert isinstance(found, Routed)
    assert found.kind.name == kind


@both
@pytest.mark.parametrize(
    "text", ["Give the safety profile of ACE inhibitors", "Risks of inhibiting warfarin?"]
)
async def test_a_doubtful_name_is_asked_back(names: Any, text: str) -> None:
    found = await routed(text, names())
    assert isinstance(found, Doubt)
    assert [kind.name for kind in found.kinds] == ["archive", "safety"]
