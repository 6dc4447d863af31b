import gzip
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from safetensors.numpy import load_file

from retrieval.errors import ArchiveNotFound, JudgementsError, WeightsError
from retrieval.evaluate.folds import folds
from retrieval.rerank.compact import CompactCrossEncoder
from retrieval.rerank.late_interaction import LateInteraction
from retrieval.rerank.piece_weights import PieceWeights
from retrieval.train.data import UNJUDGED, read
from retrieval.train.measure import platt
from tests.retrieval.minilm import minilm
from tests.retrieval.rerank.judged import judged_folder
from tests.support.models import bge_small, libraries

if TYPE_CHECKING:
    from retrieval.train.compact import Lessons

QUESTION = "Which dose did the dogs get?"
TEXTS = ["Dogs got 3 mg/kg.", "The canteen closes at two. " * 40, "", "Rats got nothing.", "…"]


def test_the_three_collections_are_read(tmp_path: Path) -> None:
    scifact, bioasq, pubmedqa = read(judged_folder(tmp_path))
    assert len(scifact.collection.articles) == len(scifact.collection.queries) == 20
    assert bioasq.collection.queries["b0"] == "What happens in the liver rats?"
    assert bioasq.collection.queries["b0#answer"] == "The drug acts on the liver rats."
    assert pubmedqa.collection.grades["0#QUESTION"] == {"0#0": 1, "0#1": 1}


def test_other_snippets_of_a_gold_paper_are_unjudged(tmp_path: Path) -> None:
    grades = read(_two_snippets_of_one_paper(judged_folder(tmp_path)))[1].collection.grades
    assert sorted(grades["b0"].values()) == [UNJUDGED, 1]


def test_questions_about_one_paper_are_in_one_fold(tmp_path: Path) -> None:
    documents = read(_two_snippets_of_one_paper(judged_folder(tmp_path)))[1].documents
    fold_of = folds({query: dict.fromkeys(papers, 1) for query, papers in documents.items()})
    assert len({fold_of[query] for query in ("b0", "b0#answer", "b1", "b1#answer")}) == 1
    assert len(set(fold_of.values())) > 1


@pytest.mark.parametrize(
    ("break_it", "error"),
    [
        (lambda folder: (folder / "scifact" / "corpus.jsonl").unlink(), ArchiveNotFound),
        (lambda folder: (folder / "pubmedqa" / "pqal_dev500.json").unlink(), JudgementsError),
        (lambda folder: (folder / "pubmedqa" / "pqal_dev500.json").write_text('{"1": {}}'), JudgementsError),
        (lambda folder: (folder / "bioasq" / "bioasq_7b_11b.jsonl.gz").write_bytes(b"x"), JudgementsError),
    ],
)
def test_data_that_are_not_as_published_are_named(
    tmp_path: Path, break_it: Callable[[Path], None], error: type[Exception]
) -> None:
    break_it(judged_folder(tmp_path))
    with pytest.raises(error, match=r"scifact|pubmedqa|bioasq"):
        read(tmp_path)


def test_a_logistic_map_finds_the_middle() -> None:
    logits = np.array([-2.0, 0.0, 1.0, 3.0, 1.5, 6.0], np.float32)
    relevant = np.array([False, False, False, True, True, True])
    slope, bias = platt(logits, relevant)
    assert slope > 0
    assert 1.0 < -bias / slope < 3.0


def test_weights_that_are_not_there_say_how_to_get_them(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match="pestle train reranker"):
        CompactCrossEncoder(minilm(), tmp_path / "compact.safetensors")


