"""Treatment regimens in humans: dose, frequency, schedule, duration, route and population, a regimen a
study.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from agents.archive.models import Dossier, Draft, DraftField
from agents.archive.research.attribution import owner, shares
from agents.archive.research.context import Design, is_human, realisation_of
from agents.archive.research.doses import OFTEN, DoseMention, all_doses
from agents.archive.research.drafting import absent, claims_of, listed, population_of, study_label
from agents.archive.research.guards import (
    admit,
    corrected,
    never_dosed,
    not_done,
    other_drug,
    preclinical,
    withdrawn,
)
from agents.archive.research.highest_dose import follow_reports
from agents.archive.research.reading import Line, Role
from agents.archive.research.route import routes_of_study
from agents.archive.research.study import Part, Study, studies
from agents.archive.research.vocabulary import any_of
from agents.models import Realisation, Rejected
from agents.trust.quantities import Frequency, parse_frequencies

GUARDS = (other_drug, preclinical, withdrawn, not_done)
MOST = 8
COUNT = (
    r"(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|twelve|thirteen|fourteen|sixteen|eighteen|"
    r"twenty-one|twenty-four|twenty-eight)"
)
SPAN = (
    rf"(?:up to (?:a (?:maximum|total) of )?|a (?:maximum|total) of |at least |approximately |"
    rf"about )?{COUNT}(?:\s?(?:-|to)\s?{COUNT})?(?: consecutive| additional)?"
)
DURATION = re.compile(
    rf"\b(?:for|over|during|of)\s(?:the (?:following|next) )?(?P<for>{SPAN}[- ](?:days?|weeks?|months?|"
    rf"years?|cycles?|courses?))\b(?!\s(?:before|prior|washout|follow|post|old))"
    rf"|\b(?P<period>{SPAN}[- ](?:day|week|month|year)s?)\s(?:(?:double-blind|open-label|randomi[sz]ed|"
    rf"active|blinded|optional)\s)*"
    r"(?:treatment|dosing|extension|maintenance|course|therapy|study|repeat)"
    rf"|\btotal of (?P<total>{COUNT}[- ](?:days|weeks|months|years))\b"
    r"|\b(?P<until>until (?:disease )?progression)\b",
    re.IGNORECASE,
)  # fmt: skip
NO_DURATION = any_of([
    "wash-?out", "follow(?:ed)?[- ]?up", "screening", "run-in", "interval", "study duration", "overall time",
    "time to participate",
    "survival", "years? of age", "history", "participation", "observation", "confined", "housed", "visits?",
    "placebo period", "stay", r"hospitali[sz]ed", "admitted",
    "after (?:completion|the last)", "followed", "patients will be followed", "then every",
    r"every \d+ (?:weeks|months)", "prior to", "before screening", "period of at least", "diet and exercise",
])  # fmt: skip
ONE_DAY = re.compile(r"D-?\d+")
ON_OFF = re.compile(r"\boff\s$", re.IGNORECASE)
MORE_DAYS = re.compile(r"\s?[-–]\s?\d+")
SAME_TIME = re.compile(
    r"\b(?:at )?the same time (?:each|every) day\b|\b(?:1|one) (?:tablet|capsule)s? (?:a|per|each|"
    r"every) day\b",
    re.IGNORECASE,
)
REPEATS = re.compile(
    rf"\b(?:courses?|cycles?|treatment)s? (?:is |are |will be )?repeat(?:s|ed)? every {COUNT} (?:days|weeks)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Regimen:
    """What one document says of how the molecule was given. `lines` carry it."""

    study: Study
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
        return repeated, known, bool(self.doses), self.study.reported, self.study.authority

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


def extract(dossier: Dossier) -> Draft:
    """Regimens of a molecule in humans."""
    read = studies(dossier)
    name = dossier.molecule.name
    admitted, rejected = admit(all_doses(read), (corrected(read), *GUARDS))
    believed, contradicted = follow_reports(admitted)
    rejected += contradicted
    regimens: list[Regimen] = []
    for study in read:
        if not (study.withdrawn and study.of_one_study):
            regimens += regimens_of(study, [dose for dose in believed if dose.study is study])
    if (never := never_dosed(read)) is not None:
        return absent(f"{name} was never given to humans: {never.reason}", [never, *rejected])
    complete = [regimen for regimen in regimens if regimen.frequencies]
    rejected += [
        Rejected(r.text, "incomplete regimen", f"no frequency stated ({study_label(r.study)})")
        for r in regimens
        if not r.frequencies
    ]
    if not complete:
        return absent(f"The archive states no treatment regimen of {name} in humans.", rejected)
    return draft(name, merged(complete), rejected)


def regimens_of(study: Study, admitted: Sequence[DoseMention]) -> Iterator[Regimen]:
    """Regimens of a document: single and repeated dosing apart; of a document on many studies, one a
    statement.
    """
    if study.part is Part.PASSING or not study.of_one_study:
        yield from stated(study, admitted)
        return
    terms = list(frequencies_in(study))
    durations = list(durations_in(study))
    for design in (Design.REPEATED, Design.SINGLE):
        doses = [dose for dose in admitted if (dose.design or Design.REPEATED) is design]
        often = [(text, line) for text, line, single in terms if single is (design is Design.SINGLE)]
        if doses or often:
            spans = durations if design is Design.REPEATED else []
            yield regimen(study, doses, often, spans)


def regimen(
    study: Study,
    doses: Sequence[DoseMention],
    often: Sequence[tuple[str, Line]],
    spans: Sequence[tuple[str, Line]],
) -> Regimen:
    """Put together what a document states."""
    frequencies = unique(
        [text for text, _ in often] or [dose.often for dose in doses if dose.often] or per_day(doses)
    )
    return Regimen(
        study,
        dose_texts(doses),
        frequencies[:5],
        unique(text for text, _ in spans)[:3],
        routes_of_study(study),
        population_of(study),
        tuple([*(d.line for d in doses), *(line for _, line in often), *(line for _, line in spans)]),
    )


def per_day(doses: Sequence[DoseMention]) -> list[str]:
    """ "Daily" where doses are stated per day, "single dose" where they were given once."""
    if any(dose.quantity.standard_unit.endswith("/day") for dose in doses):
        return ["daily"]
    return ["single dose"] if any(dose.design is Design.SINGLE for dose in doses) else []


def dose_texts(doses: Iterable[DoseMention]) -> tuple[str, ...]:
    """Amounts in rising order, each once; a range that single values cover is left out."""
    single = {
        (d.dimension, d.quantity.standard_high): d.single_text for d in doses if not d.quantity.is_range
    }
    ordered = [single[key] for key in sorted(single)]
    ranges = unique(
        d.single_text
        for d in doses
        if d.quantity.is_range and (d.dimension, d.quantity.standard_high) not in single
    )
    return tuple(ordered) + ranges


def unique(texts: Iterable[str]) -> tuple[str, ...]:
    """Texts once, in order, case ignored."""
    return tuple({text.lower(): text for text in reversed([t for t in texts if t])}.values())[::-1]


def stated(study: Study, admitted: Sequence[DoseMention]) -> Iterator[Regimen]:
    """One regimen for each sentence that gives a dose with its frequency."""
    for line in dict.fromkeys(dose.line for dose in admitted):
        doses = [
            dose
            for dose in admitted
            if dose.line is line and dose.often and dose.realisation is Realisation.ACTUAL
        ]
        if doses:
            spans = [text for text in duration_texts(line.text)]
            yield Regimen(
                study, dose_texts(doses), unique(d.often for d in doses), unique(spans), (), "", (line,)
            )


def frequencies_in(study: Study) -> Iterator[tuple[str, Line, bool]]:
    """Frequencies and schedules of the molecule with their lines, and whether they say that it was given
    once.
    """
    for line in study.lines:
        if line.is_heading and line.number:
            continue
        for found in parse_frequencies(line.text):
            if not is_dosing(line.text, found) or not is_ours(study, line, found):
                continue
            yield frequency_text(line.text, found), line, found.term == "SINGLE"
        if SAME_TIME.search(line.text) and study.is_about_this and not is_others_line(line):
            yield "once daily", line, False
        if (repeats := REPEATS.search(line.text)) is not None and study.is_about_this:
            yield repeats[0].lower(), line, False


def is_dosing(text: str, found: Frequency) -> bool:
    """Whether a frequency is one of dosing: not of visits, meals, samples or radiation."""
    around = text[max(0, found.start - 60) : found.end + 30]
    if found.term == "PRN" or ONE_DAY.fullmatch(found.term) or ON_OFF.search(text[: found.start]):
        return False
    return not re.search(
        r"\bfollow|\brecur|\buntil \d|\bvisits?\b|\bsampl|\bassess|\bevaluated? every|\bscans?\b|\bmeasure|"
        r"\bradio|\bquestionnaire|\bwash|\bper group"
        r"|\bPEF\b|\bexamin|\bmonitor|\bbiops|\bcollect|\bdays? post|\bechocardiogra|\brandomi[sz]ation\b",
        around, re.IGNORECASE,
    )  # fmt: skip


def is_ours(study: Study, line: Line, found: Frequency) -> bool:
    """Whether a frequency is of the molecule, in humans, and not only planned in a report."""
    agent = owner(study, line, found.start, found.end)
    ours = (agent is not None and agent.role is Role.THIS) or shares(study, line, found.start)
    if not ours or not is_human(study, line, found.start):
        return False
    return not study.reported or realisation_of(study, line, found.start) is Realisation.ACTUAL


def frequency_text(text: str, found: Frequency) -> str:
    """The usual words for a plain frequency; the document's own for a schedule, with the days it names."""
    if found.term in OFTEN:
        return OFTEN[found.term] + (
            " in the morning" if re.match(r"\s(?:in the morning)", text[found.end :]) else ""
        )
    more = MORE_DAYS.match(text, found.end)
    return " ".join((found.text + (more[0] if more else "")).split())


