"""Which state of a database a record and a sentence name."""

import pytest

from agents.counts import listed, number_of
from agents.databases.database import Database
from agents.databases.edition import Edition
from agents.databases.ports import BulkRelease, WebReply

GTEX = Database(name="gtex", title="GTEx", tells="", licence="", page="https://gtexportal.org/")


@pytest.mark.parametrize(
    ("file", "release", "name", "title"),
    [
        ("x.tsv", "v4", "GTEx v4", "GTEx v4: it"),
        ("x.tsv", "GTEx v4", "GTEx v4", "GTEx v4: it"),
        ("x.tsv.gz", "", "GTEx", "GTEx (file x.tsv.gz): it"),
        ("x_v1.0.1_2015-06-08.tsv", "", "GTEx 2015-06-08", "GTEx 2015-06-08: it"),
        ("GO_Process_2021.gmt", "", "GTEx 2021", "GTEx 2021: it"),
        ("x_120215.tsv", "", "GTEx", "GTEx (file x_120215.tsv): it"),
    ],
)
def test_a_file_is_named_by_its_release_its_date_or_itself(
    file: str, release: str, name: str, title: str
) -> None:
    edition = Edition.of_bulk(GTEX, BulkRelease("gtex", file, release, "2026-01-01", 1))
    assert (edition.name, edition.sheet("it", "q").title) == (name, title)


def test_a_reply_without_a_release_is_named_by_its_day() -> None:
    edition = Edition.of_reply(GTEX, WebReply("", "https://x.org", "2026-08-11T10:00:00Z"))
    assert edition.name == "GTEx (2026-08-11)"


def test_lists_and_counts_are_written_out() -> None:
    assert [listed(list(words)) for words in ("", "a", "ab", "abc")] == ["", "a", "a and b", "a, b and c"]
    assert (number_of(1, "gene"), number_of(2000, "class", "classes")) == ("1 gene", "2,000 classes")
