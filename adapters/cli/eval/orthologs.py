"""`pestle eval orthologs`: the selection against the sequences that experts would choose."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adapters.cli.eval.figures import share
from adapters.cli.session import JsonFile, console, write_json
from bot.errors import BadRequest

if TYPE_CHECKING:
    from agents.safety.evaluate.orthologs import Scored


def orthologs_command(
    folder: Annotated[
        Path,
        typer.Argument(help="A folder for each gene: human*.fasta, FASTA of candidates, and expected.tsv."),
    ],
    json_file: JsonFile = None,
) -> None:
    """Choose orthologs and compare with the expected ones: the same sequence is exact, from 95 % identity
    partial, less a mismatch; an expected one that was refused is a false negative.
    """
    from agents.safety.evaluate.orthologs import Tier, evaluate_orthologs
    from agents.safety.orthologs.values import SequenceError

    try:
        result = evaluate_orthologs(folder)
    except SequenceError as error:
        raise BadRequest(str(error)) from error
    except OSError as error:
        raise BadRequest(f"{error.filename or folder} cannot be read: {error.strerror}.") from error
    counts = ", ".join(f"{tier.value} {number}" for tier, number in result.tiers.items())
    told = f"{result.counted} species scored: {counts}. Right: {result.right} ({share(result.accuracy)})."
    console.print(told, highlight=False)
    for one in result.scored:
        if one.tier not in (Tier.EXACT, Tier.EXCLUDED):
            console.tell(_line(one), wrap=True)
    write_json(json_file, result.as_fields())


def _line(one: Scored) -> str:
    same = "" if one.identity is None else f" ({one.identity:.1f} % identical)"
    expected, chosen = one.expected or "exclusion", one.chosen or "none"
    head = f"{one.gene}, {one.species}: {one.tier.value}; expected {expected}, chosen {chosen}{same}"
    return f"{head}: {'; '.join(one.reasons)}"
