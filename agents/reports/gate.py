"""The gate for truth: nothing that a report shows may go beyond its citations.

A number with its unit, a date, a name, an identifier stands only where its own citation carries it, word for
word or derived from what it says, and where it fits the property that it is given for. What does not stand is
struck, and a note says so. Every report passes here: `RunKind` puts the gate before its `report`.
docs/decisions/0012-gate.md says why.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from agents.reports.origins import not_in_output, origin_faults, origins_of
from agents.reports.shown import NOT_MADE, Shown, rewritten
from agents.reports.values import COMPUTED, PROPOSED, Paragraph, Report, cited_by
from agents.text.clauses import carried_part
from agents.trust.enumerated import listed
from agents.trust.support import Fault, count_values, faults
from agents.trust.values import LEGENDS, Standing, Verdict

NOTHING_LEFT = "What was found is not shown: the passages behind it do not carry it."
NOT_CARRIED = "Not carried by its sources"
STRUCK = "Not shown, since the citations do not carry it"
LACKS = "[…]"
"""Stands where a proposal lost a part that its citations do not carry."""
NO_SOURCE = "(no source found)"
"""Follows a proposal that tells a finding and cites nothing. It is not cut: the rest would be carried out. No
cell of a table bears it: the table says whose it is.
"""
PASSAGES_LEFT = "No value that its source carries can be given; the passages that come closest stand below."
_HOLDS = 64


@dataclass(frozen=True, slots=True)
class Audit:
    """How many values a report shows, and those that nothing carries, with their places. `computed` and
    `proposed` count values that no citation carries and that say so.
    """

    values: int = 0
    wrong: tuple[tuple[str, Fault], ...] = ()
    computed: int = 0
    proposed: int = 0

    def __add__(self, other: "Audit") -> "Audit":
        return Audit(
            self.values + other.values,
            self.wrong + other.wrong,
            self.computed + other.computed,
            self.proposed + other.proposed,
        )


@lru_cache(maxsize=_HOLDS)
def gated(report: Report, closest: str = "") -> Report:
    """The report without what its citations do not carry, and with a note of what was struck.

    Without a short answer left, the first statement opens the report if it stands as it was judged; else the
    sentence that passages are left. `closest` is what it is called then; "" for what it was called.
    """
    struck: Counter[str] = Counter()
    marked: list[str] = []

    def keep(shown: Shown) -> str:
        kept = _carried(shown)
        if not kept.startswith(shown.text):
            struck[shown.place] += 1
        elif kept != shown.text:
            marked.append(kept)
        return kept

    report = _explained(report)
    kept = rewritten(report, keep)
    if not struck:
        return kept if marked else report
    if report.found and not _cites(kept) and _cites(report):
        kept = _emptied(kept)
    return replace(_opened(kept, first_statement(report), closest), notes=(*kept.notes, _note(struck)))


def _explained(report: Report) -> Report:
    """The report with a note on each sign that its statements bear."""
    signs = {one.standing for section in report.sections for one in section.statements}
    told = [line for sign, line in LEGENDS.items() if sign in signs and line not in report.notes]
    return replace(report, notes=(*report.notes, *told)) if told else report


def audit(report: Report) -> Audit:
    """What a report shows, and what of it does not stand. Nothing is struck."""
    found: list[Audit] = []

    def look(shown: Shown) -> str:
        wrong = () if shown.verbatim else tuple((shown.place, one) for one in _faults(shown, shown.text))
        wrong = () if _origin_beside(shown, shown.text) or _is_marked(shown) else wrong
        count, kind = count_values(shown.text), _origin_of(shown)
        found.append(Audit(count, wrong, count * (kind == COMPUTED), count * (kind == PROPOSED)))
        return shown.text

    rewritten(report, look)
    return sum(found, Audit())


def _carried(shown: Shown) -> str:
    """What of a text stands; one that retells what is computed or proposed says so."""
    marks: set[str] = set()

    def stands(text: str) -> bool:
        if not any(_faults(shown, text)):
            return True
        origin = _origin_beside(shown, text)
        marks.update((origin,) if origin else ())
        return bool(origin)

    if shown.verbatim or _is_marked(shown):
        return shown.text
    if _rests_on_nothing(shown):
        return f"{shown.text} {NO_SOURCE}" if any(_faults(shown, shown.text)) else shown.text
    if shown.whole:
        return shown.text if stands(shown.text) else ""
    kept = carried_part(shown.text, stands)
    if kept and kept != shown.text and _is_proposal(shown):
        kept = f"{kept} {LACKS}"
    missing = [f"({mark})" for mark in sorted(marks) if f"({mark})" not in kept]
    return " ".join((kept, *missing)) if kept else ""


def _is_proposal(shown: Shown) -> bool:
    return shown.origin is not None and shown.origin.kind == PROPOSED


def _rests_on_nothing(shown: Shown) -> bool:
    """Whether a text is a proposal that cites nothing."""
    return _is_proposal(shown) and not shown.never and not shown.support.carriers


def _is_marked(shown: Shown) -> bool:
    """Whether a proposal, or the table that holds it, says already that a finding in it has no source."""
    return _rests_on_nothing(shown) and (shown.place.startswith("table") or shown.text.endswith(NO_SOURCE))


def _faults(shown: Shown, text: str) -> Iterator[Fault]:
    """The values of a text, or of a part of it, that neither its citations nor its origin carry."""
    if shown.never:
        yield Fault(shown.place, NOT_MADE)
    elif shown.origin is not None:
        yield from origin_faults(shown.read(text), shown.origin, shown.outputs, shown.support)
    else:
        of_list = text != shown.text and bool(listed(shown.text).items)
        yield from faults(shown.read(text), shown.support, of_list)


def _origin_beside(shown: Shown, text: str) -> str:
    """The kind of origin that a text without one retells; "" for none."""
    read = shown.read(text)
    fits = (kind for kind, texts in shown.beside if not any(not_in_output(read, texts, shown.support)))
    return next(fits, "")


def _origin_of(shown: Shown) -> str:
    """The kind of origin that a text rests on and no citation does; "" for none."""
    if shown.origin is None or (shown.support.carriers and not any(faults(shown.text, shown.support))):
        return ""
    return shown.origin.kind


def _cites(report: Report) -> bool:
    return any(cited_by(block) or origins_of(block) for block in report.blocks)


def _emptied(report: Report) -> Report:
    """A report of which nothing that cites anything is left."""
    return replace(
        report,
        outcome=NOT_CARRIED,
        short=NOTHING_LEFT,
        found=False,
        sections=tuple(replace(one, blocks=(Paragraph(NOTHING_LEFT),)) for one in report.sections),
        not_found=(*report.not_found, NOTHING_LEFT),
    )


def first_statement(report: Report) -> str:
    """The first statement, if it was judged to be supported and not by a model alone; else "". By the form
    of an answer it carries the short one.
    """
    for section in report.sections[:1]:
        for statement in section.statements:
            if (claim := statement.claim) is not None:
                stands = claim.verdict is Verdict.SUPPORTED and claim.standing is Standing.CONFIRMED
                return statement.text if stands else ""
    return ""


def _opened(report: Report, first: str, closest: str) -> Report:
    """The report with a short answer.

    Where its own was struck, the statement that carried it takes its place if it stands; nothing else does,
    for what else stands, such as the headline, tells something else.
    """
    if report.short:
        return report
    if report.found and first and first == first_statement(report):
        return replace(report, short=first)
    if not report.found:
        return replace(report, short=report.outcome)
    return replace(report, short=PASSAGES_LEFT, outcome=closest or report.outcome)


def _note(struck: Counter[str]) -> str:
    """What was struck, without its values."""
    places = ", ".join(f"{place} ({count})" if count > 1 else place for place, count in struck.items())
    return f"{STRUCK}: {places}."
