"""MGI: phenotypes of mice, by class and by genotype."""

import json

import pytest

from agents.databases.genotypes import change_of
from agents.databases.impc import IMPC, knockouts
from agents.databases.memory import MemoryBulk
from agents.databases.mgi import API, MGI, NO_ALLELE, mouse_phenotypes
from agents.databases.ports import Reach
from agents.databases.target import Target
from agents.errors import ToolFailed
from tests.agents.databases.standing import assert_stands, format_of, loaded, run, texts
from tests.support.recorded_web import RecordedWeb

TABLE = (
    "GENE7\t7\tGene7\tMGI:70\tMP:0005385, MP:0005376\t\n"
    "GENE8\t8\t\tno\tGene8\tMGI:80\tMP:0005385 MP:0002873\n"
    "GENE9\t9\tGene9\tMGI:90\t\t\n"
    "GENE4\t4\tGene4\tMGI:40\tMP:0005385\t\nGENE4\t4\tGenelike\tMGI:41\tMP:0005376\t\n"
)
TERMS = (
    "MP:0005385\tcardiovascular system phenotype\tabnormal heart or vessels\n"
    "MP:0005376\thomeostasis/metabolism phenotype\t\n"
    "MP:0002873\tnormal phenotype\t\nMP:0001544\tabnormal heartbeat\t\n"
)
GENOTYPES = (
    "Gene7<tm1Abc>/Gene7<+>\tGene7<tm1Abc>\tMGI:1\tB6\tMP:0005376\t11\tMGI:70\tMGI:2\n"
    "Gene7<tm1Abc>/Gene7<tm1Abc>\tGene7<tm1Abc>\tMGI:1\tB6\tMP:0001544\t12\tMGI:70\tMGI:3\n"
    "Gene7<tm1Abc>/Gene7<+>\tGene7<tm1Abc>\tMGI:1\tB6\tMP:0001544\t11\tMGI:70\tMGI:2\n"
)


def bulk(genotypes: bool = False) -> MemoryBulk:
    found = loaded(format_of(MGI, "HMD_HumanPhenotype.rpt"), TABLE)
    loaded(format_of(MGI, "VOC_MammalianPhenotype.rpt"), TERMS, into=found)
    if genotypes:
        loaded(format_of(MGI, "MGI_GenePheno.rpt"), GENOTYPES, into=found)
    return found


def test_each_class_is_a_fact_of_the_mouse_and_loss_is_said_to_be_a_reading() -> None:
    told = run(mouse_phenotypes(Reach(bulk()), Target("GENE7")))
    assert_stands(told)
    assert texts(told) == [
        "MGI 2020 lists 2 classes of phenotypes of mice with mutations of Gene7, the ortholog of human "
        "GENE7: cardiovascular system and homeostasis/metabolism.",
        "In MGI 2020, mice with mutations of Gene7, the ortholog of human GENE7, show: cardiovascular system "
        "phenotype (MP:0005385).",
        "In MGI 2020, mice with mutations of Gene7, the ortholog of human GENE7, show: "
        "homeostasis/metabolism phenotype (MP:0005376).",
    ]
    assert {(fact.species, fact.change) for fact in told.facts} == {("mouse", "loss")}
    assert told.missing == (NO_ALLELE,)


def test_of_several_genes_of_the_mouse_the_one_of_the_same_symbol_is_the_ortholog() -> None:
    told = run(mouse_phenotypes(Reach(bulk()), Target("GENE4")))
    assert [fact.id for fact in told.facts if fact.id] == ["MP:0005385"]


def test_the_table_with_further_columns_is_read_and_normal_is_no_finding() -> None:
    told = run(mouse_phenotypes(Reach(bulk()), Target("GENE8")))
    assert [fact.id for fact in told.facts if fact.id] == ["MP:0005385"]


def test_a_gene_without_phenotypes_or_ortholog_is_said_so() -> None:
    assert run(mouse_phenotypes(Reach(bulk()), Target("GENE9"))).missing == (
        "MGI lists no phenotype of mouse Gene9.",
    )
    assert run(mouse_phenotypes(Reach(bulk()), Target("GENE10"))).missing == (
        "MGI lists no mouse ortholog of GENE10.",
    )


def test_another_gene_under_the_same_symbol_is_not_taken() -> None:
    assert not run(mouse_phenotypes(Reach(bulk()), Target("GENE7", entrez="77"))).facts


def test_with_genotypes_the_homozygous_one_is_told_as_loss() -> None:
    told = run(mouse_phenotypes(Reach(bulk(genotypes=True)), Target("GENE7")))
    assert_stands(told)
    by_term = {fact.id: fact for fact in told.facts if fact.record == 1}
    assert by_term["MP:0001544"].change == "loss"
    assert "Gene7<tm1Abc>/Gene7<tm1Abc>" in by_term["MP:0001544"].text
    assert by_term["MP:0005376"].change == ""
    assert NO_ALLELE not in told.missing


def monarch(*found: dict[str, object], total: int | None = None) -> str:
    return json.dumps({"total": len(found) if total is None else total, "items": found})


