"""The selection on invented families: what is chosen, what is refused, and why."""

import random
from dataclasses import replace

import pytest

from agents.safety.orthologs.select import select
from agents.safety.orthologs.species import preclinical, species_named
from agents.safety.orthologs.values import (
    Choice,
    OrthologVerdict,
    Overrides,
    Reason,
    Selection,
    SequenceError,
)
from tests.agents.safety.orthologs.families import Family

STEADY = Family(1, 420, 0.002)
FAST = Family(2, 300, 0.0045)
SLOW = Family(3, 700, 0.0006)
FAMILIES = pytest.mark.parametrize("family", [STEADY, FAST, SLOW], ids=["steady", "fast", "slow"])


def of(selection: Selection, species: str) -> Choice:
    found = selection.of(species_named(species))
    assert found is not None
    return found


def accession(selection: Selection, species: str) -> str:
    chosen = of(selection, species).chosen
    return chosen.sequence.accession if chosen else ""


def reasons(selection: Selection, species: str, name: str) -> set[Reason]:
    refused = of(selection, species).refused
    return {each.reason for one in refused if one.sequence.accession == name for each in one.rejections}


@FAMILIES
def test_each_species_gets_its_sequence_whatever_the_order(family: Family) -> None:
    entries = family.entries()
    selection = select([family.entry("human")], entries)
    chosen = [choice.chosen.sequence for choice in selection.choices if choice.chosen]
    assert [one.accession for one in chosen] == [one.accession for one in entries]
    random.Random(0).shuffle(entries)
    assert select([family.entry("human")], entries) == selection


