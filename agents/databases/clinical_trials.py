"""ClinicalTrials.gov, version 2 of its service: studies of a drug, with the adverse events that they report.

`trial_events` says what follows from them.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from pydantic import JsonValue

from agents.databases.database import database
from agents.databases.drugs import Drug, plain_name
from agents.databases.fields import at, items, json_of, list_of, number, text, texts
from agents.databases.naming import quoted
from agents.databases.ports import WebReply, WebRequest

TRIALS = database("clinicaltrials")
API = "https://clinicaltrials.gov/api/v2/studies"
WITH_RESULTS, STOPPED = 3, 20
"""Studies with results that are read of a drug, the largest ones, and stopped studies that are looked at."""
FIELDS = "NCTId,BriefTitle,OverallStatus,WhyStopped,Phase,EnrollmentCount,Condition,InterventionName,"
FIELDS += "InterventionOtherName"
PHASES = {"EARLY_PHASE1": "early phase 1", "NA": "no phase"}


@dataclass(frozen=True, slots=True)
class Affected:
    """Participants with an event, of those who could have had it."""

    affected: int
    at_risk: int

    @property
    def share(self) -> float:
        """In per cent."""
        return 100 * self.affected / self.at_risk

    @property
    def words(self) -> str:
        """As "12 of 105 participants (11.4 %)"."""
        return f"{self.affected} of {self.at_risk} participants ({self.share:.1f} %)"


@dataclass(frozen=True, slots=True)
class Arm:
    """A group of participants whose adverse events are reported together."""

    id: str
    title: str
    description: str
    serious: Affected | None = None
    deaths: Affected | None = None

    def gets(self, drug: str) -> bool:
        """Whether it says that its participants got the drug. One with a placebo too is not taken as such."""
        drug, title, whole = drug.casefold(), self.title.casefold(), self._whole
        return "placebo" not in (title if drug in title else whole) and drug in whole

    def lacks(self, drug: str) -> bool:
        """Whether its participants did not get the drug: it is not named, or a placebo is in its place."""
        drug, title = drug.casefold(), self.title.casefold()
        return drug not in self._whole or ("placebo" in title and drug not in title)

    @property
    def _whole(self) -> str:
        return f"{self.title} {self.description}".casefold()


@dataclass(frozen=True, slots=True)
class Event:
    """An adverse event: its term, organ system, whether it was serious, and who had it by arm."""

    term: str
    organ: str
    serious: bool
    by_arm: tuple[tuple[str, Affected], ...]

    def of(self, arm: Arm | None) -> Affected | None:
        """Who of an arm had it."""
        return None if arm is None else next((found for id_, found in self.by_arm if id_ == arm.id), None)


@dataclass(frozen=True, slots=True)
class Trial:
    """A study. `phase` is in words ("phase 1/2"), `why_stopped` as its sponsor says it."""

    nct: str
    title: str
    status: str
    phase: str
    enrolment: int | None
    conditions: tuple[str, ...]
    interventions: tuple[str, ...]
    why_stopped: str = ""
    arms: tuple[Arm, ...] = ()
    events: tuple[Event, ...] = ()

    def gives(self, drug: Drug) -> bool:
        """Whether the drug is among what its participants get."""
        name = plain_name(drug.name).casefold()
        return any(name in intervention.casefold() for intervention in self.interventions)


def results_request(drug: Drug) -> WebRequest:
    """Asks for the largest studies of a drug that have results."""
    return _request(
        drug,
        ("aggFilters", "results:with"),
        ("sort", "EnrollmentCount:desc"),
        ("pageSize", str(WITH_RESULTS)),
        ("fields", f"{FIELDS},AdverseEventsModule"),
    )


def stopped_request(drug: Drug) -> WebRequest:
    """Asks for studies of a drug that were stopped."""
    return _request(
        drug,
        ("filter.overallStatus", "TERMINATED|SUSPENDED|WITHDRAWN"),
        ("pageSize", str(STOPPED)),
        ("fields", FIELDS),
    )


def parse_studies(reply: WebReply) -> tuple[Trial, ...]:
    """The studies. Raises `ToolFailed` for a reply of another form."""
    found = list_of(json_of(reply, TRIALS.title), TRIALS.title, "studies")
    return tuple(study for one in found if (study := parse_study(one)).nct)


def parse_study(value: JsonValue) -> Trial:
    """One study, of a search or by itself."""
    protocol = at(value, "protocolSection")
    events = at(value, "resultsSection", "adverseEventsModule")
    given = items(protocol, "armsInterventionsModule", "interventions")
    enrolled = number(protocol, "designModule", "enrollmentInfo", "count")
    return Trial(
        nct=text(protocol, "identificationModule", "nctId"),
        title=text(protocol, "identificationModule", "briefTitle"),
        status=text(protocol, "statusModule", "overallStatus").replace("_", " ").lower(),
        phase=_phase(texts(protocol, "designModule", "phases")),
        enrolment=None if enrolled is None else int(enrolled),
        conditions=texts(protocol, "conditionsModule", "conditions"),
        interventions=tuple(
            name for one in given for name in (text(one, "name"), *texts(one, "otherNames")) if name
        ),
        why_stopped=text(protocol, "statusModule", "whyStopped"),
        arms=tuple(arm for one in items(events, "eventGroups") if (arm := _arm(one)).id),
        events=(
            *_events(items(events, "seriousEvents"), serious=True),
            *_events(items(events, "otherEvents"), serious=False),
        ),
    )


def _arm(value: JsonValue) -> Arm:
    return Arm(
        text(value, "id"),
        text(value, "title"),
        text(value, "description"),
        _affected(value, "seriousNumAffected", "seriousNumAtRisk"),
        _affected(value, "deathsNumAffected", "deathsNumAtRisk"),
    )


def _events(values: Iterable[JsonValue], *, serious: bool) -> Iterable[Event]:
    for value in values:
        stats = [
            (text(one, "groupId"), found)
            for one in items(value, "stats")
            if (found := _affected(one, "numAffected", "numAtRisk")) is not None
        ]
        if (term := text(value, "term")) and stats:
            yield Event(term, text(value, "organSystem"), serious, tuple(stats))


def _affected(value: JsonValue, affected: str, at_risk: str) -> Affected | None:
    """None where a number is missing or they cannot be: more affected than at risk, or nobody at risk."""
    had, could = number(value, affected), number(value, at_risk)
    if had is None or could is None or not 0 <= had <= could or could < 1:
        return None
    return Affected(int(had), int(could))


def _phase(phases: Iterable[str]) -> str:
    numbers = [phase.removeprefix("PHASE") for phase in phases if phase.startswith("PHASE")]
    others = [PHASES[phase] for phase in phases if phase in PHASES]
    return f"phase {'/'.join(numbers)}" if numbers else next(iter(others), "")


def _request(drug: Drug, *params: tuple[str, str]) -> WebRequest:
    name = plain_name(drug.name).replace('"', " ")
    return WebRequest(TRIALS.name, API, (("query.intr", quoted(name)), ("countTotal", "true"), *params))
