"""Which models are offered, and writing one to the settings: for the terminal and the page alike."""

from collections.abc import Mapping
from pathlib import Path

import tomlkit
from tomlkit.exceptions import TOMLKitError

from adapters.errors import SettingsError
from adapters.llm.near import FAR_S, LOCAL, Offer, all_offered
from adapters.settings import file_of

NONE_FOUND = "No model answers at the usual ports of Ollama, LM Studio, llama.cpp and vLLM on this machine."
HOW = (
    "Start one, for example `ollama run qwen3:8b`, then look again.",
    "Or name another endpoint of the OpenAI API: `pestle model --url https://llm.example/v1 --name NAME`; "
    "its key is read from PESTLE_MODEL_API_KEY.",
)


async def served(url: str) -> tuple[Offer, ...]:
    """Every model that an endpoint lists; with "", those at the usual ports of this machine.

    Raises `SettingsError` for what is no address.
    """
    return await all_offered((url,) if url else LOCAL, FAR_S)


def set_model(chosen: Offer, environment: Mapping[str, str]) -> tuple[str, ...]:
    """Write a model to the settings file; what to tell of it: where, then each variable that wins over it.

    Raises `SettingsError` for a file that cannot be read or written.
    """
    file = file_of(environment)
    _write(file, chosen)
    winning = (name for name in ("PESTLE_MODEL_BASE_URL", "PESTLE_MODEL_NAME") if name in environment)
    return (
        f"Set in {file}. To undo it, take base_url and name out of its section [model].",
        *(f"{name} is set in this shell and wins over the file." for name in winning),
    )


def _write(file: Path, chosen: Offer) -> None:
    """Set `base_url` and `name` of `[model]`; all else in the file, comments too, stays."""
    try:
        text = file.read_text("utf-8") if file.exists() else ""
        document = tomlkit.parse(text)
        section = document.setdefault("model", tomlkit.table())
        section["base_url"], section["name"] = chosen.url, chosen.name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(tomlkit.dumps(document), "utf-8")
    except (OSError, UnicodeDecodeError, TOMLKitError, TypeError) as error:
        raise SettingsError(f"The settings file {file} cannot be written: {error}.") from error
