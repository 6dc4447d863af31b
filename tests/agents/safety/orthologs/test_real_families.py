"""Real families: ACE2 with fragments and isoforms, DPP4 with plasminogen and an ACE2 among its sequences."""

import time
from pathlib import Path

import pytest

from agents.safety.evaluate.orthologs import evaluate_orthologs
from agents.safety.orthologs.fasta import read_fasta
from agents.safety.orthologs.select import select
from agents.safety.orthologs.species import species_named
from agents.safety.orthologs.values import ProteinSequence, Reason, Selection
from tests.agents.safety.orthologs.expected import ACE2, ACE2_TREE, DPP4
from tests.support.services import shared

pytestmark = pytest.mark.service("shared")
FOLDER = "data/tsa/orthologs"


def sequences(*names: str) -> list[ProteinSequence]:
    return [
        one
        for name in names
        for one in read_fasta(shared(f"{FOLDER}/{name}").read_text(), name.split("/")[1])
    ]


def human_ace2() -> list[ProteinSequence]:
    return [one for one in sequences("ace2/Q9BYF1_members.fasta") if one.accession == "Q9BYF1"]


def chosen(selection: Selection) -> dict[str, str]:
    return {
        choice.species.common: choice.chosen.sequence.accession if choice.chosen else ""
        for choice in selection.choices
    }


def refusals(selection: Selection, species: str) -> dict[str, str]:
    choice = selection.of(species_named(species))
    assert choice is not None
    return {one.sequence.accession: one.rejections[0].text for one in choice.refused}


def test_ace2_gets_the_canonical_sequence_of_every_species_quickly() -> None:
    wanted = [species_named(name) for name in ACE2]
    started = time.process_time()
    selection = select(human_ace2(), sequences("ace2/Q9BYF1_members.fasta"), wanted)
    assert chosen(selection) == ACE2
    assert time.process_time() - started < 20
    mouse = refusals(selection, "mouse")
    assert mouse["Q8R0I0-2"].startswith("353 residues, 56.1 % fewer")
    assert mouse["F6X479"].startswith("521 residues, 35.3 % fewer")


def test_an_ensembl_gene_tree_gives_the_same_species() -> None:
    wanted = [species_named(name) for name in ACE2_TREE]
    selection = select(human_ace2(), sequences("ace2/ACE2_gene_tree_aligned.fa"), wanted)
    assert chosen(selection) == ACE2_TREE


def test_dpp4_refuses_plasminogen_and_ace2_with_the_reason() -> None:
    wanted = [species_named(name) for name in DPP4]
    files = ("dpp4/dpp4_dataset.fasta", "dpp4/P27487_similar.fasta")
    selection = select(sequences("dpp4/P27487.fasta"), sequences(*files), wanted)
    assert chosen(selection) == DPP4
    assert refusals(selection, "rhesus monkey")["P12545"].startswith("“Plasminogen” (PLG): 76.4 % of")
    assert refusals(selection, "orangutan")["Q5RFN1"].startswith("“Angiotensin-converting enzyme 2” (ACE2)")
    dog = refusals(selection, "dog")["A0A8I3Q958"]
    assert "21.4 % more than the 766" in dog


def test_another_family_among_the_candidates_is_refused_for_every_species() -> None:
    pool = [*sequences("ace2/Q9BYF1_members.fasta"), *sequences("dpp4/dpp4_dataset.fasta")]
    wanted = [species_named(name) for name in ("rhesus monkey", "mouse", "hamster")]
    selection = select(sequences("dpp4/P27487.fasta"), pool, wanted)
    assert chosen(selection) == {name: DPP4[name] for name in ("rhesus monkey", "mouse", "hamster")}
    choice = selection.of(species_named("mouse"))
    assert choice is not None
    assert Reason.MISMATCH in {each.reason for one in choice.refused for each in one.rejections}


def test_the_benchmark_is_all_right(tmp_path: Path) -> None:
    for gene, expected in (("ace2", ACE2), ("dpp4", DPP4)):
        folder = tmp_path / gene
        folder.mkdir()
        rows = "".join(f"{species}\t{accession}\n" for species, accession in expected.items())
        (folder / "expected.tsv").write_text(f"species\taccession\n{rows}")
    (human,) = human_ace2()
    (tmp_path / "ace2" / "human.fasta").write_text(f">sp|Q9BYF1|ACE2_HUMAN x GN=ACE2\n{human.residues}\n")
    for name in ("ace2/Q9BYF1_members.fasta", "dpp4/P27487.fasta", "dpp4/dpp4_dataset.fasta"):
        (tmp_path / name).write_text(shared(f"{FOLDER}/{name}").read_text())
    similar = shared(f"{FOLDER}/dpp4/P27487_similar.fasta").read_text()
    (tmp_path / "dpp4" / "similar.fa").write_text(similar)
    figures = evaluate_orthologs(tmp_path)
    assert (figures.accuracy, figures.counted) == (1.0, len(ACE2) + len(DPP4))
