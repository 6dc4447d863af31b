"""`pestle design`: the molecules as files."""

import csv
import json
from pathlib import Path

from agents.chemistry.molecule import read_sdf
from tests.adapters.cli.conftest import QUESTION, Pestle

BRIEF = "JNK3 inhibitors like CC(=O)Nc1ccc(Cl)cc1, more soluble"


def test_the_molecules_of_a_design_are_written_as_sdf_csv_and_smiles(pestle: Pestle, tmp_path: Path) -> None:
    files = [tmp_path / f"mine.{form}" for form in ("sdf", "csv", "smi")]
    asked = [word for one in files for word in ("--export", str(one))]
    assert pestle("design", BRIEF, "--rounds", "1", "--scientists", "2", *asked).code == 0
    molecules = read_sdf(files[0].read_bytes())
    assert molecules
    assert len(list(csv.DictReader(files[1].read_text().splitlines()))) == len(molecules)
    assert [line.split()[0] for line in files[2].read_text().splitlines()] == [
        one.smiles for one in molecules
    ]


def test_a_report_without_molecules_has_no_such_file(pestle: Pestle, home: Path, tmp_path: Path) -> None:
    run_id = json.loads(pestle("ask", "--json", QUESTION).out)["run_id"]
    ended = pestle("run", "export", run_id, "--to", str(tmp_path / "a.sdf"))
    assert ended.code == 2
    assert "no molecules" in ended.err
