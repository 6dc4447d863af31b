"""`pestle eval records`: what documents' records say, against what a reader of the first pages wrote down."""

import json
from pathlib import Path
from typing import Annotated

import typer

from adapters.cli.eval.figures import figures_table, share
from adapters.cli.session import console


def records_command(
    gold: Annotated[
        Path,
        typer.Argument(
            help='Lines such as {"path": "a.pdf", "title": "…", "date": ["2019-05"], "molecules": ["AB-1"]}; '
            'a document without a date has [""], one without molecules []. Paths are those from its folder.'
        ),
    ],
) -> None:
    """Read each document by itself and compare title, date and molecules.

    A title is right if it has the same letters and digits as the one given or one of several, such as with
    and without its second line; a date if it is one of those given. A molecule is false if it is not among
    those given.
    """
    from retrieval.molecules.codes import code_key

    right, named, false, lines = [0, 0], 0, 0, gold.read_text(encoding="utf-8").splitlines()
    for line in filter(str.strip, lines):
        true = json.loads(line)
        title, date, molecules = _read(gold.parent / true["path"])
        known = set(map(code_key, true["molecules"]))
        wrong = [name for name in molecules if code_key(name) not in known]
        titles = [true["title"]] if isinstance(true["title"], str) else true["title"]
        told = code_key(title) in map(code_key, titles), date in true["date"]
        right = [count + one for count, one in zip(right, told, strict=True)]
        named, false = named + len(molecules), false + len(wrong)
        if wrong or not all(told):
            console.tell(f"{true['path']}: {title!r}, {date!r}, false: {wrong}", wrap=True)
    total = len(lines)
    table = figures_table(f"{total} documents", (), ("titles right", "dates right", "named", "false"))
    shares = (share(one / total if total else None) for one in right)
    table.add_row(*shares, str(named), share(false / named if named else None))
    console.print(table)


def _read(path: Path) -> tuple[str, str, tuple[str, ...]]:
    """Title, date and molecules of a document's record; empty where it cannot be read."""
    from retrieval.errors import DocumentError
    from retrieval.ingest.record import describe
    from retrieval.parse import parse

    try:
        record = describe(parse(path), path.name, "")
    except DocumentError as error:
        console.tell(str(error), wrap=True)
        return "", "", ()
    return record.title, record.date, record.molecules
