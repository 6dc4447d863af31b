"""Encoder and reranker through a real Redis, with a worker in this process; see `test_processes` for others.

That they do what every encoder and reranker does is tested in `tests/retrieval/contracts`.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import closing

import numpy as np
import pytest
import redis
from redis.asyncio import Redis

from retrieval.errors import EncoderMismatch, ModelOverloaded, ModelsUnavailable, RetrievalError
from tests.journey.waiting import wait_for
from tests.support.hashing import HashingEncoder
from tests.support.model_workers import clear, fresh_keys, serving
from tests.support.services import redis_url
from tests.workers.models.slow import SlowEncoder, WordReranker
from workers.models.client import ModelClient
from workers.models.protocol import ComputeRequest, Keys, Kind
from workers.models.remote import PART_TEXTS, RemoteEncoder, RemoteReranker, parts
from workers.models.server import ModelServer

pytestmark = pytest.mark.service("redis")


@pytest.fixture
def keys() -> Iterator[Keys]:
    keys = fresh_keys()
    yield keys
    clear(keys)


@pytest.fixture
def slow(keys: Keys) -> Iterator[SlowEncoder]:
    encoder = SlowEncoder()
    with serving(encoder, WordReranker(), keys):
        yield encoder


@pytest.fixture
async def client(keys: Keys) -> AsyncIterator[ModelClient]:
    client = ModelClient(redis_url(), keys=keys, patience_s=2)
    yield client
    await client.close()


async def test_what_the_worker_runs_is_known_before_the_first_request(
    slow: SlowEncoder, client: ModelClient
) -> None:
    encoder, reranker = RemoteEncoder(client), RemoteReranker(client)
    assert (encoder.name, encoder.dimension, encoder.threshold) == (slow.name, 256, 0.0)
    assert (reranker.name, reranker.threshold) == ("shared words", 0.5)


async def test_many_texts_are_asked_for_in_parts_and_come_back_in_their_order(
    slow: SlowEncoder, client: ModelClient
) -> None:
    texts = [f"text number {i}" for i in range(300)]
    rows = await RemoteEncoder(client).encode(texts)
    assert rows.tobytes() == (await HashingEncoder().encode(texts)).tobytes()
    assert len(slow.batches) > 1


def test_a_part_is_bounded_in_texts_and_characters() -> None:
    assert [len(part) for part in parts(["a"] * (PART_TEXTS + 1))] == [PART_TEXTS, 1]
    assert [len(part) for part in parts(["a" * 60_000] * 3)] == [1, 1, 1]
    assert parts(["a" * 200_000, "b"]) == [["a" * 200_000], ["b"]]
    assert parts([]) == []


async def test_requests_of_several_clients_are_computed_together(
    slow: SlowEncoder, client: ModelClient, keys: Keys
) -> None:
    slow.seconds = 0.2
    other = ModelClient(redis_url(), keys=keys)
    texts = [f"text {i}" for i in range(12)]
    encoders = [RemoteEncoder(client), RemoteEncoder(other)]
    rows = await asyncio.gather(*(encoders[i % 2].encode([text]) for i, text in enumerate(texts)))
    await other.close()
    assert np.concatenate(rows).tobytes() == (await HashingEncoder().encode(texts)).tobytes()
    assert len(slow.batches) < len(texts) / 2


async def test_a_question_does_not_wait_for_an_ingest(slow: SlowEncoder, client: ModelClient) -> None:
    slow.seconds = 1.0
    encoder = RemoteEncoder(client)
    ingest = asyncio.create_task(encoder.encode([f"text {i}" for i in range(5 * PART_TEXTS)]))
    await asyncio.sleep(0.2)
    async with asyncio.timeout(0.8):
        await encoder.encode_questions(["What was the dose?"])
    assert not ingest.done()
    await ingest


async def test_a_text_that_fails_harms_nobody_else(slow: SlowEncoder, client: ModelClient) -> None:
    slow.seconds = 0.2
    encoder = RemoteEncoder(client)
    work = [encoder.encode([text]) for text in ("one", "two", "bad", "three", "four", "five")]
    one, two, bad, three, four, five = await asyncio.gather(*work, return_exceptions=True)
    assert isinstance(bad, RetrievalError)
    assert "ValueError: bad text" in str(bad)
    assert all(isinstance(rows, np.ndarray) for rows in (one, two, three, four, five))


async def test_when_too_many_wait_the_next_is_refused_at_once(slow: SlowEncoder, keys: Keys) -> None:
    slow.seconds = 1.0
    client = ModelClient(redis_url(), keys=keys, waiting=3)
    encoder = RemoteEncoder(client)
    waiting = [asyncio.create_task(encoder.encode([str(i)])) for i in range(3)]
    await asyncio.sleep(0.3)
    with pytest.raises(ModelOverloaded, match="Try again"):
        async with asyncio.timeout(0.5):
            await encoder.encode(["one more"])
    await asyncio.gather(*waiting)
    assert (await encoder.encode(["now there is room"])).shape == (1, 256)
    await client.close()


async def test_without_a_worker_an_error_says_how_to_start_one(keys: Keys, client: ModelClient) -> None:
    with pytest.raises(ModelsUnavailable, match="pestle worker --queues models"):
        RemoteEncoder(client)
    with pytest.raises(ModelsUnavailable, match="pestle worker --queues models"):
        await client.ask(Kind.TEXTS, ComputeRequest(model="any", texts=("text",)))
    with closing(redis.Redis.from_url(redis_url())) as connection:
        assert connection.xlen(keys.stream(Kind.TEXTS)) == 0


async def test_without_redis_an_error_says_so() -> None:
    client = ModelClient("redis://127.0.0.1:1/0", patience_s=0.5)
    with pytest.raises(ModelsUnavailable, match="PESTLE_REDIS_URL"):
        RemoteEncoder(client)
    with pytest.raises(ModelsUnavailable, match="PESTLE_REDIS_URL"):
        await client.ask(Kind.TEXTS, ComputeRequest(model="any", texts=("text",)))
    await client.close()


async def test_an_answer_that_takes_too_long_is_not_waited_for(slow: SlowEncoder, keys: Keys) -> None:
    slow.seconds = 3.0
    client = ModelClient(redis_url(), keys=keys, timeout_s=0.5)
    with pytest.raises(ModelsUnavailable, match=r"within 0\.5 s"):
        await RemoteEncoder(client).encode(["text"])
    await client.close()


async def test_a_request_that_redis_lost_is_put_again(
    slow: SlowEncoder, client: ModelClient, keys: Keys
) -> None:
    encoder = RemoteEncoder(client)
    slow.seconds = 0.5
    lost = asyncio.create_task(encoder.encode(["text"]))
    await asyncio.sleep(0.1)
    clear(keys)
    assert (await lost).shape == (1, 256)


async def test_a_worker_with_other_models_is_refused_beside_the_first(slow: SlowEncoder, keys: Keys) -> None:
    await asyncio.sleep(0.2)
    async with Redis.from_url(redis_url()) as connection:
        second = ModelServer(connection, HashingEncoder(64), WordReranker(), keys)
        with pytest.raises(EncoderMismatch, match="Stop them first"):
            await second.serve(asyncio.Event())


async def test_a_client_of_a_model_that_has_gone_is_told_to_restart(
    slow: SlowEncoder, client: ModelClient
) -> None:
    RemoteEncoder(client)
    with pytest.raises(EncoderMismatch, match="Restart"):
        await client.ask(Kind.TEXTS, ComputeRequest(model="an older one", texts=("text",)))


async def test_nothing_but_the_card_is_left_in_redis(
    slow: SlowEncoder, client: ModelClient, keys: Keys
) -> None:
    await RemoteEncoder(client).encode(["one", "two"])
    await RemoteReranker(client).score("one", ["one", "two"])
    with closing(redis.Redis.from_url(redis_url())) as connection:
        assert [connection.xlen(keys.stream(kind)) for kind in Kind] == [0] * len(Kind)
        assert list(connection.scan_iter(f"{keys.namespace}:answer:*")) == []


async def test_a_worker_that_is_told_to_end_finishes_what_it_has_in_hand(keys: Keys) -> None:
    slow, client = SlowEncoder(1.0), ModelClient(redis_url(), keys=keys)
    with serving(slow, WordReranker(), keys):
        rows = asyncio.create_task(RemoteEncoder(client).encode(["text"]))
        await asyncio.to_thread(wait_for, lambda: slow.batches, 10, "the request to be in hand")
    assert (await rows).shape == (1, 256)
    assert slow.batches == [["text"]]
    await client.close()


async def test_a_redis_that_refuses_is_quoted_to_client_and_worker(client: ModelClient, keys: Keys) -> None:
    async with Redis.from_url(redis_url()) as connection:
        await connection.set(keys.stream(Kind.QUESTIONS), "no stream")
        with pytest.raises(ModelsUnavailable, match="Redis says WRONGTYPE"):
            await client.ask(Kind.QUESTIONS, ComputeRequest(model="any", texts=("question",)))
        server = ModelServer(connection, HashingEncoder(), WordReranker(), keys)
        with pytest.raises(ModelsUnavailable, match="WRONGTYPE"):
            await server.serve(asyncio.Event())


async def test_whoever_waits_when_the_client_is_closed_is_told(
    slow: SlowEncoder, client: ModelClient
) -> None:
    """A thread that waited for ever would keep its process from ending."""
    encoder, slow.seconds = RemoteEncoder(client), 4
    request = ComputeRequest(model=encoder.name, texts=("a",))
    threads = [asyncio.create_task(asyncio.to_thread(client.ask_now, Kind.TEXTS, request)) for _ in "ab"]
    many = asyncio.create_task(encoder.encode(["a"] * 300))
    await asyncio.sleep(0.3)
    async with asyncio.timeout(20):
        await client.close()
        for waiting in (*threads, many):
            with pytest.raises(ModelsUnavailable, match="asked no more"):
                await waiting


async def test_what_no_client_would_write_does_not_end_a_worker(
    slow: SlowEncoder, client: ModelClient, keys: Keys
) -> None:
    """It would end the next ones too, since it would be handed on to them."""
    odd = ({"id": b"\xff", "request": b"{}"}, {"id": "deep", "request": b"[" * 200_000}, {"other": "entry"})
    async with Redis.from_url(redis_url()) as connection:
        for fields in odd:
            await connection.xadd(keys.stream(Kind.TEXTS), fields)  # type: ignore[arg-type]
    async with asyncio.timeout(20):
        assert (await RemoteEncoder(client).encode(["after it"])).shape == (1, 256)
