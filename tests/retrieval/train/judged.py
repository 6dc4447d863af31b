"""A folder in the form of SciFact and BioASQ, with invented content that is quick to learn."""

import gzip
import json
from pathlib import Path

ORGANS = ("liver", "kidney", "heart", "spleen", "lung")
BODY = "In the {} of {} the drug {} weight {}. Nothing else was examined by the laboratory."
SPECIES = ("rats", "dogs", "mice", "monkeys")


def judged_folder(folder: Path) -> Path:
    abstracts = [
        (f"{organ} {species}", BODY.format(organ, species, verb, "after a month of treatment"))
        for organ in ORGANS
        for species, verb in zip(SPECIES, ("raised", "lowered", "left", "changed"), strict=True)
    ]
    _scifact(folder / "scifact", abstracts)
    _bioasq(folder / "bioasq", abstracts)
    return folder


def _scifact(folder: Path, abstracts: list[tuple[str, str]]) -> None:
    (folder / "qrels").mkdir(parents=True)
    corpus = [{"_id": str(n), "title": title, "text": text} for n, (title, text) in enumerate(abstracts)]
    queries = [
        {"_id": f"q{n}", "text": f"The drug acts on the {title}."} for n, (title, _) in enumerate(abstracts)
    ]
    (folder / "corpus.jsonl").write_text("\n".join(map(json.dumps, corpus)))
    (folder / "queries.jsonl").write_text("\n".join(map(json.dumps, queries)))
    lines = "".join(f"q{n}\t{n}\t1\n" for n in range(len(abstracts)))
    (folder / "qrels" / "train.tsv").write_text("query-id\tcorpus-id\tscore\n" + lines)


def _bioasq(folder: Path, abstracts: list[tuple[str, str]]) -> None:
    folder.mkdir()
    rows = [
        {
            "id": f"b{n}",
            "batch": "7B1",
            "body": f"What happens in the {title}?",
            "ideal_answer": [f"The drug acts on the {title}."],
            "snippets": [{"text": text, "document": f"paper/{n}"}],
            "documents": [f"paper/{n}"],
        }
        for n, (title, text) in enumerate(abstracts)
    ]
    with gzip.open(folder / "bioasq_7b_11b.jsonl.gz", "wt") as file:
        file.write("\n".join(map(json.dumps, rows)))
