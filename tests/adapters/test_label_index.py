"""The file of labels: what to do where another encoder is set, or where it is gone."""

from pathlib import Path

import pytest

from adapters.archive_index import labels_kept, open_label_index
from adapters.settings import Settings
from adapters.sources.documents import still_there
from agents.databases.label_documents import LABELS
from agents.databases.ports import BulkRelease
from retrieval.errors import EncoderMismatch
from tests.support.hashing import HashingEncoder


async def test_another_encoder_is_told_with_the_way_to_load_labels_again(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path)
    await open_label_index(settings, HashingEncoder(32)).close()
    with pytest.raises(EncoderMismatch, match=r"labels\.db .*`pestle sources load FILE`"):
        open_label_index(settings, HashingEncoder(64))


async def test_labels_without_an_index_are_to_be_loaded_again(tmp_path: Path) -> None:
    settings, release = Settings(home=tmp_path), BulkRelease(LABELS.source, "a.json", "", "2026-11-23", 145)
    assert not labels_kept(settings)
    await open_label_index(settings, HashingEncoder(32)).close()
    assert not labels_kept(settings)
    told = still_there(LABELS, release, labels_kept(settings))
    assert told is not None
    assert (told.rows, "load the label files again" in told.file) == (0, True)
    assert still_there(LABELS, release, kept=True) == release
