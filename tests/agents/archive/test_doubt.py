"""What a channel disputes is ranked lower in later answers, and told where it is cited after all."""

from dataclasses import replace
from pathlib import Path

from agents.archive.answer import Question
from agents.archive.doubt import Doubting
from agents.archive.pipeline import answer_question
from agents.reports.disputed import Disputed
from agents.runs.memory import trial_run
from retrieval.values import Filters, SearchRequest
from tests.agents.archive.world import archive

PLACES = {
    "ZK-A": "# ZK-701: report A\n\nThe melting point of ZK-701 is 151 degrees Celsius.\n",
    "ZK-B": "# ZK-701: report B\n\nThe melting point of ZK-701 is 153 degrees Celsius.\n",
}
ASKED = Question("What is the melting point of ZK-701?")


async def test_a_disputed_chunk_comes_after_its_equal(tmp_path: Path) -> None:
    tools = await archive(tmp_path / "docs", PLACES)
    request = SearchRequest(ASKED.text, Filters(), 10)
    for doc_id in PLACES:
        disputed = (Disputed(doc_id, 0, 10_000, "by ada"),)
        hits = await Doubting(tools.retriever, disputed).search(request)
        assert [hit.record.doc_id for hit in hits][-1] == doc_id
        assert len(hits) == len(await tools.retriever.search(request))


async def test_an_answer_rests_on_what_is_not_disputed_and_says_where_it_is(tmp_path: Path) -> None:
    tools = await archive(tmp_path / "docs", PLACES)
    before = await answer_question(await trial_run(), ASKED, tools)
    first = before.citations[0]
    disputed = (Disputed(first.doc_id, first.start, first.end, "report, disputed by ada"),)
    doubting = replace(ASKED, disputed=disputed)
    after = await answer_question(await trial_run(), doubting, tools)
    assert after.citations[0].doc_id != first.doc_id
    cited = [one.number for one in after.citations if (one.doc_id, one.start) == (first.doc_id, first.start)]
    noted = [note for note in after.notes if "disputed by ada" in note]
    marked = [one.number for one in after.citations if "disputed here by" in one.place]
    assert marked == cited
    assert [note.split()[1] for note in noted] == [str(number) for number in cited]
    assert not any("disputed" in note for note in before.notes)
