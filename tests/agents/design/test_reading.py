"""A brief that a language model reads, what RDKit makes of it, and what the chair concludes."""

from dataclasses import replace
from typing import Any

from agents.chemistry.molecule import read_molecule
from agents.chemistry.recognition import without
from agents.design.begin import Begun, begun
from agents.design.midway import brief_section
from agents.design.report import report
from agents.design.understand import ordered
from agents.design.values import Goal, Measure
from agents.reports.gate import gated
from agents.reports.values import Table
from tests.agents.design.kit import designed, desk, order
from tests.agents.design.test_design import ROLES, Length, voice
from tests.support.scripted import Call, ScriptedModel

HALOPERIDOL = "O=C(CCCN1CCC(O)(c2ccc(Cl)cc2)CC1)c1ccc(F)cc1"
WISH = "design haloperidol analogues that are less basic, keep the butyrophenone, no chloroarene"
BASE = {"measure": "basic pKa", "low": 6.5, "high": 8.5, "best": 7.5, "weight": 3}
KETONE = {"name": "aryl ketone", "smarts": "[#6]C(=O)c1ccc(F)cc1", "does": "keep", "why": "reaches Ser193"}
CHLORO = {"name": "chloroarene", "smarts": "cCl", "does": "remove"}
GOOD = {
    "aim": "A weaker base of the haloperidol type.",
    "target": "DRD2",
    "start": [{"name": "F1"}],
    "goals": [BASE, {"measure": "similarity", "low": 0.3}],
    "dropped": ["SA"],
    "parts": [KETONE, CHLORO],
    "binding": "The amine meets Asp114.",
    "judged": ["D2 affinity: radioligand binding"],
}


async def read(model: ScriptedModel, wish: str = WISH) -> Begun:
    at = desk()
    return await begun(at.wording, at.targets, at.ligands, model, ordered(wish))


async def test_a_model_reads_a_brief_into_goals_parts_and_what_no_tool_measures() -> None:
    model = ScriptedModel({"design_brief": [GOOD]})
    start = await read(model)
    assert "haloperidol is read as the medicine" in model.calls[0].user
    assert "basic pKa 9.5" in model.calls[0].user
    brief = start.brief
    assert brief is not None
    assert brief.goal(Measure.PKA) == Goal(Measure.PKA, 6.5, 8.5, 3.0, 7.5)
    assert brief.goal(Measure.LIKE) == Goal(Measure.LIKE, 0.3)
    assert brief.goal(Measure.SA) is None
    assert brief.goal(Measure.QED) is not None, "usual goals hold besides"
    assert [told for _, told in without(read_molecule(HALOPERIDOL), brief.kept)] == [
        "`replace the chloroarene`"
    ]
    shown = repr(brief_section(brief, (), start.notes))
    for told in ("`keep the aryl ketone`: reaches Ser193", "The amine meets Asp114.", "radioligand binding"):
        assert told in shown


async def test_what_rdkit_finds_wrong_goes_back_once_and_is_left_out_and_told_if_it_stays() -> None:
    wrong = {
        **GOOD,
        "start": [{"name": "F1"}],
        "avoid": [{"name": "madeupine", "smiles": "CCO", "formula": "C9H9N"}],
        "goals": [BASE, {"measure": "TPSA", "high": 10}, {"measure": "logP", "low": 4, "high": 2}],
        "parts": [
            KETONE,
            {"name": "ring", "smarts": "c1ccc", "does": "keep"},
            {"name": "sulfonamide", "smarts": "S(=O)(=O)N", "does": "keep"},
            {"name": "carbonyl", "smarts": "C=O", "does": "remove"},
        ],
    }
    model = ScriptedModel({"design_brief": [wrong, GOOD]})
    start = await read(model)
    back = model.calls[1].user
    for told in (
        "madeupine: the SMILES has the formula C2H6O, not C9H9N",
        "TPSA at most 10: what stays has 17 alone",
        "logP: no value is at least 4 and at most 2",
        "ring: c1ccc is no SMARTS",
        "sulfonamide: the start has no S(=O)(=O)N",
        "carbonyl: C=O hits a part that stays",
    ):
        assert told in back
        assert told not in repr(start.notes)
    start = await read(ScriptedModel({"design_brief": [wrong, wrong]}))
    assert start.brief is not None
    assert [told for _, told in start.brief.kept] == ["`keep the aryl ketone`: reaches Ser193"]
    assert start.brief.goal(Measure.TPSA) is None
    assert any("Left out of the brief, since it cannot be held: carbonyl" in one for one in start.notes)


