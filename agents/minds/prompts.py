"""Prompts in three layers (TSAssistant, section 3.1): system, domain skills, and the instructions of people.

- A *prompt* is a Markdown file of the system layer: who the model is, what it must do, the rules of evidence.
- A *skill* is a Markdown file of one domain: how to research and write there. It changes without the prompt.
- *Instructions* are what a user or a channel asks for on top. They are data with limited authority: fenced,
  of limited length, and they come with the task, not with the rules.

Each layer leaves its content hash in the step that uses it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import yaml
from pydantic import ConfigDict, TypeAdapter, ValidationError

from agents.data_block import INSTRUCTIONS_RULE, instructions_block, with_data_rule
from agents.runs.meter import fingerprint, marked

FRONT_MATTER = re.compile(r"\A---\n(.*?)\n---\n(.*)\Z", re.DOTALL)
VARIABLE = re.compile(r"\{\{(\w+)\}\}")
FILE = ConfigDict(extra="forbid")
"""The head of a file names nothing else than the fields of its type."""
T = TypeVar("T")
LONGEST_INSTRUCTIONS = 4000
"""Characters of people's instructions that a model gets to read."""


class PromptError(ValueError):
    """A prompt file is not usable, or was filled with the wrong variables; the message says which."""


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer of a composed prompt: "prompt", "skill" or "instructions", its name, and its text.

    `original` is the text before its variables were filled in: its hash says which version was used.
    """

    kind: str
    name: str
    text: str
    original: str

    @property
    def mark(self) -> str:
        """What a step that uses it leaves in the ledger: "skill/heart 0a1b2c3d4e5f"."""
        return marked(f"{self.kind}/{self.name}", self.original)


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt file: the role it is for, the variables it declares, its text."""

    __pydantic_config__: ClassVar[ConfigDict] = FILE
    name: str
    role: str
    variables: tuple[str, ...]
    text: str

    def render(self, **values: str) -> str:
        """The system prompt with its variables filled in, which ends with the data rule.

        A value is never expanded again. Raises `PromptError`.
        """
        return compose(self, values).system


@dataclass(frozen=True, slots=True)
class Skill:
    """A skill file: a domain's guidance, what it is called and when it helps."""

    __pydantic_config__: ClassVar[ConfigDict] = FILE
    name: str
    description: str
    text: str


@dataclass(frozen=True, slots=True)
class Composed:
    """A prompt with all its layers: what a model of this role is sent."""

    role: str
    layers: tuple[Layer, ...]

    @property
    def system(self) -> str:
        """The system prompt: the system layer, the skills, then the rules on data and on instructions."""
        parts = [layer.text for layer in self.layers if layer.kind != "instructions"]
        if self._instructions:
            parts.append(INSTRUCTIONS_RULE)
        return with_data_rule("\n\n".join(parts))

    def user(self, task: str) -> str:
        """The first message: the task, after people's instructions if there are any."""
        return "\n\n".join(filter(None, (*map(instructions_block, self._instructions), task)))

    @property
    def text(self) -> str:
        """The whole as a person reads it, each layer under its name."""
        heads = (f"### {layer.kind}: {layer.name}\n\n{layer.text}" for layer in self.layers)
        return "\n\n".join(heads)

    def fingerprint(self) -> None:
        """Leave the hash of each layer in the current step."""
        for layer in self.layers:
            fingerprint(f"{layer.kind}/{layer.name}", layer.original)

    def with_rule(self, name: str, text: str) -> "Composed":
        """The same with one more rule in its system prompt, such as the form of the answer."""
        return Composed(self.role, (*self.layers, Layer("rule", name, text, text)))

    @property
    def _instructions(self) -> list[str]:
        return [layer.text for layer in self.layers if layer.kind == "instructions"]


def compose(
    prompt: Prompt, values: dict[str, str], skills: Sequence[Skill] = (), instructions: str = ""
) -> Composed:
    """A prompt with its variables filled in, skills and instructions on top. Raises `PromptError`.

    The hash of each layer goes into the current step.
    """
    if set(values) != set(prompt.variables):
        raise PromptError(f"prompt {prompt.name} needs {sorted(prompt.variables)}, got {sorted(values)}")
    filled = VARIABLE.sub(lambda match: values[match.group(1)], prompt.text)
    layers = [Layer("prompt", prompt.name, filled, prompt.text)]
    layers += [Layer("skill", skill.name, skill.text, skill.text) for skill in skills]
    if asked := limited(instructions):
        layers.append(Layer("instructions", "people", asked, asked))
    composed = Composed(prompt.role, tuple(layers))
    composed.fingerprint()
    return composed


def limited(instructions: str) -> str:
    """Instructions without blanks around them, cut where they are too long, which they then say."""
    text = instructions.strip()
    if len(text) <= LONGEST_INSTRUCTIONS:
        return text
    return f"{text[:LONGEST_INSTRUCTIONS]}\n(Cut after {LONGEST_INSTRUCTIONS} characters.)"


@lru_cache(maxsize=256)
def load_prompt(name: str, folder: Path) -> Prompt:
    """A prompt by its file name without suffix. Raises `PromptError` for a file that does not declare what it
    uses.
    """
    path = folder / f"{name}.md"
    prompt = _read(path, Prompt, name=name)
    used = set(VARIABLE.findall(prompt.text))
    if used != set(prompt.variables):
        raise PromptError(
            f"{path.name} declares {sorted(prompt.variables)} and uses {sorted(used)}: make them equal"
        )
    return prompt


@lru_cache(maxsize=256)
def load_skill(path: Path) -> Skill:
    """A skill file that comes with the house, read once. Raises as `read_skill`."""
    return read_skill(path)


def read_skill(path: Path) -> Skill:
    """A skill file as it is now. Raises `PromptError` for one without name, description or text."""
    skill = _read(path, Skill)
    if not skill.text:
        raise PromptError(f"{path.name} has no text below its front matter")
    return skill


def _read(path: Path, kind: type[T], **known: str) -> T:
    """A file with its front matter. Raises `PromptError`."""
    parts = FRONT_MATTER.match(path.read_text(encoding="utf-8"))
    if parts is None:
        raise PromptError(f"{path.name} has no front matter: begin it with a block between --- lines")
    try:
        head = TypeAdapter(dict[str, Any]).validate_python(yaml.safe_load(parts.group(1)))
        return TypeAdapter(kind).validate_python({**head, **known, "text": parts.group(2).strip()})
    except (ValidationError, yaml.YAMLError) as error:
        raise PromptError(f"{path.name}: {error}") from error
