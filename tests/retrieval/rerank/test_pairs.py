"""Rerankers with weights by chance give the numbers that the libraries give."""

import numpy as np
import pytest
from tokenizers import Tokenizer

from retrieval.compute.checkpoint import find
from retrieval.errors import WeightsError
from retrieval.rerank.pairs import PairReranker, Pairs
from tests.support import tiny
from tests.support.models import libraries, tiny_cross_encoder, tiny_flag_reranker

pytestmark = pytest.mark.timeout(300)  # importing torch and its libraries takes long on a busy machine

QUESTION = "What was the highest dose given to dogs?"
TEXTS = [
    "The highest dose administered to beagle dogs was 30 mg/kg.",
    "dose",
    "Hepatotoxicity was seen in rats at 100 mg/kg. " * 4,
    "The study was stopped for want of efficacy.",
]
ANSWER = "The highest dose given to dogs was 30 mg/kg. "
FILLER = "The annual meeting takes place in May. "


@pytest.mark.drill
@pytest.mark.filterwarnings("ignore")
async def test_scores_equal_those_of_flag_embedding() -> None:
    ours = await tiny_flag_reranker().score(QUESTION, TEXTS)
    from FlagEmbedding import FlagReranker

    library = FlagReranker(str(tiny.reranker()), use_fp16=False, devices="cpu")
    expected = library.compute_score([(QUESTION, text) for text in TEXTS], normalize=True)
    np.testing.assert_allclose(ours, expected, atol=1e-5)


@pytest.mark.filterwarnings("ignore")
async def test_scores_equal_those_of_sentence_transformers() -> None:
    ours = await tiny_cross_encoder().score(QUESTION, TEXTS)
    from sentence_transformers import CrossEncoder

    library = CrossEncoder(str(tiny.reranker()), device="cpu")
    np.testing.assert_allclose(ours, library.predict([(QUESTION, text) for text in TEXTS]), atol=1e-5)


async def test_a_long_text_is_as_relevant_as_its_best_window() -> None:
    libraries()
    import torch
    from transformers import XLMRobertaForSequenceClassification

    text = FILLER * 80 + ANSWER + FILLER * 80
    pieces = Pairs(Tokenizer.from_file(str(tiny.reranker() / "tokenizer.json")), 512)
    (windows,) = pieces.encode(QUESTION, [text])
    assert len(windows) > 2
    assert max(len(window.ids) for window in windows) <= 512
    model = XLMRobertaForSequenceClassification.from_pretrained(tiny.reranker()).eval()
    with torch.inference_mode():
        each = [model(torch.tensor([window.ids])).logits.sigmoid().item() for window in windows]
    assert max(each) > min(each) + 1e-3
    scores = await tiny_cross_encoder().score(QUESTION, [text])
    np.testing.assert_allclose(scores, [max(each)], atol=1e-5)


async def test_a_question_longer_than_the_model_still_leaves_room_for_the_text() -> None:
    libraries()
    pieces = Pairs(Tokenizer.from_file(str(tiny.reranker() / "tokenizer.json")), 64)
    ((window, *_),) = pieces.encode("Which dose was given to dogs? " * 50, [ANSWER])
    assert len(window.ids) <= 64
    assert 1 in {part for part in window.sequence_ids if part is not None}
    assert np.isfinite(await tiny_cross_encoder().score("Which dose? " * 2000, TEXTS)).all()


def test_a_model_with_several_outputs_is_refused() -> None:
    libraries()
    with pytest.raises(WeightsError, match="gives 3 numbers"):
        PairReranker(find(str(tiny.reranker(3))), device="cpu")


async def test_bf16_on_a_processor_stays_near() -> None:
    libraries()
    half = PairReranker(find(str(tiny.reranker())), device="cpu", precision="bf16")
    assert str(half.device).startswith("cpu, bf16")
    # Half precision keeps 8 bits, and weights by chance stretch its errors: 0.03 to 0.045 by processor.
    np.testing.assert_allclose(
        await half.score(QUESTION, TEXTS), await tiny_cross_encoder().score(QUESTION, TEXTS), atol=0.1
    )


def test_more_pieces_than_a_model_has_positions_for_are_refused() -> None:
    libraries()
    with pytest.raises(WeightsError, match="reads 32 to 512 pieces, and max_length is 2048"):
        PairReranker(find(str(tiny.reranker())), device="cpu", max_length=2048)
