"""A brief that a language model reads, what RDKit makes of it, and the set that a chair designs from it."""

import asyncio
from dataclasses import replace
from typing import Any, cast

import pytest

from agents.chemistry.molecule import read_molecule
from agents.chemistry.recognition import without
from agents.design.begin import Begun, begun
from agents.design.chair import CHAIR
from agents.design.midway import brief_section
from agents.design.pipeline import design
from agents.design.report import report
from agents.design.understand import ordered
from agents.design.values import Goal, Measure
from agents.errors import ModelUnavailable, RunStopped, StepFailed
from agents.ports import Ledger
from agents.reports.gate import gated
from agents.reports.values import Table
from agents.runs.heard import HEARD, Said, said_detail
from agents.runs.run import Run
from tests.agents.design.kit import begun as begun_run
from tests.agents.design.kit import designed, desk, order
from tests.agents.design.test_design import Length
from tests.support.drills import grid
from tests.support.scripted import Call, ScriptedModel
from tests.workers.test_crash import Killed, Life

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


PHENOL = "CC(=O)Nc1ccc(O)cc1"
NITRILE, AMIDE, FORMYL = "CC(=O)Nc1ccc(C#N)cc1", "CC(=O)Nc1ccc(C(N)=O)cc1", "O=CNc1ccc(O)cc1"
BOTH, UREA = "O=CNc1ccc(C#N)cc1", "NC(=O)Nc1ccc(O)cc1"


def member(name: str, smiles: str, change: str, **more: Any) -> dict[str, Any]:
    told = {"question": f"Does {change} help?", "expected": "It should last.", "kind": "single change"}
    return {"id": name, "smiles": smiles, "change": change, **told, **more}


DRAFT = {
    "argument": ["The phenol is conjugated; M1 takes it away."],
    "members": [
        member("M1", NITRILE, "phenol to nitrile", takes=["P1"], cost="A donor is lost."),
        member("M2", BOTH, "acetyl to formyl"),
        member("M3", "no molecule", "nothing"),
        member("M4", PHENOL, "none, it is the start"),
        member("M5", "CC(=O)Nc1ccccc1", "phenol to hydrogen", kind="control"),
    ],
}
MENDED = {
    "argument": ["The phenol is conjugated.", "M1 takes it away, M2 keeps a donor."],
    "aims": [{"claim": "half-life", "asked": "at least 4 h", "start": "about 2 h"}],
    "members": [
        member(
            "M2",
            AMIDE,
            "phenol to amide",
            lever="no phenol",
            reaches=4,
            odds=[{"claim": "half-life", "value": "5 h;", "tenths": 6}],
        ),
        member("M1", NITRILE, "phenol to nitrile"),
        member("M5", "CC(=O)Nc1ccccc1", "phenol to hydrogen", kind="control"),
    ],
    "readings": [{"result": "M2 lasts and M1 does not", "then": "the donor is wanted"}],
    "making": "All come from one aniline.",
    "assays": [
        {
            "assay": "uptake",
            "go": "clearance 8 mL/min/kg; IC50 30 nM",
            "stop": "half-life 9 h.",
            "pitfall": "Plastic",
        }
    ],
    "asked": [{"question": "What misleads", "points": ["Plastic binds it."]}],
    "left_out": ["A urea is left for later."],
    "not_met": ["No molecule here is known to reach the brain."],
    "answers": [{"to": "C1", "answer": "The amide leads now."}, {"to": "R1", "answer": "It is stable."}],
}
ASKED = f"design inhibitors like {PHENOL}, 1 round, 2 proposals"


def chairing(call: Call) -> Any:
    """Scientists who propose and criticise, and a chair who mends its set after them."""
    if call.role == "design_propose":
        return {"proposals": [{"smiles": NITRILE, "change": "phenol to nitrile", "why": "x", "cost": "y"}]}
    if call.role == "design_criticise":
        said = {"about": "M1", "text": "A donor is lost.", "better": AMIDE, "change": "phenol to amide"}
        scores = [
            {"candidate": one, "relevance": 9 - at, "feasibility": 9, "novelty": 9}
            for at, one in enumerate(("M1", "M2", "M3"))
        ]
        return {"critiques": [said], "scores": scores}
    if call.role == "design_set":
        return MENDED if "the set as it stands" in call.user else DRAFT
    return {"aim": "x", "start": [{"name": "F1"}]}


ROLES = tuple(f"design_{role}" for role in ("brief", "propose", "criticise", "set"))


def chair(**others: Any) -> ScriptedModel:
    return ScriptedModel(dict.fromkeys(ROLES, chairing) | others)


