"""Which way drugs and diseases go, by DrugCentral and Gene2Phenotype; and loaded labels of these drugs."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from agents.databases import hgnc
from agents.databases.drugcentral import DRUGCENTRAL, WITHDRAWN, drugcentral_tool, mechanism_drugs
from agents.databases.facts import Change, Fact, Response
from agents.databases.gene2phenotype import (
    CLINGEN,
    CLINGEN_COLUMNS,
    G2P,
    HPO,
    clingen_tool,
    gene2phenotype_tool,
    hpo_tool,
)
from agents.databases.gtopdb import GTOPDB
from agents.databases.labels import LabelPassage, MemoryLabels
from agents.databases.ndc import DIRECTORY
from agents.databases.ndc_targets import ndc_tool
from agents.databases.openfda import COURSE
from agents.databases.openfda_safety import drug_labels_tool
from agents.databases.relatives import PARALOGUES, RELATIVE, relatives_tool
from agents.databases.sider import EVERYWHERE, ONE_REACTION, SHARED_REACTION, SIDER, sider_tool
from agents.databases.target import Target
from agents.safety.endpoints.mapping import effects_of
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


async def test_without_a_table_of_drugs_classes_of_products_tie_drugs_and_labels_to_a_target() -> None:
    head = "PRODUCTNDC\tPROPRIETARYNAME\tNONPROPRIETARYNAME\tSUBSTANCENAME\tPHARM_CLASSES"
    alone = "HER1 Antagonists [MoA],Epidermal Growth Factor Receptor Antagonist [EPC]"
    rows = (
        head,
        f"1\tVECTIBIX\tpanitumumab\tPANITUMUMAB\t{alone}",
        "2\tGILOTRIF\tafatinib\tAFATINIB\tKinase Inhibitor [EPC]",
        "3\tSPRYCEL\tdasatinib\tDASATINIB\tKinase Inhibitor [EPC]",
        f"4\tDUO\tpanitumumab and x\tPANITUMUMAB; SOMETHING\t{alone}",
    )
    directory = (DIRECTORY, rows)
    reply = await ask(ndc_tool, reach_of(files=(directory,)), "EGFR")
    assert [(one.term, one.change, one.shared) for one in facts_of(reply).facts] == [
        ("Panitumumab", Change.INHIBITION, False),
        ("Afatinib", Change.INHIBITION, True),
    ]
    label = LabelPassage("a", "Gilotrif", "boxed_warning", "WARNING: RASH Rare.", "s1")
    labels = await ask(
        drug_labels_tool, replace(reach_of(files=(directory,)), labels=MemoryLabels((label,))), "EGFR"
    )
    assert [(one.id, one.term, one.shared) for one in facts_of(labels).facts] == [("Afatinib", "rash", True)]
    told = facts_of(await ask(ndc_tool, reach_of(files=(directory, *FILES)), "EGFR"))
    assert (told.facts, told.answer) == ((), Response.NOT_ASKED)


async def test_the_chains_of_the_complex_that_an_antibody_binds_are_no_other_targets() -> None:
    bound = (DRUGS[0], "etarolizumab\t5\tComplex\tBRAF|KDR\t1\tANTIBODY BINDING")
    reply = await ask(drugcentral_tool, reach_of(files=((DRUGCENTRAL.formats[0], bound),)), "BRAF")
    assert [one.shared for one in facts_of(reply).facts] == [False]


@pytest.mark.parametrize(
    ("other", "change"), [("KDR|FLT1", Change.NOT_TOLD), ("BRAF|KDR", Change.INHIBITION)]
)
async def test_an_antibody_that_brings_two_targets_together_inhibits_neither(
    other: str, change: Change
) -> None:
    """Two complexes with a chain in common are inhibited by what binds that chain."""
    bound = (DRUGS[0], *(f"zorbitumomab\t5\tx\t{gene}\t1\tANTIBODY BINDING" for gene in ("BRAF", other)))
    reply = await ask(drugcentral_tool, reach_of(files=((DRUGCENTRAL.formats[0], bound),)), "BRAF")
    assert {one.change for one in facts_of(reply).facts if one.term} == {change}


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


async def read_of_label(section: str, text: str) -> Sequence[Fact]:
    """What is read of a section of the label of the target's drug."""
    held = MemoryLabels((replace(BOXED, section=section, text=text),))
    return facts_of(await ask(drug_labels_tool, replace(reach_of(files=FILES), labels=held), "BRAF")).facts


