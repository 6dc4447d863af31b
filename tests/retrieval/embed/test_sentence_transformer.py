import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from retrieval.compute.checkpoint import find
from retrieval.embed.sentence_transformer import SentenceTransformerEncoder
from retrieval.embed.weights import locate
from retrieval.errors import DeviceError, WeightsError
from retrieval.rerank.late_interaction import LateInteraction
from tests.retrieval.embed.test_minilm import texts
from tests.retrieval.minilm import minilm
from tests.support import tiny
from tests.support.models import bge_small, libraries, minilm_in_torch
from tests.support.services import shared

pytestmark = pytest.mark.timeout(300)  # importing torch and its libraries takes long on a busy machine


async def test_vectors_equal_those_of_the_default_encoder() -> None:
    ours, default = minilm_in_torch(), minilm()
    np.testing.assert_allclose(await ours.encode(texts()), await default.encode(texts()), atol=1e-4)
    for one, other in zip(
        await ours.encode_tokens(texts()), await default.encode_tokens(texts()), strict=True
    ):
        np.testing.assert_allclose(one, other, atol=2e-4)


async def test_windows_are_those_of_the_default_encoder() -> None:
    text = " ".join(f"hepatotoxicity {n}" for n in range(400))
    texts, heads = [text, "dose"], ["Study of dogs", ""]
    assert minilm_in_torch().windows(texts, heads) == minilm().windows(texts, heads)


async def test_vectors_equal_those_of_the_library_with_the_published_instruction() -> None:
    encoder = bge_small()
    from sentence_transformers import SentenceTransformer

    library = SentenceTransformer(
        str(shared("tools/models/bge-small-en-v1.5")), device="cpu", model_kwargs={"dtype": "float32"}
    )
    plain = library.encode(texts(), normalize_embeddings=True)
    asked = library.encode(
        texts(), prompt="Represent this sentence for searching relevant passages: ", normalize_embeddings=True
    )
    np.testing.assert_allclose(await encoder.encode(texts()), plain, atol=1e-4)
    np.testing.assert_allclose(await encoder.encode_questions(texts()), asked, atol=1e-4)
    assert encoder.name.startswith("bge-small-en-v1.5@")


async def test_late_interaction_works_over_another_encoder() -> None:
    question, answer = "What was the highest dose given to dogs?", "Beagle dogs were given 30 mg/kg at most."
    scores = await LateInteraction(bge_small()).score(question, ["The board met in May.", answer])
    assert scores[1] > scores[0]


def folder_with(tmp_path: Path, files: dict[str, str]) -> Path:
    """MiniLM's folder with some files replaced."""
    minilm()
    for path in locate().folder.rglob("*"):
        if path.is_file():
            copy = tmp_path / path.relative_to(locate().folder)
            copy.parent.mkdir(exist_ok=True)
            copy.symlink_to(path)
    for name, text in files.items():
        (tmp_path / name).unlink(missing_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


async def test_a_models_own_prompts_are_written_before_questions_and_texts(tmp_path: Path) -> None:
    libraries()
    own = json.dumps({"prompts": {"query": "Ask: ", "passage": "Tell: "}})
    folder = folder_with(tmp_path, {"config_sentence_transformers.json": own})
    encoder = SentenceTransformerEncoder(find(str(folder)), device="cpu")
    expected = await minilm().encode(["Ask: which dose?", "Tell: 30 mg/kg"])
    np.testing.assert_allclose(await encoder.encode_questions(["which dose?"]), expected[:1], atol=1e-4)
    np.testing.assert_allclose(await encoder.encode(["30 mg/kg"]), expected[1:], atol=1e-4)


async def test_an_instruction_of_the_settings_wins(tmp_path: Path) -> None:
    libraries()
    own = json.dumps({"prompts": {"query": "Ask: "}})
    folder = folder_with(tmp_path, {"config_sentence_transformers.json": own})
    encoder = SentenceTransformerEncoder(
        find(str(folder)), device="cpu", question_instruction="Instruct: Find it\nQuery: {question}"
    )
    expected = await minilm().encode(["Instruct: Find it\nQuery: which dose?"])
    np.testing.assert_allclose(await encoder.encode_questions(["which dose?"]), expected, atol=1e-4)


def test_another_instruction_before_texts_makes_another_encoder(tmp_path: Path) -> None:
    """Vectors of both would not belong into one index."""
    libraries()
    found = find(str(folder_with(tmp_path, {})))
    names = [
        SentenceTransformerEncoder(found, device="cpu", **one).name  # type: ignore[arg-type]
        for one in ({}, {"question_instruction": "Ask: "}, {"text_instruction": "Tell: "})
    ]
    assert names[0] == names[1]
    assert names[2].startswith(names[0] + "+")


@pytest.mark.parametrize("wanted", [8, 513])
def test_more_pieces_than_a_model_has_positions_for_are_refused(wanted: int) -> None:
    libraries()
    with pytest.raises(WeightsError, match=f"reads 32 to 512 pieces, and max_length is {wanted}"):
        SentenceTransformerEncoder(find(str(tiny.encoder())), device="cpu", max_length=wanted)


def test_a_device_that_is_not_there_is_named() -> None:
    libraries()
    with pytest.raises(DeviceError, match="cuda:77 cannot be used"):
        SentenceTransformerEncoder(find(str(locate().folder)), device="cuda:77")
    with pytest.raises(DeviceError, match="CPU does not compute with fp16"):
        SentenceTransformerEncoder(find(str(locate().folder)), device="cpu", precision="fp16")


def test_a_folder_that_is_no_model_is_named(tmp_path: Path) -> None:
    libraries()
    (tmp_path / "model.safetensors").write_bytes(b"no tensors")
    with pytest.raises(WeightsError, match="cannot be loaded"):
        SentenceTransformerEncoder(find(str(tmp_path)), device="cpu")


def test_weights_that_are_cut_short_or_of_another_shape_are_named(tmp_path: Path) -> None:
    libraries()
    shutil.copytree(tiny.reranker(), folder := tmp_path / "model")
    weights, settings = folder / "model.safetensors", folder / "config.json"
    settings.write_text(settings.read_text().replace(f'"hidden_size": {tiny.WIDTH}', '"hidden_size": 64'))
    with pytest.raises(WeightsError, match="cannot be loaded"):
        SentenceTransformerEncoder(find(str(folder)), device="cpu")
    weights.write_bytes(weights.read_bytes()[:1000])
    with pytest.raises(WeightsError, match="cannot be loaded"):
        SentenceTransformerEncoder(find(str(folder)), device="cpu")
