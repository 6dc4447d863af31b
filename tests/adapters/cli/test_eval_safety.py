"""`pestle eval safety` and `refinement`, as commands."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from agents.reports.values import Points, Report, Section, Statement
from agents.runs.encoding import adapter
from tests.adapters.cli.conftest import Pestle
from tests.support.services import shared

CURATED = "symptom\tbiologicalSystem\teffect\ttarget\nbradycardia\tcardiovascular\tinhibition_acute\tKLM1\n"
SETS = "\n".join(f"regulation of heart rate {n} (GO:{n:07})\t\tKLM1\tABC2" for n in range(1, 9)) + "\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "curated"
    made.mkdir()
    (made / "adverse_effects.tsv").write_text(CURATED)
    return made


def test_without_a_loaded_file_the_command_says_what_to_do(pestle: Pestle, folder: Path) -> None:
    ended = pestle("eval", "safety", str(folder))
    assert ended.code == 3
    assert "pestle sources load" in ended.err


def test_targets_are_compared_over_loaded_files(pestle: Pestle, folder: Path, tmp_path: Path) -> None:
    sets = tmp_path / "GO_Biological_Process_2021.gmt"
    sets.write_text(SETS)
    mice = tmp_path / "HMD_HumanPhenotype.rpt"
    mice.write_text("KLM1\t991\tKlm1\tMGI:991\tMP:0005385\t\n" * 3)
    for source, file in (("go", sets), ("mgi", mice)):
        assert pestle("sources", "load", source, str(file)).code == 0
    out = tmp_path / "out.json"

    ended = pestle("eval", "safety", str(folder), "--json", str(out))

    assert ended.code == 0
    assert "1 of 1 targets covered" in ended.out
    told = json.loads(out.read_text())
    assert (told["covered"], told["organ_system"]["recall"], told["organ_system"]["precision"]) == (1, 1, 1)
    assert told["each"][0]["found"] == ["cardiovascular"]


def test_another_folder_is_refused(pestle: Pestle, tmp_path: Path) -> None:
    ended = pestle("eval", "safety", str(tmp_path))
    assert ended.code == 3
    assert "adverse_effects.tsv" in ended.err


@pytest.mark.drill
@pytest.mark.service("shared")
@pytest.mark.timeout(300)
def test_the_development_targets_reach_the_mark(pestle: Pestle, tmp_path: Path) -> None:
    data = shared("data/tsa")
    assert pestle("sources", "load", str(data)).code == 0
    out = tmp_path / "out.json"
    assert pestle("eval", "safety", str(data / "safety_curation"), "--json", str(out)).code == 0
    told = json.loads(out.read_text())
    assert (told["targets"], told["groups"], told["covered"]) == (40, 28, 40)
    assert told["organ_system"]["f1"] >= 0.72
    assert told["organ_system"]["f1"] > told["always_the_same_4"]["f1"] + 0.05


def test_refinement_tells_what_changed_and_what_did_not(pestle: Pestle, tmp_path: Path) -> None:
    sections = tuple(
        Section(name, name, (Points((Statement(f"Said of {name}."),)),)) for name in ("one", "two")
    )
    before = Report("t", "o", "s", True, sections)
    changed = replace(sections[0], blocks=(Points((Statement("Something else entirely."),)),))
    after = replace(before, sections=(changed, sections[1]))
    paths = []
    for name, report in (("before", before), ("after", after)):
        path = tmp_path / f"{name}.json"
        path.write_bytes(adapter(Report).dump_json(report))
        paths.append(str(path))
    out = tmp_path / "out.json"
    ended = pestle("eval", "refinement", *paths, "--section", "one", "--json", str(out))
    assert ended.code == 0
    assert "1 other sections identical, 0 not" in " ".join(ended.out.split())
    assert json.loads(out.read_text())["identical"] == ["two"]
    assert pestle("eval", "refinement").code == 2
