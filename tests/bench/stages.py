"""What a long PDF costs on its way into the index: processor time of each stage."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from retrieval.embed.minilm import MiniLM
from retrieval.index.sqlite import SqliteIndex
from retrieval.ingest.meaning import encoded
from retrieval.ingest.prepare import prepare
from retrieval.ingest.record import document
from retrieval.parse import parse, pdf
from retrieval.values import Document
from tests.bench.report import Measure
from tests.support.services import SHARED

REPORT = SHARED / "data/documents/clinical/cdisc_sdtm_adam_pilot_project_report.pdf"
"""The report that is read unless another one is named: 63 pages with tables."""


async def measure(folder: Path, path: Path) -> list[Measure]:
    """Seconds of the processor for words and rules of the pages, headings and tables from them, the record,
    chunks with the parts that are encoded, the encoder, and the index.
    """
    spent: dict[str, float] = {}

    def timed(stage: str, work: Callable[..., Any]) -> Callable[..., Any]:
        def run(*given: Any) -> Any:
            began = time.process_time()
            try:
                return work(*given)
            finally:
                spent[stage] = spent.get(stage, 0.0) + time.process_time() - began

        return run

    encoder = MiniLM()
    await encoder.encode(["warm up"])
    pdf.flow = timed("headings and tables", pdf.flow)
    parsed = timed("all of parsing", parse)(path)
    read: Document = timed("record", document)(parsed, path.name, "")
    ready = timed("chunks", prepare)(read, encoder)
    began = time.process_time()
    vectors = await encoded(ready.texts, encoder)
    spent["encoder"] = time.process_time() - began
    began = time.process_time()
    index = SqliteIndex(folder / "stages.sqlite", encoder)
    async with index.write() as writer:
        await writer.put(ready.document, ready.chunks, vectors, ready.parts)
    await index.close()
    spent["index"] = time.process_time() - began
    whole = spent.pop("all of parsing")
    spent = {"words of the pages": whole - spent["headings and tables"], **spent}
    pages, total = len(parsed.pages), sum(spent.values())
    shares = [Measure(f"{stage} ({seconds / total:.0%})", seconds, "s") for stage, seconds in spent.items()]
    return [*shares, Measure(f"all of {path.name}, {pages} pages", total, "s")]
