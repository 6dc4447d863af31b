"""A made-up target and the databases that know it: small tools, and a whole kind over them.

ZORB1 is a receptor of the heart. People with a broken copy have a slow heart; mice without it die young.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any

from agents.databases.facts import Fact, Facts, Response, Topic
from agents.databases.target import Found, Target
from agents.databases.target_tool import TargetArguments
from agents.evidence.sources import tool_source
from agents.kinds import AnyKind
from agents.ports import Entailment, LanguageModel
from agents.runs.pipeline import new_run
from agents.runs.run import Run
from agents.safety.instructions import Instructions
from agents.safety.kind import KIND
from agents.safety.order import SafetyOrder
from agents.safety.pipeline import SafetyTools, WritingTools, assess
from agents.safety.values import Assessment
from agents.tools.reply import ToolRecord, ToolReply
from agents.tools.tool import Tool
from agents.tools.toolset import Toolset
from agents.trust.lexical import LexicalEntailment
from tests.support.memory.ledger import MemoryLedger
from tests.support.memory.sources import MemorySources

ZORB1 = Target(
    "ZORB1", name="zorbin receptor 1", ensembl="ENSG00000999901", entrez="999901", aliases=("ZRB",)
)
TWIN = Target("ZORB2", name="zorbin receptor 2", aliases=("ZRB",))
Ask = Callable[[TargetArguments], Awaitable[ToolReply]]


def fact(topic: Topic, text: str, term: str = "", **more: Any) -> Fact:
    """A fact whose sentence stands in its record word for word."""
    return Fact(topic=topic, text=text, quotes=(text,), term=term, **more)


def replying(
    name: str,
    about: str,
    source: str,
    facts: Sequence[Fact],
    missing: tuple[str, ...] = (),
    answer: Response | None = None,
) -> Tool[Any]:
    """A database that always tells these facts, in one record."""

    async def work(asked: TargetArguments) -> ToolReply:
        title = f"{source}: ZORB1 (release 2026-01)"
        text = "\n".join(("# " + title, "", *(one.text for one in facts)))
        records = (
            (ToolRecord(tool_source(source, title, text, query=asked.target, release="2026-01")),)
            if facts
            else ()
        )
        return ToolReply(
            records,
            data=Facts(target="ZORB1", facts=tuple(facts), missing=missing, answer=answer).model_dump(
                mode="json"
            ),
        )

    return tool_of(name, about, source, work)


def tool_of(name: str, about: str, source: str, work: Ask) -> Tool[Any]:
    """A database that is asked by this. It tells of what the made-up one of its name tells of."""
    topics = tuple(dict.fromkeys(one.topic for one in FACTS[name]))
    return Tool(name, about, TargetArguments, work, source, output=Facts, topics=topics)


TISSUES = ("heart", "lung", "liver", "kidney", "brain", "spleen", "skin", "testis")
FACTS = {
    "function": [
        fact(Topic.FUNCTION, "ZORB1 is a receptor that sets the heart rate.", "regulation of heart rate"),
        fact(Topic.LOCATION, "ZORB1 lies in the plasma membrane.", "plasma membrane"),
    ],
    "atlas": [
        fact(
            Topic.EXPRESSION,
            f"In Atlas One, ZORB1 is expressed in {tissue} at {90 - 10 * place} TPM.",
            tissue,
            value=90.0 - 10 * place,
            unit="TPM",
            measure="median expression",
        )
        for place, tissue in enumerate(TISSUES)
    ],
    "second_atlas": [
        fact(Topic.EXPRESSION, "In Atlas Two, ZORB1 has high expression in skin.", "skin"),
        fact(Topic.EXPRESSION, "In Atlas Two, ZORB1 is not detected in lung.", "lung"),
    ],
    "constraint": [
        fact(
            Topic.CONSTRAINT,
            "The pLI of ZORB1 is 0.01 in gnomAD.",
            "pLI",
            measure="pLI",
            value=0.01,
        )
    ],
    "disease": [
        fact(
            Topic.DISEASE,
            "Loss of ZORB1 causes familial bradycardia in people.",
            "familial bradycardia",
            change="loss",
        )
    ],
    "mice": [
        fact(
            Topic.PHENOTYPE,
            "Mice without ZORB1 show preweaning lethality.",
            "preweaning lethality",
            species="mouse",
            change="loss",
        ),
        fact(
            Topic.PHENOTYPE,
            "Mice without ZORB1 show decreased heart rate.",
            "decreased heart rate",
            species="mouse",
            change="loss",
        ),
    ],
    "alike": [
        fact(
            Topic.HOMOLOGY,
            "Mouse Zorb1 has 91% identity with human ZORB1.",
            "Zorb1",
            species="mouse",
            value=91.0,
            unit="%",
            measure="identity",
        ),
        fact(
            Topic.HOMOLOGY,
            "Dog ZORB1 has 97% identity with human ZORB1.",
            "ZORB1",
            species="dog",
            value=97.0,
            unit="%",
            measure="identity",
        ),
    ],
    "drugs": [
        fact(Topic.DRUG, "Zorbatinib is an inhibitor of ZORB1 in phase 2.", "Zorbatinib", change="inhibition")
    ],
    "events": [
        fact(
            Topic.ADVERSE_EVENT,
            "On zorbatinib, 12 of 80 patients had bradycardia.",
            "bradycardia",
            change="inhibition",
            value=12.0,
        ),
        fact(
            Topic.ADVERSE_EVENT,
            "On zorbatinib, 3 of 80 patients had rash.",
            "rash",
            change="inhibition",
            value=3.0,
        ),
    ],
}
ABOUT = {
    "function": "Function and location of a target.",
    "atlas": "In which tissues a target is expressed.",
    "second_atlas": "In which tissues a target is expressed, by another atlas.",
    "constraint": "Genetic constraint of a target.",
    "disease": "Diseases that variants of a target cause.",
    "mice": "What mice without a target show.",
    "alike": "Orthologs of a target.",
    "drugs": "Drugs against a target.",
    "events": "Adverse events of drugs against a target.",
}
SOURCES = {"atlas": "Atlas One", "second_atlas": "Atlas Two", "constraint": "gnomAD"}


def databases(**instead: Tool[Any]) -> Toolset:
    """All databases, some of them replaced by others of the same name."""
    made = (
        instead.get(name) or replying(name, ABOUT[name], SOURCES.get(name, name.title()), facts)
        for name, facts in FACTS.items()
    )
    return Toolset("databases", made)


async def find(name: str) -> Found:
    """ZORB1 by its symbol or ids; ZRB is an alias of two."""
    if name.upper() in ("ZORB1", ZORB1.ensembl, ZORB1.entrez):
        return Found((ZORB1,))
    if name.upper() == "ZORB2":
        return Found((TWIN,))
    if name.upper() == "ZRB":
        return Found((ZORB1, TWIN), "ZRB is an alias of two genes.")
    return Found(note=f"No human gene is called {name!r}.")


async def no_archive() -> Toolset | None:
    """A house without an archive."""
    return None


def tools(
    toolset: Toolset | None = None,
    model: LanguageModel | None = None,
    sources: MemorySources | None = None,
    entailment: Entailment | None = None,
) -> SafetyTools:
    """What a run works with; without an `entailment` words are compared."""
    asked = databases() if toolset is None else toolset
    judge = entailment or LexicalEntailment()
    desk = WritingTools(model, judge, sources or MemorySources(), Instructions())
    return SafetyTools(find, asked, no_archive, desk)


async def assessed(
    order: SafetyOrder | str, with_tools: SafetyTools | None = None, ledger: MemoryLedger | None = None
) -> Assessment:
    """The outcome of a run of its own."""
    order = SafetyOrder(order) if isinstance(order, str) else order
    record = new_run("safety", order, "key")
    ledger = ledger or MemoryLedger()
    await ledger.create(record)
    return await assess(with_tools or tools(), Run(record, ledger), order)


def kind(with_tools: SafetyTools | None = None) -> AnyKind:
    """The kind over the made-up databases."""

    def opened(house: Any) -> Any:
        bound = with_tools or tools(sources=house.sources)

        async def work(run: Run, order: SafetyOrder) -> Assessment:
            return await assess(bound, run, order)

        return lambda principal: work

    return replace(KIND, open=opened)
