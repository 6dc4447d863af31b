"""The prompt of a section in three layers: role, the domain's skill, and what people ask for (paper, 3.1)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from agents.minds.prompts import Composed, Skill, compose, load_prompt, load_skill
from agents.safety.material import Material
from agents.safety.outline import SECTIONS, Outline

HERE = Path(__file__).parent
PROMPTS, SKILLS = HERE / "prompts", HERE / "skills"


@dataclass(frozen=True, slots=True)
class Instructions:
    """Skills by section, as they are laid over those of the house; `guidance` is a channel's own."""

    skills: Mapping[str, Skill] = field(default_factory=dict)
    guidance: str = ""


@cache
def house_skills() -> Mapping[str, Skill]:
    """The skills that come with Pestle, by section. Raises `PromptError` for one that is not usable."""
    return {one.id: load_skill(SKILLS / one.id / "SKILL.md") for one in SECTIONS}


def composed(outline: Outline, material: Material, instructions: Instructions) -> Composed:
    """The prompt of a section's agent."""
    order, target = material.order, material.target
    prompt = load_prompt("research" if outline.researches else "synthesis", PROMPTS)
    skill = instructions.skills.get(outline.id) or house_skills()[outline.id]
    wish = order.wish if order.section == outline.id else ""
    asked = "\n".join(filter(None, (instructions.guidance, order.instructions, wish)))
    values = {
        "section": outline.title,
        "target": f"{target.symbol} ({target.name})" if target.name else target.symbol,
        "modality": str(order.modality or "not decided"),
        "direction": str(order.direction or "not decided: weigh both inhibition and activation"),
        "area": order.area or "not given",
    }
    return compose(prompt, values, (skill,), asked)
