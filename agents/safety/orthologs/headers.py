"""What a FASTA header says, of UniProt, UniRef, Ensembl, NCBI or any other source: accession, species, gene.

The species is looked for where databases write it: `OS=`, [brackets], a mnemonic (ACE2_MOUSE), the letters of
an Ensembl id or of a gene tree, any name of the table in the id, a scientific one in the description, and any
that stands there by itself.
"""

import re

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
from agents.safety.orthologs.values import ProteinSequence

_SOURCES = (
    ("UniProt reviewed", re.compile(r"(?:gi\|\d+\|)?sp\|(?P<acc>[A-Z0-9]+(?:-\d+)?)(?:\.\d+)?\|\w+")),
    ("UniProt unreviewed", re.compile(r"(?:gi\|\d+\|)?tr\|(?P<acc>[A-Z0-9]+(?:-\d+)?)(?:\.\d+)?\|\w+")),
    ("UniRef", re.compile(r"UniRef\d+_(?P<acc>[A-Z0-9-]+)")),
    ("Ensembl", re.compile(r"(?P<acc>(?:ENS(?P<letters>[A-Z]{3,4})?P\d{6,}|MGP_\w+?_P\d+)(?:\.\d+)?)")),
    ("NCBI RefSeq", re.compile(r"(?:gi\|\d+\|)?(?:ref\|)?(?P<acc>[NXY]P_\d+(?:\.\d+)?)\|?")),
)
"""Databases by the form of their ids."""
_TREE = re.compile(r"(?P<acc>\S+?)_(?P<tree>[A-Z][a-z]{3})(?:/\d+-\d+)?$")
_FIELD = re.compile(
    r"(?:^|\s)(OS|OX|GN|PE|SV|Tax|TaxID|RepID|n)=(.*?)(?=\s(?:OS|OX|GN|PE|SV|Tax|TaxID|RepID|n)=|$)"
)
_BRACKETS = re.compile(r"\[(?:organism=)?([A-Z][a-z]+(?: [\w.-]+)+)\]")
_APART = re.compile(r"[\[\]()|,;=]")
"""What stands around a name by itself: "(golden hamster)", "[pig]", "species=dog"."""
_ENTRY = re.compile(r"(\w+)_([A-Z0-9]{3,5})$")
_SYMBOL = re.compile(r"gene_symbol:(\S+)")
_PARTIAL = re.compile(
    r"\(fragments?\)|,\s*partial\b|\bpartial sequence\b|\bfragment\b|low quality protein", re.IGNORECASE
)
_ISOFORM = re.compile(r"\bisoform\s+(?:CRA_)?(X?\d+|[a-zA-Z]{1,5}\d{0,2})\b", re.IGNORECASE)
_ARBITRARY = re.compile(r"1|A|ALPHA|X\d+|PRECURSOR|OF|LIKE|AND")
"""Labels of the form that a database shows first; numbers of predicted forms, which have no order; and words
that are no labels.
"""


def read_header(line: str) -> ProteinSequence:
    """What a header says, as a sequence without residues; `line` is without its ">"."""
    word, _, rest = line.strip().partition(" ")
    database, found = next(
        ((name, match) for name, pattern in _SOURCES if (match := pattern.match(word))), ("", None)
    )
    fields = {one[1]: one[2].strip() for one in _FIELD.finditer(rest)}
    description = _BRACKETS.sub("", _FIELD.sub("", rest)).removeprefix("RecName: Full=").strip()
    tree = _TREE.match(word)
    accession = found["acc"] if found else tree["acc"] if tree else word
    reviewed = database == "UniProt reviewed"
    return ProteinSequence(
        accession,
        _species(word, rest, fields, found),
        "",
        database,
        description.partition("description:")[2].strip() or description,
        _gene(word, rest, fields, reviewed),
        reviewed=reviewed or accession.startswith("NP_"),
        fragment=bool(_PARTIAL.search(description)),
        isoform=_isoform(accession, description),
        evidence=_number(fields.get("PE", ""), 5),
        version=_number(fields.get("SV", ""), 0),
    )


def _species(word: str, rest: str, fields: dict[str, str], found: re.Match[str] | None) -> Species:
    """The species that a header states, in the most certain of the ways in which databases do."""
    brackets = _BRACKETS.findall(rest)
    if name := fields.get("OS") or (brackets[-1] if brackets else ""):
        return species_named(name)
    entry, tree = _ENTRY.match(fields.get("RepID") or word.rpartition("|")[2]), _TREE.match(word)
    if found and "letters" in found.groupdict():
        letters = found["letters"] or ""
        return species_in_tree(tree["tree"], letters) if tree else species_of_ensembl(letters)
    if entry and (known := species_of_code(entry[2])).known:
        return known
    if tree:
        return species_of_tree(tree["tree"])
    apart = (species_named(part) for part in _APART.split(rest))
    stated = next((one for one in apart if one.taxon), None)
    return species_within(word, common=True) or species_within(rest) or stated or UNKNOWN


def _gene(word: str, rest: str, fields: dict[str, str], reviewed: bool) -> str:
    """The gene's symbol: as a field, or the first part of a reviewed entry's name."""
    if symbol := _SYMBOL.search(rest):
        return symbol[1]
    entry = _ENTRY.match(word.rpartition("|")[2]) if reviewed else None
    return fields.get("GN", "") or (entry[1] if entry else "")


def _isoform(accession: str, description: str) -> str:
    """The label of another form than the first; "" for that."""
    found = _ISOFORM.search(description)
    label = accession.partition("-")[2] or (found[1] if found else "")
    return "" if _ARBITRARY.fullmatch(label.upper()) else label


def _number(text: str, otherwise: int) -> int:
    return int(text) if re.fullmatch("[0-9]{1,4}", text) else otherwise
