"""A brief in words as a desirability function, and its edits by words.

    goals: QED at least 0.5 · logP 1 to 3.5 · TPSA at most 90 · similarity at least 0.4

Each goal is a window of a measure, with a value that is best. The desirability falls linearly from 1 at the
best value to 0 at the measure's slack outside the window; beyond the best value of an open window it stays 1.
Those of all goals are joined by their weighted geometric mean, so that a molecule that fails one goal
altogether cannot win by the others. Source: G. Derringer, R. Suich, J. Qual. Technol. 1980, 12, 214.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import exp, inf, log
from pathlib import Path

from pydantic import TypeAdapter

from agents.chemistry.molecule import Molecule, read_molecule
from agents.chemistry.properties import base_pka, properties
from agents.chemistry.recognition import GONE, Part
from agents.chemistry.solubility import log_s
from agents.design.oracle import Oracle
from agents.design.values import Brief, Goal, Measure
from agents.text.words import EMPTY_WORDS

LEAST = 0.01
"""The desirability of a goal that is failed altogether: a geometric mean of 0 would hide all others."""


@dataclass(frozen=True, slots=True)
class About:
    """What is known of a measure: its words, how far outside its window it is worth nothing, its decimals,
    what it is, and how far inside an open window it is best (0: anywhere inside).
    """

    words: str
    slack: float
    digits: int
    told: str
    room: float


_FILE = tomllib.loads(Path(__file__).with_name("wishes.toml").read_text("utf-8"))
MEASURES: Mapping[Measure, About] = {
    Measure(name): About(**about) for name, about in _FILE["measure"].items()
}
_GOALS = TypeAdapter(tuple[Goal, ...])
BASE = _GOALS.validate_python(_FILE["base"])
"""Goals of every brief that says nothing else."""
USUAL = {one.measure: one for one in (*BASE, *_GOALS.validate_python(_FILE["usual"]))}
"""The window of a measure that is weighted, or named best, before it has one."""


@dataclass(frozen=True, slots=True)
class Wish:
    """Everyday words (a regular expression), the goals that they ask for, and those where they are turned
    around ("not", "less").
    """

    words: str
    goals: tuple[Goal, ...] = ()
    opposite: tuple[Goal, ...] = ()


WISHES, REMEDIES = (TypeAdapter(tuple[Wish, ...]).validate_python(_FILE[one]) for one in ("wish", "remedy"))
"""What everyday words ask for, and what a liability of the start asks for."""
_NEGATORS, _AFTER, _COMPARATIVES, _PARTS, _FILLER = (
    re.compile(_FILE[one]) for one in ("negators", "after", "comparatives", "parts", "filler")
)
COMPUTED = (
    Measure.QED,
    Measure.SA,
    Measure.LOGP,
    Measure.TPSA,
    Measure.MW,
    Measure.HBD,
    Measure.CNS_MPO,
)
"""Measures that `agents.chemistry.properties` has by the same name."""
NUMBER = r"[-−]?\d+(?:\.\d+|,\d{1,2}(?!\d))?"
_NAMES = "|".join(f"(?P<{one.name}>{about.words})" for one, about in MEASURES.items())
_LEAST = r"(?:above|over|at least|more than|mindestens|über|mehr als|min(?:imum)?|>=?|≥)\s*"
_MOST = (
    r"(?:below|under|at most|höchstens|unter|maximal|bis zu|(?:weniger|kleiner) als|"
    r"(?:less|lower) than|(?:no|not) (?:(?:more|higher|greater) than|above|over)|max(?:imum)?|up to|<=?|≤)\s*"
)
_END = re.compile(rf"{_LEAST}(?P<low>{NUMBER})|{_MOST}(?P<high>{NUMBER})", re.IGNORECASE)
_ANY = "|".join(about.words for about in MEASURES.values())
_OTHERS = f"{_ANY}|rounds?|scientists|proposals?|candidates"
_AND = r"\s*(?:g/mol|da\b|å²?)?\s*(?:,|and\b|but\b|und\b)?\s*"
_END_OF_IT = rf"(?!\.?\d|\s*(?:{_OTHERS})\b)"
"""After the second end of a window: in "MW at least 300 and at most 2 donors" that is another measure's."""
_WINDOW = re.compile(
    rf"\b(?:{_NAMES})\b\s*(?:is|be|of|:|=|to|must be|should be)?\s*(?:"
    rf"(?:between|from|in|zwischen|von)?\s*(?P<a>{NUMBER})\s*(?:to|and|bis|und|-|–|\.\.)\s*(?P<b>{NUMBER})"
    rf"|{_LEAST}{NUMBER}(?:{_AND}{_MOST}{NUMBER}{_END_OF_IT})?"
    rf"|{_MOST}{NUMBER}(?:{_AND}{_LEAST}{NUMBER}{_END_OF_IT})?)",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    rf"\b(?P<end>{_LEAST}|{_MOST})(?P<number>{NUMBER}|one\b|two\b)\s*(?P<name>{_ANY})\b", re.IGNORECASE
)
_THAN = re.compile(
    rf"\b(?:less|(?:no|not) more) [a-z]+ than (?P<name>{_ANY})\s*(?:of\s*)?(?P<number>{NUMBER})",
    re.IGNORECASE,
)
_COUNTS = {"one": "1", "two": "2"}
_WEIGHT = re.compile(
    rf"\bweights?\s+(?:of\s+)?(?:{_NAMES})\s*(?:is|=|:|to|by)?\s*(?P<weight>\d+(?:\.\d+)?)", re.IGNORECASE
)
_BEST = re.compile(rf"\bbest\s+(?:{_NAMES})\s*(?:is|=|:|at)?\s*(?P<best>{NUMBER})", re.IGNORECASE)
_FREE = re.compile(r"\bfree\s+(?:the |this )?(?:kept )?part\b", re.IGNORECASE)
"""Lets the part go that was to be kept."""
PARTS: Mapping[str, str] = _FILE["substructures"]
_PART_NAMES = {name.removesuffix("e"): name for name in PARTS}
_PART_NAME = _FILE["part_name"].replace("NAME", "|".join(_PART_NAMES))
_PART = re.compile(
    _FILE["part"]
    .replace("AND", _FILE["part_and"])
    .replace("LIST", _FILE["part_list"].replace("NAME", _PART_NAME)),
    re.IGNORECASE,
)
"""Parts by their names, to be kept or to go."""
_PART_WISH = re.compile(_FILE["part_wish"], re.IGNORECASE)
LEFT_OUT = "left out"
"""What a brief is told of a wish that sets no goal (`Brief.told`)."""
_DROP = re.compile(rf"\b(?:drop|ignore|forget|without the goal on)\s+(?:{_NAMES})\b", re.IGNORECASE)


