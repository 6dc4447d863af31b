"""A design as a report: the candidates, why and by whom, the scientists, and what was not done."""

from collections.abc import Iterator, Sequence

from agents.chemistry.hints import SOURCES
from agents.chemistry.similarity import scaffold
from agents.counts import listed
from agents.design.brief import LEFT_OUT, in_words
from agents.design.gather import CITED
from agents.design.lab import START, betters, misses, molecule_of, starts
from agents.design.midway import (
    CHAIR_RANKS,
    CHAIRED,
    OF_A_SET,
    all_measures,
    by_chair,
    computed_table,
    drawn,
    goals_table,
    known_liabilities,
    reason,
    said_to_people,
    told_besides,
)
from agents.design.people import MIND
from agents.design.values import Assay, Brief, Design, Designed, Measure, Member, Profile, Sheet
from agents.minds.debate import Entry, Floor
from agents.minds.minded import RULES
from agents.reports.compose import Composer
from agents.reports.values import (
    PROPOSED,
    Block,
    Cell,
    Heading,
    Origin,
    Paragraph,
    Points,
    Report,
    Section,
    Statement,
    Table,
)
from agents.trust.values import COUNT, Claim, Derivation, Verdict

TITLE = "Molecule design"
DRAWN, TOLD, OFFERED = 5, 5, 3
"""Finalists that are drawn, those whose reasons are told, and those that have a button."""
NO_ORACLE = (
    "No activity was predicted: the ranking rests on the goals of the brief and on the votes. Nothing here "
    "is known to bind the target or to be safe."
)
NO_ACTIVITY = "No activity was predicted. Nothing here is known to bind the target or to be safe."
SET = ("molecule", "SMILES", "from", "change", "lever", "reaches the whole aim")
ASSAYS = ("assay", "go or stop", "what misleads", "molecules")
ODDS = "(expected {} of 10)"
NO_ANSWER = "none was given."
LIMITS = (
    "Patents were not searched.",
    "All values are computed from structures; pKa and logD in CNS MPO are rough estimates, and ESOL errs by "
    "about one log unit, follows logP, and knows neither pH nor crystal.",
)
COURSE = "The course of the debate, with all that was dropped or sent back, is in the file transcript.md."
BY = Origin(PROPOSED, "the scientist agents")


def report(design: Design) -> Report:
    """The report of a design, or why there is none."""
    if design.problem or design.floor is None or design.sheet is None:
        return _nothing(design)
    floor, sheet = design.floor, design.sheet
    counts = (tuple(one.id for one in floor.candidates), floor.standing, _scaffolds(floor))
    return Report(
        title=design.order.text,
        outcome=TITLE,
        short=_short(floor, sheet, design.designed),
        found=bool(floor.ranked),
        sections=(
            _candidates(design, floor, sheet),
            _debate(design, floor, sheet),
            _scientists(design),
            _method(design, floor),
        ),
        notes=design.notes,
        partial=design.partial,
        about=_about(design, floor),
        options=_options(floor),
        derived=tuple(Derivation(str(len(names)), COUNT, names, ()) for names in counts),
    )


def _nothing(design: Design) -> Report:
    why = design.problem or design.partial or "The debate had not begun."
    brief = (Section("brief", "Brief", (goals_table(design.brief),)),) if design.brief else ()
    return Report(
        design.order.text,
        "Nothing was designed",
        why,
        False,
        brief,
        not_found=(why,),
        partial=design.partial,
        about=(why,),
    )


def _options(floor: Floor[Brief]) -> tuple[str, ...]:
    """What can be asked next of a molecule, pinned ones first, in words that are understood in the thread."""
    pinned_first = sorted(floor.standing, key=lambda name: name not in floor.pinned)
    return tuple(f"make {name} more soluble" for name in pinned_first[:OFFERED])


