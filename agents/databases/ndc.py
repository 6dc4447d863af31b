"""The National Drug Code directory: which products exist, of which substances, in which classes."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from agents.databases.bulk_format import BulkFormat, Row, table, under, with_columns
from agents.databases.database import database
from agents.databases.ingredients import base_name, in_order, ingredients_of
from agents.databases.ports import Bulk

SOURCE = "ndc"
KINDS = ("[EPC]", "[MoA]", "[CS]", "[PE]", "[EXT]", "[Chemical/Ingredient]")
"""Kinds of class terms: established class, mechanism of action, chemical structure, physiologic effect."""


@dataclass(frozen=True, slots=True)
class Product:
    """A product, once for all its labelers and packages. `classes` are its class terms with their kinds."""

    brand: str
    generic: str
    substances: tuple[str, ...]
    routes: tuple[str, ...]
    form: str
    classes: tuple[str, ...]

    @property
    def ingredients(self) -> tuple[str, ...]:
        """Its ingredients without salts, in alphabetical order."""
        listed = {base for one in self.substances if (base := base_name(in_order(one)))}
        return tuple(sorted(listed)) or ingredients_of(in_order(self.generic))

    @property
    def names(self) -> tuple[str, ...]:
        """The names under which it is sold, labelled and prescribed."""
        return tuple(dict.fromkeys(filter(None, (self.generic, self.brand, "; ".join(self.substances)))))


class Ndc:
    """The directory over loaded files. Nothing is found where none is loaded. All raise `ToolFailed`."""

    def __init__(self, bulk: Bulk) -> None:
        self._bulk = bulk

    @property
    def loaded(self) -> bool:
        """Whether there is a directory."""
        return self._bulk.release(SOURCE) is not None

    async def classes(self) -> tuple[str, ...]:
        """All class terms ("Tricyclic Antidepressant [EPC]")."""
        return tuple(key for key in await self._bulk.keys(SOURCE) if key.endswith(KINDS))

    async def names(self) -> tuple[str, ...]:
        """All names of products and ingredients."""
        return tuple(key for key in await self._bulk.keys(SOURCE) if not key.endswith(KINDS))

    async def of(self, key: str) -> tuple[Product, ...]:
        """The products of a class term, an ingredient or a name, in the directory's order."""
        return tuple(map(_product, await self._bulk.rows(SOURCE, key)))


def _product(row: Mapping[str, str]) -> Product:
    return Product(
        row.get("brand", ""),
        row.get("generic", ""),
        _parts(row.get("substances", ""), ";"),
        _parts(row.get("routes", ""), ";"),
        row.get("form", ""),
        _terms(row.get("classes", "")),
    )


def _parts(written: str, joint: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in written.split(joint) if part.strip())


def _terms(written: str) -> tuple[str, ...]:
    """Class terms, which may hold commas: each ends with its kind in brackets."""
    ended = written.replace("],", "]\n")
    return tuple(dict.fromkeys(term.strip() for term in ended.split("\n") if term.strip()))


def _parse(lines: Iterable[str]) -> Iterator[tuple[str, Row]]:
    seen: set[tuple[str, ...]] = set()
    for line in table(lines, "PRODUCTNDC", "NONPROPRIETARYNAME"):
        row = {
            "brand": line.get("PROPRIETARYNAME", ""),
            "generic": line["NONPROPRIETARYNAME"],
            "substances": line.get("SUBSTANCENAME", ""),
            "routes": line.get("ROUTENAME", ""),
            "form": line.get("DOSAGEFORMNAME", ""),
            "classes": line.get("PHARM_CLASSES", ""),
        }
        if (product := tuple(value.casefold() for value in row.values())) in seen:
            continue
        seen.add(product)
        read = _product(row)
        yield from under(row, *read.classes, *read.ingredients, *read.names, base_name(read.brand))


DIRECTORY = BulkFormat(
    SOURCE,
    "product.txt",
    "https://www.fda.gov/drugs/drug-approvals-and-databases/national-drug-code-directory",
    "PRODUCTNDC\tPROPRIETARYNAME\tNONPROPRIETARYNAME\t…\tPHARM_CLASSES",
    with_columns("PRODUCTNDC", "NONPROPRIETARYNAME", "PHARM_CLASSES"),
    _parse,
)
NDC = database(SOURCE, DIRECTORY)