async def test_a_warning_that_the_label_gives_for_a_combination_is_marked() -> None:
    section = (
        "5.1 Hemorrhage Hemorrhages can occur when ZELBORAF is used in combination with zorbinib: 16%. "
        "5.2 Rash Rash can occur when it is given as a single agent or in combination with zorbinib."
    )
    one, other = await read_of_label("warnings_and_cautions", section)
    assert (one.term, one.measure) == ("Hemorrhage", "label warning on a combination")
    assert "with another medicine, in combination, warns of Hemorrhage" in one.text
    assert (other.term, other.measure) == ("Rash", "label warning")


async def test_the_loaded_label_of_a_targets_drug_is_read_without_the_network() -> None:
    reach = replace(reach_of(files=FILES), labels=MemoryLabels((BOTH, BOXED)))
    told = facts_of(await ask(drug_labels_tool, reach, "BRAF"))
    undated = "No date is known of the US label that was read of: vemurafenib. Later warnings may be missing."
    assert told.missing == ("No US label is at hand of: sorafenib.", undated)
    (fact,) = told.facts
    assert (
        fact.text == "The US label of vemurafenib, an inhibitor of BRAF, has a boxed warning of liver injury."
    )
    assert (fact.term, fact.change, fact.shared) == ("liver injury", Change.INHIBITION, False)


LISTED = (
    ("CID100000001", ("Fever", "Blue tongue", "Skin disorder", "Skin cancer")),
    ("CID100000002", ("Fever", "Blue tongue")),
    ("CID100000003", ("Fever", "Red tongue")),
    *((f"CID1000001{number:02}", ("Fever",)) for number in range(40)),
)
EFFECTS = [
    f"{drug}\tCID000000001\tC0000001\tPT\tC0000001\t{term}" for drug, terms in LISTED for term in terms
]
DRUG_NAMES = ["stitch_id\tdrug_name", "CID100000001\tvemurafenib", "CID100000002\tsorafenib"]
ON_BRAF = ((DRUGCENTRAL.formats[0], DRUGS),)


async def test_drugs_of_a_target_are_told_to_share_what_other_drugs_do_not_bring() -> None:
    sider = ((SIDER.formats[0], EFFECTS), (SIDER.formats[1], DRUG_NAMES))
    (shared,) = facts_of(await ask(sider_tool, reach_of(files=(*ON_BRAF, *sider)), "BRAF")).facts
    assert (shared.term, shared.change, shared.shared) == ("Blue tongue", Change.INHIBITION, False)
    assert shared.measure == SHARED_REACTION
    assert "2 of 2 drugs in SIDER of which each is an inhibitor of BRAF" in shared.text
    one = ((SIDER.formats[0], EFFECTS), (SIDER.formats[1], DRUG_NAMES[:2]))
    (alone,) = facts_of(await ask(sider_tool, reach_of(files=(*ON_BRAF, *one)), "BRAF")).facts
    assert (alone.term, alone.measure) == ("Blue tongue", ONE_REACTION)
    assert facts_of(await ask(sider_tool, reach_of(files=ON_BRAF), "BRAF")).answer is Response.NOT_ASKED
    nothing = await ask(sider_tool, reach_of(files=(*ON_BRAF, *sider)), "EGFR")
    assert facts_of(nothing).answer is Response.NO_ROW
    assert all(form.fits(lines) for form, lines in sider)


async def test_a_prodrug_is_no_second_drug() -> None:
    drugs = [*DRUGS, "fosvemurafenib\t5\tBRAF\tBRAF\t1\tINHIBITOR"]
    effects = [line for line in EFFECTS if not line.startswith("CID100000002")]
    effects += [line.replace("CID100000001", "CID100000005") for line in EFFECTS[:4]]
    names = [*DRUG_NAMES[:2], "CID100000005\tfosvemurafenib"]
    files = ((DRUGCENTRAL.formats[0], drugs), (SIDER.formats[0], effects), (SIDER.formats[1], names))
    told = facts_of(await ask(sider_tool, reach_of(files=files), "BRAF")).facts
    assert {one.measure for one in told} == {ONE_REACTION}


