"""Routes of the archive: the list, a passage in its place, a page as a picture, upload.

A citation's id is a document's or that of a source beside the archive, such as a tool's reply; both open at
their place under the same address.
"""

import re
from urllib.parse import quote, urlsplit

from jinja2 import Environment
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from adapters.errors import NameTaken
from adapters.files import ArchiveFiles
from adapters.web.canonical import canonical_html
from adapters.web.login import actor
from adapters.web.records import records_routes, shown_fields
from adapters.web.refusals import not_taken
from adapters.web.sheet import from_page, sheet
from agents.counts import number_of
from agents.evidence.sources import Source, Sources
from retrieval.errors import RetrievalError
from retrieval.ports import Index, Stored
from retrieval.values import Document, IngestReport, StudyStatus

GONE = "There is no picture of this page."
GONE_DOCUMENT = "This document is not in the archive any more."
KEPT = 20
"""Documents taken out that can be put back."""
ORIGINAL = {"content-security-policy": "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'"}
"""A file from outside may load nothing; a browser's own viewer of PDF styles itself."""
NUMBER = re.compile(r"[0-9]{1,12}")
SHOWN = 4_000
"""Characters of text shown on either side of a passage in a document without pages."""


def documents_routes(index: Index, files: ArchiveFiles, sources: Sources, jinja: Environment) -> list[Route]:
    """The routes."""
    room = Documents(index, files, sources, jinja)
    return [
        Route("/documents", room.list),
        Route("/documents", room.upload, methods=["POST"]),
        *records_routes(files),
        Route("/documents/{doc_id:path}/page/{page}.png", room.image),
        Route("/documents/{doc_id:path}/original", room.original),
        Route("/documents/{doc_id:path}/taken", room.put_back, methods=["POST"]),
        Route("/documents/{doc_id:path}", room.take_out, methods=["DELETE"]),
        Route("/documents/{doc_id:path}", room.passage),
    ]


class Documents:
    """What the page shows of the archive."""

    def __init__(self, index: Index, files: ArchiveFiles, sources: Sources, jinja: Environment) -> None:
        self._index = index
        self._files = files
        self._sources = sources
        self._jinja = jinja
        self._taken: dict[str, Stored] = {}

    async def list(self, request: Request) -> Response:
        """All documents and molecules."""
        return sheet(
            request,
            self._jinja,
            "documents.html",
            "The archive",
            records=await self._index.records(),
            molecules=await self._index.molecules(),
        )

    async def passage(self, request: Request) -> Response:
        """A document open at a passage, highlighted; with a picture of the page where there is one.

        A source beside the archive opens likewise, with what is known of its fetch.
        """
        document = await self._index.document(request.path_params["doc_id"])
        if document is None:
            return await self._source(request)
        start, end = _span(request, document.text)
        first, last, page = _around(document, start, end)
        return sheet(
            request,
            self._jinja,
            "passage.html",
            document.record.title,
            record=document.record,
            fields=shown_fields(document.record) if from_page(request) else {},
            statuses=[status.value for status in StudyStatus],
            text=canonical_html(document.text, first, last, start, end),
            quoted=end > start,
            whole=(first, last) == (0, len(document.text)),
            page=page,
            image=self._picture(document, page, start, end),
            original=self._files.original(document.record) is not None,
        )

    async def _source(self, request: Request) -> Response:
        """A source that is no document, open at a passage."""
        source = await self._sources.get(request.path_params["doc_id"])
        if source is None:
            return PlainTextResponse(GONE_DOCUMENT, 404)
        start, end = _span(request, source.text)
        first, last = _near(source.text, start, end)
        return sheet(
            request,
            self._jinja,
            "source.html",
            source.title,
            source=source,
            clickable=_leads_to_the_web(source),
            text=canonical_html(source.text, first, last, start, end),
            quoted=end > start,
        )

    def _picture(self, document: Document, page: int | None, start: int, end: int) -> str:
        """Address of the page's picture; "" where the original has no pages or is not kept."""
        if page is None or self._files.original(document.record) is None:
            return ""
        return f"/documents/{quote(document.record.doc_id, safe='')}/page/{page}.png?start={start}&end={end}"

    async def image(self, request: Request) -> Response:
        """A page as PNG, the passage highlighted."""
        document = await self._index.document(request.path_params["doc_id"])
        number = whole_number(request.path_params["page"])
        if document is None or not number:
            return PlainTextResponse(GONE, 404)
        start, end = _span(request, document.text)
        quotes = [_row_of(document.text, start, end)] if end > start else []
        try:
            png = await self._files.picture(document.record, number, quotes)
        except RetrievalError as error:
            return PlainTextResponse(str(error), 404)
        return Response(png, media_type="image/png") if png else PlainTextResponse(GONE, 404)

    async def original(self, request: Request) -> Response:
        """The document's own file, opened by the browser where it can, at the page that `#page=` names."""
        document = await self._index.document(request.path_params["doc_id"])
        path = self._files.original(document.record) if document else None
        if document is None or path is None:
            return PlainTextResponse("The file of this document is not kept here.", 404)
        name = f"{document.record.doc_id}{path.suffix}"
        return FileResponse(path, filename=name, content_disposition_type="inline", headers=ORIGINAL)

    async def take_out(self, request: Request) -> Response:
        """Take a document out of the archive; for a while it can be put back as it was."""
        doc_id = request.path_params["doc_id"]
        try:
            stored = await self._index.stored(doc_id)
            if stored is None or not await self._files.remove(doc_id, actor(request)):
                return PlainTextResponse(GONE_DOCUMENT, 404)
        except RetrievalError as error:
            return not_taken(error)
        self._taken = dict([*self._taken.items(), (doc_id, stored)][-KEPT:])
        return JSONResponse({"text": f"{doc_id} is out of the archive.", "size": await self._size()})

    async def put_back(self, request: Request) -> Response:
        """Put a document back that was taken out on the page."""
        doc_id = request.path_params["doc_id"]
        if (taken := self._taken.get(doc_id)) is None:
            return PlainTextResponse("This cannot be undone any more. Add the file again.", 404)
        try:
            await self._files.put_back(taken, actor(request))
        except RetrievalError as error:
            return not_taken(error)
        self._taken.pop(doc_id, None)
        return JSONResponse({"text": "It is in the archive again.", "size": await self._size()})

    async def upload(self, request: Request) -> Response:
        """Take one file into the archive and say what became of it.

        One with the name of another file is taken if `replace` is sent too; else `taken` asks for that.
        """
        try:
            async with request.form(max_files=1, max_fields=2) as form:
                file = form.get("file")
                if not isinstance(file, UploadFile) or not file.filename:
                    return PlainTextResponse("Choose a file first.", 422)
                name, replace = file.filename, bool(form.get("replace"))
                report = await self._files.add(name, file.file, actor(request), replace=replace)
        except NameTaken as error:
            return JSONResponse({"text": str(error), "taken": True, "size": await self._size()})
        except (RetrievalError, OSError) as error:
            return not_taken(error)
        told = {
            "text": _render_upload(name, report),
            "refused": bool(report.skipped),
            "size": await self._size(),
        }
        return JSONResponse(told)

    async def _size(self) -> str:
        """How large the archive is, in words."""
        count = len(await self._index.records())
        return number_of(count, "document")


