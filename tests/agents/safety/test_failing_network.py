"""The real tools over a network that fails: each section says what is missing, and the report ends."""

import asyncio
import json
from collections.abc import Awaitable, Callable

import pytest

from agents.databases import hgnc
from agents.databases.memory import MemoryBulk
from agents.databases.ports import Reach, WebReply, WebRequest
from agents.databases.targets import Targets
from agents.databases.toolset import database_tools
from agents.errors import ToolFailed
from agents.reports.values import Paragraph, Report, Table
from agents.safety.collect import database_tools_of
from agents.safety.kind import KIND
from agents.safety.orthologs.tool import ortholog_tools
from agents.safety.outline import EVIDENCE, SECTIONS
from agents.safety.pipeline import SafetyTools
from tests.agents.safety.kit import assessed, no_archive, tools

HGNC = (
    "hgnc_id\tsymbol\tname\tstatus\talias_symbol\tprev_symbol\tensembl_gene_id\tentrez_id\tuniprot_ids",
    "HGNC:1\tZORB1\tzorbin receptor 1\tApproved\t\t\tENSG00000999901\t999901\tP99901",
)
OTHER = {
    "symbol": "BRAF",
    "display_name": "BRAF",
    "id": "ENSG00000157764",
    "primaryAccession": "P15056",
    "genes": [{"geneName": {"value": "BRAF"}}],
    "organism": {"taxonId": 9606},
    "data": {"gene": {"symbol": "BRAF"}, "target": {"id": "ENSG00000157764", "approvedSymbol": "BRAF"}},
    "results": [{"primaryAccession": "P15056", "genes": [{"geneName": {"value": "BRAF"}}]}],
}


async def error_500(request: WebRequest) -> WebReply | None:
    raise ToolFailed(f"{request.source} could not be asked: it replied 500.")


async def error_429(request: WebRequest) -> WebReply | None:
    raise ToolFailed(f"{request.source} could not be asked: it replied 429.")


async def empty(request: WebRequest) -> WebReply | None:
    return None


async def without_text(request: WebRequest) -> WebReply | None:
    return WebReply("", request.url, "2026-01-01")


async def another_schema(request: WebRequest) -> WebReply | None:
    return WebReply('{"version": 9, "payload": [[1, 2], [3, 4]]}', request.url, "2026-01-01")


async def another_gene(request: WebRequest) -> WebReply | None:
    return WebReply(json.dumps(OTHER), request.url, "2026-01-01")


async def silent(request: WebRequest) -> WebReply | None:
    await asyncio.sleep(60)
    raise AssertionError("nobody waited")


class Failing:
    """`Web` that does one thing with every request."""

    def __init__(self, does: Callable[[WebRequest], Awaitable[WebReply | None]]) -> None:
        self._does = does

    async def fetch(self, request: WebRequest) -> WebReply | None:
        return await self._does(request)


def over(does: Callable[[WebRequest], Awaitable[WebReply | None]]) -> SafetyTools:
    bulk = MemoryBulk()
    bulk.load(hgnc.TSV, HGNC)
    reach = Reach(bulk, Failing(does))
    targets = Targets(reach)
    asked = database_tools_of(database_tools(reach, targets=targets).joined(ortholog_tools(reach, targets)))
    return SafetyTools(targets.find, asked, no_archive, tools().desk, seconds=0.3)


@pytest.mark.parametrize(
    ("does", "said"),
    [
        (error_500, "replied 500"),
        (error_429, "replied 429"),
        (empty, "has no entry"),
        (without_text, "no JSON"),
        (another_schema, "form that is not known here"),
        (another_gene, "replied with"),
        (silent, "did not answer within 0.3 seconds"),
    ],
)
async def test_each_section_says_what_is_missing_and_the_report_ends(
    does: Callable[[WebRequest], Awaitable[WebReply | None]], said: str
) -> None:
    shown = KIND.report(await assessed("ZORB1", over(does)))
    assert [one.id for one in shown.sections] == [one.id for one in SECTIONS]
    assert not any("BRAF" in one.text for section in shown.sections for one in section.statements)
    for section in (one.id for one in EVIDENCE):
        assert "Not assessed" in told(shown, section) or "Nothing found" in told(shown, section), section
    assert said in " ".join(told(shown, one.id) for one in SECTIONS)
    coverage = shown.section("coverage")
    assert coverage is not None
    (table,) = (block for block in coverage.blocks if isinstance(block, Table))
    assert not any(row[3].text == "yes" for row in table.rows)


def told(shown: Report, section: str) -> str:
    found = shown.section(section)
    assert found is not None
    return " ".join(block.text for block in found.blocks if isinstance(block, Paragraph))
