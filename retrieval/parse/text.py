"""Markdown and plain text: kept verbatim, since quotes are compared with the file."""

from collections.abc import Mapping
from pathlib import Path

import yaml
from charset_normalizer import from_bytes

from retrieval.errors import CorruptDocument
from retrieval.models import ParsedFile
from retrieval.parse.limits import Limits

BOMS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
GARBAGE = 0.02
"""Share of control characters over which a file is binary."""


def parse_text(path: Path, limits: Limits) -> ParsedFile:
    """The text of a file; YAML front matter becomes metadata."""
    text = decoded(path.read_bytes())
    metadata, body, warnings = front_matter(text)
    return ParsedFile(body, metadata=metadata, warnings=warnings)


def decoded(data: bytes) -> str:
    """Text with newlines as `\\n`. Raises `CorruptDocument` for binary data."""
    text = _decoded(data).replace("\r\n", "\n").replace("\r", "\n")
    controls = sum(character < " " and character not in "\n\t\f" for character in text[:100_000])
    if "\x00" in text or controls > GARBAGE * min(len(text), 100_000):
        raise CorruptDocument("The file is not text, whatever its name says. Export it again as text.")
    return text


def _decoded(data: bytes) -> str:
    """Text by byte order mark, as UTF-8, or in the encoding that fits best."""
    encoding = next((name for mark, name in BOMS if data.startswith(mark)), "utf-8")
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        best = None if b"\x00" in data else from_bytes(data).best()
    if best is None:
        raise CorruptDocument("The file's encoding cannot be told. Save it as UTF-8.")
    return str(best)


def front_matter(text: str) -> tuple[Mapping[str, object], str, tuple[str, ...]]:
    """(metadata, the text after it, warnings). Text without, or with broken, front matter stays whole."""
    if not text.startswith("---\n") or (end := text.find("\n---\n", 3)) < 0:
        return {}, text, ()
    try:
        found = yaml.safe_load(text[4:end])
    except yaml.YAMLError:
        return {}, text, ("The front matter is not valid YAML and was read as text.",)
    body = text[end + 5 :]
    return (found, body, ()) if isinstance(found, dict) else ({}, text, ())
