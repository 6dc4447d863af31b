"""Properties, likeness and diversity, with numbers that are known."""

import pytest

from agents.chemistry.diversity import circles, internal_diversity
from agents.chemistry.hints import BASE, EFFLUX, HERG, PATTERNS, SELECTIVITY, STEREO, hints
from agents.chemistry.molecule import medicines, read_molecule
from agents.chemistry.properties import base_pka, open_centres, properties
from agents.chemistry.similarity import Known, counted, nearest, scaffold, tanimoto
from agents.chemistry.transforms import lost

ASPIRIN = read_molecule("CC(=O)Oc1ccccc1C(=O)O")
SALICYLIC = read_molecule("O=C(O)c1ccccc1O")
DIAZEPAM = read_molecule("CN1C(=O)CN=C(c2ccccc2)c2cc(Cl)ccc21")


def test_properties_of_aspirin_are_the_published_ones() -> None:
    told = properties(ASPIRIN)
    assert (told.mw, told.hbd, told.tpsa) == (180.16, 1, 63.6)
    assert told.qed == pytest.approx(0.55, abs=0.01)
    assert told.sa == pytest.approx(1.58, abs=0.02)
    assert "phenol_ester" in told.alerts


def test_what_passes_into_the_brain_scores_high() -> None:
    assert properties(DIAZEPAM).cns_mpo >= 4
    peptide = read_molecule("NCCCCC(NC(CCc1ccccc1)C(=O)O)C(=O)N1CCCC1C(=O)O")
    assert properties(peptide).cns_mpo < 4


def test_the_nearest_known_molecule_comes_first_with_its_source() -> None:
    known = (Known(DIAZEPAM, "diazepam", "a label"), Known(SALICYLIC, "salicylic acid", "a paper"))
    assert nearest(ASPIRIN, known, 2) == [known[1], known[0]]
    assert nearest(ASPIRIN, known, 1) == [known[1]]
    assert tanimoto(ASPIRIN, ASPIRIN) == 1.0
    assert scaffold(ASPIRIN) == scaffold(SALICYLIC) == "c1ccccc1"


def test_a_set_of_equals_has_no_diversity() -> None:
    assert internal_diversity([ASPIRIN, ASPIRIN]) == 0.0
    assert internal_diversity([ASPIRIN]) == 0.0
    assert internal_diversity([ASPIRIN, SALICYLIC]) == pytest.approx(1 - tanimoto(ASPIRIN, SALICYLIC))
    assert circles([ASPIRIN, SALICYLIC, ASPIRIN, DIAZEPAM], 0.75) == 2
    assert circles([], 0.75) == 0


def test_rules_of_thumb_hint_at_known_liabilities_and_never_give_a_number_for_what_has_none() -> None:
    terfenadine = read_molecule("CC(C)(C)c1ccc(cc1)C(O)CCCN1CCC(CC1)C(O)(c1ccccc1)c1ccccc1")
    told = dict(hints(terfenadine))
    assert told[HERG].startswith("a sign of a block")
    assert told[BASE] == "about 9.5"
    assert told[SELECTIVITY] == "not estimated: must be measured"
    morpholine = dict(
        hints(read_molecule("COc1cc2ncnc(Nc3ccc(F)c(Cl)c3)c2cc1OCCCN1CCOCC1"))
    )  # its pKa is 7.2
    assert morpholine[BASE] == "about 7.5"
    polar_base = read_molecule("CN1CCC(CC1)c1ccnc(N)n1")
    assert dict(hints(polar_base))[HERG] == "open: neither side of the rule is met", (
        "a strong base is never cleared"
    )
    assert dict(hints(ASPIRIN))[EFFLUX] == dict(hints(ASPIRIN))[HERG] == "no sign by this rule"
    etoposide = read_molecule("CC1OCC2C(O1)C(C(C(O2)OC1C2COC(=O)C2C(c2cc3c(cc21)OCO3)c1cc(OC)c(O)c(OC)c1)O)O")
    assert "13 N and O" in dict(hints(etoposide))[EFFLUX]


def test_a_counted_fingerprint_tells_how_often_a_feature_occurs() -> None:
    one, two = counted([read_molecule("CCCCCC"), read_molecule("CCCCCCCCCC")])
    assert one.shape == (2048,)
    assert two.sum() > one.sum()


