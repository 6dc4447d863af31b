"""The contract of answer caches, over every implementation."""

from pathlib import Path

import pytest

from adapters.llm.cache import AnswerCache, FileCache, MemoryCache, cache_key


@pytest.fixture(params=["memory", "file"])
def cache(request: pytest.FixtureRequest, tmp_path: Path) -> AnswerCache:
    return MemoryCache() if request.param == "memory" else FileCache(tmp_path / "new" / "answers.db")


async def test_an_answer_is_found_by_its_key(cache: AnswerCache) -> None:
    assert await cache.get("k") is None
    await cache.put("k", "first")
    await cache.put("k", "second")
    await cache.put("l", "")
    assert await cache.get("k") == "second"
    assert await cache.get("l") == ""


async def test_a_file_outlives_its_cache(tmp_path: Path) -> None:
    await FileCache(tmp_path / "answers.db").put("k", "kept")
    assert await FileCache(tmp_path / "answers.db").get("k") == "kept"


async def test_a_damaged_file_knows_nothing_and_stops_nobody(tmp_path: Path) -> None:
    (tmp_path / "answers.db").write_bytes(b"no database" * 100)
    cache = FileCache(tmp_path / "answers.db")
    await cache.put("k", "lost")
    assert await cache.get("k") is None


def test_a_key_depends_on_model_messages_and_schema() -> None:
    messages = [{"role": "user", "content": "x"}]
    keys = {
        cache_key("a", messages, None),
        cache_key("b", messages, None),
        cache_key("a", [*messages, *messages], None),
        cache_key("a", messages, {"type": "object"}),
    }
    assert len(keys) == 4
    assert cache_key("a", messages, None) == cache_key("a", list(messages), None)
