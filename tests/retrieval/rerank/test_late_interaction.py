import asyncio

import numpy as np

from retrieval.rerank.late_interaction import (
    SHARPNESS,
    WINDOW_WORDS,
    LateInteraction,
    PieceWeights,
    best_window,
    shipped,
)
from tests.retrieval.minilm import minilm

FILLER = "The supplier analysed the diet for contaminants. "


def test_the_window_with_most_words_of_the_question_is_read() -> None:
    text = FILLER * 40 + "Dogs vomited at the highest dose. " + FILLER * 40
    window = best_window("At which dose did dogs vomit?", text)
    assert "Dogs vomited at the highest dose." in window
    assert len(window.split()) <= WINDOW_WORDS


def test_a_short_text_is_read_whole_and_the_first_of_equal_windows_is_taken() -> None:
    assert best_window("dose?", "  One  dose\nonly. ") == "One dose only."
    numbered = " ".join(map(str, range(1000)))
    assert best_window("dose?", numbered).startswith("0 1 2 ")


def test_the_end_of_a_text_is_in_a_window() -> None:
    for words in (WINDOW_WORDS, WINDOW_WORDS + 1, 2 * WINDOW_WORDS - 1, 2 * WINDOW_WORDS + 51):
        assert best_window("zelmarin", "word " * (words - 1) + "zelmarin").endswith("zelmarin")


async def test_scores_are_right_while_others_push_them_out_of_memory() -> None:
    texts = [f"Finding {n} in the {organ}." for n in range(3) for organ in ("liver", "kidney", "heart")]
    forgetful = LateInteraction(minilm(), remembered=2)
    expected = await LateInteraction(minilm()).score("What was found in the kidney?", texts)
    results = await asyncio.gather(
        *(forgetful.score("What was found in the kidney?", texts[n:] + texts[:n]) for n in range(9))
    )
    for n, scores in enumerate(results):
        assert scores.tolist() == [*expected[n:].tolist(), *expected[:n].tolist()]


QUESTION = "Which finding was seen in the kidney of rats?"
TEXTS = ["Tubular necrosis was seen in the kidneys of rats.", "The board met in May.", ""]


async def test_the_similarity_is_the_weighted_log_mean_exp_of_the_best_cosines() -> None:
    weighing = shipped(minilm().name)
    asked, first, second = await minilm().encode_tokens([QUESTION, *TEXTS[:2]])
    weights = np.exp(np.clip(asked @ weighing.piece, -4, 4))
    best = [
        (asked @ text[1:-1].astype(np.float16).astype(np.float32).T).max(axis=1) for text in (first, second)
    ]
    expected = [
        np.log((weights * np.exp(SHARPNESS * each)).sum() / weights.sum()) / SHARPNESS for each in best
    ]
    found = await LateInteraction(minilm()).similarity(QUESTION, TEXTS)
    np.testing.assert_allclose(found, [*expected, -np.inf], atol=1e-4)


async def test_without_learnt_weights_all_pieces_count_alike() -> None:
    even = PieceWeights()
    asked = (await minilm().encode_tokens([QUESTION]))[0]
    np.testing.assert_allclose(even.weights(asked), 1 / len(asked), rtol=1e-5)
    assert shipped("another encoder").piece.size == 0
