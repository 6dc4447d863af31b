"""Representatives of a class: the most prescribed of its members, but for what does not stand for the class
by itself: that is refused, and the next one takes its place.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from rapidfuzz import fuzz, process

from agents.counts import number_of
from agents.databases.atc import CODE, Atc
from agents.databases.labels import Labels
from agents.databases.ndc import Ndc
from agents.databases.prescriptions import Prescriptions
from agents.vigilance.classes import known_classes, parts_of, plain
from agents.vigilance.finder.members import Member, combinations_of, matching_terms, members_of, named_member
from agents.vigilance.values import Candidate, DrugClass, FoundClass, Ingredient

TOP = 3
"""Representatives of a class (MALADE, section 4.3)."""
CHOICES = 6
CLOSE, ALIKE = 75.0, 90.0
"""How alike a name must be to be offered (0 to 100), of a class or drug, and of a class of the table
("losartan" is no misspelt "sartan")."""
NOT_KNOWN = "“{name}” is no class or drug that is known here."
WHICH = "Which of these is meant?"
SHORTEST_BASE = 6
"""Characters of a name that may begin those of its salts and esters."""
PRODRUG = re.compile(r"^(?:fos|levo|lev|es|dex|des|ar|nor)$")
"""What a name has before that of the drug of which it is an isomer, metabolite or prodrug."""
ATC_CODE = re.compile(r"[A-V]\d{2}[A-Z]{1,2}(?:\d{2})?", re.IGNORECASE)
"""What can only be a code of the ATC; a shorter one may be a name ("B12")."""
ATC_TERM = " [ATC]"
"""How a class's term ends that is a code of the ATC."""
NO_ATC = (
    " Codes of the ATC need its table: load it with `pestle sources load atc FILE` (columns code, name, "
    "ingredient), or name the class or its drugs."
)
NO_LABEL = (
    "No label of “{name}” is loaded, and no NDC directory, so that its other names are not known here: load "
    "labels with `pestle sources load FILE`, or let openFDA be asked with PESTLE_SOURCES_LIVE. For a class "
    "load FDA's product.txt."
)
NO_DIRECTORY = (
    "No NDC directory is loaded, so that the drugs of a class are not known: load FDA's product.txt with "
    "`pestle sources load FILE`, or name the drugs."
)


