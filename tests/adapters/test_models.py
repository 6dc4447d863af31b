"""Encoder and reranker as the settings name them, with checkpoints made by chance."""

from pathlib import Path
from typing import Any

import pytest

from adapters.errors import SettingsError
from adapters.models import models_here
from adapters.settings import load
from retrieval.embed.minilm import MiniLM
from retrieval.errors import DeviceError, ModelsMissing, WeightsError
from retrieval.rerank.late_interaction import shipped
from tests.retrieval.minilm import minilm
from tests.support import tiny
from tests.support.models import libraries

pytestmark = pytest.mark.timeout(300)  # importing torch and its libraries takes long on a busy machine

QUESTION, TEXTS = "Which dose was given to dogs?", ["The highest dose was 30 mg/kg.", "In May."]


def models(home: Path, **settings: Any) -> Any:
    named = {f"PESTLE_{name.upper()}": str(value) for name, value in settings.items()}
    return models_here(load({"PESTLE_HOME": str(home), **named}))


def test_the_base_install_has_models_without_torch(tmp_path: Path) -> None:
    minilm()
    here = models(tmp_path)
    assert isinstance(here.encoder, MiniLM)
    late = f"late-interaction-all-MiniLM-L6-v2@{shipped(here.encoder.name).version}"
    assert here.report == f"all-MiniLM-L6-v2 (cpu, fp32) and {late}"


@pytest.mark.parametrize("kind", ["flag", "cross-encoder"])
async def test_a_reranker_is_loaded_as_it_is_set(tmp_path: Path, kind: str) -> None:
    libraries()
    minilm()
    here = models(
        tmp_path,
        reranker_kind=kind,
        reranker_model=tiny.reranker(),
        reranker_threshold=0.7,
        reranker_device="cpu",
    )
    assert here.reranker.threshold == 0.7
    assert (await here.reranker.score(QUESTION, TEXTS)).shape == (2,)
    assert "(cpu, fp32, " in here.report
    assert (tmp_path / "checkpoints-checked.json").exists()


def test_weights_are_checked_before_they_are_loaded(tmp_path: Path) -> None:
    libraries()
    minilm()
    with pytest.raises(WeightsError, match="expected 00ff"):
        models(
            tmp_path, reranker_kind="cross-encoder", reranker_model=tiny.reranker(), reranker_sha256="00ff"
        )


def test_a_device_that_is_not_there_is_named(tmp_path: Path) -> None:
    libraries()
    minilm()
    with pytest.raises(DeviceError, match="cuda:99"):
        models(
            tmp_path, reranker_kind="cross-encoder", reranker_model=tiny.reranker(), reranker_device="cuda:99"
        )


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"encoder_model": "intfloat/e5"}, "set PESTLE_ENCODER_KIND to sentence-transformers[.]"),
        ({"encoder_device": "cuda"}, "PESTLE_ENCODER_DEVICE has no effect on the kind minilm"),
        ({"encoder_text_instruction": "a"}, "to sentence-transformers[.]"),
        ({"reranker_model": "BAAI/bge"}, "set PESTLE_RERANKER_KIND to cross-encoder, flag[.]"),
        ({"reranker_sha256": "00ff"}, "PESTLE_RERANKER_SHA256 has no effect on the kind late-interaction"),
    ],
)
def test_models_that_do_not_fit_together_say_what_to_set(
    tmp_path: Path, settings: dict[str, str], message: str
) -> None:
    minilm()
    with pytest.raises(SettingsError, match=message):
        models(tmp_path, **settings)


def test_a_setting_at_its_default_is_no_mistake(tmp_path: Path) -> None:
    minilm()
    assert models(tmp_path, encoder_device="auto", reranker_max_length=0).encoder


def test_a_missing_library_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    libraries()
    minilm()
    monkeypatch.setitem(__import__("sys").modules, "sentence_transformers", None)
    with pytest.raises(ModelsMissing, match=r"needs sentence_transformers.*pip install 'pestle\[models\]'"):
        models(tmp_path, reranker_kind="cross-encoder", reranker_model=tiny.reranker())
