"""Treatment regimens in humans: dose, frequency, duration, route and population."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from agents.archive.answer import Realisation, Rejected
from agents.archive.research.documents.annotation import annotated_documents
from agents.archive.research.documents.context import population_of
from agents.archive.research.documents.document import AnnotatedDocument, MoleculeRole
from agents.archive.research.documents.dose_mentions import DoseMention
from agents.archive.research.documents.doses import all_doses
from agents.archive.research.documents.lines import Line
from agents.archive.research.documents.routes import routes_of_study
from agents.archive.research.documents.schedules import duration_texts, durations_in, frequencies_in
from agents.archive.research.drafting import absent, claims_of, never_given, text_fields
from agents.archive.research.guards.doses import CLINICAL, admit
from agents.archive.research.guards.humans import never_dosed
from agents.archive.research.patterns.designs import Design
from agents.archive.values import Draft, DraftField, ResearchInput
from agents.counts import listed

MOST = 8
IN_WORDS = {"b.i.d.": "twice daily", "t.i.d.": "three times daily", "q.i.d.": "four times daily"}


@dataclass(frozen=True, slots=True)
class Regimen:
    """What one document says of how the molecule was given. `lines` carry it."""

    document: AnnotatedDocument
    doses: tuple[str, ...]
    frequencies: tuple[str, ...]
    durations: tuple[str, ...]
    routes: tuple[str, ...]
    population: str
    lines: tuple[Line, ...]

    @property
    def completeness(self) -> tuple[bool, int, bool, bool, int]:
        """Order of answers: repeated before single, then by how much is stated."""
        repeated = any(f != "single dose" for f in self.frequencies)
        known = bool(self.doses) + bool(self.frequencies) + bool(self.durations)
        return repeated, known, bool(self.doses), self.document.reported, self.document.authority

    @property
    def text(self) -> str:
        """ "5 or 10 mg twice daily, orally, for eight weeks"."""
        dose = listed(self.doses, "or") if self.doses else ""
        often = listed(self.frequencies, "or")
        given = [word.lower() for word in self.routes[:1]]
        duration = f"for {listed(self.durations, 'or')}" if self.durations else ""
        return ", ".join(filter(None, [f"{dose} {often}".strip(), *given, duration])) + (
            "" if dose else " (dose not stated)"
        )


def extract(research_input: ResearchInput) -> Draft:
    """Regimens of a molecule in humans."""
    documents = annotated_documents(research_input)
    name = research_input.molecule.name
    admitted, rejected = admit(all_doses(documents), CLINICAL)
    regimens: list[Regimen] = []
    for document in documents:
        if not (document.withdrawn and document.of_one_study):
            regimens += regimens_of(document, [dose for dose in admitted if dose.document is document])
    if (never := never_dosed(documents)) is not None:
        return never_given(name, never, rejected)
    complete = [regimen for regimen in regimens if regimen.frequencies]
    done = [regimen for regimen in complete if regimen.document.carried_out]
    if any(regimen.doses for regimen in done):
        complete = done
    rejected += [
        Rejected(r.text, "incomplete regimen", f"no frequency stated ({r.document.doc_id})")
        for r in regimens
        if not r.frequencies
    ]
    if not complete:
        return absent(f"The archive states no treatment regimen of {name} in humans.", rejected)
    return draft(name, merged(complete), rejected)


def regimens_of(document: AnnotatedDocument, admitted: Sequence[DoseMention]) -> Iterator[Regimen]:
    """Regimens of a document.

    Of one study, single and repeated dosing stand apart; a document on many studies gives one regimen a
    statement.
    """
    if document.role is MoleculeRole.PASSING or not document.of_one_study:
        yield from stated(document, admitted)
        return
    terms = list(frequencies_in(document))
    durations = list(durations_in(document))
    for design in (Design.REPEATED, Design.SINGLE):
        doses = [dose for dose in admitted if (dose.design or Design.REPEATED) is design]
        often = [(text, line) for text, line, single in terms if single is (design is Design.SINGLE)]
        if doses or often:
            spans = durations if design is Design.REPEATED else []
            yield regimen(document, doses, often, spans)


def regimen(
    document: AnnotatedDocument,
    doses: Sequence[DoseMention],
    often: Sequence[tuple[str, Line]],
    spans: Sequence[tuple[str, Line]],
) -> Regimen:
    """Put together what a document states."""
    frequencies = unique(
        [text for text, _ in often] or [dose.frequency_words for dose in doses if dose.frequency_words]
    )
    return Regimen(
        document,
        dose_texts(doses),
        frequencies[:5],
        unique(text for text, _ in spans)[:3],
        routes_of_study(document),
        population_of(document),
        tuple([*(d.line for d in doses), *(line for _, line in often), *(line for _, line in spans)]),
    )


def dose_texts(doses: Iterable[DoseMention]) -> tuple[str, ...]:
    """Amounts in rising order, each once."""
    levels = {(dose.dimension, dose.quantity.standard_high): dose.single_text for dose in doses}
    return tuple(levels[level] for level in sorted(levels))


def unique(texts: Iterable[str]) -> tuple[str, ...]:
    """Texts once, in order, case ignored; "b.i.d." is "twice daily"."""
    usual = [IN_WORDS.get(text.lower(), text) for text in texts if text]
    return tuple({text.lower(): text for text in reversed(usual)}.values())[::-1]


def stated(document: AnnotatedDocument, admitted: Sequence[DoseMention]) -> Iterator[Regimen]:
    """One regimen for each sentence that gives a dose with its frequency."""
    for line in dict.fromkeys(dose.line for dose in admitted):
        own = [dose for dose in admitted if dose.line is line and dose.realisation is Realisation.ACTUAL]
        doses = [dose for dose in own if dose.frequency_words]
        if doses:
            often, spans = unique(dose.frequency_words for dose in doses), unique(duration_texts(line.text))
            yield Regimen(document, dose_texts(doses), often, spans, (), "", (line,))


def merged(regimens: Sequence[Regimen]) -> list[Regimen]:
    """Each regimen once, the most complete first."""
    ordered = sorted(regimens, key=lambda r: r.completeness, reverse=True)
    return list({regimen.text: regimen for regimen in reversed(ordered)}.values())[::-1]


def draft(name: str, regimens: Sequence[Regimen], rejected: Sequence[Rejected]) -> Draft:
    """All regimens, the most complete first."""
    shown = regimens[:MOST]
    short = "; ".join(
        f"{r.text} ({', '.join(filter(None, [r.population, r.document.doc_id]))})" for r in shown
    )
    fields = [field for regimen in shown for field in fields_of(regimen)]
    planned = "" if any(r.document.reported for r in shown) else ", as planned in the records"
    lines = [line for regimen in shown for line in dict.fromkeys(regimen.lines)]
    more = " Further regimens are listed in the documents." if len(regimens) > len(shown) else ""
    return Draft(
        True,
        short,
        f"{name} was given to humans as follows{planned}: {short}.{more}",
        claims_of(lines, 16),
        tuple(fields),
        tuple(rejected),
    )


def fields_of(regimen: Regimen) -> list[DraftField]:
    """The parts of a regimen as fields; what is not stated is said to be so."""
    return text_fields(
        list(dict.fromkeys(regimen.lines))[:4],
        dose=listed(regimen.doses or ("not stated",), "or"),
        frequency=listed(regimen.frequencies, "or"),
        duration=listed(regimen.durations or ("not stated",), "or"),
        route=listed(regimen.routes, "or"),
    )