def durations_in(study: Study) -> Iterator[tuple[str, Line]]:
    """Durations of treatment with their lines."""
    for line in study.lines:
        if line.row is not None or (line.is_heading and line.number) or is_others_line(line):
            continue
        if not is_human(study, line, 0):
            continue
        yield from ((text, line) for text in duration_texts(line.text))


def is_others_line(line: Line) -> bool:
    """Whether a sentence is about other drugs only."""
    ours = any(agent.role in (Role.THIS, Role.STUDY_DRUG) for agent in line.agents)
    return line.names_others and not ours


def duration_texts(text: str) -> Iterator[str]:
    """Durations of treatment in a sentence."""
    for found in DURATION.finditer(text):
        around = text[max(0, found.start() - 70) : found.end() + 25]
        if not NO_DURATION.search(around):
            said = next(filter(None, found.groups()))
            yield (
                said.replace("until", "continued until") if said.lower().startswith("until") else said.lower()
            )


def merged(regimens: Sequence[Regimen]) -> list[Regimen]:
    """Each regimen once, the most complete first."""
    ordered = sorted(regimens, key=lambda r: r.completeness, reverse=True)
    return list({regimen.text: regimen for regimen in reversed(ordered)}.values())[::-1]


def draft(name: str, regimens: Sequence[Regimen], rejected: Sequence[Rejected]) -> Draft:
    """All regimens, the most complete first."""
    shown = regimens[:MOST]
    short = "; ".join(
        f"{r.text} ({', '.join(filter(None, [r.population, study_label(r.study)]))})" for r in shown
    )
    fields = [field for regimen in shown for field in fields_of(regimen)]
    planned = "" if any(r.study.reported for r in shown) else ", as planned in the records"
    lines = [line for regimen in shown for line in dict.fromkeys(regimen.lines)]
    left = len(regimens) - len(shown)
    more = f" {left} further regimens are listed in the documents." if left else ""
    return Draft(
        True,
        short,
        f"{name} was given to humans as follows{planned}: {short}.{more}",
        claims_of(lines, 16),
        tuple(fields),
        tuple(rejected),
    )


def fields_of(regimen: Regimen) -> Iterator[DraftField]:
    """The parts of a regimen as fields; what is not stated is said to be so."""
    passages = tuple(line.passage for line in dict.fromkeys(regimen.lines))[:4]
    for field, values in (
        ("dose", regimen.doses or ("not stated",)),
        ("frequency", regimen.frequencies),
        ("duration", regimen.durations or ("not stated",)),
        ("route", regimen.routes),
    ):
        if values:
            yield DraftField(field, listed(values, "or"), passages=passages, note=study_label(regimen.study))