@dataclass(frozen=True, slots=True)
class Finder:
    """Finds representatives over what is loaded. `top` is how many of a class are chosen at most; `atc` is
    the classification, if it is to be asked.
    """

    ndc: Ndc
    counts: Prescriptions
    labels: Labels
    top: int = TOP
    atc: Atc | None = None

    async def find(self, one: DrugClass) -> tuple[FoundClass, ...]:
        """The class with its representatives; one for each part of a class that has parts.

        Raises `ToolFailed` where what was loaded is damaged.
        """
        if one.parts:
            parts = [found for part in parts_of(one) for found in await self.find(part)]
            return tuple(replace(found, part_of=one.name) for found in parts)
        if not one.terms and not one.drugs:
            cleared = await self._cleared(one)
            if isinstance(cleared, FoundClass):
                return (cleared,)
            one = cleared
        codes = [term.removesuffix(ATC_TERM) for term in one.terms if term.endswith(ATC_TERM)]
        if one.terms and not codes and not self.ndc.loaded:
            return (FoundClass(one, ask_back=NO_DIRECTORY),)
        listed = [drug for code in codes if self.atc for drug in await self.atc.ingredients(code)]
        members = await members_of(self.ndc, one, listed)
        if not members:
            return (FoundClass(one, notes=(f"The NDC directory has no product of {one.name}.",)),)
        return (await self._chosen(one, members),)

    async def _cleared(self, one: DrugClass) -> DrugClass | FoundClass:
        """A name that the table does not know: a drug of this very name ("estradiol" is also part of a
        chemical class's name), a class term, or a drug by another name; else the question what is meant.
        """
        if self.atc is not None and CODE.fullmatch(one.name) and (code := await self.atc.code_of(one.name)):
            return replace(one, terms=(f"{code}{ATC_TERM}",))
        terms = await self.ndc.classes()
        member = await named_member(self.ndc, one.name)
        if not (member.products and member.name == one.name.casefold()) and (
            found := matching_terms(terms, (one.name,))
        ):
            return replace(one, terms=tuple(dict.fromkeys(map(plain, found))))
        combined = await combinations_of(self.ndc, one.name)
        if member.products or combined or await self.labels.known((one.name,)):
            return replace(one, name=member.name or one.name, drugs=(one.name.casefold(),))
        if self.atc is not None and (code := await self._named_in_atc(one)):
            return replace(one, terms=(f"{code}{ATC_TERM}",))
        names = await self.ndc.names()
        return _lengthened(one, terms, names) or self._unclear(one, terms, names)

    async def _named_in_atc(self, one: DrugClass) -> str:
        """The ATC code of a class by its name as written, or in the plural or singular."""
        assert self.atc is not None
        names = dict.fromkeys((one.asked, one.name, plain(one.name), f"{plain(one.name)}s"))
        return next(filter(None, [await self.atc.code_of(name) for name in names if name]), "")

    def _unclear(self, one: DrugClass, terms: Sequence[str], names: Sequence[str]) -> FoundClass:
        if ATC_CODE.fullmatch(one.name):
            why = "" if self.atc is not None and self.atc.loaded else NO_ATC
            return FoundClass(one, ask_back=f"“{one.name}” is no code that is known here.{why}")
        table = known_classes()
        alike = process.extract(plain(one.name), list(table), scorer=fuzz.ratio, score_cutoff=ALIKE)
        if meant := tuple(dict.fromkeys(table[word].name for word, _, _ in alike)):
            return FoundClass(one, ask_back=f"{NOT_KNOWN.format(name=one.name)} {WHICH}", options=meant)
        if not self.ndc.loaded:
            return FoundClass(one, ask_back=NO_LABEL.format(name=one.name))
        words = plain(one.name).split()
        holding = [plain(term) for term in terms if all(word in plain(term) for word in words)]
        if not holding:
            everything = dict.fromkeys((*map(plain, terms), *(name.casefold() for name in names)))
            near = process.extract(plain(one.name), list(everything), limit=CHOICES, score_cutoff=CLOSE)
            holding = [name for name, _, _ in near]
        options = tuple(dict.fromkeys(holding))[:CHOICES]
        which = f" {WHICH}" if options else ""
        return FoundClass(one, ask_back=f"{NOT_KNOWN.format(name=one.name)}{which}", options=options)

    async def _chosen(self, one: DrugClass, members: Sequence[Member]) -> FoundClass:
        combined = [found for drug in one.drugs if (found := await self._combination(drug))]
        ranked = await self._ranked([*members, *combined])
        candidates = _Choosing(ranked, max(self.top, len(one.drugs))).candidates()
        notes = [_only_combined(found) for found in combined]
        if not self.counts.loaded:
            notes.append(
                "No prescription counts are loaded; representatives were ranked by the number of products."
            )
        return FoundClass(one, candidates, notes=tuple(notes))

    async def _combination(self, drug: str) -> Member | None:
        """The combination whose label has to stand for a drug that has none of its own."""
        if await self.labels.known((await named_member(self.ndc, drug)).names):
            return None
        held = await combinations_of(self.ndc, drug)
        for one in held:
            if await self.labels.known(one.names):
                return one
        return None

    async def _ranked(self, members: Sequence[Member]) -> tuple["_Ranked", ...]:
        """Members with their prescriptions and whether they have a label, the most prescribed first."""
        ranked = [
            _Ranked(member, await self.counts.count(member.names), await self.labels.known(member.names))
            for member in members
        ]
        return tuple(
            sorted(ranked, key=lambda one: (-(one.count or 0), -len(one.member.products), one.member.name))
        )


