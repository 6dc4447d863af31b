"""`pestle vigilance`: in a named thread a class is edited, and what was offered is chosen."""

import json
from pathlib import Path

import pytest

from tests.adapters.cli.conftest import Pestle
from tests.agents.vigilance.kit import HEAD, PRODUCTS


@pytest.fixture
def own(pestle: Pestle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with a directory of products and a label."""
    monkeypatch.setenv("PESTLE_HOME", str(tmp_path / "home"))
    products, labels = tmp_path / "product.txt", tmp_path / "labels.jsonl"
    rows = ("\t".join(("0-0", brand, generic, "TABLET", *rest)) for brand, generic, *rest in PRODUCTS)
    products.write_text("\n".join([HEAD, *rows]), encoding="utf-8")
    one = {"id": "1", "drug": "Captopril", "section": "warnings", "text": "Captopril can cause a cough."}
    labels.write_text(json.dumps(one), encoding="utf-8")
    for file in (products, labels):
        assert pestle("sources", "load", str(file)).code == 0
    return tmp_path


@pytest.mark.usefixtures("own")
def test_a_class_is_edited_in_its_thread_and_nowhere_else(pestle: Pestle) -> None:
    assert "Version 1 of the class" in pestle("vigilance", "ACE-I: cough", "--thread", "pv").out
    edited = pestle("vigilance", "without lisinopril", "--thread", "pv")
    assert "Version 2 of the class" in edited.out
    refused = pestle("vigilance", "without lisinopril", "--thread", "another")
    assert refused.code == 2
    assert "names no drug or no outcome" in refused.err


@pytest.mark.usefixtures("own")
def test_where_no_label_was_read_the_program_ends_with_a_code_of_its_own(pestle: Pestle) -> None:
    ended = pestle("vigilance", "ramipril: angioedema")
    assert "No label was read" in ended.out
    assert ended.code == 3
    assert "Not answered" in ended.err
    assert pestle("vigilance", "captopril: gout").code == 0  # silence of a label is an answer


@pytest.mark.usefixtures("own")
def test_a_misspelt_outcome_is_chosen_by_its_number(pestle: Pestle) -> None:
    assert "One question back" in pestle("vigilance", "captopril: bradicardia", "--thread", "pv").out
    assert "captopril has no known effect on the risk of bradycardia" in " ".join(
        pestle("vigilance", "1", "--thread", "pv").out.split()
    )
