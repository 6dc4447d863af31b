"""Classes by their words, their members, and the representatives with the reasons for each."""

from dataclasses import replace

import pytest

from agents.databases.atc import TABLE, Atc
from agents.databases.ndc import DIRECTORY, Ndc
from agents.databases.prescriptions import Prescriptions
from agents.vigilance.classes import class_of, edited, known_classes, plain
from agents.vigilance.finder.find import Finder, derived
from agents.vigilance.values import DrugClass, FoundClass
from tests.agents.vigilance.kit import HEAD, LABELLED, World, world


def finder(bulk: World) -> Finder:
    return Finder(Ndc(bulk), Prescriptions(bulk), bulk.store())


async def found(one: DrugClass | str, bulk: World | None = None) -> FoundClass:
    asked = class_of(one) if isinstance(one, str) else one
    (only,) = await finder(bulk or world()).find(asked)
    return only


def reasons(one: FoundClass) -> dict[str, str]:
    return {each.ingredient.name: each.reason for each in one.candidates if not each.chosen}


@pytest.mark.parametrize("asked", ["ACE inhibitors", "ACE-I", "angiotensin-converting enzyme inhibitors"])
async def test_the_most_prescribed_ingredients_of_a_class_stand_for_it(asked: str) -> None:
    one = await found(asked)
    assert [each.name for each in one.chosen] == ["lisinopril", "captopril", "enalapril"]
    assert reasons(one) == {
        "hydrochlorothiazide and lisinopril": "It is a combination; lisinopril is there by itself.",
        "enalaprilat": "It is a form of enalapril, which is there by itself.",
        "ramipril": "It is a member with 100 prescriptions, fewer than those chosen.",
    }


async def test_an_antagonist_of_a_class_is_no_member_of_it() -> None:
    one = await found(DrugClass("benzodiazepines", terms=("benzodiazepines",)))
    assert [each.name for each in one.chosen] == ["clonazepam"]
    assert [each.name for each in (await found("benzodiazepines")).chosen] == ["clonazepam"]


async def test_a_combination_that_is_only_sold_as_one_is_a_member_and_what_acts_locally_comes_last() -> None:
    one = await found("sulfonamides")
    assert {each.name for each in one.chosen} == {"sulfamethoxazole and trimethoprim", "silver sulfadiazine"}


@pytest.mark.parametrize(("asked", "name"), [("Coumadin", "warfarin"), ("zestril", "lisinopril")])
async def test_a_single_drug_is_found_by_any_of_its_names(asked: str, name: str) -> None:
    assert [each.name for each in (await found(asked)).chosen] == [name]


async def test_what_is_not_known_is_asked_back_with_choices() -> None:
    one = await found("lisinoprol")
    assert one.ask_back == "“lisinoprol” is no class or drug that is known here. Which of these is meant?"
    assert "lisinopril" in one.options
    assert "angiotensin converting enzyme inhibitor" in (await found("inhibitor")).options


async def test_a_class_needs_the_directory_and_a_drug_with_a_label_does_not() -> None:
    bulk = world([{"drug": "WARFARIN", "section": "warnings", "text": "Bleeding."}], products=False)
    assert "pestle sources load" in (await found("ACE inhibitors", bulk)).ask_back
    assert [each.name for each in (await found("warfarin", bulk)).chosen] == ["warfarin"]


async def test_without_a_directory_a_drug_that_was_named_is_told_how_its_label_is_loaded() -> None:
    said = (await found("captopril", world(products=False))).ask_back
    assert said.startswith("No label of “captopril” is loaded")
    assert "PESTLE_SOURCES_LIVE" in said
    assert "name the drugs" not in said


async def test_a_code_of_the_atc_needs_the_atc() -> None:
    for written in ("N05BA", "n05ba01"):
        assert "pestle sources load atc FILE" in (await found(written)).ask_back
    bulk = world()
    bulk.load(TABLE, ["code,name,ingredient", "N05BA,Azepams,clonazepam"])
    (known,) = await replace(finder(bulk), atc=Atc(bulk)).find(class_of("C09AA"))
    assert known.ask_back == "“C09AA” is no code that is known here."