def _short(floor: Floor[Brief], sheet: Sheet, designed: Designed) -> str:
    if not floor.ranked:
        return (
            f"No candidate was left of {len(floor.entries)}: {len(floor.vetoed)} were vetoed, and none of "
            "the rest fits as well as the start, gains on a wish, and loses none by much. "
            "Widen a goal, write `free the part`, or propose a molecule of your own."
        )
    if designed.members:
        later = [one.id for one in designed.members if one.after and one.id in floor.standing]
        first = [name for name in floor.standing if name not in later]
        told = f"{len(floor.standing)} molecules, to be made in this order: {', '.join(first)}"
        return f"{told}{f'; then, as results tell, {listed(later)}' * bool(later)}."
    best, count = floor.ranked[0], len(_scaffolds(floor))
    row = sheet.row(best.id)
    short = misses(floor.task, row, best.proposal.what) if row else ()
    left = " ".join(text for about, text in floor.task.told if about == LEFT_OUT)
    told = (
        f"misses {', '.join(short)}" if short else f"meets every computed goal{' that was read' * bool(left)}"
    )
    start = sheet.row(START)
    if row and start and not betters(floor.task, start, row):
        told += ", but gains nothing on the start: it is a backup"
    return (
        f"{best.id} is ranked first of {len(floor.candidates)} candidates and {told}; {best.proposal.by} "
        f"proposed it. Those that stand have {count} distinct scaffold{'s' * (count > 1)}."
        f"{f' {left}' * bool(left)}"
    )


def _scaffolds(floor: Floor[Brief]) -> tuple[str, ...]:
    """One candidate of each scaffold among those that stand."""
    return tuple({scaffold(molecule_of(one.proposal.what)): one.id for one in floor.ranked}.values())


def _about(design: Design, floor: Floor[Brief]) -> tuple[str, ...]:
    """Names that the report may use without a citation."""
    panel = [name for one in design.panel for name in (one.name, one.person) if name]
    people = [design.approved_by, *(one.who for one in floor.remarks), *(who for who, _ in floor.liked)]
    people += [ballot.voter for vote in floor.votes for ballot in vote.ballots]
    minds = [one.proposal.by_mind for one in floor.entries]
    molecules = [name for one in floor.entries for name in (one.id, one.proposal.what)]
    words = [in_words(floor.task), *design.notes, *LIMITS, NO_ORACLE, COURSE, *SOURCES.values()]
    words += [floor.task.aim, *(told for _, told in floor.task.told)]
    return tuple(dict.fromkeys((*panel, *people, *minds, *molecules, floor.task.target, *words)))


def _candidates(design: Design, floor: Floor[Brief], sheet: Sheet) -> Section:
    """What stands in a table, with drawings, reasons, lineage and hints."""
    ranked = floor.ranked
    if design.designed.members:
        return _set(design, floor, sheet)
    blocks: list[Block] = [Paragraph(_short(floor, sheet, design.designed), strong=True)]
    predicted = any(row.value(Measure.ORACLE) is not None for row in sheet.rows)
    blocks += [] if predicted else [Paragraph(NO_ORACLE, remark=True)]
    blocks.append(computed_table(floor, sheet, ranked, all_measures(floor.task)))
    blocks += [drawn(smiles, name) for smiles, name in starts(floor.task).items()]
    blocks += [drawn(one.proposal.what, one.id) for one in ranked[:DRAWN]]
    blocks += [Heading("Why"), Points(tuple(reason(floor, one) for one in ranked[:TOLD]))] if ranked else []
    blocks += [Heading("Who proposed what, and who voted for it"), _lineage(floor)]
    blocks += _hints(sheet, ranked[:TOLD])
    blocks += [*design.figures, *design.files]
    return Section("candidates", "Candidates", tuple(blocks), computations=(sheet.computed,))


def _set(design: Design, floor: Floor[Brief], sheet: Sheet) -> Section:
    """The set as its chair designed it: the argument, each molecule with its question, what results mean."""
    made, ranked = design.designed, floor.ranked
    blocks: list[Block] = [Paragraph(_short(floor, sheet, made), strong=True)]
    blocks.append(by_chair(made.argument))
    members = {one.id: one for one in made.members}
    rows = [
        (one.id, one.proposal.what, one.proposal.parent or START, one.proposal.change, *_meant(each))
        if (each := members.get(one.id))
        else (one.id, one.proposal.what, "", one.proposal.change, "pinned by the team", "")
        for one in ranked
    ]
    blocks.append(_table("The set, in the order of making", SET, rows))
    blocks += [_aims(made)] if made.aims else []
    for one in ranked:
        blocks += [Heading(one.id), _told(one, members.get(one.id))]
    blocks += [Heading("Making"), by_chair([made.making])] if made.making else []
    readings = [(one.result, one.then) for one in made.readings]
    assays = [(one.assay, _limits(one), one.pitfall, one.molecules) for one in made.assays]
    blocks += [_table("What results mean", ("if", "then"), readings)] if readings else []
    blocks += [_table("Assays, in this order", ASSAYS, assays)] if assays else []
    ends = (("Considered and not made", made.left_out), ("Not met, not shown", made.not_met))
    for title, lines in (*((one.question, one.points) for one in made.asked), *ends):
        blocks += [Heading(title), by_chair(lines)] if lines else []
    predicted = any(row.value(Measure.ORACLE) is not None for row in sheet.rows)
    blocks += [] if predicted else [Paragraph(NO_ACTIVITY, remark=True)]
    blocks.append(computed_table(floor, sheet, ranked, all_measures(floor.task, OF_A_SET), CHAIR_RANKS))
    blocks += [drawn(smiles, name) for smiles, name in starts(floor.task).items()]
    blocks += [drawn(one.proposal.what, one.id) for one in ranked]
    blocks += [*design.figures, *design.files]
    return Section("candidates", "Candidates", tuple(blocks), computations=(sheet.computed,))


