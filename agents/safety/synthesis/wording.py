"""How findings, ratings and directions are put into words: one way in all sections that rules write."""

import re
from collections.abc import Iterable, Sequence
from functools import cache

from agents.counts import shortened
from agents.safety.order import Direction
from agents.safety.synthesis.findings import CURATED, LINES
from agents.safety.synthesis.risks import Stance, stance_of, title_of
from agents.safety.values import Finding, Risk, Strength, cites
from agents.trust.values import Claim

NO_EVIDENCE, SET_ASIDE = "no evidence found", "set aside, told apart"
STRENGTHS = {
    Strength.NONE: NO_EVIDENCE,
    Strength.WEAK: "weak",
    Strength.MODERATE: "moderate",
    Strength.STRONG: "strong",
}
DIRECTIONS = {"": str(Stance.UNKNOWN), "both": "either, by different findings"}
"""How a direction is told that is neither inhibition nor activation alone."""
ANIMALS, GENETICS, REVIEW = "animals", "human genetics", "review"
LONGEST = 70
"""Characters of a risk's name; the section on clinical safety has the whole."""
ASSUMED = "read as loss"
"""How a direction is told that no source says."""
GENERIC = re.compile(r"serious|severe|acute|reactions?|risks?|increase\w*|and|the")
"""Words of a risk's name that do not tell it from another one."""


def term_of(one: Finding) -> str:
    """What was found, in the words of its source."""
    return f"{one.effect}: {one.told}" if one.told else one.cited.fact.term or one.effect


def clipped(term: str) -> str:
    """A name as it is; of a sentence of a label the first whole words."""
    cut = shortened(term, LONGEST)
    return cut if cut == term else f"{cut.rpartition(' ')[0]}…"


@cache
def words_of(term: str) -> frozenset[str]:
    """The words of a risk's name that tell it from others."""
    words = re.findall(r"\w{3,}", term.casefold())
    return frozenset(word.rstrip("s") for word in words if not GENERIC.fullmatch(word)) or frozenset(words)


def line_of(one: Finding) -> str:
    """The line of evidence of a finding; of one in animals with the species ("animals: mouse")."""
    line = REVIEW if one.cited.fact.measure == CURATED else LINES[one.cited.fact.topic]
    return f"{line}: {one.cited.fact.species}" if line == ANIMALS and one.cited.fact.species else line


def render_findings(findings: Iterable[Finding], direction: Direction | None = None) -> str:
    """Findings, each with its line of evidence: "long QT syndrome (human genetics)", and what is of the
    other direction than was asked marked as such.
    """
    return "; ".join(f"{clipped(term_of(one))} ({line_of(one)}{_other(one, direction)})" for one in findings)


def _other(one: Finding, direction: Direction | None) -> str:
    if not one.under and LINES[one.cited.fact.topic] == GENETICS:
        return f", {Stance.UNKNOWN}"
    return f", with {one.under}" if stance_of(one.under, direction) is Stance.OTHER else ""


def cited_claim(text: str, findings: Sequence[Finding]) -> Claim:
    """A sentence with the records and lines of the findings that it tells."""
    return Claim(text, *cites(one.cited for one in findings))


def rated(risks: Iterable[Risk]) -> str:
    """Risks with severity and strength, as headline, summary and table of endpoints have them."""
    return "; ".join(
        f"{short_title(one.endpoint)} ({one.severity.told}{', ' * bool(one.severity)}"
        f"{STRENGTHS[one.strength]} evidence)"
        for one in risks
    )


def with_change(risk: Risk) -> str:
    """With which change of the target a risk is to be expected, in words; "" without findings."""
    if not risk.findings:
        return ""
    told = DIRECTIONS.get(risk.direction, risk.direction)
    return f"{told} ({ASSUMED})" if risk.assumed else told


def expected(risk: Risk) -> str:
    """With which change of the target a risk is to be expected, as part of a sentence."""
    told = with_change(risk)
    return f"expected with {told}" if risk.direction else told


def short_title(endpoint: str) -> str:
    """The name of an endpoint inside a sentence."""
    title = title_of(endpoint)
    return title[:1].lower() + title[1:]


def sentence(text: str) -> str:
    """A text that begins with a capital letter."""
    return text[:1].upper() + text[1:]
