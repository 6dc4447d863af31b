"""Turns whatever a parsing library raises on a broken file into the one error of a broken file."""

from collections.abc import Iterator
from contextlib import contextmanager

from retrieval.errors import CorruptDocument, RetrievalError


@contextmanager
def damaged() -> Iterator[None]:
    """The libraries raise almost anything on damaged input; all of it means the same to the user."""
    try:
        yield
    except (RetrievalError, OSError):
        raise
    except Exception as error:
        raise CorruptDocument(
            f"The file is damaged, or not what its name says ({type(error).__name__}). Export it again."
        ) from error