def _aims(made: Designed) -> Table:
    """What the brief asks in numbers, where the start stands, and what is expected of each molecule."""
    rows = [
        ("asked", *(f"aim: {_one(one.asked)}" for one in made.aims)),
        (START, *(one.start for one in made.aims)),
    ]
    for one in made.members:
        odds = {each.claim: f"{_one(each.value)} {ODDS.format(each.tenths)}" for each in one.odds}
        rows += [(one.id, *(odds.get(aim.claim, "") for aim in made.aims))] if odds else []
    return _table("Aims, and what is expected", ("molecule", *(one.claim for one in made.aims)), rows)


def _meant(one: Member) -> tuple[str, str]:
    """The lever of a molecule, and how likely it is thought to reach the aim."""
    if one.kind == "control":
        return f"control: {one.lever}", ""
    return one.lever, f"{one.reaches} of 10"


def _limits(one: Assay) -> str:
    """The limits of an assay, as the aims that they are."""
    both = (("Go", one.go), ("Stop", one.stop))
    return " ".join(f"{name} if {_one(text)}." for name, text in both if text)


def _one(text: str) -> str:
    """A condition as one clause."""
    return text.strip(" .;").replace(";", ",")


def _told(entry: Entry, member: Member | None) -> Points:
    """Question, expectation, what speaks against a molecule, and how it is made."""
    one = entry.proposal
    lines = [("Question", one.idea), ("Expected", one.why), ("Against it", one.cost)]
    if member:
        lines += [("Made", member.how), ("Waits for", member.after)]
    origin = Origin(PROPOSED, one.by)
    return Points(tuple(Statement(f"{name}: {text}", origin=origin) for name, text in lines if text))


