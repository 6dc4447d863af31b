"""`pestle eval safety`, `consistency` and `refinement`, as commands."""

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
    out, weights = tmp_path / "out.json", tmp_path / "weights.json"

    ended = pestle("eval", "safety", str(folder), "--json", str(out), "--learn", str(weights))

    assert ended.code == 0
    assert "1 of 1 targets covered" in ended.out
    told = json.loads(out.read_text())
    assert (told["covered"], told["organ_system"]["recall"], told["organ_system"]["precision"]) == (1, 1, 1)
    assert told["each"][0]["found"] == ["cardiovascular"]
    assert json.loads(weights.read_text())["targets"] == ["KLM1"]


def test_another_folder_is_refused(pestle: Pestle, tmp_path: Path) -> None:
    ended = pestle("eval", "safety", str(tmp_path))
    assert ended.code == 3
    assert "adverse_effects.tsv" in ended.err


@pytest.mark.service("shared")
@pytest.mark.timeout(300)
def test_the_development_targets_reach_the_mark_also_held_out(pestle: Pestle, tmp_path: Path) -> None:
    data = shared("data/tsa")
    assert pestle("sources", "load", str(data)).code == 0
    out = tmp_path / "out.json"
    assert pestle("eval", "safety", str(data / "safety_curation"), "--json", str(out)).code == 0
    told = json.loads(out.read_text())
    assert (told["targets"], told["groups"], told["covered"]) == (40, 28, 40)
    for figures in (told["organ_system"], told["organ_system"]["held_out"]):
        assert figures["recall"] >= 0.8
        assert figures["precision"] >= 0.6


def plain(path: Path, text: str) -> Path:
    claims = {"Renal toxicity": [{"text": text, "species": "mouse"}]}
    path.write_text(json.dumps({"target": "KLM1", "endpoints": claims}))
    return path


def test_consistency_is_told_by_endpoint(pestle: Pestle, tmp_path: Path) -> None:
    one, other = plain(tmp_path / "a.json", "polyuria"), plain(tmp_path / "b.json", "increased urine volume")
    out = tmp_path / "out.json"
    ended = pestle("eval", "consistency", str(one), str(other), "--json", str(out))
    assert ended.code == 0
    assert json.loads(out.read_text())["endpoints"]["Renal toxicity"]["f1"] == 1.0
    assert pestle("eval", "consistency", str(one)).code == 2
    assert pestle("eval", "consistency", str(one), str(other), "--model").code == 2


def test_refinement_writes_a_sheet_and_counts_its_labels(pestle: Pestle, tmp_path: Path) -> None:
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
    sheet, out = tmp_path / "sheet.csv", tmp_path / "out.json"

    ended = pestle("eval", "refinement", *paths, "--section", "one", "--sheet", str(sheet))
    assert ended.code == 0
    assert "1 other sections identical, 0 not" in " ".join(ended.out.split())

    sheet.write_text(sheet.read_text().replace(",,\n", ",B,\n"))
    assert pestle("eval", "refinement", "--labels", str(sheet), "--json", str(out)).code == 0
    told = json.loads(out.read_text())
    assert (told["labelled"], told["net_improvement"], told["response_rate"]) == (2, 1.0, 1.0)
    assert pestle("eval", "refinement").code == 2
