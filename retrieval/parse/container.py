"""Office files are zip containers of XML: what is checked before any library opens one."""

import zipfile
from pathlib import Path

from retrieval.errors import CorruptDocument, DocumentTooLarge, EncryptedDocument
from retrieval.parse.limits import MIB, Limits, check

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
ENCRYPTED_STREAM = "EncryptedPackage".encode("utf-16-le")
FREE_EXPANSION = 16 * MIB
PROLOG_BYTES = 65_536


def check_container(path: Path, main_part: str, limits: Limits) -> None:
    """Check an Office file.

    `main_part` is the word in the content types that marks the format, such as "wordprocessingml".
    Raises `EncryptedDocument`, `CorruptDocument` or `DocumentTooLarge`.
    """
    _refuse_ole(path)
    try:
        with zipfile.ZipFile(path) as container:
            _check_sizes(container, path, limits)
            _check_parts(container, path.name, main_part)
    except (zipfile.BadZipFile, EOFError, NotImplementedError, OSError, ValueError, KeyError) as error:
        raise CorruptDocument(f"{path.name} is damaged ({error}). Get a fresh copy.") from error


def _refuse_ole(path: Path) -> None:
    """Encrypted Office files and those of before 2007 are OLE containers instead of zip."""
    with path.open("rb") as file:
        if file.read(8) != OLE:
            return
        rest = file.read()
    if ENCRYPTED_STREAM in rest:
        raise EncryptedDocument(f"{path.name} is protected by a password. Save a copy without one.")
    raise CorruptDocument(
        f"{path.name} is an Office file of the old binary kind. Save it in the current format."
    )


def _check_sizes(container: zipfile.ZipFile, path: Path, limits: Limits) -> None:
    entries = container.infolist()
    check(len(entries), limits.container_entries, path.name, "parts")
    if any(entry.flag_bits & 1 for entry in entries):
        raise EncryptedDocument(f"{path.name} is protected by a password. Save a copy without one.")
    unpacked = sum(entry.file_size for entry in entries)
    check(unpacked, limits.unpacked_bytes, f"{path.name} unpacked", "bytes")
    ratio = unpacked / max(path.stat().st_size, 1)
    if unpacked > FREE_EXPANSION and ratio > limits.expansion_ratio:
        raise DocumentTooLarge(
            f"{path.name} unpacks to {ratio:,.0f} times its size, as a zip bomb does, and was not opened."
            " Save it anew from the program it was made with."
        )


def _check_parts(container: zipfile.ZipFile, name: str, main_part: str) -> None:
    """The container has the expected format; no part declares entities, which could expand."""
    types = container.read("[Content_Types].xml")
    if main_part.encode() not in types:
        raise CorruptDocument(f"{name} is not what its name says. Give it the suffix of its real format.")
    for entry in container.infolist():
        if entry.filename.endswith((".xml", ".rels")):
            with container.open(entry) as part:
                prolog = part.read(PROLOG_BYTES).replace(b"\x00", b"")
            if b"<!DOCTYPE" in prolog or b"<!ENTITY" in prolog:
                raise CorruptDocument(f"{name} declares XML entities and was refused. Save it anew.")


def properties(core: object) -> dict[str, object]:
    """Title, author, subject and keywords of an Office file, those that are filled in.

    Dates are left out: they are those of a template as often as not.
    """
    found = {name: getattr(core, name, None) for name in ("title", "author", "subject", "keywords")}
    return {name: value for name, value in found.items() if value}
