"""What an order leaves open, asked of whoever is responsible: which class or drug a name means."""

from collections.abc import Sequence
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
    and what they choose takes its place. Raises `Suspended` until they do or their time is over.
    """
    work = partial(_find, finder)
    listed = list(await run.gather(*(run.call(f"find/{one.name}", work, one) for one in order.classes)))
    classes, notes = list(order.classes), []
    for place, (one, found) in enumerate(zip(order.classes, listed, strict=True)):
        options = next((each.options for each in found if each.ask_back), ())
        if order.asks is None or not options:
            continue
        said = await settled(run, _point(one, place, options), order.asks)
        classes[place] = replace(class_of(said.choice), asked=one.asked)
        notes.append(said.note)
        listed[place] = await run.step(f"find/{said.choice}", work, classes[place])
    every = tuple(part for parts in listed for part in parts)
    return FoundClasses(replace(order, classes=tuple(classes)), every, tuple(notes))


def _point(one: DrugClass, place: int, options: Sequence[str]) -> OpenPoint:
    question = f"Which class or drug is meant by “{one.name}”?"
    return OpenPoint(
        f"class-{place + 1}", question, tuple(options), lambda choice: f"“{one.name}” was read as {choice}"
    )


async def _find(finder: Finder, one: DrugClass) -> tuple[FoundClass, ...]:
    """A class with its representatives; where what was loaded cannot be read, the class with the reason."""
    try:
        return await finder.find(one)
    except ToolFailed as error:
        return (FoundClass(one, notes=(str(error),)),)
