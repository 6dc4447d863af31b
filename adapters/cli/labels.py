"""`pestle labels …`: drug labels that are loaded, searched by words and meaning."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from adapters.cli.archive import as_json_text
from adapters.cli.progress import ingest_progress
from adapters.cli.session import JsonFile, console, with_runtime, write
from bot.errors import BadRequest

if TYPE_CHECKING:
    from adapters.wiring import Runtime
    from agents.databases.labels import LabelPassage
    from retrieval.values import DocumentRecord

labels_commands = typer.Typer(help="Search the drug labels that are loaded.", no_args_is_help=True)

Drugs = Annotated[
    list[str] | None, typer.Option("--drug", help="Ingredient, salt or brand; may be given again.")
]


@labels_commands.command("search")
def search_command(
    query: Annotated[str, typer.Argument(help="What to look for, in your own words.")],
    drug: Drugs = None,
    section: Annotated[
        list[str] | None,
        typer.Option(help="openFDA's name of a section, as boxed_warning; may be given again."),
    ] = None,
    limit: Annotated[int, typer.Option(help="Passages that are shown.", min=1, max=100)] = 10,
    json_file: JsonFile = None,
) -> None:
    """Find passages of labels, word for word; of all labels that are loaded, or of a drug's.

    Passages are found by words, and by meaning once `pestle labels embed` has read them.
    """

    async def work(built: Runtime) -> tuple[LabelPassage, ...]:
        return await built.house.labels_over(None).search(drug or (), query, limit, section or ())

    found = with_runtime(work)
    if json_file:
        write(json_file, as_json_text({"passages": [asdict(one) for one in found]}).encode())
    for one in found:
        state = ", ".join(filter(None, (one.section.replace("_", " "), one.effective)))
        console.print(Text(f"{one.title} ({state})", style="bold"))
        console.print(Text(f"{one.text}\n"))
    if not found:
        console.print("No passage was found. `pestle sources` says what is loaded.", markup=False)


def _told(shown: Callable[[int, int, str], None], done: int, total: int) -> None:
    shown(done, total, "Reading")


@labels_commands.command("embed")
def embed_command(drug: Drugs = None) -> None:
    """Read the labels that are loaded, or a drug's, for search by meaning.

    That takes about a second for a label on two processor cores. What is done is kept: an interrupted run
    goes on where it was. Verdicts do not depend on it.
    """
    from adapters.sources.documents import embed
    from agents.databases.ingredients import spellings
    from agents.databases.label_store import chosen_records

    def wanted(records: Sequence[DocumentRecord]) -> Sequence[DocumentRecord]:
        if not drug:
            return records
        names = set(spellings(drug))
        return chosen_records([one for one in records if names & set(one.molecules)])

    async def work(built: Runtime) -> int:
        with ingest_progress(console, "labels") as shown:
            return await embed(built.label_index, built.encoder, partial(_told, shown), wanted)

    done = with_runtime(work)
    if not done and drug:
        raise BadRequest(f"No label of {', '.join(drug)} is waiting to be read.")
    console.print(f"{done:,} labels were read; their passages are found by meaning too.", markup=False)
