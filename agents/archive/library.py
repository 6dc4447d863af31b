"""The schema library: question types as files that an expert can edit (DiscoVerse, sections 2.1 and 2.2).

Each file says how a question of the type is recognised, how it is decomposed, and which fields the structured
answer has. Files are untrusted input: they are validated, and an error names file
and field.
"""

import re
import tomllib
from collections.abc import Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from retrieval.values import Domain

SCHEMAS = Path(__file__).parent / "schemas"
GENERAL = "general"
PLACEHOLDER = re.compile(r"\{(\w*)\}")


class SchemaError(ValueError):
    """A file of the schema library is not usable; the message names the file, the field and what is wrong."""


class Strict(BaseModel):
    """A frozen part of a schema file; unknown keys are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, ignored_types=(cached_property,))


def compiled(source: str) -> re.Pattern[str]:
    """The expression; case is ignored."""
    try:
        return re.compile(source, re.IGNORECASE)
    except re.error as error:
        raise ValueError(f"{source!r} is not a regular expression: {error}") from error


Expression = Annotated[re.Pattern[str], BeforeValidator(compiled)]


class Routing(Strict):
    """How a question of this type is recognised."""

    phrases: tuple[str, ...] = ()
    patterns: tuple[Expression, ...] = ()
    excludes: tuple[Expression, ...] = ()
    overrides: tuple[str, ...] = ()

    @cached_property
    def expressions(self) -> tuple[re.Pattern[str], ...]:
        """Patterns and phrases; a phrase matches whole words."""
        return (*self.patterns, *(compiled(rf"\b{re.escape(phrase)}\b") for phrase in self.phrases))

    def matches(self, question: str) -> bool:
        """Whether any rule recognises the question."""
        if any(expression.search(question) for expression in self.excludes):
            return False
        return any(expression.search(question) for expression in self.expressions)


class AnswerField(Strict):
    """A field of the structured answer.

    `unit` is the one that values are normalised to, "" where there is none; `options` are the values of a
    choice.
    """

    name: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    label: str = Field(min_length=1)
    type: Literal["text", "quantity", "ratio", "list", "choice"]
    unit: str = ""
    description: str = ""
    options: tuple[str, ...] = ()

    @model_validator(mode="after")
    def choices_are_listed(self) -> "AnswerField":
        """Refuse a choice without options, and options of what is no choice."""
        if (self.type == "choice") != bool(self.options):
            raise ValueError("a field of type `choice` lists its `options`, and no other field does")
        return self


class Output(Strict):
    """Heading of the answer, the sentence for "the archive does not say", and a question of this type.

    Without `ask` nobody is offered a question of the type.
    """

    heading: str = Field(min_length=1)
    absent: str = Field(min_length=1)
    ask: str = ""


class QuestionType(Strict):
    """One file of the library."""

    id: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    name: str = Field(min_length=1)
    description: str = Field(min_length=1)
    routing: Routing
    fields: tuple[AnswerField, ...] = Field(min_length=1)
    queries: Mapping[Domain, tuple[str, ...]] = Field(min_length=1)
    output: Output

    @model_validator(mode="after")
    def placeholders_are_known(self) -> "QuestionType":
        """Refuse a domain without a search, and an unknown placeholder."""
        if not all(self.queries.values()):
            raise ValueError("[queries] must give at least one search for each domain")
        texts = [text for searches in self.queries.values() for text in searches]
        for text in (*texts, self.output.absent, self.output.ask):
            if unknown := set(PLACEHOLDER.findall(text)) - {"molecule"}:
                raise ValueError(f"{text!r} uses {sorted(unknown)}; {{molecule}} is the only placeholder")
        return self

    def absent(self, molecule: str) -> str:
        """The sentence that says that the archive states nothing."""
        return self.output.absent.replace("{molecule}", molecule)


Library = Mapping[str, QuestionType]
"""Question types by id, in order of their file names."""


def load_type(path: Path) -> QuestionType:
    """One schema file. Raises `SchemaError`."""
    try:
        kind = QuestionType.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except tomllib.TOMLDecodeError as error:
        raise SchemaError(f"{path.name}: not valid TOML: {error}. Correct the file.") from error
    except ValidationError as error:
        faults = "; ".join(f"{'.'.join(map(str, e['loc'])) or 'file'}: {e['msg']}" for e in error.errors())
        raise SchemaError(f"{path.name}: {faults}. Correct the file.") from error
    if kind.id != path.stem:
        raise SchemaError(
            f"{path.name}: id: is {kind.id!r}, but the file name says {path.stem!r}. Make them equal."
        )
    return kind


def load_library(folder: Path = SCHEMAS) -> Library:
    """Every schema file of a folder. Raises `SchemaError`."""
    types = [load_type(path) for path in sorted(folder.glob("*.toml"))]
    library = {kind.id: kind for kind in types}
    if GENERAL not in library:
        raise SchemaError(f"{folder}: there is no {GENERAL}.toml. Every library needs the general type.")
    return library


@lru_cache(maxsize=1)
def default_library() -> Library:
    """The library that ships with Pestle."""
    return load_library()
