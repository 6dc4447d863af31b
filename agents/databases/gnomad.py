"""gnomAD: how well people do without a working copy of the gene (constraint against variants).

Bulk: the table of constraint of v2.1.1 and of v4. Live: the GraphQL API.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from pydantic import JsonValue

from agents.counts import number_of
from agents.databases.bulk_format import BulkFormat, Row, table, under, with_columns
from agents.databases.database import database
from agents.databases.edition import Edition, absent
from agents.databases.facts import Topic
from agents.databases.fields import at, items, json_of, number, text
from agents.databases.ports import Reach, Web, WebRequest
from agents.databases.refusals import other_gene, unknown_form
from agents.databases.sheet import Sheet, target_findings
from agents.databases.target import Target
from agents.databases.target_tool import TargetFindings, TargetTool, unasked
from agents.errors import ToolFailed

LOEUF_BELOW = {"v2": 0.35, "v4": 0.6}
"""Upper bounds of observed/expected below which gnomAD calls a gene constrained, by release."""
PLI_FROM = 0.9
MISSENSE_Z_FROM = 3.09
"""z from which depletion of missense variants is significant (p = 0.001)."""
API = "https://gnomad.broadinstitute.org/api"
LIVE_RELEASE = "v4"
PAGE = "https://gnomad.broadinstitute.org/downloads#v4-constraint"
FIELDS = "exp_lof obs_lof oe_lof oe_lof_lower oe_lof_upper pLI oe_mis mis_z"
QUERY = (
    "query Constraint($gene: String!) { gene(gene_symbol: $gene, reference_genome: GRCh38) "
    f"{{ symbol gene_id canonical_transcript_id gnomad_constraint {{ {FIELDS} }} }} }}"
)
V4 = {
    "gene": "gene",
    "gene_id": "gene_id",
    "transcript": "transcript",
    "canonical": "canonical",
    "mane_select": "mane_select",
    "lof.obs": "obs_lof",
    "lof.exp": "exp_lof",
    "lof.oe": "oe_lof",
    "lof.oe_ci.lower": "oe_lof_lower",
    "lof.oe_ci.upper": "oe_lof_upper",
    "lof.pLI": "pLI",
    "mis.oe": "oe_mis",
    "mis.z_score": "mis_z",
    "constraint_flags": "flags",
}
"""Columns of v4, and the same under the names of v2 and of the API."""
V2 = {name: name for name in V4.values()}


@dataclass(frozen=True, slots=True)
class Constraint:
    """Constraint of one transcript. Everything may be unknown.

    `observed` and `expected` are loss-of-function variants, `ratio` their quotient with the bounds of its
    90 % interval in `lower` and `upper` (LOEUF).
    """

    transcript: str = ""
    observed: float | None = None
    expected: float | None = None
    ratio: float | None = None
    lower: float | None = None
    upper: float | None = None
    pli: float | None = None
    missense_ratio: float | None = None
    missense_z: float | None = None
    flags: str = ""


def _rows(columns: Mapping[str, str], lines: Iterable[str]) -> Iterator[tuple[str, Row]]:
    """The rows of genes with the columns that are read, under their names of v2."""
    for row in table(lines, "gene"):
        yield from under(
            {ours: row[theirs] for theirs, ours in columns.items() if row.get(theirs)}, row["gene"]
        )


GNOMAD = database(
    "gnomad",
    BulkFormat(
        "gnomad",
        "gnomad.v4.1.constraint_metrics.tsv",
        PAGE,
        "gene, gene_id, transcript, canonical, mane_select, lof_hc_lc.obs, ...",
        with_columns("gene", "lof.oe_ci.upper", "lof.pLI"),
        partial(_rows, V4),
        lambda head: "v4",
    ),
    BulkFormat(
        "gnomad",
        "gnomad.v2.1.1.lof_metrics.by_gene.txt",
        PAGE,
        "gene, transcript, obs_mis, exp_mis, ...",
        with_columns("gene", "oe_lof_upper", "pLI"),
        partial(_rows, V2),
        lambda head: "v2.1.1",
    ),
)
TITLE = GNOMAD.title


async def genetic_constraint(reach: Reach, target: Target) -> TargetFindings:
    """The constraint of a target: from the loaded table, else live. Raises `ToolFailed`."""
    loaded = reach.bulk.release(GNOMAD.name)
    if loaded is not None:
        for symbol in (target.symbol, *target.previous):
            rows = [row for row in await reach.bulk.rows(GNOMAD.name, symbol) if _is_of(row, target)]
            if rows:
                chosen = best_transcript(rows)
                edition = Edition.of_bulk(GNOMAD, loaded)
                return _from_constraint(target, constraint_of(dict(chosen)), edition)
        if reach.web is None:
            return absent(f"The loaded table of {TITLE} has no row of {target.symbol}.")
    return await _live(reach.web, target) if reach.web else unasked(GNOMAD)


def _is_of(row: Row, target: Target) -> bool:
    known = row.get("gene_id", "")
    return not target.ensembl or not known.startswith("ENSG") or known == target.ensembl


def best_transcript(rows: Sequence[Row]) -> Row:
    """The row of the MANE transcript, else of Ensembl's canonical one, else the first."""

    def rank(row: Row) -> tuple[bool, bool, bool]:
        ensembl = row.get("transcript", "").startswith("ENST")
        mane, canonical = (row.get(name, "").casefold() == "true" for name in ("mane_select", "canonical"))
        return not (mane and ensembl), not (canonical and ensembl), not canonical

    return min(rows, key=rank)


