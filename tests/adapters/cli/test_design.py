"""`pestle design`: the molecules as files."""

import csv
import json
import re
from pathlib import Path

import numpy as np

from agents.chemistry.molecule import read_sdf
from tests.adapters.cli.conftest import QUESTION, Pestle
from tests.agents.design.test_evaluate import STUMP

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


def test_the_end_of_a_design_names_the_files_and_the_command_that_writes_each(
    pestle: Pestle, tmp_path: Path
) -> None:
    ended = pestle("design", BRIEF, "--rounds", "1", "--scientists", "2")
    told = re.search(
        r"Files of this run: (.+)\. `pestle (run export \w+ --to) candidates.sdf`",
        " ".join(ended.out.split()),
    )
    assert told, ended.out[-400:]
    assert told[1].split(", ") == ["candidates.sdf", "candidates.csv", "candidates.smi", "transcript.md"]
    for name in told[1].split(", "):
        assert pestle(*told[2].split(), str(tmp_path / name)).code == 0
    assert read_sdf((tmp_path / "candidates.sdf").read_bytes())
    assert (tmp_path / "transcript.md").read_text().startswith("# Transcript")


def test_a_report_without_molecules_has_no_such_file(pestle: Pestle, home: Path, tmp_path: Path) -> None:
    run_id = json.loads(pestle("ask", "--json", QUESTION).out)["run_id"]
    ended = pestle("run", "export", run_id, "--to", str(tmp_path / "a.sdf"))
    assert ended.code == 2
    assert "no molecules" in ended.err


def test_an_ablation_that_needs_a_model_is_left_out_without_one_and_the_reason_is_told(
    pestle: Pestle, tmp_path: Path
) -> None:
    (tmp_path / "oracles").mkdir()
    np.savez(tmp_path / "oracles" / "abc1.npz", **STUMP)
    rows = ("--method", "profile: generated", "--method", "profile: none")
    asked = ("--ablations", "--calls", "10", "--seeds", "1", "--kept", str(tmp_path / "kept"))
    ended = pestle("eval", "design", str(tmp_path), *asked, *rows)
    assert ended.code == 0, ended.err
    assert "“profile: generated” is left out: it needs a language model" in " ".join(ended.out.split())
    assert "0.0" in ended.out, "the other row is told"
