"""NCBI Gene and RefSeq: the summary of a gene.

Live: over E-utilities. Its files hold no summary, and HGNC's know the names.
"""

import re

from agents.databases.database import database
from agents.databases.edition import Edition, absent
from agents.databases.facts import Topic
from agents.databases.fields import at, json_of, text
from agents.databases.ports import Reach, WebRequest
from agents.databases.refusals import other_gene, unknown_form
from agents.databases.sheet import sentence, target_findings
from agents.databases.target import Target
from agents.databases.target_tool import TargetFindings, TargetTool, unasked
from retrieval.text.sentences import split_sentences

EUTILS = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils/esummary.fcgi"
HUMAN = "9606"
BY = re.compile(r"\s*\[provided by [^]]*\]\.?")
NCBI_GENE = database("ncbi-gene")


async def gene_summary(reach: Reach, target: Target) -> TargetFindings:
    """What NCBI Gene says of a target. Raises `ToolFailed`."""
    if reach.web is None:
        return unasked(NCBI_GENE)
    gene = target.symbol
    params = (("db", "gene"), ("id", target.entrez), ("retmode", "json"))
    reply = await reach.web.fetch(WebRequest(NCBI_GENE.name, EUTILS, params)) if target.entrez else None
    if reply is None:
        return absent(f"NCBI Gene has no {gene}.")
    said = at(json_of(reply, NCBI_GENE.title), "result", target.entrez)
    symbol = text(said, "nomenclaturesymbol") or text(said, "name")
    if not symbol:
        raise unknown_form(NCBI_GENE.title, "no symbol")
    if symbol not in target.symbols or text(said, "organism", "taxid") not in ("", HUMAN):
        raise other_gene(NCBI_GENE.title, symbol, target)
    link = f"https://www.ncbi.nlm.nih.gov/gene/{target.entrez}"
    sheet = Edition.of_reply(NCBI_GENE, reply, link).sheet(f"summary of {gene}", gene)
    for one in split_sentences(BY.sub("", text(said, "summary"))):
        line = sheet.line(f"Summary of {gene}: {sentence(one)}")
        sheet.fact(Topic.FUNCTION, f"RefSeq on {gene}: {sentence(one)}", line)
    return target_findings((sheet,), nothing=f"NCBI Gene has no summary of {gene}.")


ncbi_gene_tool = TargetTool("gene_summary", NCBI_GENE, gene_summary, (Topic.FUNCTION,))
