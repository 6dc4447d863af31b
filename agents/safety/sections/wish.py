"""What an instruction asks of a section, as rules read it: what to leave out, to keep alone, or to put first.

Rules know words and no meaning: "only the heart", "leave out zebrafish", "put clinical findings first",
"shorter", "complete the list of tissues", "is the mouse phenotype right?".
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from agents.counts import listed
from agents.safety.endpoints.mapping import organ_systems_of
from agents.safety.endpoints.species import (
    SpeciesGroup,
    species_group,
    species_name,
    with_species_names,
)
from agents.safety.endpoints.values import SYSTEMS, Endpoint, OrganSystem
from agents.safety.endpoints.vocabulary import concepts_in
from agents.safety.values import CitedFact
from agents.text.words import content_words, stems

_OMIT = re.compile(r"\b(?:leav\w+ out|omit|drop|remove|delete|exclude|ignore|without|not? mention)\b", re.I)
_ONLY = re.compile(r"\b(?:only|solely|just|nothing but|restrict\w*|limit\w* (?:it |this )?to)\b", re.I)
_SHORT = re.compile(r"\b(?:short\w*|brief\w*|concise\w*|condense\w*|less detail\w*)\b", re.I)
_FULL = re.compile(
    r"\b(?:all|every|complete\w*|full\w*|more|missing|expand\w*|longer|detail\w*|whole|entire)\b", re.I
)
_CLAUSE = re.compile(r"[.;!?\n]+|\b(?:but|then|yet)\b", re.I)
_PART = re.compile(r",\s*(?:and|or|nor)?\b|\b(?:and|or|nor)\b", re.I)
"""Between the parts of a clause: "zebrafish, mouse and rat" are three."""
_DOING = re.compile(
    r"\s*(?:please\s+)?(?:add|include|mention|name|state|list|show|tell|give|write|put|rank|order|lead|begin"
    r"|highlight|emphasi[sz]e|focus|check|verify|correct|reconcile|make|complete|expand|keep|say|only|just"
    r"|prioriti[sz]e|move|start)\b",
    re.I,
)
"""How a part begins that asks for something of its own."""
LISTED = re.compile(r"(?P<head>.*(?::| in| are) )(?P<items>[^:]+)\.")
"""A sentence that ends in a list: "is highest in Lung, Skin and Prostate."."""
COMMA, SEMICOLON = re.compile(r",\s+(?![^()]*\))|\s+and\s+"), re.compile(r";\s+")
_ASKING = content_words(
    "add include mention name state list show tell give write revise rewrite section report table sentence "
    "paragraph prioritise prioritize first put rank order lead begin highlight emphasise emphasize focus "
    "check verify correct right true wrong accurate consistent reconcile please make sure missing complete "
    "completely full fully more all every expand detail details short shorter brief concise leave out omit "
    "drop remove exclude only just finding findings evidence data result results relevant important say what "
    "about also top end beginning keep whole entire longer less toxicity"
)


ORGANS = {
    "cardiovascular": "heart",
    "hepatotoxicity": "liver",
    "renal": "kidney",
    "neurological": "brain",
    "pulmonary": "lung",
}
_ENDPOINTS = {
    one.key: stems(f"{one.title} {SYSTEMS.get(one, '')} {ORGANS.get(one.key, '')}") for one in Endpoint
}
"""The words by which an instruction names an endpoint as a whole."""


@dataclass(frozen=True, slots=True)
class Wish:
    """An instruction as it was read. `words` are stems that a wanted fact has; an unwanted one has all of a
    set in `omit`.

    `only` keeps wanted facts alone, `short` asks for less, `full` for all there is. One that is `wide` is for
    the whole report: that a section has nothing of what it names is no news. `organs` are those that it
    names, each by its stems and systems; `left_out` are the endpoints that it leaves out as a whole.
    """

    words: frozenset[str] = frozenset()
    omit: tuple[frozenset[str], ...] = ()
    only: bool = False
    short: bool = False
    full: bool = False
    wide: bool = False
    organs: tuple[tuple[frozenset[str], frozenset[OrganSystem]], ...] = ()
    left_out: frozenset[str] = frozenset()

    def wants(self, one: CitedFact) -> bool:
        """Whether a fact is among those asked for."""
        return bool(self.words & _of(one))

    def refuses(self, one: CitedFact) -> bool:
        """Whether a fact shall not be told."""
        has = _of(one) if self.omit else frozenset()
        return any(words <= has for words in self.omit)

    def left_of(self, one: CitedFact) -> CitedFact | None:
        """The fact without the items of its list that shall not be told; None where that is all of it."""
        if not self.refuses(one):
            return one
        found = LISTED.fullmatch(one.fact.text)
        if one.fact.term or not found:
            return None
        items = SEMICOLON.split(found["items"])
        items = items if len(items) > 1 else COMMA.split(found["items"])
        kept = [item for item in items if not any(words <= stems(item) for words in self.omit)]
        if len(kept) in (0, len(items)):
            return None
        text = "; ".join(kept) if ";" in found["items"] else listed(kept)
        return replace(one, fact=one.fact.model_copy(update={"text": f"{found['head']}{text}."}))


@dataclass(frozen=True, slots=True)
class Chosen:
    """Facts in the order in which to tell them. `asked` of them, the first ones, were asked for.

    `remark` says what a reader must know of how the instruction was followed.
    """

    facts: tuple[CitedFact, ...]
    asked: int = 0
    remark: str = ""


NOTHING = "Nothing that was found speaks of what the instruction asks for."
SAME_ORGAN = (
    "Not all that the instruction asks for is named in what was found; what concerns the same organ system "
    "is told for it."
)


def read_wish(text: str) -> Wish:
    """The instruction, clause by clause; the last word on each matter counts."""
    words: set[str] = set()
    omit: list[frozenset[str]] = []
    left_out: set[str] = set()
    organs: list[tuple[frozenset[str], frozenset[OrganSystem]]] = []
    only = False
    for part, leaves_out in _parts(with_species_names(text)):
        named = content_words(part) - _ASKING
        if leaves_out and named:
            omit.append(frozenset(named))
            left_out |= {key for key, words in _ENDPOINTS.items() if named <= words}
        elif not leaves_out:
            words |= named
            organs += _organs(part)
            only = only or bool(_ONLY.search(part) and named)
    short, full = bool(_SHORT.search(text)), bool(_FULL.search(text))
    omitted, named_organs = tuple(dict.fromkeys(omit)), tuple(dict.fromkeys(organs))
    made = Wish(frozenset(words), omitted, only, short, full, organs=named_organs)
    return replace(made, left_out=frozenset(left_out))


def read_wishes(wide: str, own: str) -> Wish:
    """What is wanted of all reports or all sections, and of this section; both are followed."""
    return replace(read_wish("\n".join(filter(None, (wide, own)))), wide=not own)


def _organs(part: str) -> Iterator[tuple[frozenset[str], frozenset[OrganSystem]]]:
    """The organs that a part of an instruction names: "heart" as its stems, and the cardiovascular system."""
    for concept, words in concepts_in(part):
        if not concept.mechanism:
            yield stems(words), frozenset(concept.systems)


def _parts(text: str) -> Iterator[tuple[str, bool]]:
    """What is named one by one, and whether it is to be left out: "leave out A and B" says so of both."""
    for clause in _CLAUSE.split(text):
        leaves_out = False
        for part in filter(str.strip, _PART.split(clause)):
            leaves_out = bool(_OMIT.search(part)) or (leaves_out and not _DOING.match(part))
            yield part, leaves_out


def chosen(facts: Sequence[CitedFact], wish: Wish) -> Chosen:
    """The facts as the wish has them. What is asked for in vain changes nothing, and the remark says so."""
    left = tuple(filter(None, map(wish.left_of, facts)))
    named = tuple(one for one in left if wish.wants(one)) if wish.words else ()
    near = tuple(one for one in _of_same_organ(left, wish) if one not in named)
    wanted = (*named, *near)
    if wish.words and not wanted:
        return Chosen(left, 0, "" if wish.wide else NOTHING)
    remark = SAME_ORGAN if near and not wish.wide else ""
    if wish.only and wanted:
        return Chosen(wanted, len(wanted), remark)
    return Chosen((*wanted, *(one for one in left if one not in wanted)), len(wanted), remark)


def _of_same_organ(facts: Sequence[CitedFact], wish: Wish) -> tuple[CitedFact, ...]:
    """Facts on the systems of organs that no fact names: "cardiovascular system phenotype" for a heart."""
    systems: set[OrganSystem] = set()
    for words, of in wish.organs:
        if not any(words & _of(one) for one in facts):
            systems |= of
    return tuple(one for one in facts if systems.intersection(organ_systems_of(one.fact))) if systems else ()


def _of(one: CitedFact) -> frozenset[str]:
    fact = one.fact
    rodent = SpeciesGroup.RODENT if species_group(fact.species) is SpeciesGroup.RODENT else ""
    species = f"{species_name(fact.species)} {rodent}"
    told = with_species_names(f"{fact.text} {fact.term}")
    return stems(f"{told} {species} {fact.change} {fact.topic} {one.source}")
