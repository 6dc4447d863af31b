"""What some models want before a text: the instruction they were trained with.

Encoding a question without it costs quality and gives no error, so it is looked up in three places: the
settings, the model's own `prompts` (config_sentence_transformers.json), and what publishers wrote of models
whose files do not carry it.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

E5_TASK = "Given a question on drug discovery, retrieve passages of reports that answer it"
PUBLISHED: tuple[tuple[str, str, str], ...] = (
    (r"e5-.*instruct", f"Instruct: {E5_TASK}\nQuery: ", ""),
    (r"e5-(small|base|large)", "query: ", "passage: "),
    (r"bge-(small|base|large)-en", "Represent this sentence for searching relevant passages: ", ""),
)
"""(pattern of a model's name, before a question, before a text): Wang et al. 2024; Xiao et al. 2023."""


@dataclass(frozen=True, slots=True)
class Instructions:
    """What is written before a question and before a text; empty for models without."""

    question: str = ""
    text: str = ""

    def asked(self, question: str) -> str:
        """A question as the model wants it; `{question}` in the instruction marks its place."""
        if "{question}" in self.question:
            return self.question.replace("{question}", question)
        return self.question + question


def instructions(name: str, own: Mapping[str, str], question: str = "", text: str = "") -> Instructions:
    """The instructions of the model `name` whose files carry the prompts `own`; those given here win."""
    published = next((rest for pattern, *rest in PUBLISHED if re.search(pattern, name.lower())), ["", ""])
    stored = own.get("passage", "") or own.get("document", "")
    return Instructions(question or own.get("query", "") or published[0], text or stored or published[1])
