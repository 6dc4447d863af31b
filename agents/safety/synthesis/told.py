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
from agents.trust.check import SHOWN
from agents.trust.values import TEMPLATED, Claim, Standing, Verdict

KNOWN = "General knowledge, not in the sources"
RISKS = ("Risk, its source and rating", "Records", KNOWN)
STUDIES = ("Stage", "Study and readout", "Guideline", "Answers")
OPEN = ("Open question", "Settled by")
"""Few columns, since a table is read on a phone; what records carry and what a model proposes stand apart."""
NO_RECORD = "none cited"
INSTEAD = 2
"""Lines of records that are shown where a statement on them does not stand."""


@dataclass(frozen=True, slots=True)
class _Row:
    """A rating with what of its basis stands."""

    rated: Rated
    claims: tuple[Claim, ...]
    known: tuple[str, ...]
    risk: Risk

    def rating(self, direction: Direction | None) -> str:
        """The change of the target where it is another than is asked, where the harm comes from, likelihood,
        severity, and strength with the lines of evidence, or that no source tells it.
        """
        one = self.rated
        way = f"with {one.under}; " * (one.under != direction)
        clinical = [one.cited.fact for one in self.risk.findings if one.cited.fact.topic in CLINICAL]
        other = bool(clinical) and all(one.shared for one in clinical)
        lines = f"{listed(lines_of(self.risk.findings))}{'; other targets too' * other}"
        strength = self.risk.strength
        told = f"{STRENGTHS[strength]} evidence{f' ({lines})' * bool(lines)}" if strength else ""
        known = f"general knowledge ({one.known_from})" if strength <= Strength.WEAK else ""
        rested = ", ".join(filter(None, (told, known)))
        return f"{way}of the {one.source}; {one.likelihood}, {self.risk.severity.told}; {rested}"


class Told:
    """The blocks of each section, the risks as rated, and the short answer. `checked` are the claims with
    verdicts, by text and keys.
    """

    def __init__(
        self, material: Material, made: Minded[Whole], checked: Mapping[tuple[str, tuple[str, ...]], Claim]
    ) -> None:
        self._material, self._whole, self.by = material, made.value, made.by
        self._checked, self._read = checked, read(material)
        self._rows = [row for one in self._whole.rated if (row := self._row(one))]
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
        names = [row.rated.name for row in self._rows if isinstance(row.rated, KeyRisk)]
        named = f"key risks: {'; '.join(names)}" if names else ""
        return tuple(filter(None, (self._whole.conclusion, named)))

    def _row(self, one: Rated) -> _Row | None:
        claims = tuple(self._claims(one.basis))
        known = tuple(said.text for said in one.basis if is_known(said))
        if not (claims or known):
            return None
        facts = self._facts(one.basis)
        strength = strength_by(facts, self._material) or Strength(bool(claims))
        findings = findings_under(facts, one, strength, self._material)
        risk = Risk(one.endpoint, strength, one.under, findings, severity=one.gravity)
        return _Row(one, claims, known, risk)

    def _standing(self, one: Said) -> Claim | None:
        """A statement on records as it was judged, where it may be shown; None else."""
        claim = self._checked.get((one.text, tuple(one.keys)))
        return claim if claim and claim.verdict in SHOWN else None

    def _stands(self, one: Said) -> bool:
        """Whether it is shown in its own words."""
        return is_known(one) or self._standing(one) is not None

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
        yield from self._said(self._whole.because)
        yield from self._said(self._whole.conditions)
        rows = []
        for row in self._rows:
            if isinstance(one := row.rated, KeyRisk):
                about = f"Reversibility: {_full(one.reversibility)} Monitoring: {_full(one.monitoring)}"
                known = CellDraft(" ".join((*row.known, about)))
                rows.append(
                    (
                        CellDraft(f"{sentence(one.name)}: {row.rating(order.direction)}"),
                        carried_cell(row.claims),
                        known,
                    )
                )
        if rows:
            yield TableDraft("Key risks", RISKS, tuple(rows), self.by)
        yield from self._untold("Boxed warnings and withdrawals in the records", boxes(self._material))
        yield from map(Words, filter(None, (not_assessed(self._material),)))

    def _risks(self) -> Iterator[DraftBlock]:
        rows = [
            (
                CellDraft(f"{sentence(row.rated.name)}: {row.rating(self._material.order.direction)}"),
                carried_cell(row.claims),
                CellDraft(" ".join(row.known)),
            )
            for row in sorted(self._rows, key=lambda one: (-one.risk.severity, -one.risk.strength))
            if not isinstance(row.rated, KeyRisk)
        ]
        if rows:
            yield TableDraft("Further risks", RISKS, tuple(rows), self.by)
        yield from self._said(self._whole.integrated)
        yield from self._untold("What people gave", self._material.of(Topic.GIVEN))
        for reason in dict.fromkeys(one.reason for one in self._whole.apart):
            own = [one for one in self._whole.apart if one.reason == reason and self._stands(one)]
            if own:
                yield from (Words(f"Set apart: {reason}", 3), *self._said(own, points=True))
        yield Words(f"What is not named here was not rated. {CAUTION}")

    def _species(self) -> Iterator[DraftBlock]:
        yield from self._said(self._whole.species)
        yield from species(self._material, Wish()).blocks

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
    return f"{sentence(text).rstrip('.')}."
