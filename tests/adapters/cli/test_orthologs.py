"""`pestle orthologs` and `pestle eval orthologs` on invented families."""

import json
from pathlib import Path

import pytest

from agents.safety.evaluate.orthologs import Tier
from tests.adapters.cli.conftest import Pestle
from tests.agents.safety.orthologs.families import Family

FAMILY = Family(9, 200, 0.002)


def fasta(file: Path, *rows: tuple[str, str]) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(f">{head}\n{residues}\n" for head, residues in rows), encoding="utf-8")
    return file


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path, Path]:
    human = fasta(tmp_path / "human.fasta", ("P1 x [Homo sapiens]", FAMILY.residues("human")))
    dog, rat = FAMILY.residues("dog"), FAMILY.residues("rat")
    first = fasta(
        tmp_path / "first.fasta",
        ("D1 x [Canis lupus familiaris]", dog),
        ("D2 x, partial [Canis lupus familiaris]", dog[:90]),
    )
    second = fasta(tmp_path / "second.fasta", ("R1 x [Rattus norvegicus]", rat + FAMILY.random_residues(80)))
    return human, first, second


def test_choice_identity_flags_and_rejections_are_told(
    pestle: Pestle, files: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    human, first, second = map(str, files)
    out = tmp_path / "out.json"
    arguments = ("--human", human, "--candidates", first, second, "--species", "dog", "rat")
    ended = pestle("orthologs", *arguments, "--json", str(out))
    assert ended.code == 0
    assert "refused D2: 90 residues, 55.0 % fewer" in ended.out
    dog, rat = json.loads(out.read_text())["choices"]
    assert (dog["chosen"]["sequence"]["accession"], dog["verdict"]) == ("D1", "chosen")
    assert (rat["chosen"], rat["verdict"]) == (None, "excluded")
    assert [one["sequence"]["accession"] for one in rat["candidates"]] == ["R1"]
    assert [each["reason"] for one in rat["candidates"] for each in one["rejections"]] == ["length"]
    assert rat["searched"] == ["first.fasta", "second.fasta"]


def test_a_person_decides_what_the_rules_leave_open(
    pestle: Pestle, files: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    human, first, second = map(str, files)
    out = tmp_path / "out.json"
    given = ("orthologs", "--human", human, "--candidates", first, "--candidates", second, "--json", str(out))
    assert pestle(*given, "--species", "dog,rat,cat", "--choose", "rat=R1", "--accept", "cat").code == 0
    verdicts = [one["verdict"] for one in json.loads(out.read_text())["choices"]]
    assert verdicts == ["chosen", "chosen by hand", "exclusion accepted"]
    refused = pestle(*given, "--choose", "rat=R9")
    assert (refused.code, "R9, chosen for rat" in refused.err) == (2, True)
    assert "SPECIES=ACCESSION" in pestle(*given, "--choose", "rat").err


def test_all_species_of_the_files_can_be_asked_for(
    pestle: Pestle, files: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    human, first, second = map(str, files)
    out = tmp_path / "out.json"
    arguments = ("--candidates", first, second, "--species", "all", "--json", str(out))
    assert pestle("orthologs", "--human", human, *arguments).code == 0
    told = json.loads(out.read_text())["choices"]
    assert [one["species"]["common"] for one in told] == ["dog", "rat"]


def test_a_file_that_is_no_fasta_is_refused_in_a_sentence(pestle: Pestle, tmp_path: Path) -> None:
    bad = tmp_path / "bad.fasta"
    bad.write_bytes(b"\x00\xff garbage")
    ended = pestle("orthologs", "--human", str(bad), "--candidates", str(bad))
    assert (ended.code, "bad.fasta is no FASTA" in ended.err) == (2, True)
    missing = pestle("orthologs", "--human", str(tmp_path / "no"), "--candidates", str(bad))
    assert "cannot be read" in missing.err


def test_a_benchmark_counts_the_papers_tiers(pestle: Pestle, tmp_path: Path) -> None:
    gene = tmp_path / "set" / "gene"
    fasta(gene / "human.fasta", ("P1 x [Homo sapiens]", FAMILY.residues("human")))
    mouse, rabbit = FAMILY.residues("mouse"), FAMILY.residues("rabbit")
    fasta(
        gene / "candidates.fasta",
        ("D1 x [Canis lupus familiaris]", FAMILY.residues("dog")),
        ("M1 x [Mus musculus]", mouse),
        ("M2 x [Mus musculus]", FAMILY.mutated(mouse, 0.03)),
        ("R1 x [Rattus norvegicus]", FAMILY.residues("rat")[:100]),
        ("O1 x [Oryctolagus cuniculus]", rabbit),
        ("O2 x [Oryctolagus cuniculus]", FAMILY.mutated(rabbit, 0.2)),
        ("S1 x [Sus scrofa]", FAMILY.residues("minipig")),
    )
    rows = (
        ("species", "accession"),
        ("dog", "D1"),
        ("Mus musculus", "M2"),
        ("rat", "R1"),
        ("rabbit", "O2"),
        ("hamster", ""),
        ("pig", ""),
        ("guinea pig", "C1"),
    )
    (gene / "expected.tsv").write_text("".join("\t".join(row) + "\n" for row in rows))
    out = tmp_path / "out.json"
    ended = pestle("eval", "orthologs", str(tmp_path / "set"), "--json", str(out))
    assert ended.code == 0
    told = json.loads(out.read_text())
    assert [told[tier] for tier in Tier] == [1] * 7
    assert told["counted"] == 6
    assert told["accuracy"] == pytest.approx(2 / 6)
    assert "gene, rat: false negative; expected R1, chosen none" in ended.out


def test_columns_of_the_expected_file_may_be_in_any_order(pestle: Pestle, tmp_path: Path) -> None:
    fasta(tmp_path / "P1.fasta", ("P1 x [Homo sapiens]", FAMILY.residues("human")))
    fasta(tmp_path / "pool.fa", ("D1.2 x [Canis lupus familiaris]", FAMILY.residues("dog")))
    (tmp_path / "expected.tsv").write_text("gene\taccession\tspecies\nG\tD1\tdog\nG\tNA\tcat\n")
    out = tmp_path / "out.json"
    assert pestle("eval", "orthologs", str(tmp_path), "--json", str(out)).code == 0
    told = json.loads(out.read_text())
    assert (told[Tier.EXACT], told[Tier.EXCLUDED], told["accuracy"]) == (1, 1, 1.0)


def test_a_folder_of_another_form_is_refused(pestle: Pestle, tmp_path: Path) -> None:
    ended = pestle("eval", "orthologs", str(tmp_path))
    assert (ended.code, "expected.tsv" in ended.err) == (2, True)
