"""What an order leaves open, asked of whoever is responsible: which class or drug a name means."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from agents.errors import ToolFailed
from agents.runs.open_points import OpenPoint, settled
from agents.runs.run import Run
from agents.vigilance.classes import class_of
from agents.vigilance.finder.find import Finder
from agents.vigilance.values import DrugClass, FoundClass, Order


@dataclass(frozen=True, slots=True)
class FoundClasses:
    """The classes of an order with their representatives, and notes on who said what a name means."""

    order: Order
    found: tuple[FoundClass, ...]
    notes: tuple[str, ...] = ()


async def find_classes(run: Run, finder: Finder, order: Order) -> FoundClasses:
    """Every class, side by side. Where a name may mean several and somebody is responsible, they are asked,
    and what they choose takes its place, in a list of drugs the place of that part alone. Raises
    `Suspended` until they do or their time is over.
    """
    work = partial(_find, finder)
    listed = list(await run.gather(*(run.call(f"find/{one.name}", work, one) for one in order.classes)))
    classes, notes = list(order.classes), []
    for place, (one, found) in enumerate(zip(order.classes, listed, strict=True)):
        if order.asks is None:
            continue
        chosen = []
        for point, part in _points(place, one, found):
            said = await settled(run, point, order.asks)
            classes[place] = _cleared(classes[place], part, said.choice)
            chosen.append(said.choice)
            notes.append(said.note)
        if chosen:
            listed[place] = await run.step(f"find/{' and '.join(chosen)}", work, classes[place])
    every = tuple(part for parts in listed for part in parts)
    return FoundClasses(replace(order, classes=tuple(classes)), every, tuple(notes))


def _points(place: int, one: DrugClass, found: Sequence[FoundClass]) -> Iterator[tuple[OpenPoint, str]]:
    """A question for each name of a class that may mean several, and the part as it was written; "" where it
    is the class's own name.
    """
    written = {class_of(part).name: part for part in one.parts}
    for each in found:
        name = each.drug_class.name
        if not each.ask_back or not each.options or (one.parts and name not in written):
            continue
        part = written.get(name, "")
        which = f"class-{place + 1}" + (f"-part-{one.parts.index(part) + 1}" if part else "")
        told = partial(_assumption, name)
        question = f"Which class or drug is meant by “{name}”?"
        yield OpenPoint(which, question, tuple(each.options), told), part


def _assumption(name: str, choice: str) -> str:
    return f"“{name}” was read as {choice}"


def _cleared(one: DrugClass, part: str, choice: str) -> DrugClass:
    """The class with what was chosen in place of its unclear part, or of itself."""
    if not part:
        return replace(class_of(choice), asked=one.asked)
    return replace(one, parts=tuple(choice if each == part else each for each in one.parts))


async def _find(finder: Finder, one: DrugClass) -> tuple[FoundClass, ...]:
    """A class with its representatives; where what was loaded cannot be read, the class with the reason."""
    try:
        return await finder.find(one)
    except ToolFailed as error:
        return (FoundClass(one, notes=(str(error),)),)
