"""The record of a document, set right on the page: what `pestle documents edit` does in the terminal."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from adapters.files import ArchiveFiles
from adapters.web.login import actor
from retrieval.errors import ArchiveNotFound, RetrievalError
from retrieval.ingest.edit import PLAIN, STATUS, edited, reset, undone
from retrieval.ingest.record import MOLECULES_SET
from retrieval.values import DocumentRecord

Words = Annotated[str, Field(max_length=500)]


class Edit(BaseModel):
    """Fields of a record as the form has them, or what to take back of earlier edits."""

    model_config = ConfigDict(extra="forbid")

    fields: dict[Words, Words] = Field({}, max_length=20)
    back: Literal["", "last", "all"] = ""

    def of(self, record: DocumentRecord) -> DocumentRecord:
        """The record as it is wanted. What is as it was is no edit. Raises `EditRefused`."""
        if self.back:
            return undone(record) if self.back == "last" else reset(record)
        changes = self.fields.items() - shown_fields(record).items()
        return edited(record, dict(sorted(changes)))


def shown_fields(record: DocumentRecord) -> dict[str, str]:
    """The fields that can be edited, as the form shows them."""
    return {
        **{name: str(getattr(record, name)) for name in PLAIN},
        MOLECULES_SET: "; ".join(record.molecules),
        STATUS: record.status.value if record.status else "",
    }


def records_routes(files: ArchiveFiles) -> list[Route]:
    """The route that takes an edit."""

    async def edit(request: Request) -> Response:
        wanted = Edit.model_validate_json(await request.body())
        try:
            record = await files.edit(request.path_params["doc_id"], wanted.of, actor(request))
        except ArchiveNotFound as error:
            return PlainTextResponse(str(error), 404)
        except RetrievalError as error:
            return PlainTextResponse(str(error), 422)
        return JSONResponse(
            {"text": f"The record of {record.doc_id} is kept so, also when its file is read again."}
        )

    return [Route("/documents/{doc_id:path}/record", edit, methods=["POST"])]
