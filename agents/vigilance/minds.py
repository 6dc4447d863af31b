"""DrugAgent and CategoryAgent with their critics, as agents of the house over a language model (MALADE, 4.4).

Each draft is reviewed in at most five rounds, then taken with a note. Where the model fails, the verdict of
the rules stands, with a note. Every conversation is a step of the run.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, TypeVar

from pydantic import Field

from agents.data_block import data_block
from agents.databases.labels import LabelPassage, Labels
from agents.errors import ModelError, ToolFailed
from agents.evidence.memory import EvidenceMemory
from agents.evidence.values import Evidence
from agents.json_answers import at_most
from agents.minds.agent import Agent, CitedStatement, ModelCritic, Statements, run_agent
from agents.minds.hooks import check_citations
from agents.minds.minded import fallback_note
from agents.minds.prompts import Composed, compose, load_prompt
from agents.minds.talk import Bounds
from agents.minds.work import AgentResult, Ports, Task
from agents.runs.run import Run
from agents.tools.tool import Tool
from agents.tools.toolset import Toolset
from agents.vigilance.material import LabelSearch, first_passages, search_tool, state_of, survey_of
from agents.vigilance.records import remembered, source_of
from agents.vigilance.values import (
    CategoryVerdict,
    DrugVerdict,
    Effect,
    Extract,
    Frequency,
    Ingredient,
    Order,
    Outcome,
    Reason,
    Strength,
)

STATEMENTS = 5
"""As the prompts say."""
V = TypeVar("V", DrugVerdict, CategoryVerdict)
PROMPTS = Path(__file__).with_name("prompts")
READING, THINKING = Bounds(rounds=4, calls=3), Bounds(rounds=1)


class Judgement(Statements):
    """A verdict as a model writes it; the prompts say what each field means."""

    statements: list[CitedStatement] = Field(json_schema_extra=at_most(STATEMENTS))
    reasoning: str = ""
    label: Literal["increase", "decrease", "no-effect"]
    in_label: bool = True
    confidence: float = Field(ge=0, le=1)
    p_harm: float = Field(ge=0, le=1)
    p_benefit: float = Field(ge=0, le=1)
    evidence: Literal["none", "weak", "strong"]
    frequency: Literal["none", "rare", "common"]


@dataclass(frozen=True, slots=True)
class Minds:
    """The agents of a run."""

    ports: Ports
    labels: Labels

    async def drug(
        self, run: Run, order: Order, ingredient: Ingredient, outcome: Outcome, verdict: DrugVerdict
    ) -> DrugVerdict:
        """DrugAgent's verdict on an ingredient and an outcome; `verdict` is that of the rules.

        It is given the passages that these read, and searches the others.
        """
        try:
            passages = await self.labels.passages(ingredient.names) if order.retrieval else ()
        except ToolFailed as error:
            return replace(verdict, notes=(*verdict.notes, str(error)))
        memory = EvidenceMemory()
        first = first_passages(passages, outcome, verdict)
        given = remembered({one.id: source_of(one) for one in first}, memory)
        values = {"drug": ingredient.name, "outcome": outcome.name}
        terms = {"terms": ", ".join(outcome.terms) or outcome.name}
        agent = Agent(
            name=f"DrugAgent/{ingredient.name}/{outcome.name}",
            prompt=_prompt("drug", values | terms, order.wishes),
            output=Judgement,
            tools=Toolset("labels", (self._search(ingredient, passages, first),) if passages else ()),
            bounds=READING,
            hooks=(check_citations,),
            critic=ModelCritic(_prompt("drug_critic", values)) if order.critics else None,
        )
        question = f"Does {ingredient.name} increase or decrease the risk of {outcome.name}, or neither?"
        survey = data_block(survey_of(ingredient.name, outcome, passages, given), kind="survey")
        task = Task(question, (*(_block(item) for item in given.values()), survey))
        by_id = {source_of(one).id: one for one in passages}
        made = await self._asked(run, agent, task, memory, verdict, by_id)
        cited = {place for one in made.reasons for place in one.passages}
        return with_cited(made, [one for one in passages if one.id in cited])

    def _search(
        self, drug: Ingredient, passages: Sequence[LabelPassage], given: Sequence[LabelPassage]
    ) -> Tool[LabelSearch]:
        """A search in the labels of a drug, beside the passages that its agent was given."""
        state = state_of(drug.name, passages, given)
        return search_tool(drug.name, self.labels, drug.names, given, state)

    async def category(self, run: Run, order: Order, verdict: CategoryVerdict) -> CategoryVerdict:
        """CategoryAgent's verdict on a class and an outcome; `verdict` is that of the rules.

        Where one drug alone has a label, or no label has the outcome, there is nothing left to weigh: what
        the DrugAgents said stands.
        """
        if (settled := settled_by_drugs(verdict)) is not None:
            return settled
        memory = EvidenceMemory()
        passages = {one.passage.id: one.passage for drug in verdict.drugs for one in drug.extracts}
        wanted = dict.fromkeys(
            place for drug in verdict.drugs for reason in drug.reasons for place in reason.passages
        )
        shown = {place: source_of(passages[place]) for place in wanted if place in passages}
        keys = remembered(shown, memory)
        values = {"category": verdict.category, "outcome": verdict.outcome}
        agent = Agent(
            name=f"CategoryAgent/{verdict.category}/{verdict.outcome}",
            prompt=_prompt("category", values, order.wishes),
            output=Judgement,
            bounds=THINKING,
            hooks=(check_citations,),
            critic=ModelCritic(_prompt("category_critic", values)) if order.critics else None,
        )
        findings = tuple(data_block(_finding(one, keys), finding=one.ingredient) for one in verdict.drugs)
        question = f"Do {verdict.category} increase or decrease the risk of {verdict.outcome}, or neither?"
        task = Task(question, (*findings, *(_block(item) for item in keys.values())))
        by_id = {source_of(one).id: one for one in passages.values()}
        return await self._asked(run, agent, task, memory, verdict, by_id)

    async def _asked(
        self,
        run: Run,
        agent: Agent[Judgement],
        task: Task,
        memory: EvidenceMemory,
        verdict: V,
        by_id: Mapping[str, LabelPassage],
    ) -> V:
        """The agent's verdict; that of the rules with a note where the model fails."""
        try:
            result = await run_agent(run, agent, task, memory, self.ports)
        except ModelError as error:
            note = fallback_note(agent.name, error.clause)
            return replace(verdict, notes=tuple(dict.fromkeys((*verdict.notes, note))))
        places = {
            key: by_id[item.doc_id].id for item in memory.all() if item.doc_id in by_id for key in (item.key,)
        }
        return judged(verdict, result, places)


