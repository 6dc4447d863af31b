"""Sandboxes for programs: bubblewrap where it is installed, else one that says what to install."""

import shutil

from adapters.data_sections import SandboxSettings
from adapters.sandbox.bubblewrap import NEEDED, BubblewrapSandbox
from adapters.sandbox.refusing import RefusingSandbox
from agents.ports import Sandbox


def open_sandbox(settings: SandboxSettings) -> Sandbox:
    """The sandbox of this machine."""
    found = {name: shutil.which(name) for name in NEEDED}
    missing = [name for name, place in found.items() if place is None]
    if not settings.used or missing:
        return RefusingSandbox(missing if settings.used else ())
    return BubblewrapSandbox(found["bwrap"] or "", settings.limits, settings.reads)
