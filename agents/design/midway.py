"""Sections that are shown while a debate goes on: the brief before it, and how each round ended."""

from collections.abc import Iterator, Sequence

from agents.design.brief import MEASURES, asked, goal_in_words, shown
from agents.design.history import NOTHING, Past
from agents.design.lab import gone, misses, molecule_of, starts
from agents.design.people import ROUND
from agents.design.values import Brief, Measure, Profile, Sheet, Weighed
from agents.minds.debate import Entry, Floor
from agents.reports.compose import Composer
from agents.reports.values import (
    PROPOSED,
    Block,
    Cell,
    Heading,
    Origin,
    Paragraph,
    Points,
    Section,
    Statement,
    Structure,
    Table,
)
from agents.trust.values import Claim, Verdict

SHOWN, DRAWN, TELLING = 5, 3, 4
"""Candidates of a round's table, those that are drawn, and the measures that are shown of them."""
COLUMNS = (Measure.QED, Measure.SA, Measure.LOGP, Measure.TPSA, Measure.MW, Measure.LOGS, Measure.CNS_MPO)
OF_A_SET = (Measure.LOGP, Measure.TPSA, Measure.MW, Measure.LOGS)
BESIDES = (Measure.HBD, Measure.PKA, Measure.LIKE, Measure.UNLIKE, Measure.ORACLE)
VOTES_RANK = (
    "Candidates, what misses the fewest goals and groups of the start first, then as the votes rank them"
)
CHAIR_RANKS = "Computed of the set, in its order"
CHAIRED = Origin(PROPOSED, "the chair")
STEER = (
    "Write `vote 2`, `veto 3`, `pin 2`, a SMILES of your own, `weight solubility 2`, `logP 1 to 3`, "
    "`enough`, or what you think; the emoji of a number votes as well. The next round takes it in."
)
CHANGE = (
    "To change it, write for example `logP 1 to 3`, `best logP 2`, `TPSA at most 80`, `weight QED 2` or "
    "`drop SA` before you decide; you are then asked again."
)


def brief_section(
    brief: Brief, panel: Sequence[Profile], notes: Sequence[str], past: Past = NOTHING
) -> Section:
    """The brief as it is approved."""
    composer = Composer(past.evidence)
    blocks: list[Block] = [goals_table(brief)]
    blocks += [drawn(smiles, "start") for smiles in brief.seeds]
    blocks += [drawn(smiles, "keep away from this") for smiles in brief.unlike]
    blocks += [Paragraph(f"Scientists: {', '.join(one.name for one in panel)}.", remark=True)]
    read = tuple(Statement(one, origin=Origin(PROPOSED, "the brief")) for one in notes)
    blocks += [Points(read)] if read else []
    blocks += told_besides(brief)
    blocks += known_liabilities(past.liabilities, composer)
    blocks.append(Paragraph(CHANGE, remark=True))
    return Section("brief", "Brief", tuple(blocks), composer.citations())


def told_besides(brief: Brief) -> Iterator[Block]:
    """What was read in the brief that is no goal."""
    if brief.told:
        said = (f"{about[:1].upper()}{about[1:]}: {text}" for about, text in brief.told)
        yield Points(tuple(Statement(one, origin=Origin(PROPOSED, "the brief")) for one in said))


def known_liabilities(told: Sequence[tuple[str, str]], composer: Composer) -> Iterator[Block]:
    """What the start, or what hit its target, failed by: each sentence with its passage."""
    if told:
        yield Heading("Known liabilities of the start and its target")
        claims = (Claim(text, (key,), (text,), Verdict.SUPPORTED) for text, key in told)
        yield Points(tuple(map(composer.statement, claims)))


def goals_table(brief: Brief) -> Table:
    """The goals, each with its window and weight, and the parts that stay or go."""
    told = [
        (one.measure.value, f"keep {goal_in_words(one)}", MEASURES[one.measure].told) for one in brief.goals
    ]
    told += [
        ("part", part, "every candidate keeps to it; `free the part` lets it go") for _, part in brief.kept
    ]
    rows = tuple(tuple(map(Cell, row)) for row in told)
    return Table("Goals", ("measure", "window", "what it is"), rows, Origin(PROPOSED, "the brief"))


