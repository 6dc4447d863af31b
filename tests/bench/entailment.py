"""How much the check of words is worth: its verdicts on SciFact's expert claims (Wadden et al., EMNLP 2020).

    python -m tests.bench.entailment FOLDER      # with corpus.jsonl.gz and claims_train.csv

Each claim is judged against the whole abstract that it cites. Prints the confusion table, accuracy and
macro-F1 over three labels, and how many of the claims that would be shown (supported or partly) are really
supported.
"""

import asyncio
import csv
import gzip
import json
import re
import sys
from collections import Counter
from pathlib import Path

from agents.evidence.values import Evidence
from agents.trust.lexical import LexicalEntailment
from agents.trust.values import Verdict

LABELS = ("SUPPORT", "CONTRADICT", "NONE")
PREDICTED = {Verdict.SUPPORTED: "SUPPORT", Verdict.PARTLY: "SUPPORT", Verdict.CONTRADICTED: "CONTRADICT"}
Table = Counter[tuple[str, str]]


async def judge_all(folder: Path) -> tuple[Table, Table]:
    """(gold label, predicted label) and (gold label, verdict), counted."""
    abstracts = read_corpus(folder / "corpus.jsonl.gz")
    labels: Table = Counter()
    verdicts: Table = Counter()
    with (folder / "claims_train.csv").open(newline="", encoding="utf-8") as rows:
        for row in csv.DictReader(rows):
            doc_id = row["evidence_doc_id"] or re.findall(r"\d+", row["cited_doc_ids"])[0]
            verdict, _ = await LexicalEntailment().judge(row["claim"], [abstracts[doc_id]])
            gold = row["evidence_label"] or "NONE"
            labels[gold, PREDICTED.get(verdict, "NONE")] += 1
            verdicts[gold, verdict.value] += 1
    return labels, verdicts


def read_corpus(path: Path) -> dict[str, Evidence]:
    """Abstracts as evidence, by id."""
    abstracts = {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            document = json.loads(line)
            doc_id, text = str(document["_id"]), document["text"]
            abstracts[doc_id] = Evidence("E1", doc_id, doc_id, document["title"], 0, len(text), text)
    return abstracts


def f1(labels: Table, label: str) -> float | None:
    """F1 of one label; None where it neither occurs nor is predicted."""
    hits = labels[label, label]
    others = sum(
        count for (gold, predicted), count in labels.items() if (gold == label) != (predicted == label)
    )
    return 2 * hits / (2 * hits + others) if hits or others else None


def report(labels: Table, verdicts: Table) -> str:
    """The figures as text."""
    total, hits = labels.total(), sum(labels[label, label] for label in LABELS)
    scores = [score for label in LABELS if (score := f1(labels, label)) is not None]
    lines = [f"{total} claims, judged by: {LexicalEntailment.name}"]
    for gold in LABELS:
        row = ", ".join(f"{verdict.value} {verdicts[gold, verdict.value]}" for verdict in Verdict)
        lines.append(f"  gold {gold:<10} -> {row}")
    lines.append(f"accuracy {hits / total:.3f}, macro-F1 {sum(scores) / len(scores):.3f}")
    for gold in LABELS:
        shown = verdicts[gold, "supported"] + verdicts[gold, "partly"]
        lines.append(
            f"  shown as a finding, gold {gold:<10}: {shown} of {sum(labels[gold, p] for p in LABELS)}"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    print(report(*asyncio.run(judge_all(Path(sys.argv[1])))))