async def test_of_what_drugs_share_that_of_most_drugs_is_told_first() -> None:
    listed = [("1", "Blue tongue"), ("3", "Blue tongue"), ("1", "Cold"), ("3", "Cold"), ("4", "Cold")]
    listed += [(f"{number}", "Cold") for number in range(100, 113)]
    listed += [(f"{number}", "Fever") for number in range(100, 140)]
    effects = [f"CID1{int(a):08}\tCID000000001\tC0000001\tPT\tC0000001\t{term}" for a, term in listed]
    names = [*DRUG_NAMES, "CID100000003\tdabrafenib", "CID100000004\tencorafenib"]
    drugs = [
        *DRUGS,
        *(
            f"{name}\t{place}\tBRAF\tBRAF\t1\tINHIBITOR"
            for place, name in ((5, "dabrafenib"), (6, "encorafenib"))
        ),
    ]
    files = ((DRUGCENTRAL.formats[0], drugs), (SIDER.formats[0], effects), (SIDER.formats[1], names))
    told = facts_of(await ask(sider_tool, reach_of(files=files), "BRAF")).facts
    assert [one.term for one in told] == ["Cold", "Blue tongue"]


async def test_what_most_drugs_list_is_marked_also_where_all_drugs_of_the_target_do() -> None:
    own = (1, 3, 4, 5, 6)
    listed = [(drug, term) for drug in own for term in ("Fever", "Blue tongue")]
    listed += [(number, "Fever") for number in range(100, 120)]
    listed += [(number, "Cold") for number in range(100, 140)]
    effects = [f"CID1{a:08}\tCID000000001\tC0000001\tPT\tC0000001\t{term}" for a, term in listed]
    made = {number: f"{letter}rafenib" for number, letter in zip(own[1:], "bcdf", strict=True)}
    names = [*DRUG_NAMES[:2], *(f"CID10000000{number}\t{name}" for number, name in made.items())]
    drugs = [*DRUGS, *(f"{name}\t1{number}\tBRAF\tBRAF\t1\tINHIBITOR" for number, name in made.items())]
    files = ((DRUGCENTRAL.formats[0], drugs), (SIDER.formats[0], effects), (SIDER.formats[1], names))
    told = facts_of(await ask(sider_tool, reach_of(files=files), "BRAF")).facts
    assert {one.term: one.measure for one in told} == {"Fever": EVERYWHERE, "Blue tongue": SHARED_REACTION}


async def test_a_disease_of_a_lost_copy_is_of_loss_where_the_table_of_dosage_says_so() -> None:
    diseases = (f"{HEAD},disease MONDO", "G1,BRAF,Zorb,monoallelic,strong,altered,undetermined,MONDO:1")
    dosage = ("#Gene Symbol\tHaploinsufficiency Score\tHaploinsufficiency Disease ID", "ZORB1\t3\tMONDO:1")
    for score, change in (("3", Change.LOSS), ("1", Change.NOT_TOLD)):
        files = ((G2P.formats[0], diseases), (CLINGEN.formats[1], (*dosage, f"BRAF\t{score}\tMONDO:1")))
        (told,) = facts_of(await ask(gene2phenotype_tool, reach_of(files=files), "BRAF")).facts
        assert (told.change, told.assumed) == (change, False)


@pytest.mark.parametrize(
    ("product", "score", "change"),
    [
        ("decreased gene product level", "1", Change.LOSS),
        ("altered gene product structure; decreased gene product level", "1", Change.NOT_TOLD),
        ("altered gene product structure; decreased gene product level", "3", Change.LOSS),
    ],
)
async def test_a_product_that_is_altered_too_is_read_as_loss_where_a_lost_copy_suffices(
    product: str, score: str, change: Change
) -> None:
    diseases = (HEAD, f"G1,BRAF,Zorb,monoallelic,strong,{product},undetermined")
    dosage = (
        "#Gene Symbol\tHaploinsufficiency Score\tHaploinsufficiency Disease ID",
        "ZORB1\t3\tMONDO:1",
        f"BRAF\t{score}\tMONDO:2",
    )
    files = ((G2P.formats[0], diseases), (CLINGEN.formats[1], dosage))
    (told,) = facts_of(await ask(gene2phenotype_tool, reach_of(files=files), "BRAF")).facts
    assert told.change is change


