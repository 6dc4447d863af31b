"""`pestle labels`: drug labels that are loaded, searched by words."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from adapters.cli.archive import as_json_text
from adapters.cli.session import JsonFile, console, with_runtime, write

if TYPE_CHECKING:
    from adapters.wiring import Runtime
    from agents.databases.labels import LabelPassage


def labels_command(
    query: Annotated[str, typer.Argument(help="What to look for, in your own words.")],
    drug: Annotated[
        list[str] | None, typer.Option(help="Ingredient, salt or brand; may be given again.")
    ] = None,
    section: Annotated[
        list[str] | None,
        typer.Option(help="openFDA's name of a section, as boxed_warning; may be given again."),
    ] = None,
    limit: Annotated[int, typer.Option(help="Passages that are shown.", min=1, max=100)] = 10,
    json_file: JsonFile = None,
) -> None:
    """Find passages of labels, word for word; of all labels that are loaded, or of a drug's."""

    async def work(built: Runtime) -> tuple[LabelPassage, ...]:
        labels = built.labels_over(None) if built.reach.web else built.labels
        return await labels.search(drug or (), query, limit, section or ())

    found = with_runtime(work)
    if json_file:
        write(json_file, as_json_text({"passages": [asdict(one) for one in found]}).encode())
    for one in found:
        state = ", ".join(filter(None, (one.section.replace("_", " "), one.release or one.effective)))
        console.print(Text(f"{one.title} ({state})", style="bold"))
        console.print(Text(f"{one.text}\n"))
    if not found:
        console.tell("No passage was found. `pestle sources` says what is loaded.", wrap=True)
