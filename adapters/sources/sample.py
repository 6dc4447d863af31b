"""The sample that ships with Pestle (`adapters/sample`), read as long as no file of a database was loaded."""

import asyncio
import csv
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from adapters.sample import FOLDER
from adapters.sources.bulk import BulkFolder
from adapters.sources.lines import lines, pieces
from agents.databases.label_documents import label_chunks, label_documents, passage_of
from agents.databases.labels import LabelPassage, Labels, MemoryLabels
from agents.databases.memory import MemoryBulk
from agents.databases.ports import SAMPLE, Bulk, BulkRelease
from agents.databases.registry import FORMATS, fitting


@cache
def shipped() -> Mapping[str, BulkRelease]:
    """What the sample holds of each source; its release says that it is the sample."""
    with (FOLDER / "contents.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    about = ((row, f"{row['release']} ({SAMPLE})".strip()) for row in rows)
    return {
        row["source"]: BulkRelease(row["source"], row["file"], state, row["made"], int(row["rows"]))
        for row, state in about
    }


@cache
def rows_of(source: str) -> Bulk:
    """The rows of a source in the sample."""
    bulk = MemoryBulk()
    if source in shipped():
        content = list(lines(FOLDER / f"{source}.gz"))
        form = fitting(content, [one for one in FORMATS if one.source == source])
        assert form is not None
        bulk.load(form, content)
    return bulk


@cache
def labels() -> Labels:
    """The labels of the sample."""
    read = label_documents(pieces(FOLDER / "openfda-labels.gz"))
    passages = (passage_of(chunk, one.record) for one in read for chunk in label_chunks(one))
    return MemoryLabels(replace(one, release=SAMPLE) for one in passages)


class SampledBulk:
    """`Bulk` over a folder; over the sample while nothing was ever loaded into it."""

    def __init__(self, own: BulkFolder) -> None:
        self._own = own

    def release(self, source: str) -> BulkRelease | None:
        """See `Bulk`."""
        return shipped().get(source) if self._own.bare else self._own.release(source)

    async def rows(self, source: str, key: str) -> Sequence[Mapping[str, str]]:
        """See `Bulk`."""
        return await (await self._read(source)).rows(source, key)

    async def keys(self, source: str) -> Sequence[str]:
        """See `Bulk`."""
        return await (await self._read(source)).keys(source)

    async def _read(self, source: str) -> Bulk:
        return await asyncio.to_thread(rows_of, source) if self._own.bare else self._own


@dataclass(frozen=True, slots=True)
class SampledLabels:
    """`Labels` that were loaded; those of the sample while nothing was ever loaded into the folder."""

    own: Callable[[], Labels]
    folder: BulkFolder

    async def passages(self, names: Sequence[str]) -> tuple[LabelPassage, ...]:
        """See `Labels`."""
        return await (await self._read()).passages(names)

    async def known(self, names: Sequence[str]) -> bool:
        """See `Labels`."""
        return await (await self._read()).known(names)

    async def search(
        self, names: Sequence[str], query: str, limit: int = 10, sections: Sequence[str] = ()
    ) -> tuple[LabelPassage, ...]:
        """See `Labels`."""
        return await (await self._read()).search(names, query, limit, sections)

    async def _read(self) -> Labels:
        return await asyncio.to_thread(labels) if self.folder.bare else self.own()
