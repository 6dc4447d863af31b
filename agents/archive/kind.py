"""The archive as a kind of run: questions over the reports of drug candidates (DiscoVerse)."""

from agents.kinds import AnyKind, RunKind
from agents.late import late

KIND: AnyKind = RunKind(
    name="archive",
    title="Questions to the archive",
    inputs=late("agents.archive.answer:Question"),
    output=late("agents.archive.answer:Answer"),
    memory=late("agents.archive.understand:Discussed"),
    understand=late("agents.archive.understand:understand"),
    asked=lambda question: question.text,
    report=late("agents.archive.work:report"),
    open=late("agents.archive.work:open_archive"),
    remember=late("agents.archive.understand:remember"),
    tools=late("agents.archive.work:toolset"),
    check=late("agents.archive.work:check"),
    revise=late("agents.archive.work:revise"),
    stopped=late("agents.archive.pipeline:stopped"),
    looked=late("agents.archive.trail:looked"),
    suggest=late("agents.archive.work:suggest"),
    starters=late("agents.archive.work:starters"),
    labels={
        "read": "Reading the question",
        "classify": "Understanding the question",
        "resolve": "Recognising the molecules",
        "search": "Searching the archive",
        "review": "Reviewing what was found",
        "research": "Reading the evidence",
        "reader": "Reading what was found",
        "tool": "Looking further",
        "check": "Checking every claim",
        "supervise": "Putting the answer together",
        "taxonomy": "Filling the table",
    },
    commands=("ask", "question"),
    help=(
        "Ask a question about the archive in your own words; follow-ups in a thread know the molecule being "
        "discussed.",
    ),
    sections={"answer": ()},
    request="question",
    result="answer",
    about="answer questions from the documents of this archive, each with its passages",
    closest="Closest passages",
    terminal={
        "ask": "Ask one question, get the cited answer.",
        "chat": "Talk: follow-ups know the molecule being discussed.",
    },
)
