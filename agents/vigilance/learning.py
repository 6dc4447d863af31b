"""scikit-learn, wherever something is learnt: an extra, imported only then (it takes a second)."""

from importlib import import_module
from typing import Any

from agents.errors import LibraryMissing


def scikit_learn(module: str) -> Any:
    """A module of the library.

    Raises:
        LibraryMissing: the extra `train` is not installed.
    """
    try:
        return import_module(f"sklearn.{module}")
    except ImportError as error:
        raise LibraryMissing(
            "Learning needs scikit-learn. Install it with: pip install 'pestle[train]'"
        ) from error