@dataclass(frozen=True, slots=True)
class _Ranked:
    """A member, how often it is prescribed (None: not counted), and whether a label of it can be read."""

    member: Member
    count: int | None
    labelled: bool

    @property
    def ingredient(self) -> Ingredient:
        return Ingredient(self.member.name, self.member.names, self.member.local)


@dataclass(slots=True)
class _Choosing:
    """A choice in the making, and what was refused."""

    ranked: Sequence[_Ranked]
    top: int
    refused: dict[str, str] = field(default_factory=dict)

    def chosen(self) -> list[str]:
        """The most prescribed that were not refused, once none of them has a fault."""
        while True:
            left = [one for one in self.ranked if one.member.name not in self.refused][: self.top]
            draft = [one.member.name for one in left]
            found = {one.member.name: why for one in left if (why := self._fault(one, draft))}
            if not found:
                return draft
            self.refused |= found

    def _fault(self, one: _Ranked, draft: Sequence[str]) -> str:
        """Why a member of the draft does not represent the class; "" if it does."""
        if one.member.out:
            return one.member.out
        able = [other for other in self.ranked if not other.member.out and other is not one]
        able = [other for other in able if other.member.name not in self.refused]
        bases = (other for other in able if derived(one.member.name, other.member.name))
        base = next((other for other in bases if other.labelled or not one.labelled), None)
        if base is not None:
            return f"It is a form of {base.member.name}, which is there by itself."
        if not one.labelled and any(other.labelled for other in able):
            return "No label of it is loaded."
        left = [other for other in able if other.labelled and other.member.name not in draft]
        if one.member.local and any(not other.member.local for other in left):
            return "It is only applied locally, and other members act in the whole body."
        return ""

    def candidates(self) -> tuple[Candidate, ...]:
        """All members, the chosen ones first, each with its reason."""
        chosen = self.chosen()
        made = [
            Candidate(one.ingredient, one.member.name in chosen, self._reason(one, chosen))
            for one in self.ranked
        ]
        return tuple(sorted(made, key=lambda one: not one.chosen))

    def _reason(self, one: _Ranked, chosen: Sequence[str]) -> str:
        name = one.member.name
        if name in self.refused:
            return self.refused[name]
        if one.member.out:
            return one.member.out
        products = number_of(len(one.member.products), "product")
        counted = (
            number_of(one.count, "prescription") if one.count else f"no counted prescriptions, {products}"
        )
        if name in chosen:
            return f"It is a member with {counted}."
        return f"It is a member with {counted}, fewer than those chosen."


def _only_combined(found: Member) -> str:
    return (
        f"No label of the drug alone is loaded. That of {found.name} was read, a combination with it: what "
        "it tells may come from any of its ingredients."
    )


def _lengthened(one: DrugClass, terms: Sequence[str], names: Sequence[str]) -> DrugClass | None:
    """The class by a longer name of which what was written is the beginning or the words; None for none.

    A name that begins others is that of their common base ("dabigatran" of dabigatran etexilate), so all of
    them are meant; of class terms only one may hold all words.
    """
    written = plain(one.name)
    salts = [name.casefold() for name in names if plain(name).startswith(f"{written} ")]
    if salts and len(written) >= SHORTEST_BASE:
        return replace(one, drugs=tuple(dict.fromkeys(salts)))
    words = set(written.split())
    holding = dict.fromkeys(plain(term) for term in terms if words <= set(plain(term).split()))
    return replace(one, terms=tuple(holding)) if len(words) > 1 and len(holding) == 1 else None


def derived(name: str, other: str) -> bool:
    """Whether a name is that of an isomer, a metabolite or a prodrug of the other ("enalaprilat")."""
    if len(other) < 6 or name == other:
        return False
    if name.startswith(other):
        return len(name) - len(other) <= 3
    return name.endswith(other) and PRODRUG.match(name[: -len(other)].strip()) is not None
