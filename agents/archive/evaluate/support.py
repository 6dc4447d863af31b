"""Whether every value of a report is carried by its citation, from the stored texts."""

from dataclasses import dataclass

from agents.reports.gate import Audit
from agents.reports.recheck import Texts, recheck
from agents.reports.values import Report


@dataclass(frozen=True, slots=True)
class SupportReport:
    """How many values were shown in how many reports; `wrong` tells of each that is not carried.

    `computed` and `proposed` are values that no citation carries and that say so.
    """

    reports: int = 0
    citations: int = 0
    values: int = 0
    wrong: tuple[str, ...] = ()
    computed: int = 0
    proposed: int = 0

    def __add__(self, other: "SupportReport") -> "SupportReport":
        return SupportReport(
            self.reports + other.reports,
            self.citations + other.citations,
            self.values + other.values,
            self.wrong + other.wrong,
            self.computed + other.computed,
            self.proposed + other.proposed,
        )


async def support_of(report: Report, texts: Texts) -> SupportReport:
    """The values of one report, checked over the stored texts."""
    found: Audit = await recheck(report, texts)
    wrong = tuple(f"{report.title}: {place}: {fault.value!r}: {fault.reason}" for place, fault in found.wrong)
    return SupportReport(
        1,
        len(report.citations),
        found.values,
        wrong,
        computed=found.computed,
        proposed=found.proposed,
    )
