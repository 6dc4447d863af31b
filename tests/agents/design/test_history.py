"""A start from the house's own archive: its structure, what it failed by with passages, and what follows."""

from dataclasses import replace
from pathlib import Path

from agents.archive.toolbox import archive_toolset
from agents.databases.facts import Fact, Facts, Topic
from agents.databases.target_tool import TargetArguments
from agents.design.history import History, Past
from agents.design.report import report
from agents.design.values import Goal, Measure
from agents.evidence.sources import tool_source
from agents.reports.gate import gated
from agents.tools.reply import ToolRecord, ToolReply
from agents.tools.tool import Tool
from agents.tools.toolset import Toolset
from tests.agents.archive.world import DOCUMENTS, archive
from tests.agents.design.kit import designed, desk, order

FAILED = "Development of ZK-703 was stopped because of hERG block and poor aqueous solubility."
OWN = {
    **DOCUMENTS,
    "ZK-MC-03": f"""# ZK-703: structure and properties

Structure of ZK-703. SMILES: Cc1ccc(NC(=O)c2ccc(N3CCNCC3)cc2)cc1

{FAILED} ZK-703 showed no genotoxicity. A study of ZK-703 in dogs is planned for toxicity.
""",
}


async def tools_of(folder: Path) -> Toolset:
    return archive_toolset(await archive(folder, OWN))


async def test_the_archive_tells_structure_and_liabilities_and_nothing_that_is_denied(tmp_path: Path) -> None:
    kept = await tools_of(tmp_path)

    async def tools() -> Toolset:
        return kept

    told = await History(tools).of_molecule("ZK-703")
    assert told.smiles == "Cc1ccc(NC(=O)c2ccc(N3CCNCC3)cc2)cc1"
    assert [text for text, _ in told.liabilities] == [FAILED]
    assert FAILED in told.evidence[0].text
    assert not (await History(tools).of_molecule("XX-999")).here
    assert await History(None).of_molecule("ZK-703") == Past()

    made = await designed(
        replace(desk(), tools=tools),
        order("design a follow-up from our archive: ZK-703, 1 round, 1 proposal"),
    )
    assert made.brief is not None
    assert made.brief.seeds == (told.smiles,)
    assert made.brief.goal(Measure.LOGP) == Goal(Measure.LOGP, 0.0, 3.0, 2.0)
    assert made.brief.goal(Measure.LOGS) == Goal(Measure.LOGS, -4.0, None, 2.0)
    passed = gated(report(made))
    section = passed.section("scientists")
    assert section is not None
    assert FAILED in repr(section.blocks)
    assert section.citations[0].doc_id == "ZK-MC-03"
    bare = await designed(replace(desk(), tools=tools), order("design inhibitors like ZK-701"))
    assert "ZK-701 (it is in the archive, without a structure)" in bare.problem


async def test_what_a_safety_report_is_told_of_the_target_is_known_with_its_records() -> None:
    def asked(name: str, topic: Topic, says: tuple[str, ...]) -> Tool[TargetArguments]:
        source = tool_source(name, name, "\n".join(says))
        facts = tuple(Fact(topic=topic, text="told otherwise", quotes=(one,)) for one in says)

        async def work(wanted: TargetArguments) -> ToolReply:
            told = Facts(target=wanted.target, facts=facts).model_dump(mode="json")
            return ToolReply((ToolRecord(source),), data=told)

        return Tool(name, "", TargetArguments, work, name, output=Facts)

    reviews = asked("open_targets_safety", Topic.ADVERSE_EVENT, ("Bradycardia on inhibition of ABC1",))
    labels = asked("drug_labels", Topic.ADVERSE_EVENT, ("A warns of seizures", "B warns", "C warns"))
    other = asked("chembl_drugs", Topic.DRUG, ("A is a drug of ABC1",))

    async def tools() -> Toolset:
        return Toolset("databases", (other, labels, reviews))

    told = await History(tools).of_target("ABC1")
    assert [text for text, _ in told.liabilities] == [
        "Bradycardia on inhibition of ABC1",
        "A warns of seizures",
        "B warns",
    ]
    evidence = {one.key: one.title for one in told.evidence}
    assert [evidence[key] for _, key in told.liabilities] == [
        "open_targets_safety",
        "drug_labels",
        "drug_labels",
    ]
