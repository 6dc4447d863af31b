"""What a summary has to tell: code reads a draft, and asks once for rows of the table that it leaves out."""

from collections.abc import Mapping, Sequence

from agents.minds.critic import ACCEPT, Review
from agents.minds.work import AgentResult, Said, Work
from agents.safety.material import Material
from agents.safety.synthesis.risk_table import BEST, leading
from agents.safety.synthesis.risks import ordered, relevant
from agents.safety.synthesis.wording import rated, term_of
from agents.safety.values import Finding, Severity, Strength


def rows_to_tell(material: Material) -> Mapping[str, Sequence[Finding]]:
    """The rows of the table with strong or moderate evidence, and life-threatening ones, in their order: each
    in a line, with the findings that the table shows.
    """
    direction = material.order.direction
    return {
        f"{rated([one])}: {'; '.join(map(term_of, leading(one, direction, BEST)))}": leading(
            one, direction, BEST
        )
        for one in ordered(material.risks, direction)
        if relevant(one, direction)
        and (one.strength > Strength.WEAK or one.severity is Severity.LIFE_THREATENING)
    }


def reviewed(material: Material, draft: AgentResult, dialog: tuple[Said, ...], work: Work) -> Review:
    """The review of a first draft: each row to be told has one of its findings in it."""
    text = " ".join(one.text for one in draft.claims).casefold()
    points = tuple(
        f"No sentence tells a finding of this row, in its words: {row}."
        for row, first in rows_to_tell(material).items()
        if not any(one.cited.fact.term.casefold() in text for one in first)
    )
    return Review(verdict="revise", points=points) if points and dialog[-1].round == 1 else ACCEPT
