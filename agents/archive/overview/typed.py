"""What the question types say of molecules by the rules alone."""

from collections.abc import Sequence
from dataclasses import replace

from agents.archive.decompose import decompose
from agents.archive.find import find
from agents.archive.investigate import DomainDraft, domain_drafts, investigate
from agents.archive.review import Reviewed, review
from agents.archive.supervise import supervise
from agents.archive.tools import ArchiveTools
from agents.archive.values import AnswerPart, Classification, Merged
from agents.trust.lexical import LexicalEntailment
from retrieval.values import Stage


async def typed(tools: ArchiveTools, question: str, types: Sequence[str], molecules: Sequence[str]) -> Merged:
    """The rules' answers to question types for molecules: they ask no model, however many there are."""
    by_rules = replace(tools, model=None, entailment=LexicalEntailment())
    stages = tuple(stage for stage in Stage if any(stage in tools.library[key].domains for key in types))
    queries = await decompose(tools.library, Classification(stages, tuple(types), tuple(molecules), True))
    drafts: list[DomainDraft] = []
    for stage in stages:
        found = await find(by_rules, tuple(query for query in queries if query.domain is stage))
        reviewed = tuple(map(Reviewed, found, await review(by_rules, found)))
        drafts += domain_drafts(reviewed, await investigate(by_rules, reviewed))
    drafts.sort(
        key=lambda draft: (list(molecules).index(draft.molecule), list(types).index(draft.question_type))
    )
    return await supervise(by_rules, question, tuple(drafts), None)


def of_programme(part: AnswerPart) -> bool:
    """Whether a reason is one for the end of the development and not of a single study."""
    return any(field.field == "scope" and "programme" in field.value for field in part.fields)


def keys_of(part: AnswerPart) -> tuple[str, ...]:
    """Every key behind a part's line."""
    keys = [key for claim in part.claims for key in claim.keys]
    return tuple(dict.fromkeys([*keys, *(key for field in part.fields for key in field.keys)]))
