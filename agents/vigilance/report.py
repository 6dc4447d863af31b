"""Verdicts as a report: a card for one question; for a table a heat map and a section for each class."""

from collections.abc import Iterator, Sequence

from agents.databases.ports import notes_on
from agents.reports.brief import marks_of
from agents.reports.compose import Composer
from agents.reports.disputed import with_disputes
from agents.reports.values import (
    Block,
    Cell,
    Heading,
    Paragraph,
    Points,
    Report,
    Section,
    Statement,
    Table,
)
from agents.trust.values import Claim, Verdict
from agents.vigilance.outcomes import is_known
from agents.vigilance.reading.drug import LEAST, is_scrap, letters
from agents.vigilance.sentences import (
    SPEAKS,
    clause,
    definition,
    figures,
    headline,
    scores,
    section_of,
    short,
    strength,
    sure,
)
from agents.vigilance.signals import SignalVerdict as Reports
from agents.vigilance.unknown import is_silent
from agents.vigilance.values import (
    Assessment,
    CategoryVerdict,
    DrugVerdict,
    Effect,
    Extract,
    FoundClass,
    Reason,
)

OUTCOME = "Pharmacovigilance"
UNCLEAR = "What is meant?"
PASSAGES, REASONS, LISTED = 10, 6, 8
BELOW = "rarer than on the comparator"
LOAD = (
    "Labels are loaded with `pestle sources load FILE`, from openFDA's bulk files; then ask again. Where "
    "openFDA did not answer, it may do so later."
)
"""What to do about drugs whose labels were not read."""
NOTHING_READ = (
    "No label was read, so that nothing can be said. `pestle sources` says where to get product lists and "
    "labels, and how to load them. On the sample that ships with Pestle this works at once: "
    '`pestle vigilance "Do ACE inhibitors raise the risk of angioedema?"`.'
)


def report(assessment: Assessment) -> Report:
    """The report of an assessment; a question back where it is not clear what is meant."""
    order = assessment.order
    if assessment.ask_back:
        return _asking_back(assessment)
    writing = _Writing(assessment)
    single = len(assessment.cells) == 1
    sections = (
        *((writing.verdict(assessment.cells[0]),) if single else writing.table()),
        *(writing.chosen(found, number) for number, found in enumerate(assessment.found, start=1)),
    )
    read = any(one.covered for one in assessment.cells)
    made = Report(
        title=order.asked or "; ".join(one.name for one in order.classes),
        outcome=OUTCOME,
        short=_short(assessment) if read else NOTHING_READ,
        found=read,
        sections=(*sections, *writing.missing()),
        partial=assessment.partial,
        notes=(*notes_on(one.release for one in assessment.evidence), *assessment.notes),
        about=about(assessment),
    )
    return with_disputes(made, order.disputed)


def _short(assessment: Assessment) -> str:
    """The answer in a line. Of one outcome that nothing here knows, that nothing is known."""
    cells = assessment.cells
    return _said(assessment, cells[0]) if len(cells) == 1 else short(cells)


def _said(assessment: Assessment, cell: CategoryVerdict) -> str:
    """A verdict as a sentence. Of an outcome that the table does not know silence is told as silence."""
    if _strange(assessment, cell):
        return _not_known(cell)
    if is_silent(cell) and not is_known(cell.outcome):
        return f"{cell.category}: no label that was read mentions {cell.outcome} by this name."
    return headline(cell)


def _strange(assessment: Assessment, cell: CategoryVerdict) -> bool:
    """Whether a verdict is on an outcome that nothing here knows, and rests on nothing."""
    silent = cell.covered and cell.effect is Effect.NO_EFFECT and not cell.reasons
    return silent and cell.outcome in assessment.unfamiliar


def _not_known(cell: CategoryVerdict) -> str:
    return f"{cell.category}: an effect on {cell.outcome} is not known: no label that was read has it."


