"""`pestle protocol OBJECTIVE`, and what belongs to it."""

from typing import Any

import typer
from typer.core import TyperGroup

from adapters.cli.kinds.protocol.design import design_command
from adapters.cli.kinds.protocol.setup import setup_command


class _Designing(TyperGroup):
    """A group of commands that takes anything else as an objective."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the name of the command that designs before an objective."""
        if args and args[0] not in self.commands and not args[0].startswith("-"):
            args = ["design", *args]
        return super().parse_args(ctx, args)


protocol_commands = typer.Typer(
    cls=_Designing,
    help="Design a protocol: `pestle protocol 'Find the genes that …'`, the objective in quotes.",
    no_args_is_help=True,
)
protocol_commands.command(
    "design",
    help=f"{design_command.__doc__}",
    short_help="What an objective alone runs; `pestle protocol design --help` has its options.",
)(design_command)
protocol_commands.command("setup", short_help="Install R and the packages that programs need.")(setup_command)


@protocol_commands.callback()
def _group() -> None:
    """Design a protocol: `pestle protocol 'Find the genes that …'`, the objective in quotes."""
