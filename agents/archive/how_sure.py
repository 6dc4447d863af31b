"""What answers "How sure are you?": what the last answer rests on, as its report tells."""

import re

from agents.archive.answer import Answer, Outcome, Question
from agents.reports.values import Paragraph, Report

ANSWER = "Answer"
"""What a report calls an answer, as against passages that come close."""
HOW_SURE = re.compile(
    r"\W*(?:(?:and|but|so|ok(?:ay)?|hm+|well)\W+)*"
    r"(?:how (?:sure|certain|confident|reliable) (?:are you|is (?:that|this|it|the answer|your answer))|"
    r"are you (?:(?:really|quite|absolutely|very) )?(?:sure|certain|confident)|"
    r"is (?:that|this|it) (?:(?:really|quite) )?(?:sure|certain|reliable)|sure|really)"
    r"(?: (?:of|about|in) (?:that|this|it|the answer|your answer))?\W*",
    re.IGNORECASE,
)
"""A question that asks how far an answer can be relied on, and names nothing else."""


def how_sure(report: Report) -> str:
    """How far a report can be relied on, in words; "" where it cites nothing or asks something back."""
    cited = report.citations
    if report.ask_back or not cited:
        return ""
    if report.outcome != ANSWER:
        return (
            "Not sure: no passage was found that says it for certain. "
            "What was shown are the passages that come closest; please read them."
        )
    documents = len({one.doc_id for one in cited})
    told = [
        f"The answer rests on {_counted(len(cited), 'passage')} of {_counted(documents, 'document')}, quoted "
        "beside it, and was checked against what they say. No more is known of how sure it is."
    ]
    if len(cited) == 1:
        told.append("No second passage confirms it.")
    if report.notes or report.not_found:
        told.append("Its notes say what to mind and what was not found.")
    if report.partial:
        told.append("The run was ended early, so it may not be complete.")
    return " ".join(told)


def reply(question: Question) -> Answer:
    """How sure the last answer is, told as an answer. The thread goes on with the question before."""
    text = question.how_sure
    before = question.previous[0] if question.previous else ""
    told = Paragraph(text, remark=True)
    return Answer(question.text, text, (told,), Outcome.ANSWERED, understood=before)


def _counted(number: int, noun: str) -> str:
    """One or several of a thing, in words: no citation carries a number of citations, so the check would
    strike it.
    """
    return f"one {noun}" if number == 1 else f"several {noun}s"