@FAMILIES
def test_a_fragment_an_isoform_and_unknown_residues_lose_against_the_whole_sequence(family: Family) -> None:
    whole = family.residues("mouse")
    inserted = whole[:100] + family.random_residues(40) + whole[100:]
    unknown = whole[:50] + "X" * 40 + whole[90:]
    entries = [
        *family.entries(),
        family.entry("mouse", "A1", residues=whole[: len(whole) // 2], fragment=True),
        family.entry("mouse", "A2", residues=inserted, isoform="2", reviewed=True),
        family.entry("mouse", "A3", residues=unknown),
        family.entry("mouse", "A4", residues=whole[20:], fragment=True),
    ]
    selection = select([family.entry("human")], entries)
    assert accession(selection, "mouse") == "GENE1_MOUSE"
    assert reasons(selection, "mouse", "A1") == {Reason.LENGTH}
    assert reasons(selection, "mouse", "A3") == {Reason.QUALITY}


def test_reviewed_comes_first_then_the_gene_named_and_the_commonest_sequence() -> None:
    dog = STEADY.residues("dog")
    other = STEADY.mutated(dog, 0.004)
    rare = [STEADY.entry("dog", f"R{at}", residues=STEADY.mutated(dog, 0.003)) for at in range(3)]
    entries = [*STEADY.entries("dog"), *rare, STEADY.entry("dog", "Z1"), STEADY.entry("dog", "Z2")]
    assert accession(select([STEADY.entry("human")], entries), "dog") == "Z1"
    nameless = [replace(one, gene="") for one in entries if one.accession in ("Z1", "Z2")]
    named = [*(one for one in entries if one.accession not in ("Z1", "Z2")), *nameless]
    assert accession(select([STEADY.entry("human")], named), "dog").startswith("R")
    entries.append(STEADY.entry("dog", "P1", residues=other, reviewed=True))
    selection = select([STEADY.entry("human")], entries)
    assert accession(selection, "dog") == "P1"
    assert "reviewed" in of(selection, "dog").reasons
    assert any("preferred to" in one and "not reviewed" in one for one in of(selection, "dog").reasons)


@FAMILIES
@pytest.mark.parametrize("identity", [0.55, 0.7, 0.8])
def test_a_reviewed_paralog_is_refused_beside_the_ortholog(family: Family, identity: float) -> None:
    other = family.paralog(identity, 11)
    entries = [*family.entries(), *(other.entry(one.common, reviewed=True) for one in preclinical())]
    selection = select([family.entry("human")], entries)
    for one in preclinical():
        name = one.common.upper().replace(" ", "")
        assert accession(selection, one.common) == f"GENE1_{name}"
        assert reasons(selection, one.common, f"GENE2_{name}") & {Reason.OTHER_PROTEIN, Reason.MISMATCH}


def test_another_genes_symbol_is_refused_sooner() -> None:
    other = STEADY.paralog(0.72, 16)
    entries = [STEADY.entry("dog"), other.entry("mouse")]
    wanted = [species_named("dog"), species_named("mouse")]
    selection = select([STEADY.entry("human")], entries, wanted)
    assert reasons(selection, "mouse", "GENE2_MOUSE") == {Reason.OTHER_PROTEIN}
    assert "(GENE2)" in of(selection, "mouse").refused[0].rejections[0].text
    nameless = select([STEADY.entry("human")], [STEADY.entry("dog"), other.entry("mouse", gene="")], wanted)
    chosen = of(nameless, "mouse").chosen
    assert chosen is not None
    assert any(flag.startswith("only 5") for flag in chosen.flags)


def test_a_close_paralog_is_known_from_the_human_one() -> None:
    other = FAST.paralog(0.9, 13)
    entries = [*FAST.entries("rat"), other.entry("rat", gene="")]
    with_human = [*entries, other.entry("human")]
    refused = select([FAST.entry("human")], with_human)
    assert reasons(refused, "rat", "GENE2_RAT") == {Reason.OTHER_PROTEIN}


def test_an_accession_that_occurs_twice_is_judged_by_each_of_its_sequences() -> None:
    other = STEADY.paralog(0.6, 15).residues("rat")
    entries = [*STEADY.entries(), STEADY.entry("rat", residues=other), STEADY.entry("rat")]
    selection = select([STEADY.entry("human")], entries)
    chosen = of(selection, "rat").chosen
    assert chosen is not None
    assert chosen.sequence.residues == STEADY.residues("rat")


def test_monkeys_may_have_the_human_sequence() -> None:
    own = STEADY.residues("human")
    same = [STEADY.entry(name, residues=own) for name in ("cynomolgus monkey", "rhesus monkey", "marmoset")]
    entries = [*STEADY.entries("cynomolgus monkey", "rhesus monkey", "marmoset"), *same]
    assert all(one.chosen for one in select([STEADY.entry("human")], entries).choices)


def test_species_that_all_differ_alike_are_no_outliers() -> None:
    own = STEADY.residues("human")
    entries = [STEADY.entry(one.common, residues=STEADY.mutated(own, 0.1), gene="") for one in preclinical()]
    assert all(one.chosen for one in select([STEADY.entry("human")], entries).choices)


def test_a_person_chooses_a_refused_candidate_or_accepts_the_exclusion() -> None:
    longer = STEADY.residues("dog") + STEADY.random_residues(150)
    entries = [*STEADY.entries("dog", "rat"), STEADY.entry("dog", "D1", residues=longer)]
    dog, rat = species_named("dog"), species_named("rat")
    by_hand = Overrides({dog: "D1"}, frozenset({rat}))
    selection = select([STEADY.entry("human")], entries, overrides=by_hand)
    assert (of(selection, "dog").verdict, accession(selection, "dog")) == (OrthologVerdict.BY_HAND, "D1")
    assert "more than the 420" in of(selection, "dog").reasons[1]
    assert of(selection, "rat").verdict is OrthologVerdict.ACCEPTED
    with pytest.raises(SequenceError, match="D2, chosen for dog"):
        select([STEADY.entry("human")], entries, overrides=Overrides({dog: "D2"}))


def test_the_ortholog_is_found_in_a_whole_proteome() -> None:
    others = [STEADY.entry("rat", f"Q{at}", residues=STEADY.random_residues(300)) for at in range(600)]
    paralog = STEADY.paralog(0.6, 17).entry("rat", reviewed=True)
    choice = of(select([STEADY.entry("human")], [*others, paralog, *STEADY.entries()]), "rat")
    assert choice.chosen is not None
    assert choice.chosen.sequence.accession == "GENE1_RAT"
    assert [one.sequence.accession for one in choice.refused] == ["GENE2_RAT"]


def test_a_species_that_was_asked_for_is_taken_by_any_name() -> None:
    wanted = [species_named("Felis catus"), species_named("Gallus gallus")]
    selection = select([STEADY.entry("human")], [STEADY.entry("cat")], wanted)
    assert [choice.verdict for choice in selection.choices] == [
        OrthologVerdict.CHOSEN,
        OrthologVerdict.EXCLUDED,
    ]
    assert of(selection, "chicken").reasons[0] == "no database or file holds a sequence of this species"


def test_without_a_human_sequence_nothing_is_selected() -> None:
    with pytest.raises(SequenceError, match="No sequence among those given as human"):
        select([STEADY.entry("mouse")], STEADY.entries())


@pytest.mark.parametrize(("beyond", "kept"), [(3, True), (12, False)])
def test_a_sequence_just_beyond_the_limit_is_kept_where_its_neighbour_passes(beyond: int, kept: bool) -> None:
    human = STEADY.residues("human")
    other = human.translate(str.maketrans("ACDEFGHIKLMNPQRSTVWY", "CDEFGHIKLMNPQRSTVWYA"))

    def same(percent: int) -> str:
        pairs = enumerate(zip(human, other, strict=True))
        return "".join(own if 37 * place % 100 < percent else new for place, (own, new) in pairs)

    mouse, rat = same(42), same(42 - beyond)
    entries = [STEADY.entry("mouse", residues=mouse), STEADY.entry("rat", "R1", residues=rat)]
    species = [species_named("rat"), species_named("mouse")]
    measured = select([STEADY.entry("human")], entries, species)
    assert accession(measured, "rat") == ("R1" if kept else "")
    assert accession(select([STEADY.entry("human")], entries[1:], species), "rat") == ""
