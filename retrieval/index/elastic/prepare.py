"""Opening an archive's index: made if there is none, checked if there is."""

import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from elasticsearch import AsyncElasticsearch, BadRequestError, ConflictError, NotFoundError

from retrieval.errors import EncoderMismatch, IndexDamaged
from retrieval.index.elastic.faults import translated
from retrieval.index.elastic.mapping import FORMAT, index_body, index_name
from retrieval.index.elastic.queries import STATE_ID
from retrieval.index.elastic.server import Connection
from retrieval.index.elastic.state import State, state_to_source
from retrieval.ports import Encoder


@dataclass(frozen=True, slots=True)
class Layout:
    """Where an archive is kept: its alias, and into how many pieces and copies it is split when it is made.

    `replicas` are copies on other nodes: with none, the archive cannot be searched while its node is away.
    """

    alias: str = "pestle-archive"
    shards: int = 1
    replicas: int = 1


DEFAULT = Layout()


async def prepare(connection: Connection, layout: Layout, encoder: Encoder) -> None:
    """Make the index if the alias stands for none; check that it is ours and has vectors of this encoder.

    Raises:
        IndexDamaged: not an index of Pestle, or one of another version.
        EncoderMismatch: the vectors in it come from another encoder.
    """
    meta = await stored_meta(connection, layout.alias)
    if meta is None:
        await _create(connection, layout, encoder)
        meta = await stored_meta(connection, layout.alias)
    _check(f"The index {layout.alias} at {connection.place}", meta or {}, encoder)
    await _first_state(connection, layout.alias, encoder)


async def stored_meta(connection: Connection, alias: str) -> dict[str, Any] | None:
    """What the index behind the alias says about itself; None if there is none."""
    try:
        found = await connection.search(
            lambda client: client.indices.get_mapping(index=alias), (NotFoundError,)
        )
    except NotFoundError:
        return None
    (mapping,) = found.values()
    meta: dict[str, Any] = mapping["mappings"].get("_meta", {})
    return meta


async def stored_versions(connection: Connection, alias: str) -> dict[str, bool]:
    """The indices that were made for the archive, and for each whether the alias names it."""
    found = await connection.write(
        lambda client: client.indices.get(index=f"{alias}-v*", features=["aliases"])
    )
    # Another archive may be called pestle-archive-vienna.
    ours = re.compile(rf"{re.escape(alias)}-v\d+")
    return {name: alias in found[name]["aliases"] for name in sorted(found) if ours.fullmatch(name)}


async def delete_versions(connection: Connection, names: Iterable[str]) -> None:
    """Delete indices, those that are still there."""

    async def delete(client: AsyncElasticsearch) -> None:
        for name in names:
            await client.options(ignore_status=404).indices.delete(index=name)

    await connection.write(delete)


async def _create(connection: Connection, layout: Layout, encoder: Encoder) -> None:
    """Make the first index, with its alias in the same step. Two processes may do that at once."""
    body = index_body(encoder, layout.shards, layout.replicas)

    async def create(client: AsyncElasticsearch) -> None:
        await client.indices.create(
            index=index_name(layout.alias, 1),
            aliases={layout.alias: {}},
            wait_for_active_shards=1,
            **body,
        )

    try:
        await connection.write(create, (BadRequestError,))
    except BadRequestError as error:
        if error.error != "resource_already_exists_exception":
            raise translated(connection.place, error) from error


async def _first_state(connection: Connection, alias: str, encoder: Encoder) -> None:
    """Enter the state of an empty index, if searches find none yet."""

    async def enter(client: AsyncElasticsearch) -> None:
        with suppress(ConflictError):  # another process has just entered it, and searches may not find it yet
            source = state_to_source(State(encoder.name))
            await client.create(index=alias, id=STATE_ID, document=source, require_alias=True)
        await client.indices.refresh(index=alias)

    found = await connection.search(lambda client: client.exists(index=alias, id=STATE_ID, realtime=False))
    if not found:
        await connection.write(enter)


def _check(index: str, meta: dict[str, Any], encoder: Encoder) -> None:
    if "format" not in meta:
        raise IndexDamaged(f"{index} was not made by Pestle. Set another alias in [elasticsearch].")
    if meta["format"] != FORMAT:
        raise IndexDamaged(
            f"{index} was made by another version of Pestle (format {meta['format']}, this one reads "
            f"{FORMAT}). `pestle reindex` brings an older one up to date."
        )
    if (meta["encoder"], meta["dimension"]) != (encoder.name, encoder.dimension):
        raise EncoderMismatch(
            f"{index} holds vectors of {meta['encoder']} ({meta['dimension']} dimensions), but "
            f"{encoder.name} ({encoder.dimension}) is set. Set the encoder back, or run `pestle reindex`."
        )
