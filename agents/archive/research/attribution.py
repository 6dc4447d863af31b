"""Which drug a stretch of a sentence belongs to: the nearest applicable one, and else the one the text is
about.
"""

import re
from collections.abc import Iterator, Sequence

from agents.archive.research.reading import Agent, Line, Role, before
from agents.archive.research.study import Part, Study

_FILLER = (
    r"(?:/\s?(?:day|d)|daily|once|twice|three times|a|per|day|b\.?i\.?d\.?|t\.?i\.?d\.?|q\.?d\.?|o\.?d\.?|"
    r"bd|od|qw|weekly|every|"
    r"\d+|hours?|weeks?|dos(?:e|es|ing)|levels?|oral(?:ly)?|intravenous(?:ly)?|iv|sc|po|by mouth|of|the|"
    r"with|at|in|an?|on|for|"
    r"tablets?|capsules?|milled|enteric-coated|coated|film|single|multiple|study|fixed|blinded|open-label|"
    r"given|administered|"
    r"hydrochloride|sodium|mesylate|maleate|retard|slow-release|and|or|to|up|mg|µg|mcg|g|kg|m2|arms?|"
    r"groups?|is|was|were|are|be|will|"
    r"reduced|escalated|increased|matching|radiolabel+ed)"
)
BEHIND = re.compile(
    rf"[\s,(\[:/+=-]*(?:{_FILLER}\b[\s,(\[:./+=-]*|[\d.,]+\s?|[()]\s?){{0,12}}", re.IGNORECASE
)
AHEAD = re.compile(
    r"[\s)\]]*(?:(?:/\s?(?:day|d|kg|m2)|daily|b\.?i\.?d\.?|t\.?i\.?d\.?|q\.?d\.?|o\.?d\.?|bd|od|per|day|"
    r"oral|intravenous|intramuscular|subcutaneous|iv|sc|po|"
    r"doses?|tablets?|capsules?|single|milled|enteric-coated|film coated|of|the|an?|study|once|twice|"
    r"infusions?|injections?|solution|administration)\b\.?\s*"
    r"|\([^()]{0,30}\)\s*|(?:(?:,|and|or|to|/)\s*)?[\d.,]+\s?(?:mg|µg|mcg|g|kg|/|m2|day|ml)+\b\s*)*",
    re.IGNORECASE,
)  # fmt: skip
IN_SOMEBODY = re.compile(
    r"\s(?:in|of)\s(?:(?!patients?|subjects?)[\w-]+\s){0,4}(?:patients?|subjects?|volunteers?|m[ae]n|"
    r"participants?)\s(?:\w+\s)?(?:on|receiving|treated with|given|taking|under)\s",
    re.IGNORECASE,
)
ALTERNATIVE = re.compile(r"\bor\s(?:with\s|to\s|the\s|an?\s|matching\s)*$", re.IGNORECASE)
TIGHT = re.compile(r"\s?[(,:]?\s?|\s\([^()]{0,30}\)\s")
ANAPHORA = re.compile(
    r"^(?:there|it|its|they|their|these|this (?:compound|drug|substance|molecule|dose)|the (?:latter|"
    r"compound|substance|same))\b",
    re.IGNORECASE,
)


def owner(study: Study, line: Line, start: int, end: int) -> Agent | None:
    """The drug that the words from `start` to `end` of a line belong to; None where nothing tells.

    In order: the drug right after ("10 mg of X") unless one stands right before ("X 10 mg"), the nearest
    before in the sentence, the molecule or "the drug" after, and what the sentence is about. Placebo never
    owns a dose.
    """
    agents = [agent for agent in line.agents if agent.role is not Role.PLACEBO]
    earlier = [agent for agent in agents if agent.end <= start]
    later = [agent for agent in agents if agent.start >= end]
    if later and IN_SOMEBODY.fullmatch(line.text[end : later[0].start]):
        return settled(study, later[0])
    if (
        later
        and AHEAD.fullmatch(line.text[end : later[0].start])
        and not (earlier and TIGHT.fullmatch(line.text[earlier[-1].end : start]))
    ):
        return settled(study, later[0])
    if earlier:
        return settled(study, earlier[-1])
    if later and later[0].role in (Role.THIS, Role.STUDY_DRUG):
        return settled(study, later[0])
    return topic(study, line)


