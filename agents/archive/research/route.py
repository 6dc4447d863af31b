"""Routes of administration in humans."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agents.archive.answer import Realisation, Rejected
from agents.archive.research.attribution import guard_name, owner, shares
from agents.archive.research.context import clause, is_human, realisation_of
from agents.archive.research.drafting import absent, claims_of, study_label
from agents.archive.research.guards import given_to_humans, never_dosed
from agents.archive.research.reading import Line, Role
from agents.archive.research.study import Part, Study, studies
from agents.archive.research.vocabulary import any_term, terms, wording
from agents.archive.values import Dossier, Draft, DraftField

TRACER = re.compile(
    r"microtracer|tracer|radiolabel|\[?\^?14\]?C\b|absolute bio-?availability|isotop", re.IGNORECASE
)
DRUG_CLASS = re.compile(
    r"\b(?:inhibitors|ant?agonists|blockers|activators|modulators|steroids|antibodies|antibiotics|drugs|compounds)\b"
    r"[^.;,]{0,40}$", re.IGNORECASE,
)  # fmt: skip
"""A plural that names a class: "inhibitors of this kind given orally ..."."""
NOT_GIVEN = re.compile(
    r"\b(?:not|never)\s(?:been\s)?(?:given|used|administered)|\bno (?:intravenous|oral|other)|"
    r"\bnot\b[^.]{0,30}$|bio-?availability|test meal|"
    r"\bglucose tolerance", re.IGNORECASE,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class RouteMention:
    """A route in its place. `implied`: only a dosage form is named. `tracer`: given as a tracer beside the
    main route.
    """

    route: str
    study: Study
    line: Line
    implied: bool
    tracer: bool
    refusal: Rejected | None


def extract(dossier: Dossier) -> Draft:
    """Routes by which a molecule was given to humans."""
    read = studies(dossier)
    name = dossier.molecule.name
    found = [mention for study in read for mention in mentions_in(study)]
    rejected = [m.refusal for m in found if m.refusal]
    if (never := never_dosed(read)) is not None:
        return absent(f"{name} was never given to humans: {never.reason}", [never, *rejected])
    taken = main_first([mention for mention in found if mention.refusal is None])
    if not taken:
        return absent(
            f"The archive does not state by which route {name} was given to humans.", unique(rejected)
        )
    return draft(name, taken, unique(rejected), planned=not any(m.study.reported for m in taken))


def unique(rejected: Sequence[Rejected]) -> list[Rejected]:
    """Each refusal once by value and guard."""
    return list({(item.value, item.guard): item for item in rejected}.values())


def mentions_in(study: Study) -> Iterator[RouteMention]:
    """Every route named in a document for the molecule or refused for it."""
    for line in study.lines:
        if not any_term("routes").search(line.text):
            continue
        for term in terms("routes"):
            for match in term.words.finditer(line.text):
                yield judged(study, line, term.name, match, implied=False)
            if term.forms and (form := term.forms.search(line.text)):
                name = f"{term.name} ({form[0].lower().rstrip('s')}s)"
                yield judged(study, line, name, form, implied=True)


def judged(study: Study, line: Line, route: str, match: re.Match[str], implied: bool) -> RouteMention:
    """A route with the reason why it does not count, if any."""
    tracer = bool(TRACER.search(clause(line.text, match.start()))) and not route.startswith("Oral")
    return RouteMention(route, study, line, implied, tracer, refusal_of(study, line, route, match))


def refusal_of(study: Study, line: Line, route: str, match: re.Match[str]) -> Rejected | None:
    """Why a route does not count: another drug's, in animals, of a withdrawn study, only planned."""
    where = f"({study.record.doc_id})"
    agent = owner(study, line, match.start(), match.end())
    if (agent is None or agent.role is not Role.THIS) and not shares(study, line, match.start()):
        guard = guard_name(study, line, agent) if agent else "other molecule"
        return Rejected(route, guard, f"route of {agent.name if agent else 'an unnamed drug'} {where}")
    if not line.names_this and DRUG_CLASS.search(line.text[: match.start()]):
        return Rejected(route, "other molecule", f"said of a class of drugs {where}")
    if not is_human(study, line, match.start()):
        return Rejected(route, "preclinical vs clinical", f"not in humans {where}")
    if study.withdrawn and study.of_one_study:
        return Rejected(route, "withdrawn study", f"nobody was dosed {where}")
    ahead = line.text[max(0, match.start() - 30) : match.start()]
    if wording("never_in_humans").search(line.text) or NOT_GIVEN.search(ahead):
        return Rejected(route, "planned vs actual", f"not given by this route {where}")
    if study.reported and realisation_of(study, line, match.start()) is not Realisation.ACTUAL:
        return Rejected(route, "planned vs actual", f"only planned {where}")
    return None


def main_first(taken: Sequence[RouteMention]) -> list[RouteMention]:
    """One mention a route: stated ones before implied ones, main routes before tracers, then by number of
    documents.

    Dosage forms count only where no route is stated.
    """
    stated = [mention for mention in taken if not mention.implied] or list(taken)
    documents = Counter(route for route, _ in {(m.route, m.study.record.doc_id) for m in stated})
    best: dict[str, RouteMention] = {}
    for mention in sorted(stated, key=lambda m: (m.tracer, not m.study.reported, -m.study.authority)):
        best.setdefault(mention.route, mention)
    return sorted(best.values(), key=lambda m: (m.tracer, -documents[m.route]))


def draft(name: str, taken: Sequence[RouteMention], rejected: Sequence[Rejected], planned: bool) -> Draft:
    """Main routes, and in brackets what was only a tracer."""
    main = [mention.route for mention in taken if not mention.tracer] or [taken[0].route]
    also = [mention.route for mention in taken if mention.route not in main]
    short = ", ".join([main[0], *(route.lower() for route in main[1:])])
    if also:
        short += f" ({also[0].lower()} only as a tracer beside it)"
    fields = tuple(
        DraftField("route", m.route, passages=(m.line.passage,), note=study_label(m.study)) for m in taken
    )
    verb = "is given to humans, as planned in the records" if planned else "was given to humans"
    headline = f"{name} {verb}: {short[0].lower()}{short[1:]}."
    return Draft(True, short, headline, claims_of(m.line for m in taken), fields, tuple(rejected))


def routes_of_study(study: Study) -> tuple[str, ...]:
    """Routes of the molecule in one document, stated ones only, most frequent first."""
    counted = Counter(
        m.route for m in mentions_in(study) if m.refusal is None and not m.implied and not m.tracer
    )
    return tuple(route for route, _ in counted.most_common())


def was_given(read: Sequence[Study]) -> bool:
    """Whether the molecule was given to humans in a study of the archive, as subject or partner."""
    return given_to_humans([study for study in read if study.part is not Part.PASSING])
