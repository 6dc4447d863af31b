"""What a FASTA header says: UniProt, UniRef, Ensembl, NCBI, or any with a species in it."""

import json
import re
from dataclasses import dataclass

from agents.safety.orthologs.species import (
    UNKNOWN,
    Species,
    species_in_tree,
    species_named,
    species_of_code,
    species_of_ensembl,
    species_of_tree,
    species_within,
)

_UNIPROT = re.compile(r"(?:gi\|\d+\|)?(?P<db>sp|tr)\|(?P<acc>[A-Z0-9]+(?:-\d+)?)(?:\.\d+)?\|(?P<entry>\w+)")
_UNIREF = re.compile(r"(?P<db>UniRef\d+)_(?P<acc>[A-Z0-9-]+)")
_ENSEMBL = re.compile(r"(?P<acc>ENS(?P<letters>[A-Z]{3,4})?P\d{6,}|MGP_\w+?_P\d+)(?P<version>\.\d+)?")
_NCBI = re.compile(r"(?:gi\|\d+\|)?(?:ref|gb|emb|dbj)?\|?(?P<acc>(?P<type>[NXY]P)_\d+(?:\.\d+)?)\|?")
_TREE = re.compile(r"(?P<acc>\S+?)_(?P<tree>[A-Z][a-z]{3})(?:/\d+-\d+)?$")
_FIELD = re.compile(
    r"(?:^|\s)(OS|OX|GN|PE|SV|Tax|TaxID|RepID|n)=(.*?)(?=\s(?:OS|OX|GN|PE|SV|Tax|TaxID|RepID|n)=|$)"
)
_BRACKETS = re.compile(r"\[(?:organism=)?([A-Z][a-z]+(?: [\w.-]+)+)\]")
_MARKED = re.compile(r"\[([^\]\[]{2,60})\]")
_ENTRY = re.compile(r"^(\w+)_([A-Z0-9]{3,5})$")
_SYMBOL = re.compile(r"gene_symbol:(\S+)")
_FRAGMENT = re.compile(r"\(fragments?\)|,\s*partial\b|\bpartial sequence\b|\bfragment\b", re.IGNORECASE)
_WEAK = re.compile(r"LOW QUALITY PROTEIN", re.IGNORECASE)
_ISOFORM = re.compile(r"\bisoform\s+(?:CRA_)?(X?\d+|[a-zA-Z]{1,5}\d{0,2})\b", re.IGNORECASE)
_ARBITRARY = re.compile(r"1|A|ALPHA|X\d+|PRECURSOR|OF|LIKE|AND")
"""Labels of the form that a database shows first; numbers of predicted forms, which have no order; and words
that are no labels.
"""


@dataclass(frozen=True, slots=True)
class Header:
    """A header's parts, as `ProteinSequence` names them."""

    accession: str
    species: Species = UNKNOWN
    database: str = ""
    description: str = ""
    gene: str = ""
    reviewed: bool = False
    predicted: bool = False
    fragment: bool = False
    isoform: str = ""
    entry_species: str = ""
    evidence: int = 5
    version: int = 0
    weak: bool = False


def read_header(line: str) -> Header:
    """What a header says; `line` is without its ">"."""
    word, _, rest = line.strip().partition(" ")
    for pattern, read in ((_UNIPROT, _uniprot), (_UNIREF, _uniref), (_ENSEMBL, _ensembl), (_NCBI, _ncbi)):
        if found := pattern.match(word):
            return read(found, word, rest)
    return _plain(word, rest)


def _uniprot(found: re.Match[str], _: str, rest: str) -> Header:
    fields = _fields(rest)
    entry = _ENTRY.match(found["entry"])
    coded = species_of_code(entry[2]) if entry else UNKNOWN
    brackets = _BRACKETS.findall(rest)
    labelled = species_named(fields.get("OS", "") or (brackets[-1] if brackets else ""))
    species = labelled if labelled.known else coded
    reviewed = found["db"] == "sp"
    description = _BRACKETS.sub("", _FIELD.sub("", rest)).removeprefix("RecName: Full=").strip()
    isoform = found["acc"].partition("-")[2] or _isoform(description)
    return Header(
        accession=found["acc"],
        species=species,
        database="UniProt reviewed" if reviewed else "UniProt unreviewed",
        description=description,
        gene=fields.get("GN", "") or (entry[1] if entry and reviewed else ""),
        reviewed=reviewed,
        fragment=bool(_FRAGMENT.search(description)),
        isoform="" if isoform == "1" else isoform,
        entry_species=coded.common if coded.known and coded != species else "",
        evidence=_level(fields.get("PE", "")),
        version=int(fields["SV"]) if re.fullmatch(r"[0-9]{1,4}", fields.get("SV", "")) else 0,
    )


