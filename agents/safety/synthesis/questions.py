"""Study plan and open questions by rules: the gap, why it matters, and one experiment with its readout."""

from collections.abc import Container, Iterator

from agents.counts import listed
from agents.databases.facts import Topic
from agents.safety.material import Draft, Material
from agents.safety.order import Modality, SafetyOrder
from agents.safety.sections.wish import Wish
from agents.safety.synthesis.agenda import Step, agenda
from agents.safety.synthesis.conclusion import NAMED, in_use, one_sided
from agents.safety.synthesis.experiments import (
    CONFLICT,
    MEDICINES,
    SPECIES,
    WITHDRAWAL,
    general_study,
    study_for,
)
from agents.safety.synthesis.key_risks import KINDS, KeyRisk
from agents.safety.synthesis.risk_section import of
from agents.safety.synthesis.risk_table import NO_EFFECT, expected_harms, is_bare, leading
from agents.safety.synthesis.risks import relevant, shown, title_of
from agents.safety.synthesis.species import species
from agents.safety.synthesis.study_plan import of_modality
from agents.safety.synthesis.wording import (
    NO_EVIDENCE,
    STRENGTHS,
    render_findings,
    sentence,
    short_title,
)
from agents.safety.values import CellDraft, Conflict, Risk, Strength, TableDraft, cites

TITLE = "What is open, and how to settle it"
COLUMNS = ("Open question", "Why it matters", "Proposed experiment and readout")
SAME = "the study for"
KEY = 6
"""Key risks with a row, beside the rated endpoints, all of which have one."""
FURTHER, FIRST = "Further open questions", 5
"""Rows before those of gaps that stand on the first pages; others stand in the appendix."""
Row = tuple[CellDraft, CellDraft, CellDraft]


def questions(material: Material, wish: Wish) -> Draft:
    """The section by rules: contradictions first, then risks that are not settled, then gaps."""
    rows: list[Row] = [_of_conflict(one) for one in material.conflicts]
    order = material.order
    expected = {one.endpoint: study_for(one, order) for one in expected_harms(material)}
    keys: dict[str, Row] = {}
    planned: dict[str, str] = {}
    for step in agenda(material):
        if isinstance(step.about, KeyRisk):
            if step.study not in (*planned, *expected.values(), general_study(order)):
                keys.setdefault(step.study, _of_key(step.about, step))
        elif step.about.endpoint not in wish.left_out:
            title = short_title(step.about.endpoint)
            first = planned.setdefault(step.study, title)
            study = step.study if first == title else f"{SAME} {first}, with this organ examined too"
            rows.append(_of_risk(step.about, study, order))
    rows += list(keys.values())[:KEY]
    rows += [
        _of_risk(one, expected[one.endpoint], order)
        for one in material.risks
        if one.endpoint in expected.keys() - wish.left_out and relevant(one, order.direction)
    ]
    if wish.words:
        rows.sort(key=lambda row: not any(word in row[0].text.casefold() for word in wish.words))
    pressing = (*rows[:FIRST], *_gaps(material, expected))
    tables = [TableDraft(TITLE, COLUMNS, pressing)] * bool(pressing)
    if left := tuple(rows[FIRST:]):
        tables.append(TableDraft(FURTHER, COLUMNS, left, folded=True))
    return Draft((), (*tables, *of_modality(material)))


def _of_conflict(conflict: Conflict) -> Row:
    one, other = conflict.one, conflict.other
    why = f"{one.source} and {other.source} disagree, and the rating of the risk depends on which holds"
    return (
        CellDraft(f"{conflict.what}: which holds for patients?", *cites((one, other))),
        CellDraft(why),
        CellDraft(CONFLICT),
    )


def _of_key(key: KeyRisk, step: Step) -> Row:
    """The question that a key risk leaves, with the experiment that fits its effect."""
    return (
        CellDraft(sentence(key.term), *cites(key.facts)),
        CellDraft(f"{sentence(KINDS[key.kind][0])} name it"),
        CellDraft(step.study),
    )


def _of_risk(risk: Risk, study: str, order: SafetyOrder) -> Row:
    """The question that the best finding of a risk leaves, with the experiment that fits it."""
    lead = leading(risk, order.direction, 1)
    told = render_findings([one for one in lead if not is_bare(one)]) or (NO_EFFECT if lead else NO_EVIDENCE)
    return (
        CellDraft(f"{title_of(risk.endpoint)}: {told}", *cites(one.cited for one in lead)),
        CellDraft(_why(risk)),
        CellDraft(study),
    )


def _why(risk: Risk) -> str:
    """Why it is asked: how strong the evidence is, or that nobody tells."""
    if not risk.findings:
        return "a concern by what is known of the target or of such medicines, which no source tells"
    return f"{STRENGTHS[risk.strength]} evidence"


def _gaps(material: Material, expected: Container[str]) -> Iterator[Row]:
    order = material.order
    sided, used = one_sided(material), in_use(material)
    every = (shown(one, order.direction) for one in material.risks)
    if any(one.strength <= Strength.WEAK and one.endpoint not in expected for one in every):
        yield (
            CellDraft("Is there a risk at the endpoints that are not rated?"),
            CellDraft(f"no more than weak {of(order.direction)} found"),
            CellDraft(general_study(order)),
        )
    if (sided and used) or (material.of(Topic.DRUG) and not material.of(Topic.ADVERSE_EVENT)):
        yield (
            CellDraft("What did patients have with the medicines that are known against the target?"),
            CellDraft("no source that was asked tells of their harm, and it would outweigh every other line"),
            CellDraft(MEDICINES),
        )
    if gone := in_use(material, withdrawn=True):
        yield (
            CellDraft(f"Why withdrawn: {listed([one.fact.term for one in gone[:NAMED]])}?"),
            CellDraft("the target itself, or the molecule, may be the reason"),
            CellDraft(WITHDRAWAL),
        )
    if order.modality is not Modality.CELL_THERAPY and not species(material, Wish()).claims:
        yield (
            CellDraft("In which test species is the target like the human one?"),
            CellDraft("without it no finding in animals can be carried over, nor a species be chosen"),
            CellDraft(SPECIES),
        )
