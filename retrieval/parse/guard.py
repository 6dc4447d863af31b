"""Turns whatever a library raises on a file that cannot be read into an error fit to be shown."""

from collections.abc import Iterator
from contextlib import contextmanager

from retrieval.errors import CorruptDocument, RetrievalError


@contextmanager
def damaged() -> Iterator[None]:
    """The libraries raise almost anything on damaged input; all of it means the same to the user.

    An `OSError` with a number is the system's (no permission, a folder, a failing disk), one without is a
    library's word for damage.
    """
    try:
        yield
    except RetrievalError:
        raise
    except Exception as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise CorruptDocument(
                f"The file cannot be opened ({error.strerror}). Check that it is there and may be read."
            ) from error
        raise CorruptDocument(
            f"The file is damaged, or not what its name says ({type(error).__name__}). Export it again."
        ) from error