async def test_a_drug_without_a_label_gives_way_to_one_with_a_label() -> None:
    bulk = world([{"drug": "RAMIPRIL", "section": "warnings", "text": "Angioedema."}], counts=False)
    one = await found("ACE inhibitors", bulk)
    assert one.chosen[0].name == "ramipril"
    assert reasons(one)["lisinopril"] == "No label of it is loaded."
    assert one.notes


async def test_a_combination_stands_for_a_drug_that_has_no_label_of_its_own_and_the_answer_says_so() -> None:
    combined = {"drug": "ZESTORETIC", "section": "warnings", "text": "Hypokalemia."}
    one = await found("hydrochlorothiazide", world([combined]))
    assert [each.name for each in one.chosen] == ["hydrochlorothiazide and lisinopril"]
    assert one.notes == (
        "No label of the drug alone is loaded. That of hydrochlorothiazide and lisinopril was read, a "
        "combination with it: what it tells may come from any of its ingredients.",
    )
    own = {"drug": "HYDROCHLOROTHIAZIDE", "section": "warnings", "text": "Hypokalemia."}
    both = await found("hydrochlorothiazide", world([combined, own]))
    assert [each.name for each in both.chosen] == ["hydrochlorothiazide"]
    assert not both.notes


async def test_a_name_as_lists_have_it_and_the_name_of_a_device_are_the_drug() -> None:
    rows = [
        "1\tPremalis\tconjugated estrogens\tTABLET\tORAL\tESTROGENS, CONJUGATED\tEstrogen [EPC]",
        "2\tBrisa Ellipta\tvilanterol\tPOWDER\tRESPIRATORY (INHALATION)\tVILANTEROL\t",
    ]
    labels = [
        {"drug": "Premalis", "section": "warnings", "text": "Stroke."},
        {"drug": "Brisa", "section": "warnings", "text": "Tremor."},
    ]
    bulk = world(labels, counts=False, products=False)
    bulk.load(DIRECTORY, [HEAD, *rows])
    for asked, name in (
        ("Estrogens, Conjugated (USP)", "conjugated estrogens"),
        ("conjugated estrogens", "conjugated estrogens"),
        ("vilanterol", "vilanterol"),
    ):
        one = await found(asked, bulk)
        assert [each.name for each in one.chosen] == [name], asked
        assert await bulk.store().known(one.chosen[0].names), asked


async def test_the_parts_of_a_class_are_found_one_by_one() -> None:
    parts = await finder(world()).find(class_of("antibiotics (sulfonamides, warfarin)"))
    assert [(one.part_of, one.drug_class.name) for one in parts] == [
        ("antibiotics", "sulfonamides"),
        ("antibiotics", "warfarin"),
    ]


async def test_a_class_is_edited_as_a_whole_and_its_versions_are_counted() -> None:
    asked = class_of("ACE inhibitors")
    without = edited(asked, "without lisinopril and captopril")
    assert without is not None
    assert without.version == 2
    assert [each.name for each in (await found(without)).chosen] == ["enalapril", "ramipril"]
    again = edited(without, "add lisinopril to ACE inhibitors")
    assert again is not None
    assert (again.version, again.without) == (3, ("captopril",))
    assert "lisinopril" in [each.name for each in (await found(again)).chosen]
    assert edited(asked, "how are you") is None


def test_every_part_of_a_known_class_is_a_known_class() -> None:
    for one in known_classes().values():
        assert all(class_of(part).terms or class_of(part).drugs for part in one.parts), one.name
        assert one.terms or one.drugs or one.parts


@pytest.mark.parametrize(
    ("name", "other", "form"),
    [
        ("enalaprilat", "enalapril", True),
        ("levofloxacin", "ofloxacin", True),
        ("atenolol", "metoprolol", False),
    ],
)
def test_isomers_metabolites_and_prodrugs_are_forms(name: str, other: str, form: bool) -> None:
    assert derived(name, other) is form