def _table(title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    return Table(title, tuple(heads), tuple(tuple(map(Cell, row)) for row in rows), CHAIRED)


def _hints(sheet: Sheet, entries: Sequence[Entry]) -> Iterator[Block]:
    """What rules of thumb say of the finalists, and what has to be measured."""
    rows = [row for one in entries if (row := sheet.row(one.id))]
    if rows:
        yield Heading("Rules of thumb, no predictions")
        told = [dict(row.hints) for row in rows]
        cells = tuple(
            (Cell(about), *(Cell(one.get(about, "")) for one in told), Cell(source))
            for about, source in SOURCES.items()
        )
        if any(row.nearest for row in rows):
            nearest = (Cell(row.nearest) for row in rows)
            cells += ((Cell("nearest known ligand"), *nearest, Cell("similarity, and who reports it")),)
        heads = ("about", *(row.entry for row in rows), "what it rests on")
        yield Table("Rules of thumb", heads, cells, sheet.computed.origin)


def _lineage(floor: Floor[Brief]) -> Table:
    places = {one.entry: one for one in floor.votes[-1].places} if floor.votes else {}
    rows = tuple(
        (
            Cell(one.id),
            Cell(one.proposal.by),
            Cell(" ← ".join((*(each.id for each in floor.line(one)[-2::-1]), _root(floor, one)))),
            Cell(one.proposal.change or "new"),
            Cell(", ".join(places[one.id].votes) if one.id in places else ""),
            Cell("pinned" if one.id in floor.pinned else ""),
        )
        for one in floor.ranked
    )
    heads = ("molecule", "proposed by", "made from", "change", "among the best of", "people")
    return Table("Lineage", heads, rows, BY)


def _root(floor: Floor[Brief], entry: Entry) -> str:
    """The start that a candidate goes back to."""
    first, names = floor.line(entry)[0].proposal.change, starts(floor.task).values()
    return next((one for one in reversed(names) if f"the {one}" in first), START)


def _debate(design: Design, floor: Floor[Brief], sheet: Sheet) -> Section:
    """How it ended: the last critiques of what stands, people's part, how far the voters agreed; with a chair
    all critiques, each with what it changed.
    """
    blocks: list[Block] = []
    if floor.votes and (agreed := floor.votes[-1].agreement) is not None:
        told = (
            f"Kendall's W {agreed:.2f} is the agreement of the voters in the last vote, from 0 to 1; "
            "who judges by the same goals agrees easily."
        )
        blocks.append(Points((Statement(told, origin=sheet.computed.origin),)))
    standing = [one.id for one in floor.ranked]
    last = {(one.by, one.entry): one for one in floor.critiques if one.entry in standing[:TOLD]}
    said = [Statement(f"{one.by} on {one.entry}: {one.text}", origin=BY) for one in last.values()]
    if design.designed.members:
        answers = {one.to: one.answer for one in design.designed.answers}
        said = [
            Statement(
                f"{one.by} on {one.entry}: {one.text} Answer: {answers.get(f'C{at}', NO_ANSWER)}",
                origin=BY,
            )
            for at, one in enumerate(floor.critiques, 1)
        ]
    blocks += [Heading("Critiques"), Points(tuple(said))] if said else []
    blocks += _people(floor)
    blocks.append(Paragraph(COURSE, remark=True))
    return Section(
        "debate", "Debate", tuple(blocks), depends_on=("candidates",), computations=(sheet.computed,)
    )


def _people(floor: Floor[Brief]) -> Iterator[Block]:
    """What people did to the debate, and what they were answered."""
    done = [f"vetoed: {', '.join(floor.vetoed)}"] if floor.vetoed else []
    done += [f"pinned: {', '.join(floor.pinned)}"] if floor.pinned else []
    done += [f"{who} likes {', '.join(names)}" for who, names in floor.liked if names]
    done += [floor.over] if floor.over else []
    if not done and not floor.remarks:
        return
    yield Heading("People")
    if done:
        yield Points(tuple(Statement(one, origin=Origin(PROPOSED, "the team")) for one in done))
    yield from said_to_people(floor)


def _scientists(design: Design) -> Section:
    """What is known of the start, and who debated, from which publications or by which rules."""
    title = "What is known, and scientists" if design.liabilities else "Scientists"
    composer = Composer(design.evidence)
    keys = dict(design.papers)
    blocks: list[Block] = [*known_liabilities(design.liabilities, composer)]
    for one in design.panel:
        blocks += [Heading(one.name), *_profile(one, composer, keys)]
    return Section("scientists", title, tuple(blocks), composer.citations())


def _profile(one: Profile, composer: Composer, keys: dict[str, str]) -> Iterator[Block]:
    if one.role:
        yield Paragraph(f"A built-in role, no person. Focus: {one.role.focus}.", remark=True)
        yield Points(tuple(Statement(rule, origin=Origin(PROPOSED, one.name)) for rule in one.role.rules))
    elif one.described:
        yield Points((Statement(one.described, origin=Origin(PROPOSED, one.name)),))
    claims = [
        Claim(paper.title, (keys[paper.pmid],), (paper.title,), Verdict.SUPPORTED)
        for paper in one.publications[:CITED]
        if paper.pmid in keys
    ]
    if claims:
        yield Points(tuple(map(composer.statement, claims)))
    if one.publications:
        told = f"Built from {len(one.publications)} publications and {len(one.molecules)} molecules in them."
        yield Paragraph(told, remark=True)


def _method(design: Design, floor: Floor[Brief]) -> Section:
    """The brief, who approved it, whose mind spoke, and what was not done."""
    minds = {one.proposal.by_mind for one in floor.entries} - {MIND}
    spoke = (
        f"Proposals of {', '.join(sorted(minds))}."
        if minds - {RULES}
        else "Every scientist worked by rules, without a language model."
    )
    approved = (
        f"{design.approved_by} approved the goals."
        if design.approved_by
        else "Nobody was asked to approve the goals."
    )
    known = "Novelty is judged against the start alone: no table of known ligands is loaded for this target."
    if design.known:
        known = "Novelty is judged against the start and the known ligands of the target."
    lines = (approved, spoke, known, *LIMITS)
    blocks: list[Block] = [goals_table(floor.task), *told_besides(floor.task)]
    blocks += [Paragraph(line, remark=True) for line in lines]
    return Section("method", "Brief and method", tuple(blocks))
