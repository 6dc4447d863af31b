"""Who signed which section of a report, and when: for whoever reads it later."""

from dataclasses import dataclass

from agents.reports.revisions import Action, History
from agents.reports.values import SectionState

SIGNING = frozenset({Action.ACCEPTED, Action.LOCKED})


@dataclass(frozen=True, slots=True)
class SignOff:
    """Where a section stands. `by` and `at` (ISO 8601, UTC) are "" where nobody signed what it says now."""

    section: str
    state: SectionState
    by: str = ""
    at: str = ""

    @property
    def time(self) -> str:
        """When it was signed, to the minute: "2026-11-22 17:05 UTC"."""
        return f"{self.at[:16].replace('T', ' ')} UTC" if self.at else ""


def sign_offs(history: History) -> tuple[SignOff, ...]:
    """Every section in the order of the report, with the sign-off that stands."""
    signed = {line.section.id: line for line in history.lines if line.action in SIGNING}
    found = []
    for section in history.standing.sections:
        line = signed.get(section.id) if section.signed else None
        by, at = (line.by, line.at) if line else (section.signed, "")
        found.append(SignOff(section.title, section.state, by, at))
    return tuple(found)


def approvers(signed: tuple[SignOff, ...]) -> tuple[str, ...]:
    """Everybody whose sign-off stands, each once."""
    return tuple(dict.fromkeys(one.by for one in signed if one.by))
