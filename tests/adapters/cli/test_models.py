"""Encoder and reranker in a process of their own, as an operator starts it."""

import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
import redis

from tests.adapters.cli.conftest import QUESTION, Pestle
from tests.journey.waiting import wait_for
from tests.retrieval.minilm import minilm
from tests.support.services import redis_url

Start = Callable[..., subprocess.Popen[str]]


@pytest.fixture
def shared_redis(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An empty Redis that every process knows."""
    url = redis_url()
    monkeypatch.setenv("PESTLE_REDIS_URL", url)
    with closing(redis.Redis.from_url(url)) as connection:
        connection.flushdb()
        yield
        connection.flushdb()


def said(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline()


def ended(process: subprocess.Popen[str]) -> int:
    process.send_signal(signal.SIGTERM)
    return process.wait(20)


@pytest.mark.service("redis")
def test_documents_and_questions_are_computed_by_the_model_worker(
    pestle: Pestle,
    documents: Path,
    tmp_path: Path,
    start: Start,
    shared_redis: None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    minilm()
    monkeypatch.setenv("PESTLE_HOME", str(tmp_path / "home"))
    models = start("worker", "--queues", "models")
    assert "all-MiniLM-L6-v2" in said(models)
    assert not (tmp_path / "home" / "pestle.db").exists()
    monkeypatch.setenv("PESTLE_MODELS_REMOTE", "true")
    # Weights that are not there: whatever is computed now is computed elsewhere.
    monkeypatch.setenv("PESTLE_INDEX_WEIGHTS", str(tmp_path / "none"))
    assert pestle("ingest", str(documents)).code == 0
    worker = start("worker")
    asked = pestle("ask", QUESTION)
    assert (asked.code, asked.err) == (0, "")
    assert "4 mg" in asked.out
    assert (ended(worker), ended(models)) == (0, 0)


@pytest.mark.service("redis")
def test_one_worker_can_do_both(
    pestle: Pestle, home: Path, start: Start, shared_redis: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PESTLE_MODELS_REMOTE", "true")
    worker = start("worker", "--queues", "pipeline,models")
    with closing(redis.Redis.from_url(redis_url())) as connection:
        wait_for(lambda: connection.exists("pestle:models:card"), 60, "the worker to be ready")
    asked = pestle("ask", QUESTION)
    assert (asked.code, asked.err) == (0, "")
    assert "4 mg" in asked.out
    assert ended(worker) == 0


@pytest.mark.service("redis")
def test_a_second_worker_with_other_models_ends_and_says_why(
    pestle: Pestle, home: Path, shared_redis: None
) -> None:
    other = (
        '{"version": 1, "encoder": {"name": "large", "dimension": 1024, "threshold": 0.7},'
        ' "reranker": {"name": "larger", "threshold": 0.7}}'
    )
    with closing(redis.Redis.from_url(redis_url())) as connection:
        connection.set("pestle:models:card", other)
    worker = pestle("worker", "--queues", "models")
    assert worker.code == 1
    assert "Other model workers on this Redis run large and larger" in worker.err


@pytest.mark.service("redis")
def test_an_archive_of_another_encoder_is_refused(
    pestle: Pestle, home: Path, shared_redis: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PESTLE_MODELS_REMOTE", "true")
    other = (
        '{"version": 1, "encoder": {"name": "large", "dimension": 1024, "threshold": 0.7},'
        ' "reranker": {"name": "larger", "threshold": 0.7}}'
    )
    with closing(redis.Redis.from_url(redis_url())) as connection:
        connection.set("pestle:models:card", other)
    asked = pestle("ask", QUESTION)
    assert asked.code == 1
    assert "large" in asked.err


@pytest.mark.drill
@pytest.mark.service("redis")
def test_without_a_model_worker_a_question_ends_with_how_to_start_one(
    pestle: Pestle, home: Path, shared_redis: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PESTLE_MODELS_REMOTE", "true")
    asked = pestle("ask", QUESTION)
    assert asked.code == 6
    assert "pestle worker --queues models" in asked.err


def test_without_redis_nothing_can_be_asked_elsewhere(
    pestle: Pestle, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PESTLE_MODELS_REMOTE", "true")
    asked = pestle("ask", QUESTION)
    assert asked.code == 2
    assert "PESTLE_REDIS_URL" in asked.err


def test_a_queue_that_there_is_not_is_a_wrong_use(pestle: Pestle, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PESTLE_REDIS_URL", "redis://127.0.0.1:1/0")
    worker = pestle("worker", "--queues", "pipelines")
    assert worker.code == 2
    assert "'pipelines'" in worker.err


def test_a_model_worker_without_redis_ends_and_says_why(
    pestle: Pestle, monkeypatch: pytest.MonkeyPatch
) -> None:
    minilm()
    monkeypatch.setenv("PESTLE_REDIS_URL", "redis://127.0.0.1:1/0")
    worker = pestle("worker", "--queues", "models")
    assert worker.code == 6
    assert "PESTLE_REDIS_URL" in worker.err
