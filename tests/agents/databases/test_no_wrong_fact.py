"""Whatever a database replies, no tool tells a wrong fact: it fails in a sentence, or says why not."""

import json
from collections.abc import Mapping

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agents.databases.facts import Facts
from agents.databases.ports import Reach, WebReply, WebRequest
from agents.databases.toolset import CURATED, database_tools
from agents.errors import ToolFailed
from agents.tools.reply import ToolReply
from tests.agents.databases.reaching import grounded, reach_of
from tests.support.drills import examples
from tests.support.services import shared

NAMES = tuple(database_tools(reach_of({})))
GARBLED = (
    "",
    "null",
    "{}",
    "[]",
    "3",
    '"text"',
    "<html><body>Bad gateway</body></html>",
    "<?xml version='1.0'?><a/>",
    '{"data": null}',
    '{"data": {"target": 3, "gene": [], "genes": {}}}',
    '{"error": {"code": "SERVER_ERROR", "message": "broken"}}',
    '{"errors": [{"message": "Cannot query field"}]}',
    "\ud800\x00\x1f",
    "[" * 5000,
    "a\tb\tc\n" * 50,
)
FAULTS = (
    "did not answer within 20 seconds.",
    "refused with the status 500.",
    "allows no more questions (429).",
)


class SameWeb:
    """`Web` that replies the same to everything, or fails with the same error."""

    def __init__(self, reply: str | Exception | None) -> None:
        self._reply = reply
        self.asked: list[WebRequest] = []

    async def fetch(self, request: WebRequest) -> WebReply | None:
        """See `Web`."""
        self.asked.append(request)
        if isinstance(self._reply, Exception):
            raise self._reply
        return None if self._reply is None else WebReply(self._reply, request.url, "2026-08-11")


class OtherGene:
    """`Web` that has one reply a database, always of the same gene."""

    def __init__(self, replies: Mapping[str, str]) -> None:
        self._replies = replies

    async def fetch(self, request: WebRequest) -> WebReply | None:
        """See `Web`."""
        text = self._replies.get(request.source)
        return None if text is None else WebReply(text, request.url, "2026-08-11")


async def told(name: str, web: SameWeb | OtherGene, target: str = "EGFR") -> ToolReply | ToolFailed:
    """What a tool replies, or how it fails; nothing else may come out of it."""
    tools = database_tools(Reach(reach_of().bulk, web))
    try:
        return await tools.call(name, json.dumps({"target": target}))
    except ToolFailed as error:
        return error


def no_fact(outcome: ToolReply | ToolFailed) -> None:
    """A whole sentence on why there is nothing, and no fact."""
    if isinstance(outcome, ToolFailed):
        assert str(outcome).rstrip().endswith("."), str(outcome)
        return
    assert not Facts.model_validate(outcome.data).facts, outcome.data
    assert outcome.note.strip().endswith((".", ")")), outcome.note


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("fault", FAULTS)
async def test_a_database_that_cannot_be_asked_is_said_to_be_missing(name: str, fault: str) -> None:
    no_fact(await told(name, SameWeb(ToolFailed(f"The database {fault}"))))


@pytest.mark.parametrize("name", NAMES)
async def test_an_unexpected_error_is_no_crash(name: str) -> None:
    no_fact(await told(name, SameWeb(ValueError("a bug"))))


@pytest.mark.parametrize("name", NAMES)
async def test_nothing_found_is_a_note(name: str) -> None:
    no_fact(await told(name, SameWeb(None)))


@pytest.mark.parametrize("name", NAMES)
async def test_a_garbled_reply_tells_nothing(name: str) -> None:
    for garbled in GARBLED:
        no_fact(await told(name, SameWeb(garbled)))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.sampled_from(("EGFR", "BRAF", "x", "")),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ("data", "target", "targets", "gene", "id", "symbol", "results", "rows", "studies", "name")
            ),
            inner,
            max_size=3,
        )
    ),
    max_leaves=10,
)


@settings(max_examples=examples(25), suppress_health_check=[HealthCheck.too_slow])
@given(value=JSON)
async def test_whatever_a_reply_holds_each_fact_stands_on_its_record(value: object) -> None:
    for name in NAMES:
        outcome = await told(name, SameWeb(json.dumps(value)))
        if isinstance(outcome, ToolReply):
            await grounded(outcome)


@pytest.mark.service("shared")
@pytest.mark.parametrize("name", NAMES)
async def test_a_recorded_reply_of_another_gene_tells_nothing(name: str) -> None:
    folder = shared("data/tsa/api_captures")
    braf = json.loads((folder / "opentargets/clinical_braf_20260811.json").read_text())
    braf["data"]["target"] |= {"id": "ENSG00000157764", "approvedSymbol": "BRAF"}
    constraint = json.loads((folder / "gnomad/constraint_tp53.json").read_text())
    constraint["data"]["gene"] |= {"symbol": "TP53", "gene_id": "ENSG00000141510"}
    entry = (folder / "hpa/braf_20260811.xml").read_text()
    entry = entry.replace("<entry>", '<entry><name>BRAF</name><identifier id="ENSG00000157764"/>')
    files = {
        "uniprot": "../ot_fixtures/uniprot_sample_10.txt",
        "mygene": "mygene/get_braf_20260811.json",
        "gtex": "gtex/gene_search_braf.json",
        "gwas": "gwas/associations_gene_tcf7l2_v2_20260812.json",
        "string": "string/network_braf_20260811.json",
        "chembl": "chembl/mechanisms_pembrolizumab_20260811.json",
        "clinicaltrials": "ctgov/search_keytruda_limit3_20260811.json",
        "openfda": "openfda/label_keytruda_20260811.json",
        "pubmed": "pubmed/esearch_braf.json",
    }
    replies = {source: (folder / path).read_text() for source, path in files.items()}
    replies |= {"opentargets": json.dumps(braf), "gnomad": json.dumps(constraint), "hpa": entry}
    no_fact(await told(name, OtherGene(replies)))


def test_curated_safety_can_be_left_out() -> None:
    assert set(NAMES) - set(database_tools(reach_of({}), curated=False)) == CURATED
