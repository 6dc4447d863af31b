import gzip
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from retrieval.errors import ArchiveNotFound, JudgementsError, WeightsError
from retrieval.evaluate.folds import folds
from retrieval.rerank.late_interaction import LateInteraction
from retrieval.rerank.piece_weights import PieceWeights
from retrieval.train.data import UNJUDGED, read_judged
from retrieval.train.scale import platt
from tests.retrieval.minilm import minilm
from tests.retrieval.train.judged import judged_folder
from tests.support.models import bge_small, libraries

QUESTION = "Which dose did the dogs get?"
TEXTS = ["Dogs got 3 mg/kg.", "The canteen closes at two. " * 40, "", "Rats got nothing.", "…"]


def test_both_collections_are_read(tmp_path: Path) -> None:
    scifact, bioasq = read_judged(judged_folder(tmp_path))
    assert len(scifact.collection.articles) == len(scifact.collection.queries) == 20
    assert bioasq.collection.queries["b0"] == "What happens in the liver rats?"
    assert bioasq.collection.queries["b0#answer"] == "The drug acts on the liver rats."


def test_other_snippets_of_a_gold_paper_are_unjudged(tmp_path: Path) -> None:
    grades = read_judged(_two_snippets_of_one_paper(judged_folder(tmp_path)))[1].collection.grades
    assert sorted(grades["b0"].values()) == [UNJUDGED, 1]


def test_questions_about_one_paper_are_in_one_fold(tmp_path: Path) -> None:
    judged = read_judged(_two_snippets_of_one_paper(judged_folder(tmp_path)))[1]
    fold_of = folds({query: dict.fromkeys(papers, 1) for query, papers in judged.papers.items()})
    assert len({fold_of[query] for query in ("b0", "b0#answer", "b1", "b1#answer")}) == 1
    assert len(set(fold_of.values())) > 1


@pytest.mark.parametrize(
    ("break_it", "error"),
    [
        (lambda folder: (folder / "scifact" / "corpus.jsonl").unlink(), ArchiveNotFound),
        (lambda folder: (folder / "bioasq" / "bioasq_7b_11b.jsonl.gz").unlink(), JudgementsError),
        (lambda folder: _rewritten(folder, lambda lines: b'{"batch": "7B1"}'), JudgementsError),
        (lambda folder: (folder / "bioasq" / "bioasq_7b_11b.jsonl.gz").write_bytes(b"x"), JudgementsError),
    ],
)
def test_data_that_are_not_as_published_are_named(
    tmp_path: Path, break_it: Callable[[Path], None], error: type[Exception]
) -> None:
    break_it(judged_folder(tmp_path))
    with pytest.raises(error, match=r"scifact|bioasq"):
        read_judged(tmp_path)


def test_a_logistic_map_finds_the_middle() -> None:
    logits = np.array([-2.0, 0.0, 1.0, 3.0, 1.5, 6.0], np.float32)
    relevant = np.array([False, False, False, True, True, True])
    slope, bias = platt(logits, relevant)
    assert slope > 0
    assert 1.0 < -bias / slope < 3.0


def test_a_piece_that_tells_the_relevant_text_learns_to_weigh_more() -> None:
    libraries()
    from retrieval.train.piece_weights import Compared, learn

    # The first piece meets its partner in the relevant text, the second a little closer in all the others.
    asked = np.array([[1, 0], [0, 1]], np.float32)
    partners = np.array([[0.2, 0.9], [0.8, 0.2], [0.2, 0.9], [0.3, 0.8]], np.float32)
    relevant = np.array([False, True, False, False])
    lists = [Compared(str(n), asked, partners, relevant, 4) for n in range(20)]
    learnt = learn(lists, 0.001)
    telling, other = learnt.weights(asked)
    assert telling > other
    for weighing, best in ((PieceWeights(), 0), (learnt, 1)):
        assert weighing.similarity(weighing.weights(asked), partners).argmax() == best


async def test_what_is_learnt_is_measured_written_and_kept(tmp_path: Path) -> None:
    libraries()
    from retrieval.train.late_interaction import train_late_interaction

    folder = judged_folder(tmp_path / "data")
    result = await train_late_interaction(folder, tmp_path / "out", minilm(), lambda *_: None)
    assert [(row.collection, row.order) for row in result.orders] == [
        (collection, order)
        for collection in ("scifact", "BioASQ")
        for order in ("search", "late interaction, equal weights", "late interaction, learnt weights")
    ]
    assert all(row.ndcg > 0.9 for row in result.orders)
    weighing = PieceWeights.read(result.weights, minilm().name)
    assert weighing.piece.any()
    scores = await LateInteraction(minilm(), weighing).score("The drug acts on the liver dogs.", TEXTS)
    assert ((scores >= 0) & (scores <= 1)).all()
    again = await train_late_interaction(folder, tmp_path / "out", minilm(), lambda *_: None)
    assert again.orders == result.orders
    with gzip.open(folder / "bioasq" / "bioasq_7b_11b.jsonl.gz", "at") as file:
        file.write("\n")
    with pytest.raises(JudgementsError, match="other data"):
        await train_late_interaction(folder, tmp_path / "out", minilm(), lambda *_: None)


async def test_weights_can_be_learnt_over_another_encoder(tmp_path: Path) -> None:
    libraries()
    from retrieval.train.late_interaction import train_late_interaction

    encoder = bge_small()
    result = await train_late_interaction(
        judged_folder(tmp_path / "data"), tmp_path / "out", encoder, lambda *_: None
    )
    assert PieceWeights.read(result.weights, encoder.name).piece.any()
    with pytest.raises(WeightsError, match="learnt with bge-small"):
        PieceWeights.read(result.weights, minilm().name)


def _two_snippets_of_one_paper(folder: Path) -> Path:
    return _rewritten(folder, lambda lines: lines.replace(b'paper/1"', b'paper/0"'))


def _rewritten(folder: Path, change: Callable[[bytes], bytes]) -> Path:
    path = folder / "bioasq" / "bioasq_7b_11b.jsonl.gz"
    path.write_bytes(gzip.compress(change(gzip.decompress(path.read_bytes()))))
    return folder
