"""Mails as they are saved (.eml): who wrote to whom and when, then the text. Nothing attached is opened."""

from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path

from retrieval.errors import CorruptDocument
from retrieval.parse.fixed_width import with_tables
from retrieval.parse.html import html_text
from retrieval.parse.limits import Limits
from retrieval.parse.plain import decode
from retrieval.ports import OcrEngine
from retrieval.values import ParsedFile

TOLD = ("From", "To", "Cc", "Date", "Subject")
"""Fields that stand above the text, in this order."""


def parse_mail(path: Path, ocr: OcrEngine | None, limits: Limits) -> ParsedFile:
    """The fields of a mail and its text; of a mail with several forms the plain one.

    What is attached is named in the warnings. Raises `CorruptDocument` for a file without sender or text.
    """
    mail = message_from_bytes(path.read_bytes(), policy=default)
    fields = [f"{name}: {' '.join(str(mail[name]).split())}" for name in TOLD if mail[name]]
    body = _body(mail, path.name, limits)
    if not mail["From"] or not body.strip():
        raise CorruptDocument(f"{path.name} holds no mail. Save the mail again from your mail program.")
    names = [part.get_filename() or "without a name" for part in mail.iter_attachments()]
    warnings = tuple(
        f"Attached and not read: {name}. Save it beside the mail to have it read." for name in names
    )
    return ParsedFile(text="\n".join((*fields, "", with_tables(body.strip("\n")))), warnings=warnings)


def _body(mail: EmailMessage, name: str, limits: Limits) -> str:
    part = mail.get_body(("plain", "html"))
    if part is None:
        return ""
    data = part.get_payload(decode=True)
    if not isinstance(data, bytes):
        return ""
    if part.get_content_subtype() == "html":
        return html_text(data, name, limits)
    if (charset := part.get_content_charset()) is None:
        return decode(data, name) if data else ""
    try:
        text = data.decode(charset, errors="replace")
    except LookupError:  # an encoding that nobody knows
        return decode(data, name)
    return text.replace("\r\n", "\n").replace("\r", "\n")
