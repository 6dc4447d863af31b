"""A whole question without a model, from the pipeline's first step to the answer: on the demo archive, and on
one of 10,000 chunks that holds it.
"""

from itertools import islice, product
from pathlib import Path

from adapters.cli.demo import ARCHIVE
from adapters.settings import Settings
from adapters.wiring import runtime
from agents.archive.evaluate.run import ask
from agents.archive.work import tools_of
from retrieval.ingest.folder import Folder
from retrieval.ports import Index
from retrieval.values import Chunk, Document, DocumentRecord
from tests.bench.corpus import Language, documents
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
TARGET_MS, LARGE_TARGET_MS = 2000, 1000
LARGE, SECTIONS, WORDS, WINDOWS = 10_000, 20, 500, 3
"""Chunks of the large archive: made-up reports of 20 sections, each a chunk of 500 words with 3 vectors."""


async def measure(folder: Path) -> list[Measure]:
    """Milliseconds per question after warm-up."""
    return await _measured("question without a model", Settings(home=folder / "question"), TARGET_MS)


async def measure_large(folder: Path) -> list[Measure]:
    """The same among 10,000 chunks more, whose vectors point anywhere."""
    settings = Settings(home=folder / "large")
    return await _measured(f"question among {LARGE} chunks", settings, LARGE_TARGET_MS, LARGE)


async def _measured(what: str, settings: Settings, target: int, more: int = 0) -> list[Measure]:
    async with runtime(settings) as built:
        await built.files.ingest(Folder(ARCHIVE))
        await _fill(built.index, more // SECTIONS, built.encoder.dimension)
        questions = [text.format(name) for text, name in product(QUESTIONS, MOLECULES)]

        async def answer(question: str) -> None:
            await ask(tools_of(built.house), question)

        await timed(answer, islice(questions, WARM_UP))
        seconds = await timed(answer, questions)
    p95 = percentile(seconds, 0.95)
    return [
        Measure(f"{what}, p50", percentile(seconds, 0.5), "ms"),
        Measure(f"{what}, p95", p95, "ms", target=f"<= {target}", met=p95 <= target),
    ]


async def _fill(index: Index, count: int, dimension: int) -> None:
    """Store made-up reports."""
    language = Language()
    for name, text in documents(language, count, SECTIONS * WORDS):
        doc_id = name.removesuffix(".md")
        title, *sections = text.split("\n\n## ")
        code = title.split()[-1]
        record = DocumentRecord(
            doc_id, name, "0" * 64, "md", title.strip("# "), molecules=(code,), names=((code,),)
        )
        chunks, at = [], len(title) + 2
        for number, section in enumerate(sections):
            said = f"## {section}"
            chunks.append(Chunk(f"{doc_id}#{number}", doc_id, number, at, at + len(said), said))
            at += len(said) + 2
        vectors = language.vectors(SECTIONS * WINDOWS, dimension)
        async with index.write() as writer:
            await writer.put(Document(record, text), chunks, vectors, [WINDOWS] * SECTIONS)
