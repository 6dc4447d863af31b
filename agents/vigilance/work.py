"""What runs of pharmacovigilance work with, and what a thread keeps of them."""

from collections.abc import Callable
from functools import cache

from agents.databases.atc import Atc
from agents.databases.case_reports import CaseReports
from agents.databases.labels import Labels
from agents.databases.ndc import Ndc
from agents.databases.prescriptions import Prescriptions
from agents.house import House
from agents.kinds import Principal, Watch, Work
from agents.minds.work import Ports
from agents.runs.run import Run
from agents.vigilance.finder.find import Finder
from agents.vigilance.minds import Minds
from agents.vigilance.pipeline import VigilanceTools, assess
from agents.vigilance.values import Assessment, Order
from agents.vigilance.watching import watch_on

CALLS = 5
"""Answers of a model for one drug and outcome, about: searches, the verdict, its review."""
MANY = 4
"""Classes times outcomes from which it is told before what a run will do."""


def plan(order: Order) -> str:
    """What a table will do and cost; "" for a question or two."""
    cells = len(order.classes) * len(order.outcomes)
    if cells < MANY:
        return ""
    asked = cells * (order.top * CALLS + CALLS)
    return (
        f"I will read the labels of up to {order.top} drugs of each class once and judge {cells} pairs. "
        "Without a language model that takes under a minute and costs nothing; with one about "
        f"{asked} of its answers. `stop` ends it with what is there."
    )


def remember(assessment: Assessment, before: Order | None) -> Order:
    """What the thread keeps: the order with its classes, so that these can be edited."""
    return assessment.order.anywhere()


def desk_of(house: House) -> VigilanceTools:
    """What a run works with, over the ports of a house."""
    reach, labels = house.reach, house.labels
    finder = Finder(Ndc(reach.bulk), Prescriptions(reach.bulk), labels, atc=Atc(reach.bulk))
    minds = None
    if house.model:
        minds = Minds(Ports(house.model, house.entailment, house.sources), labels)
    return VigilanceTools(finder, labels, house.sources, CaseReports(reach.bulk), minds)


def open_vigilance(house: House) -> Callable[[Principal], Work[Order, Assessment]]:
    """Open the labels; every principal may read them."""
    desk = cache(lambda: desk_of(house))  # opened for the first run

    async def work(run: Run, order: Order) -> Assessment:
        return await assess(desk(), run, order)

    return lambda principal: work


def watch(house: House) -> Watch:
    """Labels that channels watch."""

    def opened() -> tuple[Finder, Labels]:
        reach, labels = house.reach, house.labels
        return Finder(Ndc(reach.bulk), Prescriptions(reach.bulk), labels, atc=Atc(reach.bulk)), labels

    return watch_on(opened)
