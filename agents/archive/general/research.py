"""Any question, over all documents: searched, ranked, and answered by what comes closest or by the agent."""

from functools import partial

from agents.archive.general.agent import answer_by_model
from agents.archive.general.answer import answer_generally
from agents.archive.general.ranking import rank_passages
from agents.archive.general.search import search_generally
from agents.archive.so_far import SoFar
from agents.archive.tools import ArchiveTools
from agents.archive.values import Classification, GeneralDraft
from agents.runs.run import Run


async def research_generally(
    run: Run, tools: ArchiveTools, so_far: SoFar, classification: Classification
) -> GeneralDraft:
    """Any question: search, review and what comes closest over all documents, whatever their domain."""
    text = so_far.question.text
    found = await run.step("search/general", partial(search_generally, tools), text, classification.molecules)
    reviewed = await run.step("review/general", partial(rank_passages, tools), text, found)
    rules = partial(answer_generally, tools)
    ruled = await run.step("research/general", rules, found, reviewed, then=so_far.add_general)
    if tools.model is None:
        return ruled
    read = await answer_by_model(run, tools, tools.model, so_far.question, found, ruled)
    so_far.add_general(read)
    return read
