"""How large a document may be before it is refused: no file can exhaust the machine."""

from dataclasses import dataclass

from retrieval.errors import DocumentTooLarge
from retrieval.ports import Paged, unpaged

MIB = 2**20


@dataclass(frozen=True, slots=True)
class Limits:
    """Upper bounds, each with its unit, and who is told of each page.

    `expansion_ratio` is unpacked over packed size of a zip container and counts only above 16 MiB unpacked,
    since small files of plain XML shrink well without being bombs.
    """

    file_bytes: int = 512 * MIB
    pages: int = 5_000
    unpacked_bytes: int = 1024 * MIB
    expansion_ratio: float = 200.0
    container_entries: int = 20_000
    image_pixels: int = 200_000_000
    table_rows: int = 250_000
    table_cells: int = 2_000_000
    html_tags: int = 1_000_000
    paged: Paged = unpaged


def check(amount: float, limit: float, what: str, unit: str) -> None:
    """Raise `DocumentTooLarge` where `amount` is over `limit`."""
    if amount > limit:
        raise DocumentTooLarge(
            f"{what}: {amount:,.0f} {unit}, over the limit of {limit:,.0f}."
            " Split the document, or raise the limit."
        )
