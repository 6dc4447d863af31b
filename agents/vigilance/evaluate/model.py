"""The product under evaluation: its rules, or agents and critics of a language model, as a run has them."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace

from agents.errors import RunStopped, StepFailed
from agents.runs.memory import trial_run
from agents.runs.records import Budget, RunRecord
from agents.vigilance.classes import class_of
from agents.vigilance.evaluate.judge import Asked
from agents.vigilance.outcomes import outcome_of
from agents.vigilance.pipeline import VigilanceTools, assess
from agents.vigilance.reading.category import judge_category
from agents.vigilance.values import CategoryVerdict, Order

logger = logging.getLogger(__name__)

RULES, UNJUDGED = "rules", "nobody, in time"
"""Who a verdict is by."""
AT_ONCE = 4
"""Classes that are judged side by side."""


@dataclass(frozen=True, slots=True)
class RunJudge:
    """Runs of the kind, one for each class over all outcomes that are asked of it.

    Without critics agents hand over their first drafts; without retrieval they read no labels. Of a class
    that is not judged within its `budget` the cells that wait are `UNJUDGED`; the next evaluation goes on
    from the answers that the model's cache has.
    """

    desk: VigilanceTools
    critics: bool = True
    retrieval: bool = True
    budget: Budget = Budget()

    async def verdicts(self, asked: Sequence[Asked]) -> list[CategoryVerdict]:
        """See `Judge`."""
        categories = list(dict.fromkeys(category for category, _ in asked))
        limit = asyncio.Semaphore(AT_ONCE)

        async def judged(category: str) -> dict[str, CategoryVerdict]:
            async with limit:
                return await self._class(category, [one for other, one in asked if other == category])

        made = await asyncio.gather(*map(judged, categories))
        found = dict(zip(categories, made, strict=True))
        return [
            found[category].get(outcome_of(outcome).name)
            or judge_category(category, outcome_of(outcome).name, ())
            for category, outcome in asked
        ]

    async def _class(self, category: str, outcomes: Sequence[str]) -> dict[str, CategoryVerdict]:
        """The verdicts on one class by the outcome's name; none where it is not clear what is meant."""
        each = {outcome_of(one).name: outcome_of(one) for one in outcomes}
        order = Order(
            (class_of(category),), tuple(each.values()), critics=self.critics, retrieval=self.retrieval
        )
        run = await trial_run(RunRecord("trial", "trial", "null", "trial", budget=self.budget))
        try:
            cells = (await assess(self.desk, run, order)).cells
        except (RunStopped, StepFailed) as error:
            logger.warning("%s is not judged as a whole; what is missing is missed: %s", category, error)
            made = await run.partial()
            judged = {one.outcome: one for one in made.cells if one.by != RULES} if made else {}
            missed = (replace(judge_category(category, name, ()), by=UNJUDGED) for name in each)
            cells = tuple(judged.get(one.outcome, one) for one in missed)
        return {one.outcome: replace(one, category=category) for one in cells}


def corrected(verdicts: Sequence[CategoryVerdict]) -> dict[str, float | None]:
    """The share of agents' answers that a critic had changed, in per cent (MALADE, table 3).

    None where no agent had a dialog.
    """
    drugs = {(one.ingredient, one.outcome): one for verdict in verdicts for one in verdict.drugs}
    dialogs = {
        "DrugAgent": [one.dialog for one in drugs.values() if one.dialog],
        "CategoryAgent": [one.dialog for one in verdicts if one.dialog],
    }
    return {
        name: round(100 * sum(any(said.round > 1 for said in one) for one in held) / len(held), 2)
        if held
        else None
        for name, held in dialogs.items()
    }