def whole_number(text: str) -> int:
    """The number that an address names; 0 for anything that is none, or that no document reaches."""
    return int(text) if NUMBER.fullmatch(text) else 0


def _span(request: Request, text: str) -> tuple[int, int]:
    """The offsets that an address names, kept within the text."""
    names = request.query_params
    start, end = (whole_number(names.get(key, "")) for key in ("start", "end"))
    start = min(start, len(text))
    return start, min(max(start, end), len(text))


def _row_of(text: str, start: int, end: int) -> str:
    """A passage as its page is searched for it: of a cell its row, since its value may stand anywhere."""
    first, last = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    row = text[first : last if last >= 0 else len(text)]
    return row if row.startswith("|") and "\n" not in row else text[start:end]


def _around(document: Document, start: int, end: int) -> tuple[int, int, int | None]:
    """What to show around a passage: its page, or some text on either side; and the page's number."""
    for page in document.pages:
        if page.start <= start < page.end:
            return page.start, max(page.end, end), page.number
    return *_near(document.text, start, end), None


def _near(text: str, start: int, end: int) -> tuple[int, int]:
    """Some text on either side of a passage, in whole lines unless these are very long."""
    first, last = max(0, start - SHOWN), min(len(text), end + SHOWN)
    line_starts, line_ends = (
        text.rfind("\n", max(0, first - SHOWN), first),
        text.find("\n", last, last + SHOWN),
    )
    return line_starts + 1 if line_starts >= 0 else first, line_ends if line_ends >= 0 else last


def _leads_to_the_web(source: Source) -> bool:
    """Whether a source's link may be clicked. Any other scheme, such as javascript:, is only shown."""
    try:
        parts = urlsplit(source.link)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.netloc)


def _render_upload(name: str, report: IngestReport) -> str:
    """What became of an uploaded file, in a sentence."""
    if report.skipped:
        return f"{name} was not taken: {report.skipped[0].reason}"
    if report.unchanged:
        return f"{name} is in the archive already."
    remarks = " ".join(warning.reason for warning in report.warnings)
    return f"{name} is in the archive: {report.chunks} passages to search. {remarks}".strip()
