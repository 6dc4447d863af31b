"""The prompt in three layers: role, the skill of each section, and what people ask for (paper, 3.1)."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from agents.databases.target import Target
from agents.minds.prompts import Composed, PromptError, Skill, compose, load_prompt, load_skill, read_skill
from agents.safety.order import SafetyOrder
from agents.safety.outline import SECTIONS, Outline

CHANNEL = re.compile(r"[\w][\w.-]{0,80}")
HERE = Path(__file__).parent
PROMPTS, SKILLS = HERE / "prompts", HERE / "skills"


@dataclass(frozen=True, slots=True)
class Instructions:
    """What people lay over the guidance of the house, for one run.

    `skills` by section; `guidance` is what a channel wants of all its reports; `notes` tell of files that are
    not usable.
    """

    skills: Mapping[str, Skill] = field(default_factory=dict)
    guidance: str = ""
    notes: tuple[str, ...] = ()


def laid_over(folder: Path | None, channel: str) -> Instructions:
    """The guidance of experts as it is now: of the channel, else of the house.

        safety/SECTION/SKILL.md
        safety/channels/CHANNEL/SECTION/SKILL.md
        safety/channels/CHANNEL/GUIDANCE.md

    A file that is not usable is passed over, and a note says so.
    """
    if folder is None or not folder.is_dir():
        return Instructions()
    own = folder / "safety"
    places = (own / "channels" / channel, own) if CHANNEL.fullmatch(channel) else (own,)
    skills: dict[str, Skill] = {}
    notes: list[str] = []
    for one in SECTIONS:
        for path in (place / one.id / "SKILL.md" for place in places):
            if one.id not in skills and path.is_file():
                try:
                    skills[one.id] = read_skill(path)
                except (PromptError, OSError, ValueError) as error:
                    notes.append(f"The guidance of the section “{one.title}” is not used: {error}.")
    text = ""
    guidance = places[0] / "GUIDANCE.md"
    if len(places) > 1 and guidance.is_file():
        try:
            text = guidance.read_text(encoding="utf-8")
        except (OSError, ValueError) as error:
            notes.append(f"The guidance of this channel is not used: {error}.")
    return Instructions(skills, text.strip(), tuple(notes))


@cache
def house_skills() -> Mapping[str, Skill]:
    """The skills that come with Pestle, by section. Raises `PromptError` for one that is not usable."""
    return {one.id: load_skill(SKILLS / one.id / "SKILL.md") for one in SECTIONS if not one.tells_work}


def composed(
    order: SafetyOrder, target: Target, instructions: Instructions, sections: Iterable[Outline]
) -> Composed:
    """The prompt of the assessment, with the skills and wishes of the sections that it writes."""
    ids = [one.id for one in sections if not one.tells_work]
    skills = [instructions.skills.get(one) or house_skills()[one] for one in ids]
    told = (f"{one.section}: {one.text}" if one.section else one.text for one in order.guidance)
    own = order.wish if order.section in ids else ""
    asked = "\n".join(filter(None, (instructions.guidance, order.instructions, *told, own)))
    values = {
        "target": f"{target.symbol} ({target.name})" if target.name else target.symbol,
        "modality": str(order.modality or "not decided"),
        "direction": str(order.direction or "not decided: weigh both inhibition and activation"),
        "area": order.area or "not given",
    }
    return compose(load_prompt("whole", PROMPTS), values, skills, asked)
