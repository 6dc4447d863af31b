"""The kinds of runs of this house: the one list. A new kind is one more line here."""

from importlib import import_module

from agents.kinds import AnyKind

MODULES = (
    "agents.archive.kind",
    "agents.safety.kind",
    "agents.vigilance.kind",
    "agents.protocol.kind",
    "agents.design.kind",
)
"""Modules with a `KIND`, in order of preference: of two equally sure of a message the first is offered
first.
"""
KINDS: tuple[AnyKind, ...] = tuple(import_module(name).KIND for name in MODULES)
