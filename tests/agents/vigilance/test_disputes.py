"""A label's passage that a channel disputes counts less, and is marked where a verdict still shows it."""

from dataclasses import replace

from agents.reports.disputed import Disputed
from agents.vigilance.kind import KIND
from agents.vigilance.understand import ordered
from agents.vigilance.values import Effect, Strength
from tests.agents.vigilance.kit import assessed

ORDER = ordered("lisinopril: angioedema")


async def test_a_disputed_passage_counts_less_and_is_marked() -> None:
    before = await assessed(ORDER)
    cited = next(one for one in KIND.report(before).citations if "may be fatal" in one.quote)
    dispute = Disputed(cited.doc_id, cited.start, cited.end, "label, disputed by Ada: an old label", "Ada")
    made = await assessed(replace(ORDER, disputed=(dispute,)))
    (first,), (then,) = before.cells, made.cells
    assert (first.effect, first.strength) == (Effect.INCREASE, Strength.STRONG)
    assert then.p_harm < first.p_harm
    assert then.strength is not Strength.STRONG
    report = KIND.report(made)
    assert [one.disputed for one in report.citations if one.doc_id == cited.doc_id] == ["Ada"]
    assert any("disputed here by Ada" in note for note in report.notes)


async def test_a_dispute_of_another_passage_changes_nothing() -> None:
    other = replace(ORDER, disputed=(Disputed("tool-other", 0, 1000, "x", "Ada"),))
    made = await assessed(other)
    assert replace(made, order=ORDER) == await assessed(ORDER)
    assert KIND.remember(made, None) == ORDER
