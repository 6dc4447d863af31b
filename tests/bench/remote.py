"""A model worker beside the same models in this process: what the way through Redis costs.

Needs a Redis (PESTLE_TEST_REDIS_URL). The worker is a process of this machine, so both share its cores.
"""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from retrieval.embed.minilm import MiniLM
from retrieval.ports import Encoder, Reranker
from retrieval.rerank.late_interaction import LateInteraction
from tests.bench.report import Measure
from tests.support.services import redis_url
from workers.models.client import ModelClient
from workers.models.remote import RemoteEncoder, RemoteReranker

QUESTION = "What was the highest dose of compound {0} given to beagle dogs?"
TEXT = "In animal {0} the exposure rose with the dose and no effect on the liver was seen at any dose. " * 3
ROUNDS = 3
QUESTIONS = 40
TEXTS = 256
PASSAGES = 50
CLIENTS = 8
HERE = "in this process"

Work = Callable[[Encoder, Reranker], Awaitable[float]]


async def measure(folder: Path) -> list[Measure]:
    """Each work in turns elsewhere and here; medians of the rounds."""
    with model_worker(folder):
        client = ModelClient(redis_url(), patience_s=60)
        elsewhere = RemoteEncoder(client), RemoteReranker(client)
        encoder = MiniLM(stamps=folder)
        here = encoder, LateInteraction(encoder, remembered=1)
        try:
            return [
                await _compared("one question encoded, p50", "ms", one_question, elsewhere, here),
                await _compared(
                    f"{CLIENTS} questions at a time", "questions/s", many_questions, elsewhere, here
                ),
                await _compared(f"{TEXTS} texts of 57 words", "texts/s", many_texts, elsewhere, here),
                await _compared(f"{PASSAGES} passages reranked", "pairs/s", passages, elsewhere, here),
                await _compared("windows of 8 chunks, p50", "ms", windows, elsewhere, here),
            ]
        finally:
            await client.close()


@contextmanager
def model_worker(folder: Path) -> Iterator[None]:
    """A model worker as an operator starts it."""
    environment = {**os.environ, "PESTLE_REDIS_URL": redis_url(), "PESTLE_HOME": str(folder)}
    program = [sys.executable, "-c", "from adapters.cli import main; main()", "worker", "--queues", "models"]
    worker = subprocess.Popen(program, env=environment, stdout=subprocess.DEVNULL)
    try:
        yield
    finally:
        worker.terminate()
        worker.wait()


async def one_question(encoder: Encoder, _: Reranker) -> float:
    """Milliseconds for one, nothing else being asked."""
    return 1000 * median(
        [await _seconds(encoder.encode_questions([q])) for q in _filled(QUESTION, QUESTIONS)]
    )


async def many_questions(encoder: Encoder, _: Reranker) -> float:
    """Questions in a second, asked one by one by several at a time."""

    async def one_client(number: int) -> None:
        for question in _filled(QUESTION, QUESTIONS)[number::CLIENTS]:
            await encoder.encode_questions([question])

    return QUESTIONS / await _seconds(asyncio.gather(*map(one_client, range(CLIENTS))))


async def many_texts(encoder: Encoder, _: Reranker) -> float:
    """Texts in a second, as an ingest gives them."""
    return TEXTS / await _seconds(encoder.encode(_filled(TEXT, TEXTS)))


async def passages(_: Encoder, reranker: Reranker) -> float:
    """Pairs in a second for the passages of one question."""
    return PASSAGES / await _seconds(reranker.score(QUESTION, _filled(TEXT, PASSAGES)))


async def windows(encoder: Encoder, _: Reranker) -> float:
    """Milliseconds for the chunks of one document."""
    texts = _filled(TEXT * 8, 8)
    cut = [await _seconds(asyncio.to_thread(encoder.windows, texts, ["Report"] * 8)) for _ in range(10)]
    return 1000 * median(cut)


async def _compared(
    what: str, unit: str, work: Work, elsewhere: tuple[Encoder, Reranker], here: tuple[Encoder, Reranker]
) -> Measure:
    found: tuple[list[float], list[float]] = [], []
    for _ in range(ROUNDS):
        found[0].append(await work(*elsewhere))
        found[1].append(await work(*here))
    there, at_home = map(median, found)
    return Measure(f"model worker: {what}", there, unit, peer=HERE, peer_value=at_home)


async def _seconds(work: Awaitable[object]) -> float:
    began = time.perf_counter()
    await work
    return time.perf_counter() - began


def _filled(text: str, count: int) -> Sequence[str]:
    """Texts of which none was asked before, so that nothing is remembered."""
    began = time.perf_counter_ns()
    return [text.format(began + number) for number in range(count)]
