"""Tables are checked where they come in, and the message says what is wrong."""

import gzip

import pytest

from agents.protocol.lab.choose import choose
from agents.protocol.lab.design import Given, compared
from agents.protocol.lab.families import FAMILIES
from agents.protocol.lab.prepare import converted
from agents.protocol.lab.tables import Table, WrongInput, check_counts, read_table
from tests.agents.protocol.lab.made import SHEET, counts


def given(tables: dict[str, str], text: str = "", **asked: str) -> Given:
    read = {name: read_table(name, data.encode()) for name, data in tables.items()}
    return Given(read, (), text, asked)


def test_tables_of_several_forms_are_read() -> None:
    rows = (("g1", "1"), ("g2", "2"))
    assert read_table("a.csv", b"gene,s1\ng1,1\ng2,2\n") == Table("a.csv", ("gene", "s1"), rows)
    assert read_table("a.tsv", b"gene\ts1\ng1\t1\ng2\t2\n").rows == rows
    assert read_table("a.csv.gz", gzip.compress(b',"s1"\n"g1",1\n"g2",2\n')).columns == ("id", "s1")
    assert read_table("a.csv", b"s1,s2\ng1,1,2\n").columns == ("id", "s1", "s2"), "as R writes them"


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"a,b\n1,2\n1,2,3\n", "Row 3 of a.csv has 3 cells; its head has 2"),
        (b"a,b,b\n1,2,3\n", "several columns 'b'"),
        (b"hello", "is no table"),
        (b"\xff\xfe\x00", "is no text"),
        (b"\x1f\x8bnot gzip", "damaged gzip"),
    ],
)
def test_what_is_no_table_is_told(data: bytes, told: str) -> None:
    with pytest.raises(WrongInput, match=told):
        read_table("a.csv", data)


@pytest.mark.parametrize("cell", ["1.5", "-1"])
def test_counts_are_whole_numbers(cell: str) -> None:
    with pytest.raises(WrongInput, match=rf"holds '{cell}' in the row 'g1': counts are whole numbers"):
        check_counts(read_table("a.csv", f"gene,s1\ng0,3\ng1,{cell}\n".encode()))


def test_what_is_no_number_is_named() -> None:
    with pytest.raises(WrongInput, match="'many', which is no number, in the row 'g1' and the column 's1'"):
        check_counts(read_table("a.csv", b"gene,s1\ng1,many\n"))


def test_groups_reference_and_pairs_are_found_in_the_sample_table() -> None:
    design = compared(given({"counts.csv": counts(20), "sheet.csv": SHEET}))
    assert (design.reference, design.other) == ("control", "treated")
    assert design.table.decode().splitlines()[:3] == ["sample,group,block", "s1,control,p0", "s2,treated,p0"]
    assert "The comparison is within patient." in design.notes


def test_what_the_task_asks_for_goes_before_what_the_tables_suggest() -> None:
    tables = {"counts.csv": counts(20), "sheet.csv": SHEET}
    design = compared(given(tables, reference="treated", block="none"))
    assert (design.reference, design.other) == ("treated", "control")
    assert design.table.decode().splitlines()[0] == "sample,group"


def test_names_of_samples_may_share_an_ending() -> None:
    sheet = "file,dose\n" + "".join(f"s{n}fb,{'treated' if n % 2 else 'control'}\n" for n in range(1, 9))
    assert b"s3,treated" in compared(given({"counts.csv": counts(20), "sheet.csv": sheet})).table


@pytest.mark.parametrize(
    ("sheet", "asked", "told"),
    [
        (SHEET + "s9,treated,p9\n", {}, "sheet.csv describes 's9', which counts.csv has no column for"),
        (
            SHEET.replace("s8,treated,p3\n", ""),
            {},
            "counts.csv has columns that sheet.csv does not describe: 's8'",
        ),
        (SHEET, {"other": "placebo"}, "dose of sheet.csv is never 'placebo'. It is 'control', 'treated'"),
        (SHEET, {"group": "arm"}, "sheet.csv has no column 'arm'. It has 'id', 'dose', 'patient'"),
        (SHEET, {"block": "id"}, "No value of id has samples of both groups"),
        ("a,b\n1,2\n3,4\n", {}, "No table describes the samples"),
    ],
)
def test_a_design_that_cannot_be_is_told(sheet: str, asked: dict[str, str], told: str) -> None:
    with pytest.raises(WrongInput, match=told):
        compared(given({"counts.csv": counts(20), "sheet.csv": sheet}, **asked))


def test_survival_columns_and_the_event_are_found() -> None:
    family = FAMILIES["survival"]
    lung = "inst,time,status,sex\n" + "".join(f"{n},{n * 10},{1 + n % 2},{1 + n % 2}\n" for n in range(1, 9))
    chosen = choose(family, given({"lung.csv": lung}, "Survival of men and women by sex")).choices
    assert chosen.model_dump(exclude={"seed", "categories", "covariates", "reference"}) == {
        "table": "lung.csv",
        "time": "time",
        "event": "status",
        "event_is": "2",
        "group": "sex",
    }
    with pytest.raises(WrongInput, match="No table has a column of times"):
        choose(family, given({"a.csv": "x,y\n1,2\n"}))
    with pytest.raises(WrongInput, match=r"status of lung\.csv is never '7'"):
        choose(family, given({"lung.csv": lung}, event_is="7"))


def test_only_the_rows_that_are_meant_are_read() -> None:
    table = "id,time,status,nodes\n" + "".join(f"{n},{n * 10},{n % 2},{n % 3}\n" for n in range(1, 10))
    chosen = choose(FAMILIES["survival"], given({"a.csv": table}, only="nodes > 0"))
    ((name, content),) = chosen.made
    assert (name, chosen.used, chosen.choices.model_dump()["table"]) == ("subjects.csv", (), "subjects.csv")
    assert [line.split(",")[-1] for line in content.decode().split()[1:]] == ["1", "2"] * 3
    assert "Of 9 rows of a.csv the 6 with nodes > 0 are taken." in chosen.notes
    with pytest.raises(WrongInput, match="cannot be read"):
        choose(FAMILIES["survival"], given({"a.csv": table}, only="those with nodes"))


def test_a_value_out_of_its_range_is_told() -> None:
    family = FAMILIES["bulk_rnaseq"]
    with pytest.raises(WrongInput, match="alpha cannot be '2'"):
        choose(family, given({"counts.csv": counts(20), "sheet.csv": SHEET}, alpha="2"))


def test_other_forms_become_plain_tables() -> None:
    bare = b"1,2,1\n3,4,1\n5,6,2\n7,8,2\n"
    made = converted("bare.csv", bare)
    assert made["bare_expression.csv"].startswith(b"id,sample1,sample2,sample3,sample4\nV1,1,3,5,7\n")
    assert made["bare_samples.csv"].endswith(b"sample4,2\n")
    hgnc = b"hgnc_id\tsymbol\tensembl_gene_id\n1\tPER1\tENSG9\n2\tNONE\t\n"
    made = converted("hgnc_complete_set.tsv.gz", gzip.compress(hgnc))
    assert made == {"symbols_hgnc_complete_set.csv": b"id,symbol\nENSG9,PER1\n"}
