"""Questions that all documents of a molecule decide at once: a wrong premise, yes or no, the decision to end
it, and the highest dose of all.

No question type would tell the last two whole, and any type would take the first for granted.
"""

from functools import partial

from agents.archive.answer import Answer, Question
from agents.archive.classify import types_of
from agents.archive.compose import compose
from agents.archive.decision import asks_for_decision, decision_told
from agents.archive.decisions_differ import asks_for_decisions, differing_decisions
from agents.archive.exact import is_beside_the_point
from agents.archive.highest import TYPE as HIGHEST
from agents.archive.highest import highest_doses, scope_of
from agents.archive.library import GENERAL
from agents.archive.names import ResolvedNames
from agents.archive.premises import YES_NO, Premise, may_be_wrong, premise_part, wrong_premise
from agents.archive.tools import ArchiveTools
from agents.archive.values import Classification
from agents.archive.yes_no import decided
from agents.runs.run import Run


async def decided_at_once(
    run: Run, question: Question, tools: ArchiveTools, names: ResolvedNames
) -> Answer | None:
    """The answer about the one molecule named, without any research; None if none is needed."""
    [molecule] = names.molecules
    if may_be_wrong(question.text):
        check = partial(wrong_premise, tools)
        if premise := await run.step("premise", check, question.text, molecule):
            return await corrected_premise(tools, question, premise)
    if told := await run.step("premise/yes-no", partial(decided, tools), question.text, molecule):
        return await corrected_premise(tools, question, told)
    if decision := await told_decision(run, question, tools, molecule):
        return decision
    scope = scope_of(question.text)
    if scope is None or HIGHEST not in types_of(tools.library, question.text):
        return None
    highest, table = await run.step("research/highest", partial(highest_doses, tools), molecule, scope)
    registry = await tools.index.molecules()
    if not highest.parts or is_beside_the_point(
        tools.library, highest.parts[0].question_type, question.text, registry, highest.evidence
    ):
        return None
    found = Classification((), (highest.parts[0].question_type,), names.molecules)
    return compose(tools.library, question, found, highest, table, ())


async def told_decision(run: Run, question: Question, tools: ArchiveTools, molecule: str) -> Answer | None:
    """Decisions that differ; else who decided to end a molecule's development, or when; None where no record
    of a decision says it.
    """
    if asks_for_decisions(question.text, await tools.index.molecules()):
        both = partial(differing_decisions, tools)
        differing = await run.step("research/decisions", both, question.text, molecule)
        if differing.parts:
            return compose(
                tools.library, question, Classification((), (GENERAL,), (molecule,)), differing, (), ()
            )
    if not asks_for_decision(question.text, await tools.index.molecules()):
        return None
    merged = await run.step("research/decision", partial(decision_told, tools), question.text, molecule)
    if not merged.parts:
        return None
    return compose(tools.library, question, Classification((), (GENERAL,), (molecule,)), merged, (), ())


async def corrected_premise(tools: ArchiveTools, question: Question, premise: Premise) -> Answer:
    """What the documents say against a question, in place of an answer that would take it for granted."""
    merged = await premise_part(tools, premise, yes_no=bool(YES_NO.match(question.text)))
    return compose(
        tools.library, question, Classification((), (GENERAL,), (premise.molecule,)), merged, (), ()
    )
