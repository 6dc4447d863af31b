"""`pestle orthologs`: for each species the sequence that stands for a human protein, with reasons."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich import box
from rich.table import Table
from rich.text import Text

from adapters.cli.session import console, write
from bot.errors import BadRequest

if TYPE_CHECKING:
    from agents.safety.orthologs.values import Choice, ProteinSequence, Selection


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("orthologs")(orthologs_command)


def orthologs_command(
    human_file: Annotated[
        Path, typer.Option("--human", help="FASTA file with the canonical human sequence.")
    ],
    candidates: Annotated[
        list[Path], typer.Option("--candidates", help="FASTA file with candidates; may be given again.")
    ],
    more: Annotated[
        list[str] | None, typer.Argument(metavar="[FASTA|SPECIES]…", help="More files, or more species.")
    ] = None,
    species: Annotated[
        list[str] | None,
        typer.Option(help="Species, by common or scientific name; “all”: every one in the files."),
    ] = None,
    choose: Annotated[
        list[str] | None,
        typer.Option(metavar="SPECIES=ACCESSION", help="Take this sequence, whatever speaks against it."),
    ] = None,
    accept: Annotated[
        list[str] | None, typer.Option(metavar="SPECIES", help="Accept that this species has no ortholog.")
    ] = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Write everything as JSON to this file.")
    ] = None,
) -> None:
    """Choose the ortholog of each species among candidates of any database, and say why each other was
    refused.

    Without --species: monkeys, marmoset, dog, minipig, rabbit, guinea pig, hamster, rat and mouse.
    """
    from agents.runs.encoding import encode
    from agents.safety.orthologs.decisions import read_decisions
    from agents.safety.orthologs.select import select
    from agents.safety.orthologs.values import Selection, SequenceError

    try:
        files, names = _files_and_names(more or ())
        humans, given = read_all([human_file]), read_all([*candidates, *files])
        asked = read_decisions((*(species or ()), *names), choose or (), accept or (), given)
        selection = select(humans, given, asked.species, overrides=asked.overrides)
    except SequenceError as error:
        raise BadRequest(str(error)) from error
    _show(selection)
    if json_file:
        write(json_file, encode(Selection, selection)[0].encode())


def _files_and_names(words: Sequence[str]) -> tuple[list[Path], list[str]]:
    """What stands after the options: files, and names of species."""
    from agents.safety.orthologs.species import species_named

    files = [word for word in words if Path(word).exists() or not species_named(word).taxon]
    return [Path(word) for word in files], [word for word in words if word not in files]


def read_all(files: Sequence[Path]) -> list[ProteinSequence]:
    """The sequences of all files. Raises `SequenceError`, in a sentence, for one that cannot be read."""
    from agents.safety.orthologs.fasta import MOST_CHARACTERS, read_fasta
    from agents.safety.orthologs.values import SequenceError

    read: list[ProteinSequence] = []
    for file in files:
        try:
            if file.stat().st_size > MOST_CHARACTERS:
                raise SequenceError(
                    f"{file} is over {MOST_CHARACTERS // 1_000_000} MB; give those of some species only."
                )
            read += read_fasta(file.read_text(encoding="utf-8", errors="replace"), file.name)
        except OSError as error:
            raise SequenceError(f"{file} cannot be read: {error.strerror}.") from error
    return read


def _show(selection: Selection) -> None:
    human_sequence = selection.human
    console.tell(f"Human: {human_sequence.name}, {len(human_sequence.residues)} residues", wrap=True)
    for note in selection.notes:
        console.tell(note, "yellow", wrap=True)
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1))
    table.add_column("species", overflow="fold")
    table.add_column("chosen", no_wrap=True, min_width=20)
    for name in ("identity %", "length %", "refused"):
        table.add_column(name, justify="right", no_wrap=True)
    for choice in selection.choices:
        table.add_row(*map(Text, _cells(choice)))
    console.print(table)
    for choice in selection.choices:
        _explain(choice)


def _cells(choice: Choice) -> tuple[str, ...]:
    from agents.safety.orthologs.values import OrthologVerdict

    name, found = choice.species.common, choice.chosen
    refused = str(len(choice.refused))
    if found is None:
        return (name, choice.verdict.value, "", "", refused)
    by_hand = " (by hand)" if choice.verdict is OrthologVerdict.BY_HAND else ""
    measures = found.measures
    figures = (f"{measures.identity:.1f}", f"{measures.length_change:+.1f}")
    return (name, f"{found.sequence.accession}{by_hand}", *figures, refused)


def _explain(choice: Choice) -> None:
    """Why a species has this sequence or none, what to know of it, and why each other one was refused."""

    def say(text: str, style: str = "") -> None:
        console.tell(text, style, wrap=True)

    chosen = choice.chosen
    say(f"{choice.species.common}: {chosen.sequence.name if chosen else choice.verdict.value}", "bold")
    say(f"  why: {'; '.join(choice.reasons)}")
    for flag in chosen.flags if chosen else ():
        say(f"  note: {flag}", "yellow")
    if chosen is None:
        say(f"  searched: {', '.join(choice.searched) or 'nothing'}")
    for one in choice.refused:
        say(f"  refused {one.sequence.name}: {'; '.join(each.text for each in one.rejections)}")
