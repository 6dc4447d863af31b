"""Why a molecule was discontinued: the reasons for ending the programme, or else a study of it."""

import re
from collections.abc import Sequence

from agents.archive.research.documents.annotation import annotated_documents
from agents.archive.research.documents.document import DocumentKind
from agents.archive.research.documents.terminations import Reason, reasons_in
from agents.archive.research.drafting import absent, claims_of, text_field
from agents.archive.research.vocabulary import wording
from agents.archive.values import Draft, ResearchInput

CONTENT = re.compile(r"[a-z]{5,}")


def extract(research_input: ResearchInput) -> Draft:
    """Reasons for the end of a molecule's development."""
    documents = annotated_documents(research_input)
    name = research_input.molecule.name
    reasons = [reason for document in documents for reason in reasons_in(document)]
    if not reasons:
        return absent(f"The archive states no reason for stopping {name} or a study of it.")
    return draft(name, sorted(reasons, key=lambda r: r.rank, reverse=True))


def draft(name: str, reasons: Sequence[Reason]) -> Draft:
    """The weightiest reason for the programme, then the reasons of single studies."""
    programme = [reason for reason in reasons if reason.programme]
    leading = programme[0] if programme else reasons[0]
    chosen = [leading, *others_worth_telling(leading, reasons)]
    short = "; ".join(dict.fromkeys(labelled(reason, leading) for reason in chosen))
    scope = "programme" if leading.programme else "part" if leading.part else "study"
    verb = {
        "programme": f"{name} was discontinued",
        "part": f"The archive tells of no end of {name} as a whole; a part of its development was stopped",
        "study": f"The archive gives no reason for the programme as a whole; studies of {name} were stopped",
    }[scope]
    fields = [text_field("reason", reason.text, reason.lines) for reason in chosen]
    fields += [text_field("factor", factor, leading.lines) for factor in leading.factors]
    fields.append(text_field("scope", scope, leading.lines))
    if leading.document.record.date:
        fields.append(text_field("date", leading.document.record.date, leading.lines))
    lines = [line for reason in chosen for line in reason.lines]
    return Draft(
        True,
        short,
        f"{verb}: {short}.",
        claims_of(lines),
        tuple(fields),
        conflicts=conflicts(leading, reasons),
    )


def labelled(reason: Reason, leading: Reason) -> str:
    """A reason with its document, and that it ended only a study where the others ended more."""
    single = "a part: " if reason.part else "one study: "
    scope = "" if reason.programme or not leading.programme else single
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
    """Share of the words of a text that another one holds too."""
    words = set(CONTENT.findall(essence(text).lower()))
    return len(words & set(CONTENT.findall(other.lower()))) / len(words) if words else 1.0


def essence(text: str) -> str:
    """What stands behind "because of"."""
    found = wording("reason").search(text)
    return text[found.end() :] if found and len(text) - found.end() > 10 else text


def conflicts(leading: Reason, reasons: Sequence[Reason]) -> tuple[str, ...]:
    """Documents whose reason for the programme shares few words with the one that was followed."""
    return tuple(
        dict.fromkeys(
            f'{reason.document.doc_id} says: "{reason.text}"; '
            f"{leading.document.doc_id} ({leading.document.kind.value}) was followed."
            for reason in reasons
            if reason.programme
            and leading.programme
            and reason.document is not leading.document
            and overlap(reason.text, leading.text) < 0.2
        )
    )