def drafted(aim: str, words: str, target: str, seeds: tuple[str, ...], unlike: tuple[str, ...]) -> Brief:
    """The brief that words ask for, over the usual goals, none of which the start misses."""
    brief = Brief(aim, target, (), seeds)
    return edited(away_from(replace(brief, goals=base_goals(brief)), unlike), words)


def edited(brief: Brief, words: str) -> Brief:
    """The brief with what some words wish: properties, windows ("logP 1 to 3"), weights ("weight QED 2"),
    best values ("best logP 2.5").
    """
    words = _named_first(words)
    for part in _PARTS.split(words):
        for _, goal in _wished(part, brief.seeds):
            brief = brief.with_goal(goal)
    for found in _DROP.finditer(words):
        gone = _measure(found)
        brief = replace(brief, goals=tuple(one for one in brief.goals if one.measure is not gone))
    if _FREE.search(words):
        brief = replace(brief, kept=())
    parts = {one[0].lstrip(GONE): one for one in (*brief.kept, *_held(words))}
    brief = replace(brief, kept=tuple(parts.values()))
    never = contradictions(words)
    for window in windows(words):
        if window not in never:
            before = brief.goal(window.measure)
            brief = brief.with_goal(replace(window, weight=before.weight if before else 1.0))
    for name, pattern in (("weight", _WEIGHT), ("best", _BEST)):
        for found in pattern.finditer(words):
            goal = brief.goal(_measure(found)) or replace(USUAL[_measure(found)], weight=1.0)
            number = _number(found[name])
            changed = replace(goal, weight=number) if name == "weight" else replace(goal, best=number)
            brief = brief.with_goal(changed)
    return brief


def _held(words: str) -> Iterator[Part]:
    """The parts that words name to be kept or to go."""
    for found in _PART.finditer(words):
        stays = found["keep"] or found["stays"] or found["no"] or found["not"]
        for name in re.findall(_PART_NAME, found[0], re.IGNORECASE):
            called = _PART_NAMES[name.casefold()]
            mark, done = ("", "keep") if stays else (GONE, "replace")
            yield mark + PARTS[called], f"`{done} the {called}`, as asked"


def windows(words: str) -> tuple[Goal, ...]:
    """The windows that words name, each with both of its ends wherever they stand."""
    found: dict[Measure, Goal] = {}
    for one in _WINDOW.finditer(_named_first(words)):
        measure = _measure(one)
        goal = found.get(measure, Goal(measure))
        if one["a"]:
            low, high = sorted((_number(one["a"]), _number(one["b"])))
            goal = Goal(measure, low, high)
        for end in _END.finditer(one[0]):
            if end["low"]:
                goal = replace(goal, low=_number(end["low"]))
            else:
                goal = replace(goal, high=_number(end["high"]))
        found[measure] = goal
    return tuple(found.values())


