"""An assessment that a model wrote as blocks of a report: what its lines carry with citations, what the field
knows marked as that, and nothing that was struck.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from agents.counts import listed
from agents.databases.facts import Topic
from agents.minds.minded import RULES, Minded
from agents.reports.gate import gated
from agents.safety.coverage import not_assessed
from agents.safety.endpoints.values import Endpoint
from agents.safety.material import Material, claim_of
from agents.safety.order import Direction
from agents.safety.report import report
from agents.safety.sections.wish import Wish
from agents.safety.synthesis.findings import CLINICAL, lines_of
from agents.safety.synthesis.species import species
from agents.safety.synthesis.summary import CAUTION, scope
from agents.safety.synthesis.wording import STRENGTHS, sentence
from agents.safety.values import (
    Assessment,
    CellDraft,
    CitedFact,
    Claims,
    DraftBlock,
    Part,
    Risk,
    Severity,
    Strength,
    TableDraft,
    Words,
)
from agents.safety.whole import (
    KeyRisk,
    Rated,
    Said,
    Whole,
    boxes,
    findings_under,
    is_known,
    read,
    strength_by,
)
from agents.safety.writer import evidence_of
from agents.trust.check import SHOWN
from agents.trust.values import TEMPLATED, Claim, Standing, Verdict

KNOWN = "General knowledge, not in the sources"
RISKS = ("Risk and its rating", "Records", KNOWN)
STUDIES = ("Stage", "Study and readout", "Guideline", "Answers")
OPEN = ("Open question", "Settled by")
APART = ("Why it is no risk of this medicine", "What is told")
"""Few columns, since a table is read on a phone; what records carry and what a model proposes stand apart."""
NO_RECORD = "none cited"
INSTEAD = 2
"""Lines of records that are shown where a statement on them does not stand."""
MOST, BESIDE = 1200, 150
"""Words of the report proper at most, and those of title, heads and notes."""
FIRST = ("summary", "risks", "species", "questions")
"""The sections of the report proper."""


@dataclass(frozen=True, slots=True)
class _Row:
    """A rating with what of its basis stands."""

    rated: Rated
    claims: tuple[Claim, ...]
    known: tuple[str, ...]
    risk: Risk

    def rating(self, direction: Direction | None) -> str:
        """The change of the target where it is another than is asked, likelihood, severity, and strength with
        the lines of evidence that give it, or that no source tells it.
        """
        one = self.rated
        way = f"with {one.under}; " * (one.under != direction)
        clinical = [one.cited.fact for one in self.risk.findings if one.cited.fact.topic in CLINICAL]
        other = bool(clinical) and all(one.shared for one in clinical)
        strength = self.risk.strength
        telling = [one for one in self.risk.findings if one.strength is strength]
        lines = f"{listed(lines_of(telling))}{'; other targets too' * other}"
        told = f"{STRENGTHS[strength]} evidence{f' ({lines})' * bool(lines)}" if strength else ""
        known = f"general knowledge ({one.known_from})" if strength <= Strength.WEAK else ""
        rested = ", ".join(filter(None, (told, known)))
        return f"{way}{one.likelihood}, {self.risk.severity.told}; {rested}"

    def cells(self, direction: Direction | None) -> tuple[CellDraft, ...]:
        """The row: the rated name, what records carry, and what the field knows."""
        one = self.rated
        known = [*self.known, *(f"Brought by {_end(one.source)}" for _ in one.source[:1])]
        if isinstance(one, KeyRisk):
            about = (("Reversibility", one.reversibility), ("Monitoring", one.monitoring), ("Stop", one.stop))
            known += [f"{head}: {_full(text or 'none')}" for head, text in about]
        name = CellDraft(f"{sentence(one.name)}: {self.rating(direction)}")
        return name, carried_cell(self.claims), CellDraft(" ".join(known))


class Told:
    """The blocks of each section, the risks as rated, and the short answer. `checked` are the claims with
    verdicts, by text and keys.
    """

    def __init__(
        self, material: Material, made: Minded[Whole], checked: Mapping[tuple[str, tuple[str, ...]], Claim]
    ) -> None:
        self._material, self._whole, self.by = material, made.value, made.by
        self._checked, self._read = checked, read(material)
        self._left = self._gated()
        self._rows = [row for one in self._whole.rated if (row := self._row(one))]
        self._rows.sort(key=lambda one: (-one.risk.severity, -one.risk.strength))
        self._further, self._open = 0, True
        self._fill()
        left = sum(one.verdict not in SHOWN for one in checked.values())
        self.note = f"{left} statement(s) gave way to the records' own words." if left else ""

    def blocks(self, section: str) -> tuple[DraftBlock, ...]:
        """What tells a section; of a section of evidence what its findings mean."""
        every = {
            "summary": self._summary,
            "risks": self._risks,
            "species": self._species,
            "questions": self._questions,
        }
        if section in every:
            return tuple(every[section]())
        read = [one for each in self._whole.reading if each.section == section for one in each.says]
        return tuple(self._said(read))

    @property
    def risks(self) -> tuple[Risk, ...]:
        """All endpoints as rated: of several harms of one the gravest, with all findings."""
        own: dict[str, Risk] = {}
        for row in self._rows:
            known = own.get(row.rated.endpoint, row.risk)
            findings = tuple(dict.fromkeys((*known.findings, *row.risk.findings)))
            best, worst = max(known.strength, row.risk.strength), max(known.severity, row.risk.severity)
            own[row.rated.endpoint] = replace(known, strength=best, severity=worst, findings=findings)
        return tuple(own.get(one.key, Risk(one.key)) for one in Endpoint)

    @property
    def key(self) -> tuple[str, ...]:
        """The conclusion and the key risks, in short."""
        names = [one.name for one in self._whole.risks if any(row.rated is one for row in self._rows)]
        named = f"key risks: {'; '.join(names)}" if names else ""
        return tuple(filter(None, (self._whole.conclusion, named)))

    def _row(self, one: Rated) -> _Row | None:
        claims, facts = list[Claim](), list[CitedFact]()
        for said in one.basis:
            own = self._read.under(said.keys)
            claim = self._standing(said)
            if claim and (left := self._left.get((one.name, claim.text))):
                claims.append(left)
                facts += own
            else:
                lines = (self._left.get((one.name, line.fact.text)) for line in own[:INSTEAD])
                claims += filter(None, lines)
        known = tuple(said.text for said in one.basis if is_known(said))
        if not (claims or known):
            return None
        strength = strength_by(facts, one, self._material) or Strength(bool(claims))
        findings = findings_under(tuple(dict.fromkeys(facts)), one, strength, self._material)
        risk = Risk(one.endpoint, strength, one.under, findings, severity=one.gravity)
        return _Row(one, tuple(dict.fromkeys(claims)), known, risk)

    def _gated(self) -> dict[tuple[str, str], Claim]:
        """The statements, and the records' own lines, that the gate leaves whole under the name of their
        risk: what it would cut gives no grade.
        """
        told = dict[tuple[str, str], Claim]()
        for one in self._whole.rated:
            for said in one.basis:
                claim = self._standing(said)
                every = [*([claim] if claim else ()), *map(by_record, self._read.under(said.keys)[:INSTEAD])]
                told |= {(one.name, each.text): each for each in every}
        rows = tuple(
            (CellDraft(name), CellDraft(one.text, one.keys, one.quotes)) for (name, _), one in told.items()
        )
        if not rows:
            return told
        part = Part("risks", (TableDraft("Risks", RISKS[:2], rows, self.by),))
        material = self._material
        drugs = tuple(one.fact.term for one in material.of(Topic.DRUG))
        evidence = evidence_of(material, (part,))
        made = Assessment(material.order, material.target, (part,), evidence=evidence, drugs=drugs)
        (table,) = gated(report(made)).sections[0].tables
        left = zip(told.items(), table.rows, strict=True)
        return {name: one for (name, one), row in left if row[1].text == one.text}

    def _fill(self) -> None:
        """How many further risks, the gravest first, have room in the report proper: no mild or monitorable
        ones. Without room for any, the open questions stand in the appendix too.
        """
        room = MOST - BESIDE - sum(_words(block) for one in FIRST for block in self.blocks(one))
        self._open = room >= 0
        for row in self._rows:
            if isinstance(row.rated, KeyRisk) or row.risk.severity < Severity.SERIOUS:
                continue
            room -= sum(len(cell.text.split()) for cell in row.cells(self._material.order.direction))
            if room < 0:
                break
            self._further += 1

    def _standing(self, one: Said) -> Claim | None:
        """A statement on records as it was judged, where it may be shown; None else."""
        claim = self._checked.get((one.text, tuple(one.keys)))
        return claim if claim and claim.verdict in SHOWN else None

    def _claims(self, said: Iterable[Said]) -> Iterator[Claim]:
        """Statements that stand; in place of one that does not, the records' own lines."""
        for one in said:
            if claim := self._standing(one):
                yield claim
            else:
                yield from map(by_record, self._read.under(one.keys)[:INSTEAD])

    def _facts(self, said: Iterable[Said]) -> tuple[CitedFact, ...]:
        """The facts behind statements that stand."""
        stand = filter(self._standing, said)
        return tuple(dict.fromkeys(fact for one in stand for fact in self._read.under(one.keys)))

    def _said(self, said: Sequence[Said], *, points: bool = False) -> Iterator[DraftBlock]:
        """Statements in their order: what records carry, and what the field knows."""
        every = ([Claim(one.text, ())] if is_known(one) else self._claims([one]) for one in said)
        if claims := tuple(chain.from_iterable(every)):
            yield Claims(claims, points=points, by=f"{self.by}: {KNOWN.lower()}")

    def _untold(self, head: str, facts: Iterable[CitedFact]) -> Iterator[DraftBlock]:
        """Facts that no report leaves out, where no statement tells them."""
        cited = set(self._facts(self._whole.statements))
        if left := tuple(claim_of(one) for one in facts if one not in cited):
            yield from (Words(head, 3), Claims(left, points=True))

    def _summary(self) -> Iterator[DraftBlock]:
        order = self._material.order
        yield Words(
            f"Conclusion proposed by {self.by}, to be signed by an expert: {self._whole.conclusion}, for "
            f"{scope(order)}."
        )
        for one in self._whole.argument:
            yield from self._said(one.says)
        own = (row for one in self._whole.risks for row in self._rows if row.rated is one)
        if rows := tuple(row.cells(order.direction) for row in own):
            yield TableDraft("Key risks", RISKS, rows, self.by)
        yield from self._untold("Boxed warnings and withdrawals in the records", boxes(self._material))
        yield from map(Words, filter(None, (not_assessed(self._material),)))

    def _risks(self) -> Iterator[DraftBlock]:
        direction = self._material.order.direction
        rows = tuple(row.cells(direction) for row in self._rows if not isinstance(row.rated, KeyRisk))
        first, rest = rows[: self._further], rows[self._further :]
        for title, some, folded in (("Further risks", first, False), ("Less grave risks", rest, True)):
            if some:
                yield TableDraft(title, RISKS, some, self.by, folded)
        yield from self._untold("What people gave", self._material.of(Topic.GIVEN))
        if apart := tuple(self._apart()):
            yield TableDraft("Set apart", APART, apart, self.by, folded=True)
        yield Words(f"What is not named here was not rated. {CAUTION}")

    def _apart(self) -> Iterator[tuple[CellDraft, ...]]:
        """What stands of what is no risk, with its reason."""
        for one in self._whole.apart:
            if claim := self._standing(one):
                yield CellDraft(sentence(one.reason)), carried_cell([claim])
            elif is_known(one):
                yield CellDraft(sentence(one.reason)), CellDraft(one.text)

    def _species(self) -> Iterator[DraftBlock]:
        yield from self._said(self._whole.species)
        for block in species(self._material, Wish()).blocks:
            yield replace(block, folded=True) if isinstance(block, TableDraft) else block

    def _questions(self) -> Iterator[DraftBlock]:
        studies = [
            (sentence(one.stage), one.study, one.guideline, one.answers) for one in self._whole.studies
        ]
        questions = [(one.question, one.settled_by) for one in self._whole.questions]
        for title, columns, rows in (("Study plan", STUDIES, studies), ("Open questions", OPEN, questions)):
            if rows:
                cells = tuple(tuple(map(CellDraft, row)) for row in rows)
                yield TableDraft(title, columns, cells, self.by, columns is OPEN and not self._open)


