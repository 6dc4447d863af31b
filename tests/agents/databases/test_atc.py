"""Classes of the ATC by code and by name, and what lies below them."""

import pytest

from agents.databases.atc import TABLE, Atc
from agents.databases.memory import MemoryBulk
from agents.databases.registry import fitting

CLASSES = (
    "code,name,ingredient",
    "C09AA,ACE inhibitors plain,Captopril",
    "C09AA,ACE inhibitors plain,Lisinopril",
    "C09BA,ACE inhibitors and diuretics,captopril",
    "oddity,nothing,nothing",
)
SUBSTANCES = ("ATC code;name", "C09AA;ACE inhibitors plain", "C09AA01;captopril", "C09AA03;lisinopril")


@pytest.mark.parametrize("lines", [CLASSES, SUBSTANCES])
async def test_a_class_is_found_by_code_and_name_and_holds_what_lies_below(lines: tuple[str, ...]) -> None:
    bulk = MemoryBulk()
    assert fitting(lines[:1]) is TABLE
    bulk.load(TABLE, lines)
    atc = Atc(bulk)
    assert await atc.code_of("c09aa") == "C09AA"
    assert await atc.code_of("ace inhibitors PLAIN") == "C09AA"
    assert (await atc.code_of("B01"), await atc.code_of("nothing")) == ("", "")
    assert await atc.ingredients("C09AA") == await atc.ingredients("C09") == ("captopril", "lisinopril")


async def test_nothing_is_found_where_no_table_is_loaded() -> None:
    atc = Atc(MemoryBulk())
    assert (await atc.code_of("C09AA"), await atc.ingredients("C09AA")) == ("", ())