def _uniref(found: re.Match[str], _: str, rest: str) -> Header:
    """A cluster: its sequence is that of one member, whose entry name ends with the species."""
    fields = _fields(rest)
    entry = _ENTRY.match(fields.get("RepID", ""))
    species = _coded(entry[2]) if entry else UNKNOWN
    description = _FIELD.sub("", rest).strip()
    if not species.known and _is_species(fields.get("Tax", "")):
        species = species_named(fields["Tax"])
    return Header(
        accession=found["acc"],
        species=species,
        database=found["db"],
        description=description,
        fragment=bool(_FRAGMENT.search(description)),
        isoform=found["acc"].partition("-")[2],
    )


def _ensembl(found: re.Match[str], word: str, rest: str) -> Header:
    tree = _TREE.match(word)
    letters = found["letters"] or ""
    species = species_in_tree(tree["tree"], letters) if tree else species_of_ensembl(letters)
    symbol = _SYMBOL.search(rest)
    return Header(
        accession=found["acc"] + (found["version"] or ""),
        species=species if not (brackets := _BRACKETS.search(rest)) else species_named(brackets[1]),
        database="Ensembl",
        description=rest.partition("description:")[2].strip() or rest.strip(),
        gene=symbol[1] if symbol else "",
    )


def _ncbi(found: re.Match[str], _: str, rest: str) -> Header:
    brackets = _BRACKETS.findall(rest)
    description = _BRACKETS.sub("", rest).strip()
    return Header(
        accession=found["acc"],
        species=species_named(brackets[-1]) if brackets else UNKNOWN,
        database="NCBI RefSeq",
        description=description,
        reviewed=found["type"] == "NP",
        predicted=found["type"] == "XP",
        fragment=bool(_FRAGMENT.search(description)),
        isoform=_isoform(description),
        weak=bool(_WEAK.search(description)),
    )


def _plain(word: str, rest: str) -> Header:
    """Any other header: `OS=`, [brackets], letters of a gene tree, or a mnemonic say the species."""
    if rest.startswith("{"):
        return _orthodb(word, rest)
    fields = _fields(rest)
    brackets = _BRACKETS.findall(rest)
    name = fields.get("OS") or (brackets[-1] if brackets else "")
    entry, tree = _ENTRY.match(word), _TREE.match(word)
    species = species_named(name)
    if not species.known and entry:
        species = species_of_code(entry[2])
    if not species.known and tree and not entry:
        species = species_of_tree(tree["tree"])
    if not species.taxon and not name:
        marked = (species_named(text) for text in _MARKED.findall(rest))
        found = next((one for one in marked if one.taxon), None)
        species = found or species_within(word, common=True) or species_within(rest) or species
    description = _BRACKETS.sub("", _FIELD.sub("", rest)).strip()
    return Header(
        accession=tree["acc"] if tree else word,
        species=species,
        description=description,
        gene=fields.get("GN", ""),
        fragment=bool(_FRAGMENT.search(description)),
        isoform=_isoform(description),
    )


def _orthodb(word: str, rest: str) -> Header:
    """OrthoDB writes the fields of an entry as JSON behind its id."""
    try:
        fields = json.loads(rest)
    except (ValueError, RecursionError):
        fields = {}
    told = {name: value for name, value in fields.items() if isinstance(value, str)}
    return Header(
        word,
        species_named(told.get("organism_name", "")),
        "OrthoDB",
        told.get("description", ""),
        told.get("pub_gene_id", "").partition(";")[0],
    )


def _fields(rest: str) -> dict[str, str]:
    return {found[1]: found[2].strip() for found in _FIELD.finditer(rest)}


def _isoform(description: str) -> str:
    found = _ISOFORM.search(description)
    return "" if found is None or _ARBITRARY.fullmatch(found[1].upper()) else found[1]


def _level(text: str) -> int:
    return int(text) if text in ("1", "2", "3", "4", "5") else 5


def _coded(code: str) -> Species:
    """The species of a mnemonic; one that the table lacks is a name of its own, 9PRIM and such are groups."""
    known = species_of_code(code)
    return known if known.known or code.startswith("9") else Species(code, code)


def _is_species(name: str) -> bool:
    """Whether a cluster's taxon is a species and no larger group."""
    return re.fullmatch(r"[A-Z][a-z]+( [a-z.]+){1,2}", name) is not None
