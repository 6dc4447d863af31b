"""The libraries of torch models: an extra, imported only when such a model is set, and quiet at loading."""

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from retrieval.errors import ModelsMissing, WeightsError

NAMES = ("torch", "transformers", "sentence_transformers", "FlagEmbedding")


@contextmanager
def loading(model: str, folder: object) -> Iterator[None]:
    """Import and load inside. What the libraries note while loading is for their developers, and is hidden.

    Raises:
        ModelsMissing: a library is not installed.
        WeightsError: the library cannot read the folder.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            _hide_progress()
            yield
        except ImportError as error:
            if (error.name or "").split(".")[0] not in NAMES:
                raise
            raise ModelsMissing(
                f"The model {model} needs {error.name}. Install it with: pip install 'pestle[models]'"
            ) from error
        except (OSError, ValueError, KeyError) as error:
            raise WeightsError(
                f"{folder} cannot be loaded: {error}. Does the folder hold the whole model (config.json, "
                "tokenizer.json, model.safetensors), and is it of the kind that is set?"
            ) from error


def _hide_progress() -> None:
    """transformers draws a bar for each model that it loads."""
    from transformers.utils import logging as notes

    notes.disable_progress_bar()  # type: ignore[no-untyped-call,unused-ignore]
    notes.set_verbosity_error()  # type: ignore[no-untyped-call,unused-ignore]
    logging.getLogger("sentence_transformers").setLevel(logging.WARNING)
