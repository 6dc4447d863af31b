"""Pharmacovigilance as a kind of run (MALADE)."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache

from agents.databases.atc import Atc
from agents.databases.case_reports import CaseReports
from agents.databases.labels import Labels
from agents.databases.ndc import Ndc
from agents.databases.prescriptions import Prescriptions
from agents.house import House
from agents.kinds import Guidance, KindLimits, Principal, RunKind, Watch, Work
from agents.minds.work import Ports
from agents.ports import Calibrated
from agents.reports.disputed import Disputed
from agents.runs.open_points import Responsible
from agents.runs.records import Budget
from agents.runs.run import Run
from agents.vigilance.finder.find import Finder
from agents.vigilance.minds import Minds
from agents.vigilance.pipeline import Desk, assess, stopped
from agents.vigilance.reading.model_scales import read_model_scales
from agents.vigilance.report import report
from agents.vigilance.understand import understand
from agents.vigilance.values import Assessment, Order
from agents.vigilance.watching import watch_on

SECONDS = 3600.0
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
    return replace(assessment.order, disputed=(), asks=None, wishes=())


def guided(order: Order, guidance: tuple[Guidance, ...]) -> Order:
    """The order with what the channel wants of all its answers."""
    return replace(order, wishes=tuple(one.text for one in guidance))


def doubting(order: Order, disputed: tuple[Disputed, ...]) -> Order:
    """The order with what the channel disputes."""
    return replace(order, disputed=disputed)


def asking(order: Order, responsible: Responsible) -> Order:
    """The order with who says what it leaves open."""
    return replace(order, asks=responsible)


def desk_of(house: House) -> Desk:
    """What a run works with, over the ports of a house. Raises `WrongFile` for a broken calibration."""
    reach, labels = house.reach, house.labels
    finder = Finder(Ndc(reach.bulk), Prescriptions(reach.bulk), labels, atc=Atc(reach.bulk))
    minds = None
    if house.model:
        learnt = house.model.calibration if isinstance(house.model, Calibrated) else ""
        scales = read_model_scales(learnt) if learnt else None
        minds = Minds(Ports(house.model, house.entailment, house.sources), labels, scales)
    return Desk(finder, labels, house.sources, CaseReports(reach.bulk), minds)


def open_vigilance(house: House) -> Callable[[Principal], Work[Order, Assessment]]:
    """Open the labels; every principal may read them."""
    desk = cache(lambda: desk_of(house))  # opened for the first run

    def pipeline(principal: Principal) -> Work[Order, Assessment]:
        async def work(run: Run, order: Order) -> Assessment:
            return await assess(replace(desk()), run, order)

        return work

    return pipeline


def watch(house: House) -> Watch:
    """Labels that channels watch."""

    def opened() -> tuple[Finder, Labels]:
        reach, labels = house.reach, house.labels
        return Finder(Ndc(reach.bulk), Prescriptions(reach.bulk), labels, atc=Atc(reach.bulk)), labels

    return watch_on(opened)


KIND = RunKind(
    name="vigilance",
    title="Pharmacovigilance",
    inputs=Order,
    output=Assessment,
    memory=Order,
    understand=understand,
    asked=lambda order: order.asked,
    plan=plan,
    report=report,
    open=open_vigilance,
    remember=remember,
    watch=watch,
    guided=guided,
    doubting=doubting,
    asking=asking,
    stopped=stopped,
    labels={
        "find": "Finding the drugs of the class",
        "outcomes": "Looking for outcomes",
        "read": "Reading labels",
        "drug": "Judging drugs",
        "category": "Judging classes",
        "reports": "Counting spontaneous reports",
        "charts": "Drawing",
    },
    limits=KindLimits(Budget(seconds=SECONDS)),
    commands=("vigilance", "pv"),
    help=(
        "`vigilance DRUGS: OUTCOMES` tells what FDA labels say of a class of drugs, or of single drugs, and "
        "outcomes, as `vigilance ACE inhibitors: angioedema`, `vigilance warfarin, all outcomes` or "
        "`vigilance statins, beta blockers x myopathy, stroke`.",
    ),
    request="question",
    result="answer",
)
