"""Places of sources in few words."""

from bot.values import Source
from bot.words import short_place


def source(place: str, *, told: bool = False) -> Source:
    return Source(1, "VX-9: dose study", place, "| 4 | 5 |", "VX-1", 0, 9, None, told)


def test_a_place_does_not_repeat_the_title() -> None:
    assert short_place(source("page 3, VX-9: dose study › Results")) == "page 3, Results"
    assert short_place(source("VX-9: dose study")) == ""


def test_heads_of_a_table_are_left_out_where_they_were_told() -> None:
    row = "page 3, VX-9: dose study › Results, Table 2. Weights, heads: Group | Weight"
    assert short_place(source(row)) == "page 3, Results, Table 2. Weights, heads: Group | Weight"
    assert short_place(source(row, told=True)) == "page 3, Results"
    assert short_place(source(row), source(row)) == "page 3, Results"
