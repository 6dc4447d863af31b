"""Outcomes that the table does not know: is a name spelt wrong, or right but in no label of these drugs?

A name that some loaded label has, of whatever drug, is spelt right: then its absence from the labels of the
asked drugs says something. A name that no label has and the table neither may be a slip of the pen; that it
is not found says nothing of an effect.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from agents.databases.labels import LabelPassage, Labels
from agents.errors import ToolFailed
from agents.runs.clock import utc_now
from agents.vigilance.outcomes import is_known, near_outcomes
from agents.vigilance.reading.mentions import mentions
from agents.vigilance.values import CategoryVerdict, Effect, FoundClass, Outcome

AS_WRITTEN = ", as it is written"
"""How the choice ends that means the very words."""
NOT_KNOWN = 0.5
"""The confidence where nothing was looked for by a name that is known."""
BY_NAME = 0.75
"""The confidence, at most, where labels are silent on a name that is in others and has no synonyms here."""
AGED, UNDATED = 3 * 365, 0.6
"""Days after which the silence of a label may have been overtaken, and the confidence that is left of it."""
SEARCHED = 20
"""Passages of all labels that are looked through for a name."""


async def unfamiliar(
    labels: Labels, outcomes: Sequence[Outcome], found: Sequence[FoundClass]
) -> tuple[str, ...]:
    """The names of those outcomes that the table does not know and no label mentions: neither one of the
    drugs that are asked about, nor any other that is loaded.
    """
    unknown = [one for one in outcomes if not is_known(one.name)]
    return tuple([one.name for one in unknown if not await _mentioned(labels, one, found)])


async def _mentioned(labels: Labels, outcome: Outcome, found: Sequence[FoundClass]) -> bool:
    """Whether a label mentions an outcome. One that cannot be read has no say."""
    drugs = {one.name: one.names for each in found for one in each.chosen}
    for names in drugs.values():
        try:
            passages = await labels.passages(names)
        except ToolFailed:
            continue
        if _any_mentions(passages, outcome):
            return True
    try:
        passages = await labels.search((), outcome.name, SEARCHED)
    except ToolFailed:
        return False
    return _any_mentions(passages, outcome)


def _any_mentions(passages: Sequence[LabelPassage], outcome: Outcome) -> bool:
    return any(any(mentions(one.text, outcome)) for one in passages)


def asked_back(outcomes: Sequence[Outcome], names: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """The question which outcome is meant, with choices, where one is asked about and it is spelt nearly like
    a known one and not meant as it is written; "" for none.
    """
    one = outcomes[0]
    if len(outcomes) > 1 or one.name not in names or one.as_written or not (near := near_outcomes(one.name)):
        return "", ()
    question = f"“{one.asked}” is no outcome that is known here, and in no loaded label. What is meant?"
    return question, (*near, f"{one.asked}{AS_WRITTEN}")


def not_understood(cell: CategoryVerdict) -> CategoryVerdict:
    """A verdict on an outcome that nothing here knows, as unsure as that is; one with evidence stays."""
    if not is_silent(cell):
        return cell
    near = near_outcomes(cell.outcome)
    like = f" Spelt nearly so: {', '.join(near)}." if near else ""
    note = (
        f"“{cell.outcome}” is no outcome that is known here, and in no loaded label. It was looked for by "
        f"these words alone, so that its absence says little.{like}"
    )
    return _unsure(cell, NOT_KNOWN, note)


def looked_for_by_name(cell: CategoryVerdict) -> CategoryVerdict:
    """A verdict on an outcome that other labels have and the table does not know: these labels may say the
    same in other words ("alopecia" for hair loss). One with evidence stays.
    """
    if not is_silent(cell):
        return cell
    note = (
        f"“{cell.outcome}” has no synonyms here: it was looked for by these words alone. If labels have "
        "another name for it, ask by that too."
    )
    return _unsure(cell, BY_NAME, note)


def of_old_labels(cell: CategoryVerdict) -> CategoryVerdict:
    """A verdict that rests on the silence of labels, with the year of the newest one: what was learnt later
    is not in them. Without a date, or with one of `AGED` days ago, it is less sure. One with evidence stays.
    """
    if not is_silent(cell):
        return cell
    newest = max(one.newest for one in cell.drugs)
    told = (
        f"The newest label that was read is of {newest[:4]}"
        if newest
        else "The labels that were read bear no date"
    )
    aged = not newest or newest < (utc_now() - timedelta(AGED)).date().isoformat()
    return _unsure(cell, UNDATED if aged else 1.0, f"{told}: what was learnt later is not in them.")


def is_silent(cell: CategoryVerdict) -> bool:
    """Whether labels were read and none mentions the outcome."""
    silent = not cell.reasons and not any(drug.extracts for drug in cell.drugs)
    return cell.covered and silent and cell.effect is Effect.NO_EFFECT


def _unsure(cell: CategoryVerdict, most: float, note: str) -> CategoryVerdict:
    """A verdict with a confidence of `most` at most, for its drugs too, and why."""
    drugs = tuple(replace(one, confidence=min(one.confidence, most)) for one in cell.drugs)
    return replace(cell, confidence=min(cell.confidence, most), drugs=drugs, notes=(note, *cell.notes))
