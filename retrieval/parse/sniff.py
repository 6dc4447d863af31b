"""What a file is by its content, to be compared with what its name says."""

from retrieval.errors import CorruptDocument

SIGNATURES = (
    (b"%PDF-", "a PDF"),
    (b"PK\x03\x04", "a zip container (DOCX, PPTX, XLSX or other)"),
    (b"PK\x05\x06", "an empty zip container"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old or encrypted Office file"),
    (b"\x89PNG\r\n\x1a\n", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"II*\x00", "a TIFF image"),
    (b"MM\x00*", "a TIFF image"),
    (b"GIF8", "a GIF image"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"\x7fELF", "a program"),
    (b"{\\rtf", "an RTF document"),
    (b"SQLite format 3\x00", "a database"),
)
PDF_WINDOW = 1024
"""A PDF may begin with some bytes of junk."""
FAMILIES = {
    "pdf": ("a PDF",),
    "zip": ("a zip container (DOCX, PPTX, XLSX or other)", "an old or encrypted Office file"),
    "image": ("a PNG image", "a JPEG image", "a TIFF image"),
    "text": ("text",),
}


def content_of(head: bytes) -> str:
    """What the first bytes of a file show it to be; "text" where no signature fits."""
    for signature, name in SIGNATURES:
        if head.startswith(signature):
            return name
    if b"%PDF-" in head[:PDF_WINDOW]:
        return "a PDF"
    return "text"


def check_content(head: bytes, name: str, family: str) -> None:
    """Raise `CorruptDocument` where the content is of another family than the name says."""
    content = content_of(head)
    if content in FAMILIES[family]:
        return
    if content == "text":
        raise CorruptDocument(f"{name} is damaged: its content is not what its name says. Get a fresh copy.")
    raise CorruptDocument(f"{name} is not what its name says: it holds {content}. Give it the right suffix.")
