"""Markdown and plain text: as in the file, but for front matter, encoding, line breaks and the blanks between
the cells of tables, which become bars.
"""

import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import yaml
from charset_normalizer import from_bytes

from retrieval.errors import CorruptDocument
from retrieval.parse.fixed_width import with_tables
from retrieval.parse.limits import Limits
from retrieval.ports import OcrEngine
from retrieval.text.unseen import without_unseen
from retrieval.values import ParsedFile

FRONT_MATTER_CHARACTERS = 65_536
_NESTED = re.compile(r"[\[{]{50}")
"""What no front matter has, and takes YAML's reader a minute."""
_EMPTY_LINES = re.compile(r"\n{1000,}")
"""What no writer means, and each line of which costs time."""
CONTROLS = frozenset(map(chr, (*range(9), *range(14, 27), *range(28, 32), 127)))
GARBAGE = 0.002
"""Share of control characters over which a file is no text."""


def parse_text(path: Path, ocr: OcrEngine | None, limits: Limits) -> ParsedFile:
    """Text of a Markdown or TXT file; YAML front matter goes to the metadata, as strings as written."""
    text = decode(path.read_bytes(), path.name)
    metadata, body, warnings = split_front_matter(text)
    if not body.strip():
        raise CorruptDocument(f"{path.name} holds no text. Remove it, or put the missing content back.")
    return ParsedFile(text=with_tables(body), metadata=metadata, warnings=warnings)


def decode(data: bytes, name: str) -> str:
    """Characters of a text file with `\\n` line breaks. Raises `CorruptDocument` for what is no text."""
    text = _decoded(data)
    if text is None or sum(text.count(control) for control in CONTROLS) > GARBAGE * len(text):
        raise _binary(name)
    return _EMPTY_LINES.sub("\n" * 1000, without_unseen(text).replace("\r\n", "\n").replace("\r", "\n"))


def check_text(data: bytes, name: str) -> None:
    """Raises `CorruptDocument` for bytes that are no text in any encoding."""
    if sum(data.count(byte) for byte in map(str.encode, CONTROLS - {"\x00"})) > GARBAGE * len(data):
        raise _binary(name)


def _binary(name: str) -> CorruptDocument:
    return CorruptDocument(
        f"{name} is not text: it holds binary data. Give it the suffix of its real format."
    )


def _decoded(data: bytes) -> str | None:
    """UTF-8, or what the bytes look like most. Western European where nothing tells."""
    with suppress(UnicodeDecodeError):
        if "\x00" not in (text := data.decode("utf-8-sig")):
            return text
    best = from_bytes(data, cp_exclusion=["utf_7"]).best()
    if best is not None and (best.coherence > 0.1 or best.encoding.startswith("utf")):
        return str(best)
    try:
        return data.decode("cp1252")
    except UnicodeDecodeError:
        return str(best) if best is not None else None


def split_front_matter(text: str) -> tuple[Mapping[str, object], str, tuple[str, ...]]:
    """(metadata, text below, warnings). Front matter that cannot be read stays in the text, with a note."""
    lines = text[:FRONT_MATTER_CHARACTERS].split("\n")
    if lines[0].rstrip() != "---":
        return {}, text, ()
    end = next((i for i, line in enumerate(lines[1:], 1) if line.rstrip() in ("---", "...")), None)
    if end is None:
        return {}, text, ()
    metadata = _mapping("\n".join(lines[1:end]))
    if metadata is None:
        return {}, text, ("The front matter is not valid YAML and was left in the text; correct it.",)
    return metadata, text[len("\n".join(lines[: end + 1])) + 1 :], ()


def _mapping(source: str) -> dict[str, object] | None:
    """A YAML mapping with its scalars as written: `0012` stays `0012`. No aliases, which can be bombs."""
    if _NESTED.search(source):
        return None
    try:
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(source, Loader=yaml.BaseLoader)):
            return None
        loaded: Any = yaml.load(source, Loader=yaml.BaseLoader)  # builds strings, lists and mappings only
    except (yaml.YAMLError, RecursionError, ValueError):
        return None
    if loaded in (None, ""):
        return {}
    return {str(key): _value(value) for key, value in loaded.items()} if isinstance(loaded, dict) else None


def _value(value: Any) -> object:
    if isinstance(value, dict):
        return {str(key): _value(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_value(inner) for inner in value]
    return None if value in ("null", "~", "") else str(value)