def about(assessment: Assessment) -> tuple[str, ...]:
    """Names that the report may use without a citation: what was asked, the candidates, the minds."""
    order = assessment.order
    asked = [name for one in order.classes for name in (one.name, one.asked)]
    asked += [name for one in order.outcomes for name in (one.name, one.asked)]
    classes = [one.drug_class.name for one in assessment.found]
    drugs = [each.ingredient.name for one in assessment.found for each in one.candidates]
    minds = [one.by for one in assessment.cells]
    return tuple(dict.fromkeys(filter(None, (*asked, *classes, *drugs, *minds))))


def _asking_back(assessment: Assessment) -> Report:
    return Report(
        title=assessment.order.asked,
        outcome=UNCLEAR,
        short=assessment.ask_back,
        found=False,
        ask_back=assessment.ask_back,
        options=assessment.options,
        about=about(assessment),
    )


class _Writing:
    """A report in the making. Its sections share one set of citation numbers."""

    def __init__(self, assessment: Assessment) -> None:
        self._assessment = assessment
        self._composer = Composer(assessment.evidence)
        self._keys = dict(assessment.keys)

    def verdict(self, cell: CategoryVerdict) -> Section:
        """The card of one class and outcome."""
        blocks = [Paragraph(_said(self._assessment, cell), strong=True)]
        if cell.covered:
            blocks.append(Paragraph(scores(cell), remark=True))
        labels = [*self._reasons(cell), *self._drugs([cell]), *self._passages(cell)]
        blocks_of = [*blocks, *labels, *self._reported([cell]), *_remarks(cell)]
        return self._section("verdict", f"{cell.category} and {cell.outcome}", blocks_of)

    def table(self) -> Iterator[Section]:
        """The heat map with the table, then a section for each class."""
        cells = self._assessment.cells
        outcomes = list(dict.fromkeys(one.outcome for one in cells))
        classes = list(dict.fromkeys(one.category for one in cells))
        figure = self._assessment.figure
        yield self._section(
            "table", "Classes and outcomes", [*([figure] if figure else ()), self._matrix(classes, outcomes)]
        )
        for number, name in enumerate(classes, start=1):
            own = [one for one in cells if one.category == name]
            yield self._section(f"class-{number}", name, list(self._class(own)))

    def chosen(self, found: FoundClass, number: int) -> Section:
        """How the drugs of a class were chosen, and how its definition reads."""
        one = found.drug_class
        lines = [
            Paragraph(f"Version {one.version} of the class {one.name}: {definition(found)}", remark=True)
        ]
        chosen = [one for one in found.candidates if one.chosen]
        others = [one for one in found.candidates if not one.chosen]
        lines += [Paragraph(f"{one.ingredient.name}: {one.reason}", remark=True) for one in chosen]
        if others:
            told = "; ".join(f"{one.ingredient.name} ({clause(one.reason)})" for one in others[:LISTED])
            more = f"; and {len(others) - LISTED} more" if len(others) > LISTED else ""
            lines.append(Paragraph(f"Not chosen: {told}{more}.", remark=True))
        named = f"{found.part_of}: {one.name}" if found.part_of else one.name
        return self._section(f"drugs-{number}", f"Drugs that stand for {named}", lines)

    def missing(self) -> Iterator[Section]:
        """What could not be read, and why: sentences on the work, which rest on no citation."""
        notes = (note for one in self._assessment.found for note in one.notes)
        if lines := dict.fromkeys((*self._assessment.missing, *notes)):
            unread = (drug for one in self._assessment.cells for drug in one.drugs if not drug.labels)
            if next(unread, None):
                lines[LOAD] = None
            yield self._section("missing", "What is missing", [Paragraph(one, remark=True) for one in lines])

    def _matrix(self, classes: Sequence[str], outcomes: Sequence[str]) -> Table:
        """Outcomes by classes: a label has room for a few columns only."""
        by_place = {(one.category, one.outcome): one for one in self._assessment.cells}
        rows = tuple(
            (Cell(outcome), *(self._field(by_place.get((name, outcome))) for name in classes))
            for outcome in outcomes
        )
        return Table("Effect on the risk, and how sure it is", ("outcome", *classes), rows)

    def _field(self, cell: CategoryVerdict | None) -> Cell:
        if cell is None or not cell.covered:
            return Cell("no label")
        if _strange(self._assessment, cell):
            return Cell("not known (low)")
        text = "opposite effects" if cell.opposed else f"{cell.effect.value} ({sure(cell.confidence)})"
        text = f"{text}, its drugs differ" if cell.divided and not cell.opposed else text
        best = next((reason for reason in cell.reasons if reason.passages), None)
        return Cell(text, self._numbers(best) if best and cell.effect is not Effect.NO_EFFECT else ())

    def _class(self, cells: Sequence[CategoryVerdict]) -> Iterator[Block]:
        """The outcomes of one class: those with an effect in full, the others by name."""
        for cell in cells:
            if cell.effect is not Effect.NO_EFFECT or cell.opposed or cell.divided or cell.local:
                yield Heading(cell.outcome)
                yield Paragraph(headline(cell), strong=True)
                yield Paragraph(scores(cell), remark=True)
                yield from self._reasons(cell)
                yield from _remarks(cell)
        strange = [one for one in cells if _strange(self._assessment, one)]
        told = [one for one in cells if one.opposed or one.divided or one.local or one in strange]
        silent = [one for one in cells if one.covered and one not in told]
        if none := [one.outcome for one in silent if one.effect is Effect.NO_EFFECT]:
            yield Heading("No known effect")
            yield Paragraph(", ".join(none), remark=True)
        if strange:
            yield Heading("Not known")
            for one in strange:
                yield Paragraph(one.notes[0], remark=True)
        yield from self._drugs(cells)
        yield from self._reported(cells)

    def _reasons(self, cell: CategoryVerdict) -> Iterator[Block]:
        statements = tuple(filter(None, map(self._statement, cell.reasons[:REASONS])))
        if statements:
            yield Points(statements)
        elif cell.covered and not cell.local and not _strange(self._assessment, cell):
            named = any(drug.extracts for drug in cell.drugs)
            silent = "states an effect on the risk of" if named else "mentions"
            said = f"No label that was read {silent} {cell.outcome}: that is taken as no known effect."
            yield Paragraph(said, remark=True)

    def _statement(self, reason: Reason) -> Statement | None:
        """A reason with its citations; None for one without."""
        keys = tuple(self._keys[place] for place in reason.passages if place in self._keys)
        if not keys:
            return None
        claim = Claim(reason.text, keys, reason.quotes, reason.verdict, checked_by=reason.checked_by)
        return self._composer.statement(claim)

    def _drugs(self, cells: Sequence[CategoryVerdict]) -> Iterator[Block]:
        """Where the drugs of a class differ: a line for each drug and outcome."""
        rows = [
            (
                Cell(drug.ingredient),
                Cell(cell.outcome),
                Cell("no label" if not drug.labels else drug.effect.value),
                Cell(sure(drug.confidence) if drug.labels else ""),
                Cell(strength(drug)),
            )
            for cell in cells
            for drug in cell.drugs
            if len(cells) == 1 or (drug.labels and drug.effect is not cell.effect)
        ]
        if rows:
            yield Heading("Drugs of the class" if len(cells) == 1 else "Drugs that differ from their class")
            yield Table(
                "What the labels of each drug say",
                ("drug", "outcome", "effect", "confidence", "evidence"),
                tuple(rows),
            )

    def _reported(self, cells: Sequence[CategoryVerdict]) -> Iterator[Block]:
        """What spontaneous reports say beside the labels: all of one outcome; of several, what stands out."""
        asked = {(one.category, one.outcome) for one in cells}
        own = [one for one in self._assessment.reported if (one.category, one.outcome) in asked]
        told = [(one, each) for one in own for each in one.signals]
        if len(cells) > 1:
            told = [(one, one.signals[0]) for one in own if one.signals[0].verdict is Reports.SIGNAL][:LISTED]
        if not own:
            return
        yield Heading("Spontaneous reports")
        yield Paragraph("Counted apart from the labels: they change no verdict.", remark=True)
        if told:
            claims = (
                Claim(each.told, (self._keys[one.place],), (each.told,), Verdict.SUPPORTED)
                for one, each in told
            )
            yield Points(tuple(map(self._composer.statement, claims)))
        else:
            yield Paragraph("None of these outcomes is reported more often than expected.", remark=True)

    def _passages(self, cell: CategoryVerdict) -> Iterator[Block]:
        """The verbatim passages that no reason quotes or that count patients, those that carry the verdict
        first, the drugs in turn; none that is a part of another one or says nothing of an effect.
        """
        extracts = sorted(
            (
                (place, one, drug)
                for drug in cell.drugs
                for place, one in enumerate(drug.extracts)
                if one.weight >= LEAST
            ),
            key=lambda each: (each[1].effect is not cell.effect, each[0], -each[1].weight),
        )
        quoted = [letters(quote) for reason in cell.reasons[:REASONS] for quote in reason.quotes]
        told: dict[str, list[tuple[Extract, DrugVerdict]]] = {}
        for _, one, drug in extracts:
            said = letters(one.quote)
            if said in told:
                told[said].append((one, drug))
            elif not any(
                said in other or other in said for other in (*told, *(() if one.incidence else quoted))
            ):
                told[said] = [(one, drug)]
        groups = list(told.values())
        shown = ([pairs for pairs in groups if not is_scrap(pairs[0][0].quote)] or groups)[:PASSAGES]
        if not shown:
            return
        counted = any(pairs[0][0].incidence for pairs in shown)
        rows = tuple(self._row(pairs, counted) for pairs in shown)
        columns = ("drug", "section", "passage", *(("figures",) if counted else ()), "speaks")
        yield Heading("Further label passages" if quoted else "Label passages")
        yield Table("What the labels say, word for word", columns, rows)

    def _row(self, pairs: Sequence[tuple[Extract, DrugVerdict]], counted: bool) -> tuple[Cell, ...]:
        """A sentence that one label has or several, with the drugs of these."""
        one = pairs[0][0]
        seen = one.incidence
        drugs = {drug.ingredient: each for each, drug in reversed(pairs)}
        numbers = tuple(
            self._composer.cite(
                self._keys[each.passage.id], (each.quote, *((seen.quote,) if seen and each is one else ()))
            )
            for each in reversed(drugs.values())
        )
        figure = Cell(figures(seen), numbers[:1]) if seen else Cell("")
        return (
            Cell(", ".join(reversed(drugs))),
            Cell(section_of(one)),
            Cell(one.quote, numbers),
            *((figure,) if counted else ()),
            Cell(BELOW if harmless(one) else SPEAKS[one.effect]),
        )

    def _numbers(self, reason: Reason) -> tuple[int, ...]:
        keys = (self._keys[place] for place in reason.passages if place in self._keys)
        return tuple(dict.fromkeys(self._composer.cite(key, reason.quotes) for key in keys))

    def _section(self, name: str, title: str, blocks: Sequence[Block]) -> Section:
        numbers = {number for block in blocks for number in marks_of(block)}
        return Section(name, title, tuple(blocks), self._composer.citations(numbers))


def harmless(one: Extract) -> bool:
    """Whether a passage that names a harm counts it more rarely on the drug than on its comparator."""
    seen = one.incidence
    rarer = seen is not None and seen.control is not None and seen.percent < seen.control
    return rarer and one.effect is Effect.INCREASE


def _remarks(cell: CategoryVerdict) -> Iterator[Block]:
    """What a reader must know beside the verdict. Drugs without a label stand under what is missing."""
    drugs = (note for drug in cell.drugs if drug.labels for note in drug.notes)
    for note in dict.fromkeys((*cell.notes, *drugs)):
        yield Paragraph(note, remark=True)
