"""The key risks: what medicines that do the asked thing to the target bring, in the words of their labels.

The strongest clinical evidence comes first (boxed warning, warnings, reviews of target safety), whether or
not an organ of the risk table is concerned: malignancy, infection and withdrawal may have none.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter

from agents.counts import listed
from agents.databases.facts import Topic
from agents.databases.openfda import BOXED, COURSE, WARNS
from agents.databases.sider import SHARED_REACTION
from agents.safety.endpoints.mapping import UNDER
from agents.safety.material import Material
from agents.safety.sections.wish import Wish
from agents.safety.synthesis.apart import MOLECULE
from agents.safety.synthesis.experiments import GRAVITY
from agents.safety.synthesis.findings import CURATED, STOPPING, is_light
from agents.safety.synthesis.wording import clipped, sentence, words_of
from agents.safety.values import CitedFact, Finding, cites
from agents.trust.values import Claim

BOXES = frozenset({BOXED, "black box warning", "warning", "withdrawn"})
KINDS = (
    ("boxed warnings or withdrawals of medicines that do this", BOXES),
    ("warnings in labels of medicines that do this", frozenset({WARNS})),
    ("reviews of target safety", frozenset({CURATED})),
    ("adverse reactions that medicines that do this share", frozenset({SHARED_REACTION})),
)
"""What tells of key risks, the strongest first."""
WARNED, REVIEWS, SHARED = 1, 2, 3
MOST, SOME, IN_SHORT, COURSES = 6, 5, 4, 2
NO_NAME = re.compile(r"\.$|\b(?:may|can|must|should)\b|^withdrawal of\b", re.IGNORECASE)
"""How a label says more than the name of a harm, or what comes of ending a medicine."""


@dataclass(frozen=True, slots=True)
class KeyRisk:
    """A risk in its source's words, with the facts that tell it. `kind` is its place in `KINDS`."""

    term: str
    kind: int
    facts: tuple[CitedFact, ...]

    @property
    def shared(self) -> bool:
        """Whether only medicines that act on other proteins too bring it."""
        return all(one.fact.shared for one in self.facts)

    @property
    def medicines(self) -> int:
        """How many medicines bring it."""
        return len({one.fact.id for one in self.facts})

    def findings(self, material: Material) -> tuple[Finding, ...]:
        """What it says of endpoints and organ systems."""
        return tuple(one for one in material.findings if one.cited in self.facts)


def key_risks(material: Material) -> tuple[KeyRisk, ...]:
    """The key risks of the asked direction: by kind, then those of medicines that act on the target alone,
    then by how many bring them; what comes of ending one last. What stands in a box is not told again as a
    warning, nor what is no risk of the target.
    """
    told: dict[frozenset[str], KeyRisk] = {}
    apart = material.apart
    no_risk = {*apart.wanted, *apart.molecule, *apart.treated, *apart.route}
    for kind, (_, measures) in enumerate(KINDS):
        for one in material.of(Topic.ADVERSE_EVENT, Topic.DRUG):
            if (
                one.fact.measure not in measures
                or _misfits(one, material)
                or one in no_risk
                or not one.fact.term
            ):
                continue
            words = words_of(one.fact.term)
            stronger = (other for other, risk in told.items() if risk.kind < kind)
            if not any(words <= other or other <= words for other in stronger):
                known = told.get(words, KeyRisk(one.fact.term, kind, ()))
                told[words] = replace(known, facts=(*known.facts, one))
    turn: Counter[tuple[int, str]] = Counter()

    def place(one: KeyRisk) -> tuple[bool, int, bool, int]:
        """Warnings of medicines that act on other proteins too, which may come of these, last; what has no
        order one of each effect in turn.
        """
        effect = next((each.effect for each in one.findings(material)), one.term)
        turn[one.kind, effect] += one.kind >= REVIEWS
        return (
            one.shared and one.kind == WARNED,
            one.kind,
            one.facts[0] in apart.contested,
            turn[one.kind, effect],
        )

    placed = [(place(one), one) for one in sorted(told.values(), key=_order)]
    return tuple(one for _, one in sorted(placed, key=itemgetter(0)))


def _order(one: KeyRisk) -> tuple[bool, bool, int, int]:
    """What any trial sees last, else by gravity, by whether the target alone brings it, and by how many drugs
    do.
    """
    grave = bool(re.search(GRAVITY["grave"], one.term, re.IGNORECASE))
    light = is_light(one.facts[0].fact)
    return bool(STOPPING.search(one.term)), light, one.shared - grave, -one.medicines


def _misfits(one: CitedFact, material: Material) -> bool:
    direction = material.order.direction
    return direction is not None and UNDER.get(one.fact.change) is not direction


def unread_boxes(material: Material) -> tuple[CitedFact, ...]:
    """Boxed warnings that a source states without their content, of drugs that do not do the opposite."""
    return tuple(
        one
        for one in material.of(Topic.DRUG, Topic.ADVERSE_EVENT)
        if re.search(r"\b(?:boxed|black box) warning", one.fact.text, re.IGNORECASE)
        and not one.fact.term
        and (not one.fact.change or not _misfits(one, material))
    )


def key_lines(material: Material, risks: Sequence[KeyRisk], wish: Wish) -> Iterator[Claim]:
    """A line for each kind of source, with the risks in its words."""
    for one in unread_boxes(material):
        yield Claim(f"To be read first: {one.fact.text}", (one.key,), one.fact.quotes)
    for kind in dict.fromkeys(one.kind for one in risks):
        head = KINDS[kind][0]
        own = [one for one in risks if one.kind == kind and not all(map(wish.refuses, one.facts))]
        shown = own[: SOME if kind == SHARED else MOST]
        more = " Others stand in the section on clinical safety." * (len(own) > len(shown))
        if shown:
            shared = all(one.shared for one in shown)
            marked = " (these act on other proteins too)" * shared
            terms = "; ".join(clipped(one.term).removesuffix(".") for one in shown)
            text = f"{sentence(head)}{marked}: {terms}.{more}"
            yield Claim(text, *cites(one for risk in shown for one in risk.facts))
    courses = [
        one
        for one in material.of(Topic.ADVERSE_EVENT)
        if one.fact.measure == COURSE and not (_misfits(one, material) or wish.refuses(one))
    ][:COURSES]
    if courses:
        yield Claim(f"Whether it goes away: {' '.join(one.fact.text for one in courses)}", *cites(courses))
    told = [one for one in material.apart.molecule if not wish.refuses(one)][:IN_SHORT]
    if told:
        names = "; ".join(dict.fromkeys(one.fact.term for one in told))
        yield Claim(f"{MOLECULE}: {names}.", *cites(told))


def key_words(risks: Sequence[KeyRisk]) -> tuple[str, ...]:
    """The first named risks of the strongest kind of source, for the short answer."""
    names = [one for one in risks if not NO_NAME.search(one.term)]
    first = [one.term for one in names if one.kind == names[0].kind][:IN_SHORT]
    return (f"{KINDS[names[0].kind][0]}: {listed(first)}",) if first else ()
