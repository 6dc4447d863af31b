"""Routes of administration that a document names for the molecule."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from agents.archive.answer import Realisation, Rejected
from agents.archive.research.documents.attribution import attributed_drug, guard_of_drug
from agents.archive.research.documents.context import is_human, realisation_of
from agents.archive.research.documents.document import AnnotatedDocument
from agents.archive.research.documents.lines import Line
from agents.archive.research.patterns.clauses import clause
from agents.archive.research.vocabulary import any_term, terms

TRACER = re.compile(
    r"microtracer|tracer|radiolabel|\[?\^?14\]?C\b|absolute bio-?availability|isotop", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class RouteMention:
    """A route in its place.

    `implied` is set where only a dosage form is named, `tracer` where it was given as a tracer beside the
    main route.
    """

    route: str
    document: AnnotatedDocument
    line: Line
    implied: bool
    tracer: bool
    refusal: Rejected | None


def mentions_in(document: AnnotatedDocument) -> Iterator[RouteMention]:
    """Every route named in a document for the molecule or refused for it."""
    for line in document.lines:
        if not any_term("routes").search(line.text):
            continue
        for term in terms("routes"):
            found = [(term.name, match, False) for match in term.words.finditer(line.text)]
            if term.forms and (form := term.forms.search(line.text)):
                found.append((f"{term.name} ({form[0].lower().rstrip('s')}s)", form, True))
            for route, match, implied in found:
                traced = TRACER.search(clause(line.text, match.start())) is not None
                refusal = refusal_of(document, line, route, match)
                tracer = traced and term.name != "Oral"
                yield RouteMention(route, document, line, implied, tracer, refusal)


def refusal_of(document: AnnotatedDocument, line: Line, route: str, match: re.Match[str]) -> Rejected | None:
    """Why a route does not count: another drug's, in animals, of a withdrawn study, only planned."""
    where = f"({document.doc_id})"
    drug = attributed_drug(document, line, match.start(), match.end())
    if drug is None or not drug.is_this:
        guard = guard_of_drug(document, line, drug) if drug else "other molecule"
        return Rejected(route, guard, f"route of {drug.name if drug else 'an unnamed drug'} {where}")
    if not is_human(document, line, match.start()):
        return Rejected(route, "preclinical vs clinical", f"not in humans {where}")
    if document.withdrawn and document.of_one_study:
        return Rejected(route, "withdrawn study", f"nobody was dosed {where}")
    if document.reported and realisation_of(document, line, match.start()) is not Realisation.ACTUAL:
        return Rejected(route, "planned vs actual", f"only planned {where}")
    return None


def routes_of_study(document: AnnotatedDocument) -> tuple[str, ...]:
    """Routes of the molecule in one document, stated ones only, most frequent first."""
    counted = Counter(
        m.route for m in mentions_in(document) if m.refusal is None and not m.implied and not m.tracer
    )
    return tuple(route for route, _ in counted.most_common())