async def test_what_a_drug_of_several_mechanisms_does_to_a_protein_that_it_binds_less_counts_last() -> None:
    drugs = (
        "DRUG_NAME\tGENE\tMOA\tACTION_TYPE\tACT_VALUE",
        "sorafenib\tBRAF\t1\tINHIBITOR\t7.0",
        "sorafenib\tKDR\t1\tINHIBITOR\t7.2",
        "amitriptyline\tBRAF\t1\tINHIBITOR\t7.0",
        "amitriptyline\tKDR\t1\tINHIBITOR\t6.0",
        "amitriptyline\tHRH1\t\t\t9.0",
        "phenytoin\tBRAF\t1\tINHIBITOR\t",
        "phenytoin\tKDR\t1\tINHIBITOR\t5.0",
        "vemurafenib\tBRAF\t1\tINHIBITOR\t",
    )
    labels = tuple(
        replace(BOXED, title=name, set_id=name, ingredients=(name,))
        for name in ("amitriptyline", "phenytoin", "sorafenib")
    )
    reach = reach_of(files=((DRUGCENTRAL.formats[0], drugs),))
    assert [(one.name, one.minor) for one in await mechanism_drugs(reach, Target("BRAF"))] == [
        ("vemurafenib", False),
        ("sorafenib", False),
        ("amitriptyline", True),
        ("phenytoin", True),
    ]
    alone = reach_of(files=((DRUGCENTRAL.formats[0], (drugs[0], *drugs[3:6])),))
    for base, held, read in (
        (reach, labels, ["sorafenib"]),
        (reach, labels[:2], []),
        (alone, labels, ["amitriptyline"]),
    ):
        told = facts_of(await ask(drug_labels_tool, replace(base, labels=MemoryLabels(held)), "BRAF"))
        assert [one.id for one in told.facts] == read


async def test_a_withdrawn_medicine_is_told_as_one() -> None:
    names = (
        "Ligand id,Name,Type,Approved,Withdrawn,INN,Synonyms",
        "1,vemurafenib,Synthetic organic,yes,yes,,",
    )
    files = (*ON_BRAF, (GTOPDB.formats[1], names))
    gone, used = facts_of(await ask(drugcentral_tool, reach_of(files=files), "BRAF")).facts[1:]
    assert (gone.measure, used.measure) == (WITHDRAWN, "drug")
    assert "it was withdrawn" in gone.text


HPO_FILES = (
    (
        HPO.formats[0],
        (
            "ncbi_gene_id\tgene_symbol\thpo_id\thpo_name\tfrequency\tdisease_id",
            "673\tBRAF\tHP:1\tFever\t-\tOMIM:1",
            "673\tBRAF\tHP:2\tRash\t-\tOMIM:1",
            "673\tBRAF\tHP:2\tRash\t-\tOMIM:2",
            "673\tBRAF\tHP:2\tRash\t-\tOMIM:3",
            "673\tBRAF\tHP:2\tRash\t-\tOMIM:4",
            "674\tARAF\tHP:2\tRash\t-\tOMIM:4",
        ),
    ),
    (
        HPO.formats[1],
        (
            "#version: 2025-01-16",
            "database_id\tdisease_name\tqualifier\thpo_id\treference\tevidence",
            "OMIM:1\tZorb insensitivity\t\tHP:0000007\tx\ty",
            "OMIM:2\tZorb fever\t\tHP:0000006\tx\ty",
            "OMIM:3\tZorb clots\t\tHP:0000007\tx\ty",
            "OMIM:3\tZorb clots\t\tHP:0001442\tx\ty",
            "OMIM:4\tZorb of many genes\t\tHP:0000007\tx\ty",
        ),
    ),
)


async def test_a_disease_that_hpo_lists_is_read_as_loss_if_it_is_recessive_alone_and_of_one_gene() -> None:
    (listed,) = facts_of(await ask(hpo_tool, reach_of(files=HPO_FILES), "BRAF")).facts
    assert (listed.term, listed.id, listed.change, listed.assumed) == (
        "Zorb insensitivity",
        "OMIM:1",
        Change.LOSS,
        True,
    )
    assert "inheritance: autosomal recessive; mechanism: not stated, read as loss of function" in listed.text


