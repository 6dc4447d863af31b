"""`pestle eval claims`: what the check of claims shows of true and false ones, whatever a model says."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adapters.cli.eval.figures import figures_table
from adapters.cli.session import JsonFile, console, run_to_end, write_json
from bot.errors import BadRequest

if TYPE_CHECKING:
    from agents.trust.measure import GoldClaim


def claims_command(
    file: Annotated[
        Path, typer.Argument(help="JSON lines: id, claim, passages (title, text), supported, kind.")
    ],
    json_file: JsonFile = None,
) -> None:
    """Check claims against their passages: with a judge that approves of every claim, and one that denies it.

    Prints by kind how many are confirmed by the words of their passages, shown with a sign that they are not,
    and struck.
    """
    from agents.trust.measure import CONFIRMED, MARKED, STRUCK, checks, counted, shown_as

    gold, found = _read(file), {}
    for name, check in checks().items():
        found[name] = run_to_end(shown_as(gold, check))
        table = figures_table(name, ["claim", "kind"], (CONFIRMED, MARKED, STRUCK))
        for (true, kind), counts in sorted(counted(gold, found[name]).items(), reverse=True):
            figures = (str(counts[one]) for one in (CONFIRMED, MARKED, STRUCK))
            table.add_row("true" if true else "false", kind, *figures)
        console.print(table)
    shown = zip(gold, *found.values(), strict=True)
    write_json(json_file, [{"id": one.id, **dict(zip(found, seen, strict=True))} for one, *seen in shown])


def _read(file: Path) -> list[GoldClaim]:
    """The claims of a file. Raises `BadRequest`."""
    from pydantic import ValidationError

    from agents.trust.measure import GoldClaim

    try:
        lines = file.read_text(encoding="utf-8").splitlines()
        return [GoldClaim.model_validate_json(line) for line in lines if line.strip()]
    except (OSError, ValidationError) as error:
        raise BadRequest(f"{file} cannot be read as claims: {error}") from error
