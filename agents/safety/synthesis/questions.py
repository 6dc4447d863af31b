"""Open questions by rules: what the evidence leaves open, why, and an experiment that would settle it."""

from collections.abc import Iterator

from agents.safety.material import Draft, Material
from agents.safety.order import SafetyOrder
from agents.safety.sections.wish import Wish
from agents.safety.synthesis.experiments import CONFLICT, EXPERIMENTS, NO_EVIDENCE, NOT_ASKED
from agents.safety.synthesis.risk_table import best
from agents.safety.synthesis.risks import lines_of, ordered, relevant, title_of
from agents.safety.values import CellDraft, Conflict, Risk, Strength, TableDraft

TITLE = "What is open, and how to settle it"
COLUMNS = ("Question", "Why it is open", "Proposed experiment")
MOST = 8
Row = tuple[CellDraft, CellDraft, CellDraft]


def questions(material: Material, wish: Wish) -> Draft:
    """The section by rules: contradictions first, then risks that are not settled, then gaps."""
    order = material.order
    risks = [one for one in ordered(material.risks, order.direction) if relevant(one, order.direction)]
    rows: list[Row] = [_of_conflict(one) for one in material.conflicts[:2]]
    rows += [_of_risk(one, order) for one in risks if one.strength >= Strength.MODERATE][: MOST - len(rows)]
    rows += _gaps(material)
    if wish.words:
        rows.sort(key=lambda row: not any(word in row[0].text.casefold() for word in wish.words))
    return Draft((), (TableDraft(TITLE, COLUMNS, tuple(rows)),))


def _of_conflict(conflict: Conflict) -> Row:
    one, other = conflict.one, conflict.other
    return (
        CellDraft(f"{conflict.what}: which holds for patients?"),
        CellDraft(
            "the sources say different things",
            tuple(dict.fromkeys((one.key, other.key))),
            (*one.fact.quotes, *other.fact.quotes),
        ),
        CellDraft(CONFLICT),
    )


def _of_risk(risk: Risk, order: SafetyOrder) -> Row:
    lines = lines_of(risk.findings)
    shown = best(risk, order.direction, 2)
    how = f" by {order.direction}" if order.direction else " by changing the target"
    if "clinical" in lines:
        asked = f"{title_of(risk.endpoint)}: is what patients show caused{how}, and at which exposure?"
    elif "human genetics" in lines:
        asked = f"{title_of(risk.endpoint)}: does what a lifelong change brings also follow from treatment?"
    else:
        asked = f"{title_of(risk.endpoint)}: does it occur in people{how}?"
    keys = tuple(dict.fromkeys(one.cited.key for one in shown))
    quotes = tuple(dict.fromkeys(quote for one in shown for quote in one.cited.fact.quotes))
    terms = "; ".join(one.cited.fact.term or one.effect for one in shown)
    return (CellDraft(asked), CellDraft(terms, keys, quotes), CellDraft(EXPERIMENTS[risk.endpoint]))


def _gaps(material: Material) -> Iterator[Row]:
    empty = [title_of(one.endpoint) for one in material.risks if not one.findings]
    if empty:
        yield (
            CellDraft(f"Is there a risk where no evidence was found: {'; '.join(empty)}?"),
            CellDraft("no evidence found; that is no proof of safety"),
            CellDraft(NO_EVIDENCE),
        )
    if material.missing:
        yield (
            CellDraft("What do the sources say that could not be asked?"),
            CellDraft("each section names those that are missing"),
            CellDraft(NOT_ASKED),
        )
