"""The groups of settings on models, each field with its default and, in its description, its unit."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, SecretStr

from adapters.section import Section


class CheckpointSettings(Section):
    """Which weights a model has, and how it runs."""

    model: Annotated[
        str, Field(description="folder, or name on the Hugging Face hub; empty: the kind's usual one")
    ] = ""
    revision: Annotated[str, Field(description="tag or commit on the hub; empty: the newest")] = ""
    sha256: Annotated[str, Field(description="expected checksum of the weights; empty: any")] = ""
    pickles: Annotated[bool, Field(description="take weights from pickles, which can carry code")] = False
    device: Annotated[str, Field(description="cpu, cuda, cuda:1, mps; auto: a GPU if there is one")] = "auto"
    precision: Annotated[
        Literal["auto", "fp32", "bf16", "fp16"],
        Field(description="numbers of the weights; auto: fp32 on a CPU, bf16 or fp16 on a GPU"),
    ] = "auto"
    max_length: Annotated[
        int, Field(description="pieces read of a text; 0: the model's limit, at most 1024", ge=0)
    ] = 0
    batch_pieces: Annotated[
        int, Field(description="pieces in a batch, padding included; 0: as the device wants", ge=0)
    ] = 0
    waiting: Annotated[int, Field(description="requests that may wait; more are refused", ge=1)] = 256
    threshold: Annotated[
        float | None, Field(description="score that counts as similar or relevant; empty: the model's own")
    ] = None


class EncoderSettings(CheckpointSettings):
    """The model that turns texts into vectors. The index has to be made again for another one."""

    kind: Annotated[
        Literal["minilm", "sentence-transformers", "bge-m3"],
        Field(description="minilm needs no torch; the others need the extra `models`"),
    ] = "minilm"
    question_instruction: Annotated[
        str, Field(description="written before a question, or around {question}; empty: the model's own")
    ] = ""
    text_instruction: Annotated[str, Field(description="written before a text; empty: the model's own")] = ""


class RerankerSettings(CheckpointSettings):
    """The model that scores texts against a question."""

    kind: Annotated[
        Literal["late-interaction", "cross-encoder", "flag", "multi-vector"],
        Field(description="late-interaction works over the encoder; the others need the extra `models`"),
    ] = "late-interaction"


class ModelsSettings(Section):
    """Where encoder and reranker are computed."""

    remote: Annotated[
        bool, Field(description="ask `pestle worker --queues models` through Redis; false: compute here")
    ] = False
    timeout: Annotated[float, Field(description="seconds to wait for the model workers", gt=0)] = 120.0


def _by_role(value: object) -> object:
    """A variable holds text: judge=small,research=large."""
    if not isinstance(value, str):
        return value
    pairs = [part.partition("=") for part in value.split(",") if part.strip()]
    if not all(equals for _, equals, _ in pairs):
        raise ValueError("write it as judge=small,research=large")
    return {role.strip(): name.strip() for role, _, name in pairs}


class ModelSettings(Section):
    """A language model behind the OpenAI API. Without `base_url` rules do the work."""

    base_url: Annotated[
        str, Field(description="such as http://localhost:8125/v1; empty: no model", repr=False)
    ] = ""
    api_key: Annotated[SecretStr, Field(description="key, if the endpoint wants one")] = SecretStr("")
    name: Annotated[str, Field(description="model for every role that `roles` does not name")] = ""
    roles: Annotated[
        dict[str, str],
        BeforeValidator(_by_role),
        Field(
            description="a model per role, such as {judge = 'small-model'}; in a variable judge=small-model"
        ),
    ] = {}  # noqa: RUF012 (pydantic copies it)
    max_tokens: Annotated[int, Field(description="most tokens of one answer; 0: no limit", ge=0)] = 8192
    max_tokens_by_role: Annotated[
        dict[str, Annotated[int, Field(ge=0)]],
        BeforeValidator(_by_role),
        Field(description="as max_tokens for single roles; in a variable judge=1000,vision=8000"),
    ] = {}  # noqa: RUF012 (pydantic copies it)
    reading: Annotated[
        int,
        Field(description="tokens of label passages an agent begins with; 0: all that it should read", ge=0),
    ] = 0
    timeout: Annotated[float, Field(description="seconds for one answer", gt=0)] = 120.0
    retries: Annotated[int, Field(description="attempts after the first one", ge=0)] = 4
    prompt_price: Annotated[float, Field(description="US dollars for a million prompt tokens", ge=0)] = 0.0
    completion_price: Annotated[float, Field(description="US dollars for a million answer tokens", ge=0)] = (
        0.0
    )
    vision: Annotated[
        str, Field(description="model that reads scanned pages; empty: tesseract, if installed")
    ] = ""
