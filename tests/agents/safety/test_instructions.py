"""Guidance in layers: a channel's over the experts', over that of the house; read anew for each run."""

from pathlib import Path

from agents.kinds import Principal
from agents.minds.prompts import Composed
from agents.safety.instructions import Instructions, composed, house_skills, laid_over
from agents.safety.order import SafetyOrder
from agents.safety.outline import SECTIONS
from agents.safety.work import channel_of
from tests.agents.safety.kit import ZORB1

SKILL = "---\nname: ours\ndescription: How we do it.\n---\n{0}\n"


def put(folder: Path, place: str, text: str) -> None:
    path = folder / "safety" / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def prompt(instructions: Instructions, order: SafetyOrder | None = None) -> Composed:
    return composed(order or SafetyOrder("ZORB1"), ZORB1, instructions, SECTIONS)


def test_every_section_has_guidance_of_the_house() -> None:
    assert set(house_skills()) == {one.id for one in SECTIONS if not one.tells_work}
    assert all(skill.text in prompt(Instructions()).system for skill in house_skills().values())


def test_a_channel_goes_before_the_experts_and_these_before_the_house(tmp_path: Path) -> None:
    put(tmp_path, "phenotypes/SKILL.md", SKILL.format("Name the strain."))
    assert "Name the strain." in prompt(laid_over(tmp_path, "tox")).system
    put(tmp_path, "channels/tox/phenotypes/SKILL.md", SKILL.format("Name the sex."))
    assert "Name the sex." in prompt(laid_over(tmp_path, "tox")).system
    assert "Name the strain." in prompt(laid_over(tmp_path, "other")).system
    put(tmp_path, "channels/tox/phenotypes/SKILL.md", SKILL.format("Name the age."))
    assert "Name the age." in prompt(laid_over(tmp_path, "tox")).system


def test_a_channels_wishes_are_instructions_and_no_rules(tmp_path: Path) -> None:
    put(tmp_path, "channels/tox/GUIDANCE.md", "We call it minipig.")
    made = prompt(laid_over(tmp_path, "tox"), SafetyOrder("ZORB1", instructions="Dog first."))
    assert "We call it minipig.\nDog first." in made.user("task")
    assert "minipig" not in made.system


def test_a_file_that_is_not_usable_is_told_and_passed_over(tmp_path: Path) -> None:
    put(tmp_path, "phenotypes/SKILL.md", "no head")
    laid = laid_over(tmp_path, "tox")
    assert "Animal phenotypes" in laid.notes[0]
    assert house_skills()["phenotypes"].text in prompt(laid).system


def test_no_channel_leads_out_of_the_folder(tmp_path: Path) -> None:
    put(tmp_path / "elsewhere", "x/phenotypes/SKILL.md", SKILL.format("Stolen."))
    put(tmp_path / "inside", "README", "Nothing yet.")
    assert laid_over(tmp_path / "inside", "../../elsewhere/safety/x") == Instructions()
    assert channel_of(Principal("ada", "slack:C1:10.1")) == "C1"
    assert channel_of(Principal("ada")) == ""
