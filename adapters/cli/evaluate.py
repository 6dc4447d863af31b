"""`pestle eval archive`: the questions of a gold set over its archive, scored as in the paper."""

import asyncio
import json
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table

from adapters.cli.session import console
from adapters.settings import load
from adapters.wiring import archive_tools_for
from agents.archive.evaluate import Evaluation, evaluate

evaluations = typer.Typer(help="Score Pestle on documents with gold answers.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Add the group of commands."""
    app.add_typer(evaluations, name="eval")