def constraint_of(value: JsonValue) -> Constraint:
    """The numbers of a row or of a reply."""
    return Constraint(
        transcript=text(value, "transcript"),
        observed=number(value, "obs_lof"),
        expected=number(value, "exp_lof"),
        ratio=number(value, "oe_lof"),
        lower=number(value, "oe_lof_lower"),
        upper=number(value, "oe_lof_upper"),
        pli=number(value, "pLI"),
        missense_ratio=number(value, "oe_mis"),
        missense_z=number(value, "mis_z"),
        flags=text(value, "flags").strip("[]"),
    )


def _from_constraint(target: Target, constraint: Constraint, edition: Edition) -> TargetFindings:
    sheet = describe_constraint(edition, target, constraint)
    if not sheet.facts:
        return absent(f"{TITLE} gives no constraint of {target.symbol}.")
    return target_findings((sheet,))


async def _live(web: Web, target: Target) -> TargetFindings:
    body = json.dumps({"query": QUERY, "variables": {"gene": target.symbol}})
    got = await web.fetch(WebRequest(GNOMAD.name, API, body=body))
    gene = read_gene(json_of(got, TITLE), target) if got else None
    if got is None or gene is None:
        return absent(f"{TITLE} knows no gene {target.symbol}.")
    if not isinstance(numbers := at(gene, "gnomad_constraint"), dict):
        return absent(f"{TITLE} gives no constraint of {target.symbol}.")
    link = f"https://gnomad.broadinstitute.org/gene/{text(gene, 'gene_id') or target.symbol}"
    edition = Edition.of_reply(GNOMAD, got, link, got.release or LIVE_RELEASE)
    made = {**numbers, "transcript": text(gene, "canonical_transcript_id")}
    return _from_constraint(target, constraint_of(made), edition)


def read_gene(value: JsonValue, target: Target) -> JsonValue:
    """The gene of a reply; None where gnomAD does not know it. Raises `ToolFailed` for errors of the API."""
    for message in (text(one, "message") for one in items(value, "errors")):
        if "not found" in message.casefold():
            return None
        raise ToolFailed(f"{TITLE} replied with an error: {message.rstrip('.')}. Go on without it.")
    data = at(value, "data")
    if not isinstance(data, dict) or "gene" not in data:
        raise unknown_form(TITLE, "no gene")
    gene = data["gene"]
    symbol, ensembl = text(gene, "symbol"), text(gene, "gene_id")
    if gene is not None and not symbol and not ensembl:
        raise unknown_form(TITLE, "a gene without symbol and id")
    if (ensembl and target.ensembl and ensembl != target.ensembl) or (
        symbol and not (ensembl and target.ensembl) and symbol not in target.symbols
    ):
        raise other_gene(TITLE, symbol or ensembl, target)
    return gene


