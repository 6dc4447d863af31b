"""The date that a document says of itself."""

import pytest

from retrieval.ingest.dates import document_date


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("**First patient in:** 2 May 2017  **Last out:** 3 June 2018\n**Synopsis date:** 9 March 2019",
         "2019-03-09"),
        ("Dosing: 2 to 9 May 2017\nIssued: 4 August 2017 (non-GLP)", "2017-08-04"),
        ("| Dosing | 2 May 2017 |\n|---|---|\n| Necropsy | 9 June 2017 |\n| Report issued | 1 August 2017 |",
         "2017-08-01"),
        ("First subject in 04/05/2015\nReport: 30 May 2016\n\nText.", "2016-05-30"),
        ("Report date: 2 April 2016\nDate: 9 May 2016", "2016-04-02"),
        ("The report was signed by both on 3 May 1990.", "1990-05-03"),
        ("# Minutes 9/2019\n\n7 May 2019, 10:00, Basel\n\nIt is effective from June 2021.", "2019-05-07"),
        ("# Minutes 9/2019\n\n12 members met. The plan was signed on 8 May 2019.", "2019-05-08"),
        ("Basel, 3. Mai 1990\n\nText.", "1990-05-03"),
        ("# Doses\n\n### May 7, 2019\n\nIt is as in version 2 (March 2014).", "2019-05-07"),
    ],
)  # fmt: skip
def test_a_document_s_own_date_comes_before_those_of_events(text: str, date: str) -> None:
    assert document_date(text, "A title") == date


@pytest.mark.parametrize(
    "text",
    [
        "In March 2018 the partner stopped its study.",
        "First patient enrolled on 3 May 2017; last visit on 9 October 2018.",
    ],
)
def test_the_date_of_an_event_is_none_of_the_document(text: str) -> None:
    assert document_date(f"# QX-7 in dogs\n\n{text}", "QX-7 in dogs") == ""


@pytest.mark.parametrize(
    "line",
    [
        "| Next meeting | 14 May 2024 |\n|---|---|\n| Room | 4 |",
        "Valid until 14.05.2024",
    ],
)
def test_a_date_that_a_document_announces_is_none_of_its_own(line: str) -> None:
    text = f"# Minutes of the pump board\n\n{line}"

    assert document_date(text, "Minutes of the pump boardboard") == ""
    assert document_date(text, "Minutes of the pump boardboard 2024-02-06") == "2024-02-06"
    assert document_date(f"{text}\n\nDate: 6 February 2024", "Minutesboard") == "2024-02-06"


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("Date: 14.III.2023", "2023-03-14"),
        ("Report issued: 3/XI/2022", "2022-11-03"),
        ("Łódź, 7 IX 2021", "2021-09-07"),
        ("This report was signed on 14. VIII. 2023.", "2023-08-14"),
        ("Date: 3 iv 2020", ""),
        ("Phase 2/III 2020", ""),
    ],
)
def test_a_month_may_be_written_in_roman_numerals(text: str, date: str) -> None:
    assert document_date(f"# QX-7 in dogs\n\n{text}", "QX-7 in dogs") == date


@pytest.mark.parametrize(
    "text", ["This report was issued on 7 May 2011.", "Oslo, 7 May 2011\n\nIn May 2003."]
)
def test_what_a_document_says_of_itself_is_its_date(text: str) -> None:
    assert document_date(f"# QX-7 in dogs\n\n{text}", "QX-7 in dogs") == "2011-05-07"


@pytest.mark.parametrize(
    ("text", "name", "date"),
    [
        ("MINUTES 3\n\nPresent: six members.\n\nApproved 18.04.2018", "board_2017-11", "2018-04-18"),
    ],
)  # fmt: skip
def test_minutes_have_the_day_of_their_meeting(text: str, name: str, date: str) -> None:
    assert document_date(text, "MINUTES 3") == date


@pytest.mark.parametrize(
    ("text", "date"),
    [
        (
            "Received Date: 20 March 2019\n\nRevised Date: 31 May 2019\n\nAccepted Date: 18 July 2019",
            "2019-07-18",
        ),
        ("10 October 2012 Revised 8 October 2014", "2014-10-08"),
        ("The results were published on 3 May 2009.", ""),
    ],
)
def test_an_article_has_the_day_of_its_publication(text: str, date: str) -> None:
    assert document_date(f"# QX-7 in dogs\n\n{text}", "QX-7 in dogs") == date
