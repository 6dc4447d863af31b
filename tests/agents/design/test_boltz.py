"""Boltz-2 by its command line: what it is asked, how its answer is read, and what is told without it."""

import sys
from pathlib import Path

import pytest

from agents.chemistry.molecule import read_molecule
from agents.design.boltz import Boltz, read_boltz
from agents.design.oracle import Score
from agents.design.work import oracle_in
from agents.errors import LibraryMissing, WrongFile

MOLECULE = read_molecule("CC(=O)Nc1ccc(Cl)cc1")
FAKE = """#!{python}
# Checks its input as `boltz predict` documents it, and answers where that writes.
import json, sys, yaml
from pathlib import Path
predict, path, option, out = sys.argv[1:]
asked = yaml.safe_load(Path(path).read_text())
(protein, ligand), (wanted,) = asked["sequences"], asked["properties"]
assert (predict, option, asked["version"]) == ("predict", "--out_dir", 1)
assert protein == {{"protein": {{"id": "A", "sequence": "MKTAYIAK", "msa": "{msa}"}}}}
assert list(ligand["ligand"]) == ["id", "smiles"]
assert wanted == {{"affinity": {{"binder": ligand["ligand"]["id"]}}}}
if ligand["ligand"]["smiles"] == "C":
    sys.exit(1)
place = Path(out, "boltz_results_asked", "predictions", "asked")
place.mkdir(parents=True)
told = {{"affinity_pred_value": -1.5, "affinity_pred_value1": -1.7, "affinity_pred_value2": -1.3}}
(place / "affinity_asked.json").write_text(json.dumps(told | {{"affinity_probability_binary": 0.9}}))
"""


def fasta(folder: Path, text: str = ">JNK3 a protein\nMKTA\nYIAK\n") -> Path:
    path = folder / "jnk3.fasta"
    path.write_text(text)
    return path


def test_affinity_is_asked_as_documented_and_read_as_pic50(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "jnk3.a3m").write_text(">JNK3\nMKTAYIAK\n")
    program = tmp_path / "boltz"
    program.write_text(FAKE.format(python=sys.executable, msa=tmp_path / "jnk3.a3m"))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin")
    oracle = oracle_in(fasta(tmp_path))
    assert oracle == Boltz("jnk3", "MKTAYIAK", str(tmp_path / "jnk3.a3m"))
    (told, failed) = oracle.score([MOLECULE, read_molecule("C")])
    assert told == Score(7.5, pytest.approx(0.2), True)
    assert "Boltz-2 gave no affinity for C" in failed.failed


def test_what_is_missing_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert read_boltz(fasta(tmp_path)).msa == "empty"
    with pytest.raises(LibraryMissing, match="pip install boltz"):
        read_boltz(fasta(tmp_path)).score([MOLECULE])
    for wrong in ("", "MKTA", ">a\nMKTA\n>b\nMKTA\n"):
        with pytest.raises(WrongFile, match="one protein"):
            read_boltz(fasta(tmp_path, wrong))