def carried_cell(claims: Sequence[Claim]) -> CellDraft:
    """What records carry, as a cell."""
    if not claims:
        return CellDraft(NO_RECORD)
    told = (
        f"{one.text.rstrip('.')} {Standing.PARTLY}." if one.standing is Standing.PARTLY else one.text
        for one in claims
    )
    keys = dict.fromkeys(key for one in claims for key in one.keys)
    quotes = dict.fromkeys(quote for one in claims for quote in one.quotes)
    return CellDraft(" ".join(told), tuple(keys), tuple(quotes))


def by_record(one: CitedFact) -> Claim:
    """The line of a record as a claim, which carries itself."""
    return replace(claim_of(one), verdict=Verdict.SUPPORTED, reason=TEMPLATED, checked_by=RULES)


def _full(text: str) -> str:
    """A text as a sentence."""
    return sentence(_end(text))


def _end(text: str) -> str:
    return f"{text.rstrip('. ')}."


def _words(block: DraftBlock) -> int:
    """Words of a block in the report proper, with the line that says whose it is."""
    if isinstance(block, TableDraft):
        texts = [cell.text for row in block.rows for cell in row] * (not block.folded)
        return len(" ".join((block.title, *block.columns, block.by, *texts) if texts else texts).split())
    if isinstance(block, Claims):
        return len(" ".join((*(one.text for one in block.claims), block.by)).split())
    return len(block.text.split()) if isinstance(block, Words) else 0
