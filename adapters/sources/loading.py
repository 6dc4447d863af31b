"""Which file of a place is whose: by the source that was named, or by how the file begins."""

from collections.abc import Sequence
from pathlib import Path

from adapters.errors import SettingsError
from adapters.sources.documents import Load
from adapters.sources.lines import NO_TEXT, head
from agents.databases.bulk_format import BulkFormat
from agents.databases.ports import BulkRelease
from agents.databases.registry import FORMATS, fitting
from agents.errors import WrongFile

PART = "part-"
"""How the names of a file's parts begin, as Spark and BigQuery write them."""
UNKNOWN = "no file of a known database"
LARGER = "a larger file of the same source was taken; name the source to take this one"
MOST = 5000
"""Files of a folder that are looked at."""


def load_named(load: Load, forms: Sequence[BulkFormat], path: Path, release: str = "") -> BulkRelease:
    """Load a file, or the parts in a folder, as the source that was named. Raises `WrongFile`."""
    paths = _files(path) if path.is_dir() else [path]
    if not paths:
        raise WrongFile(f"{path} holds no files.")
    form = fitting(head(paths[0]), forms) or forms[0]
    return load(form, paths, release)


def load_recognised(
    load: Load, path: Path, release: str = "", forms: Sequence[BulkFormat] = FORMATS
) -> tuple[list[BulkRelease], dict[str, str]]:
    """Load all files of a place whose kind is known; those that were passed over, and why.

    A reason does not name the file, so that files can be told together.

    Of several files of one source the largest that can be read is taken, unless they are parts of one, or the
    source adds up: then each is taken by itself. Records of one kind in one folder are parts.
    """
    found: dict[tuple[str, Path | None], list[tuple[Path, BulkFormat]]] = {}
    passed: dict[str, str] = {}
    for file in _files(path) if path.is_dir() else [path]:
        try:
            form = fitting(head(file), forms)
        except (WrongFile, OSError, SettingsError) as error:
            passed[_name(file, path)] = UNKNOWN if str(error).endswith(NO_TEXT) else _why(error, file)
            continue
        if form is None:
            passed[_name(file, path)] = UNKNOWN
        else:
            found.setdefault((form.source, file if form.documents else None), []).append((file, form))
    taken: list[BulkRelease] = []
    for candidates in found.values():
        while candidates:
            paths, form, left = _chosen(candidates)
            candidates = [one for one in candidates if one[0] in left]
            try:
                taken.append(load(form, paths, release))
            except WrongFile as error:
                passed[_name(paths[0], path)] = _why(error, paths[0])
                continue
            passed.update({_name(file, path): LARGER for file in left})
            break
    return taken, passed


def _chosen(
    candidates: Sequence[tuple[Path, BulkFormat]],
) -> tuple[list[Path], BulkFormat, list[Path]]:
    """The files to load together, their kind, and the files left out."""
    first, form = max(candidates, key=lambda one: (one[0].stat().st_size, one[0].name))
    together = [
        file
        for file, other in candidates
        if file == first
        or (other is form and file.parent == first.parent and (form.records or _parts(file, first)))
    ]
    return together, form, [file for file, _ in candidates if file not in together]


def _parts(file: Path, other: Path) -> bool:
    """Whether the names of two files of a folder are those of parts."""
    return file.name.startswith(PART) and other.name.startswith(PART)


def _files(folder: Path) -> list[Path]:
    """All files below a folder in order of their names, without hidden ones and Spark's marks."""
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return [path for path in found if path.name[0] not in "._"][:MOST]


def _why(error: Exception, file: Path) -> str:
    return str(error).removeprefix(f"{file.name} ")


def _name(file: Path, place: Path) -> str:
    return str(file.relative_to(place)) if file != place else file.name