def shares(study: Study, line: Line, start: int) -> bool:
    """Whether what stands behind "A 10 mg or B 20 mg" belongs to A too, if A is the molecule: alternatives
    of one trial.
    """
    earlier = [agent for agent in line.agents if agent.end <= start]
    for position, agent in enumerate(earlier):
        own = settled(study, agent) if agent.role in (Role.THIS, Role.STUDY_DRUG) else None
        rest = earlier[position + 1 :]
        if own is None or own.role is not Role.THIS or not rest:
            continue
        joints = [line.text[a.end : b.start] for a, b in zip([agent, *rest], rest, strict=False)]
        if all(ALTERNATIVE.search(joint) for joint in joints[-1:]) and adjoins(
            line.text[rest[-1].end : start]
        ):
            return True
    return False


def adjoins(between: str) -> bool:
    """Whether the words between a drug and a dose only lead from one to the other."""
    return (
        len(between) < 90
        and BEHIND.fullmatch(between) is not None
        and not re.fullmatch(r"\s*(?:and|or|with)\s*", between)
    )


def settled(study: Study, agent: Agent) -> Agent | None:
    """The agent itself; "the study drug" stands for the study's subject."""
    if agent.role is Role.STUDY_DRUG:
        return subject_agent(study)
    return agent


def topic(study: Study, line: Line) -> Agent | None:
    """What a sentence without a name is about: what "it" refers to, the heading's molecule, or the
    document's.
    """
    own = [agent for agent in line.agents if agent.role in (Role.THIS, Role.MOLECULE)]
    if own:
        return own[0]
    if line.row is None and (referred := antecedent(study.lines, line)):
        return referred
    if (heading := section_agent(study, line)) is not None:
        return heading
    if study.subject:
        return subject_agent(study)
    return next(molecules(before(study.lines, line, 8)), None)


def antecedent(lines: Sequence[Line], line: Line) -> Agent | None:
    """The one molecule of the sentence before, for a sentence that begins with "it", "there" or "this
    compound".
    """
    if not ANAPHORA.match(line.text):
        return None
    for earlier in before(lines, line, 2):
        found = list(molecules([earlier]))
        if len({agent.name for agent in found}) == 1:
            return found[0]
    return None


def molecules(lines: Iterator[Line] | Sequence[Line]) -> Iterator[Agent]:
    """Molecules of the archive named in lines."""
    return (agent for line in lines for agent in line.agents if agent.role in (Role.THIS, Role.MOLECULE))


def section_agent(study: Study, line: Line) -> Agent | None:
    """The one molecule that the nearest heading above names, if the heading names just one."""
    caption = [line.row.caption] if line.row else []
    for heading in (*caption, *reversed(line.passage.section)):
        found = [a for a in study.names.agents(heading) if a.role in (Role.THIS, Role.MOLECULE)]
        if len({agent.name for agent in found}) == 1:
            return found[0]
        if found:
            return None if not study.subject else subject_agent(study)
    return None


def subject_agent(study: Study) -> Agent | None:
    """The document's subject as an agent."""
    if not study.subject:
        return None
    return Agent(0, 0, study.subject, Role.THIS if study.is_about_this else Role.MOLECULE)


def belongs(study: Study, line: Line, start: int = 0, end: int = 0) -> bool:
    """Whether words of a line are about the molecule asked about."""
    found = owner(study, line, start, end) if end else topic(study, line)
    return found is not None and found.role is Role.THIS


def guard_name(study: Study, line: Line, agent: Agent) -> str:
    """Under which guard a value of another drug is refused."""
    if agent.role is Role.MOLECULE:
        return "other molecule"
    around = f"{line.text} {study.title}".lower()
    if any(
        word in around
        for word in ("versus", " vs", "compar", "control", "reference", "than", agent.name + " group")
    ):
        return "comparator"
    return "comparator" if study.part is Part.COMPARATOR else "partner"
