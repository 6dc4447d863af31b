"""A whole question without a model, from the pipeline's first step to the answer, on the demo archive."""

import time
from itertools import islice, product
from pathlib import Path

import numpy as np

from adapters.demo import ARCHIVE
from adapters.settings import Settings
from adapters.wiring import runtime
from agents.archive.evaluate import ask
from tests.bench.report import Measure

QUESTIONS = (
    "What was the first-in-human dose of {}?",
    "By which route was {} given to humans?",
    "What was the highest dose of {} in Phase I or Phase II?",
    "What margin of safety does the archive state for {}?",
    "Why was {} discontinued?",
    "For which organs does the archive report toxicity of {}, and in which species?",
    "Who was the study director of the toxicity study of {}?",
    "How many patients took part in the Phase II study of {}?",
)
MOLECULES = ("AF-2107", "AF-3350", "AF-4012", "AF-5581")
WARM_UP = 4


async def measure(folder: Path) -> list[Measure]:
    """Seconds per question after warm-up."""
    async with runtime(Settings(home=folder / "question")) as built:
        await built.files.ingest(ARCHIVE)
        questions = [text.format(name) for text, name in product(QUESTIONS, MOLECULES)]
        for question in islice(questions, WARM_UP):
            await ask(built.tools, question)
        seconds = [await _seconds(built.tools, question) for question in questions]
    return [
        Measure("question without a model, p50", float(np.percentile(seconds, 50)), "s"),
        Measure("question without a model, p95", float(np.percentile(seconds, 95)), "s", target="<= 2"),
    ]


async def _seconds(tools: ArchiveTools, question: str) -> float:
    started = time.perf_counter()
    await ask(tools, question)
    return time.perf_counter() - started
