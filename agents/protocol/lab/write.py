"""A model writes a program where no tested one fits, and corrects one that failed; its packages are looked at
before it runs.
"""

import ast
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, Field

from agents.data_block import data_block
from agents.errors import ModelError
from agents.minds.prompts import load_prompt
from agents.ports import LanguageModel
from agents.protocol.lab.machine import OWN
from agents.protocol.lab.results import Source
from agents.protocol.values import DryTask

PROMPTS = Path(__file__).parent / "prompts"
LONGEST = 30_000
"""Characters of a program."""
LOADED = re.compile(
    r"\b(?:library|require|requireNamespace|loadNamespace|attachNamespace)\s*\(\s*[\"']?([A-Za-z][\w.]*)"
)
INSIDE = re.compile(r"\b([A-Za-z][\w.]*):::?[A-Za-z.`]")
COMMENT = re.compile(r"#[^\n]*")
ENDINGS = {"r": "R", "python": "py"}
WRITTEN = ("results.csv", "summary.txt", "session.txt")
"""Files that every written program leaves."""


class Program(BaseModel):
    """What a model returns."""

    language: Literal["r", "python"]
    code: str = Field(min_length=1, max_length=LONGEST, description="the whole program")


@dataclass(frozen=True, slots=True)
class Written:
    """A program of a model; without a `source` it gave none, and `why` says why not."""

    source: Source | None = None
    why: str = ""


async def correct(
    model: LanguageModel,
    task: DryTask,
    inputs: str,
    packages: Sequence[str],
    promised: Sequence[str],
    failed: Source,
    error: str,
) -> Written:
    """A program that failed, corrected."""
    told = (
        f"This {failed.language} program failed:\n{data_block(failed.text)}\nIts error:\n{data_block(error)}"
    )
    written = await write(model, task, inputs, packages, promised, told)
    if written.source is None or written.source.language != failed.language:
        return written
    return Written(replace(written.source, name=failed.name))


def not_allowed(source: Source, packages: Sequence[str]) -> str:
    """Why a program may not run with the packages that are allowed; "" if it may."""
    if source.language == "python":
        return _python_not_allowed(source.text)
    code = COMMENT.sub("", source.text)
    used = {*LOADED.findall(code), *INSIDE.findall(code)}
    if wrong := sorted(used - {*packages} - OWN):
        return f"not allowed: package {', '.join(wrong)}. Allowed are {', '.join(packages)}."
    return ""


def _python_not_allowed(code: str) -> str:
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError) as error:
        return f"SyntaxError: {error}"
    names = {one.name for node in ast.walk(tree) if isinstance(node, ast.Import) for one in node.names}
    names |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    if wrong := sorted({name.partition(".")[0] for name in names} - sys.stdlib_module_names):
        return f"not allowed: package {', '.join(wrong)}. Allowed is the standard library."
    return ""


async def write(
    model: LanguageModel,
    task: DryTask,
    inputs: str,
    packages: Sequence[str],
    promised: Sequence[str],
    told: str = "",
) -> Written:
    """A program for a task that leaves the files `promised`. `inputs` tells what it reads, `told` more."""
    prompt = load_prompt("write", PROMPTS)
    system = prompt.render(packages=", ".join(packages) or "none", outputs=", ".join(promised))
    user = "\n\n".join(filter(None, (_task(task), f"Inputs:\n{data_block(inputs)}", told)))
    try:
        given = await model.ask(prompt.role, system, user, Program)
    except ModelError as error:
        return Written(why=f"The language model wrote no program: {error.clause}.")
    name = f"{plain(task.id)}.{ENDINGS[given.language]}"
    return Written(Source(name, given.language, given.code.strip() + "\n"))


def plain(name: str) -> str:
    """A name that a file can have."""
    return re.sub(r"[^A-Za-z0-9_-]+", "_", name).strip("_") or "task"


def _task(task: DryTask) -> str:
    asked = "; ".join(f"{name}: {value}" for name, value in task.parameters)
    told = (f"Kind of analysis: {task.assay_family}", asked)
    return "Task:\n" + data_block("\n".join(filter(None, (task.description, *told))))
