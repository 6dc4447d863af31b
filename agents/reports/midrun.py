"""Sections that a run shows while it works: a plan, a molecule to vote on. They pass the gate as reports do.

Each is an event of the run's trail, from which its card is made. A section that is shown again takes the
place of the one of its id; so does the section of that id in a final report with several.
"""

import json
from collections.abc import Iterable
from dataclasses import replace

from agents.reports.gate import NOTHING_LEFT, gated
from agents.reports.values import Paragraph, Report, Section
from agents.runs.encoding import adapter
from agents.runs.records import Event
from agents.runs.run import Run
from agents.trust.values import Derivation

SHOWN = "thread.section"
"""Event of a section that is shown."""
SHOWING = "thread.shown"
"""What the names of the steps that show sections begin with."""


async def show(run: Run, section: Section, derived: tuple[Derivation, ...] = ()) -> None:
    """Show a section in the run's thread, or in place of the one of its id; once, also after a crash.

    `derived` are numbers of its texts that the run computed or counted itself.
    """

    async def showing(shown: Section, turn: tuple[int, str, str]) -> None:
        await run.event(SHOWN, section=shown)

    await run.step(f"{SHOWING}:{section.id}", showing, _gated(section, derived), run.turn(section.id))


def sections_shown(events: Iterable[Event]) -> tuple[Section, ...]:
    """The sections that a run has shown, each as it was shown last, in the order they first came."""
    told = (json.loads(event.detail)["section"] for event in events if event.kind == SHOWN)
    found = (adapter(Section).validate_python(one) for one in told)
    return tuple({section.id: section for section in found}.values())


def _gated(section: Section, derived: tuple[Derivation, ...]) -> Section:
    """What of a section stands, with a remark on what does not."""
    report = gated(Report(section.title, "", "", True, (section,), derived=derived))
    kept = report.sections[0] if report.sections else replace(section, blocks=(Paragraph(NOTHING_LEFT),))
    return replace(kept, blocks=(*kept.blocks, *(Paragraph(note, remark=True) for note in report.notes)))
