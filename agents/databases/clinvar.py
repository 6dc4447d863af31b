"""ClinVar over NCBI's E-utilities: the pathogenic variants of a gene, with their diseases.

Its table of genes and diseases is not read: it does not say what the variants do to the gene, and
names diseases of many causes. Gene2Phenotype and ClinGen tell diseases from files.
"""

from dataclasses import dataclass

from pydantic import JsonValue

from agents.counts import listed, number_of
from agents.databases.database import database
from agents.databases.edition import Edition, absent
from agents.databases.facts import Change, Topic
from agents.databases.fields import at, items, json_of, list_of, number, text, texts
from agents.databases.ports import Reach, WebRequest
from agents.databases.pubmed import EUTILS, parse_search
from agents.databases.refusals import other_gene, unknown_form
from agents.databases.sheet import Sheet, target_findings
from agents.databases.target import Target
from agents.databases.target_tool import TargetFindings, TargetTool, unasked

AT_MOST = 100
"""Variants whose summaries are read; the number of all is told."""
PATHOGENIC = '"clinsig pathogenic"[Properties] OR "clinsig likely pathogenic"[Properties]'
"""In a search for one gene's variants; a lost piece of a chromosome, with many genes, says nothing of one."""
TRUNCATING = frozenset(
    ("nonsense", "stop gained", "frameshift variant", "splice donor variant", "splice acceptor variant")
)
"""Consequences that leave no working protein, as a rule."""
UNNAMED = frozenset({"not provided", "not specified", "see cases", ""})


@dataclass(frozen=True, slots=True)
class Variant:
    """A variant as ClinVar sums it up. `effects` are molecular consequences ("missense variant")."""

    accession: str
    title: str
    genes: tuple[str, ...]
    significance: str
    review: str
    diseases: tuple[str, ...]
    effects: tuple[str, ...]

    @property
    def truncating(self) -> bool:
        """Whether it leaves no working protein, as a rule."""
        return bool(TRUNCATING & set(self.effects))


CLINVAR = database("clinvar")
TITLE = CLINVAR.title


async def rare_variant_diseases(reach: Reach, target: Target) -> TargetFindings:
    """The diseases of a target by its pathogenic variants, live. Raises `ToolFailed`.

    Two requests: the ids of pathogenic variants of the gene, then their summaries.
    """
    if (web := reach.web) is None:
        return unasked(CLINVAR)
    gene = target.symbol
    term = f"{gene}[gene] AND single_gene[prop] AND ({PATHOGENIC})"
    asked = (("db", "clinvar"), ("term", term), ("retmode", "json"), ("retmax", str(AT_MOST)))
    found = await web.fetch(WebRequest(CLINVAR.name, f"{EUTILS}/esearch.fcgi", asked))
    if not found or not (ids := parse_search(found, TITLE)):
        return absent(f"ClinVar has no pathogenic variant of {gene}.")
    summed = (("db", "clinvar"), ("id", ",".join(ids)), ("retmode", "json"))
    got = await web.fetch(WebRequest(CLINVAR.name, f"{EUTILS}/esummary.fcgi", summed))
    if got is None:
        raise unknown_form(TITLE, "no summaries of the variants that it names")
    total = int(number(json_of(found, TITLE), "esearchresult", "count") or len(ids))
    variants = tuple(one for one in summaries(json_of(got, TITLE)) if _names(one, target))
    if not variants:
        raise other_gene(TITLE, "variants of other genes", target)
    link = f"https://www.ncbi.nlm.nih.gov/clinvar/?term={gene}%5Bgene%5D"
    sheet = from_variants(target, variants, total, Edition.of_reply(CLINVAR, got, link))
    missing = (
        (f"Of {total} pathogenic variants of {gene} in ClinVar, the first {len(ids)} were read.",)
        if total > len(ids)
        else ()
    )
    return target_findings((sheet,), missing=missing)


def summaries(value: JsonValue) -> tuple[Variant, ...]:
    """The variants of a reply of `esummary`, in its order; those with an error in them are passed over."""
    found = (at(value, "result", text(uid)) for uid in list_of(value, TITLE, "result", "uids"))
    return tuple(_variant(one) for one in found if isinstance(one, dict) and "error" not in one)


def _variant(one: JsonValue) -> Variant:
    """One summary; before 2024 the judgement stood under another name."""
    name = "germline_classification" if at(one, "germline_classification") else "clinical_significance"
    traits = items(one, name, "trait_set") or items(one, "trait_set")
    diseases = (text(trait, "trait_name") for trait in traits)
    return Variant(
        accession=text(one, "accession"),
        title=text(one, "title"),
        genes=tuple(filter(None, (text(gene, "symbol") for gene in items(one, "genes")))),
        significance=text(one, name, "description"),
        review=text(one, name, "review_status"),
        diseases=tuple(disease for disease in diseases if disease.casefold() not in UNNAMED),
        effects=texts(one, "molecular_consequence_list"),
    )


def _names(variant: Variant, target: Target) -> bool:
    return not variant.genes or any(gene in target.symbols for gene in variant.genes)


def from_variants(target: Target, variants: tuple[Variant, ...], total: int, edition: Edition) -> Sheet:
    """The record: a line a variant, and a fact a disease with the variants that are tied to it.

    Where half of them or more are truncating, the disease is taken to come from loss of function.
    """
    gene = target.symbol
    sheet = edition.sheet(f"pathogenic variants of {gene}", gene)
    count = sheet.line(f"Pathogenic or likely pathogenic variants of {gene}: {total}")
    sheet.fact(
        Topic.VARIANT,
        f"{edition.name} holds {number_of(total, 'pathogenic or likely pathogenic variant')} of {gene}.",
        count,
        measure="number of variants",
        value=total,
    )
    tied: dict[str, list[Variant]] = {}
    for one in variants:
        effects = f"; {listed(one.effects)}" if one.effects else ""
        named = f"; {', '.join(one.diseases)}" if one.diseases else ""
        sheet.line(f"{one.accession} {one.title}: {one.significance} ({one.review}){effects}{named}")
        for disease in one.diseases:
            tied.setdefault(disease, []).append(one)
    for disease, found in sorted(tied.items(), key=lambda item: (-len(item[1]), item[0].casefold())):
        first = found[0]
        such = f"{number_of(len(found), 'variant')} of {gene}"
        cut = sum(one.truncating for one in found)
        how = f"truncating ones among them: {cut}, example: {first.accession} ({first.significance})"
        sheet.fact(
            Topic.DISEASE,
            f"{edition.name} ties {such} to {disease} ({how}).",
            sheet.line(f"{disease}: {such} ({how})"),
            term=disease,
            change=Change.LOSS if 2 * cut >= len(found) else Change.NOT_TOLD,
            measure="number of variants",
            value=len(found),
        )
    return sheet


clinvar_tool = TargetTool(
    "rare_variant_diseases", CLINVAR, rare_variant_diseases, (Topic.DISEASE, Topic.VARIANT)
)
