"""A whole question without a model, from the pipeline's first step to the answer, on the demo archive."""

from itertools import islice, product
from pathlib import Path

from adapters.cli.demo import ARCHIVE
from adapters.settings import Settings
from adapters.wiring import runtime
from agents.archive.evaluate.run import ask
from agents.archive.kind import tools_of
from retrieval.ingest.folder import Folder
from tests.bench.report import Measure, percentile, timed

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
TARGET_MS = 2000


async def measure(folder: Path) -> list[Measure]:
    """Milliseconds per question after warm-up."""
    async with runtime(Settings(home=folder / "question")) as built:
        await built.files.ingest(Folder(ARCHIVE))
        questions = [text.format(name) for text, name in product(QUESTIONS, MOLECULES)]

        async def answer(question: str) -> None:
            await ask(tools_of(built.house), question)

        await timed(answer, islice(questions, WARM_UP))
        seconds = await timed(answer, questions)
    p95 = percentile(seconds, 0.95)
    return [
        Measure("question without a model, p50", percentile(seconds, 0.5), "ms"),
        Measure("question without a model, p95", p95, "ms", target=f"<= {TARGET_MS}", met=p95 <= TARGET_MS),
    ]
