"""A report of many sections as a file: who signed it, one list of references, its evidence, one HTML page."""

import io
import re
from collections.abc import Mapping
from dataclasses import replace

import pytest
from docx import Document

from adapters.export import pictures_of, typeset
from agents.kinds import Kinds, RunView
from agents.reports.revisions import Action, History
from agents.runs.artefacts import MemoryArtefacts
from agents.runs.encoding import encode
from agents.runs.pipeline import new_run
from agents.runs.run import Run
from agents.safety.kind import KIND
from agents.safety.order import SafetyOrder
from agents.safety.pipeline import assess
from agents.safety.values import Assessment
from retrieval.text.ranges import in_ranges
from tests.agents.safety.kit import tools
from tests.support.memory.ledger import MemoryLedger

Made = tuple[RunView, Mapping[str, bytes]]


@pytest.fixture
async def made() -> Made:
    order, artefacts, ledger = SafetyOrder("ZORB1"), MemoryArtefacts(), MemoryLedger()
    record = new_run("safety", order, "key")
    await ledger.create(record)
    found = await assess(tools(), Run(record, ledger, artefacts=artefacts), order)
    view = Kinds([KIND]).view(replace(record, result=encode(Assessment, found)[0]))
    return view, await pictures_of(view, artefacts)


def accepted(view: RunView) -> RunView:
    assert view.history is not None
    line = view.history.sign("risks", Action.ACCEPTED, "Ada", "2026-11-22T17:05:30Z")
    return replace(view, history=History(view.history.report_id, view.history.written, (line,)))


def written(made: Made, form: str) -> bytes:
    return typeset(form, made[0], made[1])


def test_each_record_is_one_reference_and_no_internal_id_is_printed(made: Made) -> None:
    text = written(made, "md").decode()
    assert "tool-" not in text
    references = text.split("## References")[1].split("## Appendix")[0]
    assert references.count("Mice: ZORB1 (release 2026-01)") == 1
    evidence = text.split("## Appendix: evidence")[1]
    assert "Mice without ZORB1 show decreased heart rate." in evidence


def test_quotations_are_at_most_a_quarter_of_the_print(made: Made) -> None:
    text = written(made, "md").decode()
    assert len(text.split("## Appendix: evidence")[1]) < len(text) / 4


def test_who_signed_and_when_stands_in_every_format(made: Made) -> None:
    assert "none of 14 sections signed off" in written(made, "md").decode()
    signed = (accepted(made[0]), made[1])
    assert "1 of 14 sections signed off, by Ada" in written(signed, "md").decode()
    rows = [
        cell.text for table in Document(io.BytesIO(written(signed, "docx"))).tables for cell in table._cells
    ]
    assert {"Ada", "2026-11-22 17:05 UTC", "accepted"} <= set(rows)
    assert '<td data-head="Time">2026-11-22 17:05 UTC</td>' in written(signed, "html").decode()


def test_the_page_is_one_file_whose_links_lead_somewhere(made: Made) -> None:
    page = written(made, "html").decode()
    assert not re.search(r"<script|<link|src=\"(?!data:)|https?://[^\s<]*\.(?:js|css)", page)
    targets = set(re.findall(r'id="([^"]+)"', page))
    assert set(re.findall(r'href="#([^"]+)"', page)) <= targets
    assert page.count('prefers-color-scheme: dark)">') == page.count("<picture>") == 1
    assert page.count("<section") == page.count("</section>")


def test_numbers_are_told_in_ranges() -> None:
    assert in_ranges((1, 2, 3, 7, 9, 10)) == "1–3, 7, 9–10"


def test_word_prints_columns_as_wide_as_their_texts_and_says_on_each_page_what_it_is(made: Made) -> None:
    document = Document(io.BytesIO(written(made, "docx")))
    appendix = document.tables[-1]
    number, said = (column.width for column in appendix.columns)
    assert number * 5 < said
    assert all(row.cells[0].width == number for row in appendix.rows)
    assert not appendix.rows[1].cells[0].paragraphs[0].runs[0].font.superscript
    foot = document.sections[0].footer.paragraphs[0]
    assert foot.text.startswith("Target safety of ZORB1")
    assert "NUMPAGES" in foot._p.xml
    order = [child.tag.rpartition("}")[2] for child in appendix._tbl.tblPr]
    known = ("tblStyle", "tblW", "jc", "tblInd", "tblBorders", "tblLayout", "tblCellMar", "tblLook")
    assert order == [name for name in known if name in order]  # Word takes a table in no other order
