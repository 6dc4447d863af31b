"""What a section's agent is given: findings once, what was not answered, and no tool that cannot answer."""

import re
from dataclasses import replace

from agents.databases.facts import Fact, Topic
from agents.evidence.values import Evidence
from agents.safety.checked import LONG, KnownSentences, concluding, narrowed, quoted
from agents.safety.order import SafetyOrder
from agents.safety.values import CitedFact
from agents.scripted import Answer, Call, ScriptedModel, calls
from agents.trust.entail import ModelEntailment
from agents.trust.lexical import LexicalEntailment
from agents.trust.values import Claim, Verdict
from tests.agents.safety.kit import assessed, databases, tools
from tests.agents.safety.test_minds import shortens, writes
from tests.agents.trust.builders import remember


def by_section(asked: ScriptedModel) -> dict[str, Call]:
    """The first turn of each section."""
    first: dict[str, Call] = {}
    for call in asked.calls:
        if call.role == "write":
            first.setdefault(call.system.split("“")[1].split("”")[0], call)
    return first


async def asked_of(order: str | SafetyOrder = "ZORB1", leave_out: tuple[str, ...] = ()) -> dict[str, Call]:
    model = ScriptedModel({"write": writes, "compress": shortens})
    tooled = tools(model=model)
    kept = (one for one in databases().values() if one.name not in leave_out)
    bound = replace(tooled, databases=type(tooled.databases)("databases", kept))
    await assessed(order, bound)
    return by_section(model)


async def test_findings_of_one_make_share_a_line() -> None:
    user = (await asked_of())["Expression profile"].user
    assert "In Atlas One, ZORB1 is expressed in … TPM. [E21001] Each … in turn: " in user
    assert "lung at 80; liver at 70; kidney at 60" in user


async def test_a_section_without_findings_is_not_asked_of_a_model_and_says_who_was_asked() -> None:
    given = await asked_of(leave_out=("mice",))
    assert "Animal phenotypes" not in given
    assert "Our own archive" not in given
    assert "Not assessed, or nothing found: " in given["Study plan and open questions"].user
    assert "animal phenotypes" in given["Study plan and open questions"].user


async def test_a_tool_that_the_order_leaves_out_is_not_offered_to_the_model_either() -> None:
    given = await asked_of(SafetyOrder("ZORB1", without=("events",)))
    offered = {spec.name for call in given.values() for spec in call.tools}
    assert "events" not in offered
    assert "mice" in offered


async def test_what_was_collected_is_not_asked_again() -> None:
    def asks(call: Call) -> Answer:
        if "“Animal phenotypes”" in call.system and len(call.messages) == 2:
            return calls(("mice", {"target": "ZORB1"}))
        return writes(call)

    model = ScriptedModel({"write": asks, "compress": shortens})
    await assessed("ZORB1", tools(model=model))
    second = [call for call in model.calls if "“Animal phenotypes”" in call.system][1]
    assert re.search(r"You have asked this already\. Its records: E\d+", second.messages[-1].text)


async def test_ratings_come_to_those_that_weigh_them_each_finding_with_its_key() -> None:
    given = await asked_of(SafetyOrder("ZORB1"))
    for title in ("Integrated risk assessment", "Study plan and open questions"):
        assert re.search(
            r"Cardiovascular toxicity: severity \w+, \w+ evidence \(.+\), .+\[E\d+\]", given[title].user
        )
    assert "Cardiovascular toxicity: " not in given["Species recommendation"].user
    assert "Rated rows, in their order: cardiovascular toxicity (" in given["Species recommendation"].user


LINES = "\n".join(
    ("# Atlas: ZORB1", "- unit: TPM", "- tissues: 60", *(f"- organ{n}: level {n} TPM" for n in range(60)))
)


async def test_the_judge_reads_of_a_long_record_its_head_and_the_lines_that_a_claim_speaks_of() -> None:
    (item,) = remember(LINES, LINES).all()[:1]
    long = replace(item, text=LINES + "\n" + "- other: " + "x" * LONG)
    ((_, (cut,)),) = narrowed([("In organ7 the level is 7 TPM.", [long])])
    assert cut.text.splitlines() == [
        "# Atlas: ZORB1",
        "- unit: TPM",
        "- tissues: 60",
        "- organ7: level 7 TPM",
    ]
    ((_, (whole,)),) = narrowed([("Nothing of it is named.", [long])])
    assert whole.text == long.text


def test_a_models_claim_is_cited_at_the_lines_of_the_facts_that_it_names() -> None:
    def fact(term: str) -> CitedFact:
        return CitedFact(
            Fact(topic=Topic.EXPRESSION, text=f"It is in {term}.", quotes=(f"- {term}: 3",), term=term),
            "E1",
            "atlas",
            "Atlas",
        )

    facts = [fact("lung"), fact("liver")]
    assert quoted(Claim("Lung shows it.", ("E1",)), facts).quotes == ("- lung: 3",)
    assert quoted(Claim("Lung shows it.", ("E2",)), facts).quotes == ()
    assert quoted(Claim("Lung shows it.", ("E1",), ("own",)), facts).quotes == ("own",)


async def test_a_judge_that_is_a_model_is_told_what_counts_for_conclusions() -> None:
    agreed = {"verdict": "supported", "quote": "Mice die.", "reason": "so"}
    model = ScriptedModel({"entail": lambda call: agreed})
    evidence: list[Evidence] = list(remember("Mice die.").all())
    judge = KnownSentences((), (), concluding(ModelEntailment(model)))
    verdict, _ = await judge.judge("Mice die, which is a concern for patients.", evidence)
    assert verdict is Verdict.SUPPORTED
    assert "A conclusion counts as stated" in model.calls[0].system
    words = LexicalEntailment()
    assert concluding(words) is words


async def test_in_the_summary_a_models_text_takes_the_place_of_the_rules_sentences() -> None:
    model = ScriptedModel({"write": writes, "compress": shortens})
    by_model = {part.id: part for part in (await assessed("ZORB1", tools(model=model))).parts}["summary"]
    by_rules = {part.id: part for part in (await assessed("ZORB1")).parts}["summary"]
    claims = [one for one in by_model.blocks if one.kind == "claims"]
    assert len(claims) == 1
    assert len([one for one in by_rules.blocks if one.kind == "claims"]) > 1
    watched = [
        [one.kind == "words" and "monitored" in one.text for one in part.blocks]
        for part in (by_rules, by_model)
    ]
    assert [any(one) for one in watched] == [True, False]
