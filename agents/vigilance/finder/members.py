"""The ingredients of a class: products of the NDC directory in groups; what is no member is out, and why."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agents.counts import listed
from agents.databases.ingredients import base_name, in_order, ingredients_of, spellings
from agents.databases.ndc import Ndc, Product
from agents.vigilance.classes import plain
from agents.vigilance.values import DrugClass

ESTABLISHED = "[EPC]"
LOCAL = frozenset(
    [
        "ophthalmic",
        "topical",
        "otic",
        "nasal",
        "dental",
        "vaginal",
        "cutaneous",
        "auricular",
        "conjunctival",
        "periodontal",
    ]
)
"""Routes by which little of a drug reaches the body."""
GENERAL = frozenset(
    ["class", "drug", "agent", "antibacterial", "antimicrobial", "antiviral", "antifungal", "compound"]
)
"""Words of a class term that do not narrow it."""
MOST_INGREDIENTS = 3


@dataclass(frozen=True, slots=True)
class Member:
    """An ingredient, or a combination that is only sold as one, with its products.

    `out` says why it is no member of the class, "" for a member.
    """

    ingredients: tuple[str, ...]
    products: tuple[Product, ...] = ()
    out: str = ""

    @property
    def name(self) -> str:
        """The ingredient's name, or the combination's."""
        return listed(self.ingredients)

    @property
    def names(self) -> tuple[str, ...]:
        """All names of its products, its own first."""
        return tuple(
            dict.fromkeys((self.name, *spellings(name for one in self.products for name in one.names)))
        )

    @property
    def local(self) -> bool:
        """Whether every product is applied where it acts, in the eye or on the skin."""
        routes = {route.casefold() for one in self.products for route in one.routes}
        return bool(routes) and routes <= LOCAL


def matching_terms(terms: Iterable[str], wanted: Sequence[str]) -> tuple[str, ...]:
    """The class terms that mean one of the wanted ones; where an established class does, only those.

    A term means it if it has the same words, or more that do not narrow it ("tetracycline-class drug").
    """
    found = [term for term in terms if any(_means(plain(term), plain(one)) for one in wanted)]
    established = tuple(term for term in found if term.endswith(ESTABLISHED))
    return established or tuple(found)


def _means(term: str, wanted: str) -> bool:
    if term == wanted:
        return True
    return term.startswith(f"{wanted} ") and set(term[len(wanted) :].split()) <= GENERAL


async def members_of(ndc: Ndc, one: DrugClass, atc: Sequence[str] = ()) -> tuple[Member, ...]:
    """Everything that the directory has under a class's terms, the ingredients that the ATC lists under its
    codes, and the drugs that the class names.
    """
    terms = matching_terms(await ndc.classes(), one.terms) if one.terms else ()
    listed = [product for drug in atc for product in (await named_member(ndc, drug)).products]
    in_terms = [product for term in terms for product in await ndc.of(term)]
    products = list(dict.fromkeys([*in_terms, *listed]))
    members = [_judged(member, products, one) for member in _grouped(products)]
    known = {member.ingredients for member in members}
    members += [_judged(Member((drug,)), products, one) for drug in atc if (drug,) not in known]
    for drug in one.drugs:
        named = await named_member(ndc, drug)
        members = [member for member in members if member.ingredients != named.ingredients]
        members.append(named)
    return tuple(members)


async def named_member(ndc: Ndc, drug: str) -> Member:
    """A drug by any of its names. Without products in the directory the name stands for itself."""
    groups = await _with_name(ndc, drug)
    wanted = ingredients_of(in_order(drug))
    own = [member for member in groups if member.ingredients == wanted]
    by_brand = [
        member for member in groups if any(base_name(one.brand) == base_name(drug) for one in member.products)
    ]
    alone = sorted(own or by_brand, key=lambda member: (len(member.ingredients), -len(member.products)))
    return alone[0] if alone else Member(wanted)


async def combinations_of(ndc: Ndc, drug: str) -> tuple[Member, ...]:
    """What holds a drug beside other ingredients, the fewest of them first."""
    alone = await named_member(ndc, drug)
    held = [one for one in await _with_name(ndc, drug) if set(one.ingredients) > set(alone.ingredients)]
    return tuple(sorted(held, key=lambda member: (len(member.ingredients), -len(member.products))))


async def _with_name(ndc: Ndc, drug: str) -> list[Member]:
    """All that the directory lists under a drug's name, by ingredients."""
    return _grouped([product for name in spellings([in_order(drug)]) for product in await ndc.of(name)])


def _grouped(products: Iterable[Product]) -> list[Member]:
    """Products by their ingredients, whatever salt, form, brand or labeler.

    Where the directory lists a substance that no product is called by (a dye), the product's generic name
    counts.
    """
    products = list(products)
    named = {ingredients_of(in_order(one.generic)) for one in products}
    groups: dict[tuple[str, ...], list[Product]] = {}
    for product in products:
        own = product.ingredients
        groups.setdefault(
            own if own in named else ingredients_of(in_order(product.generic)) or own, []
        ).append(product)
    return [Member(names, tuple(dict.fromkeys(own))) for names, own in groups.items() if names]


def _judged(member: Member, products: Sequence[Product], one: DrugClass) -> Member:
    """The member with the reason why it is none, if there is one."""
    alone = {product.ingredients[0] for product in products if len(product.ingredients) == 1}
    return Member(member.ingredients, member.products, _why_out(member, alone, one))


def _why_out(member: Member, alone: set[str], one: DrugClass) -> str:
    without = {base_name(name) for name in one.without}
    if without & set(member.ingredients):
        return "It was taken out of the class in this thread."
    if len(member.ingredients) > MOST_INGREDIENTS:
        return f"It has {len(member.ingredients)} ingredients and stands for none of them."
    if len(member.ingredients) > 1 and (there := sorted(alone & set(member.ingredients))):
        return f"It is a combination; {listed(tuple(there))} is there by itself."
    if _opposes(member, one):
        return "Its established class is that of an antagonist of the class."
    return ""


def _opposes(member: Member, one: DrugClass) -> bool:
    """Whether a product's established class undoes the class ("Benzodiazepine Antagonist")."""
    wanted = {plain(term) for term in one.terms}
    against = {f"{term} {word}" for term in wanted for word in ("antagonist", "reversal agent", "inhibitor")}
    return any(plain(term) in against for product in member.products for term in product.classes)
