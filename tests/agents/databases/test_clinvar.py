"""ClinVar: pathogenic variants over the network."""

import json
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.databases.clinvar import EUTILS, rare_variant_diseases, summaries
from agents.databases.memory import MemoryBulk
from agents.databases.ports import Reach
from agents.databases.target import Target
from agents.errors import ToolFailed
from tests.agents.databases.standing import assert_stands, read_or_refused, run, texts
from tests.support.recorded_web import RecordedWeb

GENE = Target("GENE7", entrez="7")


def summary(uid: str, symbol: str = "GENE7", disease: str = "Long QT syndrome") -> dict[str, object]:
    return {
        "uid": uid,
        "accession": f"VCV{uid}",
        "title": "NM_1.1(GENE7):c.1A>G (p.Met1Val)",
        "genes": [{"symbol": symbol}],
        "germline_classification": {
            "description": "Pathogenic",
            "review_status": "reviewed by expert panel",
            "trait_set": [{"trait_name": disease}, {"trait_name": "not provided"}],
        },
        "molecular_consequence_list": ["start lost"],
    }


def live(*found: dict[str, object], count: str = "2") -> RecordedWeb:
    ids = [str(one["uid"]) for one in found]
    result = {"uids": ids, **{str(one["uid"]): one for one in found}}
    return RecordedWeb(
        {
            f"{EUTILS}/esearch.fcgi": json.dumps({"esearchresult": {"count": count, "idlist": ids}}),
            f"{EUTILS}/esummary.fcgi": json.dumps({"result": result}),
        },
        date="2026-08-11",
    )


def test_live_variants_are_counted_by_disease() -> None:
    told = run(rare_variant_diseases(Reach(MemoryBulk(), live(summary("1"), summary("2"))), GENE))
    assert_stands(told)
    assert texts(told) == [
        "ClinVar (2026-08-11) holds 2 pathogenic or likely pathogenic variants of GENE7.",
        "ClinVar (2026-08-11) ties 2 variants of GENE7 to Long QT syndrome (truncating ones among "
        "them: 0, example: VCV1 (Pathogenic)).",
    ]


def test_live_a_disease_of_truncating_variants_is_one_of_loss() -> None:
    cut = {"molecular_consequence_list": ["nonsense"]}
    found = (summary("1"), summary("2") | cut, summary("3", disease="Gout"))
    told = run(rare_variant_diseases(Reach(MemoryBulk(), live(*found, count="3")), GENE))
    assert_stands(told)
    assert {fact.term: fact.change for fact in told.facts if fact.term} == {
        "Long QT syndrome": "loss",
        "Gout": "",
    }


def test_live_what_was_not_read_is_said() -> None:
    web = live(summary("1"), count="512")
    told = run(rare_variant_diseases(Reach(MemoryBulk(), web), GENE))
    assert told.missing == ("Of 512 pathogenic variants of GENE7 in ClinVar, the first 1 were read.",)


def test_live_variants_of_other_genes_are_refused() -> None:
    with pytest.raises(ToolFailed, match="variants of other genes, not with GENE7"):
        run(rare_variant_diseases(Reach(MemoryBulk(), live(summary("1", symbol="GENE8"))), GENE))


def test_live_nothing_found_is_a_note() -> None:
    told = run(rare_variant_diseases(Reach(MemoryBulk(), live(count="0")), GENE))
    assert told.missing == ("ClinVar has no pathogenic variant of GENE7.",)


@given(
    st.recursive(
        st.none() | st.integers() | st.text(),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(
                st.sampled_from(["result", "uids", "esearchresult", "idlist", "count", "1"]), inner
            )
        ),
        max_leaves=20,
    )
)
def test_garbled_replies_are_read_or_refused_in_a_sentence(value: object) -> None:
    read_or_refused(partial(summaries, value))
