"""An assessment that a model wrote as blocks of a report: what its lines carry with citations, what the field
knows marked as that, and nothing that was struck.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from agents.counts import listed
from agents.databases.facts import Topic
from agents.minds.minded import RULES, Minded
from agents.safety.coverage import not_assessed
from agents.safety.endpoints.values import Endpoint
from agents.safety.material import Material, claim_of
from agents.safety.order import Direction
from agents.safety.sections.wish import Wish
from agents.safety.synthesis.findings import CLINICAL, lines_of
from agents.safety.synthesis.species import species
from agents.safety.synthesis.summary import CAUTION, scope
from agents.safety.synthesis.wording import STRENGTHS, sentence
from agents.safety.values import (
    CellDraft,
    CitedFact,
    Claims,
    DraftBlock,
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
from agents.trust.carrier import carrier_of
from agents.trust.check import SHOWN
from agents.trust.citations import cited, find_quote
from agents.trust.support import Support, faults
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
        """Another change than is asked, likelihood, severity, and strength with the lines that give it."""
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
        known = [*self.known, *(f"Brought by {one.source.rstrip('. ')}." for _ in one.source[:1])]
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
        self._names = (*material.target.symbols, *(one.fact.term for one in material.of(Topic.DRUG)))
        self._rows = [row for one in self._whole.rated if (row := self._row(one))]
        self._rows.sort(key=lambda one: (-one.risk.severity, -one.risk.strength))
        self._further = 0
        self._fill()
        left = sum(one.verdict not in SHOWN for one in checked.values())
        self.note = f"{left} statement(s) gave way to the records' own words." if left else ""

    def blocks(self, section: str) -> tuple[DraftBlock, ...]:
        """What tells a section; of a section of evidence what its findings mean."""
        if section in FIRST:
            return tuple(getattr(self, f"_{section}")())
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
        claims, facts = dict[str, Claim](), list[CitedFact]()
        for said in one.basis:
            own = self._read.under(said.keys)
            every = (*self._claims(said), *map(by_record, own)) if own else ()
            told = [each for each in every if self._fits(one.name, each)]
            claim = self._standing(said)
            claims |= {each.text: each for each in told[: 1 if told[:1] == [claim] else INSTEAD]}
            facts += own if claim and told else ()
        known = tuple(said.text for said in one.basis if is_known(said))
        if not (claims or known):
            return None
        strength = strength_by(facts, one, self._material) or Strength(bool(claims))
        findings = findings_under(tuple(dict.fromkeys(facts)), one, strength, self._material)
        risk = Risk(one.endpoint, strength, one.under, findings, severity=one.gravity)
        return _Row(one, tuple(claims.values()), known, risk)

    def _fits(self, name: str, claim: Claim) -> bool:
        """Whether the gate leaves a statement whole under the name of its risk: else it gives no grade."""
        items = [item for one in self._material.collected for item in one.evidence if item.key in claim.keys]
        spans = ((item, find_quote(quote, item)) for item in items for quote in claim.quotes)
        lines = tuple(carrier_of(cited(0, item, *span)) for item, span in spans if span)
        return not any(faults(f"{name}: {claim.text}", Support(lines, names=self._names)))

    def _fill(self) -> None:
        """How many further risks, the gravest first and no mild or monitorable ones, have room up front."""
        room = MOST - BESIDE - sum(_words(block) for one in FIRST for block in self.blocks(one))
        for row in self._rows:
            if not isinstance(row.rated, KeyRisk) and row.risk.severity >= Severity.SERIOUS:
                room -= sum(len(cell.text.split()) for cell in row.cells(self._material.order.direction))
                self._further += room >= 0

    def _standing(self, one: Said) -> Claim | None:
        """A statement on records as it was judged, where it may be shown; None else."""
        claim = self._checked.get((one.text, tuple(one.keys)))
        return claim if claim and claim.verdict in SHOWN else None

    def _claims(self, one: Said) -> list[Claim]:
        """A statement as it stands; in place of one that does not, the records' own lines."""
        claim = Claim(one.text, ()) if is_known(one) else self._standing(one)
        return [claim] if claim else [by_record(each) for each in self._read.under(one.keys)[:INSTEAD]]

    def _facts(self, said: Iterable[Said]) -> tuple[CitedFact, ...]:
        """The facts behind statements that stand."""
        stand = filter(self._standing, said)
        return tuple(dict.fromkeys(fact for one in stand for fact in self._read.under(one.keys)))

    def _said(self, said: Sequence[Said]) -> Iterator[DraftBlock]:
        """Statements in their order: what records carry, and what the field knows."""
        if claims := tuple(chain.from_iterable(map(self._claims, said))):
            yield Claims(claims, by=f"{self.by}: {KNOWN.lower()}")

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
            claim = self._standing(one)
            if claim or is_known(one):
                told = carried_cell([claim]) if claim else CellDraft(one.text)
                yield CellDraft(sentence(one.reason)), told

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
                yield TableDraft(title, columns, cells, self.by)


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
    return f"{sentence(text).rstrip('. ')}."


def _words(block: DraftBlock) -> int:
    """Words of a block in the report proper, with the line that says whose it is."""
    if isinstance(block, TableDraft):
        texts = [cell.text for row in block.rows for cell in row] * (not block.folded)
        return len(" ".join((block.title, *block.columns, block.by, *texts) if texts else texts).split())
    if isinstance(block, Claims):
        return len(" ".join((*(one.text for one in block.claims), block.by)).split())
    return len(block.text.split()) if isinstance(block, Words) else 0
