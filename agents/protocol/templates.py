"""Templates of protocols, a file for each assay family (`assays/`), and which an objective asks for."""

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import ClassVar

from pydantic import BaseModel, ConfigDict, Field

from agents.protocol.values import Dataset, Objective

COMMON, SAMPLES = "common", "samples"
BY_KIND = {
    "counts": "bulk_rnaseq",
    "expression": "microarray",
    "survival": "survival",
    "cells": "single_cell",
    "AnnData": "single_cell",
}
"""The family that a table at hand is for."""
EXPRESSION = ("bulk_rnaseq", "microarray", "single_cell")
DENIED = r"\b(?:no|not|without|nor|instead of|rather than)\s(?:(?:any|own|new|more|further|by|an?|the)\s)*"
SINGLE_CELL = re.compile(r"(?:single[- ]cell|single[- ]nucleus|sc|sn)[ -]?RNA[- ]?seq\w*", re.IGNORECASE)


class _Read(BaseModel):
    """What is read from a file: closed to other names."""

    model_config: ClassVar[ConfigDict] = ConfigDict(frozen=True, extra="forbid")


class Part(_Read):
    """A part of a protocol as its template has it."""

    id: str
    heading: str
    rationale: str
    like: str
    steps: tuple[str, ...]
    needs: tuple[str, ...] = ()


class Task(_Read):
    """What a program can do for a family: in which part it stands, the kinds of tables that it reads, and the
    families whose task it goes on from.
    """

    section: str
    description: str
    reads: tuple[str, ...]
    after: tuple[str, ...]


class Template(_Read):
    """A template. `words` and `method` are separated by bars; `after` are parts that close a protocol."""

    name: str
    title: str
    order: int
    words: str
    method: str = ""
    otherwise: str = Field(default="", alias="else")
    parts: tuple[Part, ...]
    after: tuple[Part, ...] = ()
    task: Task | None = None

    def said(self, text: str) -> str:
        """A text without what it denies of the family or its method ("no sequencing")."""
        return re.sub(DENIED + any_word(f"{self.words} | {self.method}").pattern, " ", text, flags=re.I)


def denying(text: str) -> str:
    """A text in which what "is not available" is denied as others deny: "no microarrays"."""
    return re.sub(r"([\w-]+) (?:is|are) not (?:available|possible|at hand)", r"no \1", text)


def any_word(words: str) -> re.Pattern[str]:
    """Finds any of some words or phrases that bars separate; nothing where there are none."""
    names = "|".join(re.escape(one.strip()) for one in words.split("|") if one.strip())
    return re.compile(rf"(?<!\w)(?:{names or '(?!)'})(?!\w)", re.IGNORECASE)


@cache
def templates() -> dict[str, Template]:
    """All templates by name, in the order in which their parts stand in a protocol."""
    folder = files("agents.protocol").joinpath("assays")
    found = [
        Template(name=one.name.removesuffix(".toml"), **tomllib.loads(one.read_text(encoding="utf-8")))
        for one in folder.iterdir()
        if one.name.endswith(".toml")
    ]
    return {one.name: one for one in sorted(found, key=lambda one: (one.order, one.name))}


def title_of(family: str, otherwise: str) -> str:
    """What readers call an assay family; something else for one that has no template."""
    found = templates().get(family)
    return found.title if found else otherwise


def families_of(objective: Objective, datasets: Sequence[Dataset]) -> tuple[str, ...]:
    """The families that an objective asks for, by its words and by the tables of its datasets."""
    text = denying(objective.whole)
    single = bool(SINGLE_CELL.search(text))
    text = SINGLE_CELL.sub("single-cell", text)
    every = [one for one in templates().values() if one.name != COMMON]
    asked = {one.name for one in every if any_word(one.words).search(one.said(text))} | (
        {"single_cell"} if single else set()
    )
    held = {BY_KIND.get(file.kind, "") for one in datasets if one.usable for file in one.files}
    held -= {"survival"} if asked & {"bulk_rnaseq", "microarray"} and "survival" not in asked else set()
    asked |= held - {""}
    if not asked & {*EXPRESSION, "survival"}:
        others = (one for one in every if one.said(text) == text)
        asked |= {one.name for one in others if any_word(one.otherwise).search(text)}
    return tuple(name for name in templates() if name in asked)
