"""KEGG: an entry in the flat-file form that the service documents, written for these tests."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.databases.kegg import API, entry_of, kegg_gene, read_flat
from agents.databases.memory import MemoryBulk, RecordedWeb
from agents.databases.ports import Reach
from agents.databases.target import Target
from agents.errors import ToolFailed
from tests.agents.databases.standing import assert_stands, read_or_refused, run, texts

GENE = Target("GENE7", entrez="7")
ENTRY = """ENTRY       7                 CDS       T01001
SYMBOL      GENE7, G7
NAME        (RefSeq) gene seven
ORTHOLOGY   K00007  protein seven
PATHWAY     hsa04020  Calcium signaling pathway
            hsa04024  cAMP signaling pathway
DISEASE     H00007  Made-up disease
DRUG_TARGET Seventol: D00007<JP/US> D00008
            Unreadable line
///
ENTRY       8                 CDS       T01001
"""


def kegg(text: str | None, target: Target = GENE):
    web = RecordedWeb({f"{API}/hsa:{target.entrez}": text}, date="2026-08-11")
    return run(kegg_gene(Reach(MemoryBulk(), web), target))


def test_pathways_diseases_and_drugs_are_told() -> None:
    told = kegg(ENTRY)
    assert_stands(told)
    assert texts(told) == [
        "KEGG (2026-08-11) lists 2 pathways of GENE7: Calcium signaling pathway and cAMP signaling pathway.",
        "KEGG (2026-08-11) lists GENE7 with the pathway Calcium signaling pathway (hsa04020).",
        "KEGG (2026-08-11) lists GENE7 with the pathway cAMP signaling pathway (hsa04024).",
        "KEGG (2026-08-11) lists 1 disease of GENE7: Made-up disease.",
        "KEGG (2026-08-11) lists GENE7 with the disease Made-up disease (H00007).",
        "KEGG (2026-08-11) lists Seventol (D00007) as a drug with the target GENE7.",
    ]


def test_the_next_entry_is_not_read() -> None:
    assert read_flat(ENTRY)["ENTRY"] == ["7                 CDS       T01001"]


def test_another_gene_and_another_form_are_refused() -> None:
    with pytest.raises(ToolFailed, match="the entry of gene 7, not with GENE8"):
        entry_of(ENTRY, Target("GENE8", entrez="8"))
    with pytest.raises(ToolFailed, match="no ENTRY"):
        kegg("<html>busy</html>")


def test_no_entry_no_id_and_no_network_are_notes() -> None:
    assert kegg(None).missing == ("KEGG has no entry of GENE7 (hsa:7).",)
    assert "none is known of GENE7" in kegg(ENTRY, Target("GENE7")).missing[0]
    assert "was not asked" in run(kegg_gene(Reach(MemoryBulk()), GENE)).missing[0]


@given(st.text() | st.text(alphabet="ENTRY 7\n/PATHW:"))
def test_garbled_entries_are_read_or_refused_in_a_sentence(text: str) -> None:
    read_or_refused(lambda: entry_of(text, GENE))
