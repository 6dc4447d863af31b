"""Why a file that the page sent was not taken, as an answer to the page."""

from starlette.responses import PlainTextResponse, Response

from retrieval.errors import FULL, RetrievalError, StorageFull


def not_taken(error: RetrievalError | OSError) -> Response:
    """The answer that says why. Raises an `OSError` that tells of no full disk again."""
    if isinstance(error, StorageFull):
        return PlainTextResponse(str(error), 507)
    if isinstance(error, RetrievalError):
        return PlainTextResponse(str(error), 422)
    if error.errno not in FULL:  # a large body is first put down in the system's temporary folder
        raise error
    return PlainTextResponse("The disk is full: the file was not taken. Free some space.", 507)