async def test_close_relatives_are_told_with_what_their_loss_brings() -> None:
    known = "hgnc_id\tsymbol\tname\talias_symbol\tprev_symbol"
    genes = (
        known,
        "HGNC:9\tZORB\tz\tBRAF\t",
        "HGNC:1\tBRAF\tb\t\t",
        "HGNC:2\tARAF\ta\t\t",
        "HGNC:3\tRAF1\tr\t\t",
    )
    pairs = (
        "hgnc_gene_id\thsapiens_paralog_hgnc_gene_id\thsapiens_paralog_perc_id",
        "HGNC:1\tHGNC:3\t39.9",
        "HGNC:1\tHGNC:2\t61.27",
        "HGNC:9\tHGNC:3\t71.2",  # of another gene, which has this name too
    )
    diseases = (HEAD, "G9,ARAF,Zorb oedema,biallelic_autosomal,strong,absent gene product,loss of function")
    files = ((hgnc.TSV, genes), (PARALOGUES.formats[0], pairs), (G2P.formats[0], diseases))
    (relative,) = facts_of(await ask(relatives_tool, reach_of(files=files), "BRAF")).facts
    assert relative.text == "ARAF is a close relative of BRAF, 61.3% identical; its loss brings Zorb oedema."
    assert (relative.measure, relative.value, relative.species) == (RELATIVE, 61.3, "human")
    none = facts_of(await ask(relatives_tool, reach_of(files=files), "RAF1"))
    assert none.missing == ("Ensembl paralogues lists no close relative of RAF1.",)


async def test_contraindications_are_told_in_the_labels_words_and_are_no_effect() -> None:
    for text, told in (
        ("4 CONTRAINDICATIONS Heart block [see Warnings (5.1)] (4)", "Heart block"),
        ("4 CONTRAINDICATIONS None.", ""),
    ):
        facts = await read_of_label("contraindications", text)
        says = f"The US label of vemurafenib, an inhibitor of BRAF, has as contraindications: {told}."
        assert [one.text for one in facts] == ([says] if told else [])
        assert not any(effects_of(one) for one in facts)


async def test_whether_a_warned_effect_goes_away_is_told_in_the_labels_words_and_is_no_effect() -> None:
    section = (
        "5.1 Liver Injury Zorbatinib can cause liver injury. These findings were reversible on interruption. "
        "5.2 Reversible Posterior Leukoencephalopathy Syndrome It has been seen with ZELBORAF."
    )
    facts = await read_of_label("warnings_and_cautions", section)
    (course,) = [one for one in facts if one.measure == COURSE]
    assert course.text == (
        "Of Liver Injury the US label of vemurafenib, an inhibitor of BRAF, says: “These findings were "
        "reversible on interruption”."
    )
    assert not effects_of(course)


async def test_a_disease_of_a_repeat_that_grew_is_no_loss_whatever_its_inheritance() -> None:
    rows = (",".join(CLINGEN_COLUMNS.values()), "BRAF,Kennedy disease,XL,Definitive")
    (told,) = facts_of(await ask(clingen_tool, reach_of(files=((CLINGEN.formats[0], rows),)), "BRAF")).facts
    assert (told.change, told.assumed) == (Change.NOT_TOLD, False)


async def test_a_haploinsufficiency_is_of_loss_by_its_name() -> None:
    rows = (
        ",".join(CLINGEN_COLUMNS.values()),
        "BRAF,Zorb fever due to BRAF haploinsufficiency,AD,Definitive",
    )
    (told,) = facts_of(await ask(clingen_tool, reach_of(files=((CLINGEN.formats[0], rows),)), "BRAF")).facts
    assert (told.change, told.assumed) == (Change.LOSS, True)


@pytest.mark.parametrize(("others", "told"), [(6, ["Oedema"]), (20, [])])
async def test_what_two_drugs_of_the_target_share_has_to_be_commoner_than_among_all_drugs(
    others: int, told: list[str]
) -> None:
    listed = (
        ("CID100000001", ("Oedema", "Blue tongue", "Pregnancy test false positive")),
        ("CID100000002", ("Oedema", "Fever", "Pregnancy test false positive")),
        ("CID100000003", ("Fever", "Blue tongue")),
        *((f"CID1000001{n:02}", ("Fever", *(("Oedema",) if n < others else ()))) for n in range(40)),
    )
    effects = [
        f"{drug}\tCID000000001\tC0000001\tPT\tC0000001\t{term}" for drug, own in listed for term in own
    ]
    names = (*DRUG_NAMES[:2], "CID100000002\tdabrafenib", "CID100000003\tsorafenib")
    drugs = (*DRUGS, "dabrafenib\t5\tBRAF\tBRAF\t1\tINHIBITOR")
    files = (
        (DRUGCENTRAL.formats[0], drugs),
        (SIDER.formats[0], effects),
        (SIDER.formats[1], names),
    )
    found = facts_of(await ask(sider_tool, reach_of(files=files), "BRAF")).facts
    assert [one.term for one in found] == told
