"""`pestle skills show`: the prompt of a section in layers."""

from pathlib import Path

import pytest

from tests.adapters.cli.conftest import Pestle

SKILL = "---\nname: phenotypes\ndescription: Ours.\n---\nName the {}.\n"
OWN = Path("skills", "safety", "channels", "tox", "phenotypes", "SKILL.md")


def test_layers_are_shown_with_their_hashes_and_a_channels_guidance(
    pestle: Pestle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PESTLE_HOME", str(tmp_path))
    lay(tmp_path, "strain")
    ours = pestle("skills", "show", "phenotypes", "--channel", "tox", "--target", "ADRB2").out
    house = pestle("skills", "show", "phenotypes").out
    assert "### prompt: whole" in ours
    assert "ADRB2" in ours
    assert "Name the strain." in ours
    assert "knock-ins and transgenics are read apart" in house
    first, second = (text.splitlines()[:2] for text in (ours, house))
    assert first[0] == second[0]  # the hash is that of the file, not of what was filled in
    assert first[1] != second[1]
    refused = pestle("skills", "show", "phenotype")
    assert refused.code == 2
    assert "phenotypes" in refused.err


def lay(home: Path, what: str) -> None:
    (home / OWN).parent.mkdir(parents=True, exist_ok=True)
    (home / OWN).write_text(SKILL.format(what), encoding="utf-8")