def _prompt(name: str, values: Mapping[str, str], wishes: Sequence[str] = ()) -> Composed:
    return compose(load_prompt(name, PROMPTS), dict(values), instructions="\n".join(wishes))


def _block(item: Evidence) -> str:
    return data_block(item.text, key=item.key, title=item.title)


def _finding(one: DrugVerdict, keys: Mapping[str, Evidence]) -> str:
    """What a DrugAgent found, with the keys of its passages."""
    if not one.labels:
        return f"No label of {one.ingredient} could be read."
    if not one.reasons:
        return f"The labels of {one.ingredient} do not mention {one.outcome}."
    said = "\n".join(
        f"- {reason.text} [{', '.join(keys[place].key for place in reason.passages if place in keys)}]"
        for reason in one.reasons
    )
    scores = (
        f"confidence {one.confidence:.2f}, evidence {one.strength.value}, frequency {one.frequency.value}"
    )
    return f"{one.effect.value} ({scores})\n{said}"


def judged(verdict: V, result: AgentResult, places: Mapping[str, str]) -> V:
    """The model's verdict in the place of the rules'. `places` gives the passage's id of each evidence key.

    Only statements that passed the check of citations are reasons. What is "not in the label" has no effect,
    whatever else the model wrote. An effect of which no statement stands rests on the rules' reasons.
    """
    one = Judgement.model_validate_json(result.answer)
    effect = Effect(one.label) if one.in_label else Effect.NO_EFFECT
    reasons = tuple(
        Reason(
            claim.text,
            tuple(places[key] for key in claim.keys if key in places),
            claim.quotes,
            claim.verdict,
            claim.checked_by,
        )
        for claim in result.shown
    )
    return replace(
        verdict,
        effect=effect,
        confidence=one.confidence,
        p_harm=one.p_harm,
        p_benefit=one.p_benefit,
        strength=Strength(one.evidence) if one.in_label else Strength.NONE,
        frequency=Frequency(one.frequency) if one.in_label else Frequency.NONE,
        reasons=(reasons or verdict.reasons) if one.in_label else (),
        notes=tuple(dict.fromkeys((*verdict.notes, *result.notes))),
        by=result.by,
        dialog=result.dialog,
    )


def with_cited(verdict: DrugVerdict, passages: Sequence[LabelPassage]) -> DrugVerdict:
    """The verdict with an extract of each passage that its reasons cite and the rules did not read."""
    there = {one.passage.id for one in verdict.extracts}
    quotes = {place: one.quotes for one in verdict.reasons for place in one.passages}
    new = [
        Extract(
            one,
            next((quote for quote in quotes.get(one.id, ()) if quote in one.text), one.text),
            verdict.outcome,
            verdict.effect,
            verdict.confidence,
        )
        for one in passages
        if one.id not in there
    ]
    return replace(verdict, extracts=(*verdict.extracts, *new))


def settled_by_drugs(verdict: CategoryVerdict) -> CategoryVerdict | None:
    """A class's verdict that follows from its drugs' without weighing; None where agents must weigh.

    That of the only drug with a label; no effect where no label mentions the outcome, as sure as the least
    sure of the drugs.
    """
    read = [one for one in verdict.drugs if one.labels]
    if len(read) != 1 and any(one.reasons or one.effect is not Effect.NO_EFFECT for one in read):
        return None
    if not read:
        return None
    least = min(read, key=lambda one: one.confidence)
    return replace(
        verdict,
        effect=least.effect,
        confidence=least.confidence,
        p_harm=max(one.p_harm for one in read),
        p_benefit=max(one.p_benefit for one in read),
        strength=least.strength,
        frequency=least.frequency,
        reasons=least.reasons,
        by=least.by,
    )
