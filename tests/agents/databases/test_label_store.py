"""Labels of files in all their forms, in memory and on disk; openFDA for what is not loaded."""

import json

import pytest

from agents.databases.label_documents import LABELS, cut, label_documents
from agents.databases.label_store import LabelStore
from agents.databases.openfda import API
from agents.databases.registry import fitting
from agents.errors import ToolFailed, WrongFile
from tests.agents.vigilance.kit import World, indexed
from tests.support.recorded_web import RecordedWeb


def label(set_id: str, day: str, substances: list[str], **sections: str) -> dict[str, object]:
    names = " AND ".join(substances)
    known = {"generic_name": [names], "substance_name": substances, "brand_name": [f"Brand {set_id}"]}
    return {"set_id": set_id, "effective_time": day, "openfda": known} | {
        name: [text] for name, text in sections.items()
    }


OLD = label("a", "20200101", ["LISINOPRIL"], adverse_reactions="Cough was seen.", warnings="Old warning.")
NEW = label("a", "20240101", ["LISINOPRIL"], adverse_reactions="Cough and angioedema were seen.")
SAME = label("b", "20230101", ["LISINOPRIL"], adverse_reactions="Cough and angioedema were seen.")
BOTH = label("c", "20250101", ["LISINOPRIL", "HYDROCHLOROTHIAZIDE"], boxed_warning="Fetal toxicity.")
BULK = {"meta": {"terms": "https://open.fda.gov/terms/"}, "results": [OLD, NEW, SAME, BOTH]}
PASSAGES = [
    {"id": "p1", "drug": "AMITRIPTYLINE HCL", "section": "warnings", "text": "Suicidality."},
    {"id": "p2", "drug": "AMITRIPTYLINE HCL", "section": "adverse_reactions", "text": "Dry mouth."},
]
SECTIONS = [
    {
        "label_id": "ADCETRIS",
        "section_name": "boxed warnings",
        "section_text": "  WARNING:  PML\n\n can occur.",
        "adverse_events": [],
    }
]


def loaded(*files: str) -> LabelStore:
    bulk = World()
    assert all(fitting(text.splitlines()[:40]) is LABELS for text in files)
    indexed(bulk.labels, *files)
    return bulk.store()


@pytest.mark.parametrize("indent", [None, 2])
async def test_the_newest_version_counts_once_and_labels_with_one_text_count_once(indent: int | None) -> None:
    found = await loaded(json.dumps(BULK, indent=indent)).passages(("lisinopril",))
    assert [(one.set_id, one.effective, one.section, one.text) for one in found] == [
        ("a", "2024-01-01", "adverse_reactions", "Cough and angioedema were seen.")
    ]
    assert found[0].ingredients == ("lisinopril",)


async def test_a_combination_is_read_where_the_drug_has_no_label_of_its_own() -> None:
    store = loaded(json.dumps({"meta": {}, "results": [BOTH]}))
    assert [one.text for one in await store.passages(("hydrochlorothiazide",))] == ["Fetal toxicity."]


async def test_a_label_is_found_by_salt_brand_and_case_and_by_section() -> None:
    store = loaded(json.dumps(BULK))
    for name in ("Lisinopril", "LISINOPRIL DIHYDRATE", "brand a"):
        assert "adverse_reactions" in {one.section for one in await store.passages((name,))}, name
    assert await store.search(("lisinopril",), "angioedema", 3, ("pregnancy",)) == ()
    assert await store.passages(("captopril",)) == ()


async def test_passages_and_sections_of_one_name_make_one_label() -> None:
    store = loaded("\n".join(map(json.dumps, PASSAGES)), json.dumps(SECTIONS, indent=1))
    found = await store.passages(("amitriptyline",))
    assert [(one.title, one.section, one.text) for one in found] == [
        ("AMITRIPTYLINE HCL", "warnings", "Suicidality."),
        ("AMITRIPTYLINE HCL", "adverse_reactions", "Dry mouth."),
    ]
    boxed = await store.passages(("adcetris",))
    assert [(one.section, one.text) for one in boxed] == [("boxed_warning", "WARNING: PML can occur.")]
    assert await store.known(("Adcetris",))
    assert not await store.known(("aspirin",))


@pytest.mark.parametrize("text", ["{}", '{"meta": {}, "results": []}', '{"results": [{"set_id": "a"', "[1]"])
def test_what_is_no_label_is_refused(text: str) -> None:
    with pytest.raises(WrongFile):
        list(label_documents([text]))


async def test_openfda_is_asked_only_for_a_drug_without_a_label() -> None:
    web = RecordedWeb({f"{API}/label.json": json.dumps(BULK)})
    bulk = World()
    indexed(bulk.labels, "\n".join(map(json.dumps, PASSAGES)))
    store = bulk.store(web)
    assert await store.passages(("amitriptyline",))
    assert not web.asked
    assert [one.set_id for one in await store.passages(("lisinopril",))] == ["a"]
    assert len(web.asked) == 1


async def test_a_longer_name_with_the_same_words_is_another_drug() -> None:
    cream = label("d", "20250101", ["SILVER SULFADIAZINE"], warnings="Apply to the skin.")
    tablet = label("e", "20200101", ["SULFADIAZINE"], warnings="Drink enough.")
    web = RecordedWeb({f"{API}/label.json": json.dumps(BULK | {"results": [cream, tablet]})})
    assert [one.set_id for one in await World().store(web).passages(("sulfadiazine",))] == ["e"]


@pytest.mark.parametrize(
    "reply",
    [
        ToolFailed("openFDA did not reply."),
        '{"labels": []}',
        '{"results": [{"sections": {"text": "new"}}]}',
        "x",
    ],
)
async def test_openfda_away_or_changed_is_an_error_for_a_reader(reply: str | ToolFailed) -> None:
    store = World().store(RecordedWeb({f"{API}/label.json": reply}))
    with pytest.raises(ToolFailed, match="openFDA"):
        await store.passages(("lisinopril",))


async def test_a_drug_that_openfda_does_not_know_has_no_label() -> None:
    store = World().store(RecordedWeb({f"{API}/label.json": None}))
    assert await store.passages(("nosuchdrug",)) == ()


def test_a_long_section_is_cut_between_sentences() -> None:
    sentence = f"{'Word ' * 60}end."
    parts = list(cut(" ".join([sentence] * 9)))
    assert len(parts) == 3
    assert all(part.endswith("end.") and part.startswith("Word") for part in parts)
    assert " ".join(parts) == " ".join([sentence] * 9)


async def test_an_older_version_under_another_title_is_not_shown_beside_the_newest() -> None:
    older = OLD | {"openfda": {"generic_name": ["OLD NAME"], "substance_name": ["LISINOPRIL"]}}
    found = await loaded(json.dumps({"meta": {}, "results": [older, NEW]})).search((), "cough seen")
    assert {one.effective for one in found} == {"2024-01-01"}
    assert found
