"""Prompts as Markdown files with declared variables. Each one used in a step leaves its content hash in the
ledger.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from agents.data_block import DATA_RULE
from agents.runs.meter import fingerprint

FOLDER = Path(__file__).parent
FRONT_MATTER = re.compile(r"\A---\n(.*?)\n---\n(.*)\Z", re.DOTALL)
VARIABLE = re.compile(r"\{\{(\w+)\}\}")


class PromptError(ValueError):
    """A prompt file is not usable, or was filled with the wrong variables; the message says which."""


class FrontMatter(BaseModel):
    """The head of a prompt file: the model's role and the variables that the text uses."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    role: str
    variables: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt file: the role it is for, the variables it declares, its text."""

    name: str
    role: str
    variables: tuple[str, ...]
    text: str

    def render(self, **values: str) -> str:
        """The text with its variables filled in; a value is never expanded again. Raises `PromptError`."""
        if set(values) != set(self.variables):
            raise PromptError(f"prompt {self.name} needs {sorted(self.variables)}, got {sorted(values)}")
        fingerprint(f"prompt/{self.name}", self.text)
        return f"{VARIABLE.sub(lambda match: values[match.group(1)], self.text)}\n\n{DATA_RULE}"


@lru_cache(maxsize=32)
def load_prompt(name: str, folder: Path = FOLDER) -> Prompt:
    """A prompt by its file name without suffix. Raises `PromptError` for a file that does not declare what it
    uses.
    """
    path = folder / f"{name}.md"
    parts = FRONT_MATTER.match(path.read_text(encoding="utf-8"))
    if parts is None:
        raise PromptError(f"{path.name} has no front matter: begin it with a block between --- lines")
    try:
        head = FrontMatter.model_validate(yaml.safe_load(parts.group(1)))
    except ValidationError as error:
        raise PromptError(f"{path.name}: {error}") from error
    used = set(VARIABLE.findall(parts.group(2)))
    if used != set(head.variables):
        raise PromptError(
            f"{path.name} declares {sorted(head.variables)} and uses {sorted(used)}: make them equal"
        )
    return Prompt(name, head.role, head.variables, parts.group(2).strip())
