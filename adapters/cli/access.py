"""`pestle access`: who may read which documents, and who may sign."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from adapters.cli.session import console, person, user, with_runtime
from bot.errors import BadRequest

if TYPE_CHECKING:
    from adapters.wiring import Runtime
    from bot.rights import Policy

access_commands = typer.Typer(
    help="Who may read which documents, and who may sign. Without a command: show it.",
    invoke_without_command=True,
)
Person = Annotated[str, typer.Argument(help="slack:ID, teams:ID, web:NAME.", metavar="PERSON")]
Who = Annotated[
    str, typer.Argument(help="everybody, group:NAME, slack:ID, teams:ID, web:NAME.", metavar="WHO")
]
Named = Annotated[
    str,
    typer.Argument(
        help="A collection; `everything` is what is in no other one, `expert` signs, `admin` may change it.",
        metavar="NAME",
    ),
]
OPEN = "There is no collection, so everybody who may ask reads everything. `pestle access collect` makes one."
ATTEMPTS = 5


@access_commands.callback()
def show(context: typer.Context) -> None:
    """Show collections, groups and grants."""
    if context.invoked_subcommand is None:
        say(with_runtime(_shown))


@access_commands.command()
def collect(
    name: Annotated[str, typer.Argument(help="What the collection is called.")],
    folder: Annotated[
        list[str] | None, typer.Option(help="A folder, or the beginning of an s3:// URL.")
    ] = None,
    where: Annotated[list[str] | None, typer.Option(help="What the record says: FIELD=VALUE.")] = None,
    document: Annotated[list[str] | None, typer.Option(help="The id of a document.")] = None,
) -> None:
    """Make a collection, or say anew what is in it. From the first one on only what was granted is read."""
    from pathlib import Path

    from retrieval.collections import Collection

    folders = tuple(one if "://" in one else str(Path(one).absolute()) for one in folder or ())
    if not (folder or where or document):
        raise BadRequest("Say what is in it: --folder, --where or --document.")
    made = Collection(name, folders, tuple(map(_condition, where or ())), tuple(document or ()))
    _put_in_force(lambda policy: policy.collected(made))


@access_commands.command()
def drop(name: Named) -> None:
    """Take a collection away. Its documents are then in the others whose rules they meet, or in the rest.

    Without experts everybody may sign, without admins everybody who reads all change the archive.
    """
    _put_in_force(lambda policy: policy.without(name))


@access_commands.command()
def group(
    name: Annotated[str, typer.Argument(help="What the group is called.")],
    people: Annotated[list[str] | None, typer.Argument(help="slack:ID, teams:ID, web:NAME.")] = None,
) -> None:
    """Say who is in a group; without anybody it is gone."""
    _put_in_force(lambda policy: policy.grouped(name, tuple(people or ())))


@access_commands.command()
def grant(name: Named, who: Who) -> None:
    """Let somebody read a collection, sign sections (`expert`), or change the archive (`admin`).

    From the first expert on only experts sign, and from the first admin on only admins change the archive.
    """
    _put_in_force(lambda policy: policy.granting(name, who))


@access_commands.command()
def revoke(name: Named, who: Who) -> None:
    """Take a grant back."""
    _put_in_force(lambda policy: policy.revoking(name, who))


@access_commands.command()
def why(person: Person, document: Annotated[str, typer.Argument(help="The id of a document.")]) -> None:
    """Say why somebody may read a document, or why not."""
    say(with_runtime(lambda built: _why(built, person, document)))


@access_commands.command(name="try")
def attempt(
    person: Person,
    channel: Annotated[str, typer.Option("--in", help="A channel's id on the person's platform.")] = "",
    words: Annotated[str, typer.Option("--search", help="What to search for.")] = "",
) -> None:
    """Show what somebody may read, alone or in a channel, and what a search finds for them."""
    say(with_runtime(lambda built: _tried(built, person, channel, words)))


def _put_in_force(change: Callable[[Policy], Policy]) -> None:
    say(with_runtime(lambda built: _change(built, change)))


def say(lines: list[str]) -> None:
    """Write lines as they are."""
    for line in lines:
        console.tell(line)


def _condition(text: str) -> tuple[str, str]:
    from retrieval.collections import FIELDS

    field, is_one, value = text.partition("=")
    if not is_one or not value or field not in FIELDS:
        raise BadRequest(f"{text!r} is no condition. It is FIELD=VALUE, with a field of {', '.join(FIELDS)}.")
    return field, value


async def _change(built: Runtime, change: Callable[[Policy], Policy]) -> list[str]:
    """Put a changed policy in force, tell the audit which documents it moves, and show it. Another change at
    once is no reason to lose either.
    """
    from retrieval.collections import collections_of

    policies, records = built.storage.policies, await built.index.records()
    for _ in range(ATTEMPTS):
        changed = change(before := await policies.current())
        if await policies.change(changed, user()):
            rules = (before.collections, changed.collections)
            moved = [one.doc_id for one in records if len({collections_of(one, each) for each in rules}) > 1]
            await built.tell_of(person(), moved=moved)
            return await _shown(built)
    raise BadRequest("Others change it at this moment. Try again.")


async def _shown(built: Runtime) -> list[str]:
    from bot.rights import ADMIN, EXPERT
    from retrieval.collections import collections_of

    policy = await built.readers.policy()
    lines = [] if policy.collections else [OPEN]
    if policy.collections:
        of_each = [collections_of(record, policy.collections) for record in await built.index.records()]
        for name in sorted(policy.names):
            whom = ", ".join(sorted(policy.whom(name))) or "nobody"
            lines.append(f"{name}: {sum(name in one for one in of_each)} documents, read by {whom}")
    for role, does in ((EXPERT, "signs"), (ADMIN, "changes the archive")):
        if theirs := sorted(policy.whom(role)):
            lines.append(f"{role}, who alone {does}: {', '.join(theirs)}")
    lines += [f"group {name}: {', '.join(people)}" for name, people in sorted(policy.groups.items())]
    told = sorted(policy.claimed.items())
    return [*lines, *(f"group {name}, as told: {', '.join(people) or 'nobody'}" for name, people in told)]


async def _why(built: Runtime, person: str, doc_id: str) -> list[str]:
    from bot.rights import check_person
    from retrieval.collections import collections_of

    check_person(person)
    policy = await built.readers.policy()
    document = await built.index.document(doc_id)
    if document is None:
        raise BadRequest(f"The archive has no document {doc_id!r}.")
    if not policy.collections:
        return [OPEN]
    lines, may = [], True
    for name in sorted(collections_of(document.record, policy.collections)):
        through = sorted(policy.through(name, person))
        may = may and bool(through)
        granted = f"granted to {', '.join(through)}" if through else "not granted"
        lines.append(f"It is in {name}, which is {granted}.")
    return [f"{person} may {'' if may else 'not '}read {doc_id}.", *lines]


async def _tried(built: Runtime, person: str, channel: str, words: str) -> list[str]:
    from bot.rights import check_person
    from bot.values import ThreadRef
    from retrieval.values import SearchRequest

    check_person(person)
    platform, _, one = person.partition(":")
    place = ThreadRef(platform, channel, "")
    reads = await built.readers.of(place, one, alone=not channel)
    theirs = await built.reading(reads)
    records, molecules = await theirs.index.records(), await theirs.index.molecules()
    named = "everything" if reads is None else ", ".join(sorted(reads)) or "no collection"
    at = f" in {channel}" if channel else ""
    signs = "signs" if await built.readers.may_sign(place, one) else "does not sign"
    lines = [f"{person}{at} reads {named}: {len(records)} documents, {len(molecules)} molecules; {signs}."]
    hits = await theirs.retriever.search(SearchRequest(words, limit=20)) if words else []
    found = dict.fromkeys(f"{hit.record.doc_id}: {hit.record.title}" for hit in hits)
    return [*lines, *found]