gnomad_tool = TargetTool("genetic_constraint", GNOMAD, genetic_constraint, (Topic.CONSTRAINT,))


def describe_constraint(edition: Edition, target: Target, found: Constraint) -> Sheet:
    """The record, with a fact a number that a reader weighs. Without numbers it has no facts."""
    sheet = edition.sheet(f"constraint of {target.symbol}", target.symbol)
    if found.transcript:
        sheet.line(f"Transcript: {found.transcript}")
    if found.flags:
        sheet.line(f"Flags of {edition.database}: {found.flags}")
    _counts(sheet, edition, target.symbol, found)
    _loeuf(sheet, edition, target.symbol, found)
    _pli(sheet, edition, target.symbol, found)
    _missense(sheet, edition, target.symbol, found)
    return sheet


def _counts(sheet: Sheet, edition: Edition, gene: str, found: Constraint) -> None:
    if found.observed is None or found.expected is None:
        return
    ratio = "" if found.ratio is None else f", observed/expected {found.ratio:.2f}"
    counted = f"{found.observed:g} observed, {found.expected:.1f} expected{ratio}"
    line = sheet.line(f"Loss-of-function variants of {gene}: {counted}")
    sheet.fact(
        Topic.CONSTRAINT,
        f"{edition.name} holds {number_of(int(found.observed), 'loss-of-function variant')} of {gene} where "
        f"{found.expected:.1f} are expected{ratio}.",
        line,
        measure="observed/expected loss-of-function variants",
        value=found.ratio,
    )


def _loeuf(sheet: Sheet, edition: Edition, gene: str, found: Constraint) -> None:
    if found.upper is None:
        return
    bound = LOEUF_BELOW["v2" if edition.release.startswith(("v2", "2")) else "v4"]
    low = found.upper < bound
    judged = "constrained" if low else "not constrained"
    line = sheet.line(
        f"LOEUF of {gene} (upper bound of observed/expected loss of function): {found.upper:.2f}, {judged}"
    )
    rule = sheet.line(
        f"{edition.database} calls a gene constrained against loss of function at a LOEUF below {bound}"
    )
    sheet.fact(
        Topic.CONSTRAINT,
        f"With a LOEUF of {found.upper:.2f} in {edition.name}, {gene} is {judged} "
        f"against loss of function ({'below' if low else 'not below'} {bound}).",
        line,
        rule,
        term=judged,
        measure="LOEUF",
        value=found.upper,
    )


def _pli(sheet: Sheet, edition: Edition, gene: str, found: Constraint) -> None:
    if found.pli is None:
        return
    line = sheet.line(f"pLI of {gene} (probability of intolerance to the loss of one copy): {found.pli:.2f}")
    high = found.pli >= PLI_FROM
    rule = sheet.line(f"A pLI of {PLI_FROM} or more is taken as intolerance to the loss of one copy")
    sheet.fact(
        Topic.CONSTRAINT,
        f"The pLI of {gene} in {edition.name} is {found.pli:.2f}, {'' if high else 'not '}enough to take "
        f"the gene as intolerant to the loss of one copy (from {PLI_FROM}).",
        line,
        rule,
        measure="pLI",
        value=round(found.pli, 4),
    )


def _missense(sheet: Sheet, edition: Edition, gene: str, found: Constraint) -> None:
    if found.missense_z is None:
        return
    ratio = "" if found.missense_ratio is None else f", observed/expected {found.missense_ratio:.2f}"
    line = sheet.line(f"Missense variants of {gene}: z {found.missense_z:.2f}{ratio}")
    high = found.missense_z >= MISSENSE_Z_FROM
    rule = sheet.line(
        f"A missense z of {MISSENSE_Z_FROM} or more is taken as constraint against missense variants"
    )
    sheet.fact(
        Topic.CONSTRAINT,
        f"The missense z of {gene} in {edition.name} is {found.missense_z:.2f}, {'' if high else 'not '}"
        f"enough to take the gene as constrained against missense variants (from {MISSENSE_Z_FROM}).",
        line,
        rule,
        measure="missense z",
        value=round(found.missense_z, 4),
    )