def round_section(floor: Floor[Brief], sheet: Sheet, argument: Sequence[str] = ()) -> Section:
    """How a round ended: the `argument` of a chair, what stands, computed and drawn, why it was proposed, and
    answers to people.
    """
    standing = floor.ranked[:SHOWN]
    measures = dict.fromkeys(one.measure for one in (*asked(floor.task), *floor.task.goals))
    blocks: list[Block] = [by_chair(argument)] if argument else []
    title = CHAIR_RANKS if argument else VOTES_RANK
    blocks.append(computed_table(floor, sheet, standing, tuple(measures)[:TELLING], title))
    blocks += [drawn(one.proposal.what, one.id) for one in standing[:DRAWN]]
    blocks += [Points(tuple(reason(floor, one) for one in standing[:DRAWN]))] if standing else []
    blocks += said_to_people(floor)
    blocks.append(Paragraph(STEER, remark=True))
    name = f"Round {floor.round}"
    return Section(f"{ROUND}-{floor.round}", name, tuple(blocks), computations=(sheet.computed,))


def all_measures(brief: Brief, columns: Sequence[Measure] = COLUMNS) -> tuple[Measure, ...]:
    """The `columns`, and those that the brief has besides."""
    return tuple(dict.fromkeys((*columns, *(one.measure for one in brief.goals if one.measure in BESIDES))))


def computed_table(
    floor: Floor[Brief],
    sheet: Sheet,
    entries: Sequence[Entry],
    columns: Sequence[Measure],
    title: str = VOTES_RANK,
) -> Table:
    """What was computed of some candidates, in the order of their ranking, below the start; how well each
    fits all windows together where that is part of the order. A pKa that is one for all is that of their
    kind of base and tells nothing of a molecule.
    """
    rows, fits = [], title == VOTES_RANK
    if len({row.value(Measure.PKA) for row in sheet.rows}) == 1:
        columns = [one for one in columns if one is not Measure.PKA]
    named = ((name, smiles) for smiles, name in starts(floor.task).items())
    for name, smiles in (*named, *((one.id, one.proposal.what) for one in entries)):
        row = sheet.row(name)
        if row is not None:
            values = ((measure, row.value(measure)) for measure in columns)
            told = tuple(Cell(_told(row, measure, value)) for measure, value in values)
            alerts = Cell(", ".join(row.alerts) or "none")
            short = Cell(", ".join(misses(floor.task, row, smiles)) or "none")
            fit = (Cell(f"{row.desirability:.2f}"),) if fits else ()
            rows.append((Cell(name), *fit, *told, alerts, short))
    heads = ("molecule", *(["desirability"] * fits), *(one.value for one in columns), "alerts", "missed")
    return Table(title, heads, tuple(rows), sheet.computed.origin)


def _told(row: Weighed, measure: Measure, value: float | None) -> str:
    """A value as a cell, that of the oracle with its doubt."""
    if value is None:
        return ""
    return f"{shown(measure, value)} {row.doubt if measure is Measure.ORACLE else ''}".strip()


def drawn(smiles: str, name: str) -> Structure:
    """A proposed molecule to be drawn."""
    return Structure(smiles, name, origin=Origin(PROPOSED, "the debate"))


def reason(floor: Floor[Brief], entry: Entry) -> Statement:
    """All that was changed on the way to a candidate, why the last was proposed, and what the start lost."""
    one = entry.proposal
    if one.idea:
        cost = one.cost and f" Against it: {one.cost}"
        told = f"{entry.id}, {one.change}, from {one.parent or 'the start'}. {one.idea} {one.why}{cost}"
        return Statement(told, origin=Origin(PROPOSED, one.by))
    changes = "; ".join(filter(None, (each.proposal.change for each in floor.line(entry))))
    lost = ", ".join(gone(floor.task, molecule_of(one.what)))
    told = f" Lost from the start: {lost}; if it binds there, so is the activity." if lost else ""
    text = f"{entry.id}, {one.by}{f' ({changes})' if changes else ''}: {one.why}{told}"
    return Statement(text, origin=Origin(PROPOSED, one.by))


def by_chair(lines: Sequence[str]) -> Points:
    """What a chair says, a line each."""
    return Points(tuple(Statement(one, origin=CHAIRED) for one in lines))


def said_to_people(floor: Floor[Brief]) -> Iterator[Block]:
    """What people said, and what a scientist or the chair answered."""
    for one in floor.remarks:
        pairs = ((one.who, one.text), (one.answered_by, one.answer))
        said = (Statement(f"{who}: {text}", origin=Origin(PROPOSED, who)) for who, text in pairs if text)
        yield Points(tuple(said))
