"""What of a model's answer is asked for again, and what is mended without asking."""

from pathlib import Path
from typing import Any

from tests.agents.archive.general.test_agent import DIRECTOR, WEIGHT, asked, director, key_of, says
from tests.support.scripted import Call


async def test_a_headline_that_nothing_carries_goes_and_nobody_is_asked(tmp_path: Path) -> None:
    def research(call: Call) -> Any:
        return {**director(call), "headline": "She directed 41 studies of 77 mg."}

    answer, model = await asked(tmp_path, research, DIRECTOR)

    assert len(model.calls) == 1
    assert answer.short == "Dr. Ann Example"
    assert "41" not in answer.text


async def test_a_statement_with_a_value_too_many_says_what_it_quotes(tmp_path: Path) -> None:
    def research(call: Call) -> Any:
        key = key_of(call.messages[1].text, "| 15 mg/kg | 20 | 405 |")
        told = "The mean weight at 15 mg/kg was 405 g, after 512 g."
        return says("405 g", (told, key, "15 mg/kg | 20 | 405"))

    answer, model = await asked(tmp_path, research, WEIGHT)

    assert len(model.calls) == 1
    assert answer.short == "405 g"
    assert "512" not in answer.text
    assert [citation.quote for citation in answer.citations] == ["| 15 mg/kg | 20 | 405 |"]


async def test_a_short_answer_that_nothing_carries_is_asked_for_again(tmp_path: Path) -> None:
    def research(call: Call) -> Any:
        key = key_of(call.messages[1].text, "| 15 mg/kg | 20 | 405 |")
        short = "405 g" if "A reviewer asks" in call.messages[-1].text else "512 g"
        return says(short, ("", key, "15 mg/kg | 20 | 405"))

    answer, model = await asked(tmp_path, research, WEIGHT)

    assert len(model.calls) == 2
    assert answer.short == "405 g"


async def test_one_quote_of_several_that_nothing_says_is_left_out(tmp_path: Path) -> None:
    def research(call: Call) -> Any:
        key = key_of(call.messages[1].text, "| 15 mg/kg | 20 | 405 |")
        quotes = ["15 mg/kg | 20 | 405", "| group | number | weight at the end of all |"]
        statement = {"text": "", "keys": [key], "quotes": quotes}
        return {"outcome": "answered", "short": "405 g", "statements": [statement]}

    answer, model = await asked(tmp_path, research, WEIGHT)

    assert len(model.calls) == 1
    assert [citation.quote for citation in answer.citations] == ["| 15 mg/kg | 20 | 405 |"]


async def test_a_line_that_is_not_shown_is_not_asked_for_again(tmp_path: Path) -> None:
    def research(call: Call) -> Any:
        key = key_of(call.messages[1].text, "| 15 mg/kg | 20 | 405 |")
        said = says("512 g at 16 mg/kg", ("", key, "15 mg/kg | 20 | 405"))
        return {**said, "outcome": "closest"}

    answer, model = await asked(tmp_path, research, WEIGHT)

    assert len(model.calls) == 1
    assert "512" not in answer.text
