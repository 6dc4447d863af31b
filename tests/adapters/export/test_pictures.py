"""Pictures of a report stand in its Word and PDF files, with the words that tell what they show."""

import io
from dataclasses import replace

from docx import Document
from PIL import Image

from adapters.export import pictures_of, typeset
from agents.kinds import Kinds
from agents.reports.values import Figure
from agents.runs.artefacts import MemoryArtefacts
from agents.runs.encoding import encode
from agents.runs.pipeline import new_run
from agents.runs.run import Run
from agents.safety.kind import KIND
from agents.safety.order import SafetyOrder
from agents.safety.pipeline import assess
from agents.safety.values import Assessment
from tests.agents.safety.kit import tools
from tests.support.memory.ledger import MemoryLedger


async def test_charts_are_in_the_document() -> None:
    order, artefacts, ledger = SafetyOrder("ZORB1"), MemoryArtefacts(), MemoryLedger()
    record = new_run("safety", order, "key")
    await ledger.create(record)
    made = await assess(tools(), Run(record, ledger, artefacts=artefacts), order)
    view = Kinds([KIND]).view(replace(record, result=encode(Assessment, made)[0]))
    assert view.report is not None
    figures = [block for one in view.report.sections for block in one.blocks if isinstance(block, Figure)]
    pictures = await pictures_of(view, artefacts)
    assert list(pictures) == [sha256 for one in figures for sha256 in (one.sha256, one.dark)]
    assert all(Image.open(io.BytesIO(data)).size[0] > 300 for data in pictures.values())
    document = Document(io.BytesIO(typeset("docx", view, pictures)))
    assert len(document.inline_shapes) == len(figures) > 0
    told = "\n".join(paragraph.text for paragraph in document.paragraphs)
    assert all(one.title in told for one in figures)
    pdf = typeset("pdf", view, pictures)
    assert pdf.count(b"/Subtype /Image") >= len(figures)
    assert len(typeset("docx", view)) < len(typeset("docx", view, pictures))
