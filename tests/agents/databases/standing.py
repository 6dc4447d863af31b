"""What the tests of databases share: files given as text, and the check that facts stand on their records."""

import asyncio
import re
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from agents.databases.bulk_format import BulkFormat
from agents.databases.database import Database
from agents.databases.memory import MemoryBulk
from agents.databases.target_tool import TargetFindings
from agents.errors import ToolFailed

T = TypeVar("T")
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(work)


def format_of(database: Database, file: str) -> BulkFormat:
    return next(one for one in database.formats if one.file == file)


def loaded(form: BulkFormat, text: str, release: str = "2020", into: MemoryBulk | None = None) -> MemoryBulk:
    bulk = into or MemoryBulk()
    lines = text.splitlines()
    assert form.fits(lines[:40]), f"{form.file} does not know its own form"
    bulk.load(form, lines, release)
    return bulk


def read_or_refused(read: Callable[[], object]) -> None:
    """Whatever is read is read, or refused in a whole sentence."""
    try:
        read()
    except ToolFailed as error:
        said = str(error)
    else:
        return
    assert said.endswith("."), said


def texts(told: TargetFindings) -> list[str]:
    return [fact.text for fact in told.facts]


def assert_stands(told: TargetFindings) -> None:
    """Each fact's quotes are in its record, and each of its numbers in the quotes or the record's title."""
    for fact in told.facts:
        source = told.records[fact.record]
        assert fact.quotes, fact.text
        assert fact.text.endswith("."), fact.text
        for quote in fact.quotes:
            assert quote in source.text.splitlines(), (quote, source.text)
        carried = f"{source.title} {' '.join(fact.quotes)}"
        numbers = set(NUMBER.findall(carried.replace(",", "")))
        for number in NUMBER.findall(fact.text.replace(",", "")):
            assert number in numbers, (number, fact)
        if fact.term:
            assert fact.term in carried, (fact.term, carried)
