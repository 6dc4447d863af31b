"""Which way drugs and diseases go, by DrugCentral and Gene2Phenotype; and loaded labels of these drugs."""

from dataclasses import replace

from agents.databases.drugcentral import DRUGCENTRAL, drugcentral_tool
from agents.databases.facts import Change, Response
from agents.databases.gene2phenotype import G2P, gene2phenotype_tool
from agents.databases.gtopdb import GTOPDB
from agents.databases.labels import LabelPassage, MemoryLabels
from agents.databases.openfda_safety import drug_labels_tool
from tests.agents.databases.reaching import ask, facts_of, reach_of, said

DRUGS = (
    "DRUG_NAME\tSTRUCT_ID\tTARGET_NAME\tGENE\tMOA\tACTION_TYPE",
    "vemurafenib\t1\tBRAF\tBRAF\t1\tINHIBITOR",
    "sorafenib\t2\tKinases\tBRAF|KDR\t1\tINHIBITOR",
    "imatinib\t3\tBRAF\tBRAF\t\tINHIBITOR",
    "salbutamol\t4\tBeta 2\tADRB2\t1\tAGONIST",
)
HEAD = (
    "g2p id,gene symbol,disease name,allelic requirement,confidence,variant consequence,molecular mechanism"
)
DISEASES = (
    HEAD,
    "G1,BRAF,BRAF-related Noonan syndrome,monoallelic_autosomal,definitive,altered,gain of function",
    'G2,BRAF,"BRAF-related deafness, mild",biallelic_autosomal,strong,absent gene product,undetermined',
    "G3,BRAF,BRAF-related doubt,monoallelic_autosomal,limited,absent gene product,loss of function",
)
FILES = ((DRUGCENTRAL.formats[0], DRUGS), (G2P.formats[0], DISEASES))
BOXED = LabelPassage(
    "a", "ZELBORAF", "boxed_warning", "WARNING: LIVER INJURY Rare.", "s1", "", ("vemurafenib",)
)
BOTH = LabelPassage("b", "DUO", "boxed_warning", "WARNING: STROKE", "s2", "", ("vemurafenib", "cobimetinib"))


async def test_drugs_by_mechanism_come_with_their_action_and_the_unselective_last() -> None:
    reply = await ask(drugcentral_tool, reach_of(files=FILES), "BRAF")
    assert said(reply)[0] == "DrugCentral lists 2 drugs that act through BRAF."
    one, other = facts_of(reply).facts[1:]
    assert (one.term, one.change, one.shared) == ("vemurafenib", Change.INHIBITION, False)
    assert (other.term, other.shared) == ("sorafenib", True)
    absent = await ask(drugcentral_tool, reach_of(files=FILES), "EGFR")
    assert facts_of(absent).answer is Response.NO_ROW


async def test_a_disease_has_the_direction_of_its_mechanism_and_says_where_it_is_read() -> None:
    reply = await ask(gene2phenotype_tool, reach_of(files=FILES), "BRAF")
    gain, read = facts_of(reply).facts
    assert (gain.term, gain.change, gain.assumed) == ("Noonan syndrome", Change.GAIN, False)
    assert (read.term, read.change, read.assumed) == ("deafness, mild", Change.LOSS, True)
    assert "biallelic autosomal" in read.text


async def test_a_label_is_found_by_every_name_that_a_loaded_list_has_for_the_drug() -> None:
    names = (
        "Ligand id,Name,Type,Approved,INN,Synonyms",
        '1,vemurafenib,Synthetic organic,yes,vemurafenib,"PLX-4032|Zorbelo®|ro5185426"',
        "2,sorafenib,Synthetic organic,yes,,",
        "3,PLX-1,Synthetic organic,,,Zorbelo",
    )
    label = replace(BOXED, title="ZORBELO", ingredients=("zorbelo",))
    for files, found in ((FILES, 0), ((*FILES, (GTOPDB.formats[1], names)), 1)):
        reach = replace(reach_of(files=files), labels=MemoryLabels((label,)))
        assert len(facts_of(await ask(drug_labels_tool, reach, "BRAF")).facts) == found


async def test_a_warning_that_the_label_gives_for_a_combination_is_marked() -> None:
    section = (
        "5.1 Hemorrhage Hemorrhages can occur when ZELBORAF is used in combination with zorbinib: 16%. "
        "5.2 Rash Rash can occur when it is given as a single agent or in combination with zorbinib."
    )
    warnings = replace(BOXED, section="warnings_and_cautions", text=section)
    reach = replace(reach_of(files=FILES), labels=MemoryLabels((warnings,)))
    one, other = facts_of(await ask(drug_labels_tool, reach, "BRAF")).facts
    assert (one.term, one.measure) == ("Hemorrhage", "label warning on a combination")
    assert "with another medicine, in combination, warns of Hemorrhage" in one.text
    assert (other.term, other.measure) == ("Rash", "label warning")


async def test_the_loaded_label_of_a_targets_drug_is_read_without_the_network() -> None:
    reach = replace(reach_of(files=FILES), labels=MemoryLabels((BOTH, BOXED)))
    told = facts_of(await ask(drug_labels_tool, reach, "BRAF"))
    assert told.missing == ("No US label is at hand of: sorafenib.",)
    (fact,) = told.facts
    assert (
        fact.text == "The US label of vemurafenib, an inhibitor of BRAF, has a boxed warning of liver injury."
    )
    assert (fact.term, fact.change, fact.shared) == ("liver injury", Change.INHIBITION, False)
