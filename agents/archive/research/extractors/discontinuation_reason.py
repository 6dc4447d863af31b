"""Why a molecule was discontinued: the reasons for ending the programme, or else a study of it."""

from collections.abc import Sequence

from agents.archive.research.documents.annotation import annotated_documents
from agents.archive.research.documents.document import DocumentKind
from agents.archive.research.documents.terminations import Reason, reasons_in
from agents.archive.research.drafting import absent, claims_of, followed, text_fields
from agents.archive.research.vocabulary import wording
from agents.archive.values import Draft, ResearchInput
from agents.text.words import content_words


def extract(research_input: ResearchInput) -> Draft:
    """Reasons for the end of a molecule's development."""
    documents = annotated_documents(research_input)
    name = research_input.molecule.name
    reasons = [reason for document in documents for reason in reasons_in(document)]
    if not reasons:
        return absent(f"The archive states no reason for stopping {name} or a study of it.")
    return draft(name, sorted(reasons, key=lambda r: r.rank, reverse=True))


SAID = {
    "programme": "{} was discontinued",
    "study": "The archive gives no reason for the programme as a whole; studies of {} were stopped",
}
"""The beginning of the headline, by what was stopped."""


def draft(name: str, reasons: Sequence[Reason]) -> Draft:
    """The weightiest reason for the programme, then the reasons of single studies."""
    leading = reasons[0]
    chosen = [leading, *others_worth_telling(leading, reasons)]
    short = "; ".join(dict.fromkeys(labelled(reason, leading) for reason in chosen))
    date = leading.document.record.date
    fields = [
        *(field for reason in chosen for field in text_fields(reason.lines, reason=reason.text)),
        *(field for factor in leading.factors for field in text_fields(leading.lines, factor=factor)),
        *text_fields(leading.lines, scope=leading.scope, date=date),
    ]
    return Draft(
        True,
        short,
        f"{SAID[leading.scope].format(name)}: {short}.",
        claims_of(line for reason in chosen for line in reason.lines),
        tuple(fields),
        conflicts=conflicts(leading, reasons),
    )


def labelled(reason: Reason, leading: Reason) -> str:
    """A reason with its document, and that it ended only a study where the others ended more."""
    scope = "one study: " if leading.programme and not reason.programme else ""
    return f"{scope}{reason.text} ({reason.document.doc_id})"


def others_worth_telling(leading: Reason, reasons: Sequence[Reason]) -> list[Reason]:
    """Reasons that say something else than the leading one, each wording once.

    Summaries of a decision add nothing, so only records and documents of the same kind are asked.
    """
    told = [leading]
    for reason in reasons:
        independent = (
            reason.document.kind is DocumentKind.REGISTRY or reason.document.kind is leading.document.kind
        )
        if (
            reason is not leading
            and independent
            and not (leading.replaces and reason.programme)
            and all(overlap(reason.text, known.text) < 0.6 for known in told)
        ):
            told.append(reason)
    return told[1:8]


def overlap(text: str, other: str) -> float:
    """Share of the words of a text, behind "because of", that another one holds too."""
    reason = wording("reason").split(text, maxsplit=1)[-1]
    words = content_words(reason) or content_words(text)
    return len(words & content_words(other)) / len(words) if words else 1.0


def conflicts(leading: Reason, reasons: Sequence[Reason]) -> tuple[str, ...]:
    """Documents whose reason for the programme shares few words with the one that was followed."""
    notes = (
        followed(reason.document, f'"{reason.text}"', leading.document)
        for reason in reasons
        if reason.programme and leading.programme and overlap(reason.text, leading.text) < 0.2
    )
    return tuple(dict.fromkeys(notes))
