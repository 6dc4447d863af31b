"""`pestle check`: whether the archive is what follows from its documents."""

from dataclasses import asdict
from typing import Annotated

import typer

from adapters.cli.archive import as_json_text
from adapters.cli.progress import progress
from adapters.cli.screen import one_line
from adapters.cli.session import console, with_runtime

CHECK_FOUND = 1


def check_command(
    look: Annotated[
        bool, typer.Option("--look", help="Change nothing; the exit code is 1 if something is wrong.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Read every stored document again, and set right what does not follow from them.

    Files are not needed. It finds a molecule that is named wrongly, a version that is linked wrongly, a file
    that is there twice, and an index that cannot be read.
    """
    from retrieval.ingest.check import check

    with progress(console, "documents") as shown:
        report = with_runtime(lambda built: check(built.index, repair=not look, progress=shown))
    if as_json:
        print(as_json_text(asdict(report)))
    else:
        for line in report.wrong:
            text = f"{'Repaired' if report.repaired else 'Wrong'}: {one_line(line.path)}: {line.reason}"
            console.tell(text, "yellow")
        found = f"{len(report.wrong)} things {'repaired' if report.repaired else 'wrong'}"
        console.print(f"{report.documents} documents checked: {found if report.wrong else 'all is right'}.")
    if report.wrong and not report.repaired:
        raise typer.Exit(CHECK_FOUND)
