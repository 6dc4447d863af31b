"""What every reranker must do. A new one joins by a line in `RERANKERS`."""

import asyncio
from collections.abc import Callable

import numpy as np
import pytest

from retrieval.ports import Reranker
from retrieval.rerank.late_interaction import LateInteraction
from tests.retrieval.minilm import minilm
from tests.support.model_workers import remote_models
from tests.support.models import tiny_cross_encoder, tiny_flag_reranker
from workers.models.remote import RemoteReranker

pytestmark = pytest.mark.timeout(300)  # importing torch and its libraries takes long on a busy machine

RERANKERS: dict[str, Callable[[], Reranker]] = {
    "late interaction": lambda: LateInteraction(minilm()),
    "remote late interaction": lambda: RemoteReranker(remote_models()),
    "cross-encoder": tiny_cross_encoder,
    "FlagEmbedding": tiny_flag_reranker,
}
MEANINGFUL = ("late interaction", "remote late interaction")
"""Those with real weights; the others' are made by chance."""

TOLERANCE = {"late interaction": 1e-3, "remote late interaction": 1e-3}
"""Their scores are rounded to three digits, which can go either way."""

QUESTION = "What was the highest dose given to dogs?"
ANSWER = "The highest dose administered to beagle dogs was 30 mg/kg."
NEAR = "Dogs were fasted overnight before blood sampling."
FAR = "The annual meeting will take place in the main building."
LONG = "The annual budget was approved by the board. " * 60 + ANSWER + " Nothing else was decided." * 60
TEXTS = [ANSWER, NEAR, FAR, LONG, "", ANSWER]


@pytest.fixture(params=RERANKERS)
def reranker(request: pytest.FixtureRequest) -> Reranker:
    return RERANKERS[request.param]()


async def test_scores_are_between_zero_and_one(reranker: Reranker) -> None:
    scores = await reranker.score(QUESTION, TEXTS)
    assert scores.shape == (len(TEXTS),)
    assert scores.dtype == np.float32
    assert ((scores >= 0) & (scores <= 1)).all()


@pytest.mark.parametrize("name", MEANINGFUL)
async def test_an_answer_passes_the_threshold_and_another_subject_does_not(name: str) -> None:
    reranker = RERANKERS[name]()
    answer, near, far, long, empty, _ = await reranker.score(QUESTION, TEXTS)
    assert answer > near > far
    assert min(answer, long) >= reranker.threshold
    assert max(far, empty) < reranker.threshold


@pytest.mark.parametrize("name", RERANKERS)
async def test_a_score_does_not_depend_on_its_batch_mates(name: str) -> None:
    together = await RERANKERS[name]().score(QUESTION, TEXTS)
    alone = np.concatenate([await RERANKERS[name]().score(QUESTION, [text]) for text in TEXTS])
    np.testing.assert_allclose(together, alone, atol=TOLERANCE.get(name, 1e-5))


async def test_a_score_is_the_same_when_asked_again(reranker: Reranker) -> None:
    first = await reranker.score(QUESTION, TEXTS)
    await reranker.score("Which board approved the budget?", TEXTS)
    assert (await reranker.score(QUESTION, TEXTS)).tolist() == first.tolist()


async def test_questions_at_the_same_time_do_not_mix(reranker: Reranker) -> None:
    budget, dose = "Who approved the budget?", QUESTION
    both = await asyncio.gather(reranker.score(budget, TEXTS), reranker.score(dose, TEXTS))
    np.testing.assert_allclose(both[0], await reranker.score(budget, TEXTS), atol=1e-5)
    np.testing.assert_allclose(both[1], await reranker.score(dose, TEXTS), atol=1e-5)


@pytest.mark.parametrize("question", ["", "???", "of the and"])
async def test_a_question_without_content_still_gets_scores(reranker: Reranker, question: str) -> None:
    assert np.isfinite(await reranker.score(question, TEXTS)).all()


async def test_no_text_gives_no_score(reranker: Reranker) -> None:
    assert (await reranker.score(QUESTION, [])).shape == (0,)
