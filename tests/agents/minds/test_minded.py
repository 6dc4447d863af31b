"""A step with two minds says who did it, and why not the model."""

import pytest
from pydantic import BaseModel

from agents.errors import ModelAnswerInvalid, ModelError, ModelRefused, ModelUnavailable, ModelUnreachable
from agents.minds.minded import RULES, WITHOUT_IT, Minded, fallback_note, minded
from agents.ports import LanguageModel
from tests.support.scripted import ScriptedModel


class Size(BaseModel):
    value: int


async def asked(model: LanguageModel) -> int:
    return (await model.ask("judge", "s", "u", Size)).value


async def ruled() -> int:
    return 0


async def test_the_model_answers_where_there_is_one() -> None:
    assert await minded(ScriptedModel({"judge": [{"value": 3}]}), asked, ruled) == Minded(3, "scripted")


async def test_without_a_model_rules_answer_and_nothing_failed() -> None:
    assert await minded(None, asked, ruled) == Minded(0, RULES, "")


@pytest.mark.parametrize("error", [ModelUnavailable, ModelRefused, ModelAnswerInvalid])
async def test_a_model_that_fails_gives_way_to_rules_with_a_reason(error: type[ModelError]) -> None:
    made = await minded(ScriptedModel({"judge": [error("HTTP 503")]}), asked, ruled)

    assert made == Minded(0, RULES, error.clause)
    assert fallback_note("review", made.why_fallen_back) == (
        f"The language model gave no usable answer in review ({error.clause}); rules were used instead."
    )


async def test_an_endpoint_that_cannot_be_reached_is_told_once_whatever_was_asked() -> None:
    said = "The language model at http://127.0.0.1:9/v1 cannot be reached; ask again."
    made = await minded(ScriptedModel({"judge": [ModelUnreachable(said)]}), asked, ruled)
    notes = {fallback_note(work, made.why_fallen_back) for work in ("classification", "research")}

    assert notes == {f"{said} {WITHOUT_IT}"}


async def test_an_error_that_is_not_the_models_is_not_hidden() -> None:
    async def broken(model: LanguageModel) -> int:
        raise KeyError("a bug")

    with pytest.raises(KeyError):
        await minded(ScriptedModel({}), broken, ruled)


def test_nothing_failed_no_note() -> None:
    assert fallback_note("review", "") == ""
