"""Names of genes: what is cleaned off, and how a gene has a name."""

import re
from collections.abc import Sequence

from agents.counts import listed
from agents.databases.target import Target

ENSEMBL_VERSION = re.compile(r"(ENSG\d{11})\.\d+", re.IGNORECASE)
ID = re.compile(r"ENSG\d{11}|HGNC:\d+|\d+", re.IGNORECASE)
ACCESSION = re.compile(r"[OPQ][0-9][A-Z0-9]{3}[0-9]|[A-NR-Z][0-9]([A-Z][A-Z0-9]{2}[0-9]){1,2}", re.IGNORECASE)
UNQUOTED = re.compile(r'["\\]')
GREEK = {"α": "A", "β": "B", "γ": "G", "δ": "D", "κ": "K", "μ": "M"}
SYMBOL, PREVIOUS, ALIAS, NOT = range(4)
"""How a gene has a name: as its symbol or identifier, as a former one, as another one, or not at all."""
RANKS = {PREVIOUS: "a former symbol", ALIAS: "another name"}


def cleaned(text: str) -> str:
    """A name without quotes, blanks around it, and the version of an Ensembl id."""
    name = " ".join(text.split()).strip("'\"“”‘’.,; ")
    versioned = ENSEMBL_VERSION.fullmatch(name)
    return versioned[1] if versioned else re.sub(r"(?i)^(NCBI ?Gene|Entrez|GeneID|UniProt):\s*", "", name)


def quoted(name: str) -> str:
    """A name as a phrase of a query, which it cannot end: without quotes and backslashes of its own."""
    return '"' + " ".join(UNQUOTED.sub("", name).split()) + '"'


def is_id(name: str) -> bool:
    """Whether a name is an identifier: of Ensembl, HGNC or NCBI Gene."""
    return bool(ID.fullmatch(name))


def rank_of(name: str, target: Target, *, keyed: bool = True) -> int:
    """How a gene has a name. `keyed`: a file has it under this name, which may be a further accession."""
    folded = name.casefold()
    ids = (target.symbol, target.ensembl, target.entrez, target.uniprot)
    if folded in (one.casefold() for one in ids):
        return SYMBOL
    if folded in (one.casefold() for one in target.previous):
        return PREVIOUS
    if folded in (one.casefold() for one in target.aliases):
        return ALIAS
    if is_id(name) or ACCESSION.fullmatch(name):
        return SYMBOL if keyed else NOT
    names = {bare(one) for one in (*target.aliases, target.name)}
    return ALIAS if bare(name) in names else NOT


def render_naming(name: str, rank: int, targets: Sequence[Target], others: Sequence[str]) -> str:
    """What a reader should know of how a name was understood; "" for a symbol of one gene."""
    if len(targets) > 1:
        names = [f"{one.symbol} ({one.name})" if one.name else one.symbol for one in targets]
        choices = listed(names, "or")
        how = "stands for" if rank == SYMBOL else f"is {RANKS[rank]} of"
        return f"{name!r} {how} {len(targets)} genes. Name one of them: {choices}."
    also = f" {name} is also a name of another gene." if others else ""
    target = targets[0]
    if rank == SYMBOL:
        return also.strip() if name.casefold() == target.symbol.casefold() else f"{name} is {target.symbol}."
    return f"{name} is {RANKS[rank]} of {target.symbol}.{also}"


def bare(name: str) -> str:
    """A name without what writers set differently: case, blanks and hyphens."""
    return re.sub(r"[\s-]+", "", "".join(GREEK.get(letter, letter) for letter in name).casefold())