@pytest.mark.parametrize(
    ("smiles", "pka"),
    [
        ("Nc1ccnc2cc(Cl)ccc12", 8.5),
        ("NC(=O)c1cnc2ccccc2c1Nc1ccccc1", 5.0),  # the carboxamide takes three units
        ("Cc1ccccn1", 5.2),
        ("NC(=O)c1ccnc(F)c1", 0.0),
    ],
)
def test_what_pulls_at_a_ring_takes_its_nitrogens_basicity(smiles: str, pka: float) -> None:
    assert base_pka(read_molecule(smiles)) == pka


@pytest.mark.parametrize(
    ("smiles", "said"),
    [
        ("NC(=O)c1cnc2ccccc2c1Oc1ccccc1", "thiols can displace the aryl ether"),
        ("c1ccc(Oc2ccccc2)cc1", ""),
        ("NS(=O)(=O)c1ccc(-n2cccn2)nc1", "the azole on an electron-poor ring"),
        ("Oc1ccccc1N1CCOCC1", "a quinone imine"),
        ("Cc1ccccc1O", "a quinone methide"),
        ("O=C(N)c1cnc2ncccc2c1", "where aldehyde oxidase attacks"),
    ],
)
def test_reactive_and_metabolic_patterns_are_told_of_every_molecule(smiles: str, said: str) -> None:
    told = dict(hints(read_molecule(smiles)))[PATTERNS]
    assert said in told
    assert bool(said) or "thiols" not in told


def test_groups_by_which_the_start_may_be_recognised_are_missed() -> None:
    start = medicines()["celecoxib"]
    assert lost(read_molecule(start.smiles.replace("S(N)(=O)=O", "C#N")), start) == ("primary sulfonamide",)
    assert lost(start, start) == ()


PUBLISHED = {
    "metformin": 12.4,
    "clonidine": 8.1,
    "famotidine": 7.1,
    "atenolol": 9.6,
    "propranolol": 9.4,
    "fluoxetine": 10.0,
    "amlodipine": 8.6,
    "sitagliptin": 8.8,
    "memantine": 10.3,
    "pramipexole": 9.6,
    "gabapentin": 10.7,
    "amitriptyline": 9.4,
    "lidocaine": 7.9,
    "bupivacaine": 8.1,
    "rasagiline": 7.3,
    "gefitinib": 7.2,
    "quetiapine": 7.1,
    "vildagliptin": 9.0,
    "trimethoprim": 7.1,
    "pyrimethamine": 7.3,
    "prazosin": 6.8,
    "erlotinib": 5.4,
    "ondansetron": 7.4,
    "cimetidine": 6.8,
    "aspirin": 0,
    "ibuprofen": 0,
    "carbamazepine": 0,
    "celecoxib": 0,
    "rivaroxaban": 0,
    "apixaban": 0,
    "caffeine": 0,
    "levetiracetam": 0,
    "valproate": 0,
    "phenytoin": 0,
}
"""Published pKa of the conjugate acid of well-known medicines, 0 for what is no base in the body."""


@pytest.mark.parametrize(("name", "pka"), PUBLISHED.items())
def test_the_base_of_a_well_known_medicine_is_told_within_two_units(name: str, pka: float) -> None:
    assert base_pka(medicines()[name]) == pytest.approx(pka, abs=2.0 if pka else 0)


def test_open_stereocentres_are_counted_without_those_that_bridges_hold() -> None:
    counted = {name: open_centres(medicines()[name]) for name in ("rivaroxaban", "warfarin", "memantine")}
    assert counted == {"rivaroxaban": 0, "warfarin": 1, "memantine": 0}
    assert dict(hints(medicines()["warfarin"]))[STEREO] == "1"


@pytest.mark.parametrize(
    ("smiles", "told"),
    [
        ("CC(=O)Nc1sccc1C(=O)OC", "aminothiophene"),
        ("CCNC(=O)c1ccc2OCOc2c1", "methylenedioxyphenyl"),
        ("CCNC(=O)c1ccco1", "furan"),
        ("Clc1ccncn1", "displaced by thiols"),
        ("C=CS(=O)(=O)c1ccccc1", "activated double bond"),
        ("CC(=O)C1CC1NC", "cyclopropylamine"),
        ("Cc1c[nH]c2ccccc12", "3-methylindole"),
        ("O=C(CCN1CCCCC1)c1ccccc1", "beta-aminoketone"),
    ],
)
def test_what_no_catalogue_of_alerts_has_is_told(smiles: str, told: str) -> None:
    assert told in dict(hints(read_molecule(smiles)))[PATTERNS]


def test_a_carbamate_is_no_ester() -> None:
    for name, is_ester in (("rivaroxaban", False), ("clopidogrel", True), ("oseltamivir", True)):
        assert ("the ester will be cleaved" in dict(hints(medicines()[name]))[PATTERNS]) is is_ester, name
