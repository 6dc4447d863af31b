"""Close relatives of a target, likely off-targets of a molecule: how alike they are, what their loss does.

Bulk: Ensembl's pairs of human paralogues by HGNC id. What loss of a relative brings is told by the tables of
diseases, where these are loaded.
"""

from collections.abc import Iterable, Iterator

from agents.counts import listed
from agents.databases.bulk_format import BulkFormat, Row, table, under, with_columns
from agents.databases.database import database
from agents.databases.edition import Edition, absent
from agents.databases.facts import Change, Fact, Topic
from agents.databases.fields import number
from agents.databases.gene2phenotype import CLINGEN, G2P, HPO, diseases
from agents.databases.ports import Reach
from agents.databases.sheet import target_findings
from agents.databases.target import Target
from agents.databases.target_tool import TargetFindings, TargetTool, unasked

GENE, OTHER, SAME = "hgnc_gene_id", "hsapiens_paralog_hgnc_gene_id", "hsapiens_paralog_perc_id"
CLOSE, MOST, EACH = 40.0, 4, 3
"""Identity in % from which a relative is close, and how many of them and of the effects of each are told."""
RELATIVE = "identity of a close relative"


def _pairs(lines: Iterable[str]) -> Iterator[tuple[str, Row]]:
    """The close relatives of each gene."""
    for row in table(lines, GENE, OTHER, SAME):
        if (number(row[SAME]) or 0.0) >= CLOSE:
            yield from under({"other": row[OTHER], "same": row[SAME]}, row[GENE])


PARALOGUES = database(
    "paralogues",
    BulkFormat(
        "paralogues",
        "paralogs_ensembl.txt",
        "https://www.ensembl.org/biomart",
        f"{GENE}, {OTHER}, …, {SAME}",
        with_columns(GENE, OTHER, SAME),
        _pairs,
    ),
)


async def relatives(reach: Reach, target: Target) -> TargetFindings:
    """The closest relatives of a target, a fact each. Raises `ToolFailed`."""
    if (loaded := reach.bulk.release(PARALOGUES.name)) is None:
        return unasked(PARALOGUES)
    named = await reach.bulk.rows("hgnc", target.symbol)  # also those of which it was or is another name
    known = [row["hgnc_id"] for row in named if row["symbol"] == target.symbol]
    rows = [row for id_ in known[:1] for row in await reach.bulk.rows(PARALOGUES.name, id_)]
    what = f"close relatives of {target.symbol}"
    nothing = f"{PARALOGUES.title} lists no close relative of {target.symbol}."
    sheet = Edition.of_bulk(PARALOGUES, loaded).sheet(what, target.symbol)
    pairs = [(number(row.get("same", "")) or 0.0, row.get("other", "")) for row in rows]
    for same, id_ in sorted(pairs, reverse=True)[:MOST]:
        for other in [one["symbol"] for one in await reach.bulk.rows("hgnc", id_)][:1]:
            found = [await diseases(database, reach, Target(other)) for database in (G2P, CLINGEN, HPO)]
            lost = [fact for one in found for fact in one.facts if fact.change is Change.LOSS]
            brings = f"; its loss brings {_first(lost)}" * bool(lost)
            says = f"{other} is a close relative of {target.symbol}, {same:.1f}% identical{brings}"
            sheet.state(Topic.HOMOLOGY, says, term=other, measure=RELATIVE, value=round(same, 1), unit="%")
    return target_findings((sheet,)) if sheet.facts else absent(nothing)


def _first(facts: Iterable[Fact]) -> str:
    """The first terms, none told twice, nor as a form of one that is told."""
    told: list[str] = []
    for one in facts:
        if not any(one.term.casefold().startswith(known.casefold()) for known in told):
            told.append(one.term)
    return listed(told[:EACH])


relatives_tool = TargetTool("close_relatives", PARALOGUES, relatives, (Topic.HOMOLOGY,))
