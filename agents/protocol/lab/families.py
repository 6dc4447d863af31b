"""The assay families that have a tested R program: what may be chosen in each, and what it writes.

The programs are the `.R` files of the folder `templates`, and `families.toml` tells the rest. What is chosen
reaches them as a JSON file.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, create_model

from agents.protocol.templates import templates

TEMPLATES = Path(__file__).parent / "templates"
COMMON = "pestle.R"
"""What every program reads first."""
MARKERS = "immune_markers.csv"
"""Marker genes of immune cells (Danaher 2017, J Immunother Cancer 5:18), where a task brings none."""
CLOSED = ConfigDict(frozen=True, extra="forbid", validate_default=True)
ALWAYS = ("results.csv", "top.csv", "summary.txt", "session.txt")


@dataclass(frozen=True, slots=True)
class Family:
    """An assay family with a program: what is chosen, the R packages it needs, the files beside `ALWAYS`."""

    name: str
    choices: type[BaseModel]
    packages: tuple[str, ...]
    files: tuple[str, ...]

    @property
    def title(self) -> str:
        """What it is called for readers."""
        return templates()[self.name].title

    @property
    def program(self) -> str:
        """The name of its program."""
        return f"{self.name}.R"

    @property
    def promised(self) -> tuple[str, ...]:
        """The files that it writes."""
        return (*ALWAYS, *self.files)


def _family(name: str, told: Mapping[str, Any]) -> Family:
    compared = _FILE["compared"] if told.get("compared") else {}
    fields = {**_FILE["every"], **compared, **told["choices"]}
    typed: dict[str, Any] = {key: (_type(one), Field(**one)) for key, one in fields.items()}
    choices: type[BaseModel] = create_model(name, __config__=CLOSED, **typed)
    return Family(name, choices, tuple(told["packages"]), tuple(told["files"]))


def _type(choice: Mapping[str, Any]) -> Any:
    default = choice.get("default", "")
    return tuple[str, ...] if isinstance(default, list) else type(default)


_FILE = tomllib.loads(Path(__file__).with_name("families.toml").read_text(encoding="utf-8"))
FAMILIES = {name: _family(name, told) for name, told in _FILE["family"].items()}
"""By their names, which are those of their templates."""


@cache
def template(name: str) -> str:
    """The text of a file of the folder `templates`."""
    return (TEMPLATES / name).read_text("utf-8")
