"""Reading values that may be anything, and files with and without headers."""

import pytest

from agents.databases.bulk_format import (
    columns,
    first_told,
    json_lines,
    named_table,
    table,
    under,
    with_columns,
    with_fields,
)
from agents.databases.fields import at, cell, items, json_of, number, text, texts
from agents.databases.ports import WebReply
from agents.databases.registry import DATABASES, FORMATS
from agents.errors import ToolFailed, WrongFile

VALUE = {"a": [{"b": " x\ny "}, 7, None], "n": "1.5e3", "inf": "1e999", "yes": True}


def test_what_is_not_there_or_of_another_type_is_empty() -> None:
    assert text(VALUE, "a", 0, "b") == "x y"
    assert (text(VALUE, "a", 9, "b"), text(VALUE, "a"), text(VALUE, "yes"), text(None, "a")) == (
        "",
        "",
        "",
        "",
    )
    assert (number(VALUE, "n"), number(VALUE, "inf"), number(VALUE, "a", 0)) == (1500.0, None, None)
    assert (items(VALUE, "n"), items(VALUE, "none"), texts(VALUE, "a")) == (["1.5e3"], [], ("7",))
    assert (at("text", "a"), at([1], -2), cell("{"), cell("[1]")) == (None, None, None, [1])


@pytest.mark.parametrize("reply", ["", "<html>", "[" * 100_000])
def test_a_reply_that_is_no_json_names_the_database(reply: str) -> None:
    with pytest.raises(ToolFailed, match="Genes replied with something that is no JSON"):
        json_of(WebReply(reply, "https://example.org", "2026-01-01"), "Genes")


def test_a_table_is_read_from_its_header_on() -> None:
    lines = ["# made today", "#gene\tvalue", "A\t1", "", '"B"', "C\t2\textra"]
    assert with_columns("gene", "value")(lines)
    assert list(table(lines, "gene")) == [
        {"gene": "A", "value": "1"},
        {"gene": "B", "value": ""},
        {"gene": "C", "value": "2"},
    ]
    with pytest.raises(WrongFile, match="no header with symbol"):
        list(table(lines, "symbol"))
    assert list(columns(["A\t1", "", "B"], "x", "y")) == [{"x": "A", "y": "1"}, {"x": "B", "y": ""}]


def test_lines_of_json_keep_text_and_write_the_rest_as_json() -> None:
    assert list(json_lines(['{"a": "x", "b": [1], "c": null}', ""])) == [{"a": "x", "b": "[1]", "c": ""}]
    assert with_fields("a")(['{"a": 1}'])
    assert not with_fields("a")(["[1]"])
    for wrong in ("{", "[]", "7"):
        with pytest.raises(WrongFile, match="Line 1 is no JSON"):
            list(json_lines([wrong]))


def test_a_row_is_under_each_key_once() -> None:
    row = {"a": "1"}
    assert list(under(row, "A", " A ", "", "B")) == [("A", row), ("B", row)]


def test_names_of_databases_and_sources_are_of_one_kind() -> None:
    names = [one.name for one in DATABASES]
    assert len(set(names)) == len(names)
    assert all(form.source.startswith(one.name) for one in DATABASES for form in one.formats)


def test_every_format_says_what_it_is() -> None:
    assert all(form.file and form.header and form.page.startswith("https://") for form in FORMATS)


def test_a_table_with_commas_keeps_quoted_cells_whole_and_passes_over_what_stands_above_it() -> None:
    lines = ['"# Version: 2026.1"', "gene,disease", 'ABC1,"gout, ""late"""', "ABC2"]
    assert list(table(lines, "gene", "disease", separator=",")) == [
        {"gene": "ABC1", "disease": 'gout, "late"'},
        {"gene": "ABC2", "disease": ""},
    ]


def test_a_table_of_many_names_is_read_by_any_mark_and_needs_one_of_them() -> None:
    rows = list(named_table(['"Case"$ DRUG ', "1$ aspirin "], ("case", "id"), ("drug",)))
    assert rows == [{"case": "1", "drug": "aspirin"}]
    assert first_told(rows[0], ("name", "drug")) == "aspirin"
    with pytest.raises(WrongFile, match="no column named pt, event"):
        list(named_table(["case,drug", "1,aspirin"], ("case",), ("pt", "event")))
