"""Loaded files of databases in memory, for programs without a disk."""

from collections.abc import Iterable, Mapping, Sequence
from urllib.parse import urlencode

from agents.databases.bulk_format import HEAD_LINES, BulkFormat, Row
from agents.databases.ports import BulkRelease, WebRequest
from agents.errors import WrongFile

DAY = "2026-01-01"


class MemoryBulk:
    """`Bulk` over files that were given as lines."""

    def __init__(self) -> None:
        self._releases: dict[str, BulkRelease] = {}
        self._rows: dict[str, dict[str, list[Row]]] = {}
        self._keys: dict[str, dict[str, None]] = {}

    def load(self, form: BulkFormat, lines: Iterable[str], release: str = "") -> BulkRelease:
        """Take a file in, in the place of an earlier one of its source. Raises `WrongFile`."""
        lines = list(lines)
        if not form.fits(head := lines[:HEAD_LINES]):
            raise WrongFile(f"This is no file of {form.source}: it does not look like {form.header!r}.")
        rows: dict[str, list[Row]] = {}
        keys: dict[str, None] = {}
        count, last = 0, None
        for key, row in form.parse(lines):
            count += form.stands_for(row) if row is not last else 0
            last = row
            rows.setdefault(key.casefold(), []).append(row)
            keys[key] = None
        if not count:
            raise WrongFile(f"The file holds no rows of {form.source}.")
        self._rows[form.source], self._keys[form.source] = rows, keys
        self._releases[form.source] = BulkRelease(
            form.source, form.file, release or form.release(head), DAY, count
        )
        return self._releases[form.source]

    def release(self, source: str) -> BulkRelease | None:
        """See `Bulk`."""
        return self._releases.get(source)

    async def rows(self, source: str, key: str) -> Sequence[Mapping[str, str]]:
        """See `Bulk`."""
        return tuple(self._rows.get(source, {}).get(key.casefold(), ()))

    async def keys(self, source: str) -> Sequence[str]:
        """See `Bulk`."""
        return tuple(self._keys.get(source, ()))


def address(request: WebRequest) -> str:
    """The whole address of a request, with its parameters in their order."""
    joint = "&" if "?" in request.url else "?"
    return f"{request.url}{joint}{urlencode(request.params)}" if request.params else request.url
