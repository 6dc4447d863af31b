"""The terminal: one command for each thing a person or an operator does. `pestle --help` lists them."""

from adapters.cli.main import main

__all__ = ["main"]
