"""What judges a model's statements: lines of a record that they speak of, and a rule for conclusions."""

from dataclasses import replace

from agents.evidence.values import Evidence
from agents.safety.checked import LONG, KnownSentences, concluding, narrowed
from agents.trust.entail import ModelEntailment
from agents.trust.lexical import LexicalEntailment
from agents.trust.values import Verdict
from tests.agents.trust.builders import remember
from tests.support.scripted import ScriptedModel

LINES = "\n".join(
    ("# Atlas: ZORB1", "- unit: TPM", "- tissues: 60", *(f"- organ{n}: level {n} TPM" for n in range(60)))
)


async def test_the_judge_reads_of_a_long_record_its_head_and_the_lines_that_a_claim_speaks_of() -> None:
    (item,) = remember(LINES, LINES).all()[:1]
    long = replace(item, text=LINES + "\n" + "- other: " + "x" * LONG)
    ((_, (cut,)),) = narrowed([("In organ7 the level is 7 TPM.", [long])])
    assert cut.text.splitlines() == [
        "# Atlas: ZORB1",
        "- unit: TPM",
        "- tissues: 60",
        "- organ7: level 7 TPM",
    ]
    ((_, (whole,)),) = narrowed([("Nothing of it is named.", [long])])
    assert whole.text == long.text


async def test_a_judge_that_is_a_model_is_told_what_counts_for_conclusions() -> None:
    agreed = {"verdict": "supported", "quote": "Mice die.", "reason": "so"}
    model = ScriptedModel({"entail": lambda call: agreed})
    evidence: list[Evidence] = list(remember("Mice die.").all())
    judge = KnownSentences((), concluding(ModelEntailment(model)))
    verdict, _ = await judge.judge("Mice die, which is a concern for patients.", evidence)
    assert verdict is Verdict.SUPPORTED
    assert "A conclusion counts as stated" in model.calls[0].system
    words = LexicalEntailment()
    assert concluding(words) is words
