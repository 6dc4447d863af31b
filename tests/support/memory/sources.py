"""Sources in memory."""

from agents.evidence.sources import Source, refuse_document


class MemorySources:
    """Sources kept in this process."""

    def __init__(self) -> None:
        self._kept: dict[str, Source] = {}

    async def put(self, source: Source) -> None:
        """See `Sources`."""
        refuse_document(source)
        self._kept.setdefault(source.id, source)

    async def get(self, source_id: str) -> Source | None:
        """See `Sources`."""
        return self._kept.get(source_id)
