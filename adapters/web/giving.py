"""The route by which a file comes with a message, or is given to a section of a report as a source."""

from collections.abc import Awaitable, Callable

from pydantic import Field
from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from adapters.files import ArchiveFiles
from adapters.web.login import asker
from adapters.web.places import Sent, Typed
from adapters.web.refusals import not_taken
from bot.values import Attached, CommandName, Incoming
from retrieval.errors import RetrievalError

Receive = Callable[[Incoming], Awaitable[Response]]


class Gift(Sent):
    """A file for a section; `value` is what the section's button holds. Without it the file comes with the
    words of `text`.
    """

    value: Typed = Field("", max_length=200)
    text: Typed = Field("", max_length=4_000)


def giving_routes(files: ArchiveFiles, receive: Receive) -> list[Route]:
    """The route. `receive` takes the message in and answers the page."""

    async def give(request: Request) -> Response:
        try:
            async with request.form(max_files=1, max_fields=5) as form:
                return await _given(request, form, files, receive)
        except (RetrievalError, OSError) as error:
            return not_taken(error)

    return [Route("/give", give, methods=["POST"])]


async def _given(request: Request, form: FormData, files: ArchiveFiles, receive: Receive) -> Response:
    """Take the file in as a message of its sender. Raises `ValidationError`, `RetrievalError`."""
    gift = Gift.model_validate({name: value for name, value in form.items() if name != "file"})
    file = form.get("file")
    if not isinstance(file, UploadFile) or not file.filename:
        return PlainTextResponse("Choose a file first.", 422)
    async with files.held(file.filename, file.file) as path:
        given = (Attached(file.filename, str(path)),)
        by, action = asker(request), CommandName.GIVE if gift.value else ""
        return await receive(Incoming(gift.event, gift.ref, by, gift.text, action, gift.value, files=given))