async def test_a_start_that_nobody_here_knows_is_drawn_from_memory_checked_and_told() -> None:
    named = {"name": "foobarine", "smiles": "CCOc1ccccc1C(N)=O", "formula": "C9H11NO2"}
    model = ScriptedModel({"design_brief": [{"aim": "x", "start": [named]}] * 2})
    start = await read(model, "design analogues of foobarine, more soluble")
    assert "Start, computed: CCOc1ccccc1C(N)=O: QED" in model.calls[1].user, "windows are set against it"
    assert start.brief is not None
    assert start.brief.seeds == ("CCOc1ccccc1C(N)=O",)
    assert any("foobarine (C9H11NO2) is from the language model's memory" in one for one in start.notes)
    unsure = {"aim": "x", "start": [{"name": "foobarine"}]}
    nobody = await read(ScriptedModel({"design_brief": [unsure] * 2}), "design analogues of foobarine")
    assert "No molecule is known here as foobarine" in nobody.problem
    opioid = {**named, "smiles": "CCC(=O)N(c1ccccc1)C1(C(=O)OC)CCN(CCc2ccccc2)CC1", "formula": ""}
    refused = await read(ScriptedModel({"design_brief": [{"aim": "x", "start": [opioid]}] * 2}))
    assert refused.brief is None, "a structure from memory is guarded as one that is written"


ADMITTED = (
    ("CC(=O)Nc1ccc(C#N)cc1", "nitrile as acceptor"),
    ("CC(=O)Nc1ccc(C#C)cc1", "nitrile as acceptor"),
    ("CC(=O)Nc1ccc2[nH]ncc2c1", "Nitrile as acceptor"),
    ("CN1CCN(c2ccccc2)CC1", "base instead of amide"),
)


CONTROLS = [
    {"smiles": "c1cc(O)ccc1NC=O", "change": "acetyl to formyl", "why": "the smallest acyl group"},
    {"smiles": "no molecule", "why": "it cannot be read"},
    {"smiles": "CC(=O)Nc1ccc(O)cc1", "why": "it is the start"},
]


def debating(call: Call) -> Any:
    """A model whose scientists propose four molecules of two ideas, and whose chair names one too many."""
    if call.role == "design_propose":
        told = [{"smiles": one, "why": "it binds", "idea": idea, "cost": "heat"} for one, idea in ADMITTED]
        return {"proposals": told}
    if call.role == "design_reconsider":
        return {"proposals": [{"smiles": one, "why": ""} for one, _ in ADMITTED]}
    if call.role == "design_criticise":
        return {"critiques": []}
    if call.role == "design_vote":
        return {
            "scores": [
                {"candidate": f"M{at}", "relevance": 10 - at, "feasibility": 5, "novelty": 5}
                for at in range(1, 5)
            ]
        }
    if call.role == "design_conclude":
        return {
            "answer": "Two ideas were put forward.",
            "series": [{"name": "A", "hypothesis": "the acceptor binds", "molecules": ["M1", "M99"]}],
            "first": [
                {"molecule": "M1", "why": "it answers most"},
                {"molecule": "M99", "why": "x"},
                *CONTROLS,
            ],
            "assays": [{"assay": "uptake", "decides": "whether the acceptor binds"}],
            "not_met": ["No candidate is known to reach the brain."],
        }
    return {"aim": "x", "start": [{"name": "F1"}]}


async def test_votes_of_a_model_rank_few_of_each_idea_and_its_chair_concludes() -> None:
    model = ScriptedModel({f"design_{role}": debating for role in (*ROLES, "brief", "conclude")})
    made = await designed(
        desk(model), order("design inhibitors like CC(=O)Nc1ccc(O)cc1, 1 round, 4 proposals")
    )
    assert made.floor is not None
    assert made.floor.standing == ("M1", "M2", "M4"), "M3 is a third of one idea"
    assert made.concluded is not None
    assert [(one.molecule, one.smiles) for one in made.concluded.first] == [
        ("M1", ""),
        ("", "O=CNc1ccc(O)cc1"),
    ]
    told = repr(gated(report(made)).sections[0])
    for words in (
        "Two ideas were put forward.",
        "whether the acceptor binds",
        "Cost: heat",
        "acetyl to formyl",
        "to reach the brain",
    ):
        assert words in told
    tables = [one.title for one in gated(report(made)).sections[0].tables if isinstance(one, Table)]
    assert tables[:3] == ["Make first, in this order", "Series", "Assays that decide"]
    assert "M99" not in told
    assert len([call for call in model.calls if call.role == "design_reconsider"]) == 3


async def test_a_control_of_the_chair_spends_no_call_of_an_oracle() -> None:
    model = ScriptedModel({f"design_{role}": debating for role in (*ROLES, "brief", "conclude")})
    oracle = Length()
    asked = order("design inhibitors like CC(=O)Nc1ccc(O)cc1, 1 round, 4 proposals")
    made = await designed(replace(desk(model), oracle=oracle), asked)
    assert made.concluded is not None
    assert made.concluded.first[-1].smiles == "O=CNc1ccc(O)cc1"
    assert oracle.calls
    assert "O=CNc1ccc(O)cc1" not in oracle.calls


async def test_without_a_chair_the_report_says_so() -> None:
    model = ScriptedModel({f"design_{role}": voice for role in ROLES})
    made = await designed(desk(model))
    assert any("no usable answer in the conclusion" in one for one in report(made).notes)
    assert any("in reading the brief" in one for one in report(made).notes)
