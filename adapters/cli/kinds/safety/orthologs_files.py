"""Files of `pestle orthologs`: FASTA in, JSON and pictures out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from adapters.cli.session import write
from bot.errors import BadRequest

if TYPE_CHECKING:
    from agents.safety.orthologs.matrix import IdentityMatrix
    from agents.safety.orthologs.values import ProteinSequence, Selection


def read_all(files: Sequence[Path]) -> list[ProteinSequence]:
    """The sequences of all files. Raises `SequenceError`, in a sentence, for one that cannot be read."""
    from agents.safety.orthologs.fasta import read_fasta

    return [one for file in files for one in read_fasta(_text(file), file.name)]


def write_json(file: Path, selection: Selection, matrix: IdentityMatrix) -> None:
    """Write everything that was found."""
    from agents.safety.orthologs.told import as_data

    text = json.dumps(as_data(selection, matrix), ensure_ascii=False, indent=1)
    write(file, f"{text}\n".encode())


def write_figures(folder: Path, selection: Selection, matrix: IdentityMatrix) -> list[Path]:
    """Write the pictures in light and dark as SVG and PNG, each with a text that tells what it shows."""
    from agents.safety.orthologs.pictures import alignment_picture, identity_picture
    from agents.safety.orthologs.views import alignment_view

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadRequest(f"{folder} cannot be made: {error.strerror}. Name another folder.") from error
    written: list[Path] = []
    view = alignment_view(selection)
    for dark, end in ((False, ""), (True, "_dark")):
        for picture in (identity_picture(matrix, dark=dark), alignment_picture(view, dark=dark)):
            made = {".svg": picture.svg, ".png": picture.png}
            texts = {} if dark else {".txt": f"{picture.title}\n\n{picture.text}\n".encode()}
            for kind, data in (made | texts).items():
                written.append(folder / f"{picture.name}{end}{kind}")
                write(written[-1], data)
    return written


def _text(file: Path) -> str:
    from agents.safety.orthologs.fasta import MOST_CHARACTERS
    from agents.safety.orthologs.values import SequenceError

    try:
        if file.stat().st_size > MOST_CHARACTERS:
            raise SequenceError(
                f"{file} is over {MOST_CHARACTERS // 1_000_000} MB; give those of some species only."
            )
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise SequenceError(f"{file} cannot be read: {error.strerror}.") from error