def phenotype(term: str, name: str, subject: str = "MGI:70") -> dict[str, object]:
    return {"subject": subject, "object": term, "object_label": name, "publications": ["PMID:5"]}


MOUSE = {"id": "MGI:70", "symbol": "Gene7"}


def test_live_single_phenotypes_are_added_to_the_classes() -> None:
    found = monarch(phenotype("MP:1", "abnormal pulse"))
    web = RecordedWeb({f"{API}/association": found}, date="2026-08-11")
    told = run(mouse_phenotypes(Reach(bulk(), web), Target("GENE7")))
    assert_stands(told)
    assert texts(told)[-1] == (
        "In MGI (2026-08-11), mice with mutations of Gene7, the ortholog of human GENE7, show: abnormal "
        "pulse (MP:1, PMID:5)."
    )
    assert {fact.record for fact in told.facts} == {0, 1}


def test_live_details_that_fail_do_not_take_the_classes_with_them() -> None:
    web = RecordedWeb({f"{API}/association": ToolFailed("It is busy.")})
    told = run(mouse_phenotypes(Reach(bulk(), web), Target("GENE7")))
    assert len(told.facts) == 3
    assert told.missing[-1] == "The single phenotypes of mouse Gene7 are missing: It is busy."


def test_live_without_files_the_mouse_gene_of_the_same_symbol_is_taken_and_no_other() -> None:
    other = {"id": "MGI:71", "symbol": "Gene7os"}
    found = monarch(phenotype("MP:1", "abnormal pulse"), phenotype("HP:1", "no mouse term"), total=900)
    web = RecordedWeb({f"{API}/search": monarch(other, MOUSE), f"{API}/association": found})
    told = run(mouse_phenotypes(Reach(MemoryBulk(), web), Target("GENE7")))
    assert_stands(told)
    assert [fact.id for fact in told.facts if fact.id] == ["MP:1"]
    assert told.missing[-1] == "Of 900 annotations of mouse Gene7, the first 500 were read."
    web = RecordedWeb({f"{API}/search": monarch(other)})
    assert (
        "No mouse gene of the symbol GENE7"
        in run(mouse_phenotypes(Reach(MemoryBulk(), web), Target("GENE7"))).missing[0]
    )


def test_live_another_gene_or_form_is_refused() -> None:
    search = {f"{API}/search": monarch(MOUSE)}
    other = RecordedWeb(search | {f"{API}/association": monarch(phenotype("MP:1", "x", "MGI:99"))})
    with pytest.raises(ToolFailed, match="MGI:99, not with MGI:70"):
        run(mouse_phenotypes(Reach(MemoryBulk(), other), Target("GENE7")))
    with pytest.raises(ToolFailed, match="no list `items`"):
        run(mouse_phenotypes(Reach(MemoryBulk(), RecordedWeb({f"{API}/search": "{}"})), Target("GENE7")))


@pytest.mark.parametrize(
    ("genotype", "change"),
    [
        ("Gene7<tm1Abc>/Gene7<tm1Abc>", "loss"),
        ("Gene7<em1Abc>/Gene7<em1Abc>", "loss"),
        ("Gene7<tm1Abc>/Gene7<+>", ""),
        ("Gene7<tm1(GENE8)Abc>/Gene7<tm1(GENE8)Abc>", ""),
        ("Tg(CAG-Gene7)1Abc/0", ""),
    ],
)
def test_only_two_copies_of_one_lost_allele_are_loss(genotype: str, change: str) -> None:
    assert change_of(genotype) == change


def test_knockouts_are_told_by_allele_and_zygosity_each_phenotype_once_with_their_death() -> None:
    held = bulk()
    rows = 'O:1,a,GENE7,Gene7<tm1b(X)Wtsi> het early,1,HP:1,"MP:0001544,MP:0005376"\n'
    header = "Disorder id,Name,Human gene symbol,Mouse model description,Score,HP,Matching mouse phenotypes"
    loaded(format_of(IMPC, "impc_phenodigm.csv"), f"{header}\n{rows}", into=held)
    header = "mouse_gene_symbol\tmouse_gene_id\tmouse_model\tmouse_phenotype"
    rows = "Gene7\tMGI:70\tMGI:5#hom#embryo\tMP:0001544|MP:0001544"
    loaded(format_of(IMPC, "model_phenotypes.tsv"), f"{header}\n{rows}", into=held)
    header = "MGI_ID\thomozygosity\tviability_by_pup_numbers\tWindow"
    rows = "MGI:70\tHomozygous\tLethal\tAfter E14.5"
    loaded(format_of(IMPC, "window_of_lethality.tsv"), f"{header}\n{rows}", into=held)
    told = run(knockouts(Reach(held), Target("GENE7")))
    assert_stands(told)
    assert [(fact.term, fact.genotype) for fact in told.facts] == [
        ("homeostasis/metabolism phenotype", "Gene7<tm1b(X)Wtsi>, heterozygous, early adult"),
        ("abnormal heartbeat", "Gene7<MGI:5>, homozygous, embryo"),
        ("preweaning lethality, complete penetrance", "homozygous knockout (time of death: After E14.5)"),
    ]
    assert {fact.change for fact in told.facts} == {"loss"}
