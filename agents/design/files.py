"""What a design leaves besides its report: pictures, candidates as SDF, CSV and SMILES, the transcript."""

import asyncio
import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from agents.chemistry.diversity import coverage
from agents.chemistry.drawing import grid
from agents.chemistry.export import CHEMICAL_SDF, sdf
from agents.design.brief import in_words, shown
from agents.design.lab import Lab, computation, molecule_of
from agents.design.plot import charted, pictured
from agents.design.values import Brief, Profile, Sheet
from agents.minds.debate import Entry, Floor
from agents.minds.transcript import transcript
from agents.reports.drawing import kept_figure
from agents.reports.values import PROPOSED, Figure, Origin
from agents.runs.run import Run

DRAWN = 6
"""Candidates that are drawn side by side with what changed."""
DESIGNED = Origin(PROPOSED, "the debate")


@dataclass(frozen=True, slots=True)
class Finished:
    """The last sheet with the figures that rest on it, and files."""

    sheet: Sheet
    figures: tuple[Figure, ...] = ()
    files: tuple[Figure, ...] = ()


async def finished(run: Run, lab: Lab, floor: Floor[Brief], panel: Sequence[Profile]) -> Finished:
    """Draw and write everything, once."""
    sheet = lab.sheet(floor)
    if not floor.candidates:
        return Finished(sheet)
    novelty = {one.id: lab.novelty(floor.task, molecule_of(one.proposal.what)) for one in floor.candidates}
    spread = coverage([molecule_of(one.proposal.what) for one in floor.candidates])
    pairs = (pictured(floor, sheet, novelty), charted(floor, spread))
    drawn = [await kept_figure(run, *pair) for pair in pairs]
    hashes = tuple(name for one in drawn for name in (one.sha256, one.dark))
    made = computation(sheet.rows, floor.votes[-1:], hashes, spread)
    figures = [replace(one, origin=made.origin) for one in drawn]
    figures += [await _side_by_side(run, floor)] if floor.ranked else []
    files = []
    for name, media_type, data in written(floor, sheet, panel):
        kept = await run.artefact(data, media_type, name)
        files.append(Figure(name, kept.sha256, media_type, "", origin=DESIGNED))
    return Finished(Sheet(sheet.rows, made), tuple(figures), tuple(files))


async def _side_by_side(run: Run, floor: Floor[Brief]) -> Figure:
    """The finalists drawn side by side, what differs from the start marked."""
    molecules = {one.id: molecule_of(one.proposal.what) for one in floor.ranked[:DRAWN]}
    start = molecule_of(floor.task.seeds[0]) if floor.task.seeds else None
    kept = []
    for dark in (False, True):
        picture = await asyncio.to_thread(grid, molecules, start, dark=dark)
        kept.append(await run.artefact(picture.png, "image/png", f"finalists{'_dark' * dark}.png"))
    told = "The finalists; what the start has not is marked"
    names = ", ".join(molecules)
    return Figure(told, kept[0].sha256, "image/png", names, dark=kept[1].sha256, origin=DESIGNED)


def written(floor: Floor[Brief], sheet: Sheet, panel: Sequence[Profile]) -> list[tuple[str, str, bytes]]:
    """Names, media types and contents of the files, candidates best first."""
    entries = in_order(floor)
    named = [(one.id, molecule_of(one.proposal.what), _fields(one, sheet)) for one in entries]
    smiles = "".join(f"{molecule.smiles} {name}\n" for name, molecule, _ in named)
    return [
        ("candidates.sdf", CHEMICAL_SDF, sdf(named)),
        ("candidates.csv", "text/csv", _csv(entries, sheet)),
        ("candidates.smi", "text/plain", smiles.encode()),
        ("transcript.md", "text/markdown", transcript(floor, [*_head(floor.task, panel)]).encode()),
    ]


def _head(brief: Brief, panel: Sequence[Profile]) -> Iterator[str]:
    yield from (f"Aim: {brief.aim}", f"Goals: {in_words(brief)}", f"Start: {' '.join(brief.seeds)}", "")
    yield from (f"- {one.name}: {one.role.focus if one.role else 'by published work'}" for one in panel)
    yield ""


def in_order(floor: Floor[Brief]) -> tuple[Entry, ...]:
    """All candidates: those that stand, best first, then the others as they came."""
    rest = (one for one in floor.candidates if one.id not in floor.standing)
    return (*floor.ranked, *rest)


def _fields(entry: Entry, sheet: Sheet) -> dict[str, str]:
    row, one = sheet.row(entry.id), entry.proposal
    told = {measure.value: shown(measure, value) for measure, value in row.values} if row else {}
    fit = {"desirability": f"{row.desirability:.2f}", "nearest known": row.nearest} if row else {}
    return {
        **fit,
        **told,
        "proposed by": one.by,
        "made from": one.parent,
        "change": one.change,
        "why": one.why,
    }


def _csv(entries: Sequence[Entry], sheet: Sheet) -> bytes:
    rows = [{"id": one.id, "SMILES": one.proposal.what, **_fields(one, sheet)} for one in entries]
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]) if rows else [])
    writer.writeheader()
    writer.writerows({name: _inert(value) for name, value in row.items()} for row in rows)
    return text.getvalue().encode()


def _inert(value: str) -> str:
    """A cell that no spreadsheet takes for a formula."""
    return f"'{value}" if value[:1] in "=+@" or (value[:1] == "-" and not value[1:2].isdigit()) else value
