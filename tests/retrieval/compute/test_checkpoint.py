import hashlib
import json
import subprocess
from pathlib import Path

import pytest

from retrieval.compute.checkpoint import digest, find
from retrieval.errors import WeightsError


def folder_with(path: Path, *names: str) -> Path:
    path.mkdir(exist_ok=True)
    for name in names:
        (path / name).write_bytes(name.encode())
    return path


def test_a_checkpoint_is_named_after_its_folder_and_weights(tmp_path: Path) -> None:
    found = find(str(folder_with(tmp_path / "e5", "model.safetensors")))
    sha256 = hashlib.sha256(b"model.safetensors").hexdigest()
    assert (found.name, found.sha256, found.label) == ("e5", sha256, f"e5@{sha256[:8]}")
    assert find(str(tmp_path / "e5"), sha256=sha256.upper()) == found


def test_other_weights_are_refused_with_both_checksums(tmp_path: Path) -> None:
    folder = folder_with(tmp_path / "e5", "model.safetensors")
    with pytest.raises(WeightsError, match=r"their SHA-256 is [0-9a-f]{64}, expected 1234"):
        find(str(folder), sha256="1234")


def test_the_checksum_of_several_files_is_that_of_sha256sum(tmp_path: Path) -> None:
    names = ["model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"]
    folder = folder_with(tmp_path / "m3", *names)
    printed = subprocess.run(["sha256sum", *names], cwd=folder, capture_output=True, check=True).stdout
    assert find(str(folder)).sha256 == hashlib.sha256(printed).hexdigest()


def test_pickles_are_read_only_where_they_are_allowed(tmp_path: Path) -> None:
    folder = folder_with(tmp_path / "old", "pytorch_model.bin")
    with pytest.raises(WeightsError, match="can carry code"):
        find(str(folder))
    assert find(str(folder), pickles=True).name == "old"


def test_pickles_that_would_be_read_beside_other_tensors_are_pickles(tmp_path: Path) -> None:
    folder = folder_with(tmp_path / "old", "pytorch_model.bin", "adapter.safetensors")
    with pytest.raises(WeightsError, match="can carry code"):
        find(str(folder))
    folder_with(folder, "model.safetensors")
    assert find(str(folder)).name == "old"


def with_modules(folder: Path, *modules: tuple[str, str]) -> Path:
    parts = [{"type": kind, "path": path} for kind, path in modules]
    (folder / "modules.json").write_text(json.dumps(parts))
    return folder


def test_a_model_that_brings_code_of_its_own_is_refused(tmp_path: Path) -> None:
    folder = folder_with(tmp_path / "evil", "model.safetensors", "evil.py")
    with pytest.raises(WeightsError, match=r"wants to run code of its own \(evil\.Module\)"):
        find(str(with_modules(folder, ("evil.Module", ""))))
    (folder / "modules.json").write_text("{")
    with pytest.raises(WeightsError, match=r"modules\.json cannot be read"):
        find(str(folder))


def test_weights_of_all_parts_count_for_the_checksum(tmp_path: Path) -> None:
    folder = with_modules(
        folder_with(tmp_path / "e5", "model.safetensors"),
        ("sentence_transformers.models.Transformer", ""),
        ("sentence_transformers.models.Dense", "2_Dense"),
    )
    dense = folder_with(folder / "2_Dense", "model.safetensors")
    printed = subprocess.run(
        ["sha256sum", "model.safetensors", "2_Dense/model.safetensors"],
        cwd=folder, capture_output=True, check=True,
    ).stdout  # fmt: skip
    assert find(str(folder)).sha256 == hashlib.sha256(printed).hexdigest()
    (folder / "model.safetensors").rename(folder_with(folder / "0") / "model.safetensors")
    with_modules(folder, ("sentence_transformers.a.B", "0"), ("sentence_transformers.a.C", "2_Dense"))
    assert len({find(str(folder)).sha256, hashlib.sha256(printed).hexdigest()}) == 2
    (dense / "model.safetensors").rename(dense / "pytorch_model.bin")
    with pytest.raises(WeightsError, match="can carry code"):
        find(str(folder))


def test_a_folder_without_weights_is_named(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match="no weights in"):
        find(str(tmp_path))


def test_a_model_that_cannot_be_fetched_says_how_to_bring_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(WeightsError, match="hf download intfloat/no-such-model --local-dir"):
        find("intfloat/no-such-model")


def test_a_path_that_is_no_folder_is_named() -> None:
    with pytest.raises(WeightsError, match="/nowhere/at/all is no folder"):
        find("/nowhere/at/all")


def test_a_digest_is_remembered_until_the_file_changes(tmp_path: Path) -> None:
    file, stamps = folder_with(tmp_path / "e5", "model.safetensors") / "model.safetensors", tmp_path / "home"
    first = digest([file], stamps)
    place = stamps / "checkpoints-checked.json"
    place.write_text(json.dumps(dict.fromkeys(json.loads(place.read_text()), "remembered")))
    assert digest([file], stamps) == "remembered"
    file.write_bytes(b"other weights")
    assert digest([file], stamps) != first
    place.write_text("{")
    assert digest([file], stamps) == hashlib.sha256(b"other weights").hexdigest()
