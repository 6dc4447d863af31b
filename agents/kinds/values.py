"""What goes in and out of a kind of run: messages and what a thread knows, wishes and sources of people."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:  # a help text reads kinds, and no report
    from agents.reports.values import Report

I = TypeVar("I")  # noqa: E741  (the input)
M = TypeVar("M")


class Certainty(IntEnum):
    """How sure a kind is that a message is meant for it."""

    POSSIBLE = 1
    """Any text could be; the kind takes what no other claims."""
    LIKELY = 2
    SURE = 3
    """The message names what only this kind does."""


@dataclass(frozen=True, slots=True)
class Named:
    """What the words of a message name, in small letters, as far as this house knows.

    They are molecules of the archive, genes (None where no list of genes is at hand), classes of drugs.
    """

    molecules: frozenset[str] = frozenset()
    genes: frozenset[str] | None = None
    classes: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class UserMessage:
    """What somebody wrote. `asked_for` is set when it began with one of the kind's command words.

    `named` is looked up where more than one kind understands the text without it.
    """

    text: str
    user: str
    asked_for: bool = False
    named: Named = Named()


@dataclass(frozen=True, slots=True)
class ThreadContext(Generic[I, M]):
    """What a thread knows, as one kind sees it.

    `remembered` is what the kind's last run left behind, None before any. `earlier` are the inputs of the
    kind's runs in this thread, newest first. `last` is the report of the thread's latest run, if that was of
    this kind. `subject` is what a digest above the thread is about, in words. `drawn` are SMILES of the
    molecules that the thread's latest report shows, for a kind that reads files of molecules.
    """

    remembered: M | None = None
    earlier: tuple[I, ...] = ()
    last: Report | None = None
    subject: str = ""
    drawn: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Understood(Generic[I]):
    """A message as the input of a run, and how sure the kind is."""

    inputs: I
    certainty: Certainty = Certainty.POSSIBLE


@dataclass(frozen=True, slots=True)
class Principal:
    """On whose behalf a run works: what this person may not read, the run does not read."""

    user: str
    thread_id: str = ""


@dataclass(frozen=True, slots=True)
class Given:
    """A text that a person gives to a section as a source. `date` is ISO 8601."""

    title: str
    text: str
    by: str
    date: str = ""


@dataclass(frozen=True, slots=True)
class RevisionRequest:
    """A wish to have one section written anew. `instruction` is "" for a plain refresh; `given` are texts
    that come to its sources.
    """

    section_id: str
    instruction: str
    by: str
    given: tuple[Given, ...] = ()


@dataclass(frozen=True, slots=True)
class Guidance:
    """What people of a channel want of all its reports: of one section, or of the whole (section "")."""

    section: str
    text: str


UNFOLLOWED = "What this channel wants of all its answers was not followed: that takes a language model."
"""What an answer by rules says where they cannot follow what a channel wants."""


@dataclass(frozen=True, slots=True)
class Watch:
    """What a kind can watch for a channel, from one day to the next.

    `key` gives what a person's words are on, as it is kept, or "" where they name nothing that is watched;
    `look` tells how that stands now, as text; `news` says in sentences what differs between two looks. `look`
    raises where nothing can be read: that is no change.
    """

    key: Callable[[str], str]
    look: Callable[[str], Awaitable[str]]
    news: Callable[[str, str], tuple[str, ...]]


def chosen(text: str, options: Sequence[str]) -> str:
    """The option that a reply names, by its number or in its words; "" if it names none."""
    reply = text.strip().strip(".!").casefold()
    if reply.isdecimal() and 1 <= int(reply) <= len(options):
        return options[int(reply) - 1]
    return next((option for option in options if option.casefold() == reply), "")
