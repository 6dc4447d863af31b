"""Sections by rules: the draft of each, the statements that it begins with before its tables and remarks."""

from collections.abc import Sequence

from agents.evidence.values import Evidence
from agents.safety.checked import standing
from agents.safety.coverage import coverage
from agents.safety.material import Draft, Material
from agents.safety.outline import BY_ID, Outline
from agents.safety.sections.research import research
from agents.safety.sections.wish import Wish, read_wishes
from agents.safety.synthesis.questions import questions
from agents.safety.synthesis.risk_section import risk_section
from agents.safety.synthesis.species import species
from agents.safety.synthesis.summary import summary
from agents.safety.values import Claims, Part, Words

SYNTHESIS = {
    "summary": summary,
    "risks": risk_section,
    "species": species,
    "questions": questions,
    "coverage": coverage,
}


def drafted(outline: Outline, material: Material, guidance: str = "") -> Draft:
    """The section by rules. `guidance` is what experts want of all reports of the channel."""
    if outline.tells_work:
        return SYNTHESIS[outline.id](material, Wish())
    order = material.order
    wish = read_wishes(f"{guidance}\n{order.wide(outline.id)}", order.own(outline.id))
    return research(outline, material, wish) if outline.researches else SYNTHESIS[outline.id](material, wish)


def by_rules(section: str, material: Material, guidance: str = "") -> Part:
    """The section as it is shown; a claim that no record carries is left out."""
    draft = drafted(BY_ID[section], material, guidance)
    first = (Claims(draft.claims),) if draft.claims and not draft.told else ()
    evidence = [item for one in material.collected for item in one.evidence]
    stand = (standing(block, evidence) for block in (*first, *draft.blocks))
    blocks = tuple(block for block in stand if block is not None)
    return Part(section, (*blocks, *map(Words, draft.remarks)))


def evidence_of(material: Material, parts: Sequence[Part]) -> tuple[Evidence, ...]:
    """The evidence that parts cite, in the order of its keys, each once."""
    cited = {key for part in parts for key in keys_of(part)}
    found = {item.key: item for one in material.collected for item in one.evidence}
    return tuple(found[key] for key in sorted(cited & found.keys(), key=lambda key: int(key[1:])))


def keys_of(part: Part) -> set[str]:
    """The keys that a part cites."""
    keys: set[str] = set()
    for block in part.blocks:
        if isinstance(block, Claims):
            keys |= {key for claim in block.claims for key in claim.keys}
        elif not isinstance(block, Words):
            cells = [block] if block.kind == "picture" else [cell for row in block.rows for cell in row]
            keys |= {key for cell in cells for key in cell.keys}
    return keys
