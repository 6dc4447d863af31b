"""Species: their names as databases write them."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

_SPACE = re.compile(r"[\s_]+")
_NOTE = re.compile(r"\s*\(.*\)\s*$")


@dataclass(frozen=True, slots=True)
class Species:
    """A species. One that the table lacks has its scientific name only; `common` is that name then."""

    common: str
    scientific: str
    taxon: int = 0

    @property
    def known(self) -> bool:
        """Whether the name says which species it is."""
        return bool(self.scientific)


UNKNOWN = Species("species not stated", "")


def species_named(name: str) -> Species:
    """The species that a common or scientific name, a mnemonic or a taxon's number stands for.

    A subspecies of a species in the table is that species ("Canis lupus familiaris", "Rattus norvegicus
    albus"); any other name makes a species of its own, and an empty one `UNKNOWN`.
    """
    name = " ".join(_SPACE.sub(" ", _NOTE.sub("", name)).split())
    if not name:
        return UNKNOWN
    table = _by_name()
    if found := table.get(name.casefold()):
        return found
    binomial = " ".join(name.split()[:2]).casefold()
    parent = table.get(binomial)
    return parent if parent is not None and parent.scientific.casefold() == binomial else Species(name, name)


def species_of_code(code: str) -> Species:
    """The species of a UniProt mnemonic (MOUSE); `UNKNOWN` for one that the table does not hold."""
    return _by_key("code").get(code.upper(), UNKNOWN)


def species_of_ensembl(letters: str) -> Species:
    """The species of the letters in an Ensembl protein id ("MUS" of ENSMUSP…, "" for human)."""
    return _by_key("ensembl").get(letters.upper(), UNKNOWN)


def species_of_tree(letters: str) -> Species:
    """The species of the four letters in a gene tree; such letters that the table lacks are a name of their
    own.
    """
    return _by_key("tree").get(letters, Species(letters, letters))


def species_in_tree(letters: str, ensembl: str) -> Species:
    """The species of an Ensembl id in a gene tree.

    The four letters of a tree are not unique: Cpor is the guinea pig (ENSCPOP) and a crocodile (ENSCPRP).
    """
    known = species_of_tree(letters)
    row = next((one for one in _table()["species"] if letters in one["tree"]), None)
    if row and row["ensembl"] and ensembl not in row["ensembl"]:
        return Species(f"{letters} (ENS{ensembl})", f"{letters} (ENS{ensembl})")
    return known


def species_within(text: str, *, common: bool = False) -> Species | None:
    """The species of the table whose scientific or common name stands in a text; the first of several.

    "Mus_musculus|ACE2" names the mouse, and with `common` "ACE2-mouse" does too.
    """
    plain = f" {re.sub('[^a-z0-9]+', ' ', text.casefold())} "
    names = ((plain.find(f" {name} "), -len(name), name) for name in _spoken(common))
    found = min((one for one in names if one[0] >= 0), default=None)
    return _by_name()[found[2]] if found else None


HUMAN = "human"


def human() -> Species:
    """Homo sapiens."""
    return species_named(HUMAN)


def preclinical() -> tuple[Species, ...]:
    """The species in which safety is studied before trials; selected unless others are asked for."""
    return tuple(_made(row) for row in _table()["species"] if row.get("preclinical"))


@cache
def _table() -> Mapping[str, Any]:
    text = files("agents.safety.orthologs").joinpath("species.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def _made(row: Mapping[str, Any]) -> Species:
    return Species(row["common"], row["scientific"], row["taxon"])


@cache
def _by_name() -> Mapping[str, Species]:
    named: dict[str, Species] = {}
    for row in _table()["species"]:
        keys = (row["common"], row["scientific"], *row.get("others", ()), *row["code"], str(row["taxon"]))
        named |= {key.casefold(): _made(row) for key in keys}
    return named


@cache
def _spoken(common: bool) -> tuple[str, ...]:
    """Names that are looked for in a text, in lower case: scientific ones, and common ones if asked for."""
    rows = _table()["species"]
    every = [name for row in rows for name in (row["scientific"], *row.get("others", ()), row["common"])]
    return tuple(name.casefold() for name in every if name.isascii() and (common or name[:1].isupper()))


@cache
def _by_key(key: str) -> Mapping[str, Species]:
    return {code: _made(row) for row in _table()["species"] for code in row[key]}