async def test_a_chair_designs_the_set_and_mends_it_after_criticism_and_what_code_finds() -> None:
    model = chair()
    made = await designed(desk(model), order(ASKED))
    assert len(model.calls) == 1 + 3 + 1 + 3 + 1
    assert made.floor is not None
    mend = [call.user for call in model.calls if call.role == "design_set"][-1]
    for told in (
        "M2 is told as one change of start: it differs at 2 places.",
        "M3 no molecule (nothing)",
        "it is the start itself",
        "set: the first batch has one lever",
        "set: it has no `aims`",
        "logP 1.4 (",
        "inside)",
        "C1 Medicinal chemist on M1: A donor is lost. Rather P4.",
        "logS",
    ):
        assert told in mend
    assert [one.proposal.what for one in made.floor.ranked] == [AMIDE, NITRILE, "CC(=O)Nc1ccccc1"]
    assert made.floor.standing == ("M6", "M1", "M5"), "another molecule under an old id gets a new one"
    assert made.floor.votes[-1].agreement == pytest.approx(1.0), "the scientists rank alike"
    assert "ballots of scientists" in mend
    assert made.designed.argument[1].endswith("M6 keeps a donor."), "and its texts name it so"
    whole = gated(report(made))
    assert whole.short == "3 molecules, to be made in this order: M6, M1, M5."
    told = repr(whole.sections[0]) + repr(whole.sections[1])
    for words in (
        "Does phenol to amide help?",
        "Go if clearance 8 mL/min/kg, IC50 30 nM. Stop if half-life 9 h.",
        "aim: at least 4 h",
        "about 2 h",
        "5 h (expected 6 of 10)",
        "4 of 10",
        "the donor is wanted",
        "to reach the brain",
        "A urea is left for later.",
        "Plastic binds it.",
        "The amide leads now.",
    ):
        assert words in told
    tables = [one.title for one in whole.sections[0].tables if isinstance(one, Table)]
    wanted = ("The set, in the order of making", "Aims, and what is expected", "What results mean")
    assert tables[:4] == [*wanted, "Assays, in this order"]
    assert "Proposals of scripted." in repr(whole)
    assert made.floor.entry("M1").proposal.by == CHAIR  # type: ignore[union-attr]


AWRY = {
    "argument": ["It is conjugated."],
    "members": [
        member("M1", "CC(=O)Nc1ccccc1", "phenol to hydrogen", kind="control"),
        member("M2", "CC(=O)Nc1cccc(O)c1", "phenol moved", kind="control"),
        member("M3", NITRILE, "phenol to nitrile", after="M4 lasts"),
        member("M4", AMIDE, "phenol to amide", reaches=5, lever="no phenol"),
        member("M5", FORMYL, "acetyl to formyl", kind="control"),
    ],
}
AIMS = [{"claim": "half-life", "asked": "at least 4 h"}, {"claim": "block", "asked": "at most 10 %"}]
SLOW, IDLE = (
    {"claim": "half-life", "value": "5 h", "tenths": 3},
    {"claim": "block", "value": "5 %", "tenths": 7},
)
WIDE = "COC(=O)Nc1ccc(C#N)cc1CCCCCCCCC"
UNSURE = {
    "argument": ["It is conjugated."],
    "aims": AIMS,
    "members": [
        member("M1", WIDE, "three", kind="combination", reaches=4, lever="no phenol", odds=[SLOW, IDLE]),
        member("M2", "CC(=O)Nc1ccccc1", "phenol to hydrogen", kind="control"),
        member("M3", FORMYL, "acetyl to formyl", lever="no methyl", odds=[SLOW]),
    ],
}


async def test_code_holds_the_set_against_the_aims_of_the_brief() -> None:
    model = chair(
        design_set=lambda call: MENDED if "the set as it stands" in call.user else UNSURE,
        design_brief=[{"aim": "x", "start": [{"name": "F1"}], "goals": [{"measure": "logP", "high": 2}]}],
    )
    await designed(desk(model), order(ASKED))
    mend = [call.user for call in model.calls if call.role == "design_set"][-1]
    for told in (
        "M1 reaches the whole aim likelier than half-life alone.",
        "M1 leads and misses logP at most 2: ",
        "M1 leads with 3 of 10 for half-life: give it room",
        "M1 changes 3 places, and no molecule of the set parts them.",
        "M3 has no value with odds for: block.",
        "OUTside)",
    ):
        assert told in mend
    assert "M2 has no value" not in mend


FEWER = {"members": [member("M4", "CC(=O)Nc1ccc(F)cc1", "phenol to fluorine")], "dropped": ["M2"]}


