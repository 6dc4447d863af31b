"""Targets, loaded files and recorded replies for tests of databases; and what every fact owes."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from agents.databases import hgnc
from agents.databases.bulk_format import BulkFormat
from agents.databases.facts import Facts
from agents.databases.label_store import LabelStore
from agents.databases.memory import MemoryBulk
from agents.databases.ports import Reach, WebReply
from agents.databases.targets import Targets
from agents.errors import ToolFailed
from agents.evidence.values import Evidence
from agents.tools.reply import ToolReply
from agents.trust.carrier import text_carrier, values_of
from agents.trust.lexical import LexicalEntailment
from agents.trust.support import check_numbers
from agents.trust.values import Claim, Verdict
from retrieval.search import HybridRetriever
from tests.support.hashing import HashingEncoder
from tests.support.memory_index import MemoryIndex
from tests.support.recorded_web import RecordedWeb

GENES = (
    ("BRAF", "ENSG00000157764", "673", "P15056", "B-Raf proto-oncogene, serine/threonine kinase"),
    ("EGFR", "ENSG00000146648", "1956", "P00533", "epidermal growth factor receptor"),
    ("OPRM1", "ENSG00000112038", "4988", "P35372", "opioid receptor mu 1"),
    ("ADRB2", "ENSG00000169252", "154", "P07550", "adrenoceptor beta 2"),
    ("BRCA1", "ENSG00000012048", "672", "P38398", "BRCA1 DNA repair associated"),
    ("ERBB2", "ENSG00000141736", "2064", "P04626", "erb-b2 receptor tyrosine kinase 2"),
    ("PDCD1", "ENSG00000188389", "5133", "Q15116", "programmed cell death 1"),
    ("NFE2L2", "ENSG00000116044", "4780", "Q16236", "NFE2 like bZIP transcription factor 2"),
)
ENCODER = HashingEncoder(64)
HEADER = "hgnc_id\tsymbol\tname\tstatus\talias_symbol\tprev_symbol\tentrez_id\tensembl_gene_id\tuniprot_ids"


def reach_of(
    replies: Mapping[str, str | ToolFailed | None] | None = None,
    *,
    files: Iterable[tuple[BulkFormat, Iterable[str]]] = (),
) -> Reach:
    """A reach over genes that are known by name, files, and recorded replies; None: the network is off."""
    bulk = MemoryBulk()
    rows = [
        f"HGNC:{number}\t{symbol}\t{name}\tApproved\t\t\t{entrez}\t{ensembl}\t{uniprot}"
        for number, (symbol, ensembl, entrez, uniprot, name) in enumerate(GENES)
    ]
    bulk.load(hgnc.TSV, [HEADER, *rows])
    for form, lines in files:
        bulk.load(form, lines, release="2026.06")
    if replies is None:
        return Reach(bulk)
    web, index = RecordedWeb(replies), MemoryIndex(ENCODER)
    return Reach(bulk, web, LabelStore(index, HybridRetriever(index, ENCODER), web))


async def ask(make: Any, reach: Reach, target: str) -> ToolReply:
    """The reply of a tool on a target; each fact of it stands on its record."""
    tool = make(reach, Targets(reach))
    reply = await tool(tool.inputs(target=target))
    assert {fact["topic"] for fact in (reply.data or {}).get("facts", ())} <= set(tool.topics)
    await grounded(reply)
    return reply


def facts_of(reply: ToolReply) -> Facts:
    return Facts.model_validate(reply.data)


def said(reply: ToolReply) -> list[str]:
    """The sentences of a reply."""
    return [fact.text for fact in facts_of(reply).facts]


async def grounded(reply: ToolReply) -> None:
    """Each fact is one sentence whose quotes are verbatim, and whose values and words they carry."""
    for fact in facts_of(reply).facts:
        source = reply.records[fact.record].source
        assert fact.quotes, fact.text
        for quote in fact.quotes:
            assert quote in source.text, quote
        assert fact.text.endswith("."), fact.text
        quoted = "\n".join(fact.quotes)
        carrier = text_carrier(quoted, about=(source.title,))
        values = values_of(fact.text)
        assert all(map(carrier.number, values.numbers)), (fact.text, values.numbers)
        assert all(carrier.names(word.text) for word in values.identifiers), (fact.text, values.identifiers)
        passage = Evidence("E1", "u", source.id, source.title, 0, len(quoted), quoted)
        claim = Claim(fact.text, ("E1",))
        assert check_numbers(claim, [passage])[0] is Verdict.SUPPORTED, fact.text
        verdict, reason = await LexicalEntailment().judge(fact.text, [passage])
        assert verdict is Verdict.SUPPORTED, (fact.text, reason)


def reply_of(value: object) -> WebReply:
    """A reply of the network with a JSON value."""
    return WebReply(json.dumps(value), "https://example.org", "2026-08-11")
