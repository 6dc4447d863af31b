"""Routes of administration in humans."""

from collections import Counter
from collections.abc import Sequence

from agents.archive.answer import Rejected
from agents.archive.research.documents.annotation import annotated_documents
from agents.archive.research.documents.routes import RouteMention, mentions_in
from agents.archive.research.drafting import absent, claims_of, never_given
from agents.archive.research.guards.humans import never_dosed
from agents.archive.values import Draft, DraftField, ResearchInput


def extract(research_input: ResearchInput) -> Draft:
    """Routes by which a molecule was given to humans."""
    documents = annotated_documents(research_input)
    name = research_input.molecule.name
    found = [mention for document in documents for mention in mentions_in(document)]
    rejected = [m.refusal for m in found if m.refusal]
    if (never := never_dosed(documents)) is not None:
        return never_given(name, never, rejected)
    taken = main_first([mention for mention in found if mention.refusal is None])
    if not taken:
        return absent(f"The archive does not state by which route {name} was given to humans.", rejected)
    return draft(name, taken, rejected, planned=not any(m.document.reported for m in taken))


def main_first(taken: Sequence[RouteMention]) -> list[RouteMention]:
    """One mention a route, the main routes first.

    Stated routes come before implied ones, main routes before tracers, and then those of more documents.

    Dosage forms count only where no route is stated.
    """
    stated = [mention for mention in taken if not mention.implied] or list(taken)
    documents = Counter(route for route, _ in {(m.route, m.document.doc_id) for m in stated})
    best: dict[str, RouteMention] = {}
    for mention in sorted(stated, key=lambda m: (m.tracer, not m.document.reported, -m.document.authority)):
        best.setdefault(mention.route, mention)
    return sorted(best.values(), key=lambda m: (m.tracer, -documents[m.route]))


def draft(name: str, taken: Sequence[RouteMention], rejected: Sequence[Rejected], planned: bool) -> Draft:
    """Main routes, and in brackets what was only a tracer."""
    main = [mention.route for mention in taken if not mention.tracer] or [taken[0].route]
    also = [mention.route for mention in taken if mention.route not in main]
    short = ", ".join([main[0], *(route.lower() for route in main[1:])])
    if also:
        short += f" ({also[0].lower()} only as a tracer beside it)"
    fields = tuple(DraftField("route", m.route, passages=(m.line.passage,)) for m in taken)
    verb = "is given to humans, as planned in the records" if planned else "was given to humans"
    headline = f"{name} {verb}: {short[0].lower()}{short[1:]}."
    return Draft(True, short, headline, claims_of(m.line for m in taken), fields, tuple(rejected))