def _named_first(words: str) -> str:
    """The words with measures before their numbers: "at most 1 donor", "not more polar than TPSA 90"."""
    words = _THAN.sub(lambda one: f"{one['name']} at most {one['number']}", words)
    return _BEFORE.sub(
        lambda one: f"{one['name']} {one['end']}{_COUNTS.get(one['number'].lower(), one['number'])}", words
    )


def contradictions(words: str) -> tuple[Goal, ...]:
    """The windows of some words that no value lies in: "MW at least 900 and at most 100"."""
    return tuple(
        one for one in windows(words) if one.low is not None and one.high is not None and one.low > one.high
    )


def base_goals(brief: Brief) -> tuple[Goal, ...]:
    """The goals of every brief, their windows widened to the first of the molecules to start from, which
    candidates resemble.
    """
    if not brief.seeds:
        return BASE
    values = measured(read_molecule(brief.seeds[0]))
    return (*(_reached(one, values[one.measure]) for one in BASE), USUAL[Measure.LIKE])


def _reached(goal: Goal, value: float) -> Goal:
    """The goal with a window that a value lies in."""
    low = goal.low if goal.low is None else min(goal.low, value)
    high = goal.high if goal.high is None else max(goal.high, value)
    return replace(goal, low=low, high=high)


def _wished(part: str, seeds: tuple[str, ...]) -> Iterator[tuple[str, Goal]]:
    """What a part of a sentence wishes: the words, and a goal of theirs. What compares is set against the
    first of the molecules to start from, and so is what hinders.
    """
    for wish in (*REMEDIES, *WISHES):
        if found := re.search(wish.words, part, re.IGNORECASE):
            turns = [*_NEGATORS.findall(part[: found.start()]), *_AFTER.findall(part[found.end() :])]
            hinders = wish in REMEDIES
            for goal in wish.opposite if len(turns) % 2 and not hinders else wish.goals:
                compared = seeds and (hinders or _COMPARATIVES.search(part))
                yield found[0], _beyond(goal, seeds[0]) if compared else replace(goal, step=0.0)


def _beyond(goal: Goal, start: str) -> Goal:
    """The goal of a wish that compares, its window set by the value of the start."""
    if not goal.step:
        return goal
    value = measured(read_molecule(start))[goal.measure]
    edge = round(max(value + goal.step, min(value, 0.0)), MEASURES[goal.measure].digits)
    low, high = (edge, None) if goal.step > 0 else (None, edge)
    return replace(goal, low=low, high=high, step=0.0)


def unread(words: str, known: Iterable[str] = ()) -> tuple[str, ...]:
    """What words say that sets no goal, part by part; `known` are names that were read otherwise."""
    names = {*known, *EMPTY_WORDS}
    found: list[str] = []
    for part in _PARTS.split(_PART.sub(" ", _WINDOW.sub(" ", _named_first(words)))):
        left = part
        for said, _ in _wished(part, ()):
            left = left.replace(said, " ")
        for pattern in (_DROP, _FREE, _WEIGHT, _BEST, _FILLER):
            left = pattern.sub(" ", left)
        told = [one for one in re.findall(r"\w*[A-Za-z]\w*(?:-\w+)*", left) if one.casefold() not in names]
        if _COMPARATIVES.sub("", _NEGATORS.sub("", " ".join(told))).strip(" -"):
            found.append(" ".join(told))
    return tuple(found)


def unknown_parts(words: str) -> tuple[str, ...]:
    """What words name as a part to keep or to replace, and is none of those that are known by name."""
    found = (_PART_WISH.search(part) for part in _PARTS.split(_PART.sub(" ", words)))
    names = (one["part"] for one in found if one)
    return tuple(dict.fromkeys(one for one in names if not any(_wished(one, ())) and not speaks_of(one)))


def asked(brief: Brief) -> tuple[Goal, ...]:
    """The goals that somebody wished: neither those of every brief nor those on likeness and alerts."""
    usual = (Measure.LIKE, Measure.UNLIKE, Measure.ALERTS)
    base = base_goals(brief)
    return tuple(one for one in brief.goals if one not in base and one.measure not in usual)


def measured(molecule: Molecule) -> dict[Measure, float]:
    """What is computed of a molecule by itself, by measure."""
    found = properties(molecule)
    values = {one: float(getattr(found, one.name.lower())) for one in COMPUTED}
    values |= {Measure.LOGS: round(log_s(molecule), 2), Measure.PKA: base_pka(molecule)}
    return values | {Measure.ALERTS: float(len(found.alerts))}


