"""The schema library: every shipped file loads, and a broken one is refused by file and field."""

import re
from pathlib import Path

import pytest

from agents.archive.library import GENERAL, SCHEMAS, SchemaError, load_library, load_type

SHIPPED = sorted(SCHEMAS.glob("*.toml"))
TYPES = {
    "discontinuation_reason",
    "efficacious_dose",
    "first_in_human_dose",
    "general",
    "highest_dose",
    "highest_dose_with_sae",
    "margin_of_safety",
    "mechanism",
    "organ_toxicity",
    "regimen",
    "route",
}


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_every_shipped_file_loads_under_its_own_name(path: Path) -> None:
    kind = load_type(path)

    assert kind.id == path.stem
    assert kind.absent("X-1").strip()
    assert all("{molecule}" in text for searches in kind.queries.values() for text in searches)


def test_the_library_holds_all_question_types() -> None:
    assert set(load_library()) == TYPES


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (("unit = ", "unti = "), "fields.0.unti"),
        (('type = "quantity"', 'type = "number"'), "fields.0.type"),
        (("strategic = [", "later = ["), "queries.later"),
        (("patterns = [", "patterns = ['(', "), "routing.patterns"),
        (("{molecule} first administration", "{compound} first administration"), "compound"),
        (('id = "first_in_human_dose"', 'id = "first_dose"'), "id"),
        (("patterns = [", "patterns = "), "TOML"),
    ],
    ids=[
        "unknown key",
        "unknown type",
        "query of no domain",
        "broken pattern",
        "placeholder",
        "name",
        "syntax",
    ],
)
def test_a_broken_file_is_refused_by_file_and_field(
    tmp_path: Path, change: tuple[str, str], field: str
) -> None:
    text = (SCHEMAS / "first_in_human_dose.toml").read_text(encoding="utf-8")
    assert change[0] in text
    path = tmp_path / "first_in_human_dose.toml"
    path.write_text(text.replace(*change, 1), encoding="utf-8")

    with pytest.raises(SchemaError, match=re.escape(field)) as refused:
        load_type(path)

    assert "first_in_human_dose.toml" in str(refused.value)


def test_a_library_needs_the_general_type(tmp_path: Path) -> None:
    text = (SCHEMAS / "route.toml").read_text(encoding="utf-8")
    (tmp_path / "route.toml").write_text(text, encoding="utf-8")

    with pytest.raises(SchemaError, match=GENERAL):
        load_library(tmp_path)
