"""Commands of pharmacovigilance."""

from adapters.cli.kinds.vigilance.events import extract_events_command, learn_events_command
from adapters.cli.kinds.vigilance.question import vigilance_command

__all__ = ["extract_events_command", "learn_events_command", "vigilance_command"]
