"""The Human Protein Atlas: rows of both forms, the JSON entry and the XML entry."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.databases.memory import MemoryBulk
from agents.databases.ports import Reach
from agents.databases.protein_atlas import HPA, protein_location, read_entry
from agents.databases.protein_atlas_row import UNRAISED, levels
from agents.databases.target import Target
from agents.errors import ToolFailed
from agents.safety.endpoints.mapping import organ_systems_of
from tests.agents.databases.standing import assert_stands, format_of, loaded, read_or_refused, run, texts
from tests.support.recorded_web import RecordedWeb
from tests.support.services import shared

GENE = Target("GENE7", ensembl="ENSG00000000007")
OLD = (
    "Gene\tGene synonym\tEnsembl\tProtein class\tReliability (IF)\tSubcellular location\tRNA tissue category"
    "\tRNA TS TPM\tTPM max in non-specific\n"
    "GENE7\tG7\tENSG00000000007\tEnzymes, Transporters\tApproved\tCytosol<br>Nucleus,Golgi apparatus"
    "\tTissue enriched\tliver: 120.5;kidney: 30\tlung: 2.0\n"
)
NEW = (
    "Gene\tGene synonym\tEnsembl\tUniprot\tProtein class\tSubcellular main location\tRNA tissue specificity"
    "\tRNA tissue distribution\tRNA tissue specific nTPM\n"
    '"GENE7"\t"G7"\t"ENSG00000000007"\t"P00007"\t"Enzymes"\t"Cytosol"\t"Tissue enhanced"\t"Detected in many"'
    '\t"liver: 12.5"\n'
)
URL = "https://www.proteinatlas.org/ENSG00000000007"
XML = """<proteinAtlas><entry><name>GENE7</name><identifier id="ENSG00000000007" db="Ensembl"/>
<tissueExpression technology="IHC"><summary>Everywhere.</summary><verification>supported</verification>
<data><tissue>Liver</tissue><level type="expression">high</level></data>
<data><tissue>Lung</tissue></data></tissueExpression>
</entry></proteinAtlas>"""


def bulk(text: str) -> MemoryBulk:
    return loaded(format_of(HPA, "proteinatlas.tsv"), text, "2018")


def test_tissues_and_places_of_the_form_of_2018() -> None:
    told = run(protein_location(Reach(bulk(OLD)), GENE))
    assert_stands(told)
    assert "In the Human Protein Atlas 2018, the RNA of GENE7 is raised in liver (120.5 TPM)." in texts(told)
    assert (
        "In the Human Protein Atlas 2018, outside these tissues, the RNA of GENE7 is highest in lung "
        "(2.0 TPM)." in texts(told)
    )
    lung = next(fact for fact in told.facts if fact.term == "lung")
    assert lung.measure == UNRAISED
    assert organ_systems_of(lung) == ()
    places = [fact.term for fact in told.facts if fact.topic == "location"]
    assert places == ["Cytosol"]
    assert (
        "In the cell, the Human Protein Atlas 2018 locates the GENE7 protein at: Cytosol, Nucleus and Golgi "
        "apparatus (reliability of the staining: Approved)." in texts(told)
    )


def test_a_protein_is_told_by_its_name_and_kind_and_not_by_lists_that_name_it() -> None:
    classes = (
        "Disease related genes, Enzymes, Transporters, FDA approved drug targets, Predicted secreted proteins"
    )
    row = OLD.replace("Enzymes, Transporters", f"gene seven\t{classes}")
    told = run(protein_location(Reach(bulk(row.replace("Protein", "Gene description\tProtein"))), GENE))
    assert_stands(told)
    atlas = "the Human Protein Atlas 2018"
    assert f"GENE7 stands for gene seven; {atlas} counts it among: Enzymes." in texts(told)
    assert f"By its sequence, {atlas} predicts the GENE7 protein to be: secreted." in texts(told)
    assert not any("FDA" in text or "Disease related" in text for text in texts(told))


def test_a_comma_in_the_name_of_a_tissue_is_no_end_of_it() -> None:
    assert [tissue for tissue, _, _ in levels("RNA TS TPM", "cervix, uterine,lung: 2.0")] == [
        "cervix, uterine",
        "lung",
    ]


def test_tissues_of_the_later_form_with_its_own_unit() -> None:
    told = run(protein_location(Reach(bulk(NEW)), GENE))
    assert_stands(told)
    assert "In the Human Protein Atlas 2018, the RNA of GENE7 is raised in liver (12.5 nTPM)." in texts(told)
    assert any("its distribution is “Detected in many”" in text for text in texts(told))


def test_a_row_of_another_gene_with_the_same_symbol_is_not_taken() -> None:
    told = run(protein_location(Reach(bulk(OLD)), Target("GENE7", ensembl="ENSG00000000009")))
    assert told.missing == ("The loaded file of the Human Protein Atlas has no row of GENE7.",)


def test_a_row_that_tells_nothing_known_is_refused() -> None:
    empty = "Gene\tEnsembl\tProtein class\nGENE7\tENSG00000000007\tEnzymes\n"
    with pytest.raises(ToolFailed, match="neither a location nor a tissue category"):
        run(protein_location(Reach(bulk(empty)), GENE))


def entry(**more: object) -> str:
    row = {
        "Gene": "GENE7",
        "Ensembl": "ENSG00000000007",
        "Subcellular main location": ["Cytosol", "Nucleoplasm"],
    }
    return json.dumps([{**row, "RNA tissue specific nTPM": {"liver": "12.5"}, **more}])


def test_live_the_entry_and_the_stained_tissues_are_joined() -> None:
    web = RecordedWeb({f"{URL}.json": entry(), f"{URL}.xml": XML}, date="2026-08-11")
    told = run(protein_location(Reach(MemoryBulk(), web), GENE))
    assert_stands(told)
    assert (
        "By antibody staining, the Human Protein Atlas (2026-08-11) finds the level of GENE7 protein in "
        "Liver: high (reliability: supported)." in texts(told)
    )
    assert {fact.term for fact in told.facts} == {"Cytosol", "liver", "Liver"}


def test_live_one_half_is_enough_and_the_other_is_said_to_be_missing() -> None:
    web = RecordedWeb({f"{URL}.json": entry(), f"{URL}.xml": ToolFailed("It took too long.")})
    told = run(protein_location(Reach(MemoryBulk(), web), GENE))
    assert told.facts
    assert told.missing == ("A part of what the Human Protein Atlas says is missing: It took too long.",)


def test_live_another_gene_is_refused() -> None:
    other = entry(Gene="GENE8", Ensembl="ENSG00000000008")
    web = RecordedWeb({f"{URL}.json": other, f"{URL}.xml": XML.replace("00000000007", "00000000008")})
    with pytest.raises(ToolFailed, match="GENE8, not with GENE7"):
        run(protein_location(Reach(MemoryBulk(), web), GENE))


def test_live_neither_half_raises_in_a_sentence() -> None:
    web = RecordedWeb({f"{URL}.json": "<html>", f"{URL}.xml": "no xml"})
    with pytest.raises(ToolFailed, match="no JSON"):
        run(protein_location(Reach(MemoryBulk(), web), GENE))


def test_an_entity_in_xml_is_not_read() -> None:
    evil = f'<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>{XML.replace("Everywhere.", "&e;")}'
    assert "root" not in read_entry(evil, GENE).summary


@given(st.text() | st.builds(lambda a, b: XML[:a] + XML[b:], st.integers(0, 400), st.integers(0, 800)))
def test_garbled_xml_is_read_or_refused_in_a_sentence(xml: str) -> None:
    read_or_refused(lambda: read_entry(xml, GENE))


@pytest.mark.service("shared")
def test_the_recorded_entry_of_braf() -> None:
    xml = shared("data/tsa/api_captures/hpa/braf_20260811.xml").read_text()
    xml = xml.replace("<entry>", "<entry><name>BRAF</name>")  # the recording left out whose entry it is
    braf = Target("BRAF", ensembl="ENSG00000157764")
    web = RecordedWeb({"https://www.proteinatlas.org/ENSG00000157764.xml": xml}, date="2026-08-11")
    told = run(protein_location(Reach(MemoryBulk(), web), braf))
    assert_stands(told)
    assert {fact.topic for fact in told.facts} == {"expression"}
    assert any("level of BRAF protein in" in text for text in texts(told))
