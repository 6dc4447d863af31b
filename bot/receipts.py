"""What becomes of a message that came in."""

from dataclasses import dataclass

from bot.values import CommandName


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of a message; everything that is shown goes through the outbox.

    `command` is None for a message that was refused. `run_id` is the run it started or is about.
    `duplicate` is set when the same event had come before, or the same question a moment ago; `refused` when
    there is something to be put right in it first.
    """

    command: CommandName | None
    run_id: str = ""
    duplicate: bool = False
    refused: bool = False
