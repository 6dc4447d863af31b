"""The libraries of torch models: an extra, imported only when such a model is set, and quiet at loading."""

import logging
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar, cast

from retrieval.compute.device import Device
from retrieval.errors import DeviceError, ModelsMissing, RetrievalError, WeightsError

Model = TypeVar("Model")

NAMES = ("torch", "transformers", "sentence_transformers", "FlagEmbedding")
COUNTED_ON = ("roberta", "xlm-roberta", "xlm-roberta-xl", "camembert", "mpnet")
"""Kinds of models whose positions begin behind that of the padding."""
SHORTEST = 32
"""Pieces that a model has to read at least: less holds no question beside a text."""


@contextmanager
def loading(model: str, folder: object) -> Iterator[None]:
    """Import and load inside. What the libraries note while loading is for their developers, and is hidden.

    Raises:
        ModelsMissing: a library is not installed.
        WeightsError: the library cannot read the folder.
        DeviceError: the device has no memory for the model.
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
        except RetrievalError:
            raise
        except Exception as error:  # the libraries raise anything at all on damaged files
            if type(error).__name__ == "OutOfMemoryError":
                raise DeviceError(
                    f"The device has no memory for {model}: {error}. Free some, or set device to cpu."
                ) from error
            raise WeightsError(
                f"{folder} cannot be loaded: {error}. Does the folder hold the whole model (config.json, "
                "tokenizer.json, model.safetensors), and is it of the kind that is set?"
            ) from error


def from_sentence_transformers(kind: Callable[..., Model], folder: Path, device: Device) -> Model:
    """A model of sentence-transformers from its folder alone: nothing is fetched, none of its code is run."""
    return kind(
        str(folder),
        device=device.name,
        local_files_only=True,
        trust_remote_code=False,
        model_kwargs={"dtype": device.dtype},
    )


def from_flag_embedding(kind: Callable[..., Model], folder: Path, device: Device) -> Model:
    """A model of FlagEmbedding from its folder; none of its code is run. Its network is put on the device."""
    loaded: Any = kind(str(folder), use_fp16=False, devices=device.name, trust_remote_code=False)
    loaded.model = loaded.model.to(device.name, device.dtype)
    return cast(Model, loaded)


def reading_limit(model: str, wanted: int, usual: int, config: object) -> int:
    """Pieces read at a time: `wanted`, or if that is 0 `usual`, as far as the model has positions for them.

    `config` is that of transformers. One piece more than there are positions would end a GPU's work for good.
    Raises `WeightsError` if more is wanted than the model can read, or less than `SHORTEST`.
    """
    most: int = getattr(config, "max_position_embeddings", None) or wanted or usual
    if getattr(config, "model_type", "") in COUNTED_ON:
        most -= (getattr(config, "pad_token_id", None) or 0) + 1
    if wanted and not SHORTEST <= wanted <= most:
        raise WeightsError(
            f"{model} reads {SHORTEST} to {most} pieces, and max_length is {wanted}. Change it."
        )
    return wanted or min(usual, most)


def _hide_progress() -> None:
    """transformers draws a bar for each model that it loads."""
    from transformers.utils import logging as notes

    notes.disable_progress_bar()  # type: ignore[no-untyped-call,unused-ignore]
    notes.set_verbosity_error()  # type: ignore[no-untyped-call,unused-ignore]
    logging.getLogger("sentence_transformers").setLevel(logging.WARNING)
