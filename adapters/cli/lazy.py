"""Groups of commands that import a command's module when the command is called: all together take seconds."""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Any, ClassVar, NamedTuple

import typer
from typer.core import TyperGroup
from typer.main import get_group


class Entry(NamedTuple):
    """A command before it is imported: its module, and what it does, in a line."""

    module: str
    help: str


Panels = Mapping[str, Mapping[str, Entry]]
"""Commands by name, below the headings of a help text."""


class LazyGroup(TyperGroup):
    """A group of commands, named by `panels`: headings of its help, and the commands below each."""

    panels: ClassVar[Panels] = {}

    @classmethod
    def of(cls, panels: Panels) -> type["LazyGroup"]:
        """A class of groups with these commands."""
        return type("Commands", (cls,), {"panels": panels})

    @classmethod
    def entries(cls) -> dict[str, Entry]:
        """All commands, in the order of the help."""
        return {name: entry for panel in cls.panels.values() for name, entry in panel.items()}

    def list_commands(self, ctx: Any) -> list[str]:
        """The names of all commands."""
        return list(self.entries())

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of this name, imported; None for none."""
        entry = self.entries().get(cmd_name)
        return command_of(entry.module, cmd_name) if entry else None

    def parse_args(self, ctx: Any, args: list[str]) -> Any:
        """As Typer does; `pestle help ask` is `pestle ask --help`."""
        return super().parse_args(ctx, [*args[1:], "--help"] if args[:1] == ["help"] else args)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """As Typer does, which takes the nearest name from `commands`."""
        if args and args[0] not in self.entries():
            self.commands = dict.fromkeys(self.entries(), self)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands below their headings; none is imported."""
        width = max(map(len, self.entries()))
        for panel, commands in self.panels.items():
            with formatter.section(panel):
                formatter.write_dl([(name.ljust(width), entry.help) for name, entry in commands.items()])


@cache
def command_of(module: str, name: str) -> Any:
    """The command: what the module's `register` adds, else its group `NAME_commands` or `NAME_command`."""
    found, word = import_module(module), name.replace("-", "_")
    made = typer.Typer(rich_markup_mode=None)
    if hasattr(found, "register"):
        found.register(made)
    elif hasattr(found, f"{word}_commands"):
        made.add_typer(getattr(found, f"{word}_commands"), name=name)
    else:
        made.command(name)(getattr(found, f"{word}_command"))
    return get_group(made).commands[name]


def of(module: str, **helps: str) -> Mapping[str, Entry]:
    """The commands of one module of `adapters.cli`, and what each does."""
    return {name: Entry(f"adapters.cli.{module}", told) for name, told in helps.items()}
