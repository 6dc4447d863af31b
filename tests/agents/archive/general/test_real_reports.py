"""Questions over real study reports, with and without an answer; `real_reports.jsonl` holds all of them.

Here those about one study are asked, so that few pages have to be parsed.
"""

import json
import re
import shutil
from pathlib import Path

import pytest

from agents.archive.tools import ArchiveTools
from agents.trust.lexical import LexicalEntailment
from retrieval.ingest.folder import Folder
from retrieval.ingest.update import ingest
from retrieval.rerank.late_interaction import LateInteraction
from retrieval.search import HybridRetriever
from tests.agents.archive.world import ask
from tests.retrieval.minilm import remembering
from tests.support.memory_index import MemoryIndex
from tests.support.parsing import InThread
from tests.support.services import shared

QUESTIONS = Path(__file__).with_name("real_reports.jsonl")
STUDY = "CJ16050"
DATA_GUIDE = re.compile(r"SAS|datasets|define\.xml")
"""What is asked of the guide to the study's data, which is not parsed here."""
LEAST_HITS = 0.95


async def reports(folder: Path) -> ArchiveTools:
    for path in shared("data/documents/study_reports").glob("*.pdf"):
        shutil.copy(path, folder)
    encoder = remembering()
    index = MemoryIndex(encoder)
    await ingest(Folder(folder), index, encoder, InThread())
    return ArchiveTools(index, HybridRetriever(index, encoder), LateInteraction(encoder), LexicalEntailment())


@pytest.mark.drill
async def test_facts_of_a_study_are_found_or_shown_and_none_is_made_up(tmp_path: Path) -> None:
    tools = await reports(tmp_path)
    rows = [json.loads(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]
    question = [row for row in rows if STUDY in row["question"] and not DATA_GUIDE.search(row["question"])]

    missed, made_up, present = [], [], 0
    for row in question:
        answer = await ask(tools, row["question"])
        told = " ".join(" ".join((answer.short, *(cited.quote for cited in answer.citations[:3]))).split())
        if row["expect"] is None:
            made_up += [row["question"]] if answer.present else []
            continue
        present += 1
        pages = {cited.page for cited in answer.citations[:3]}
        if not (re.search(row["expect"], told) and pages & set(row["pages"])):
            missed.append(row["question"])

    assert made_up == []
    assert len(missed) <= (1 - LEAST_HITS) * present, missed
