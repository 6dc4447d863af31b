"""Contradictions between sources, by rules over facts: both sides are shown, and a person decides.

Looked for are pairs that experts trip over: a gene that the mouse cannot live without and that people lose
without harm, and a tissue that one atlas shows and another does not.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from agents.databases.facts import Change, Fact, Topic
from agents.safety.values import CitedFact, Conflict

MOST = 8
TOLERANT_PLI, TOLERANT_LOEUF = 0.1, 1.0
"""gnomAD: below the one or above the other, losing a copy is tolerated."""
CLEAR, CLEAR_LOG2, NEXT_TO_NOTHING = 10.0, 3.5, 0.1
"""Levels (TPM or RPKM, and their logarithm) from which a tissue clearly has the target, or below has not."""
_LETHAL = re.compile(r"\b(?:lethality|lethal|perinatal death|prenatal death|preweaning death)\b", re.I)
_ABSENT = re.compile(r"\b(?:not detected|not expressed|absent|no expression)\b", re.I)
_HIGH = re.compile(r"\b(?:high\w*|enriched|enhanced)\b", re.I)


@dataclass(frozen=True, slots=True)
class _Rule:
    """Two kinds of facts that do not go together, and why; `same` says what they must share."""

    one: Callable[[Fact], bool]
    other: Callable[[Fact], bool]
    what: str
    same: Callable[[Fact, Fact], bool] = lambda one, other: True


def lethal(fact: Fact) -> bool:
    """Whether animals die that lack the target."""
    return (
        fact.topic is Topic.PHENOTYPE
        and fact.change in (Change.LOSS, Change.NOT_TOLD)
        and bool(_LETHAL.search(_said(fact)))
    )


def tolerant(fact: Fact) -> bool:
    """Whether people lose a copy of the gene without being selected against."""
    return _constraint(fact, lambda pli: pli <= TOLERANT_PLI, lambda loeuf: loeuf >= TOLERANT_LOEUF)


def _constraint(fact: Fact, pli: Callable[[float], bool], loeuf: Callable[[float], bool]) -> bool:
    if fact.topic is not Topic.CONSTRAINT or fact.value is None:
        return False
    name = f"{fact.measure} {fact.term}".casefold()
    return ("pli" in name and pli(fact.value)) or ("loeuf" in name and loeuf(fact.value))


def _expressed(fact: Fact) -> bool:
    if fact.topic is not Topic.EXPRESSION or _absent(fact):
        return False
    if fact.value is None:
        return bool(_HIGH.search(_said(fact)))
    return fact.value >= (CLEAR_LOG2 if "log2" in fact.unit else CLEAR)


def _absent(fact: Fact) -> bool:
    if fact.topic is not Topic.EXPRESSION:
        return False
    if fact.value is None:
        return bool(_ABSENT.search(_said(fact)))
    return bool(fact.unit) and fact.value < NEXT_TO_NOTHING


def _same_tissue(one: Fact, other: Fact) -> bool:
    return bool(one.term) and one.term.casefold() == other.term.casefold()


RULES = (
    _Rule(lethal, tolerant, "Animals without the target die, while people seem to tolerate a lost copy"),
    _Rule(_expressed, _absent, "One atlas shows expression where another shows none", _same_tissue),
)


def conflicts_of(facts: Sequence[CitedFact]) -> tuple[Conflict, ...]:
    """Contradictions among facts of different sources, one for each rule and thing that they are about."""
    found = [tuple(_of_rule(rule, facts)) for rule in RULES]
    turns = (one for turn in zip_longest(*found) for one in turn if one is not None)
    return tuple(turns)[:MOST]  # the first of each rule before the second of any: tissues crowd out nothing


def _of_rule(rule: _Rule, facts: Sequence[CitedFact]) -> Iterator[Conflict]:
    told: set[str] = set()
    for one in (fact for fact in facts if rule.one(fact.fact)):
        for other in (fact for fact in facts if rule.other(fact.fact)):
            about = one.fact.term.casefold() if rule.same is _same_tissue else ""
            if one.source != other.source and about not in told and rule.same(one.fact, other.fact):
                told.add(about)
                yield Conflict(rule.what, one, other)


def _said(fact: Fact) -> str:
    return f"{fact.text} {fact.term} {fact.measure}"
