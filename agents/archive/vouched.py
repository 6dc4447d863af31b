"""Whether anybody but the model that wrote an answer vouches for it."""

import re
from collections.abc import Sequence

from agents.archive.values import Draft
from agents.evidence.values import Evidence
from agents.text.words import content_words, stems
from agents.trust.values import Claim, only_by_writer

UNVOUCHED = (
    "No passage says this answer in these words, and only the model that wrote it vouches for it: "
    "read the sources."
)
"""The note on such an answer."""
_ASKS_WHETHER = re.compile(
    r"\W*(?:did|do|does|was|were|is|are|has|have|had|can|could|may|will|would|should)\b", re.IGNORECASE
)
_VERDICT = frozenset({"yes"})


def only_writer_vouches(
    draft: Draft, claims: Sequence[Claim], evidence: Sequence[Evidence], question: str
) -> bool:
    """Whether only the model that wrote an answer judged its statements, or its first lines have a word that
    neither what they cite nor a statement that others judged has.

    The words of a question that asks for more than yes or no are no claims.
    """
    known = [one.text for one in claims if not only_by_writer((one,))]
    known += [] if _ASKS_WHETHER.match(question) else [question]
    for one in evidence:
        known += [one.text, one.title, one.context, one.around, one.study, *one.header, *one.subjects]
    said = content_words(f"{draft.short}\n{draft.headline}") - _VERDICT
    return only_by_writer(claims) or not said <= stems("\n".join(known))
