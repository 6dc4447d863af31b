"""Disproportionality against values worked by hand; strata; few reports; a table's form."""

from dataclasses import replace

import pytest

from agents.databases.case_reports import TABLE as TABLE_OF_REPORTS
from agents.databases.case_reports import CaseReports, Counts
from agents.databases.memory import MemoryBulk
from agents.databases.registry import fitting
from agents.errors import ToolFailed, WrongFile
from agents.vigilance.signals import (
    SignalVerdict,
    ic,
    mantel_haenszel,
    prr,
    ror,
    signal_of,
)

TABLE = Counts(20, 80, 100, 1800)


def test_the_measures_by_hand() -> None:
    odds, ratio, component = ror(TABLE), prr(TABLE), ic(TABLE)
    assert odds is not None
    assert ratio is not None
    assert component is not None
    assert (odds.value, odds.low, odds.high) == pytest.approx((4.5, 2.6494, 7.6434), abs=1e-3)
    assert (ratio.value, ratio.low, ratio.high) == pytest.approx((3.8, 2.4573, 5.8765), abs=1e-3)
    assert (component.value, component.low, component.high) == pytest.approx(
        (1.6571, 0.9067, 2.1818), abs=1e-3
    )
    found = signal_of({"": TABLE}, "inventol", "stroke")
    assert found.verdict is SignalVerdict.SIGNAL
    assert "20 name stroke with inventol" in found.told
    assert "prove no cause" in found.told


def test_strata_by_mantel_and_haenszel() -> None:
    pooled = mantel_haenszel([Counts(10, 40, 20, 130), Counts(5, 45, 30, 120)])
    assert pooled is not None
    assert pooled.value == pytest.approx(9.5 / 10.75)
    assert pooled.low < pooled.value < pooled.high
    one = mantel_haenszel([TABLE])
    crude = ror(TABLE)
    assert one is not None
    assert crude is not None
    assert (one.value, one.low) == pytest.approx((crude.value, crude.low))


def test_a_stratum_that_explains_the_excess_takes_the_signal_away() -> None:
    young, old = Counts(2, 198, 40, 3960), Counts(90, 90, 100, 100)
    crude = ror(young + old)
    assert crude is not None
    assert crude.low > 1
    found = signal_of({"M 18": young, "M 75": old}, "inventol", "stroke")
    assert found.stratified is not None
    assert found.stratified.value == pytest.approx(1.0)
    assert found.verdict is SignalVerdict.NONE


@pytest.mark.parametrize("counts", [Counts(0, 5, 5, 5), Counts(2, 1, 1, 900)])
def test_few_reports_are_no_signal_whatever_their_ratio(counts: Counts) -> None:
    found = signal_of({"": counts}, "inventol", "stroke")
    assert found.verdict is SignalVerdict.FEW
    assert "too few" in found.told


def test_empty_cells_have_no_ratio() -> None:
    assert ror(Counts(3, 0, 1, 1)) is None
    assert prr(Counts(3, 1, 0, 1)) is None
    assert ic(Counts(0, 0, 0, 0)) is None
    assert mantel_haenszel([]) is None


@pytest.mark.parametrize("mark", [",", "\t", "$"])
async def test_a_drug_counts_by_all_its_names_and_an_event_by_all_its_terms(mark: str) -> None:
    rows = [
        "primaryid,drugname,pt,sex,age",
        "1,Inventol,Stroke,F,70",
        "1,Inventa,Nausea,F,70",
        "2,Inventa,Apoplexy,M,20",
        "3,Other,Stroke,M,20",
        "4,Other,Nausea,F,70",
        "5,Other,Nausea,,x",
    ]
    assert fitting([rows[0].replace(",", mark)]) is TABLE_OF_REPORTS
    bulk = MemoryBulk()
    bulk.load(TABLE_OF_REPORTS, [one.replace(",", mark) for one in rows])
    names, terms = ["inventol", "INVENTA"], ["stroke", "apoplexy"]
    counted = await CaseReports(bulk).counts(names, terms)
    assert counted == {"F 65": Counts(1, 0, 0, 1), "M 18": Counts(1, 0, 1, 0), "": Counts(0, 0, 0, 1)}
    assert (await CaseReports(MemoryBulk()).counts(names, terms)) == {}


def test_a_table_without_its_columns_is_refused() -> None:
    with pytest.raises(WrongFile, match="no column"):
        list(TABLE_OF_REPORTS.parse(["a,b\n", "1,2\n"]))


ROWS = [
    "report,drug,event",
    *(f"a{place},INVENTOL SODIUM 5 MG,Gastric haemorrhage" for place in range(5)),
    *(f"b{place},Inventol,Nausea" for place in range(5)),
    *(f"c{place},other,{'Gastric hemorrhage' if place < 2 else 'Nausea'}" for place in range(90)),
]


@pytest.mark.parametrize("event", ["gastric haemorrhage", "Gastric Hemorrhage"])
async def test_salts_and_spellings_of_a_pair_are_the_same_pair(event: str) -> None:
    counts = Counts(5, 5, 2, 88)
    bulk = MemoryBulk()
    loaded = bulk.load(TABLE_OF_REPORTS, ROWS)
    assert loaded.rows == len(ROWS) - 1
    assert (await CaseReports(bulk).counts(["Inventol Tablets"], [event]))[""] == counts


@pytest.mark.parametrize(
    ("drug", "event", "named"),
    [
        ("nowherol", "Nausea", "nowherol,"),
        ("inventol", "hiccups", "hiccups,"),
        ("nowherol", "hiccups", "nowherol or hiccups,"),
    ],
)
async def test_what_no_report_names_is_said_to_be_named_by_none(drug: str, event: str, named: str) -> None:
    bulk = MemoryBulk()
    bulk.load(TABLE_OF_REPORTS, ROWS)
    found = signal_of(await CaseReports(bulk).counts([drug], [event]), drug, event)
    assert found.verdict is SignalVerdict.ABSENT
    assert f"None of the 100 reports names {named}" in found.told


async def test_a_table_of_an_earlier_version_is_to_be_loaded_again() -> None:
    kept = iter([("all reports", {"reports": '{"": [3]}'}), ("drug inventol sodium", {"reports": "{}"})])
    earlier = replace(TABLE_OF_REPORTS, parse=lambda lines: kept, stands_for=lambda row: 1)
    bulk = MemoryBulk()
    bulk.load(earlier, ROWS)
    with pytest.raises(ToolFailed, match="earlier version: load it again"):
        await CaseReports(bulk).counts(["inventol"], ["nausea"])
