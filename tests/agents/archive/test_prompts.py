"""Prompts are files with declared variables; each leaves its content hash in the step that used it."""

import re
from pathlib import Path

import pytest
from pydantic import BaseModel

from agents.archive.prompts import FOLDER, load_prompt
from agents.archive.reading.answers import ModelAnswer, ModelStatement
from agents.archive.reading.typed import ModelRecord, TypeAnswer
from agents.data_block import DATA_RULE
from agents.minds import prompts
from agents.minds.prompts import PromptError
from agents.runs import meter

NAMES = sorted(path.stem for path in FOLDER.glob("*.md"))


def test_every_step_has_a_prompt() -> None:
    assert set(NAMES) == {"classify", "general", "read", "typed"}


@pytest.mark.parametrize("name", NAMES)
def test_every_prompt_loads_and_leaves_its_hash(name: str) -> None:
    prompt = load_prompt(name)

    with meter.measuring("step", "hash") as measured:
        text = prompt.render(**{variable: f"<{variable}>" for variable in prompt.variables})

    assert all(f"<{variable}>" in text for variable in prompt.variables)
    assert "{{" not in text
    assert text.count(DATA_RULE) == 1
    assert [mark.split()[0] for mark in measured.fingerprints] == [f"prompt/{name}"]


def test_a_value_is_never_expanded_again() -> None:
    prompt = load_prompt("classify")

    assert "{{types}}" in prompt.render(types="- {{types}}")


def test_a_missing_variable_is_refused() -> None:
    with pytest.raises(PromptError, match="needs"):
        load_prompt("typed").render(molecule="X-1")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("no front matter", "front matter"),
        ("---\nrole: r\nvariables: [a]\n---\n{{b}}", "declares"),
        ("---\nrole: r\n---\ntext", "variables"),
    ],
)
def test_a_broken_prompt_is_refused_by_name(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "broken.md").write_text(text, encoding="utf-8")

    with pytest.raises(PromptError, match=message) as refused:
        prompts.load_prompt("broken", tmp_path)

    assert "broken" in str(refused.value)


@pytest.mark.parametrize(
    ("name", "forms"),
    [("general", (ModelAnswer,)), ("typed", (TypeAnswer, ModelRecord))],
)
def test_a_prompt_tells_of_every_field_of_its_form_and_of_no_other(
    name: str, forms: tuple[type[BaseModel], ...]
) -> None:
    text = (
        load_prompt(name).render(molecule="X-1", types="") if name == "typed" else load_prompt(name).render()
    )
    described = set(re.findall(r"^(\w+):", text, re.MULTILINE)) | set(re.findall(r"`(\w+)`", text))
    fields = {field for form in (*forms, ModelStatement) for field in form.model_fields}

    assert described - {"look"} <= fields
    assert fields - described <= {"type", "keys"}


def test_all_prompts_rank_sources_in_the_same_words() -> None:
    ranks = [
        line
        for name in ("general", "typed")
        for line in load_prompt(name).text.splitlines()
        if "outrank" in line
    ]
    assert len(ranks) == 2
    assert len(set(ranks)) == 1
