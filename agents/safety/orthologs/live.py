"""Candidates over the network: UniProt, Ensembl's homologies, NCBI's orthologs."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from pydantic import JsonValue

from agents.databases.fields import at, items, json_of, list_of, text
from agents.databases.ports import Web, WebReply, WebRequest
from agents.databases.refusals import unknown_form
from agents.databases.target import Target
from agents.errors import ToolFailed
from agents.safety.orthologs.databases import OrthologDatabase
from agents.safety.orthologs.fasta import read_fasta
from agents.safety.orthologs.species import Species, species_named
from agents.safety.orthologs.values import ProteinSequence, SequenceError

UNIPROT = "https://rest.uniprot.org/uniprotkb"
ENSEMBL = "https://rest.ensembl.org/homology"
DATASETS = "https://api.ncbi.nlm.nih.gov/datasets/v2/gene/id"
EFETCH = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils/efetch.fcgi"
FORMS = 12
"""Proteins of one gene that are got from NCBI."""
_LEFT_OUT = re.compile(r'["\\\r\n]')


def live_databases(web: Web) -> tuple[OrthologDatabase, ...]:
    """All of them, over one network."""
    return (UniProtOrthologs(web), EnsemblOrthologs(web), NcbiOrthologs(web))


async def human_sequences(web: Web, target: Target) -> tuple[ProteinSequence, ...]:
    """The canonical human sequence of a target as UniProt has it. Raises `ToolFailed` where there is none."""
    if target.uniprot:
        request = WebRequest("uniprot", f"{UNIPROT}/{target.uniprot}.fasta")
    else:
        query = f"(gene_exact:{target.symbol}) AND (organism_id:9606) AND (reviewed:true)"
        request = _search(query)
    reply = await web.fetch(request)
    found = tuple(_sequences(reply, "UniProt")) if reply else ()
    if not found:
        raise ToolFailed(f"UniProt has no human sequence of {target.symbol}: no ortholog can be compared.")
    return found


@dataclass(frozen=True, slots=True)
class UniProtOrthologs:
    """Entries of the gene's symbol or the protein's name in other species, reviewed and unreviewed."""

    web: Web
    title: str = "UniProt"

    async def candidates(self, target: Target, species: Sequence[Species]) -> tuple[ProteinSequence, ...]:
        """See `OrthologDatabase`."""
        genes = [f'gene_exact:"{_quoted(name)}"' for name in (target.symbol, *target.previous)]
        names = [f'protein_name:"{_quoted(target.name)}"'] if target.name else []
        organisms = " OR ".join(f"taxonomy_id:{one.taxon}" for one in species if one.taxon)
        if not organisms:
            return ()
        reply = await self.web.fetch(_search(f"({' OR '.join((*genes, *names))}) AND ({organisms})"))
        found = _sequences(reply, self.title) if reply else ()
        return tuple(one for one in found if one.species in species)


@dataclass(frozen=True, slots=True)
class EnsemblOrthologs:
    """Orthologs of Ensembl's gene trees, with the protein that each tree holds."""

    web: Web
    title: str = "Ensembl"

    async def candidates(self, target: Target, species: Sequence[Species]) -> tuple[ProteinSequence, ...]:
        """See `OrthologDatabase`."""
        place = f"id/human/{target.ensembl}" if target.ensembl else f"symbol/human/{target.symbol}"
        wanted = tuple(("target_taxon", str(one.taxon)) for one in species if one.taxon)
        fixed = (("type", "orthologues"), ("sequence", "protein"), ("aligned", "0"))
        form = (("content-type", "application/json"),)
        request = WebRequest("ensembl", f"{ENSEMBL}/{place}", (*fixed, *wanted, *form))
        reply = await self.web.fetch(request)
        if reply is None:
            return ()
        genes = list_of(json_of(reply, self.title), self.title, "data")
        return tuple(
            one
            for gene in genes
            for homology in items(gene, "homologies")
            if (one := self._sequence(homology)) and one.species in species
        )

    def _sequence(self, homology: JsonValue) -> ProteinSequence | None:
        found = at(homology, "target")
        kind = text(homology, "type")
        if not kind.startswith("ortholog"):
            return None
        species = species_named(text(found, "taxon_id"))
        if not species.taxon:
            species = species_named(text(found, "species").replace("_", " ").capitalize())
        protein = text(found, "protein_id")
        residues = text(found, "seq") or text(found, "align_seq")
        one = (
            _one(f"{protein} description:{kind.replace('_', ' ')}", residues, self.title) if protein else None
        )
        return replace(one, species=species) if one else None