async def test_training_lowers_the_loss_and_the_weights_score_as_in_torch(tmp_path: Path) -> None:
    libraries()
    from retrieval.train.compact import Lessons, make_compact
    from retrieval.train.model import Pair, from_minilm, to_bert  # noqa: F401
    from retrieval.train.teach import Recipe

    losses: list[float] = []

    def progress(what: str, done: int, total: int) -> None:
        if "general: training" in what:
            losses.append(float(what.split("loss ")[1].rstrip(",")))

    lessons = Lessons(Recipe(negatives=2, lists_per_step=8), Recipe(negatives=1, lists_per_step=16), 1)
    result = await make_compact(
        judged_folder(tmp_path / "data"), tmp_path / "out", minilm(), lessons, progress
    )
    assert np.mean(losses[-3:]) < np.mean(losses[:3])
    assert [row.order for row in result.rows] == 2 * [
        "search",
        "late interaction, equal weights",
        "compact, without claims",
        "compact",
    ]
    report = json.loads((tmp_path / "out" / "report.json").read_text())
    assert set(report["data_sha256"]) == {"scifact", "BioASQ", "PubMedQA"}
    reranker = CompactCrossEncoder(minilm(), result.weights)
    scores = await reranker.score(QUESTION, TEXTS)
    assert scores.shape == (5,)
    assert ((scores >= 0) & (scores <= 1)).all()
    assert scores[2] == 0
    await _same_as_in_torch(reranker, result.weights, tmp_path / "out" / "final.pt")
    await _goes_on_from_what_is_kept(tmp_path, lessons, result.rows)


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
    from retrieval.train.late_interaction import make_late

    folder = judged_folder(tmp_path / "data")
    result = await make_late(folder, tmp_path / "out", minilm(), lambda *_: None)
    assert [(row.collection, row.order) for row in result.rows] == [
        (collection, order)
        for collection in ("scifact", "BioASQ")
        for order in ("search", "late interaction, equal weights", "late interaction, learnt weights")
    ]
    assert all(row.ndcg > 0.9 for row in result.rows)
    weighing = PieceWeights.read(result.weights, minilm().name)
    assert weighing.piece.any()
    scores = await LateInteraction(minilm(), weighing).score("The drug acts on the liver dogs.", TEXTS)
    assert ((scores >= 0) & (scores <= 1)).all()
    again = await make_late(folder, tmp_path / "out", minilm(), lambda *_: None)
    assert again.rows == result.rows
    with gzip.open(folder / "bioasq" / "bioasq_7b_11b.jsonl.gz", "at") as file:
        file.write("\n")
    with pytest.raises(JudgementsError, match="other data"):
        await make_late(folder, tmp_path / "out", minilm(), lambda *_: None)


async def test_weights_can_be_learnt_over_another_encoder(tmp_path: Path) -> None:
    libraries()
    from retrieval.train.late_interaction import make_late

    encoder = bge_small()
    result = await make_late(judged_folder(tmp_path / "data"), tmp_path / "out", encoder, lambda *_: None)
    assert PieceWeights.read(result.weights, encoder.name).piece.any()
    with pytest.raises(WeightsError, match="learnt with bge-small"):
        PieceWeights.read(result.weights, minilm().name)


async def _goes_on_from_what_is_kept(folder: Path, lessons: "Lessons", rows: object) -> None:
    from retrieval.train.compact import make_compact

    seen: list[str] = []
    again = await make_compact(
        folder / "data", folder / "out", minilm(), lessons, lambda what, *_: seen.append(what)
    )
    assert again.rows == rows
    assert not [what for what in seen if "training" in what or "reading" in what]
    other = replace(lessons, claims=lessons.general)
    with pytest.raises(JudgementsError, match="other data"):
        await make_compact(folder / "data", folder / "out", minilm(), other, lambda *_: None)


async def _same_as_in_torch(reranker: CompactCrossEncoder, weights: Path, kept: Path) -> None:
    """The reader with the shipped weights in single precision gives the same logits."""
    import torch

    from retrieval.train.model import Pair, Reader

    reader = Reader()
    reader.load_state_dict(torch.load(kept, weights_only=True))
    reader.half().float().eval()
    shipped = load_file(weights)
    with torch.inference_mode():
        for name in ("side", "first"):
            getattr(reader, name).copy_(torch.from_numpy(shipped[f"head.{name}"]))
        for name in ("slope", "bias"):
            getattr(reader, name).copy_(torch.from_numpy(shipped[f"head.{name}"])[0])
        texts = [TEXTS[0], TEXTS[3]]
        question, *read = await minilm().encode_early([QUESTION, *texts])
        content = minilm().content(QUESTION)
        half = [window.astype(np.float16) for window in read]
        expected = reader([Pair(question, content, window) for window in half]).numpy()
    np.testing.assert_allclose(await reranker.logits(QUESTION, texts), expected, atol=1e-4)


def _two_snippets_of_one_paper(folder: Path) -> Path:
    path = folder / "bioasq" / "bioasq_7b_11b.jsonl.gz"
    path.write_bytes(gzip.compress(gzip.decompress(path.read_bytes()).replace(b'paper/1"', b'paper/0"')))
    return folder
