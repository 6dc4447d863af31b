"""`pestle audit`: who did what; that nobody changed what is told of it; and what is kept of it how long."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import asdict
from datetime import timedelta
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from adapters.cli.access import say
from adapters.cli.session import JsonFile, person, with_runtime, write
from bot.errors import BadRequest

if TYPE_CHECKING:
    from adapters.storage.audit import Entry, SqlAudit
    from adapters.wiring import Runtime

T = TypeVar("T")

audit_commands = typer.Typer(
    help="Who asked, read, answered, changed, signed, exported, granted and logged in. "
    "Without a command: show the latest.",
    invoke_without_command=True,
)
BROKEN = 7
Kinds = Annotated[list[str] | None, typer.Option("--kind", help="Of this kind alone; repeatable.")]


@audit_commands.callback()
def show(
    context: typer.Context,
    who: Annotated[str, typer.Option(help="By this person: slack:ID, teams:ID, web:NAME, cli:NAME.")] = "",
    run: Annotated[str, typer.Option(help="Of this run.")] = "",
    kind: Kinds = None,
    since: Annotated[str, typer.Option(help="From this day on, YYYY-MM-DD (UTC).")] = "",
    limit: Annotated[int, typer.Option(help="How many, the latest.", min=1)] = 50,
    json_file: JsonFile = None,
) -> None:
    """Show the latest entries; `--json` writes all that fit, one a line."""
    if context.invoked_subcommand is not None:
        return

    def fits(one: Entry) -> bool:
        named = (not who or one.texts.get("by") == who) and (not run or one.run == run)
        return named and (not kind or one.kind in kind) and one.at >= since

    async def work(audit: SqlAudit) -> list[Entry]:
        found = [one async for one in audit.entries() if fits(one)]
        if json_file:
            await audit.note("exported", by=person(), text=f"{len(found)} entries of the audit")
        return found

    found = _with_audit(work)
    if json_file:
        import orjson

        lines = (orjson.dumps(asdict(one), option=orjson.OPT_APPEND_NEWLINE) for one in found)
        write(json_file, b"".join(lines))
    for one in found[-limit:]:
        plain = ((name, value) for name, value in one.facts.items() if isinstance(value, str | int))
        facts = [f"{name} {value}" for name, value in plain if value]
        told = (one.texts.get("by", "?"), one.kind, one.run, one.texts.get("on", ""), *facts)
        say([f"{one.number:6} {one.at[:19]} " + " ".join(filter(None, told))])


@audit_commands.command()
def verify(
    head: Annotated[str, typer.Option(help="A head that was noted elsewhere: it must be there.")] = "",
) -> None:
    """Prove that no entry was changed, put in or taken out. Exit code 7, and the first that was, if not.

    The head that is shown is worth noting elsewhere: with it the end cannot be cut off, nor all written anew.
    """
    count, last, wrong = _with_audit(lambda audit: audit.verified(head))
    say([f"{count} entries hold. Head: {last or 'none'}"])
    if wrong:
        say([wrong])
        raise typer.Exit(BROKEN)


@audit_commands.command()
def purge(
    days: Annotated[int, typer.Option(help="Keep the last so many days.", min=0)],
    kind: Kinds = None,
) -> None:
    """Delete names and texts of older entries. The chain stays, and what a hold is on."""
    from agents.runs.clock import stamp, utc_now

    before = stamp(utc_now() - timedelta(days=days))
    count = _with_audit(lambda audit: audit.purge(person(), before, kind or ()))
    say([f"Names and texts of {count} entries are deleted."])


@audit_commands.command()
def forget(who: Annotated[str, typer.Argument(help="slack:ID, teams:ID, web:NAME, cli:NAME.")]) -> None:
    """Delete what entries say of a person and their account, and rename them in runs, reports and grants."""
    from bot.rights import check_person

    check_person(who)
    count = _with_audit(lambda audit: audit.forget(who, person()))
    say([f"{count} entries say nothing of them any more."])


@audit_commands.command()
def hold(
    on: Annotated[str, typer.Argument(help="A person, such as slack:ID; a run's id; or `everything`.")],
    why: Annotated[str, typer.Option(help="The reason.")] = "",
    end: Annotated[bool, typer.Option("--end", help="End the hold.")] = False,
) -> None:
    """From now on purge and forget nothing of a person, a run or everything; or end that."""
    if not _with_audit(lambda audit: audit.hold(on, person(), why, end=end)):
        raise BadRequest(f"{'No' if end else 'A'} hold is on {on}. `pestle audit --kind held` lists them.")
    say([f"{'No' if end else 'A'} hold is on {on} now."])


def _with_audit(work: Callable[[SqlAudit], Awaitable[T]]) -> T:
    async def over(built: Runtime) -> T:
        return await work(built.storage.audit)

    return with_runtime(over)
