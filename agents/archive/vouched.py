"""Whether anybody but the model that wrote an answer vouches for it."""

import re
from collections.abc import Sequence

from agents.archive.values import AnswerPart, Draft
from agents.evidence.values import Evidence
from agents.text.words import content_words, stems
from agents.trust.values import WRITER, Claim, Standing

UNVOUCHED = (
    "No passage says this answer in these words, and only the model that wrote it vouches for it: "
    "read the sources."
)
"""The note on such an answer."""
ASKS_WHETHER = re.compile(
    r"\W*(?:did|do|does|was|were|is|are|has|have|had|can|could|may|will|would|should)\b", re.IGNORECASE
)
_VERDICT = frozenset({"yes"})


def only_writer_vouches(
    draft: Draft, claims: Sequence[Claim], evidence: Sequence[Evidence], question: str
) -> bool:
    """Whether the first lines of an answer have a word that neither what they cite nor a statement that
    others than their writer judged has.

    The words of a question that asks for more than yes or no are no claims.
    """
    known = [one.text for one in claims if not one.checked_by.endswith(WRITER)]
    known += [] if ASKS_WHETHER.match(question) else [question]
    for one in evidence:
        known += [one.text, one.title, one.context, one.around, one.study, *one.header, *one.subjects]
    said = content_words(f"{draft.short}\n{draft.headline}") - _VERDICT
    return not said <= stems("\n".join(known))


def sign_of(part: AnswerPart) -> Standing:
    """The sign of the line that answers: of doubted words, or where passages' own words confirm no claim."""
    found = [one.standing for one in part.claims]
    if UNVOUCHED in part.notes:
        return Standing.WRITER
    return Standing.CONFIRMED if not found or Standing.CONFIRMED in found else found[0]
