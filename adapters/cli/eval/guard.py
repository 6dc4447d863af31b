"""`pestle eval guard`: how often words that ask for harm are missed, and harmless ones are refused."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from adapters.cli.eval.figures import figures_table
from adapters.cli.session import JsonFile, console, load, run_to_end, write_json
from bot.errors import BadRequest


def guard_command(
    dangerous: Annotated[Path, typer.Argument(help="Requests that are to be refused, one a line.")],
    harmless: Annotated[Path, typer.Argument(help="Requests that are not.")],
    json_file: JsonFile = None,
) -> None:
    """Judge requests, and list those that are missed or wrongly refused."""
    from adapters.models import encoder_here
    from agents.chemistry.wording import HARMLESS, Wording

    encoder = encoder_here(load())
    texts = [file.read_text(encoding="utf-8").splitlines() for file in (dangerous, harmless)]

    async def judged() -> list[list[str]]:
        found = [await wording.refusals(some) for some in texts]
        return [[no.group if no else HARMLESS for no in some] for some in found]

    wording = Wording(lambda: encoder)
    if run_to_end(wording.classifier()) is None:
        raise BadRequest(
            "Without the sentence encoder words are judged by names alone. `pestle doctor` says more."
        )
    started = time.perf_counter()
    groups = run_to_end(judged())
    took = 1000 * (time.perf_counter() - started) / max(1, sum(map(len, texts)))
    table = figures_table(f"{took:.1f} ms a request", [""], ("of", "refused"))
    for file, some in zip((dangerous, harmless), groups, strict=True):
        table.add_row(file.name, str(len(some)), str(sum(map(bool, some))))
    console.print(table)
    wrong = [("missed", one) for one, group in zip(texts[0], groups[0], strict=True) if not group]
    wrong += [(f"refused ({group})", one) for one, group in zip(texts[1], groups[1], strict=True) if group]
    for what, one in wrong:
        console.tell(f"{what}: {one}")
    write_json(json_file, wrong)
