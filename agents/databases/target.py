"""A target's identity: its symbol and what the databases call it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Target:
    """A human gene and its protein. Every field but `symbol` is "" or empty where no source says it.

    `symbol` is the approved one (ADRB2), `ensembl` as ENSG00000169252, `entrez` as 154, `uniprot` the
    accession of the reviewed entry (P07550). `aliases` and `previous` are other symbols.
    """

    symbol: str
    name: str = ""
    ensembl: str = ""
    entrez: str = ""
    uniprot: str = ""
    aliases: tuple[str, ...] = ()
    previous: tuple[str, ...] = ()

    @property
    def own_symbols(self) -> tuple[str, ...]:
        """The approved symbol, then former ones. An alias is often the symbol of another gene."""
        return (self.symbol, *self.previous)

    @property
    def symbols(self) -> tuple[str, ...]:
        """The approved symbol, then former and other ones."""
        return (self.symbol, *self.previous, *self.aliases)


@dataclass(frozen=True, slots=True)
class Found:
    """What a name may mean. One target: it is certain. Several: a person has to choose. None: it is unknown.

    `note` says what a reader should know ("SERT is an alias of SLC6A4"). `near` are
    symbols that are spelled nearly so, where it is unknown ("TRIB2 (called TRB2)").
    """

    targets: tuple[Target, ...] = ()
    note: str = ""
    near: tuple[str, ...] = ()