@dataclass(frozen=True, slots=True)
class NcbiOrthologs:
    """Orthologs as NCBI Gene lists them, with their RefSeq proteins: three requests."""

    web: Web
    title: str = "NCBI RefSeq"

    async def candidates(self, target: Target, species: Sequence[Species]) -> tuple[ProteinSequence, ...]:
        """See `OrthologDatabase`."""
        if not target.entrez:
            raise ToolFailed(f"{self.title} was not asked: no NCBI Gene id of {target.symbol} is known.")
        wanted = tuple(("taxon_filter", str(one.taxon)) for one in species if one.taxon)
        genes = [
            text(one, "gene", "gene_id")
            for one in await self._reports(f"{DATASETS}/{target.entrez}/orthologs", wanted)
        ]
        genes = [gene for gene in genes if gene and gene != target.entrez]
        if not genes:
            return ()
        proteins = dict(_proteins(await self._reports(f"{DATASETS}/{','.join(genes)}/product_report")))
        if not proteins:
            return ()
        params = (("db", "protein"), ("id", ",".join(proteins)), ("rettype", "fasta"), ("retmode", "text"))
        reply = await self.web.fetch(WebRequest("ncbi", EFETCH, params))
        found = _sequences(reply, self.title) if reply else ()
        return tuple(
            replace(one, gene=proteins.get(one.accession, "")) for one in found if one.species in species
        )

    async def _reports(self, url: str, params: tuple[tuple[str, str], ...] = ()) -> list[JsonValue]:
        reply = await self.web.fetch(WebRequest("ncbi", url, params))
        value = json_of(reply, self.title) if reply else {}
        if not isinstance(value, dict):
            raise unknown_form(self.title, "no object with `reports`")
        return items(value, "reports")


def _proteins(reports: Iterable[JsonValue]) -> Iterator[tuple[str, str]]:
    """Accession and gene symbol of each protein; the curated ones of a gene first, at most `FORMS`."""
    for report in reports:
        symbol = text(report, "product", "symbol")
        names = [text(one, "protein", "accession_version") for one in items(report, "product", "transcripts")]
        own = sorted({name for name in names if name}, key=lambda name: (not name.startswith("NP_"), name))
        yield from ((name, symbol) for name in own[:FORMS])


def _search(query: str) -> WebRequest:
    params = (("query", query), ("format", "fasta"), ("includeIsoform", "true"), ("size", "500"))
    return WebRequest("uniprot", f"{UNIPROT}/search", params)


def _quoted(name: str) -> str:
    """A name as it may stand between quotes in a query."""
    return " ".join(_LEFT_OUT.sub(" ", name).split())[:120]


def _sequences(reply: WebReply, title: str) -> Iterator[ProteinSequence]:
    """The sequences of a reply in FASTA. Raises `ToolFailed` for anything else; an empty one has none."""
    if not reply.text.strip():
        return
    try:
        yield from read_fasta(reply.text, title)
    except SequenceError as error:
        raise unknown_form(title, str(error).rstrip(".")) from error


def _one(header: str, residues: str, title: str) -> ProteinSequence | None:
    """One sequence; None where the residues are none."""
    try:
        return read_fasta(f">{header}\n{residues}", title)[0]
    except SequenceError:
        return None