def with_oracle(brief: Brief, oracle: Oracle) -> Brief:
    """The brief with a goal on what an oracle predicts, unless it has one."""
    if brief.goal(Measure.ORACLE):
        return brief
    room = max(MEASURES[Measure.ORACLE].room, abs(oracle.good) / 4)
    if oracle.direction == "maximise":
        return brief.with_goal(Goal(Measure.ORACLE, oracle.good, None, 2.0, oracle.good + room))
    return brief.with_goal(Goal(Measure.ORACLE, None, oracle.good, 2.0, oracle.good - room))


def mended(brief: Brief, liabilities: Iterable[str]) -> Brief:
    """The brief that knows what the start failed by, with goals that it did not have against it."""
    told = tuple(liabilities)
    own = {one.measure for one in asked(brief)}
    for remedy in REMEDIES:
        if any(re.search(remedy.words, one, re.IGNORECASE) for one in told):
            for goal in remedy.goals:
                brief = brief if goal.measure in own else brief.with_goal(replace(goal, step=0.0))
    return replace(brief, liabilities=told)


def away_from(brief: Brief, smiles: Iterable[str]) -> Brief:
    """The brief that keeps away from these molecules too."""
    unlike = tuple(dict.fromkeys((*brief.unlike, *smiles)))
    if unlike == brief.unlike:
        return brief
    goal = brief.goal(Measure.UNLIKE) or USUAL[Measure.UNLIKE]
    return replace(brief.with_goal(goal), unlike=unlike)


def speaks_of(words: str) -> tuple[Measure, ...]:
    """The measures that some words name."""
    return tuple(
        one for one, about in MEASURES.items() if re.search(rf"\b(?:{about.words})\b", words, re.IGNORECASE)
    )


def best_of(goal: Goal) -> float:
    """The value that fits a goal best: the one it names, else the middle of its window, or the room of its
    measure inside an open one. It lies in the window.
    """
    low, high, room = goal.low, goal.high, MEASURES[goal.measure].room
    if goal.best is not None:
        bounds = (-inf if low is None else low, inf if high is None else high)
        return min(max(goal.best, bounds[0]), bounds[1])
    if low is not None and high is not None:
        return (low + high) / 2
    if low is not None:
        return low + room
    top = high or 0.0
    return max(top - room, 0.0) if top >= 0 else top - room


def goal_desirability(goal: Goal, value: float) -> float:
    """How well a value fits a goal, 0 to 1."""
    best, slack = best_of(goal), MEASURES[goal.measure].slack
    if goal.low is not None and value < best:
        worst = goal.low - slack
    elif goal.high is not None and value > best:
        worst = goal.high + slack
    else:
        return 1.0
    return max(0.0, (value - worst) / (best - worst))


def desirability(goals: Iterable[Goal], values: Mapping[Measure, float]) -> float:
    """How well values fit all goals on them, 0 to 1. A goal on what was not computed does not count."""
    told = [(goal, values[goal.measure]) for goal in goals if goal.measure in values and goal.weight > 0]
    total = sum(goal.weight for goal, _ in told)
    if not total:
        return 0.0
    logs = (goal.weight * log(max(goal_desirability(goal, value), LEAST)) for goal, value in told)
    return exp(sum(logs) / total)


def missed(goals: Iterable[Goal], values: Mapping[Measure, float]) -> tuple[Goal, ...]:
    """The goals whose windows values lie outside of, the one that costs most first."""
    short = [
        (one.weight * (1 - goal_desirability(one, values[one.measure])), one)
        for one in goals
        if one.measure in values and not one.holds(values[one.measure])
    ]
    return tuple(one for cost, one in sorted(short, key=lambda pair: -pair[0]) if cost > 0)


def shown(measure: Measure, value: float) -> str:
    """A value as tables show it."""
    return f"{value:.{MEASURES[measure].digits}f}"


def in_words(brief: Brief) -> str:
    """All goals in a line: "QED at least 0.5, best 0.9 · logP 0 to 4, best 2 (weight 2)"."""
    return " · ".join(f"{one.measure.value} {goal_in_words(one)}" for one in brief.goals)


def goal_in_words(goal: Goal) -> str:
    """A goal without its measure: "0 to 4, best 2 (weight 2)"."""
    best = best_of(goal)
    told = "" if best in (goal.low, goal.high) else f", best {best:g}"
    return f"{goal.window}{told}{f' (weight {goal.weight:g})' if goal.weight != 1 else ''}"


def _measure(found: "re.Match[str]") -> Measure:
    return next(one for one in MEASURES if found[one.name])


def _number(written: str) -> float:
    return float(written.replace("−", "-").replace(",", "."))
