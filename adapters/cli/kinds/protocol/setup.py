"""`pestle protocol setup`: R, its packages and the sandbox, from Debian."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING, Annotated

import typer

from adapters.cli.session import console, load, run_to_end
from bot.errors import BadRequest

if TYPE_CHECKING:
    from agents.protocol.lab.machine import Machine

MISSING = 1


def setup_command(
    yes: Annotated[bool, typer.Option("--yes", help="Install without asking.")] = False,
    look: Annotated[
        bool, typer.Option("--look", help="Install nothing; the exit code is 1 if something is missing.")
    ] = False,
    further: Annotated[
        bool, typer.Option("--further", help="Also the packages that programs of a model may use.")
    ] = False,
) -> None:
    """Install what programs of protocols need: R with a few packages, and bubblewrap. Debian and its kin.

    Everything else works without it. As an ordinary user it prints the command that an administrator runs.
    """
    from agents.protocol.lab.machine import FURTHER, debian_packages

    machine = _machine()
    wanted = debian_packages(machine, tuple(FURTHER) if further else ())
    if not wanted and not machine.why:
        console.print(f"Programs can run here: R with {', '.join(machine.allowed)}.", highlight=False)
        return
    command = ["apt-get", "install", "--yes", "--no-install-recommends", *wanted]
    console.tell(machine.why or f"R lacks packages. They are in {', '.join(wanted)}.")
    if look or not wanted:
        raise typer.Exit(MISSING)
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        raise BadRequest(f"That takes an administrator of a Debian system: sudo {' '.join(command)}")
    if not yes and not typer.confirm(f"Install {', '.join(wanted)} with what they need?"):
        raise typer.Exit(MISSING)
    for part in (["apt-get", "update", "--quiet"], command):
        if subprocess.run(part, check=False).returncode:
            raise BadRequest(f"{' '.join(part[:2])} failed; what it said stands above.")
    machine = _machine()
    console.tell(machine.why or f"Programs can run here: R with {', '.join(machine.allowed)}.")


def _machine() -> Machine:
    from adapters.sandbox import open_sandbox
    from agents.protocol.lab.machine import look

    return run_to_end(look(open_sandbox(load().sandbox)))
