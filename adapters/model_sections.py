"""The groups of settings on models, each field with its default and, in its description, its unit."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, SecretStr

from adapters.section import Section, paired


class CheckpointSettings(Section):
    """Which weights a model has, and how it runs."""

    model: str = Field("", description="folder, or name on the Hugging Face hub; empty: the kind's usual one")
    revision: str = Field("", description="tag or commit on the hub; empty: the newest")
    sha256: str = Field("", description="expected checksum of the weights; empty: any")
    pickles: bool = Field(False, description="take weights from pickles, which can carry code")
    device: str = Field("auto", description="cpu, cuda, cuda:1, mps; auto: a GPU if there is one")
    precision: Literal["auto", "fp32", "bf16", "fp16"] = Field(
        "auto", description="numbers of the weights; auto: fp32 on a CPU, bf16 or fp16 on a GPU"
    )
    max_length: int = Field(0, description="pieces read of a text; 0: the model's limit, at most 1024", ge=0)
    batch_pieces: int = Field(
        0, description="pieces in a batch, padding included; 0: as the device wants", ge=0
    )
    waiting: int = Field(256, description="requests that may wait; more are refused", ge=1)
    threshold: float | None = Field(
        None, description="score that counts as similar or relevant; empty: the model's own"
    )


class EncoderSettings(CheckpointSettings):
    """The model that turns texts into vectors. The index has to be made again for another one."""

    kind: Literal["minilm", "sentence-transformers"] = Field(
        "minilm", description="minilm needs no torch; the other needs the extra `models`"
    )
    question_instruction: str = Field(
        "", description="written before a question, or around {question}; empty: the model's own"
    )
    text_instruction: str = Field("", description="written before a text; empty: the model's own")


class RerankerSettings(CheckpointSettings):
    """The model that scores texts against a question."""

    kind: Literal["late-interaction", "cross-encoder", "flag"] = Field(
        "late-interaction",
        description="late-interaction works over the encoder; the others need the extra `models`",
    )


class ModelsSettings(Section):
    """Where encoder and reranker are computed."""

    remote: bool = Field(
        False, description="ask `pestle worker --queues models` through Redis; false: compute here"
    )
    timeout: float = Field(120.0, description="seconds to wait for the model workers", gt=0)


def _by_role(value: object) -> object:
    """A variable holds text: judge=small,research=large."""
    return paired(value, ",", "judge=small,research=large")


class ModelSettings(Section):
    """A language model behind the OpenAI API. Without `base_url` rules do the work."""

    base_url: str = Field("", description="such as http://localhost:8125/v1; empty: no model", repr=False)
    api_key: SecretStr = Field(SecretStr(""), description="key, if the endpoint wants one")
    name: str = Field("", description="model for every role that `roles` does not name")
    roles: Annotated[dict[str, str], BeforeValidator(_by_role)] = Field(
        {},
        description="a model per role, such as {judge = 'small-model'}; in a variable judge=small-model",
    )
    max_tokens: int = Field(8192, description="most tokens of one answer; 0: no limit", ge=0)
    max_tokens_by_role: Annotated[dict[str, Annotated[int, Field(ge=0)]], BeforeValidator(_by_role)] = Field(
        {}, description="as max_tokens for single roles; in a variable judge=1000,vision=8000"
    )
    timeout: float = Field(120.0, description="seconds for one answer", gt=0)
    retries: int = Field(4, description="attempts after the first one", ge=0)
    tokens_minute: int = Field(
        0, description="tokens a minute that all processes of a Redis may ask for; 0: no limit", ge=0
    )
    prompt_price: float = Field(0.0, description="US dollars for a million prompt tokens", ge=0)
    completion_price: float = Field(0.0, description="US dollars for a million answer tokens", ge=0)
    vision: str = Field("", description="model that reads scanned pages; empty: tesseract, if installed")


class JudgeSettings(Section):
    """Who judges whether passages carry the statements of a model."""

    model: str = Field("", description="model of the same endpoint; empty: the one that writes")