async def test_code_tells_the_chair_what_is_amiss_and_a_mended_part_changes_that_part_alone() -> None:
    def written(call: Call) -> Any:
        return FEWER if "the set as it stands" in call.user else AWRY

    acetyl = {"name": "acetyl", "smarts": "[CH3]C(=O)N", "does": "keep"}
    goal = {"measure": "basic pKa", "high": 9}
    brief = {"aim": "x", "start": [{"name": "F1"}], "parts": [acetyl], "goals": [goal]}
    model = chair(design_set=written, design_brief=[brief])
    made = await designed(desk(model), order(f"{ASKED}, until 4 candidates"))
    first, last = [call for call in model.calls if call.role == "design_set"]
    assert "`members`: 4 molecules" in first.system
    for told in (
        "it lost what is kept",
        "set: 2 of 4 are controls: one has to be, a third may be.",
        "set: a molecule that waits for a result stands before one of the first batch.",
        "set: M4 is trusted most, M1 leads.",
        "set: the first batch has one lever.",
    ):
        assert told in last.user
    assert made.floor is not None
    assert made.floor.standing == ("M1", "M3", "M5"), "what is new has a new id, in the place of M4"
    computed = next(one for one in report(made).sections[0].tables if one.title.startswith("Computed"))
    assert "basic pKa" not in computed.columns, "one value for all tells nothing"


async def test_what_people_want_binds_the_chair() -> None:
    record, ledger = await begun_run()
    told = ("pin 2", "veto 5", f"try {UREA}", "how stable is it?")
    waits: list[Any] = []

    def spoken_to(call: Call) -> Any:
        if not waits:
            said = (Said("ana", "now", f"{at}", text) for at, text in enumerate(told))
            waits.extend(
                asyncio.ensure_future(ledger.append(record.run_id, HEARD, said_detail(one))) for one in said
            )
        return chairing(call)

    model = chair(design_set=spoken_to)
    made = await design(desk(model), Run(record, ledger), replace(order(ASKED), rounds=2))
    assert made.floor is not None
    assert made.floor.standing == ("M6", "M1", "M2"), "what is pinned stands, what is vetoed does not"
    mend = [call.user for call in model.calls if call.role == "design_set"][-1]
    for words in ("R1 ana: how stable is it?", "pinned, has to stand: M2", "by person ana", "vetoed, not to"):
        assert words in mend
    whole = repr(gated(report(made)))
    assert "the chair: It is stable." in whole
    assert "the team vetoed it" in whole


async def test_a_proposal_that_waits_keeps_no_form_of_it_out_of_the_set() -> None:
    hydroxy, pyridone = "CC(=O)Nc1ccc(O)nc1", "CC(=O)Nc1ccc(=O)[nH]c1"
    proposed = {"proposals": [{"smiles": hydroxy, "change": "carbon to nitrogen", "why": "x"}]}
    both = [member("M1", pyridone, "ring to pyridone"), member("M2", hydroxy, "ring to pyridine")]
    model = chair(
        design_propose=lambda call: proposed, design_set=lambda call: {"argument": ["x"], "members": both}
    )
    made = await designed(desk(model), order(ASKED))
    assert made.floor is not None
    assert [one.proposal.what for one in made.floor.ranked] == [pyridone]
    assert any(f"it is a tautomer of {pyridone}" in note for note in made.notes)


async def test_a_check_that_ends_by_the_clock_is_made_once_whatever_kills_the_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def dies(call: Call) -> Any:
        if "the set as it stands" in call.user:
            raise Killed
        return chairing(call)

    record, ledger = await begun_run()
    first, second = chair(design_set=dies), chair()
    with pytest.raises((Killed, BaseExceptionGroup, StepFailed)):
        await design(desk(first), Run(record, ledger), order(ASKED))
    monkeypatch.setattr("agents.design.chair.places_changed", lambda one, other: 7)
    await design(desk(second), await Run.resume(record, ledger), order(ASKED))
    mend = [model.calls[-1].user for model in (first, second)]
    assert mend[0] == mend[1]
    assert "it differs at 2 places." in mend[1]


async def test_a_control_of_the_chair_spends_no_call_of_an_oracle() -> None:
    oracle = Length()
    await designed(replace(desk(chair()), oracle=oracle), order(ASKED))
    assert NITRILE in oracle.calls
    assert "CC(=O)Nc1ccccc1" not in oracle.calls


async def test_without_a_chair_rules_debate_over_what_was_proposed_and_the_report_says_so() -> None:
    model = chair(design_set=lambda call: ModelUnavailable("away"))
    made = await designed(desk(model), order(ASKED))
    assert any("no usable answer in designing the set" in one for one in report(made).notes)
    assert made.floor is not None
    assert NITRILE in [one.proposal.what for one in made.floor.entries]
    assert len({one.proposal.by for one in made.floor.entries}) == 3


@pytest.mark.parametrize("dies_at", grid(range(6, 96, 6), every=5))
async def test_wherever_it_dies_the_chair_goes_on_with_the_same_set(dies_at: int) -> None:
    record, ledger = await begun_run()
    asked = replace(order(ASKED), rounds=2)
    try:
        mortal = cast(Ledger, Life(dies_at).of(ledger))
        made = await design(desk(chair()), Run(record, mortal), asked)
    except (Killed, BaseExceptionGroup, StepFailed, RunStopped):
        made = await design(desk(chair()), await Run.resume(record, ledger), asked)
    whole = await designed(desk(chair()), asked)
    assert (made.designed, made.floor, made.notes) == (whole.designed, whole.floor, whole.notes)
