"""`pestle sources …`: public databases: what is loaded, and what is asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adapters.cli.archive import as_json_text
from adapters.cli.screen import one_line
from adapters.cli.session import JsonFile, console, load, with_runtime, write
from agents.counts import number_of
from bot.errors import BadRequest
from retrieval.errors import ArchiveNotFound

if TYPE_CHECKING:
    from adapters.settings import Settings
    from adapters.wiring import Runtime
    from agents.databases.bulk_format import BulkFormat
    from agents.databases.database import Database
    from agents.databases.ports import BulkRelease
    from bot.values import Table

NOTHING = "Nothing is loaded yet. `pestle sources load FILE` takes a file or a folder of files."
SAMPLED = " Until then answers rest on the sample that ships with Pestle."
NAMED = 5
"""Files that are named of those passed over for one reason."""

sources_commands = typer.Typer(invoke_without_command=True)


@sources_commands.callback(help="List public databases; `load` takes their files.")
def sources_command(context: typer.Context, json_file: JsonFile = None) -> None:
    """List the public databases of reports on targets: what of each is loaded, and whether it is asked."""
    if context.invoked_subcommand:
        return
    from adapters.archive_index import labels_kept
    from adapters.cli.render import grid
    from adapters.sources.documents import still_there
    from adapters.sources.reach import bulk_folder, read_bulk
    from agents.databases.registry import DATABASES, FORMATS

    settings = load()
    bulk, bare = read_bulk(settings), bulk_folder(settings).bare
    kept = bare or labels_kept(settings)
    loaded = {form.source: still_there(form, bulk.release(form.source), kept) for form in FORMATS}
    if json_file:
        content = {"sources": [_described(one, loaded, settings) for one in DATABASES]}
        write(json_file, as_json_text(content).encode())
        return
    console.print(grid(_table(DATABASES, loaded, settings)))
    if bare:
        console.tell(NOTHING + (SAMPLED if any(loaded.values()) else ""), wrap=True)


def _asked(one: Database, settings: Settings) -> str:
    """How the network is used for a database."""
    if not one.live:
        return "no"
    if settings.sources.mode != "live":
        return settings.sources.mode
    return "yes" if settings.sources.live else "off"


def _described(one: Database, loaded: dict[str, BulkRelease | None], settings: Settings) -> dict[str, Any]:
    """A database for a program."""
    files = [
        {
            "source": form.source,
            "file": form.file,
            "page": form.page,
            "loaded": _released(loaded[form.source]),
        }
        for form in one.formats
    ]
    return {
        "source": one.name,
        "title": one.title,
        "tells": one.tells,
        "licence": one.licence,
        "page": one.page,
        "live": _asked(one, settings),
        "files": files,
    }


def _released(release: BulkRelease | None) -> dict[str, Any] | None:
    return None if release is None else asdict(release)


def _table(
    databases: tuple[Database, ...], loaded: dict[str, BulkRelease | None], settings: Settings
) -> Table:
    from bot.values import Table

    rows = []
    for one in databases:
        forms = {form.source: form for form in reversed(one.formats)}
        for place, name in enumerate(dict.fromkeys((one.name, *reversed(forms)))):
            form = forms.get(name)
            got = f"{form.file}, {form.page}" if form else "" if forms else one.page
            rest = (_asked(one, settings), one.licence, one.tells) if place == 0 else ("", "", "")
            rows.append((name, *rest, got, _loaded(loaded.get(name))))
    return Table("Public databases", ("source", "live", "licence", "tells", "file", "loaded"), tuple(rows))


def _loaded(release: BulkRelease | None) -> str:
    """What is loaded, in a few words."""
    if release is None:
        return ""
    stated = f", {release.release}" if release.release else ""
    return one_line(f"{release.file}{stated}, {release.rows:,} rows, {release.loaded}")


@sources_commands.command("load")
def load_command(
    what: Annotated[
        list[str],
        typer.Argument(
            metavar="[SOURCE] FILE",
            help="Name of the source as `pestle sources` shows it, and a file of it (plain, gz, zip, "
            "Parquet); without a name, a file or folder whose files are recognised by how they begin.",
        ),
    ],
    release: Annotated[str, typer.Option(help="Release of the data, where the file does not say it.")] = "",
    json_file: JsonFile = None,
) -> None:
    """Take in a file of a database, in the place of an older one of it.

    A folder whose files are parts of one (part-0001.parquet …) is taken as one file. Nothing changes if the
    file is another one or is damaged.
    """
    from adapters.sources.loading import load_named, load_recognised

    if len(what) > 2:
        raise BadRequest("Name a source and a file: `pestle sources load SOURCE FILE`.")
    forms = _forms(what[0]) if len(what) == 2 else []
    path = Path(what[-1])
    if release and not forms and path.is_dir():
        raise BadRequest("--release is that of one source: name it, `pestle sources load SOURCE FOLDER`.")
    if not path.exists():
        raise ArchiveNotFound(f"There is no file or folder {path}.")
    passed: dict[str, str] = {}
    if forms:
        taken = [load_named(_load, forms, path, release)]
    else:
        taken, passed = load_recognised(_load, path, release)
    if json_file:
        content = {"loaded": [asdict(one) for one in taken], "passed_over": passed}
        write(json_file, as_json_text(content).encode())
    for one in taken:
        stated = f", release {one.release}" if one.release else ", release not stated (--release says it)"
        console.tell(f"{one.source}: {one.rows:,} rows of {one_line(one.file)}{stated}")
    for line in _passed_over(passed):
        console.tell(line, "yellow")
    if not taken:
        raise ArchiveNotFound(f"No file of a known database was recognised in {path}.")


def _passed_over(passed: dict[str, str]) -> Iterator[str]:
    """What was not taken: a line for each reason, with how many files have it and the first of them; the
    reason of most files last.
    """
    for why, count in reversed(Counter(passed.values()).most_common()):
        names = [one_line(name) for name in passed if passed[name] == why][:NAMED]
        files = f"{number_of(count, 'file')}: {', '.join(names)}{', …' if count > NAMED else ''}"
        yield f"Passed over, {one_line(why)} ({files})"


def _load(form: BulkFormat, paths: Sequence[Path], release: str) -> BulkRelease:
    """Take a file in: rows into a file of their source, labels into their index."""
    from adapters.sources.documents import load_documents
    from adapters.sources.reach import bulk_folder

    bulk = bulk_folder(load())
    if form.documents is None:
        return bulk.load(form, paths, release)

    async def work(built: Runtime) -> BulkRelease:
        return await load_documents(built.label_index, built.encoder.dimension, bulk, form, paths, release)

    return with_runtime(work)


def _forms(name: str) -> list[BulkFormat]:
    """The kinds of file of a source. Raises `BadRequest` with the nearest names."""
    from agents.databases.registry import FORMATS

    forms = [form for form in FORMATS if form.source == name]
    if not forms:
        known = dict.fromkeys(form.source for form in FORMATS)
        near = get_close_matches(name, known, 3) or list(known)
        raise BadRequest(f"No files are loaded of a source {name!r}. Sources: {', '.join(near)}.")
    return forms
