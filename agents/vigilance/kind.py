"""Pharmacovigilance as a kind of run (MALADE)."""

from agents.kinds import AnyKind, KindLimits, RunKind
from agents.late import late
from agents.runs.records import Budget

SECONDS = 3600.0

KIND: AnyKind = RunKind(
    name="vigilance",
    title="Pharmacovigilance",
    inputs=late("agents.vigilance.values:Order"),
    output=late("agents.vigilance.values:Assessment"),
    memory=late("agents.vigilance.values:Order"),
    understand=late("agents.vigilance.understand:understand"),
    asked=lambda order: order.asked,
    plan=late("agents.vigilance.work:plan"),
    report=late("agents.vigilance.report:report"),
    open=late("agents.vigilance.work:open_vigilance"),
    remember=late("agents.vigilance.work:remember"),
    watch=late("agents.vigilance.work:watch"),
    stopped=late("agents.vigilance.pipeline:stopped"),
    labels={
        "find": "Finding the drugs of the class",
        "outcomes": "Looking for outcomes",
        "read": "Reading labels",
        "drug": "Judging drugs",
        "category": "Judging classes",
        "reports": "Counting spontaneous reports",
        "charts": "Drawing",
    },
    limits=KindLimits(Budget(seconds=SECONDS)),
    commands=("vigilance", "pv"),
    help=(
        "`vigilance DRUGS: OUTCOMES` tells what FDA labels say of a class of drugs, or of single drugs, and "
        "outcomes, as `vigilance ACE inhibitors: angioedema`, `vigilance warfarin, all outcomes` or "
        "`vigilance statins, beta blockers x myopathy, stroke`.",
        "`watch ACE inhibitors for angioedema` has the channel's digest tell what changes in their labels.",
    ),
    request="question",
    result="answer",
    about="tell what drug labels say of a class of drugs and outcomes",
    drug_classes=late("agents.vigilance.classes:known_classes"),
    terminal={
        "vigilance": "Tell what drug labels say of drugs and outcomes.",
        "extract-events": "Find the adverse events in a section of a label.",
        "learn-events": "Learn them from sections that experts marked.",
    },
)
