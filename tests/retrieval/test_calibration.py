import json
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from retrieval.calibration import (
    DEFAULTS,
    AtThreshold,
    Calibration,
    LearntFrom,
    read_calibration,
    write_calibration,
)
from retrieval.errors import CalibrationError
from retrieval.fuse import Fusion, Method

LEARNT_ON = LearntFrom("scifact", "train", "ab" * 32, 535, 606, "embedded", "2026-01-31", 0.7, 0.71)
LEARNT = Calibration("encoder-a", Fusion(Method.Z_SCORE, 0.35), 0.22, "reranker-b", 0.4, LEARNT_ON)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "new" / "calibration.json"


def test_what_was_written_is_read(path: Path) -> None:
    write_calibration(path, LEARNT)
    assert read_calibration(path) == LEARNT
    assert [file.name for file in path.parent.iterdir()] == ["calibration.json"]


def test_without_a_file_the_defaults_apply(path: Path) -> None:
    assert read_calibration(path) == DEFAULTS
    DEFAULTS.check("any encoder", "any reranker", path)


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"fusion": {"method": "magic", "lexical_weight": 0.5}}, "fusion.method"),
        ({"fusion": {"method": "rrf", "lexical_weight": 7}}, "fusion"),
        ({"dense_threshold": "high"}, "dense_threshold"),
        ({"treshold": 1}, "treshold"),
    ],
)
def test_a_wrong_file_is_refused_with_the_place(path: Path, change: dict[str, object], place: str) -> None:
    write_calibration(path, LEARNT)
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(CalibrationError, match=rf"not right at {place}.*pestle calibrate"):
        read_calibration(path)


def test_a_file_that_is_no_json_is_refused(path: Path) -> None:
    path.parent.mkdir()
    path.write_text("{")
    with pytest.raises(CalibrationError, match="the file"):
        read_calibration(path)


@pytest.mark.parametrize(
    ("encoder", "reranker", "named"),
    [("encoder-x", "reranker-b", "encoder-x"), ("encoder-a", "other", "other")],
)
def test_what_was_learnt_for_another_model_is_refused(
    path: Path, encoder: str, reranker: str, named: str
) -> None:
    LEARNT.check("encoder-a", "reranker-b", path)
    with pytest.raises(CalibrationError, match=f"but {named} is set"):
        LEARNT.check(encoder, reranker, path)


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(CalibrationError, match="cannot be written"):
        write_calibration(tmp_path / "file" / "calibration.json", LEARNT)


class Lengths:
    """Scores a text by its length."""

    name = "lengths"
    threshold = 0.7

    async def score(self, question: str, texts: list[str]) -> NDArray[np.float32]:
        return np.array([len(text) / 10 for text in texts], np.float32)


async def test_a_learnt_threshold_takes_the_place_of_the_rerankers_own() -> None:
    reranker = AtThreshold(Lengths(), 0.4)
    assert (reranker.name, reranker.threshold) == ("lengths", 0.4)
    assert (await reranker.score("q", ["ab", "abcd"])).tolist() == pytest.approx([0.2, 0.4])
