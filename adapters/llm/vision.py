"""Reads page images with a vision model behind the OpenAI API, in the manner of olmOCR."""

import base64
import re
from functools import cache
from importlib.resources import files
from typing import Any, cast

import httpx
import openai

from adapters.errors import SettingsError
from adapters.llm.address import address_of
from adapters.llm.bounded import PLAIN, client
from adapters.llm.failures import failure_of
from adapters.llm.shapes import ChatAnswer
from adapters.model_sections import ModelSettings
from agents.data_block import DATA_RULE
from retrieval.errors import DocumentError

ROLE = "vision"
"""The role under which settings name a limit for reading pages."""
_FENCED = re.compile(r"\A\s*```(?:markdown|md)?\n(.*?)\n?```\s*\Z", re.DOTALL)


class VisionOcr:
    """`OcrEngine` over `settings.vision`. Blocking, as parsers are: they run in processes of their own, into
    which it can be pickled.

    `prompt` defaults to the one shipped with the parsers. Raises `SettingsError` when no vision model is
    named.
    """

    def __init__(self, settings: ModelSettings, prompt: str | None = None) -> None:
        if not (settings.base_url and settings.vision):
            raise SettingsError("Reading scans with a model needs model.base_url and model.vision.")
        self._made_of = (settings, prompt)
        self.name = settings.vision
        address = address_of(settings.base_url)
        self._where = address.shown
        self._max_tokens = settings.max_tokens_by_role.get(ROLE, settings.max_tokens)
        self._prompt = prompt or _prompt()
        self._client = openai.OpenAI(
            base_url=address.url,
            api_key=settings.api_key.get_secret_value() or "none",
            timeout=settings.timeout,
            max_retries=settings.retries,
            default_headers=PLAIN,
            http_client=cast(Any, client(address, settings.timeout)),
        )

    def __reduce__(self) -> tuple[type["VisionOcr"], tuple[ModelSettings, str | None]]:
        """Made anew in another process: a client's connections stay where they are."""
        return VisionOcr, self._made_of

    def read(self, image_png: bytes) -> str:
        """Markdown of one page. Raises `DocumentError` when the model gives none."""
        url = f"data:image/png;base64,{base64.b64encode(image_png).decode()}"
        content = [{"type": "text", "text": self._prompt}, {"type": "image_url", "image_url": {"url": url}}]
        messages: list[dict[str, Any]] = [
            {"role": "system", "content": DATA_RULE},
            {"role": "user", "content": content},
        ]
        text = self._answer(messages)
        fenced = _FENCED.match(text)
        return (fenced[1] if fenced else text).strip()

    def _answer(self, messages: list[dict[str, Any]]) -> str:
        try:
            response = self._client.chat.completions.with_raw_response.create(
                model=self.name,
                messages=cast(Any, messages),
                temperature=0,
                seed=0,
                max_tokens=self._max_tokens or openai.omit,
            )
            answer = ChatAnswer.model_validate_json(response.content)
        except (openai.OpenAIError, httpx.HTTPError, ValueError) as error:
            failure = failure_of(error, self._where)
        else:
            return answer.choices[0].message.content or "" if answer.choices else ""
        raise DocumentError(f"The page could not be read. {failure.message}")


@cache
def _prompt() -> str:
    return files("retrieval.parse").joinpath("vision_prompt.md").read_text(encoding="utf-8")
