"""How a language model is asked: its answers are checked by schema and by code. Where it fails, rules take
its place and a note says so. Its queries and its ratings of articles are here too.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import BaseModel, Field

from agents.data_block import data_block
from agents.errors import ModelAnswerInvalid, WrongOrder
from agents.json_answers import at_most
from agents.minds.minded import Minded, fallback_note, minded
from agents.minds.prompts import compose, load_prompt
from agents.ports import LanguageModel
from agents.protocol.boolean import parsed
from agents.protocol.queries import QUERIES, make_queries
from agents.protocol.values import Objective, Query, Rated

PROMPTS = Path(__file__).parent / "prompts"
BATCH = 10
"""Articles that are rated in one call."""
T = TypeVar("T", bound=BaseModel)
Score = Annotated[int, Field(ge=1, le=5)]


class OneQuery(BaseModel):
    """A query and what it looks for."""

    text: str
    aim: str = ""


class Queries(BaseModel):
    """The queries of a search."""

    queries: list[OneQuery] = Field(json_schema_extra=at_most(QUERIES))


class Rating(BaseModel):
    """An article by its number, its score and the reason."""

    number: int
    score: Score
    reason: str = ""


class Ratings(BaseModel):
    """The ratings of a batch."""

    ratings: list[Rating] = Field(json_schema_extra=at_most(BATCH))


def told(objective: Objective) -> str:
    """An objective as a model reads it."""
    lines = (
        f"Objective: {objective.text}",
        *(f"Condition: {one}" for one in objective.conditions),
        *(f"Requirement: {one}" for one in objective.requirements),
    )
    return data_block("\n".join(lines), kind="objective")


async def asked(
    model: LanguageModel, name: str, blocks: Sequence[str], schema: type[T], wishes: str = "", **values: str
) -> T:
    """The model's answer to a prompt file. Raises `ModelError`."""
    prompt = compose(load_prompt(name, PROMPTS), values, instructions=wishes)
    return await model.ask(prompt.role, prompt.system, prompt.user("\n\n".join(blocks)), schema)


async def queries_of(model: LanguageModel | None, objective: Objective) -> Minded[tuple[Query, ...]]:
    """Five queries by the model, or by rules."""

    async def by_model(mind: LanguageModel) -> tuple[Query, ...]:
        made = await asked(mind, "queries", (told(objective),), Queries)
        found = [Query(one.text, one.aim, mind.name) for one in made.queries if _readable(one.text)]
        if not found:
            raise ModelAnswerInvalid("None of its queries can be read.")
        return tuple(found[:QUERIES])

    async def by_rules() -> tuple[Query, ...]:
        return make_queries(objective)

    return await minded(model, by_model, by_rules)


def _readable(query: str) -> bool:
    try:
        parsed(query)
    except WrongOrder:
        return False
    return True


async def ratings_of(
    model: LanguageModel | None, objective: Objective, given: Sequence[Rated]
) -> tuple[tuple[Rated, ...], str]:
    """The articles as the model rates them, those that it leaves out as the rules did; and a note where it
    failed. A retracted article stays at 1.
    """

    async def by_model(mind: LanguageModel) -> tuple[Rated, ...]:
        rated: list[Rated] = []
        for first in range(0, len(given), BATCH):
            batch = given[first : first + BATCH]
            shown = [_article(number, one) for number, one in enumerate(batch, start=1)]
            made = await asked(mind, "rating", (told(objective), *shown), Ratings)
            scores = {one.number: one for one in made.ratings}
            rated += [_rated(one, scores.get(number), mind.name) for number, one in enumerate(batch, start=1)]
        return tuple(rated)

    async def by_rules() -> tuple[Rated, ...]:
        return tuple(given)

    made = await minded(model if given else None, by_model, by_rules)
    return made.value, fallback_note("rating articles", made.why_fallen_back)


def _article(number: int, one: Rated) -> str:
    article = one.article
    text = "\n".join(filter(None, (article.title, article.kind, article.notice, article.abstract)))
    return data_block(text, number=str(number))


def _rated(one: Rated, rating: Rating | None, by: str) -> Rated:
    if rating is None or one.article.retracted:
        return one
    return Rated(one.article, rating.score, (rating.reason,) if rating.reason else (), by, one.queries)
