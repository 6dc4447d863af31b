"""Which way drugs and diseases go, by DrugCentral and Gene2Phenotype; and loaded labels of these drugs."""

from dataclasses import replace

from agents.databases.drugcentral import DRUGCENTRAL, drugcentral_tool
from agents.databases.facts import Change, Response
from agents.databases.gene2phenotype import G2P, gene2phenotype_tool
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


async def test_the_loaded_label_of_a_targets_drug_is_read_without_the_network() -> None:
    reach = replace(reach_of(files=FILES), labels=MemoryLabels((BOTH, BOXED)))
    (fact,) = facts_of(await ask(drug_labels_tool, reach, "BRAF")).facts
    assert (
        fact.text == "The US label of vemurafenib, an inhibitor of BRAF, has a boxed warning of liver injury."
    )
    assert (fact.term, fact.change, fact.shared) == ("liver injury", Change.INHIBITION, False)