async def test_a_class_of_the_atc_is_found_by_code_and_by_name_and_its_code_is_its_definition() -> None:
    bulk = world(LABELLED)
    lines = ["code,name,ingredient", "C09AA,Pril substances,captopril", "C09AA,Pril substances,Lisinopril"]
    bulk.load(TABLE, [*lines, "C09AA,Pril substances,newpril", "C03AA,Thiazides,hydrochlorothiazide"])
    over = replace(finder(bulk), atc=Atc(bulk))
    for written in ("C09AA", "c09", "pril substances"):
        (one,) = await over.find(class_of(written))
        assert [each.name for each in one.chosen] == ["lisinopril", "captopril"], written
        assert one.drug_class.terms == ("C09 [ATC]" if written == "c09" else "C09AA [ATC]",)
        assert "newpril" in [each.ingredient.name for each in one.candidates]
    (one,) = await over.find(edited(one.drug_class, "without captopril") or one.drug_class)
    assert [each.name for each in one.chosen] == ["lisinopril"]
    (unknown,) = await over.find(class_of("D01"))
    assert unknown.ask_back


async def test_a_broad_class_is_represented_across_its_parts_and_an_edit_reaches_them() -> None:
    whole = DrugClass("both", parts=("ACE inhibitors", "warfarin"))
    first = await finder(world()).find(whole)
    assert [(one.part_of, one.drug_class.name) for one in first] == [
        ("both", "ACE inhibitors"),
        ("both", "warfarin"),
    ]
    without = edited(whole, "without lisinopril")
    assert without is not None
    (ace, _) = await finder(world()).find(without)
    assert "lisinopril" not in [one.name for one in ace.chosen]
    assert reasons(ace)["lisinopril"] == "It was taken out of the class in this thread."
    assert ace.drug_class.version == 2
    less = edited(without, "without warfarin")
    assert less is not None
    assert [one.drug_class.name for one in await finder(world()).find(less)] == ["ACE inhibitors"]
    more = edited(less, "add clonazepam")
    assert more is not None
    assert [[each.name for each in one.chosen] for one in await finder(world()).find(more)][-1] == [
        "clonazepam"
    ]


def test_antiepileptics_and_antibiotics_are_represented_across_their_subclasses() -> None:
    for name in ("antiepileptics", "antibiotics"):
        parts = known_classes()[name.removesuffix("s")].parts
        assert len(parts) >= 5
        assert all(known_classes()[plain(one)] for one in parts)


MORE = (
    "Zabira,Zabigatran Etexilate Mesylate,ZABIGATRAN ETEXILATE MESYLATE,Thrombin Blocker [EPC]",
    "Gadozel,Gadozelate,GADOZELATE MEGLUMINE,Gadolinium Based Shadow Medium [EPC]",
    "Vexine,Lafaxine,LAFAXINE HYDROCHLORIDE,Twofold Uptake Blocker [EPC]",
    "Devexa,Deslafaxine,DESLAFAXINE SUCCINATE,Twofold Uptake Blocker [EPC]",
)


def with_more() -> World:
    """The world with four more products, of which only the isomer of the last pair has a label."""
    bulk = world([{"drug": "DESLAFAXINE", "section": "warnings", "text": "Blood pressure may rise."}])
    rows = ("\t".join(("0-0", *line.split(",")[:2], "TABLET", "ORAL", *line.split(",")[2:])) for line in MORE)
    bulk.load(DIRECTORY, [HEAD, *rows])
    return bulk


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("zabigatran", "zabigatran etexilate"),
        ("gadolinium shadow medium", "gadozelate"),
        ("twofold uptake blockers", "deslafaxine"),
    ],
)
async def test_a_shorter_name_means_the_longer_and_a_form_stands_where_only_it_has_a_label(
    asked: str, name: str
) -> None:
    one = await found(asked, with_more())
    assert [each.name for each in one.chosen][:1] == [name], one
