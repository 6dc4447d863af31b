"""Replies that are refused: of another gene, or in a form that is not known here."""

from agents.databases.target import Target
from agents.errors import ToolFailed


def other_gene(title: str, found: str, target: Target) -> ToolFailed:
    """The reply is about something else than what was asked."""
    return ToolFailed(
        f"{title} replied with {found or 'another gene'}, not with {target.symbol}. Go on without it."
    )


def unknown_form(title: str, why: str) -> ToolFailed:
    """The reply is in another form than it used to be; `why` says what is missing in it."""
    return ToolFailed(f"{title} replied in a form that is not known here ({why}). Go on without it.")
