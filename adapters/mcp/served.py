"""The form in which a reply goes over the wire: text for a model, and the same as structured content."""

import json
from collections.abc import Callable
from urllib.parse import quote

from pydantic import BaseModel, ConfigDict, JsonValue

from agents.evidence.sources import Origin
from agents.tools.reply import ToolRecord, ToolReply

FILES = "pestle://files/"
"""Where a client reads the files that tools made, by hash."""
Address = Callable[[ToolRecord], str]
"""Where a person can open a record; "" where nowhere."""


class ServedRecord(BaseModel):
    """One piece of evidence: verbatim text, where it stands, and where it comes from."""

    model_config = ConfigDict(extra="forbid")
    id: str
    title: str
    text: str
    start: int
    end: int
    section: tuple[str, ...] = ()
    page: int | None = None
    source: str = ""
    query: str = ""
    release: str = ""
    date: str = ""
    link: str = ""


class ServedFile(BaseModel):
    """A file that a tool made: it is read as the resource at `uri`."""

    model_config = ConfigDict(extra="forbid")
    uri: str
    name: str
    media_type: str
    size: int


class ServedReply(BaseModel):
    """A reply of one of Pestle's tools."""

    model_config = ConfigDict(extra="forbid")
    summary: str
    note: str
    records: tuple[ServedRecord, ...]
    data: dict[str, JsonValue] | None = None
    files: tuple[ServedFile, ...] = ()


def page_address(host: str, port: int) -> Address:
    """Addresses on the web page of `pestle up`, for documents; other sources have links of their own."""

    def address(record: ToolRecord) -> str:
        if record.source.link or not port:
            return record.source.link
        place = record.place
        key = quote(record.source.id, safe="")
        return f"http://{host}:{port}/documents/{key}?start={place.start}&end={place.end}"

    return address


def served(reply: ToolReply, address: Address) -> ServedReply:
    """A reply as it is sent."""
    records = tuple(_record(record, address) for record in reply.records)
    files = tuple(
        ServedFile(uri=f"{FILES}{one.sha256}", name=one.name, media_type=one.media_type, size=one.size)
        for one in reply.files
    )
    return ServedReply(summary=reply.summary, note=reply.note, records=records, data=reply.data, files=files)


def as_text(reply: ServedReply) -> str:
    """A reply for a model that reads text: what was found, then each record under a line with its origin."""
    head = [reply.summary, reply.note]
    if reply.data is not None:
        head.append(json.dumps(reply.data, ensure_ascii=False))
    files = [f"[file {one.name}, {one.media_type}, {one.size} bytes: {one.uri}]" for one in reply.files]
    return (
        "\n\n".join(filter(None, (*head, *files, *map(_attributes, reply.records)))) or "The reply is empty."
    )


def _record(record: ToolRecord, address: Address) -> ServedRecord:
    source, place = record.source, record.place
    name = "Pestle archive" if source.origin is Origin.DOCUMENT else source.name
    return ServedRecord(
        id=source.id,
        title=source.title,
        text=place.text,
        start=place.start,
        end=place.end,
        section=place.section,
        page=place.page,
        source=name,
        query=source.query,
        release=source.release,
        date=source.date,
        link=address(record),
    )


def _attributes(record: ServedRecord) -> str:
    known = {
        "page": str(record.page or ""),
        "section": " › ".join(record.section),
        "release": record.release,
        "date": record.date,
        "link": record.link,
    }
    places = "".join(f"; {name} {value}" for name, value in known.items() if value)
    head = f"[{record.id}, characters {record.start}-{record.end}] {record.title} ({record.source}{places})"
    return f"{head}\n{record.text}"
